"""What operations of conditionals and loops are."""

from kiln.compat import v1 as tf

_SWITCHES, _MERGES = ("Switch", "RefSwitch"), ("Merge", "RefMerge")
_ENTERS, _EXITS = ("Enter", "RefEnter"), ("Exit", "RefExit")


def __getattr__(name):
    if name == "ENABLE_CONTROL_FLOW_V2":
        return tf.control_flow_v2_enabled()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def enable_control_flow_v2():
    """Makes conditionals and loops call functions."""
    tf.enable_control_flow_v2()


def EnableControlFlowV2(graph):  # noqa: N802, TensorFlow's name
    """Whether conditionals and loops of a graph call functions: always in a function's body."""
    return tf.control_flow_v2_enabled() or graph.building_function


def IsSwitch(op):  # noqa: N802
    """Whether a value goes one of two ways."""
    return op.type in _SWITCHES


def IsMerge(op):  # noqa: N802
    """Whether two ways meet."""
    return op.type in _MERGES


def IsLoopEnter(op):  # noqa: N802
    """Whether a value enters a loop."""
    return op.type in _ENTERS


def IsLoopExit(op):  # noqa: N802
    """Whether a value leaves a loop."""
    return op.type in _EXITS


def IsLoopConstantEnter(op):  # noqa: N802
    """Whether a value enters a loop that stays as it is there."""
    return IsLoopEnter(op) and op.get_attr("is_constant")


def GetLoopConstantEnter(value):  # noqa: N802
    """The operation by which a loop got a value that stays as it is, or None."""
    op = value.op
    while op.type in ("Switch", "Identity", "RefIdentity", "RefSwitch"):
        op = op.inputs[0].op
    return op if IsLoopConstantEnter(op) else None


def IsLoopSwitch(op):  # noqa: N802
    """Whether a loop goes on or ends there: its predicate comes from a LoopCond."""
    return IsSwitch(op) and op.inputs[1].op.type == "LoopCond"


def IsCondSwitch(op):  # noqa: N802
    """Whether it is a conditional's: what it feeds leads to a conditional's end, or to no loop's."""
    return IsSwitch(op) and not IsLoopSwitch(op) and bool(op.inputs)


def IsLoopMerge(op):  # noqa: N802
    """Whether what comes into a loop and what goes around meet there."""
    return IsMerge(op) and any(value.op.type in ("NextIteration", "RefNextIteration") for value in op.inputs)


def IsCondMerge(op):  # noqa: N802
    """Whether the branches of a conditional meet there."""
    return IsMerge(op) and not IsLoopMerge(op)


def IsInXLAContext(op):  # noqa: N802
    """False: graphs are compiled as they are."""
    return False


InXlaContext = GraphOrParentsInXlaContext = IsInXLAContext
