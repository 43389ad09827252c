"""Which task of the parameter servers a variable is on: strategies for tf.train.replica_device_setter.

tensorflow.contrib.training.python.training.device_setter.
"""

import hashlib

from kiln.compat import v1 as tf

__all__ = ["GreedyLoadBalancingStrategy", "RandomStrategy", "byte_size_load_fn"]


class RandomStrategy:
    """A task that the operation's name and a seed tell. Source: tf.contrib.training.RandomStrategy."""

    def __init__(self, num_ps_tasks, seed=0):
        self._num_tasks, self._seed = num_ps_tasks, seed

    def __call__(self, op):
        digest = hashlib.md5(f"{op.name}_{self._seed}".encode()).hexdigest()
        return int(digest, 16) % self._num_tasks


class GreedyLoadBalancingStrategy:
    """The task with the least load so far. load_fn: the load of an operation.

    Source: tf.contrib.training.GreedyLoadBalancingStrategy.
    """

    def __init__(self, num_tasks, load_fn):
        self._load_fn, self._ps_loads = load_fn, [0.0] * num_tasks

    def __call__(self, op):
        task = min(range(len(self._ps_loads)), key=self._ps_loads.__getitem__)
        self._ps_loads[task] += self._load_fn(op)
        return task


def byte_size_load_fn(op):
    """The bytes of an operation's output. Errors: ValueError. Source: tf.contrib.training.byte_size_load_fn."""
    if len(op.outputs) != 1:
        raise ValueError(f"Op {op} must have a single output")
    output = op.outputs[0]
    shape = output.get_shape()
    if not shape.is_fully_defined():
        # Of a variable whose shape is not checked.
        shape = tf.TensorShape(op.get_attr("shape"))
    shape.assert_is_fully_defined()
    return shape.num_elements() * output.dtype.size
