"""Initializers of weights whose variance does not grow or shrink from layer to layer."""

import math

from kiln.compat import v1 as tf

__all__ = ["variance_scaling_initializer", "xavier_initializer", "xavier_initializer_conv2d"]


def xavier_initializer(uniform=True, seed=None, dtype=tf.float32):
    """Random numbers of variance 2 / (inputs + outputs): Glorot's, also called Xavier's.

    uniform: evenly in a range, otherwise normally. Errors: TypeError for a dtype that is not of
    floating point. Source: tf.contrib.layers.xavier_initializer.
    """
    return variance_scaling_initializer(
        factor=1.0, mode="FAN_AVG", uniform=uniform, seed=seed, dtype=dtype
    )


xavier_initializer_conv2d = xavier_initializer


def variance_scaling_initializer(
    factor=2.0, mode="FAN_IN", uniform=False, seed=None, dtype=tf.float32
):
    """Random numbers of variance factor / n.

    mode: what n is: "FAN_IN": the inputs of a unit, "FAN_OUT": the outputs of one, "FAN_AVG":
    their mean. uniform: evenly in a range, otherwise normally, cut at two standard deviations
    (for which the variance is 1.3 * factor / n before).

    Errors: TypeError. Source: tf.contrib.layers.variance_scaling_initializer.
    """
    _check_floating(dtype)
    if mode not in ["FAN_IN", "FAN_OUT", "FAN_AVG"]:
        raise TypeError(f"Unknown mode {mode} [FAN_IN, FAN_OUT, FAN_AVG]")

    def _initializer(shape, dtype=dtype, partition_info=None):
        _check_floating(dtype)
        fan_in, fan_out = _fans([float(extent) for extent in shape])
        n = {"FAN_IN": fan_in, "FAN_OUT": fan_out, "FAN_AVG": (fan_in + fan_out) / 2.0}[mode]
        if uniform:
            limit = math.sqrt(3.0 * factor / n)
            return tf.random_uniform(shape, -limit, limit, dtype, seed=seed)
        stddev = math.sqrt(1.3 * factor / n)
        return tf.truncated_normal(shape, 0.0, stddev, dtype, seed=seed)

    return _initializer


def _check_floating(dtype):
    if not dtype.is_floating:
        raise TypeError("Cannot create initializer for non-floating point type.")


def _fans(shape):
    """The inputs and the outputs of a unit, of weights of a shape."""
    if not shape:
        return 1.0, 1.0
    window = math.prod(shape[:-2])
    return window * (shape[-2] if len(shape) > 1 else shape[-1]), window * shape[-1]
