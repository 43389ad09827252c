"""Makers of shapes."""

from kiln.compat import v1 as tf


def unknown_shape(rank=None, **kwargs):
    """A shape of which at most the rank is known."""
    rank = kwargs.pop("ndims", rank)
    if kwargs:
        raise TypeError(f"Unknown argument: {kwargs}")
    return tf.TensorShape(None if rank is None else [None] * rank)


def as_shape(shape):
    """Returns a TensorShape for what can be one."""
    return shape if isinstance(shape, tf.TensorShape) else tf.TensorShape(shape)


def as_dimension(value):
    """Returns a Dimension for what can be one."""
    return value if isinstance(value, tf.Dimension) else tf.Dimension(value)


def dimension_value(dimension):
    """The extent of a Dimension, which may be None; a number is its own."""
    return dimension.value if isinstance(dimension, tf.Dimension) else dimension


def scalar():
    """The shape of a scalar."""
    return tf.TensorShape([])


def vector(length):
    """The shape of a vector."""
    return tf.TensorShape([length])


def matrix(rows, cols):
    """The shape of a matrix."""
    return tf.TensorShape([rows, cols])
