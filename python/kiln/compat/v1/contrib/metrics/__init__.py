"""tf.contrib.metrics: metrics with predictions first, then labels; most of them are tf.metrics'.

| looking for | it is in |
| --- | --- |
| streaming_* that are functions of tf.metrics | `metric_ops.py` |
| covariance, correlation, what is counted | `_statistics.py` |
| accuracy of one batch | `classification.py` |
"""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.metrics._statistics import *
from kiln.compat.v1.contrib.metrics.classification import *
from kiln.compat.v1.contrib.metrics.metric_ops import *

__getattr__, __dir__ = _forwarding(
    __name__,
    """
    confusion_matrix set_difference=sets.set_difference set_intersection=sets.set_intersection
    set_size=sets.set_size set_union=sets.set_union
    """,
)
