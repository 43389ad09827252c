"""tf.contrib.nccl: sums and other reductions of tensors, whose results every device has.

TensorFlow has them for GPUs. Here all devices are the CPUs of this process, and a reduction is one
of tensors of one memory; the devices of the tensors are kept in the graph.
"""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.nccl._reductions import (
    all_max,
    all_min,
    all_prod,
    all_sum,
    broadcast,
    reduce_sum,
)

__all__ = ["all_max", "all_min", "all_prod", "all_sum", "broadcast", "reduce_sum"]

__getattr__, __dir__ = _forwarding(__name__, "")
