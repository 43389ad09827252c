"""Conditionals and loops as functions, whatever the program has chosen."""

import functools

from kiln._kiln import front as _c


def with_functions(function):
    """A decorator: while the function builds, conditionals and loops call functions."""

    @functools.wraps(function)
    def decorated(*args, **kwargs):
        before = _c.control_flow_v2_enabled()
        _c.enable_control_flow_v2(True)
        try:
            return function(*args, **kwargs)
        finally:
            _c.enable_control_flow_v2(before)

    return decorated
