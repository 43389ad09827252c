"""tf.contrib.learn: what programs use of it beside its estimators."""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding

__getattr__, __dir__ = _forwarding(__name__, "")
