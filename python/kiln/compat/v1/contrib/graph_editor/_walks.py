"""Walks through graphs, along what operations take and give."""

from kiln.compat import v1 as tf
from kiln.compat._python.ops import op_selector
from kiln.compat._python.ops.op_selector import get_consuming_ops, make_list_of_op, make_list_of_t
from kiln.compat.v1._deprecations import deprecated
from kiln.compat.v1.contrib.graph_editor._select import inputs_of, outputs_of


class ControlOutputs:
    """What waits for each operation of a graph. Errors: TypeError for anything else than a graph."""

    def __init__(self, graph):
        if not isinstance(graph, tf.Graph):
            raise TypeError(f"Expected a tf.Graph, got: {type(graph)}")
        self._graph, self._version = graph, None
        self.update()

    def update(self):
        """Looks at the graph again, where it has grown."""
        if self._version != self._graph.version:
            self._all = {}
            for op in self._graph.get_operations():
                for source in op.control_inputs:
                    self._all.setdefault(source, []).append(op)
            self._version = self._graph.version
        return self

    def get_all(self):
        return self._all

    def get(self, op):
        return self._all.get(op, ())

    @property
    def graph(self):
        return self._graph


def check_cios(control_inputs=False, control_outputs=None, control_ios=None):
    """Whether to follow control inputs, and the ControlOutputs to follow or None; control_ios: both.

    Errors: TypeError, ValueError.
    """
    for each in (control_ios, control_outputs):
        if each is not None and not isinstance(each, ControlOutputs):
            raise TypeError(f"Expected a util.ControlOutputs, got: {type(each)}")
    if control_ios is not None:
        if control_outputs is not None:
            raise ValueError("control_outputs should be None when using control_ios.")
        control_inputs, control_outputs = True, control_ios
    return control_inputs, None if control_outputs is None else control_outputs.update()


def get_ops_ios(ops, control_inputs=False, control_outputs=None, control_ios=None):
    """The operations beside others, each once."""
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    found = {}
    for op in make_list_of_op(ops):
        found.update((t.op, None) for t in op.inputs)
        found.update((each, None) for t in op.outputs for each in t.consumers())
        found.update((each, None) for each in (control_outputs.get(op) if control_outputs else ()))
        found.update((each, None) for each in (op.control_inputs if control_inputs else ()))
    return list(found)


def compute_boundary_ts(ops):
    """The tensors that operations take from outside, those that are taken outside or not at all, those inside."""
    ops = make_list_of_op(ops)
    taken, made, own = inputs_of(ops), outputs_of(ops), set(ops)
    inside = [t for t in taken if t.op in own]
    only_inside = {t for t in inside if own.issuperset(t.consumers())}
    return [t for t in taken if t.op not in own], [t for t in made if t not in only_inside], inside


def get_within_boundary_ops(
    ops, seed_ops, boundary_ops=(), inclusive=True, control_inputs=False, control_outputs=None, control_ios=None
):
    """Those of ops that are reached from the seeds in any direction, not beyond the boundary.

    Errors: ValueError where a seed is in the boundary.
    """
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    found = set(make_list_of_op(seed_ops, allow_graph=False))
    boundary = set(make_list_of_op(boundary_ops))
    if boundary & found:
        raise ValueError("Boundary is intersecting with the seeds.")
    wave = set(found)
    while wave:
        reached = set(get_ops_ios(wave, control_inputs, control_outputs)) - found
        wave = reached - boundary
        found |= reached if inclusive else wave
    return [op for op in make_list_of_op(ops) if op in found]


def get_forward_walk_ops(
    seed_ops, inclusive=True, within_ops=None, within_ops_fn=None, stop_at_ts=(), control_outputs=None
):
    """The operations that need the seeds, breadth first, with the seeds or without.

    seed_ops: operations, or tensors, which mean those that take them. within_ops, within_ops_fn: to stay inside of.
    stop_at_ts: tensors not to pass. control_outputs: ControlOutputs to follow, too.
    """
    _, control_outputs = check_cios(False, control_outputs)
    seeds = list(seed_ops) if isinstance(seed_ops, (list, tuple, set, frozenset)) else [seed_ops]
    if not seeds:
        return []
    seeds = get_consuming_ops(seeds) if isinstance(seeds[0], tf.Tensor) else make_list_of_op(seeds, allow_graph=False)
    stops = set(make_list_of_t(stop_at_ts))
    inside = set(make_list_of_op(within_ops, allow_graph=False)) if within_ops else None

    def is_within(op):
        return (inside is None or op in inside) and (within_ops_fn is None or within_ops_fn(op))

    seeds = [op for op in seeds if inside is None or op in inside]
    found, wave = dict.fromkeys(seeds), seeds
    while wave:
        reached = {}
        for op in wave:
            takers = [each for t in op.outputs if t not in stops for each in t.consumers()]
            takers += control_outputs.get(op) if control_outputs else ()
            reached.update((each, None) for each in takers if each not in found and is_within(each))
        found.update(reached)
        wave = list(reached)
    return list(found) if inclusive else [op for op in found if op not in set(seeds)]


def get_backward_walk_ops(
    seed_ops, inclusive=True, within_ops=None, within_ops_fn=None, stop_at_ts=(), control_inputs=False
):
    """The operations that the seeds need, breadth first, with the seeds or without."""
    deprecated(
        "contrib.graph_editor.select.get_backward_walk_ops",
        "Please use tensorflow.python.ops.op_selector.get_backward_walk_ops.",
        "2019-06-06",
    )
    return op_selector.get_backward_walk_ops(
        seed_ops, inclusive, within_ops, within_ops_fn, stop_at_ts, control_inputs
    )


def _walks(forward_seeds, backward_seeds, forward_inclusive, backward_inclusive, within, within_fn, controls):
    control_inputs, control_outputs = check_cios(*controls)
    forward = get_forward_walk_ops(
        forward_seeds, forward_inclusive, within, within_fn, control_outputs=control_outputs
    )
    backward = op_selector.get_backward_walk_ops(
        backward_seeds, backward_inclusive, within, within_fn, control_inputs=control_inputs
    )
    return forward, backward


def get_walks_intersection_ops(
    forward_seed_ops,
    backward_seed_ops,
    forward_inclusive=True,
    backward_inclusive=True,
    within_ops=None,
    within_ops_fn=None,
    control_inputs=False,
    control_outputs=None,
    control_ios=None,
):
    """The operations that need some seeds and that others need."""
    forward, backward = _walks(
        forward_seed_ops, backward_seed_ops, forward_inclusive, backward_inclusive, within_ops, within_ops_fn,
        (control_inputs, control_outputs, control_ios),
    )  # fmt: skip
    backward = set(backward)
    return [op for op in forward if op in backward]


def get_walks_union_ops(
    forward_seed_ops,
    backward_seed_ops,
    forward_inclusive=True,
    backward_inclusive=True,
    within_ops=None,
    within_ops_fn=None,
    control_inputs=False,
    control_outputs=None,
    control_ios=None,
):
    """The operations that need some seeds, and those that others need."""
    forward, backward = _walks(
        forward_seed_ops, backward_seed_ops, forward_inclusive, backward_inclusive, within_ops, within_ops_fn,
        (control_inputs, control_outputs, control_ios),
    )  # fmt: skip
    return list(dict.fromkeys(forward + backward))
