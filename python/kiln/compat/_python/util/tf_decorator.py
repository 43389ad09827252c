"""Decorated functions that remember what they decorate."""

import functools
import inspect


class TFDecorator:
    """A decorator of a function: `decorated_target` is the function, calls go to what decorates
    it.
    """

    def __init__(self, decorator_name, target, decorator_doc="", decorator_argspec=None):
        self._decorated_target = target
        self._decorator_name = decorator_name
        self._decorator_doc = decorator_doc
        self._decorator_argspec = decorator_argspec
        functools.update_wrapper(self, target, updated=())

    def __get__(self, instance, owner):
        return self._decorated_target.__get__(instance, owner)

    def __call__(self, *args, **kwargs):
        return self._decorated_target(*args, **kwargs)

    @property
    def decorated_target(self):
        """The function."""
        return self._decorated_target

    @decorated_target.setter
    def decorated_target(self, target):
        self._decorated_target = target

    @property
    def decorator_name(self):
        """What the decorator is called."""
        return self._decorator_name

    @property
    def decorator_doc(self):
        """What it says of itself."""
        return self._decorator_doc

    @property
    def decorator_argspec(self):
        """The arguments that it takes, where they are not the function's."""
        return self._decorator_argspec


def make_decorator(
    target, decorator_func, decorator_name=None, decorator_doc="", decorator_argspec=None
):
    """Returns decorator_func with the name and the documentation of the target, which unwrap()
    finds behind it.
    """
    if decorator_name is None:
        decorator_name = inspect.currentframe().f_back.f_code.co_name
    decorator = TFDecorator(decorator_name, target, decorator_doc, decorator_argspec)
    decorator_func._tf_decorator = decorator
    for name in ("__name__", "__qualname__", "__module__", "__doc__"):
        if hasattr(target, name):
            setattr(decorator_func, name, getattr(target, name))
    decorator_func.__wrapped__ = target
    decorator_func.__signature__ = inspect.signature(target)
    return decorator_func


def unwrap(maybe_tf_decorator):
    """Returns the list of decorators, the outermost first, and the function inside."""
    decorators, function = [], maybe_tf_decorator
    while True:
        decorator = (
            function
            if isinstance(function, TFDecorator)
            else getattr(function, "_tf_decorator", None)
        )
        if decorator is None:
            return decorators, function
        decorators.append(decorator)
        function = decorator.decorated_target
