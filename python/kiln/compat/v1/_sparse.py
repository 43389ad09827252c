"""Tensors of which only a part is given: tf.SparseTensor, tf.IndexedSlices."""

import collections

from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._convert import convert_to_tensor, register_tensor_conversion_function
from kiln.compat.v1.shapes import TensorShape

SparseTensorValue = collections.namedtuple("SparseTensorValue", ["indices", "values", "dense_shape"])
IndexedSlicesValue = collections.namedtuple("IndexedSlicesValue", ["values", "indices", "dense_shape"])


def _with_dense(op_name, function):
    """An operator of a sparse tensor and a dense one, which is broadcast to its shape."""

    def operator(self, other):
        from kiln.compat.v1._graph import get_default_graph

        with get_default_graph().name_scope(op_name) as scope:
            other = convert_to_tensor(other, dtype=self.dtype.base_dtype, name="y")
            values = function(self._indices, self._values, self._dense_shape, other, scope)
            return SparseTensor(self._indices, values, self._dense_shape)

    return operator


def _product(indices, values, dense_shape, dense, scope):
    from kiln._generated import raw_ops

    return raw_ops.sparse_dense_cwise_mul(indices, values, dense_shape, dense, name=scope)


def _quotient(indices, values, dense_shape, dense, scope):
    from kiln._generated import raw_ops

    return raw_ops.sparse_dense_cwise_div(indices, values, dense_shape, dense, name=scope)


def _true_quotient(indices, values, dense_shape, dense, scope):
    """Of integers of up to 16 bits in float32, of longer ones in float64."""
    from kiln._generated import raw_ops

    dtype = values.dtype.base_dtype
    if dtype in (dtypes.bool, dtypes.string):
        raise TypeError(f"Invalid dtype {dtype!r} in __truediv__.")
    if dtype.is_integer:
        to = dtypes.float32 if dtype.size <= 2 else dtypes.float64
        values, dense = raw_ops.cast(values, to), raw_ops.cast(dense, to)
    return raw_ops.sparse_dense_cwise_div(indices, values, dense_shape, dense, name=scope)


class SparseTensor:
    """The elements that are not zero, with where they are.

    indices: [n, rank] of int64, in row-major order; values: [n]; dense_shape:
    [rank] of int64. Source: tf.SparseTensor.
    """

    def __init__(self, indices, values, dense_shape):
        from kiln.compat.v1._graph import get_default_graph

        with get_default_graph().name_scope("SparseTensor"):
            self._indices = convert_to_tensor(indices, name="indices", dtype=dtypes.int64)
            self._values = convert_to_tensor(values, name="values")
            self._dense_shape = convert_to_tensor(dense_shape, name="dense_shape", dtype=dtypes.int64)
        indices_shape = self._indices.shape.with_rank(2)
        shape = self._dense_shape.shape.with_rank(1)
        indices_shape[0].merge_with(self._values.shape.with_rank(1)[0])
        indices_shape[1].merge_with(shape[0])

    @classmethod
    def _of(cls, indices, values, dense_shape):
        """For C++, whose tensors fit."""
        made = cls.__new__(cls)
        made._indices, made._values, made._dense_shape = indices, values, dense_shape
        return made

    @classmethod
    def from_value(cls, sparse_tensor_value):
        if not isinstance(sparse_tensor_value, (SparseTensor, SparseTensorValue)):
            raise TypeError(f"Neither a SparseTensor nor SparseTensorValue: {sparse_tensor_value}.")
        return cls(
            indices=sparse_tensor_value.indices,
            values=sparse_tensor_value.values,
            dense_shape=sparse_tensor_value.dense_shape,
        )

    def with_values(self, new_values):
        """Other values at the same places. Errors: ValueError for another shape."""
        return SparseTensor(self._indices, new_values, self._dense_shape)

    __mul__ = _with_dense("mul", _product)
    __truediv__ = _with_dense("truediv", _true_quotient)
    __div__ = _with_dense("div", _quotient)

    def __rmul__(self, other):
        """Of a tensor; a number stands behind, as in TensorFlow."""
        return self * other if isinstance(other, (_c.Tensor, _c.Variable)) else NotImplemented

    indices = property(lambda self: self._indices)
    values = property(lambda self: self._values)
    dense_shape = property(lambda self: self._dense_shape)
    op = property(lambda self: self._values.op)
    dtype = property(lambda self: self._values.dtype)
    graph = property(lambda self: self._indices.graph)
    name = property(lambda self: self._values.name)

    @property
    def shape(self):
        """The TensorShape, as far as it is known."""
        from kiln.compat.v1._constant_value import constant_value_as_shape

        shape = constant_value_as_shape(self._dense_shape)
        declared = self.__dict__.get("_declared_shape")
        return shape if declared is None else shape.merge_with(declared)

    def get_shape(self):
        return self.shape

    def set_shape(self, shape):
        """Adds what the program knows of the shape. Errors: ValueError where it contradicts."""
        self._declared_shape = self.shape.merge_with(shape)

    def consumers(self):
        return self._values.consumers()

    def eval(self, feed_dict=None, session=None):
        """A SparseTensorValue."""
        from kiln.compat.v1 import _session

        return _session.run_by_default(self, self.graph, feed_dict, session, "Tensor")

    def __str__(self):
        return (
            f"SparseTensor(indices={self._indices}, values={self._values}, dense_shape={self._dense_shape})"
        )

    __repr__ = __str__


class IndexedSlices:
    """Rows of a tensor, with their indices; rows that come several times are added.

    values: [n, ...]; indices: [n]; dense_shape: of the whole tensor, or None.
    Source: tf.IndexedSlices.
    """

    def __init__(self, values, indices, dense_shape=None):
        self._values, self._indices, self._dense_shape = values, indices, dense_shape

    values = property(lambda self: self._values)
    indices = property(lambda self: self._indices)
    dense_shape = property(lambda self: self._dense_shape)
    name = property(lambda self: self._values.name)
    device = property(lambda self: self._values.device)
    op = property(lambda self: self._values.op)
    dtype = property(lambda self: self._values.dtype)
    graph = property(lambda self: self._values.graph)

    @property
    def shape(self):
        from kiln.compat.v1._constant_value import constant_value_as_shape

        if self._dense_shape is None:
            return TensorShape(None)
        return constant_value_as_shape(self._dense_shape)

    def consumers(self):
        return self._values.consumers()

    def __neg__(self):
        return IndexedSlices(-self._values, self._indices, self._dense_shape)

    def __str__(self):
        shape = "" if self._dense_shape is None else f", dense_shape={self._dense_shape}"
        return f"IndexedSlices(indices={self._indices}, values={self._values}{shape})"


def _dense(value, dtype=None, name=None, as_ref=False):
    """IndexedSlices as the sum of their rows."""
    if dtype and not dtype.is_compatible_with(value.dtype):
        raise ValueError(
            f"Tensor conversion requested dtype {dtype.name} for IndexedSlices with dtype {value.dtype.name}"
        )
    if value.dense_shape is None:
        raise ValueError(f"Tensor conversion requested for IndexedSlices without dense_shape: {value}")
    return _c.dense_of(value)


def _no_tensor(value, dtype=None, name=None, as_ref=False):
    raise TypeError(
        f"Failed to convert object of type {type(value)} to Tensor. Contents: {value}. "
        "Consider casting elements to a supported type."
    )


register_tensor_conversion_function(IndexedSlices, _dense)
register_tensor_conversion_function(SparseTensor, _no_tensor)
_c.set_classes(indexed_slices=IndexedSlices, sparse_tensor=SparseTensor._of)
