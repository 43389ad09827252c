"""The module inspect, which looks through TFDecorators."""

import collections
import inspect
from inspect import *  # noqa: F403

from kiln.compat._python.util import tf_decorator

ArgSpec = collections.namedtuple("ArgSpec", ["args", "varargs", "keywords", "defaults"])


def _function(obj):
    return tf_decorator.unwrap(obj)[1]


def getfullargspec(obj):
    """inspect.getfullargspec() of what is decorated, or of the arguments that a decorator
    declares.
    """
    declared = [
        d.decorator_argspec for d in tf_decorator.unwrap(obj)[0] if d.decorator_argspec is not None
    ]
    return declared[0] if declared else inspect.getfullargspec(_function(obj))


def getargspec(obj):
    """The arguments as in Python 2: an ArgSpec. **Errors**: ValueError for keyword-only ones."""
    spec = getfullargspec(obj)
    if getattr(spec, "kwonlyargs", None):
        raise ValueError("Function has keyword-only parameters, use getfullargspec()")
    return ArgSpec(
        spec.args,
        spec.varargs,
        spec.varkw if hasattr(spec, "varkw") else spec.keywords,
        spec.defaults,
    )


def _through(name):
    plain = getattr(inspect, name)

    def of_the_function(obj, *args, **kwargs):
        return plain(_function(obj), *args, **kwargs)

    of_the_function.__name__ = name
    of_the_function.__doc__ = f"inspect.{name}() of what is decorated."
    return of_the_function


def getcallargs(*func_and_positional, **named):
    """inspect.getcallargs() of what is decorated."""
    return inspect.getcallargs(_function(func_and_positional[0]), *func_and_positional[1:], **named)


for _name in (
    "getdoc",
    "getfile",
    "getmodule",
    "getsource",
    "getsourcefile",
    "getsourcelines",
    "isfunction",
    "isgeneratorfunction",
    "ismethod",
    "isroutine",
    "signature",
):
    globals()[_name] = _through(_name)
