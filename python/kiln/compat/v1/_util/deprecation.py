"""Notices about what TensorFlow 1.15 calls deprecated, each once, in its words.

Served as tensorflow.python.util.deprecation too: programs set
_PRINT_DEPRECATION_WARNINGS there to be spared of them.
"""

import contextlib
import functools
import sys

from kiln.compat.v1 import logging

_PRINT_DEPRECATION_WARNINGS = True
_said = set()  # what has been said once


def _say(key, warn_once, what):
    """Writes the notice `what` about the call of a wrapper, whose caller is two frames up."""
    if not _PRINT_DEPRECATION_WARNINGS or key in _said:
        return
    if warn_once:
        _said.add(key)
    frame = sys._getframe(2)
    logging.warning("From %s:%s: %s", frame.f_code.co_filename, frame.f_lineno, what)


def _removed(date, instructions):
    """Returns the end of a notice."""
    when = "in a future version" if date is None else f"after {date}"
    return f"is deprecated and will be removed {when}.\nInstructions for updating:\n{instructions}"


def deprecated(date, instructions, warn_once=True, *, module=None):
    """Returns a decorator of functions and classes that says that they are deprecated.

    date: "2019-01-31", or None for a future version. instructions: what to do instead.
    warn_once: whether only the first call says it. module: where TensorFlow has it,
    which the notice names. A class says it when it is instantiated.

    Source: tensorflow.python.util.deprecation.deprecated.
    """
    end = _removed(date, instructions)

    def decorate(target):
        function = target.__init__ if isinstance(target, type) else target
        what = f"{function.__qualname__} (from {module or target.__module__}) {end}"

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            _say(function, warn_once, what)
            return function(*args, **kwargs)

        if target is function:
            return wrapper
        target.__init__ = wrapper
        return target

    return decorate


def _parameters(function):
    """Returns the names of a function's parameters, *args and **kwargs left out."""
    code = function.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _given(function, names, args, kwargs):
    """Returns the arguments of a call that are given for some of the parameters, by name."""
    given = {name: value for name, value in zip(_parameters(function), args) if name in names}
    given.update((name, kwargs[name]) for name in names if name in kwargs)
    return given


def _same(left, right):
    if left is right:
        return True
    equal = left == right
    return equal if isinstance(equal, bool) else False


def deprecated_args(date, instructions, *names, warn_once=True, module=None):
    """Returns a decorator that says of arguments, where they are given, that they are deprecated.

    names: each the name of a parameter, or a pair of name and a value that may be given.

    Errors: ValueError for no name, and for one that the function does not have. Source:
    tensorflow.python.util.deprecation.deprecated_args.
    """
    allowed = dict(name if isinstance(name, tuple) else (name, _say) for name in names)
    if not allowed:
        raise ValueError("Specify which argument is deprecated.")
    end = _removed(date, instructions)

    def decorate(function):
        missing = [name for name in allowed if name not in _parameters(function)]
        if missing:
            raise ValueError(
                "The following deprecated arguments are not present in the function signature: "
                f"{missing}. Expected arguments from the following list: "
                f"{list(_parameters(function))}."
            )
        what = f"calling {function.__qualname__} (from {module or function.__module__}) with"

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            for name, value in _given(function, allowed, args, kwargs).items():
                if not _same(value, allowed[name]):
                    _say((function, name), warn_once, f"{what} {name} {end}")
            return function(*args, **kwargs)

        return wrapper

    return decorate


def deprecated_arg_values(date, instructions, warn_once=True, *, module=None, **deprecated_kwargs):
    """Returns a decorator that says of some values of arguments that they are deprecated.

    An argument that is not given counts with its default. Source:
    tensorflow.python.util.deprecation.deprecated_arg_values.
    """
    if not deprecated_kwargs:
        raise ValueError("Specify which argument values are deprecated.")
    end = _removed(date, instructions)

    def decorate(function):
        what = f"calling {function.__qualname__} (from {module or function.__module__}) with"
        names = _parameters(function)
        positional = names[: function.__code__.co_argcount]
        defaults = dict(zip(reversed(positional), reversed(function.__defaults__ or ())))
        defaults.update(function.__kwdefaults__ or {})
        defaults = {name: value for name, value in defaults.items() if name in deprecated_kwargs}

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            for name, value in (
                defaults | _given(function, deprecated_kwargs, args, kwargs)
            ).items():
                if _same(value, deprecated_kwargs[name]):
                    _say((function, name), warn_once, f"{what} {name}={value} {end}")
            return function(*args, **kwargs)

        return wrapper

    return decorate


def deprecated_alias(deprecated_name, name, func_or_class, warn_once=True):
    """Returns a function or class that does the same and says that its name is an old one.

    Source: tensorflow.python.util.deprecation.deprecated_alias.
    """
    what = f"The name {deprecated_name} is deprecated. Please use {name} instead.\n"
    function = func_or_class.__init__ if isinstance(func_or_class, type) else func_or_class

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        _say((function, deprecated_name), warn_once, what)
        return function(*args, **kwargs)

    if function is func_or_class:
        return wrapper
    return type(
        func_or_class.__name__,
        (func_or_class,),
        {"__init__": wrapper, "__doc__": func_or_class.__doc__},
    )


def deprecated_endpoints(*names):
    """Returns a decorator that keeps old names of a symbol with it, as _tf_deprecated_api_names.

    Source: tensorflow.python.util.deprecation.deprecated_endpoints.
    """

    def decorate(symbol):
        symbol._tf_deprecated_api_names = names
        return symbol

    return decorate


def deprecated_argument_lookup(new_name, new_value, old_name, old_value):
    """Returns the value of an argument that has an old and a new name.

    Errors: ValueError where both are given. Source:
    tensorflow.python.util.deprecation.deprecated_argument_lookup.
    """
    if old_value is None:
        return new_value
    if new_value is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'.")
    return old_value


def rewrite_argument_docstring(old_doc, old_argument, new_argument):
    """Returns a docstring with an argument's name replaced.

    Source: tensorflow.python.util.deprecation.rewrite_argument_docstring.
    """
    if old_doc is None:
        return None
    quoted = old_doc.replace(f"`{old_argument}`", f"`{new_argument}`")
    return quoted.replace(f"{old_argument}:", f"{new_argument}:")


@contextlib.contextmanager
def silence():
    """A context in which no notice is written.

    Source: tensorflow.python.util.deprecation.silence.
    """
    global _PRINT_DEPRECATION_WARNINGS
    before, _PRINT_DEPRECATION_WARNINGS = _PRINT_DEPRECATION_WARNINGS, False
    try:
        yield
    finally:
        _PRINT_DEPRECATION_WARNINGS = before
