"""Operations and tensors by regular expressions and conditions."""

import re

from kiln.compat import v1 as tf
from kiln.compat._python.ops.op_selector import make_list_of_op, make_list_of_t


def can_be_regex(obj):
    """Whether it is a text or a regular expression."""
    return isinstance(obj, (str, re.Pattern))


def make_regex(obj):
    """A compiled regular expression. Errors: ValueError for what is none."""
    if not can_be_regex(obj):
        raise ValueError(f"Expected a string or a regex, got: {type(obj)}")
    return re.compile(obj)


def get_tensors(graph):
    """All tensors of a graph. Errors: TypeError for anything else."""
    if not isinstance(graph, tf.Graph):
        raise TypeError(f"Expected a graph, got: {type(graph)}")
    return make_list_of_t(graph)


def inputs_of(ops):
    """The tensors that operations take, each once."""
    return list(dict.fromkeys(t for op in ops for t in op.inputs))


def outputs_of(ops):
    return [t for op in ops for t in op.outputs]


def filter_ts(ops, positive_filter):
    """The tensors that operations take and make, those for which the filter is true, or all where it is True."""
    ops = make_list_of_op(ops)
    ts = dict.fromkeys(inputs_of(ops) + outputs_of(ops))
    return [t for t in ts if positive_filter is True or positive_filter(t)]


def filter_ts_from_regex(ops, regex):
    """The tensors that operations take and make whose names match."""
    regex = make_regex(regex)
    return filter_ts(ops, lambda t: regex.search(t.name))


def filter_ops(ops, positive_filter):
    """The operations for which the filter is true, or all where it is True."""
    return [op for op in make_list_of_op(ops) if positive_filter is True or positive_filter(op)]


def filter_ops_from_regex(ops, regex):
    """The operations whose names match."""
    regex = make_regex(regex)
    return filter_ops(ops, lambda op: regex.search(op.name))


def get_name_scope_ops(ops, scope):
    """The operations of a name scope."""
    return filter_ops_from_regex(ops, f"^{scope.removesuffix('/')}(/.*)?$")


def _selected(args, kwargs, kind, other, by_regex, by_value):
    """The elements that arguments name or are; a regular expression with the mark of the other kind names none."""
    graph, positive_filter = kwargs.pop("graph", None), kwargs.pop("positive_filter", None)
    restricted = kwargs.pop(f"restrict_{kind}_regex", False)
    kwargs.pop(f"restrict_{other}_regex", None)
    if graph is not None and not isinstance(graph, tf.Graph):
        raise TypeError(f"Expected a tf.Graph, got: {type(graph)}")
    for name in kwargs:
        raise ValueError(f"Wrong keywords argument: {name}.")
    found = {}
    for arg in args:
        if not can_be_regex(arg):
            elements = by_value(arg)
        elif graph is None:
            raise ValueError("Use the keyword argument 'graph' to use regex.")
        else:
            regex = make_regex(arg)
            is_meant = not regex.pattern.startswith(f"(?#{other})")
            if restricted:
                is_meant = regex.pattern.startswith(f"(?#{kind})")
            elements = by_regex(graph, regex) if is_meant else ()
        found.update((each, None) for each in elements if positive_filter is None or positive_filter(each))
    return list(found)


def select_ops(*args, **kwargs):
    """The operations that arguments name, as regular expressions, or are, each once.

    graph=: where to look for names. positive_filter=: which to keep. restrict_ops_regex=: whether regular expressions
    have to begin with (?#ops). Those that begin with (?#ts) are passed by, as are tensors. Errors: TypeError,
    ValueError.
    """
    return _selected(
        args, kwargs, "ops", "ts", filter_ops_from_regex, lambda arg: make_list_of_op(arg, ignore_ts=True)
    )


def select_ts(*args, **kwargs):
    """The tensors that arguments name, as regular expressions, or are, each once. As select_ops()."""
    return _selected(
        args, kwargs, "ts", "ops", filter_ts_from_regex, lambda arg: make_list_of_t(arg, ignore_ops=True)
    )


def select_ops_and_ts(*args, **kwargs):
    """The operations and the tensors that arguments name or are; regular expressions of tensors begin with (?#ts)."""
    return (
        select_ops(*args, **kwargs, restrict_ops_regex=False), select_ts(*args, **kwargs, restrict_ts_regex=True)
    )  # fmt: skip
