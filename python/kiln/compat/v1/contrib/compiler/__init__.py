"""tf.contrib.compiler: xla and jit. Kiln compiles every graph by itself."""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding

__getattr__, __dir__ = _forwarding(__name__, "")
