"""tf.contrib.memory_stats: operations that tell how much memory is used.

TensorFlow has them for the memory of GPUs. Kiln computes in the memory of the process, and tells
what the operating system says of that.
"""

import os
import resource

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib._forward import forwarding as _forwarding

_PAGE = os.sysconf("SC_PAGE_SIZE")


def _in_use():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * _PAGE


def _most():
    return max(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, _in_use())


def _operation(read, name):
    import numpy as np

    return tf.py_func(lambda: np.int64(read()), [], tf.int64, name=name)


def BytesInUse():  # noqa: N802, TensorFlow's name
    """The bytes of memory that the process uses. Source: tf.contrib.memory_stats.BytesInUse."""
    return _operation(_in_use, "BytesInUse")


def BytesLimit():  # noqa: N802, TensorFlow's name
    """The bytes of memory that the machine has. Source: tf.contrib.memory_stats.BytesLimit."""
    return _operation(lambda: os.sysconf("SC_PHYS_PAGES") * _PAGE, "BytesLimit")


def MaxBytesInUse():  # noqa: N802, TensorFlow's name
    """The most bytes that the process has used. Source: tf.contrib.memory_stats.MaxBytesInUse."""
    return _operation(_most, "MaxBytesInUse")


__getattr__, __dir__ = _forwarding(__name__, "")
