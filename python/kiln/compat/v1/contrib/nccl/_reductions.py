"""Reductions of tensors of several devices."""

import functools

from kiln.compat import v1 as tf

_REDUCTIONS = {
    "sum": tf.add_n,
    "prod": lambda tensors: functools.reduce(tf.multiply, tensors),
    "min": lambda tensors: functools.reduce(tf.minimum, tensors),
    "max": lambda tensors: functools.reduce(tf.maximum, tensors),
}


def _check_device(tensor):
    if not tensor.device:
        raise ValueError("Device assignment required for nccl collective ops")


def _all_reduce(reduction, tensors):
    """A tensor for each, on its device. Errors: ValueError for one without a device."""
    if not tensors:
        raise ValueError("Must pass >0 tensors to all reduce operations")
    for tensor in tensors:
        _check_device(tensor)
    with tf.device(tensors[0].device):
        reduced = _REDUCTIONS[reduction](tensors)
    results = []
    for tensor in tensors:
        with tf.device(tensor.device):
            results.append(tf.identity(reduced, name="NcclAllReduce"))
    return results


def all_sum(tensors):
    """The sum of tensors, for each of their devices. Source: tf.contrib.nccl.all_sum."""
    return _all_reduce("sum", tensors)


def all_prod(tensors):
    """The product of tensors, for each of their devices. Source: tf.contrib.nccl.all_prod."""
    return _all_reduce("prod", tensors)


def all_min(tensors):
    """The least elements, for each of the devices. Source: tf.contrib.nccl.all_min."""
    return _all_reduce("min", tensors)


def all_max(tensors):
    """The greatest elements, for each of the devices. Source: tf.contrib.nccl.all_max."""
    return _all_reduce("max", tensors)


def reduce_sum(tensors):
    """The sum of tensors, on the first one's device. Source: tf.contrib.nccl.reduce_sum."""
    if not tensors:
        raise ValueError("Must pass >0 tensors to reduce operations")
    for tensor in tensors:
        _check_device(tensor)
    with tf.device(tensors[0].device):
        return tf.add_n(tensors, name="NcclReduce")


def broadcast(tensor):
    """A tensor that operations on other devices can take. Source: tf.contrib.nccl.broadcast."""
    _check_device(tensor)
    with tf.device(tensor.device):
        return tf.identity(tensor, name="NcclBroadcast")
