"""Activations, dropout, and products with biases."""

from kiln._generated.raw_ops import elu, l2_loss, relu, relu6, selu, softplus, softsign, top_kv2
from kiln._kiln import front as _c
from kiln.compat.v1._deprecations import deprecated_argument, renamed
from kiln.compat.v1._elementwise_ops import sigmoid, tanh
from kiln.compat.v1._reduction_ops import zero_fraction
from kiln.compat.v1.shapes import TensorShape

__all__ = [
    "bias_add", "crelu", "dropout", "elu", "in_top_k", "l2_loss", "leaky_relu", "log_softmax", "relu", "relu6",
    "relu_layer", "selu", "sigmoid", "softmax", "softplus", "softsign", "swish", "tanh", "top_k", "xw_plus_b",
    "zero_fraction",
]  # fmt: skip

_DIM = "dim is deprecated, use axis instead"


def leaky_relu(features, alpha=0.2, name=None):
    """max(features, alpha * features). Source: tf.nn.leaky_relu."""
    return _c.leaky_relu(features, alpha, name)


def crelu(features, name=None, axis=-1):
    """What is above 0, and what is below, negative, behind each other. Source: tf.nn.crelu."""
    return _c.crelu(features, name, axis)


def swish(features):
    """features * sigmoid(features). Source: tf.nn.swish."""
    return _c.swish(features)


def softmax(logits, axis=None, name=None, dim=None):
    """exp(logits) by its sum along the axis, the last one where it is None.

    dim: the older name of axis. Errors: ValueError for an axis that is not there. Source: tf.nn.softmax.
    """
    axis = renamed("ops.nn_ops.softmax", "axis", axis, "dim", dim, _DIM)
    return _c.softmax(logits, axis, name)


def log_softmax(logits, axis=None, name=None, dim=None):
    """log(softmax(logits)). Source: tf.nn.log_softmax."""
    axis = renamed("ops.nn_ops.log_softmax", "axis", axis, "dim", dim, _DIM)
    return _c.log_softmax(logits, axis, name)


def bias_add(value, bias, data_format=None, name=None):
    """value + bias, a vector of the channels. data_format: "N...C", "NC...". Source: tf.nn.bias_add."""
    return _c.bias_add(value, bias, data_format, name)


def xw_plus_b(x, weights, biases, name=None):
    """x * weights + biases, of matrices. Source: tf.nn.xw_plus_b."""
    return _c.xw_plus_b(x, weights, biases, name)


def relu_layer(x, weights, biases, name=None):
    """relu(x * weights + biases). Source: tf.nn.relu_layer."""
    return _c.relu_layer(x, weights, biases, name)


def dropout(x, keep_prob=None, noise_shape=None, seed=None, name=None, rate=None):
    """Elements become 0 with the probability rate, the others are scaled.

    keep_prob: 1 - rate, its older form. noise_shape: of what is drawn; extents of 1 drop whole rows.
    Errors: ValueError for a rate outside of [0, 1), for both or neither, and for integers. Source:
    tf.nn.dropout.
    """
    if keep_prob is None:
        if rate is None:
            raise ValueError("You must provide a rate to dropout.")
        return _c.dropout(x, rate, _extents(noise_shape), seed, name)
    notice = "Please use `rate` instead of `keep_prob`. Rate should be set to `rate = 1 - keep_prob`."
    deprecated_argument("ops.nn_ops.dropout", "keep_prob", notice)
    if rate is not None:
        raise ValueError("Cannot specify both 'keep_prob' and 'rate'")
    if not isinstance(keep_prob, (_c.Tensor, _c.Variable)):
        try:
            1.0 - keep_prob
        except TypeError:
            raise ValueError(f"keep_prob must be a floating point number or Tensor (got {keep_prob!r})") from None
    return _c.dropout_keeping(x, keep_prob, _extents(noise_shape), seed, name)


def _extents(noise_shape):
    """Extents that are None are those of the values."""
    if isinstance(noise_shape, (list, tuple)) and None in list(noise_shape):
        return TensorShape(noise_shape)
    return noise_shape


def in_top_k(predictions, targets, k, name=None):
    """Whether the target of each row is among the k largest. Source: tf.nn.in_top_k."""
    return _c.in_top_k(predictions, targets, k, name)


def top_k(input, k=1, sorted=True, name=None):
    """(values, indices): the k largest of the last axis, the largest first. Source: tf.nn.top_k."""
    return top_kv2(input, k, sorted, name=name)
