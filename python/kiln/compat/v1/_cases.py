"""tf.case as a chain of conditionals, and the arguments of tf.switch_case."""

import collections
import functools

from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._graph_functions import name_scope


def chained(cond, pred_fn_pairs, default, exclusive, strict, name):
    """tf.case."""
    predicates, functions = _pairs(pred_fn_pairs, exclusive, name)
    with name_scope(name, "case"):
        if default is None:
            default, predicates, functions = _checked_last(predicates, functions)
        chain = default
        for predicate, function in reversed(list(zip(predicates, functions))):
            chain = functools.partial(cond, predicate, function, chain, strict)
        if not exclusive:
            return chain()
        with _c_controls([_assert_at_most(predicates, 1, "Input error: exclusive=True")]):
            return chain()


def _c_controls(inputs):
    from kiln.compat.v1._graph import get_default_graph

    return get_default_graph().control_dependencies(inputs)


def _pairs(pred_fn_pairs, exclusive, name):
    if not isinstance(pred_fn_pairs, (list, tuple, dict)):
        raise TypeError(f"'pred_fn_pairs' must be a list, tuple, or dict. Received: {type(pred_fn_pairs)}")
    if isinstance(pred_fn_pairs, collections.OrderedDict):
        pred_fn_pairs = pred_fn_pairs.items()
    elif isinstance(pred_fn_pairs, dict):
        pred_fn_pairs = sorted(pred_fn_pairs.items(), key=lambda pair: pair[0].name)
        if not exclusive:
            from kiln.compat.v1 import logging

            logging.warn(
                "%s: An unordered dictionary of predicate/fn pairs was provided, but exclusive=False. "
                "The order of conditional tests is deterministic but not guaranteed.", name,
            )  # fmt: skip
    for pair in pred_fn_pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"Each entry in 'pred_fn_pairs' must be a 2-tuple. Received {pair}.")
        predicate, function = pair
        if not isinstance(predicate, _c.Tensor):
            raise TypeError(f"pred must be a Tensor, got: {predicate}")
        if predicate.dtype != dtypes.bool:
            raise TypeError(f"pred must be Tensor of type bool: {predicate.name}")
        if not callable(function):
            raise TypeError(f"fn for pred {predicate.name} must be callable.")
    predicates, functions = zip(*pred_fn_pairs)
    return list(predicates), list(functions)


def _assert_at_most(predicates, count, message):
    """An assertion that so many predicates hold, or fewer."""
    predicates_names = ", ".join(predicate.name for predicate in predicates)
    stacked = _c.stack(predicates, 0, "preds_c")
    true = _c.reduce_sum(_c.cast(stacked, dtypes.int32), None, None, "num_true_conds")
    from kiln._generated.raw_ops import less_equal

    condition = less_equal(true, _c.constant(count, None, None, "n_true_conds"))
    text = f"{message}: more than {count} conditions ({predicates_names}) evaluated as True:"
    return _c.assert_that(condition, [text, stacked], len(predicates))


def _checked_last(predicates, functions):
    """The last function in place of a default, behind assertions that its predicate alone holds."""
    *others, predicate = predicates
    *other_functions, function = functions

    def default():
        alone = (
            f"Implementation error: selected default action #{len(others)} was called, but some of other "
            "predicates are True: "
        )
        none = "Input error: None of conditions evaluated as True:"
        shown = _c.stack(predicates, 0, "preds_c")
        checks = [_assert_at_most(others, 0, alone), _c.assert_that(predicate, [none, shown])]
        with _c_controls(checks):
            return function()

    return default, others, other_functions


def indexed(branch_index, branch_fns, default):
    """The functions of tf.switch_case in order, and what stands for any other index."""
    if not isinstance(branch_index, _c.Tensor):
        raise TypeError(f"'branch_index' must be a Tensor, got {type(branch_index)}")
    if not branch_index.dtype.is_integer:
        raise TypeError(f"'branch_index' must be an integer Tensor, got {branch_index.dtype}")
    if not branch_fns:
        raise ValueError("Must provide at least one item in 'branch_fns'")
    if not isinstance(branch_fns, (list, tuple, dict)):
        raise TypeError("'branch_fns' must be a list, tuple, or dict")
    pairs = list(branch_fns.items() if isinstance(branch_fns, dict) else branch_fns)
    if all(callable(function) for function in pairs):
        pairs = list(enumerate(pairs))
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"Each entry in 'branch_fns' must be a 2-tuple. Received {pair}.")
        key, function = pair
        if not isinstance(key, int):
            raise TypeError(f"key must be a Python `int`, got {type(key)}")
        if not callable(function):
            raise TypeError(f"fn for key {key} must be callable.")
    keys = [key for key, _ in pairs]
    if sorted(keys) != list(range(len(keys))):
        found = ",".join(map(str, sorted(keys)))
        raise ValueError(
            f"branch indices (keys) must form contiguous range of [0 to {len(keys)}) but found {{{found}}}"
        )
    return [function for _, function in sorted(pairs, key=lambda pair: pair[0])], default
