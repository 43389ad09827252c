"""Conditionals, loops and order: tf.cond, tf.case, tf.while_loop, tf.group, tf.tuple."""

from kiln._generated.raw_ops import no_op
from kiln._kiln import front as _c
from kiln.compat.v1._deprecations import deprecated_argument
from kiln.compat.v1._sparse import IndexedSlices, SparseTensor
from kiln.compat.v1._structures import Structure
from kiln.compat.v1._util import nest
from kiln.compat.v1.shapes import TensorShape

__all__ = ["case", "cond", "group", "no_op", "switch_case", "tuple", "while_loop"]


def _only(values):
    """The only element of a list; others as they are."""
    return values[0] if isinstance(values, (list, _tuple)) and len(values) == 1 else values


_tuple = tuple


def cond(pred, true_fn=None, false_fn=None, strict=False, name=None, fn1=None, fn2=None):
    """What the one or the other function gives, as a bool tensor says in the run.

    Only what a function itself adds is bound to its branch: what it uses from outside
    runs in any case. The functions give tensors in equal structures, or operations. A
    list of one is given as that one, unless strict. fn1, fn2: older names of the two.
    Errors: TypeError, ValueError. Source: tf.cond.
    """
    true_fn = _function(true_fn, "true_fn", fn1, "fn1")
    false_fn = _function(false_fn, "false_fn", fn2, "fn2")
    structures = []

    def branch(function, argument):
        def call():
            result = function()
            if result is None:
                raise ValueError(f"'{argument}' must have a return value.")
            structures.append(Structure(result if strict else _only(result)))
            return structures[-1].tensors

        return call

    def check_false():
        results = false_branch()
        _check_branches(structures)
        return results

    false_branch = branch(false_fn, "false_fn")
    merged = _c.cond(pred, branch(true_fn, "true_fn"), check_false, name)
    return structures[0].pack(merged)


def _function(function, argument, older, older_argument):
    if older is not None:
        deprecated_argument(
            "ops.cond.cond", older_argument, "fn1/fn2 are deprecated in favor of the true_fn/false_fn arguments."
        )
        if function is not None:
            raise TypeError(f"cond(): '{argument}' and '{older_argument}' may not be set simultaneously.")
        function = older
    elif function is None:
        raise TypeError(f"cond(): '{argument}' argument required")
    if not callable(function):
        raise TypeError(f"'{argument}' must be callable.")
    return function


def _check_branches(structures):
    structures[0].check(structures[1])
    if not structures[0].tensors:
        raise ValueError("'true_fn' and 'false_fn' must return at least one result.")


def case(pred_fn_pairs, default=None, exclusive=False, strict=False, name="case"):
    """What the function of the first predicate that holds gives, or default.

    pred_fn_pairs: a list of (bool tensor, function), or a dict. exclusive: that at most
    one holds, which the run checks. Without default one of them must hold. Errors:
    TypeError, ValueError. Source: tf.case.
    """
    from kiln.compat.v1._cases import chained

    return chained(cond, pred_fn_pairs, default, exclusive, strict, name)


def switch_case(branch_index, branch_fns, default=None, name="switch_case"):
    """What the function of an index gives, the last one or default for any other index.

    branch_fns: a list of functions, or of (int, function), or a dict. Errors: TypeError,
    ValueError. Source: tf.switch_case.
    """
    from kiln.compat.v1._cases import indexed

    functions, default = indexed(branch_index, branch_fns, default)
    structures = []

    def branch(function):
        def call():
            structures.append(Structure(function()))
            return structures[-1].tensors

        return call

    branches = [branch(function) for function in functions]
    merged = _c.switch_case(branch_index, branches, default and branch(default), name)
    return structures[0].pack(merged)


def while_loop(
    cond,
    body,
    loop_vars,
    shape_invariants=None,
    parallel_iterations=10,
    back_prop=True,
    swap_memory=False,
    name=None,
    maximum_iterations=None,
    return_same_structure=False,
):
    """The loop variables when cond is false, which body makes anew in each iteration.

    cond(*loop_vars) gives a bool tensor, body(*loop_vars) as many results of the same
    dtypes in the same structure. shape_invariants: shapes that hold in all iterations,
    in that structure; by default the shapes of loop_vars. parallel_iterations: how many
    may run at once. A single loop variable is given as itself, unless
    return_same_structure. Errors: TypeError, ValueError. Source: tf.while_loop.
    """
    if not callable(cond):
        raise TypeError("'cond' must be callable.")
    if not callable(body):
        raise TypeError("'body' must be callable.")
    if parallel_iterations < 1:
        raise TypeError("'parallel_iterations' must be a positive integer.")
    if not loop_vars:
        raise ValueError("'loop_vars' must be provided.")
    variables = Structure(loop_vars)
    results = []

    def condition(tensors):
        return cond(*variables.pack(tensors))

    def iteration(tensors):
        packed = variables.pack(tensors)
        result = body(*packed)
        if not nest.is_nested(result):
            result = [result]
        nest.assert_same_structure(list(packed), list(result))
        results.append(Structure(result))
        return results[-1].tensors

    exits = _c.while_loop(
        condition, iteration, variables.tensors, _invariants(loop_vars, shape_invariants), parallel_iterations,
        back_prop, swap_memory, maximum_iterations, name,
    )  # fmt: skip
    packed = results[0].pack(exits)
    return packed[0] if _is_single(exits, loop_vars, maximum_iterations, return_same_structure) else packed


def _is_single(exits, loop_vars, maximum_iterations, return_same_structure):
    if return_same_structure:
        return False
    # A counter of iterations is a second variable to TensorFlow.
    return len(exits) == 1 if maximum_iterations is None else len(loop_vars) == 1


def _invariants(loop_vars, shape_invariants):
    """A shape for each tensor of the loop variables."""
    if shape_invariants is None:
        return None
    nest.assert_same_structure(list(loop_vars), list(shape_invariants))
    shapes = []
    for variable, shape in zip(nest.flatten(loop_vars), nest.flatten(shape_invariants)):
        if shape is not None and not isinstance(shape, TensorShape):
            raise TypeError(f"'shape_invariants' must be a TensorShape, got {shape}")
        shapes.extend(_shapes(variable, TensorShape(shape)))
    return shapes


def _shapes(variable, shape):
    if isinstance(variable, SparseTensor):
        return [TensorShape([None, shape.ndims]), TensorShape([None]), TensorShape([shape.ndims])]
    if isinstance(variable, IndexedSlices):
        shapes = [shape, TensorShape([shape[0]])]
        return shapes if variable.dense_shape is None else [*shapes, TensorShape([shape.ndims])]
    return [TensorShape([])] if hasattr(variable, "flow") else [shape]


def group(*inputs, **kwargs):
    """An operation behind all of these: tensors, operations, structures of them.

    group(*inputs, name=None). Errors: TypeError, ValueError for other keywords. Source:
    tf.group.
    """
    name = kwargs.pop("name", None)
    if kwargs:
        raise ValueError("Unknown keyword arguments: " + ", ".join(kwargs))
    if not inputs:
        from kiln.compat.v1._graph_functions import name_scope

        with name_scope(name, "group_deps") as scope:
            return no_op(scope)
    items = Structure(inputs).tensors
    for item in items:
        if not hasattr(item, "device"):
            raise TypeError(
                f"'inputs' should be zero or more (nested) Tensors. Received '{item}' with type '{type(item)}'."
            )
    return _c.group(items, name)


def tuple(tensors, name=None, control_inputs=None):
    """The tensors, each behind all of them and the control inputs; None stays None.

    Errors: TypeError, ValueError where there is no tensor. Source: tf.tuple.
    """
    kept = [value if value is None else _whole(value) for value in tensors]
    if all(value is None for value in kept) and not control_inputs:
        raise ValueError(f"'tensors' must have at least one Tensor. Received: {tensors}.")
    for item in control_inputs or ():
        if not isinstance(item, (_c.Tensor, _c.Operation)):
            raise TypeError(f"'control_inputs' must only contain Operation or Tensor. Received: {type(item)}")
    there = _c.tuple([value for value in kept if value is not None], control_inputs, name)
    given = iter(there)
    return [None if value is None else next(given) for value in kept]


def _whole(value):
    return value.values if isinstance(value, (IndexedSlices, SparseTensor)) else value


def with_dependencies(dependencies, output_tensor, name=None):
    """The tensor, or IndexedSlices, behind these. Source: control_flow_ops.with_dependencies."""
    if isinstance(output_tensor, IndexedSlices):
        values = _c.with_dependencies(dependencies, output_tensor.values, name)
        return IndexedSlices(values, output_tensor.indices, output_tensor.dense_shape)
    return _c.with_dependencies(dependencies, output_tensor, name)
