"""Operations by what they take and give."""

from kiln.compat import v1 as tf


def make_list_of_op(ops, check_graph=True, allow_graph=True, ignore_ts=False):
    """A list of the operations in an operation, a graph or a collection. **Errors**: TypeError
    for anything else.
    """
    if isinstance(ops, tf.Graph):
        if not allow_graph:
            raise TypeError("allow_graph is False: cannot convert a tf.Graph.")
        return ops.get_operations()
    ops = list(ops) if isinstance(ops, (list, tuple, set, frozenset)) else [ops]
    if ignore_ts:
        ops = [op for op in ops if not isinstance(op, tf.Tensor)]
    for op in ops:
        if not isinstance(op, tf.Operation):
            raise TypeError(f"Expected one of {tf.Operation}, got: {type(op)}")
    return ops


def make_list_of_t(ts, check_graph=True, allow_graph=True, ignore_ops=False):
    """A list of the tensors in a tensor, a graph or a collection. **Errors**: TypeError for
    anything else.
    """
    if isinstance(ts, tf.Graph):
        if not allow_graph:
            raise TypeError("allow_graph is False: cannot convert a tf.Graph.")
        return [t for op in ts.get_operations() for t in op.outputs]
    ts = list(ts) if isinstance(ts, (list, tuple, set, frozenset)) else [ts]
    if ignore_ops:
        ts = [t for t in ts if not isinstance(t, tf.Operation)]
    for t in ts:
        if not isinstance(t, tf.Tensor):
            raise TypeError(f"Expected one of {tf.Tensor}, got: {type(t)}")
    return ts


def get_generating_ops(ts):
    """The operations that make the tensors."""
    return [t.op for t in make_list_of_t(ts, allow_graph=False)]


def get_consuming_ops(ts):
    """The operations that take the tensors, each once."""
    return list(
        dict.fromkeys(op for t in make_list_of_t(ts, allow_graph=False) for op in t.consumers())
    )


def get_backward_walk_ops(
    seed_ops,
    inclusive=True,
    within_ops=None,
    within_ops_fn=None,
    stop_at_ts=(),
    control_inputs=False,
):
    """The operations that the seeds need, breadth first, with the seeds or without.

    seed_ops: operations or tensors. within_ops, within_ops_fn: to stay inside of. stop_at_ts:
    tensors not to pass. control_inputs: whether to follow those too.
    """
    seeds = list(seed_ops) if isinstance(seed_ops, (list, tuple, set, frozenset)) else [seed_ops]
    if not seeds:
        return []
    if isinstance(seeds[0], tf.Tensor):
        seeds = get_generating_ops(seeds)
    seeds = make_list_of_op(seeds, allow_graph=False)
    stops = frozenset(id(t) for t in make_list_of_t(stop_at_ts))
    inside = (
        None if within_ops is None else frozenset(make_list_of_op(within_ops, allow_graph=False))
    )

    def is_within(op):
        return (inside is None or op in inside) and (within_ops_fn is None or within_ops_fn(op))

    found, wave = {}, list(seeds)
    while wave:
        found.update(dict.fromkeys(wave))
        sources = {}
        for op in wave:
            taken = [t.op for t in op.inputs if id(t) not in stops]
            taken += op.control_inputs if control_inputs else []
            sources.update(
                (source, None) for source in taken if source not in found and is_within(source)
            )
        wave = list(sources)
    found = [op for op in found if is_within(op)]
    return found if inclusive else [op for op in found if op not in seeds]
