"""tf.keras.applications.inception_v3: Szegedy et al.'s network of branches."""

from kiln.compat.v1.keras import layers
from kiln.compat.v1.keras.applications import _network, imagenet_utils
from kiln.compat.v1.keras.applications.imagenet_utils import (
    decode_predictions as decode_predictions,
)


def preprocess_input(x, data_format=None):
    """Images of 0 to 255 as -1 to 1.

    Source: tf.keras.applications.inception_v3.preprocess_input.
    """
    return imagenet_utils.preprocess_input(x, data_format=data_format, mode="tf")


def _convolved(x, filters, rows, columns, padding="same", strides=(1, 1)):
    x = layers.Conv2D(filters, (rows, columns), strides=strides, padding=padding, use_bias=False)(x)
    x = layers.BatchNormalization(axis=_network.channel_axis(), scale=False)(x)
    return layers.Activation("relu")(x)


def _row(x, *convolutions):
    """Convolutions one behind the other: filters, rows, columns of each."""
    for convolution in convolutions:
        x = _convolved(x, *convolution)
    return x


def _shrunk(x, filters):
    return _convolved(x, filters, 3, 3, padding="valid", strides=(2, 2))


def _averaged(x, filters):
    x = layers.AveragePooling2D((3, 3), strides=(1, 1), padding="same")(x)
    return _convolved(x, filters, 1, 1)


def _joined(branches, name=None):
    return layers.concatenate(branches, axis=_network.channel_axis(), name=name)


def _wide(x, pooled_filters, name):
    branches = [
        _row(x, (64, 1, 1)),
        _row(x, (48, 1, 1), (64, 5, 5)),
        _row(x, (64, 1, 1), (96, 3, 3), (96, 3, 3)),
        _averaged(x, pooled_filters),
    ]
    return _joined(branches, name)


def _crossed(x, n, name):
    """Convolutions of 7 by 7, as rows and columns."""
    branches = [
        _row(x, (192, 1, 1)),
        _row(x, (n, 1, 1), (n, 1, 7), (192, 7, 1)),
        _row(x, (n, 1, 1), (n, 7, 1), (n, 1, 7), (n, 7, 1), (192, 1, 7)),
        _averaged(x, 192),
    ]
    return _joined(branches, name)


def _spread(x, i):
    first = _row(x, (320, 1, 1))
    second = _row(x, (384, 1, 1))
    second = _joined([_row(second, (384, 1, 3)), _row(second, (384, 3, 1))], f"mixed9_{i}")
    third = _row(x, (448, 1, 1), (384, 3, 3))
    third = _joined([_row(third, (384, 1, 3)), _row(third, (384, 3, 1))])
    return _joined([first, second, third, _averaged(x, 192)], f"mixed{9 + i}")


@_network.application(
    "inception_v3",
    ("9a0d58056eeedaa3f26cb7ebd46da564", "bcbd6486424b2319ff4ef7d526e38f63"),
    default_size=299,
    min_size=75,
)
def InceptionV3(images, include_top, pooling, classes):  # noqa: N802, TensorFlow's name
    """The network. Source: tf.keras.applications.InceptionV3."""
    x = _shrunk(images, 32)
    x = _convolved(x, 32, 3, 3, padding="valid")
    x = _convolved(x, 64, 3, 3)
    x = layers.MaxPooling2D((3, 3), strides=(2, 2))(x)
    x = _convolved(x, 80, 1, 1, padding="valid")
    x = _convolved(x, 192, 3, 3, padding="valid")
    x = layers.MaxPooling2D((3, 3), strides=(2, 2))(x)
    for i, filters in enumerate((32, 64, 64)):
        x = _wide(x, filters, f"mixed{i}")
    branches = [_shrunk(x, 384), _shrunk(_row(x, (64, 1, 1), (96, 3, 3)), 96)]
    x = _joined([*branches, layers.MaxPooling2D((3, 3), strides=(2, 2))(x)], "mixed3")
    for i, filters in enumerate((128, 160, 160, 192)):
        x = _crossed(x, filters, f"mixed{4 + i}")
    branches = [
        _shrunk(_row(x, (192, 1, 1)), 320),
        _shrunk(_row(x, (192, 1, 1), (192, 1, 7), (192, 7, 1)), 192),
    ]
    x = _joined([*branches, layers.MaxPooling2D((3, 3), strides=(2, 2))(x)], "mixed8")
    for i in range(2):
        x = _spread(x, i)
    return _network.classified(x, classes) if include_top else _network.pooled(x, pooling)
