"""tf.keras.applications.mobilenet: Howard et al.'s networks for small machines."""

from kiln.compat.v1 import logging
from kiln.compat.v1.keras import backend as K, layers
from kiln.compat.v1.keras.applications import _network, imagenet_utils
from kiln.compat.v1.keras.applications.imagenet_utils import (
    decode_predictions as decode_predictions,
)

_SIZES = (128, 160, 192, 224)
# Filters and strides of the blocks.
_BLOCKS = [
    (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *[(512, 1)] * 5, (1024, 2),
    (1024, 1),
]  # fmt: skip


def preprocess_input(x, data_format=None):
    """Images of 0 to 255 as -1 to 1. Source: tf.keras.applications.mobilenet.preprocess_input."""
    return imagenet_utils.preprocess_input(x, data_format=data_format, mode="tf")


def _active(x, name):
    x = layers.BatchNormalization(axis=_network.channel_axis(), name=f"{name}_bn")(x)
    return layers.ReLU(6.0, name=f"{name}_relu")(x)


def _block(x, filters, depth_multiplier, stride, number):
    """A convolution of each channel, then one of each pixel."""
    if stride == 2:
        x = layers.ZeroPadding2D(((0, 1), (0, 1)), name=f"conv_pad_{number}")(x)
    x = layers.DepthwiseConv2D(
        (3, 3),
        padding="same" if stride == 1 else "valid",
        depth_multiplier=depth_multiplier,
        strides=(stride, stride),
        use_bias=False,
        name=f"conv_dw_{number}",
    )(x)
    x = _active(x, f"conv_dw_{number}")
    x = layers.Conv2D(filters, (1, 1), padding="same", use_bias=False, name=f"conv_pw_{number}")(x)
    return _active(x, f"conv_pw_{number}")


def _size_of(input_shape):
    """The height of images whose weights there are; and whether it is that of the shape."""
    sizes = input_shape or (None, None, None)
    sizes = sizes[1:] if K.image_data_format() == "channels_first" else sizes[:2]
    is_known = sizes[0] == sizes[1] and sizes[0] in _SIZES
    return (sizes[0] if is_known else 224), is_known


def MobileNet(  # noqa: N802, TensorFlow's name
    input_shape=None,
    alpha=1.0,
    depth_multiplier=1,
    dropout=1e-3,
    include_top=True,
    weights="imagenet",
    input_tensor=None,
    pooling=None,
    classes=1000,
    **kwargs,
):
    """The network. alpha: what the numbers of filters are multiplied with.

    Errors: ValueError. Source: tf.keras.applications.MobileNet.
    """
    _network.check_options(kwargs)
    size, _ = _size_of(input_shape)
    inputs = x = _network.image_input(
        include_top, weights, input_tensor, input_shape, classes, default_size=size
    )
    shape = K.int_shape(inputs)[1:]
    rows, is_known = _size_of(shape)
    if weights == "imagenet":
        if depth_multiplier != 1:
            raise ValueError(
                "If imagenet weights are being loaded, depth multiplier must be 1"
            )
        if alpha not in (0.25, 0.50, 0.75, 1.0):
            raise ValueError(
                "If imagenet weights are being loaded, alpha can be one of`0.25`, `0.50`, `0.75` "
                "or `1.0` only."
            )
        if not is_known:
            logging.warning(
                "`input_shape` is undefined or non-square, or `rows` is not in "
                "[128, 160, 192, 224]. Weights for input shape (224, 224) will be loaded as the "
                "default."
            )
    else:
        rows = shape[1 if K.image_data_format() == "channels_first" else 0]
    x = layers.Conv2D(
        int(32 * alpha), (3, 3), padding="same", use_bias=False, strides=(2, 2), name="conv1"
    )(x)
    x = _active(x, "conv1")
    for number, (filters, stride) in enumerate(_BLOCKS, 1):
        x = _block(x, int(filters * alpha), depth_multiplier, stride, number)
    if include_top:
        channels = int(1024 * alpha)
        is_first = K.image_data_format() == "channels_first"
        x = layers.GlobalAveragePooling2D()(x)
        x = layers.Reshape((channels, 1, 1) if is_first else (1, 1, channels), name="reshape_1")(x)
        x = layers.Dropout(dropout, name="dropout")(x)
        x = layers.Conv2D(classes, (1, 1), padding="same", name="conv_preds")(x)
        x = layers.Reshape((classes,), name="reshape_2")(x)
        x = layers.Activation("softmax", name="act_softmax")(x)
    else:
        x = _network.pooled(x, pooling)
    text = {1.0: "1_0", 0.75: "7_5", 0.5: "5_0"}.get(alpha, "2_5")
    start = f"mobilenet/mobilenet_{text}_{rows}_tf"
    files = [(f"{start}.h5", None), (f"{start}_no_top.h5", None)]
    name = f"mobilenet_{alpha:0.2f}_{rows}"
    return _network.finished(name, inputs, x, input_tensor, weights, include_top, files)
