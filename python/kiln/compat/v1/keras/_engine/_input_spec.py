"""What a layer demands of its inputs."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras._engine._history import shape_of


class InputSpec:
    """The type, shape, rank and extents of axes of an input; what is None is free.

    Source: tf.keras.layers.InputSpec.
    """

    def __init__(self, dtype=None, shape=None, ndim=None, max_ndim=None, min_ndim=None, axes=None):
        self.dtype = tf.as_dtype(dtype).name if dtype is not None else None
        self.shape = shape
        self.ndim = len(shape) if shape is not None else ndim
        self.max_ndim, self.min_ndim = max_ndim, min_ndim
        self.axes = {int(axis): extent for axis, extent in (axes or {}).items()}

    def __repr__(self):
        names = ("dtype", "shape", "ndim", "max_ndim", "min_ndim", "axes")
        given = (f"{name}={getattr(self, name)}" for name in names if getattr(self, name))
        return f"InputSpec({', '.join(given)})"


def check_inputs(specs, inputs, layer_name):
    """Errors: ValueError for inputs that do not fit."""
    if not specs:
        return
    specs, inputs = tf.nest.flatten(specs), tf.nest.flatten(inputs)
    if len(inputs) != len(specs):
        raise ValueError(
            f"Layer {layer_name} expects {len(specs)} inputs, but it received {len(inputs)} input "
            f"tensors. Inputs received: {inputs}"
        )
    for i, (spec, tensor) in enumerate(zip(specs, inputs)):
        if spec is not None:
            _check(
                spec, tensor, f"Input {i} of layer {layer_name} is incompatible with the layer: "
            )


def _check(spec, tensor, start):
    shape = shape_of(tensor)
    if shape is None:
        if spec.ndim is None and spec.max_ndim is None and spec.min_ndim is None:
            return
        raise ValueError(f"{start}its rank is undefined, but the layer requires a defined rank.")
    rank = len(shape)
    if spec.ndim is not None and rank != spec.ndim:
        raise ValueError(
            f"{start}expected ndim={spec.ndim}, found ndim={rank}. "
            f"Full shape received: {list(shape)}"
        )
    if spec.max_ndim is not None and rank > spec.max_ndim:
        raise ValueError(f"{start}expected max_ndim={spec.max_ndim}, found ndim={rank}")
    if spec.min_ndim is not None and rank < spec.min_ndim:
        raise ValueError(
            f"{start}: expected min_ndim={spec.min_ndim}, found ndim={rank}. "
            f"Full shape received: {list(shape)}"
        )
    if spec.dtype is not None and tensor.dtype.base_dtype.name != spec.dtype:
        raise ValueError(
            f"{start}expected dtype={spec.dtype}, found dtype={tensor.dtype.base_dtype.name}"
        )
    for axis, extent in spec.axes.items():
        extent = getattr(extent, "value", extent)
        if extent is not None and shape[int(axis)] not in {extent, None}:
            raise ValueError(
                f"{start}expected axis {axis} of input shape to have value {extent} but received "
                f"input with shape {list(shape)}"
            )
    for wanted, found in zip(spec.shape or (), shape):
        wanted = getattr(wanted, "value", wanted)
        if wanted is not None and found is not None and wanted != found:
            raise ValueError(f"{start}expected shape={spec.shape}, found shape={list(shape)}")
