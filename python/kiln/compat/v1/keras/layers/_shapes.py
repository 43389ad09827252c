"""Margins, cuts, larger images."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras._engine._input_spec import InputSpec
from kiln.compat.v1.keras._engine._layer import Layer
from kiln.compat.v1.keras.layers._configured import as_tuple

__all__ = [
    "Cropping1D", "Cropping2D", "Cropping3D", "UpSampling1D", "UpSampling2D", "UpSampling3D",
    "ZeroPadding1D", "ZeroPadding2D", "ZeroPadding3D",
]  # fmt: skip


def _pairs(value, n, name):
    """n pairs of margins: of one number, of n numbers or of n pairs. Errors: ValueError."""
    if isinstance(value, int):
        return ((value, value),) * n
    value = tuple(value)
    if len(value) != n:
        raise ValueError(f"`{name}` should have {n} elements. Found: {value}")
    return tuple(
        (each, each) if isinstance(each, int) else as_tuple(each, 2, name) for each in value
    )


class _OfSpace(Layer):
    """A layer that changes the extents of space."""

    def __init__(self, rank, data_format, **kwargs):
        super().__init__(**kwargs)
        self._rank, self.data_format = rank, K._config.standardize_data_format(data_format)
        self.input_spec = InputSpec(ndim=rank + 2)

    @property
    def _first(self):
        return self.data_format == "channels_first"

    def compute_output_shape(self, input_shape):
        shape = tf.TensorShape(input_shape).as_list()
        space = shape[2:] if self._first else shape[1:-1]
        space = [
            None if extent is None else self._extent(extent, i) for i, extent in enumerate(space)
        ]
        if self._first:
            return tf.TensorShape([shape[0], shape[1], *space])
        return tf.TensorShape([shape[0], *space, shape[-1]])


class _ZeroPadding(_OfSpace):
    def _extent(self, extent, i):
        return extent + sum(self._margins[i])

    def call(self, inputs):
        margins = [list(each) for each in self._margins]
        if self._first:
            return tf.pad(inputs, [[0, 0], [0, 0], *margins])
        return tf.pad(inputs, [[0, 0], *margins, [0, 0]])


class ZeroPadding1D(_ZeroPadding):
    """Zeros before and behind sequences. Source: tf.keras.layers.ZeroPadding1D."""

    def __init__(self, padding=1, **kwargs):
        super().__init__(1, "channels_last", **kwargs)
        self.padding = as_tuple(padding, 2, "padding")
        self._margins = (self.padding,)

    def get_config(self):
        return {**super().get_config(), "padding": self.padding}


class ZeroPadding2D(_ZeroPadding):
    """Zeros around images. Source: tf.keras.layers.ZeroPadding2D."""

    def __init__(self, padding=(1, 1), data_format=None, **kwargs):
        super().__init__(2, data_format, **kwargs)
        self.padding = self._margins = _pairs(padding, 2, "padding")

    def get_config(self):
        own = {"padding": self.padding, "data_format": self.data_format}
        return {**super().get_config(), **own}


class ZeroPadding3D(_ZeroPadding):
    """Zeros around volumes. Source: tf.keras.layers.ZeroPadding3D."""

    def __init__(self, padding=(1, 1, 1), data_format=None, **kwargs):
        super().__init__(3, data_format, **kwargs)
        self.padding = self._margins = _pairs(padding, 3, "padding")

    def get_config(self):
        own = {"padding": self.padding, "data_format": self.data_format}
        return {**super().get_config(), **own}


class _Cropping(_OfSpace):
    def _extent(self, extent, i):
        return extent - sum(self._margins[i])

    def call(self, inputs):
        cuts = [slice(low, -high if high else None) for low, high in self._margins]
        if self._first:
            return inputs[(slice(None), slice(None), *cuts)]
        return inputs[(slice(None), *cuts, slice(None))]


class Cropping1D(_Cropping):
    """Sequences without their ends. Source: tf.keras.layers.Cropping1D."""

    def __init__(self, cropping=(1, 1), **kwargs):
        super().__init__(1, "channels_last", **kwargs)
        self.cropping = as_tuple(cropping, 2, "cropping")
        self._margins = (self.cropping,)

    def get_config(self):
        return {**super().get_config(), "cropping": self.cropping}


class Cropping2D(_Cropping):
    """Images without their margins. Source: tf.keras.layers.Cropping2D."""

    def __init__(self, cropping=((0, 0), (0, 0)), data_format=None, **kwargs):
        super().__init__(2, data_format, **kwargs)
        self.cropping = self._margins = _pairs(cropping, 2, "cropping")

    def get_config(self):
        own = {"cropping": self.cropping, "data_format": self.data_format}
        return {**super().get_config(), **own}


class Cropping3D(_Cropping):
    """Volumes without their margins. Source: tf.keras.layers.Cropping3D."""

    def __init__(self, cropping=((1, 1), (1, 1), (1, 1)), data_format=None, **kwargs):
        super().__init__(3, data_format, **kwargs)
        self.cropping = self._margins = _pairs(cropping, 3, "cropping")

    def get_config(self):
        own = {"cropping": self.cropping, "data_format": self.data_format}
        return {**super().get_config(), **own}


class UpSampling1D(_OfSpace):
    """Each step several times. Source: tf.keras.layers.UpSampling1D."""

    def __init__(self, size=2, **kwargs):
        super().__init__(1, "channels_last", **kwargs)
        self.size = int(size)

    def _extent(self, extent, i):
        return extent * self.size

    def call(self, inputs):
        return K.repeat_elements(inputs, self.size, axis=1)

    def get_config(self):
        return {**super().get_config(), "size": self.size}


class UpSampling2D(_OfSpace):
    """Larger images. interpolation: "nearest", "bilinear". Source: tf.keras.layers.UpSampling2D."""

    def __init__(self, size=(2, 2), data_format=None, interpolation="nearest", **kwargs):
        super().__init__(2, data_format, **kwargs)
        self.size = as_tuple(size, 2, "size")
        if interpolation not in ("nearest", "bilinear"):
            raise ValueError(
                '`interpolation` argument should be one of `"nearest"` or `"bilinear"`.'
            )
        self.interpolation = interpolation

    def _extent(self, extent, i):
        return extent * self.size[i]

    def call(self, inputs):
        outputs = K.resize_images(inputs, *self.size, self.data_format, self.interpolation)
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        return outputs

    def get_config(self):
        own = {"size": self.size, "data_format": self.data_format}
        return {**super().get_config(), **own, "interpolation": self.interpolation}


class UpSampling3D(_OfSpace):
    """Larger volumes. Source: tf.keras.layers.UpSampling3D."""

    def __init__(self, size=(2, 2, 2), data_format=None, **kwargs):
        super().__init__(3, data_format, **kwargs)
        self.size = as_tuple(size, 3, "size")

    def _extent(self, extent, i):
        return extent * self.size[i]

    def call(self, inputs):
        return K.resize_volumes(inputs, *self.size, self.data_format)

    def get_config(self):
        own = {"size": self.size, "data_format": self.data_format}
        return {**super().get_config(), **own}
