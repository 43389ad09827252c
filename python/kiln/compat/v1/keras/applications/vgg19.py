"""tf.keras.applications.vgg19: VGG with 19 layers that have weights."""

from kiln.compat.v1.keras.applications import _network, _vgg
from kiln.compat.v1.keras.applications.imagenet_utils import (
    decode_predictions as decode_predictions,
    preprocess_input as preprocess_input,
)


@_network.application(
    "vgg19",
    ("cbe5617147190e668d6c5d5026f83318", "253f8cb515780f3b799900260a226db6"),
)
def VGG19(images, include_top, pooling, classes):  # noqa: N802, TensorFlow's name
    """The network. Source: tf.keras.applications.VGG19."""
    return _vgg.vgg(images, (2, 2, 4, 4, 4), include_top, pooling, classes)
