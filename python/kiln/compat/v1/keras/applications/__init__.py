"""tf.keras.applications: well-known networks for images.

weights="imagenet" downloads trained weights, which needs h5py; weights=None gives them random ones.
"""

from kiln.compat.v1.keras.applications import (
    imagenet_utils as imagenet_utils,
    inception_v3 as inception_v3,
    mobilenet as mobilenet,
    resnet as resnet,
    resnet50 as resnet50,
    vgg16 as vgg16,
    vgg19 as vgg19,
)
from kiln.compat.v1.keras.applications.inception_v3 import InceptionV3 as InceptionV3
from kiln.compat.v1.keras.applications.mobilenet import MobileNet as MobileNet
from kiln.compat.v1.keras.applications.resnet import (
    ResNet50 as ResNet50,
    ResNet101 as ResNet101,
    ResNet152 as ResNet152,
)
from kiln.compat.v1.keras.applications.vgg16 import VGG16 as VGG16
from kiln.compat.v1.keras.applications.vgg19 import VGG19 as VGG19


def __getattr__(name):
    from kiln.compat._missing import missing_name

    raise missing_name(__name__, name)
