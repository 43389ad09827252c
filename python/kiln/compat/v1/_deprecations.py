"""Notices about what TensorFlow 1.15 calls deprecated in the core, each once, in its words."""

import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))
_said = set()


def deprecated(function, instructions, date=None):
    """Says that a function is deprecated. function: "ops.math_ops.to_float", as TensorFlow has it."""
    module, _, name = function.rpartition(".")
    _say(function, f"{name} (from tensorflow.python.{module})", instructions, date)


def deprecated_argument(function, argument, instructions, date=None):
    """Says that an argument that was given is deprecated."""
    module, _, name = function.rpartition(".")
    what = f"calling {name} (from tensorflow.python.{module}) with {argument}"
    _say((function, argument), what, instructions, date)


def renamed(function, new_name, new, old_name, old, instructions=None):
    """The value of an argument that has an old name, too; instructions: what the notice says of that.

    Errors: ValueError where both are given.
    """
    if old is None:
        return new
    if instructions:
        deprecated_argument(function, old_name, instructions)
    if new is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'.")
    return old


def _say(key, what, instructions, date):
    if key in _said:
        return
    from kiln.compat.v1 import logging
    from kiln.compat.v1._util import deprecation

    if not deprecation._PRINT_DEPRECATION_WARNINGS:
        return
    _said.add(key)
    frame = sys._getframe(2)
    while frame.f_back and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
    when = "in a future version" if date is None else f"after {date}"
    logging.warning(
        "From %s:%s: %s is deprecated and will be removed %s.\nInstructions for updating:\n%s",
        frame.f_code.co_filename, frame.f_lineno, what, when, instructions,
    )  # fmt: skip
