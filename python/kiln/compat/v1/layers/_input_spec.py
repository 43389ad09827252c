"""What layers demand of their inputs."""

from kiln.compat.v1 import dtypes
from kiln.compat.v1.shapes import TensorShape


class InputSpec:
    """What a layer demands of an input; None is free. axes: extents by axis. Source: tf.layers.InputSpec."""

    def __init__(self, dtype=None, shape=None, ndim=None, max_ndim=None, min_ndim=None, axes=None):
        self.dtype = None if dtype is None else dtypes.as_dtype(dtype).name
        self.shape = None if shape is None else tuple(TensorShape(shape).as_list())
        self.ndim = ndim if shape is None else len(self.shape)
        self.max_ndim, self.min_ndim = max_ndim, min_ndim
        try:
            self.axes = {int(axis): extent for axis, extent in (axes or {}).items()}
        except (ValueError, TypeError, AttributeError):
            raise TypeError("The keys in axes must be integers.") from None
        last = self.ndim if self.ndim is not None else self.max_ndim
        if self.axes and last is not None and max(self.axes) > last - 1:
            raise ValueError(f"Axis {max(self.axes)} is greater than the maximum allowed value: {last - 1}")

    def __repr__(self):
        parts = ("dtype", "shape", "ndim", "max_ndim", "min_ndim", "axes")
        given = (f"{part}={getattr(self, part)}" for part in parts if getattr(self, part))
        return f"InputSpec({', '.join(given)})"
