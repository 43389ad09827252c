"""tf.contrib: what programs of TensorFlow 1 use of it. Each part is imported when it is asked for."""

import pkgutil as _pkgutil

from kiln.compat.v1.contrib._forward import forwarding as _forwarding

__getattr__, _ = _forwarding(__name__, "")


def __dir__():
    return sorted(each.name for each in _pkgutil.iter_modules(__path__) if each.name[0] != "_")
