"""Regularizers: functions that give a loss for weights."""

import numbers

from kiln.compat import v1 as tf
from kiln.compat.v1 import logging

__all__ = [
    "apply_regularization",
    "l1_l2_regularizer",
    "l1_regularizer",
    "l2_regularizer",
    "sum_regularizer",
]


def _norm_regularizer(scale, scope, default_name, norm, end):
    """A function that gives scale * norm(weights)."""
    if isinstance(scale, numbers.Integral):
        raise ValueError(f"scale cannot be an integer: {scale}")
    if isinstance(scale, numbers.Real):
        if scale < 0.0:
            raise ValueError(f"Setting a scale less than 0 on a regularizer: {scale:g}{end}")
        if scale == 0.0:
            logging.info("Scale of 0 disables regularizer.")
            return lambda _: None

    def regularizer(weights, name=None):
        with tf.name_scope(scope, default_name, [weights]) as name:
            factor = tf.convert_to_tensor(scale, dtype=weights.dtype.base_dtype, name="scale")
            return tf.multiply(factor, norm(weights), name=name)

    return regularizer


def l1_regularizer(scale, scope=None):
    """A function that gives scale * sum(|weights|).

    scale: a float, at which 0. means no loss, or a tensor. Errors: ValueError. Source:
    tf.contrib.layers.l1_regularizer.
    """
    return _norm_regularizer(
        scale, scope, "l1_regularizer", lambda weights: tf.reduce_sum(tf.abs(weights)), ""
    )


def l2_regularizer(scale, scope=None):
    """A function that gives scale * sum(weights ** 2) / 2.

    scale: a float, at which 0. means no loss, or a tensor. Errors: ValueError. Source:
    tf.contrib.layers.l2_regularizer.
    """
    return _norm_regularizer(scale, scope, "l2_regularizer", lambda weights: tf.nn.l2_loss(weights), ".")


def l1_l2_regularizer(scale_l1=1.0, scale_l2=1.0, scope=None):
    """A function that gives the sum of l1_regularizer's and l2_regularizer's losses.

    Errors: ValueError. Source: tf.contrib.layers.l1_l2_regularizer.
    """
    if isinstance(scale_l1, numbers.Integral):
        raise ValueError(f"scale_l1 cannot be an integer: {scale_l1}")
    if isinstance(scale_l2, numbers.Integral):
        raise ValueError(f"scale_l2 cannot be an integer: {scale_l2}")
    scope = scope or "l1_l2_regularizer"
    if scale_l1 == 0.0:
        return l2_regularizer(scale_l2, scope)
    if scale_l2 == 0.0:
        return l1_regularizer(scale_l1, scope)
    return sum_regularizer([l1_regularizer(scale_l1), l2_regularizer(scale_l2)], scope=scope)


def sum_regularizer(regularizer_list, scope=None):
    """A function that gives the sum of the losses of several; None for none.

    Source: tf.contrib.layers.sum_regularizer.
    """
    regularizers = [each for each in regularizer_list if each is not None]
    if not regularizers:
        return None

    def sum_reg(weights):
        with tf.name_scope(scope, "sum_regularizer", [weights]) as name:
            losses = [loss for loss in (each(weights) for each in regularizers) if loss is not None]
            return tf.add_n(losses, name=name) if losses else None

    return sum_reg


def apply_regularization(regularizer, weights_list=None):
    """The sum of a regularizer's losses, which is added to the regularization losses.

    weights_list: tensors or variables; those in the collection of weights where it is empty.
    Errors: ValueError. Source: tf.contrib.layers.apply_regularization.
    """
    weights_list = weights_list or tf.get_collection(tf.GraphKeys.WEIGHTS)
    if not weights_list:
        raise ValueError("No weights to regularize.")
    with tf.name_scope("get_regularization_penalty", values=weights_list) as scope:
        penalties = [regularizer(weights) for weights in weights_list]
        penalties = [tf.constant(0.0) if each is None else each for each in penalties]
        for penalty in penalties:
            if penalty.get_shape().ndims != 0:
                raise ValueError(
                    "regularizer must return a scalar Tensor instead of a Tensor with rank "
                    f"{penalty.get_shape().ndims}."
                )
        total = tf.add_n(penalties, name=scope)
        tf.add_to_collection(tf.GraphKeys.REGULARIZATION_LOSSES, total)
        return total
