"""tf.keras.applications.vgg16: VGG with 16 layers that have weights."""

from kiln.compat.v1.keras.applications import _network, _vgg
from kiln.compat.v1.keras.applications.imagenet_utils import (
    decode_predictions as decode_predictions,
    preprocess_input as preprocess_input,
)


@_network.application(
    "vgg16",
    ("64373286793e3c8b2b4e3219cbf3544b", "6d6bbae143d832006294945121d1f1fc"),
)
def VGG16(images, include_top, pooling, classes):  # noqa: N802, TensorFlow's name
    """The network. Source: tf.keras.applications.VGG16."""
    return _vgg.vgg(images, (2, 2, 3, 3, 3), include_top, pooling, classes)
