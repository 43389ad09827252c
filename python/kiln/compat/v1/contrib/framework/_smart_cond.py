"""Conditions that are decided while the graph is built, where they can be."""

from kiln.compat import v1 as tf

__all__ = ["smart_cond", "smart_constant_value"]


def smart_constant_value(pred):
    """A bool, or None where only the run knows it. Errors: TypeError.

    Source: tf.contrib.framework.smart_constant_value.
    """
    if isinstance(pred, tf.Tensor):
        return tf.get_static_value(pred)
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
