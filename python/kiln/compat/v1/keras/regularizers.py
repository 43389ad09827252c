"""tf.keras.regularizers: losses of weights."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import _objects


class Regularizer:
    """Called with a tensor, it gives a loss. Source: tf.keras.regularizers.Regularizer."""

    def __call__(self, x):
        return 0.0

    @classmethod
    def from_config(cls, config):
        return cls(**config)


class L1L2(Regularizer):
    """l1 times the sum of sizes, l2 times the sum of squares.

    Source: tf.keras.regularizers.L1L2.
    """

    def __init__(self, l1=0.0, l2=0.0):
        self.l1, self.l2 = float(l1), float(l2)

    def __call__(self, x):
        if not self.l1 and not self.l2:
            return tf.constant(0.0)
        total = 0.0
        if self.l1:
            total += tf.reduce_sum(self.l1 * tf.abs(x))
        if self.l2:
            total += tf.reduce_sum(self.l2 * tf.square(x))
        return total

    def get_config(self):
        return {"l1": self.l1, "l2": self.l2}


def l1(l=0.01):  # noqa: E741
    """L1L2 of the sum of sizes alone."""
    return L1L2(l1=l)


def l2(l=0.01):  # noqa: E741
    """L1L2 of the sum of squares alone."""
    return L1L2(l2=l)


def l1_l2(l1=0.01, l2=0.01):
    """L1L2 of both."""
    return L1L2(l1=l1, l2=l2)


serialize = _objects.serialize_keras_object


def _named():
    return globals()


def deserialize(config, custom_objects=None):
    """A regularizer of a configuration."""
    return _objects.deserialize_keras_object(config, globals(), custom_objects, "regularizer")


get = _objects.getter("regularizer", _named)
