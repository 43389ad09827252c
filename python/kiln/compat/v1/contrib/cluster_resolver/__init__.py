"""tf.contrib.cluster_resolver: the addresses of a cluster's tasks.

A program runs in one process here; a resolver tells what it was given, and a session at another
address is an error.
"""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.cluster_resolver._resolvers import (
    ClusterResolver,
    SimpleClusterResolver,
    TFConfigClusterResolver,
    UnionClusterResolver,
)
from kiln.compat.v1.contrib.cluster_resolver._tpu import TPUClusterResolver

__all__ = [
    "ClusterResolver",
    "SimpleClusterResolver",
    "TFConfigClusterResolver",
    "TPUClusterResolver",
    "UnionClusterResolver",
]

__getattr__, __dir__ = _forwarding(__name__, "")
