"""Sets: the last axis of tensors. tf.sets."""

from kiln._generated import raw_ops as _raw
from kiln.compat.v1 import dtypes
from kiln.compat.v1._convert import convert_to_tensor_or_sparse_tensor
from kiln.compat.v1._sparse import SparseTensor

__all__ = []

_DTYPES = frozenset(
    [dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.uint8, dtypes.uint16, dtypes.string]
)


def _parts(value):
    return value.indices, value.values, value.dense_shape


def set_size(a, validate_indices=True):
    """The number of distinct elements of each set of a SparseTensor. Source: tf.sets.size."""
    a = convert_to_tensor_or_sparse_tensor(a, name="a")
    if not isinstance(a, SparseTensor):
        raise TypeError(f"Expected `SparseTensor`, got {a}.")
    if a.values.dtype.base_dtype not in _DTYPES:
        raise TypeError(f"Invalid dtype `{a.values.dtype}` not in supported dtypes: `{_DTYPES}`.")
    return _raw.set_size(*_parts(a), validate_indices)


def _operation(a, b, kinds, validate_indices):
    """kinds: of a and b, and of b and a."""
    a = convert_to_tensor_or_sparse_tensor(a, name="a")
    if a.dtype.base_dtype not in _DTYPES:
        raise TypeError(f"'a' has invalid dtype `{a.dtype}` not in supported dtypes: `{_DTYPES}`.")
    b = convert_to_tensor_or_sparse_tensor(b, name="b")
    if b.dtype.base_dtype != a.dtype.base_dtype:
        raise TypeError(f"Types don't match, {a.dtype} vs {b.dtype}.")
    kind = kinds[0]
    if isinstance(a, SparseTensor) and not isinstance(b, SparseTensor):
        a, b, kind = b, a, kinds[1]
    if isinstance(a, SparseTensor):
        parts = _raw.sparse_to_sparse_set_operation(*_parts(a), *_parts(b), kind, validate_indices)
    elif isinstance(b, SparseTensor):
        parts = _raw.dense_to_sparse_set_operation(a, *_parts(b), kind, validate_indices)
    else:
        parts = _raw.dense_to_dense_set_operation(a, b, kind, validate_indices)
    return SparseTensor(*parts)


def set_intersection(a, b, validate_indices=True):
    """What is in both, a SparseTensor. a, b: tensors or SparseTensors. Source: tf.sets.intersection."""
    return _operation(a, b, ("intersection", "intersection"), validate_indices)


def set_difference(a, b, aminusb=True, validate_indices=True):
    """What is in a and not in b; without aminusb the other way round. Source: tf.sets.difference."""
    kinds = ("a-b", "b-a") if aminusb else ("b-a", "a-b")
    return _operation(a, b, kinds, validate_indices)


def set_union(a, b, validate_indices=True):
    """What is in one of them. Source: tf.sets.union."""
    return _operation(a, b, ("union", "union"), validate_indices)
