"""Tensors from values, and those that a run is fed: tf.constant, tf.placeholder, tf.zeros."""

import numpy as np

from kiln._generated import raw_ops as _raw
from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._constant_value import constant_value_as_shape
from kiln.compat.v1._elements import Tensor
from kiln.compat.v1._sparse import SparseTensor
from kiln.compat.v1.shapes import TensorShape

__all__ = [
    "constant", "fill", "guarantee_const", "ones", "ones_like", "placeholder",
    "placeholder_with_default", "sparse_placeholder", "zeros", "zeros_like",
]  # fmt: skip


def constant(value, dtype=None, shape=None, name="Const", verify_shape=False):
    """A Const of a value: a number, a text, a list of them, an array.

    shape: of the result; a value of fewer elements is filled up with its last one.
    verify_shape: that the value has this shape already. Errors: TypeError where the
    value has another dtype or holds tensors, ValueError for more elements than the
    shape has. Source: tf.constant.
    """
    if isinstance(value, range):
        value = list(value) or np.zeros([0], np.int32)
    if shape is not None:
        if verify_shape:
            _verify_shape(value, dtype, shape)
        if dtype is None and 0 in TensorShape(shape).as_list():
            dtype = dtypes.float32 if isinstance(value, (bool, int, list)) else None
    if dtype is not None and dtypes.as_dtype(dtype).is_quantized and not isinstance(value, (Tensor, _c.Variable)):
        value = np.asarray(value)
        if value.dtype.fields is None:
            value = value.astype(dtypes.as_dtype(dtype).as_numpy_dtype)
    return _c.constant(value, dtype, shape, name)


def _verify_shape(value, dtype, shape):
    kind = None if dtype is None else dtypes.as_dtype(dtype).as_numpy_dtype
    given, wanted = np.array(value, dtype=kind).shape, tuple(TensorShape(shape).as_list())
    if given != wanted:
        raise TypeError(f"Expected Tensor's shape: {wanted}, but got {given}.")


def placeholder(dtype, shape=None, name=None):
    """A tensor that every run must be fed. shape: what is known of it. Source: tf.placeholder."""
    return _c.placeholder(dtype, TensorShape(shape), name)


def placeholder_with_default(input, shape, name=None):
    """The input, unless a run is fed something else of a shape that fits. Source: tf.placeholder_with_default."""
    return _raw.placeholder_with_default(input, shape, name)


def sparse_placeholder(dtype, shape=None, name=None):
    """A SparseTensor that every run must be fed, as a SparseTensorValue or (indices, values, shape).

    shape: of the dense tensor: a list that may have None, or a tensor. Source:
    tf.sparse_placeholder.
    """

    def part(kind):
        return None if name is None else f"{name}/{kind}"

    if shape is None:
        rank, known, dense_shape = None, None, placeholder(dtypes.int64, [None], part("shape"))
    else:
        if isinstance(shape, _c.Tensor):
            rank, known = shape.shape[0], constant_value_as_shape(shape)
        else:
            extents = [-1 if extent is None else int(extent) for extent in _extents(shape)]
            rank, known = len(extents), [None if extent == -1 else extent for extent in extents]
            shape = constant(extents, dtypes.int64, name=part("shape_default") or "Const")
        dense_shape = placeholder_with_default(shape, shape.shape, part("shape"))
    values = placeholder(dtype, [None], part("values"))
    result = SparseTensor(placeholder(dtypes.int64, [None, rank], part("indices")), values, dense_shape)
    if known is not None:
        result.set_shape(known)
    return result


def _extents(shape):
    return TensorShape(shape).as_list() if isinstance(shape, TensorShape) else list(shape)


def zeros(shape, dtype=dtypes.float32, name=None):
    """A tensor of zeros; of strings, empty ones; of bools, False. Source: tf.zeros."""
    return _c.zeros(shape, dtype, name)


def ones(shape, dtype=dtypes.float32, name=None):
    """A tensor of ones; of bools, True. Source: tf.ones."""
    return _c.ones(shape, dtype, name)


def zeros_like(tensor, dtype=None, name=None, optimize=True):
    """Zeros in the shape of a tensor. optimize: a Const where the shape is known. Source: tf.zeros_like."""
    return _c.zeros_like(tensor, dtype, optimize, name)


def ones_like(tensor, dtype=None, name=None, optimize=True):
    """Ones in the shape of a tensor. optimize: a Const where the shape is known. Source: tf.ones_like."""
    return _c.ones_like(tensor, dtype, optimize, name)


def fill(dims, value, name=None):
    """A tensor of this shape, all elements of which are the value. Source: tf.fill."""
    return _c.fill(dims, value, name)


def guarantee_const(input, name=None):
    """The input, which never changes while a session lives. Source: tf.guarantee_const."""
    from kiln.compat.v1._deprecations import deprecated

    deprecated("ops.array_ops.guarantee_const", "Not for public use.")
    return _raw.guarantee_const(input, name)
