"""Poolings: the largest number or the mean of windows."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras._engine._input_spec import InputSpec
from kiln.compat.v1.keras._engine._layer import Layer
from kiln.compat.v1.keras.layers._configured import as_tuple
from kiln.compat.v1.keras.layers._convolutional import output_length

__all__ = [
    "AveragePooling1D", "AveragePooling2D", "AveragePooling3D", "AvgPool1D", "AvgPool2D",
    "AvgPool3D", "GlobalAveragePooling1D", "GlobalAveragePooling2D", "GlobalAveragePooling3D",
    "GlobalAvgPool1D", "GlobalAvgPool2D", "GlobalAvgPool3D", "GlobalMaxPool1D", "GlobalMaxPool2D",
    "GlobalMaxPool3D", "GlobalMaxPooling1D", "GlobalMaxPooling2D", "GlobalMaxPooling3D",
    "MaxPool1D", "MaxPool2D", "MaxPool3D", "MaxPooling1D", "MaxPooling2D", "MaxPooling3D",
]  # fmt: skip


class _Pooling(Layer):
    """A pooling over rank axes."""

    rank = 2

    def __init__(self, pool_size, strides, padding, data_format, **kwargs):
        super().__init__(**kwargs)
        strides = pool_size if strides is None else strides
        self.pool_size = as_tuple(pool_size, self.rank, "pool_size")
        self.strides = as_tuple(strides, self.rank, "strides")
        self.padding = padding.lower()
        if self.padding not in ("valid", "same"):
            raise ValueError(
                'The `padding` argument must be a list/tuple or one of "valid", "same". '
                f"Received: {padding}"
            )
        self.data_format = K._config.standardize_data_format(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def call(self, inputs):
        first, space, steps = self.data_format == "channels_first", self.pool_size, self.strides
        if self.rank == 1:
            # As images of width 1.
            axis = 2 if not first else 3
            inputs, space, steps = tf.expand_dims(inputs, axis), (*space, 1), (*steps, 1)
        names = {2: "HW", 1: "HW", 3: "DHW"}
        data_format = ("NC%s" if first else "N%sC") % names[self.rank]
        outputs = self._function()(
            inputs,
            [1, 1, *space] if first else [1, *space, 1],
            [1, 1, *steps] if first else [1, *steps, 1],
            padding=self.padding.upper(),
            data_format=data_format,
        )
        return tf.squeeze(outputs, [axis]) if self.rank == 1 else outputs

    def _function(self):
        if self.rank == 3:
            return tf.nn.max_pool3d if self._is_max else tf.nn.avg_pool3d
        return tf.nn.max_pool if self._is_max else tf.nn.avg_pool

    def compute_output_shape(self, input_shape):
        shape = tf.TensorShape(input_shape).as_list()
        first = self.data_format == "channels_first"
        space = [
            output_length(length, size, self.padding, stride)
            for length, size, stride in zip(
                shape[2:] if first else shape[1:-1], self.pool_size, self.strides
            )
        ]
        if first:
            return tf.TensorShape([shape[0], shape[1], *space])
        return tf.TensorShape([shape[0], *space, shape[-1]])

    def get_config(self):
        own = {
            "pool_size": self.pool_size,
            "strides": self.strides,
            "padding": self.padding,
            "data_format": self.data_format,
        }
        return {**super().get_config(), **own}


class _Max(_Pooling):
    _is_max = True


class _Average(_Pooling):
    _is_max = False


class MaxPooling1D(_Max):
    """The largest number of windows of steps. Source: tf.keras.layers.MaxPooling1D."""

    rank = 1

    def __init__(
        self, pool_size=2, strides=None, padding="valid", data_format="channels_last", **kwargs
    ):
        super().__init__(pool_size, strides, padding, data_format, **kwargs)


class AveragePooling1D(_Average):
    """The mean of windows of steps. Source: tf.keras.layers.AveragePooling1D."""

    rank = 1

    def __init__(
        self, pool_size=2, strides=None, padding="valid", data_format="channels_last", **kwargs
    ):
        super().__init__(pool_size, strides, padding, data_format, **kwargs)


class MaxPooling2D(_Max):
    """The largest number of windows of images. Source: tf.keras.layers.MaxPooling2D."""

    def __init__(self, pool_size=(2, 2), strides=None, padding="valid", data_format=None, **kwargs):
        super().__init__(pool_size, strides, padding, data_format, **kwargs)


class AveragePooling2D(_Average):
    """The mean of windows of images. Source: tf.keras.layers.AveragePooling2D."""

    def __init__(self, pool_size=(2, 2), strides=None, padding="valid", data_format=None, **kwargs):
        super().__init__(pool_size, strides, padding, data_format, **kwargs)


class MaxPooling3D(_Max):
    """The largest number of windows of volumes. Source: tf.keras.layers.MaxPooling3D."""

    rank = 3

    def __init__(
        self, pool_size=(2, 2, 2), strides=None, padding="valid", data_format=None, **kwargs
    ):
        super().__init__(pool_size, strides, padding, data_format, **kwargs)


class AveragePooling3D(_Average):
    """The mean of windows of volumes. Source: tf.keras.layers.AveragePooling3D."""

    rank = 3

    def __init__(
        self, pool_size=(2, 2, 2), strides=None, padding="valid", data_format=None, **kwargs
    ):
        super().__init__(pool_size, strides, padding, data_format, **kwargs)


class _Global(Layer):
    """A pooling over all places."""

    rank = 2

    def __init__(self, data_format, **kwargs):
        super().__init__(**kwargs)
        self.data_format = K._config.standardize_data_format(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def _axes(self):
        start = 2 if self.data_format == "channels_first" else 1
        return list(range(start, start + self.rank))

    def call(self, inputs):
        return self._reduce(inputs, self._axes())

    def compute_output_shape(self, input_shape):
        shape = tf.TensorShape(input_shape).as_list()
        channels = shape[1] if self.data_format == "channels_first" else shape[-1]
        return tf.TensorShape([shape[0], channels])

    def get_config(self):
        return {**super().get_config(), "data_format": self.data_format}


class _GlobalAverage(_Global):
    def _reduce(self, inputs, axes):
        return K.mean(inputs, axis=axes)


class _GlobalMax(_Global):
    def _reduce(self, inputs, axes):
        return K.max(inputs, axis=axes)


class GlobalAveragePooling1D(_GlobalAverage):
    """The mean of all steps; of those that a mask leaves.

    Source: tf.keras.layers.GlobalAveragePooling1D.
    """

    rank = 1

    def __init__(self, data_format="channels_last", **kwargs):
        super().__init__(data_format, **kwargs)
        self.supports_masking = True

    def call(self, inputs, mask=None):
        if mask is None:
            return super().call(inputs)
        (axis,) = self._axes()
        mask = tf.expand_dims(tf.cast(mask, inputs.dtype), 2 if axis == 1 else 1)
        return K.sum(inputs * mask, axis=axis) / tf.reduce_sum(mask, axis=axis)

    def compute_mask(self, inputs, mask=None):
        return None


class GlobalMaxPooling1D(_GlobalMax):
    """The largest of all steps. Source: tf.keras.layers.GlobalMaxPooling1D."""

    rank = 1

    def __init__(self, data_format="channels_last", **kwargs):
        super().__init__(data_format, **kwargs)


class GlobalAveragePooling2D(_GlobalAverage):
    """The mean of an image. Source: tf.keras.layers.GlobalAveragePooling2D."""

    def __init__(self, data_format=None, **kwargs):
        super().__init__(data_format, **kwargs)


class GlobalMaxPooling2D(_GlobalMax):
    """The largest number of an image. Source: tf.keras.layers.GlobalMaxPooling2D."""

    def __init__(self, data_format=None, **kwargs):
        super().__init__(data_format, **kwargs)


class GlobalAveragePooling3D(_GlobalAverage):
    """The mean of a volume. Source: tf.keras.layers.GlobalAveragePooling3D."""

    rank = 3

    def __init__(self, data_format=None, **kwargs):
        super().__init__(data_format, **kwargs)


class GlobalMaxPooling3D(_GlobalMax):
    """The largest number of a volume. Source: tf.keras.layers.GlobalMaxPooling3D."""

    rank = 3

    def __init__(self, data_format=None, **kwargs):
        super().__init__(data_format, **kwargs)


AvgPool1D, AvgPool2D, AvgPool3D = AveragePooling1D, AveragePooling2D, AveragePooling3D
MaxPool1D, MaxPool2D, MaxPool3D = MaxPooling1D, MaxPooling2D, MaxPooling3D
GlobalAvgPool1D, GlobalMaxPool1D = GlobalAveragePooling1D, GlobalMaxPooling1D
GlobalAvgPool2D, GlobalMaxPool2D = GlobalAveragePooling2D, GlobalMaxPooling2D
GlobalAvgPool3D, GlobalMaxPool3D = GlobalAveragePooling3D, GlobalMaxPooling3D
