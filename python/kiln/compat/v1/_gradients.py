"""Derivatives: tf.gradients, tf.hessians, and the functions that programs register for them."""

import enum
import functools
import inspect

from kiln._generated import raw_ops
from kiln._kiln import front as _c
from kiln.compat.v1._sparse import IndexedSlices
from kiln.compat.v1._util import nest

__all__ = [
    "AggregationMethod", "NoGradient", "NotDifferentiable", "RegisterGradient", "UnconnectedGradients",
    "custom_gradient", "grad_pass_through", "gradients", "hessians", "no_gradient", "recompute_grad",
]  # fmt: skip


class AggregationMethod:
    """How several contributions to a gradient are added. Source: tf.AggregationMethod."""

    ADD_N = 0
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


class UnconnectedGradients(enum.Enum):
    """What stands for a gradient where y does not depend on x. Source: tf.UnconnectedGradients."""

    NONE = "none"
    ZERO = "zero"


def _list(values):
    return list(values) if isinstance(values, (list, tuple)) else [values]


def _dense(values):
    """Tensors; IndexedSlices and the like stand as their values."""
    return [value.values if isinstance(value, IndexedSlices) else value for value in _list(values)]


def gradients(
    ys,
    xs,
    grad_ys=None,
    name="gradients",
    colocate_gradients_with_ops=False,
    gate_gradients=False,
    aggregation_method=None,
    stop_gradients=None,
    unconnected_gradients=UnconnectedGradients.NONE,
):
    """A list of the derivatives of the sum of the ys with respect to each x.

    They are tensors, or IndexedSlices where only some rows are known, or None where no
    y depends on an x. grad_ys: a gradient for each y, None for ones. stop_gradients:
    what counts as constant. gate_gradients: that all gradients of an op are there before
    one is used. Errors: LookupError where an op has no gradient, TypeError, ValueError.
    Source: tf.gradients.
    """
    try:
        unconnected = UnconnectedGradients(unconnected_gradients).value
    except ValueError:
        raise ValueError(f"Unknown value for unconnected_gradients: '{unconnected_gradients}'") from None
    return _c.gradients(
        _dense(ys),
        _dense(xs),
        None if grad_ys is None else _list(grad_ys),
        None if stop_gradients is None else _dense(stop_gradients),
        unconnected,
        aggregation_method,
        colocate_gradients_with_ops,
        gate_gradients,
        name,
    )


def hessians(
    ys,
    xs,
    name="hessians",
    colocate_gradients_with_ops=False,
    gate_gradients=False,
    aggregation_method=None,
):
    """A list of the second derivatives of the sum of the ys, for each x. Shapes: x's, twice.

    Cost: a gradient for each element of an x in the run. Errors: ValueError where no y
    depends on an x. Source: tf.hessians.
    """
    return _c.hessians(_list(ys), _list(xs), aggregation_method, colocate_gradients_with_ops, gate_gradients)


class RegisterGradient:
    """A decorator that makes a function the gradient of an op type.

    The function takes the operation and the gradients of its outputs, and gives those of
    its inputs: a tensor, IndexedSlices, None, or a list of them. Names of op types that
    do not exist are for Graph.gradient_override_map. Errors: TypeError for a name that is
    no str, KeyError where there is one. Source: tf.RegisterGradient.
    """

    def __init__(self, op_type):
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")
        self._op_type = op_type

    def __call__(self, f):
        def call(operation, outputs):
            return f(operation, *outputs)

        _c.register_gradient(self._op_type, call)
        return f


def no_gradient(op_type):
    """Says that nothing flows back through an op type. Errors: TypeError, KeyError.

    Source: tf.NotDifferentiable.
    """
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")
    _c.not_differentiable(op_type)


NotDifferentiable = NoGradient = no_gradient


class _Decorated:
    """A function, or a method, with a gradient of its own."""

    def __init__(self, function):
        self._function = function
        functools.update_wrapper(self, function)

    def __get__(self, instance, owner=None):
        return self if instance is None else _Decorated(self._function.__get__(instance, owner))

    def __call__(self, *args, **kwargs):
        if kwargs:
            raise ValueError(
                "The custom_gradient decorator currently supports keywords arguments only when eager execution "
                "is enabled."
            )
        return _called(self._function, args)


def custom_gradient(f):
    """A decorator of a function that gives (result, gradient), which calls the gradient of.

    The gradient takes the gradients of the results and gives those of the arguments; one
    of a function that reads variables takes variables=list, too, and gives (gradients,
    gradients of the variables). Errors: TypeError for variables that are no resources, and
    where the gradient does not take them. Source: tf.custom_gradient.
    """
    return _Decorated(f)


def _called(function, args):
    structures = []

    def forward(tensors):
        result, gradient = function(*nest.pack_sequence_as(args, tensors))
        structures.append(result)
        plain, with_variables = _backward(gradient)
        return nest.flatten(result), plain, with_variables

    outputs = _c.custom_gradient(forward, nest.flatten(args))
    return nest.pack_sequence_as(structures[0], outputs)


def _backward(gradient):
    """A gradient as C++ calls it: without variables, and with them or None."""

    def plain(grads):
        return nest.flatten(gradient(*grads))

    def with_variables(grads, variables):
        of_inputs, of_variables = gradient(*grads, variables=variables)
        return nest.flatten(of_inputs), _list(of_variables)

    parameters = inspect.signature(gradient).parameters.values()
    takes = any(each.kind is each.VAR_KEYWORD or each.name == "variables" for each in parameters)
    return plain, with_variables if takes else None


def grad_pass_through(f):
    """A function whose gradient is taken for that of the identity. Source: tf.grad_pass_through."""

    @custom_gradient
    def passed(*args, **kwargs):
        def gradient(*grads, **given):
            variables = given.get("variables")
            return grads if variables is None else (grads, [None] * len(variables))

        return f(*args, **kwargs), gradient

    return functools.wraps(f)(passed)


def recompute_grad(f):
    """A function whose results are computed again for its gradient, in place of being kept. Source: tf.recompute_grad."""

    @custom_gradient
    def recomputed(*args):
        def gradient(*grads, **given):
            variables = list(given.get("variables") or ())
            with grads[0].graph.control_dependencies(grads):
                # Each argument counts by itself, also where one tensor is given twice.
                copies = nest.map_structure(raw_ops.identity, args)
                results = nest.flatten(f(*copies))
            found = gradients(results, [*nest.flatten(copies), *variables], list(grads))
            count = len(found) - len(variables)
            return (found[:count], found[count:]) if "variables" in given else found

        return f(*args), gradient

    return functools.wraps(f)(recomputed)
