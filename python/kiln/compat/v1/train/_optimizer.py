"""tf.train.Optimizer: gradients of a loss, and steps with them.

The steps stand in C++, which calls the methods of the object; those that no class overrides call the step of C++.
"""

from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._convert import convert_to_tensor_or_indexed_slices
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1._sparse import IndexedSlices
from kiln.compat.v1._variables import trainable_variables


class PreparedNumber:
    """An attribute that is the tensor of a number for the step that is being added; None before there is one."""

    def __init__(self, name):
        self._name = name

    def __get__(self, optimizer, cls):
        return self if optimizer is None else _c.optimizer_prepared(optimizer, self._name)

    def __set__(self, optimizer, value):
        if value is not None:
            _c.optimizer_set_prepared(optimizer, self._name, value)


def _var_key(var):
    """What stands for a variable in a dict of slots."""
    return (var.op.graph, var.op.name)


def _deduplicate_indexed_slices(values, indices):
    """(sums, indices): the rows of each index added up, each index once."""
    from kiln._generated import raw_ops

    unique, positions = raw_ops.unique(indices)
    return raw_ops.unsorted_segment_sum(values, positions, _c.shape(unique)[0]), unique


def _flat(var_list):
    """The elements of lists within lists; a dict's by its sorted keys."""
    if isinstance(var_list, dict):
        var_list = [var_list[key] for key in sorted(var_list)]
    if isinstance(var_list, (list, tuple)) or type(var_list).__name__ in ("CollectionList", "odict_values"):
        return [each for item in var_list for each in _flat(item)]
    return [var_list]


class Optimizer(_c.Optimizer):
    """What optimizers have in common. Subclasses add the nodes of a step.

    A subclass overrides _apply_dense(grad, var) and _apply_sparse(grad, var), and _resource_apply_dense(grad, handle)
    and _resource_apply_sparse(grad, handle, indices) for resource variables, each of which gives the operation that
    updates a variable; if it needs to, _create_slots(var_list), _prepare(), _finish(update_ops, name_scope),
    _valid_dtypes(). Source: tf.train.Optimizer.
    """

    GATE_NONE = 0
    GATE_OP = 1
    GATE_GRAPH = 2

    # The attribute that holds each number that steps are made of.
    _NUMBERS = {}

    def __init__(self, use_locking, name):
        """use_locking: updates lock their variable. name: of the scope of a step. Errors: ValueError without one."""
        if not name:
            raise ValueError("Must specify the optimizer name")
        super().__init__()
        self._use_locking, self._name = use_locking, name
        _c.bare_optimizer(self, name, bool(use_locking))

    def get_name(self):
        return self._name

    def minimize(
        self,
        loss,
        global_step=None,
        var_list=None,
        gate_gradients=GATE_OP,
        aggregation_method=None,
        colocate_gradients_with_ops=False,
        name=None,
        grad_loss=None,
    ):
        """An operation that does a step towards a smaller loss: compute_gradients() and apply_gradients().

        Errors: ValueError where the loss depends on none of the variables.
        """
        grads_and_vars = self.compute_gradients(
            loss,
            var_list=var_list,
            gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            grad_loss=grad_loss,
        )
        if all(gradient is None for gradient, _ in grads_and_vars):
            raise ValueError(
                "No gradients provided for any variable, check your graph for ops that do not support gradients, "
                f"between variables {[str(variable) for _, variable in grads_and_vars]} and loss {loss}."
            )
        return self.apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def compute_gradients(
        self,
        loss,
        var_list=None,
        gate_gradients=GATE_OP,
        aggregation_method=None,
        colocate_gradients_with_ops=False,
        grad_loss=None,
    ):
        """A list of (gradient, variable); None for a gradient where the loss does not depend on it.

        loss: a tensor, or a function that makes it. var_list: variables or tensors, the trainable ones where it is
        None. gate_gradients: GATE_NONE, GATE_OP (all gradients of an op before one is used), GATE_GRAPH (all of them).
        grad_loss: the gradient of the loss. Errors: ValueError.
        """
        if callable(loss):
            loss = loss()
        if gate_gradients not in (Optimizer.GATE_NONE, Optimizer.GATE_OP, Optimizer.GATE_GRAPH):
            raise ValueError(
                "gate_gradients must be one of: Optimizer.GATE_NONE, Optimizer.GATE_OP, Optimizer.GATE_GRAPH.  "
                f"Not {gate_gradients}"
            )
        if var_list is None:
            with loss.graph.as_default():
                var_list = trainable_variables()
                var_list += get_default_graph().get_collection("trainable_resource_variables")
        else:
            var_list = _flat(var_list)
        for variable in var_list:
            if not isinstance(variable, (_c.Variable, _c.Tensor)):
                raise NotImplementedError("Trying to optimize unsupported type ", variable)
        gradients = _c.optimizer_compute_gradients(
            self, loss, var_list, gate_gradients, aggregation_method or 0, colocate_gradients_with_ops, grad_loss
        )
        return list(zip(gradients, var_list))

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        """An operation that does a step with gradients, in the form that compute_gradients() gives.

        global_step: a variable that counts the steps. Errors: ValueError where there is no gradient, TypeError.
        """
        grads_and_vars = tuple(grads_and_vars)
        if not grads_and_vars:
            raise ValueError("No variables provided.")
        converted = []
        for gradient, variable in grads_and_vars:
            if gradient is not None:
                gradient = _gradient_of(gradient)
            if not isinstance(variable, (_c.Variable, _c.Tensor)):
                raise NotImplementedError("Trying to optimize unsupported type ", variable)
            if isinstance(variable, _c.Tensor) and gradient is not None:
                raise NotImplementedError("Trying to update a Tensor ", variable)
            converted.append((gradient, variable))
        if all(gradient is None for gradient, _ in converted):
            raise ValueError(
                f"No gradients provided for any variable: {[str(variable) for _, variable in converted]}."
            )
        updated = [pair for pair in converted if pair[0] is not None]
        return _c.optimizer_apply_gradients(self, updated, global_step, name or "")

    def get_slot(self, var, name):
        """The variable that is kept for another one under this name, such as "momentum", or None."""
        return _c.optimizer_slot(self, var, name) if isinstance(var, _c.Variable) else None

    def get_slot_names(self):
        """Sorted."""
        return _c.optimizer_slot_names(self)

    def variables(self):
        """The slots and other state in the current graph, sorted by name."""
        return _c.optimizer_variables(self)

    # What subclasses override.

    def _valid_dtypes(self):
        """The types that losses and variables may have."""
        return {dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64}

    def _create_slots(self, var_list):
        """Makes the slots of the variables."""
        _c.optimizer_create_slots(self, var_list)

    def _prepare(self):
        """Adds what the updates of a step have in common, in its scope."""
        _c.optimizer_prepare(self)

    def _apply_dense(self, grad, var):
        """The operation that updates a variable with a gradient."""
        raise NotImplementedError()

    def _resource_apply_dense(self, grad, handle):
        """The same for a resource variable."""
        raise NotImplementedError()

    def _apply_sparse(self, grad, var):
        """The same for IndexedSlices, each index of which comes once."""
        raise NotImplementedError()

    def _resource_apply_sparse(self, grad, handle, indices):
        """The same for rows of a resource variable, each index of which comes once."""
        raise NotImplementedError()

    def _apply_sparse_duplicate_indices(self, grad, var):
        """The same for IndexedSlices whose indices may come several times: sums them first."""
        return _c.optimizer_apply_sparse_duplicates(self, grad, var)

    def _resource_apply_sparse_duplicate_indices(self, grad, handle, indices):
        return _c.optimizer_apply_sparse_duplicates(self, IndexedSlices(grad, indices), handle)

    def _finish(self, update_ops, name_scope):
        """The operation that ends a step, under the name of its scope."""
        return _c.optimizer_finish(self, update_ops, name_scope)

    # What subclasses call.

    def _assert_valid_dtypes(self, tensors):
        """Errors: ValueError for a tensor of a type that is not in _valid_dtypes()."""
        valid = self._valid_dtypes()
        for tensor in tensors:
            dtype = tensor.dtype.base_dtype
            if dtype not in valid:
                raise ValueError(
                    f"Invalid type {dtype!r} for {tensor.name}, expected: {[each for each in valid]}."
                )

    def _call_if_callable(self, param):
        return param() if callable(param) else param

    def _number(self, name):
        """What C++ asks: a number as the object has it now."""
        attribute = self._NUMBERS.get(name)
        return NotImplemented if attribute is None else self._call_if_callable(getattr(self, attribute))

    def _zeros_slot(self, var, slot_name, op_name):
        """Finds or makes the slot VARIABLE/OP_NAME, of zeros."""
        return _c.optimizer_zeros_slot(self, var, slot_name, op_name)

    def _get_or_make_slot(self, var, val, slot_name, op_name):
        """Finds the slot, or makes it with a first value."""
        return _c.optimizer_make_slot(self, var, slot_name, op_name, val)

    def _get_or_make_slot_with_initializer(self, var, initializer, shape, dtype, slot_name, op_name):
        """Finds the slot, or makes it with an initializer's values of a shape and a dtype."""
        return _c.optimizer_make_slot(self, var, slot_name, op_name, initializer, shape, dtype)

    def _create_non_slot_variable(self, initial_value, name, colocate_with):
        """Finds or makes a variable that belongs to no other one, beside one."""
        return _c.optimizer_make_non_slot(self, initial_value, name, colocate_with)

    def _get_non_slot_variable(self, name, graph=None):
        if graph is None:
            return _c.optimizer_non_slot(self, name)
        with graph.as_default():
            return _c.optimizer_non_slot(self, name)

    def _non_slot_variables(self):
        return _c.optimizer_non_slots(self)

    @property
    def _slots(self):
        """The slots of the current graph by name, each a dict by _var_key()."""
        return {name: self._slot_dict(name) for name in self.get_slot_names()}

    def _slot_dict(self, slot_name):
        return {_var_key(op): slot for op, slot in _c.optimizer_slots_named(self, slot_name)}


def _gradient_of(gradient):
    try:
        gradient = convert_to_tensor_or_indexed_slices(gradient)
    except TypeError:
        raise TypeError(
            f"Gradient must be convertible to a Tensor or IndexedSlices, or None: {gradient}"
        ) from None
    if not isinstance(gradient, (_c.Tensor, IndexedSlices)):
        raise TypeError(f"Gradient must be a Tensor, IndexedSlices, or None: {gradient}")
    return gradient


class BuiltOptimizer(Optimizer):
    """An optimizer whose steps are those of C++."""

    def _apply_dense(self, grad, var):
        return _c.optimizer_apply_dense(self, grad, var)

    def _resource_apply_dense(self, grad, handle):
        return _c.optimizer_apply_dense(self, grad, handle)

    def _apply_sparse(self, grad, var):
        return _c.optimizer_apply_sparse(self, grad, var)

    def _resource_apply_sparse(self, grad, handle, indices):
        return _c.optimizer_apply_sparse(self, IndexedSlices(grad, indices), handle)
