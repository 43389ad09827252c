"""tensorflow.contrib.slim.python.slim.data: data sets, decoders of examples, readers."""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding

__getattr__, __dir__ = _forwarding(__name__, "")
