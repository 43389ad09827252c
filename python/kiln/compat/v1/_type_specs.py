"""What is known of a value without the value: tf.TensorSpec, tf.SparseTensorSpec."""

import abc

import numpy as np

from kiln.compat.v1 import dtypes
from kiln.compat.v1._elements import Tensor
from kiln.compat.v1._sparse import IndexedSlices, SparseTensor, SparseTensorValue
from kiln.compat.v1.shapes import TensorShape

__all__ = ["IndexedSlicesSpec", "SparseTensorSpec", "TensorSpec", "TypeSpec"]


class TypeSpec(abc.ABC):
    """The type of values, with what is known of their dtypes and shapes. Source: tf.TypeSpec.

    A class of specs says the class of its values and gives its parts by _serialize().
    """

    __slots__ = ()

    @property
    @abc.abstractmethod
    def value_type(self):
        """The class of the values."""

    @abc.abstractmethod
    def _serialize(self):
        """The parts in the order of the constructor's arguments."""

    def is_compatible_with(self, spec_or_value):
        """Whether a value, or those of another spec, may be of this one."""
        other = spec_or_value if isinstance(spec_or_value, TypeSpec) else _spec_of(spec_or_value)
        if type(self) is not type(other):
            return False
        pairs = zip(self._serialize(), other._serialize())
        return all(_fits(own, its) for own, its in pairs)

    def most_specific_compatible_type(self, other):
        """The narrowest spec that the values of both are of. Errors: ValueError without one."""
        if type(self) is type(other):
            parts = [_common(own, its) for own, its in zip(self._serialize(), other._serialize())]
            if _NONE not in parts:
                return type(self)(*parts)
        raise ValueError(f"No TypeSpec is compatible with both {self} and {other}")

    def __eq__(self, other):
        return type(self) is type(other) and self._serialize() == other._serialize()

    def __hash__(self):
        return hash((type(self), *map(str, self._serialize())))

    def __reduce__(self):
        return type(self), self._serialize()

    def __repr__(self):
        return f"{type(self).__name__}{self._serialize()}"


_NONE = object()


def _fits(own, its):
    if isinstance(own, (TensorShape, dtypes.DType)):
        return own.is_compatible_with(its)
    return own == its


def _common(own, its):
    if isinstance(own, TensorShape):
        return own.most_specific_compatible_shape(its)
    return own if own == its else _NONE


def _spec_of(value):
    if isinstance(value, Tensor):
        return TensorSpec(value.shape, value.dtype)
    if isinstance(value, (SparseTensor, SparseTensorValue)):
        return SparseTensorSpec.from_value(value)
    if isinstance(value, IndexedSlices):
        shape = value.dense_shape
        return IndexedSlicesSpec(
            value.shape, value.values.dtype, value.indices.dtype, None if shape is None else shape.dtype,
            value.indices.shape,
        )  # fmt: skip
    raise TypeError(f"Could not build a TypeSpec for {value!r} with type {type(value).__name__}")


class TensorSpec(TypeSpec):
    """The shape, dtype and perhaps the name of a tensor. Source: tf.TensorSpec."""

    __slots__ = ("_dtype", "_name", "_shape")
    value_type = property(lambda self: Tensor)

    def __init__(self, shape, dtype=dtypes.float32, name=None):
        self._shape, self._dtype, self._name = TensorShape(shape), dtypes.as_dtype(dtype), name

    shape = property(lambda self: self._shape)
    dtype = property(lambda self: self._dtype)
    name = property(lambda self: self._name)

    @classmethod
    def from_spec(cls, spec, name=None):
        """The same under another name."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    @classmethod
    def from_tensor(cls, tensor, name=None):
        """What is known of a tensor, by its operation's name. Errors: ValueError for others."""
        if not isinstance(tensor, Tensor):
            raise ValueError(f"`tensor` should be a tf.Tensor, but got type {type(tensor)}.")
        return cls(tensor.shape, tensor.dtype, name or tensor.op.name)

    def is_compatible_with(self, spec_or_tensor):
        """Whether shapes and dtypes fit, whatever the names are."""
        if not isinstance(spec_or_tensor, (TensorSpec, Tensor)):
            return False
        return self._dtype.is_compatible_with(spec_or_tensor.dtype) and self._shape.is_compatible_with(
            spec_or_tensor.shape
        )

    def _serialize(self):
        return self._shape, self._dtype, self._name

    def __hash__(self):
        return hash((str(self._shape), self._dtype))

    def __repr__(self):
        return f"{type(self).__name__}(shape={self._shape}, dtype={self._dtype!r}, name={self._name!r})"


class SparseTensorSpec(TypeSpec):
    """The shape and the dtype of a SparseTensor. Source: tf.SparseTensorSpec."""

    __slots__ = ("_dtype", "_shape")
    value_type = property(lambda self: SparseTensor)

    def __init__(self, shape=None, dtype=dtypes.float32):
        self._shape, self._dtype = TensorShape(shape), dtypes.as_dtype(dtype)

    shape = property(lambda self: self._shape)
    dtype = property(lambda self: self._dtype)

    @classmethod
    def from_value(cls, value):
        """What is known of a SparseTensor or a SparseTensorValue. Errors: TypeError for others."""
        if isinstance(value, SparseTensorValue):
            return cls([int(extent) for extent in value.dense_shape], value.values.dtype)
        if not isinstance(value, SparseTensor):
            raise TypeError("Expected SparseTensor or SparseTensorValue.")
        return cls(value.shape, value.dtype)

    def _serialize(self):
        return self._shape, self._dtype

    @property
    def _component_specs(self):
        rank = self._shape.ndims
        return [TensorSpec([None, rank], dtypes.int64), TensorSpec([None], self._dtype), TensorSpec([rank], dtypes.int64)]

    def _to_components(self, value):
        return [value.indices, value.values, value.dense_shape]

    def _from_components(self, tensor_list):
        if all(isinstance(each, np.ndarray) for each in tensor_list):
            return SparseTensorValue(*tensor_list)
        made = SparseTensor(*tensor_list)
        made._declared_shape = made.shape.merge_with(self._shape)
        return made


class IndexedSlicesSpec(TypeSpec):
    """The shape and the dtypes of IndexedSlices. Source: tf.IndexedSlicesSpec."""

    __slots__ = ("_parts",)
    value_type = property(lambda self: IndexedSlices)

    def __init__(
        self, shape=None, dtype=dtypes.float32, indices_dtype=dtypes.int64, dense_shape_dtype=None, indices_shape=None
    ):
        self._parts = (
            TensorShape(shape),
            dtypes.as_dtype(dtype),
            dtypes.as_dtype(indices_dtype),
            None if dense_shape_dtype is None else dtypes.as_dtype(dense_shape_dtype),
            TensorShape(indices_shape).with_rank(1),
        )

    def _serialize(self):
        return self._parts
