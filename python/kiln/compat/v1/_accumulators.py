"""Gradients that several workers add up until there are enough of them."""

from kiln._generated import raw_ops
from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1._sparse import IndexedSlices
from kiln.compat.v1.shapes import TensorShape


def _step(number):
    return _c.cast(convert_to_tensor(number), dtypes.int64)


class ConditionalAccumulatorBase:
    """What accumulators have in common. Source: tf.ConditionalAccumulatorBase."""

    def __init__(self, dtype, shape, accumulator_ref):
        self._dtype = dtype
        self._shape = TensorShape(None) if shape is None else TensorShape(shape)
        self._accumulator_ref = accumulator_ref
        self._name = accumulator_ref.op.name.rpartition("/")[2]

    accumulator_ref = property(lambda self: self._accumulator_ref)
    dtype = property(lambda self: self._dtype)
    name = property(lambda self: self._name)

    def num_accumulated(self, name=None):
        """How many gradients it has, an int32."""
        name = name or f"{self._name}_NumAccumulated"
        count = raw_ops.resource_accumulator_num_accumulated if self._is_resource else raw_ops.accumulator_num_accumulated
        return count(self._accumulator_ref, name=name)

    def set_global_step(self, new_global_step, name=None):
        """An operation that sets the step; gradients of earlier steps are dropped."""
        change = raw_ops.resource_accumulator_set_global_step if self._is_resource else raw_ops.accumulator_set_global_step
        return change(self._accumulator_ref, _step(new_global_step), name=name)

    @property
    def _is_resource(self):
        return self._accumulator_ref.dtype.base_dtype == dtypes.resource


class ConditionalAccumulator(ConditionalAccumulatorBase):
    """Adds up gradients that are tensors; take_grad() waits until there are enough, and gives their mean or sum.

    Source: tf.ConditionalAccumulator.
    """

    def __init__(
        self, dtype, shape=None, shared_name=None, name="conditional_accumulator", reduction_type="MEAN"
    ):
        dtype = dtypes.as_dtype(dtype)
        reference = raw_ops.resource_conditional_accumulator(
            dtype, shape, shared_name=shared_name or "", name=name, reduction_type=reduction_type
        )
        super().__init__(dtype, shape, reference)

    def apply_grad(self, grad, local_step=0, name=None):
        """An operation that adds a gradient of a step; one of an earlier step than the accumulator's is dropped."""
        grad = convert_to_tensor(grad, self._dtype)
        grad.shape.assert_is_compatible_with(self._shape)
        return raw_ops.resource_accumulator_apply_gradient(
            self._accumulator_ref, _step(local_step), grad, name=name
        )

    def take_grad(self, num_required, name=None):
        """The mean or sum of so many gradients, which it waits for."""
        gradient = raw_ops.resource_accumulator_take_gradient(
            self._accumulator_ref, num_required, self._dtype, name=name
        )
        gradient.set_shape(self._shape)
        return gradient


class SparseConditionalAccumulator(ConditionalAccumulatorBase):
    """The same for gradients of which only some rows are given. Source: tf.SparseConditionalAccumulator."""

    def __init__(
        self, dtype, shape=None, shared_name=None, name="sparse_conditional_accumulator", reduction_type="MEAN"
    ):
        dtype = dtypes.as_dtype(dtype)
        reference = raw_ops.sparse_conditional_accumulator(
            dtype, shape, shared_name=shared_name or "", name=name, reduction_type=reduction_type
        )
        super().__init__(dtype, shape, reference)

    def apply_indexed_slices_grad(self, grad, local_step=0, name=None):
        """An operation that adds IndexedSlices of a step."""
        return self.apply_grad(
            grad_indices=grad.indices,
            grad_values=grad.values,
            grad_shape=grad.dense_shape,
            local_step=local_step,
            name=name,
        )

    def apply_grad(self, grad_indices, grad_values, grad_shape=None, local_step=0, name=None):
        """The same of the parts. grad_shape: of the whole gradient, or None."""
        step = _step(local_step)
        return raw_ops.sparse_accumulator_apply_gradient(
            self._accumulator_ref,
            step,
            _c.cast(convert_to_tensor(grad_indices), dtypes.int64),
            grad_values,
            _c.cast([] if grad_shape is None else grad_shape, dtypes.int64),
            grad_shape is not None,
            name=name,
        )

    def take_grad(self, num_required, name=None):
        """(indices, values, shape) of the mean or sum of so many gradients, which it waits for."""
        return raw_ops.sparse_accumulator_take_gradient(
            self._accumulator_ref, num_required, self._dtype, name=name
        )

    def take_indexed_slices_grad(self, num_required, name=None):
        """The same as IndexedSlices."""
        taken = self.take_grad(num_required, name)
        return IndexedSlices(indices=taken[0], values=taken[1], dense_shape=taken[2])
