"""Names of a part of tf.contrib that stand elsewhere, and are looked up when they are asked for."""

import functools
import importlib
import sys

from kiln.compat._missing import missing_name


def forwarding(module, table):
    """The functions `__getattr__` and `__dir__` for a module, whose own submodules are found too.

    table: pairs "NAME=PATH", separated by spaces: NAME is what stands at PATH below tf; a plain
    "NAME" stands for the name below tf itself.
    """
    paths = {}
    for word in table.split():
        name, _, path = word.partition("=")
        paths[name] = path or name

    def __getattr__(name):
        if name in paths:
            front = importlib.import_module("kiln.compat.v1")
            value = functools.reduce(_member, paths[name].split("."), front)
        else:
            value = submodule(module, name)
            if value is None:
                raise missing_name(module, name)
        setattr(sys.modules[module], name, value)
        return value

    def __dir__():
        own = (name for name in vars(sys.modules[module]) if not name.startswith("__"))
        return sorted({*own, *paths})

    return __getattr__, __dir__


def _member(holder, name):
    """What a module has, or the module of that name below it."""
    if name not in vars(holder):
        try:
            return importlib.import_module(f"{holder.__name__}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{holder.__name__}.{name}":
                raise
    return getattr(holder, name)


def submodule(module, name):
    """The module NAME below a package; None where there is none."""
    path = f"{module}.{name}"
    if name.startswith("_") or not hasattr(sys.modules[module], "__path__"):
        return None
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError as error:
        if error.name != path:
            raise
        return None
