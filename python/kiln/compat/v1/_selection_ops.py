"""Elements chosen, found, scattered and put in order: tf.where, tf.boolean_mask, tf.unique, tf.sort."""

from kiln._generated import raw_ops as _raw
from kiln._generated.raw_ops import dynamic_partition, dynamic_stitch, unravel_index
from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._deprecations import deprecated
from kiln.compat.v1._graph_functions import name_scope
from kiln.compat.v1._sparse import IndexedSlices, SparseTensor, SparseTensorValue

__all__ = [
    "argsort", "boolean_mask", "dynamic_partition", "dynamic_stitch", "edit_distance", "lin_space",
    "linspace", "listdiff", "meshgrid", "repeat", "scatter_nd", "searchsorted", "sequence_mask",
    "setdiff1d", "sort", "sparse_mask", "tensor_scatter_add", "tensor_scatter_nd_add",
    "tensor_scatter_nd_sub", "tensor_scatter_nd_update", "tensor_scatter_sub",
    "tensor_scatter_update", "unique", "unique_with_counts", "unravel_index", "where", "where_v2",
]  # fmt: skip


def where(condition, x=None, y=None, name=None):
    """The indices of what is true; with x and y, their elements or rows where it is and is not.

    Errors: ValueError for only one of x and y. Source: tf.where.
    """
    if (x is None) != (y is None):
        raise ValueError("x and y must both be non-None or both be None.")
    return _c.where(condition, x, y, name)


def where_v2(condition, x=None, y=None, name=None):
    """As where(), with broadcasting of all three. Source: tf.where_v2."""
    if (x is None) != (y is None):
        raise ValueError("x and y must both be non-None or both be None.")
    if x is None:
        return _c.where(condition, None, None, name)
    return _raw.select_v2(condition, x, y, name)


def boolean_mask(tensor, mask, name="boolean_mask", axis=None):
    """The elements, or slices, where a mask holds. Shapes: mask: tensor[axis:axis + K].

    Errors: ValueError for a mask of unknown rank or rank 0, and shapes that do not fit.
    Source: tf.boolean_mask.
    """
    return _c.boolean_mask(tensor, mask, axis, name)


def unique(x, out_idx=dtypes.int32, name=None):
    """(y, idx): the distinct elements of a vector, and where each element is among them.

    Source: tf.unique.
    """
    return _raw.unique(x, out_idx, name)


def unique_with_counts(x, out_idx=dtypes.int32, name=None):
    """(y, idx, count): as unique(), and how often each one is there. Source: tf.unique_with_counts."""
    return _raw.unique_with_counts(x, out_idx, name)


def setdiff1d(x, y, index_dtype=dtypes.int32, name=None):
    """(out, idx): what is in x and not in y, and where. Source: tf.setdiff1d."""
    deprecated(
        "ops.array_ops.setdiff1d",
        "This op will be removed after the deprecation date. Please switch to tf.sets.difference().",
        "2018-11-30",
    )
    return _raw.list_diff(x, y, index_dtype, name)


def listdiff(x, y, out_idx=None, name=None):
    """The older name of setdiff1d(). Source: tf.listdiff of TensorFlow 0.x."""
    deprecated(
        "ops.array_ops.listdiff",
        "This op will be removed after the deprecation date. Please switch to tf.setdiff1d().",
        "2016-11-30",
    )
    return _raw.list_diff(x, y, out_idx, name)


def sequence_mask(lengths, maxlen=None, dtype=dtypes.bool, name=None):
    """True before the end of each length, along a new last axis of extent maxlen.

    maxlen: the largest length by default. Errors: ValueError for one that is no
    scalar. Source: tf.sequence_mask.
    """
    return _c.sequence_mask(lengths, maxlen, dtype, name)


def sort(values, axis=-1, direction="ASCENDING", name=None):
    """The elements in order along an axis. direction: or "DESCENDING". Source: tf.sort."""
    return _c.sort(values, axis, direction, name)


def argsort(values, axis=-1, direction="ASCENDING", stable=False, name=None):
    """The indices that sort along an axis. Source: tf.argsort."""
    return _c.argsort(values, axis, direction, stable, name)


def searchsorted(sorted_sequence, values, side="left", out_type=dtypes.int32, name=None):
    """Where each value would stand in its sorted row. side: before equal ones, or behind: "right".

    Source: tf.searchsorted.
    """
    return _c.searchsorted(sorted_sequence, values, side, out_type, name)


def repeat(input, repeats, axis=None, name=None):
    """Each element along an axis as often as is said; without an axis of all as a vector.

    Source: tf.repeat.
    """
    return _c.repeat(input, repeats, axis, name)


def linspace(start, stop, num, name=None):
    """As many numbers from start to stop at equal distances. Source: tf.linspace."""
    return _c.linspace(start, stop, num, name)


lin_space = linspace


def meshgrid(*args, **kwargs):
    """Each vector along an axis of its own, over the extents of all.

    meshgrid(*vectors, indexing="xy", name="meshgrid"). Errors: TypeError for other
    keywords, ValueError for an indexing that is neither "xy" nor "ij". Source:
    tf.meshgrid.
    """
    indexing = kwargs.pop("indexing", "xy")
    name = kwargs.pop("name", "meshgrid")
    if kwargs:
        key = next(iter(kwargs))
        raise TypeError(f"'{key}' is an invalid keyword argument for this function")
    if indexing not in ("xy", "ij"):
        raise ValueError("Argument `indexing` parameter must be either 'xy' or 'ij'," f" got '{indexing}'")
    return _c.meshgrid(args, indexing, name)


def scatter_nd(indices, updates, shape, name=None):
    """Updates at their indices in a tensor of zeros; those of one place are added.

    Source: tf.scatter_nd.
    """
    return _raw.scatter_nd(indices, updates, shape, name=name)


def tensor_scatter_nd_update(tensor, indices, updates, name=None):
    """The tensor with other elements at indices. Source: tf.tensor_scatter_nd_update."""
    return _raw.tensor_scatter_update(tensor, indices, updates, name=name)


def tensor_scatter_nd_add(tensor, indices, updates, name=None):
    """The tensor with something added at indices. Source: tf.tensor_scatter_nd_add."""
    return _raw.tensor_scatter_add(tensor, indices, updates, name=name)


def tensor_scatter_nd_sub(tensor, indices, updates, name=None):
    """The tensor with something subtracted at indices. Source: tf.tensor_scatter_nd_sub."""
    return _raw.tensor_scatter_sub(tensor, indices, updates, name=name)


tensor_scatter_update = tensor_scatter_nd_update
tensor_scatter_add = tensor_scatter_nd_add
tensor_scatter_sub = tensor_scatter_nd_sub


def edit_distance(hypothesis, truth, normalize=True, name="edit_distance"):
    """The Levenshtein distances of sequences, SparseTensors whose last axis is along them.

    normalize: by the length of the truth. Errors: TypeError for others. Source:
    tf.edit_distance.
    """
    sparse = (SparseTensor, SparseTensorValue)
    if not isinstance(hypothesis, sparse):
        raise TypeError("Hypothesis must be a SparseTensor.")
    if not isinstance(truth, sparse):
        raise TypeError("Truth must be a SparseTensor.")
    return _raw.edit_distance(
        hypothesis.indices, hypothesis.values, hypothesis.dense_shape,
        truth.indices, truth.values, truth.dense_shape, normalize, name,
    )  # fmt: skip


def sparse_mask(a, mask_indices, name=None):
    """IndexedSlices without the rows of these indices. Source: tf.sparse_mask."""
    with name_scope(name, "sparse_mask", [a.values, mask_indices]) as scope:
        out_indices, to_gather = _raw.list_diff(a.indices, mask_indices)
        out_values = _c.gather(a.values, to_gather, None, None, scope)
        return IndexedSlices(out_values, out_indices, a.dense_shape)
