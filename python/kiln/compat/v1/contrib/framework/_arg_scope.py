"""arg_scope: default arguments for the calls of some functions inside of a context."""

import contextlib
import functools

__all__ = [
    "add_arg_scope",
    "arg_scope",
    "arg_scope_func_key",
    "arg_scoped_arguments",
    "current_arg_scope",
    "has_arg_scope",
]

# The scopes that are open, the innermost last. A scope is a dict from the keys of functions to
# dicts of their arguments.
_stack = [{}]
# The keys of the functions that were decorated, with the names of their arguments with defaults.
_decorated = {}


def current_arg_scope():
    """The innermost scope: a dict from keys of functions to dicts of arguments.

    Source: tf.contrib.framework.current_arg_scope.
    """
    return _stack[-1]


def arg_scope_func_key(op):
    """The key of a function in a scope. Source: tf.contrib.slim.arg_scope_func_key."""
    return getattr(op, "_key_op", str(op))


@contextlib.contextmanager
def arg_scope(list_ops_or_scope, **kwargs):
    """A context in which calls of functions take these arguments where they give none themselves.

    list_ops_or_scope: a list of functions that were decorated by add_arg_scope, whose arguments
    kwargs are; or a scope that an earlier context gave, which stands for all that is open here.
    Gives the scope.

    Errors: TypeError, ValueError for a function that is not decorated, and for arguments beside
    a scope. Source: tf.contrib.framework.arg_scope.
    """
    if isinstance(list_ops_or_scope, dict):
        if kwargs:
            raise ValueError(
                "When attempting to re-use a scope by suppling adictionary, kwargs must be empty."
            )
        scope = dict(list_ops_or_scope)
    elif isinstance(list_ops_or_scope, (list, tuple)):
        scope = dict(current_arg_scope())
        for op in list_ops_or_scope:
            if not has_arg_scope(op):
                raise ValueError(
                    "%s is not decorated with @add_arg_scope", (op.__module__, op.__name__)
                )
            key = arg_scope_func_key(op)
            scope[key] = {**scope.get(key, {}), **kwargs}
    else:
        raise TypeError("list_ops_or_scope must either be a list/tuple or reused scope (i.e. dict)")
    _stack.append(scope)
    try:
        yield scope
    finally:
        _stack.pop()


def add_arg_scope(func):
    """Makes a function one that arg_scope gives arguments to; a decorator.

    Source: tf.contrib.framework.add_arg_scope.
    """
    key = arg_scope_func_key(func)

    @functools.wraps(func)
    def func_with_args(*args, **kwargs):
        defaults = _stack[-1].get(key)
        if defaults:
            kwargs = {**defaults, **kwargs}
        return func(*args, **kwargs)

    code = func.__code__
    with_default = len(func.__defaults__ or ())
    _decorated[key] = code.co_varnames[code.co_argcount - with_default : code.co_argcount]
    func_with_args._key_op = key
    return func_with_args


def has_arg_scope(func):
    """Whether add_arg_scope has decorated a function. Source: tf.contrib.framework.has_arg_scope."""
    return arg_scope_func_key(func) in _decorated


def arg_scoped_arguments(func):
    """The names of the arguments that arg_scope can give a decorated function.

    Difference: TensorFlow leaves out some of a function that has local variables. Source:
    tf.contrib.framework.arg_scoped_arguments.
    """
    assert has_arg_scope(func)
    return _decorated[arg_scope_func_key(func)]
