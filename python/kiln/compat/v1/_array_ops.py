"""Tensors joined, cut and rearranged: tf.concat, tf.split, tf.stack, tf.gather, tf.slice, tf.pad."""

from kiln._generated import raw_ops as _raw
from kiln._generated.raw_ops import batch_to_space_nd, identity_n, invert_permutation
from kiln._generated.raw_ops import space_to_batch_nd, stop_gradient, tile
from kiln._generated.raw_ops import reverse_v2 as reverse
from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1._deprecations import deprecated, deprecated_argument, renamed
from kiln.compat.v1._graph_functions import name_scope
from kiln.compat.v1._sparse import IndexedSlices, SparseTensor
from kiln.compat.v1.shapes import Dimension, TensorShape

__all__ = [
    "batch_gather", "batch_to_space", "batch_to_space_nd", "concat", "depth_to_space",
    "fingerprint", "gather", "gather_nd", "identity", "identity_n", "invert_permutation",
    "newaxis", "one_hot", "pad", "parallel_stack", "reverse",
    "reverse_sequence", "reverse_v2", "roll", "slice", "space_to_batch", "space_to_batch_nd",
    "space_to_depth", "split", "stack", "stop_gradient", "strided_slice", "tile", "unstack",
]  # fmt: skip

newaxis = None
reverse_v2 = reverse


def identity(input, name=None):
    """The same value as a tensor of its own. Source: tf.identity."""
    if isinstance(input, SparseTensor):
        return SparseTensor(
            *(_raw.identity(part, name) for part in (input.indices, input.values, input.dense_shape))
        )
    return _raw.identity(input, name)


def fingerprint(data, method="farmhash64", name=None):
    """Eight bytes for each row, by which equal rows are found. Source: tf.fingerprint."""
    return _raw.fingerprint(data, method, name)


def concat(values, axis, name="concat"):
    """Tensors behind one another along an axis. Shapes: equal but for that one.

    Source: tf.concat. The order of TensorFlow 0.x, concat(axis, values), is an error.
    """
    if not isinstance(values, (list, tuple)):
        values = [values]
    return _c.concat(values, axis, name)


def stack(values, axis=0, name="stack"):
    """Tensors of one shape along a new axis. Source: tf.stack."""
    return _c.stack(values, axis, name)


def parallel_stack(values, name="parallel_stack"):
    """As stack() along a first axis; shapes must be known. Source: tf.parallel_stack."""
    with name_scope(name):
        first = convert_to_tensor(values[0])
        shape = TensorShape([len(values)]).concatenate(first.shape)
        return _raw.parallel_concat([_c.expand_dims(value, 0) for value in values], shape)


def unstack(value, num=None, axis=0, name="unstack"):
    """A list of the tensors along an axis. num: how many, where the extent is not known.

    Errors: ValueError where neither is known, or the axis is out of range. Source: tf.unstack.
    """
    return _c.unstack(value, axis, num, name)


def split(value, num_or_size_splits, axis=0, num=None, name="split"):
    """A list of parts along an axis: as many equal ones, or of these sizes.

    num: how many sizes there are, where the graph does not tell. Errors: ValueError.
    Source: tf.split. The order of TensorFlow 0.x, split(axis, num, value), is an error.
    """
    if isinstance(num_or_size_splits, Dimension):
        num_or_size_splits = num_or_size_splits.value
    if hasattr(num_or_size_splits, "__index__") and getattr(num_or_size_splits, "ndim", 0) == 0:
        return _c.split(value, num_or_size_splits, axis, name)
    sizes = convert_to_tensor(num_or_size_splits)
    if sizes.shape.ndims == 0:
        raise ValueError(
            "Rank-0 tensors are not supported as the num_or_size_splits argument to split. "
            f"Argument provided: {num_or_size_splits}"
        )
    if num is None:
        num = sizes.shape[0].value if sizes.shape.ndims else None
        if num is None:
            raise ValueError(f"Cannot infer argument `num` from shape {num_or_size_splits}")
    return _raw.split_v(value, sizes, axis, num, name)


def gather(params, indices, validate_indices=None, name=None, axis=None, batch_dims=0):
    """The slices of params at these indices of an axis, by default the first behind batch_dims.

    Shapes: params[:axis] + indices[batch_dims:] + params[axis + 1:]. Source: tf.gather.
    """
    if validate_indices is not None:
        deprecated_argument(
            "ops.array_ops.gather",
            "validate_indices",
            "The `validate_indices` argument has no effect. Indices are always validated on CPU and never "
            "validated on GPU.",
        )
    return _c.gather(params, indices, batch_dims if axis is None else axis, batch_dims, name)


def batch_gather(params, indices, name=None):
    """gather() in each batch: all axes of indices but the last. Source: tf.batch_gather."""
    deprecated(
        "ops.array_ops.batch_gather",
        "`tf.batch_gather` is deprecated, please use `tf.gather` with `batch_dims=tf.rank(indices) - 1` instead.",
        "2017-10-25",
    )
    with name_scope(name, "BatchGather", [params, indices]):
        indices = convert_to_tensor(indices, name="indices")
        params = convert_to_tensor(params, name="params")
        if indices.shape.ndims is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        dims = indices.shape.ndims - 1
        return _raw.gather_v2(params, indices, dims, dims)


def gather_nd(params, indices, name=None, batch_dims=0):
    """The slices of params at indices, whose last axis are the coordinates. Source: tf.gather_nd."""
    return _c.gather_nd(params, indices, batch_dims, name)


def slice(input_, begin, size, name=None):
    """The part of a tensor from begin on; a size of -1 means all that remain. Source: tf.slice."""
    return _raw.slice(input_, begin, size, name)


def strided_slice(
    input_,
    begin,
    end,
    strides=None,
    begin_mask=0,
    end_mask=0,
    ellipsis_mask=0,
    new_axis_mask=0,
    shrink_axis_mask=0,
    var=None,
    name=None,
):
    """The part of a tensor from begin to end in strides, as Python's slices.

    The masks have a bit for each position: whose begin or end does not count, that
    is an ellipsis, a new axis, or one that vanishes. var: the variable that it is a
    part of. Source: tf.strided_slice.
    """
    if strides is None:
        strides = _c.ones_like(begin)
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    result = _raw.strided_slice(input_, begin, end, strides, *masks, name)
    if var is not None:
        from kiln.compat.v1._state_ops import slice_assignment

        result.assign = slice_assignment(var, begin, end, strides, masks, name)
    return result


def one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None):
    """on_value where an index is, off_value elsewhere, along a new axis of extent depth.

    axis: the last one, by default; the values: 1 and 0. Errors: TypeError where the
    dtypes of the values differ. Source: tf.one_hot.
    """
    return _c.one_hot(indices, depth, on_value, off_value, axis, dtype, name)


def pad(tensor, paddings, mode="CONSTANT", name=None, constant_values=0):
    """The tensor with elements before and behind it along each axis.

    Shapes: paddings: [rank, 2]. mode: "CONSTANT", "REFLECT", "SYMMETRIC", in any case.
    Errors: ValueError for another mode. Source: tf.pad.
    """
    if isinstance(constant_values, (int, float)) and constant_values == 0:
        constant_values = None
    return _c.pad(tensor, paddings, mode.upper(), constant_values, name)


def roll(input, shift, axis, name=None):
    """The elements moved along axes; what leaves one end comes in at the other. Source: tf.roll."""
    return _raw.roll(input, shift, axis, name)


def reverse_sequence(
    input, seq_lengths, seq_axis=None, batch_axis=None, name=None, seq_dim=None, batch_dim=None
):
    """The first seq_lengths[i] elements of batch i in reverse order. Source: tf.reverse_sequence."""
    function = "ops.array_ops.reverse_sequence"
    seq_axis = renamed(
        function, "seq_axis", seq_axis, "seq_dim", seq_dim, "seq_dim is deprecated, use seq_axis instead"
    )
    batch_axis = renamed(
        function, "batch_axis", batch_axis, "batch_dim", batch_dim,
        "batch_dim is deprecated, use batch_axis instead",
    )  # fmt: skip
    return _raw.reverse_sequence(input, seq_lengths, seq_axis, batch_axis, name)


def space_to_batch(input, paddings, block_size=None, name=None, block_shape=None):
    """Blocks of an image as images of their own. Source: tf.space_to_batch."""
    block_size = renamed(None, "block_shape", block_shape, "block_size", block_size)
    return _with_rank_4(space_to_batch_nd(input, _square(block_size), paddings, name))


def batch_to_space(input, crops, block_size, name=None, block_shape=None):
    """The reverse of space_to_batch(). Source: tf.batch_to_space."""
    block_size = renamed(None, "block_shape", block_shape, "block_size", block_size)
    return _with_rank_4(batch_to_space_nd(input, _square(block_size), crops, name))


def _square(block_size):
    import numpy as np

    return np.array([block_size, block_size], dtype=np.int64)


def _with_rank_4(result):
    result.set_shape(result.shape.with_rank(4))
    return result


def space_to_depth(input, block_size, name=None, data_format="NHWC"):
    """Blocks of an image as channels. Source: tf.space_to_depth."""
    return _raw.space_to_depth(input, block_size, data_format, name)


def depth_to_space(input, block_size, name=None, data_format="NHWC"):
    """The reverse of space_to_depth(). Source: tf.depth_to_space."""
    return _raw.depth_to_space(input, block_size, data_format, name)
