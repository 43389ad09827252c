"""Choices that are made while the graph is built where the predicates are known."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.framework import smart_constant_value


def smart_case(pred_fn_pairs, default=None, exclusive=False, name="smart_case"):
    """What the function of the first true predicate gives. Predicates that are known decide at once;
    of the others tf.case() is built.

    pred_fn_pairs: (predicate, function) pairs, or a dict. **Errors**: TypeError; ValueError where
    all are known to be false and there is no default.
    """
    open_pairs = []
    for pred, function in (
        pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs
    ):
        value = smart_constant_value(pred)
        if value is None:
            open_pairs.append((pred, function))
        elif value:
            default = function
            break
    if open_pairs:
        return tf.case(open_pairs, default=default, exclusive=exclusive, name=name)
    if default is None:
        raise ValueError("No predicate is true, and there is no `default`.")
    return default()
