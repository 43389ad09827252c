"""The arguments of functions."""

import functools

from kiln.compat._python.util import tf_inspect


def fn_args(fn):
    """The names of a function's arguments, without `self` and those that a partial has bound."""
    if isinstance(fn, functools.partial):
        bound = len(fn.args)
        return tuple(name for name in fn_args(fn.func)[bound:] if name not in fn.keywords)
    if not tf_inspect.isroutine(fn) and not isinstance(fn, type) and hasattr(fn, "__call__"):
        fn = fn.__call__
    names = list(tf_inspect.getfullargspec(fn).args)
    if tf_inspect.ismethod(fn) and names:
        names.pop(0)
    return tuple(names)


def has_kwargs(fn):
    """Whether a function takes arguments of any name."""
    if isinstance(fn, functools.partial):
        fn = fn.func
    elif not tf_inspect.isroutine(fn) and not isinstance(fn, type) and hasattr(fn, "__call__"):
        fn = fn.__call__
    elif not callable(fn):
        raise TypeError(
            f"Argument `fn` should be a callable. Received: fn={fn} (of type {type(fn)})"
        )
    return tf_inspect.getfullargspec(fn).varkw is not None


def get_func_name(func):
    """The name of a function, of what a partial binds, or of the class of a callable."""
    function = tf_inspect.tf_decorator.unwrap(func)[1]
    if isinstance(function, functools.partial):
        return get_func_name(function.func)
    return getattr(function, "__name__", None) or str(type(function))
