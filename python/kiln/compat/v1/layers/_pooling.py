"""Pooling over one to three axes of space."""

from kiln._kiln import front as _c
from kiln.compat.v1._deprecations import deprecated
from kiln.compat.v1.layers import _arguments
from kiln.compat.v1.layers._native import NativeLayer

__all__ = [
    "AveragePooling1D", "AveragePooling2D", "AveragePooling3D", "MaxPooling1D", "MaxPooling2D", "MaxPooling3D",
    "average_pooling1d", "average_pooling2d", "average_pooling3d", "max_pooling1d", "max_pooling2d",
    "max_pooling3d",
]  # fmt: skip


class _Pooling(NativeLayer):
    """rank: the number of axes of space."""

    _arguments = ("pool_size", "strides", "padding", "data_format")
    rank, _of_maxima = 2, True

    def __init__(self, pool_size, strides, padding="valid", data_format="channels_last", name=None, **kwargs):
        super().__init__(name=name, **kwargs)
        self.pool_size = _arguments.integers(pool_size, self.rank, "pool_size")
        self.strides = _arguments.integers(pool_size if strides is None else strides, self.rank, "strides")
        self.padding, self.data_format = _arguments.padding(padding), _arguments.data_format(data_format)

    def _make(self, *options):
        _c.pooling_layer(self, self.rank, self._of_maxima, *options)


class MaxPooling1D(_Pooling):
    """The maxima of parts of sequences. Source: tf.layers.MaxPooling1D."""

    rank, _of_maxima = 1, True


def max_pooling1d(inputs, pool_size, strides, padding="valid", data_format="channels_last", name=None):
    """What a MaxPooling1D makes of the inputs. Source: tf.layers.max_pooling1d."""
    deprecated("layers.pooling.max_pooling1d", "Use keras.layers.MaxPooling1D instead.")
    return MaxPooling1D(pool_size, strides, padding, data_format, name)(inputs)


class MaxPooling2D(_Pooling):
    """The maxima of parts of images. Source: tf.layers.MaxPooling2D."""

    rank, _of_maxima = 2, True


def max_pooling2d(inputs, pool_size, strides, padding="valid", data_format="channels_last", name=None):
    """What a MaxPooling2D makes of the inputs. Source: tf.layers.max_pooling2d."""
    deprecated("layers.pooling.max_pooling2d", "Use keras.layers.MaxPooling2D instead.")
    return MaxPooling2D(pool_size, strides, padding, data_format, name)(inputs)


class MaxPooling3D(_Pooling):
    """The maxima of parts of volumes. Source: tf.layers.MaxPooling3D."""

    rank, _of_maxima = 3, True


def max_pooling3d(inputs, pool_size, strides, padding="valid", data_format="channels_last", name=None):
    """What a MaxPooling3D makes of the inputs. Source: tf.layers.max_pooling3d."""
    deprecated("layers.pooling.max_pooling3d", "Use keras.layers.MaxPooling3D instead.")
    return MaxPooling3D(pool_size, strides, padding, data_format, name)(inputs)


class AveragePooling1D(_Pooling):
    """The means of parts of sequences. Source: tf.layers.AveragePooling1D."""

    rank, _of_maxima = 1, False


def average_pooling1d(inputs, pool_size, strides, padding="valid", data_format="channels_last", name=None):
    """What a AveragePooling1D makes of the inputs. Source: tf.layers.average_pooling1d."""
    deprecated("layers.pooling.average_pooling1d", "Use keras.layers.AveragePooling1D instead.")
    return AveragePooling1D(pool_size, strides, padding, data_format, name)(inputs)


class AveragePooling2D(_Pooling):
    """The means of parts of images. Source: tf.layers.AveragePooling2D."""

    rank, _of_maxima = 2, False


def average_pooling2d(inputs, pool_size, strides, padding="valid", data_format="channels_last", name=None):
    """What a AveragePooling2D makes of the inputs. Source: tf.layers.average_pooling2d."""
    deprecated("layers.pooling.average_pooling2d", "Use keras.layers.AveragePooling2D instead.")
    return AveragePooling2D(pool_size, strides, padding, data_format, name)(inputs)


class AveragePooling3D(_Pooling):
    """The means of parts of volumes. Source: tf.layers.AveragePooling3D."""

    rank, _of_maxima = 3, False


def average_pooling3d(inputs, pool_size, strides, padding="valid", data_format="channels_last", name=None):
    """What a AveragePooling3D makes of the inputs. Source: tf.layers.average_pooling3d."""
    deprecated("layers.pooling.average_pooling3d", "Use keras.layers.AveragePooling3D instead.")
    return AveragePooling3D(pool_size, strides, padding, data_format, name)(inputs)


# Other names.
MaxPool2D, AvgPool2D = MaxPooling2D, AveragePooling2D
max_pool2d, avg_pool2d = max_pooling2d, average_pooling2d
