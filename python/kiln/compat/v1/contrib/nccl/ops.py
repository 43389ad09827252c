"""tensorflow.contrib.nccl.ops: the module of its operations."""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.nccl import _reductions as gen_nccl_ops

__getattr__, __dir__ = _forwarding(__name__, "")
