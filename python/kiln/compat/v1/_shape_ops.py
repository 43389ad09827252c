"""Shapes of tensors, and the same elements in another: tf.shape, tf.reshape, tf.transpose."""

from kiln._generated import raw_ops as _raw
from kiln._generated.raw_ops import broadcast_to, reshape
from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._deprecations import renamed
from kiln.compat.v1._graph_functions import name_scope
from kiln.compat.v1._sparse import SparseTensor, SparseTensorValue
from kiln.compat.v1.shapes import TensorShape

__all__ = [
    "broadcast_dynamic_shape", "broadcast_static_shape", "broadcast_to", "ensure_shape",
    "expand_dims", "rank", "reshape", "shape", "shape_n", "size", "squeeze", "transpose",
]  # fmt: skip

_SPARSE = (SparseTensor, SparseTensorValue)


def shape(input, name=None, out_type=dtypes.int32):
    """The extents as a vector, a Const where all of them are known. Source: tf.shape."""
    if isinstance(input, _SPARSE):
        with name_scope(name, "Shape"):
            return _raw.cast(input.dense_shape, out_type or dtypes.int32)
    return _c.shape(input, out_type, None, name)


def shape_n(input, out_type=dtypes.int32, name=None):
    """The extents of each tensor of a list, a vector each. Source: tf.shape_n."""
    return _raw.shape_n(input, out_type, name)


def size(input, name=None, out_type=dtypes.int32):
    """The number of elements, a Const where it is known. Source: tf.size."""
    if isinstance(input, _SPARSE):
        with name_scope(name, "Size") as scope:
            return _raw.prod(_raw.cast(input.dense_shape, out_type), 0, name=scope)
    return _c.size(input, out_type, None, name)


def rank(input, name=None):
    """The number of dimensions, a Const where it is known. Source: tf.rank."""
    if isinstance(input, _SPARSE):
        with name_scope(name, "Rank") as scope:
            return _raw.size(input.dense_shape, name=scope)
    return _c.rank(input, None, None, name)


def ensure_shape(x, shape, name=None):
    """The tensor, whose shape is checked in the run and taken for known. Source: tf.ensure_shape."""
    return _raw.ensure_shape(x, TensorShape(shape), name)


def expand_dims(input, axis=None, name=None, dim=None):
    """The tensor with a dimension of 1 more, at an axis. dim: the older name of axis.

    Errors: ValueError without an axis. Source: tf.expand_dims.
    """
    if dim is not None:
        axis = renamed("ops.array_ops.expand_dims", "axis", axis, "dim", dim, "Use the `axis` argument instead")
    if axis is None:
        raise ValueError("Must specify an axis argument to tf.expand_dims()")
    return _c.expand_dims(input, axis, name)


def squeeze(input, axis=None, name=None, squeeze_dims=None):
    """The tensor without dimensions of 1: those of an axis or a list of them, or all.

    squeeze_dims: the older name of axis. Source: tf.squeeze.
    """
    if squeeze_dims is not None:
        axis = renamed(
            "ops.array_ops.squeeze", "axis", axis, "squeeze_dims", squeeze_dims, "Use the `axis` argument instead"
        )
    return _c.squeeze(input, axis, name)


def transpose(a, perm=None, name="transpose", conjugate=False):
    """The tensor with its axes in the order of perm, by default reversed.

    conjugate: of complex numbers, too. Source: tf.transpose.
    """
    if conjugate and getattr(a, "dtype", dtypes.float32) in (dtypes.complex64, dtypes.complex128):
        with name_scope(name, "transpose") as scope:
            if perm is None:
                perm = range(a.shape.ndims)[::-1]
            return _raw.conjugate_transpose(a, list(perm), name=scope)
    return _c.transpose(a, perm, name)


def broadcast_static_shape(shape_x, shape_y):
    """The TensorShape of what two shapes are broadcast to. Errors: ValueError.

    Source: tf.broadcast_static_shape.
    """
    shape_x, shape_y = TensorShape(shape_x), TensorShape(shape_y)
    if shape_x.ndims is None or shape_y.ndims is None:
        return TensorShape(None)
    return TensorShape(_broadcast(shape_x.as_list(), shape_y.as_list(), (shape_x, shape_y)))


def _broadcast(xs, ys, shapes):
    rank = max(len(xs), len(ys))
    extents = []
    for x, y in zip([1] * (rank - len(xs)) + xs, [1] * (rank - len(ys)) + ys):
        if x == 1 or y == 1:
            extents.append(y if x == 1 else x)
        elif x is None or y is None:
            extents.append(y if x is None else x)
        elif x == y:
            extents.append(x)
        else:
            raise ValueError(
                f"Incompatible shapes for broadcasting. Two shapes are compatible if for each dimension pair "
                f"they are either equal or one of them is 1. Received: {shapes[0]} and {shapes[1]}."
            )
    return extents


def broadcast_dynamic_shape(shape_x, shape_y):
    """The same of shapes that are vectors. Source: tf.broadcast_dynamic_shape."""
    return _raw.broadcast_args(shape_x, shape_y)
