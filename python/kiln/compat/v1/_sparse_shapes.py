"""SparseTensors of other shapes, and what becomes one: tf.sparse_reshape, tf.sparse_retain."""

from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._deprecations import deprecated
from kiln.compat.v1._sparse import SparseTensor, SparseTensorValue
from kiln.compat.v1._sparse_ops import _sparse

__all__ = [
    "sparse_merge", "sparse_reset_shape", "sparse_reshape", "sparse_retain", "sparse_to_indicator",
    "sparse_transpose",
]  # fmt: skip


def sparse_reshape(sp_input, shape, name=None):
    """The elements in another shape, in row-major order. shape: one extent may be -1.

    Errors: ValueError for another number of elements. Source: tf.sparse_reshape.
    """
    return _c.sparse_reshape(_sparse(sp_input), shape, name)


def sparse_transpose(sp_input, perm=None, name=None):
    """The axes in another order, by default the reverse one. Source: tf.sparse_transpose."""
    return _c.sparse_transpose(_sparse(sp_input), perm, name)


def sparse_expand_dims(sp_input, axis=None, name=None):
    """With an axis of extent 1 more, by default the last one. Source: tf.sparse.expand_dims."""
    return _c.sparse_expand_dims(_sparse(sp_input), axis, name)


def sparse_retain(sp_input, to_retain):
    """The elements for which a vector of bools is true. Source: tf.sparse_retain."""
    return _c.sparse_retain(_sparse(sp_input), to_retain)


def sparse_reset_shape(sp_input, new_shape=None):
    """The same elements in the smallest shape that holds them, or in new_shape.

    Errors: ValueError for another rank, InvalidArgumentError of the run for a shape that is
    too small. Source: tf.sparse_reset_shape.
    """
    return _c.sparse_reset_shape(_sparse(sp_input), new_shape)


def sparse_to_indicator(sp_input, vocab_size, name=None):
    """True where an id is among the values of a row, [..., vocab_size]. Source: tf.sparse_to_indicator."""
    return _c.sparse_to_indicator(_sparse(sp_input), vocab_size, name)


def sparse_merge(sp_ids, sp_values, vocab_size, name=None, already_sorted=False):
    """The values at the places that ids tell of: a list of ids for each last axis.

    vocab_size: its extent, or a list of them. already_sorted: whether the ids rise. Errors:
    TypeError, ValueError. Source: tf.sparse_merge.
    """
    deprecated("ops.sparse_ops.sparse_merge", "No similar op available at this time.")
    if isinstance(sp_ids, (SparseTensor, SparseTensorValue)):
        sp_ids = [sp_ids]
        if isinstance(vocab_size, (list, tuple)):
            raise TypeError(f"vocab_size has to be a Tensor or Python int. Found {type(vocab_size)}")
        vocab_size = [vocab_size]
    elif not isinstance(sp_ids, (list, tuple)):
        raise TypeError(f"sp_ids has to be a SparseTensor or list thereof. Found {type(sp_ids)}")
    if not isinstance(vocab_size, (list, tuple)):
        raise TypeError(f"vocab_size has to be a list of Tensors or Python ints. Found {type(vocab_size)}")
    return _c.sparse_merge(
        [_sparse(each) for each in sp_ids], _sparse(sp_values), list(vocab_size), name, already_sorted
    )


def sparse_eye(num_rows, num_columns=None, dtype=dtypes.float32, name=None):
    """A SparseTensor with ones on the diagonal. Source: tf.sparse.eye."""
    return _c.sparse_eye(num_rows, num_columns, dtype, name)


def from_dense(tensor, name=None):
    """The elements of a tensor that are not zero. Source: tf.sparse.from_dense."""
    return _c.sparse_from_dense(tensor, name)
