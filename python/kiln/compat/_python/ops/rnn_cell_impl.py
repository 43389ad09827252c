"""Helpers of cells that programs take from TensorFlow's private modules."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.rnn._linear import Linear as _Linear, linear as _linear
from kiln.compat.v1.nn.rnn_cell._base import assert_like_rnncell

__all__ = ["_Linear", "_concat", "_like_rnncell", "_linear", "assert_like_rnncell"]

_BIAS_VARIABLE_NAME = "bias"
_WEIGHTS_VARIABLE_NAME = "kernel"


def _like_rnncell(cell):
    """Whether an object has what networks ask of cells."""
    asked = ["output_size", "state_size", "zero_state"]
    return callable(cell) and all(hasattr(cell, name) for name in asked)


def _concat(prefix, suffix, static=False):
    """The extents of one shape and then those of another, as a tensor.

    prefix, suffix: ints, shapes or tensors of extents. static: gives a list instead, with None for
    extents that are not known, or None. Errors: ValueError for tensors of a higher rank, and for
    extents that are not known where a tensor is asked for.
    """
    if static:
        shape = _static_shape(prefix).concatenate(_static_shape(suffix))
        return shape.as_list() if shape.ndims is not None else None
    parts = [_vector("prefix", prefix), _vector("suffix", suffix)]
    if None in parts:
        raise ValueError(f"Provided a prefix or suffix of None: {prefix} and {suffix}")
    return tf.concat(parts, 0)


def _static_shape(part):
    if not isinstance(part, tf.Tensor):
        return _as_shape(part)
    value = tf.get_static_value(part)
    return tf.TensorShape(value if value is None or value.ndim else int(value))


def _vector(name, part):
    if isinstance(part, tf.Tensor):
        if part.shape.ndims == 0:
            return tf.expand_dims(part, 0)
        if part.shape.ndims != 1:
            raise ValueError(
                f"{name} tensor must be either a scalar or vector, but saw tensor: {part}"
            )
        return part
    shape = _as_shape(part)
    return tf.constant(shape.as_list(), tf.int32) if shape.is_fully_defined() else None


def _as_shape(part):
    return part if isinstance(part, tf.TensorShape) else tf.TensorShape(part)
