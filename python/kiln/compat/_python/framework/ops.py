"""What tf does not show of graphs and names."""

import itertools
import re

_numbers = itertools.count()


class EagerTensor:
    """The type of tensors that have a value at once. There are none."""

    def __new__(cls, *args, **kwargs):
        raise TypeError("Kiln has no eager tensors")


def uid():
    """A number that no other call gives."""
    return next(_numbers)


def executing_eagerly_outside_functions():
    """Returns False."""
    return False


def strip_name_scope(name, export_scope):
    """The name without the scope at its beginning, also of "^name" and "loc:@name"."""
    if not export_scope:
        return name
    scope = re.escape(export_scope.rstrip("/"))
    return re.sub(rf"^(\^|loc:@|){scope}/(.*)", r"\1\2", name, count=1)


def prepend_name_scope(name, import_scope):
    """The name with a scope before it, also of "^name" and "loc:@name"."""
    if not import_scope:
        return name
    scope = import_scope.rstrip("/")
    return re.sub(r"^(\^|loc:@|)(.*)", rf"\1{scope}/\2", name, count=1)
