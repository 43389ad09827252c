"""Activations by the names that programs give layers. Source: tf.keras.activations."""

from kiln._kiln import front as _c
from kiln._generated import raw_ops as _ops
from kiln.compat.v1.layers._named import linear

relu, elu, selu, softplus, softsign = _ops.relu, _ops.elu, _ops.selu, _ops.softplus, _ops.softsign
tanh, sigmoid, exponential = _ops.tanh, _ops.sigmoid, _ops.exp


def softmax(x, axis=-1):
    return _c.softmax(x, axis)


def hard_sigmoid(x):
    """A line from 0 at -2.5 to 1 at 2.5."""
    return _c.clip_by_value(x * 0.2 + 0.5, 0.0, 1.0)
