"""Conditionals that call functions."""

from kiln.compat import v1 as tf
from kiln.compat._python.ops._functions import with_functions


@with_functions
def cond_v2(pred, true_fn, false_fn, name="cond"):
    """What the one or the other function gives, by an If."""
    return tf.cond(pred, true_fn, false_fn, strict=True, name=name)


@with_functions
def indexed_case(branch_index, branch_fns, name="indexed_case", lower_using_switch_merge=None):
    """What the function of an index gives, by a Case; the last one of any other index."""
    return tf.switch_case(branch_index, list(branch_fns), name=name)
