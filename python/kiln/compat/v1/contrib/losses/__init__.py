"""tf.contrib.losses: losses that are added to the collection of losses; and metric_learning.

| looking for | it is in |
| --- | --- |
| the losses before tf.losses, weighted | `loss_ops.py` |
| losses of embeddings | `metric_learning/` |
"""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.losses.loss_ops import *

__getattr__, __dir__ = _forwarding(__name__, "")
