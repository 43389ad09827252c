"""tf.keras.applications.vgg16: VGG with 16 layers that have weights."""

from kiln.compat.v1.keras.applications import _vgg
from kiln.compat.v1.keras.applications.imagenet_utils import (
    decode_predictions as decode_predictions,
    preprocess_input as preprocess_input,
)


def VGG16(  # noqa: N802, TensorFlow's name
    include_top=True,
    weights="imagenet",
    input_tensor=None,
    input_shape=None,
    pooling=None,
    classes=1000,
    **kwargs,
):
    """The network. include_top: with the layers that tell 1,000 classes apart. pooling: "avg" or
    "max" where it is without. Errors: ValueError. Source: tf.keras.applications.VGG16.
    """
    return _vgg.vgg(
        "vgg16", (2, 2, 3, 3, 3), include_top, weights, input_tensor, input_shape, pooling, classes
    )
