"""Conditions that are decided while the graph is built, where they can be."""

from kiln.compat import v1 as tf

__all__ = ["smart_cond", "smart_constant_value"]


# What is computed while the graph is built, where constants alone are behind it.
_FOLDED = frozenset(
    "Abs Add AddV2 All Any Cast Const Div Equal ExpandDims FloorDiv FloorMod Greater GreaterEqual Identity Less "
    "LessEqual LogicalAnd LogicalNot LogicalOr Max Maximum Min Minimum Mod Mul Neg NotEqual Pack Prod Rank RealDiv "
    "Reshape Select SelectV2 Shape Size Squeeze StridedSlice Sub Sum".split()
)


def _computed(pred):
    """The value of a condition that is computed from constants alone, otherwise None."""
    graph, waiting, seen = pred.graph, [pred.op], set()
    while waiting:
        operation = waiting.pop()
        if operation in seen:
            continue
        seen.add(operation)
        if operation.type not in _FOLDED or operation.control_inputs:
            return None
        waiting.extend(tensor.op for tensor in operation.inputs)
    if graph.building_function:
        return None
    with tf.Session(graph=graph) as session:
        return session.run(pred)


def smart_constant_value(pred):
    """A bool, or None where only the run knows it. Errors: TypeError.

    Source: tf.contrib.framework.smart_constant_value.
    """
    if isinstance(pred, tf.Tensor):
        value = tf.get_static_value(pred)
        return _computed(pred) if value is None else value
    if isinstance(pred, bool):
        return pred
    if not isinstance(pred, tf.Variable) and pred in {0, 1}:
        return bool(pred)
    raise TypeError(
        f"`pred` must be a Tensor, or a Python bool, or 1 or 0. Found instead: {type(pred)}"
    )


def smart_cond(pred, true_fn=None, false_fn=None, name=None):
    """As tf.cond(), but only one of the functions is called where the condition is known.

    Errors: TypeError. Source: tf.contrib.framework.smart_cond.
    """
    if not callable(true_fn):
        raise TypeError("`true_fn` must be callable.")
    if not callable(false_fn):
        raise TypeError("`false_fn` must be callable.")
    value = smart_constant_value(pred)
    if value is None:
        return tf.cond(pred, true_fn=true_fn, false_fn=false_fn, name=name)
    return true_fn() if value else false_fn()
