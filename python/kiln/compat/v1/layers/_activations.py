"""Activations by the names that programs give layers. Source: tf.keras.activations."""

from kiln._generated.raw_ops import exp as exponential
from kiln._kiln import front as _c
from kiln.compat.v1.layers._named import linear
from kiln.compat.v1.nn import elu, relu, selu, sigmoid, softmax, softplus, softsign, tanh


def hard_sigmoid(x):
    """A line from 0 at -2.5 to 1 at 2.5."""
    return _c.clip_by_value(x * 0.2 + 0.5, 0.0, 1.0)
