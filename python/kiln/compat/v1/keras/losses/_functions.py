"""Losses as functions: a number for each example."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K

__all__ = [
    "KLD", "MAE", "MAPE", "MSE", "MSLE", "binary_crossentropy", "categorical_crossentropy",
    "categorical_hinge", "cosine", "cosine_proximity", "cosine_similarity", "hinge", "kld",
    "kullback_leibler_divergence", "logcosh", "mae", "mape", "mean_absolute_error",
    "mean_absolute_percentage_error", "mean_squared_error", "mean_squared_logarithmic_error", "mse",
    "msle", "poisson", "sparse_categorical_crossentropy", "squared_hinge",
]  # fmt: skip


def _pair(y_true, y_pred):
    """Both as tensors of the type of the predictions."""
    y_pred = tf.convert_to_tensor(y_pred)
    return tf.cast(y_true, y_pred.dtype), y_pred


def mean_squared_error(y_true, y_pred):
    y_true, y_pred = _pair(y_true, y_pred)
    return K.mean(tf.squared_difference(y_pred, y_true), axis=-1)


def mean_absolute_error(y_true, y_pred):
    y_true, y_pred = _pair(y_true, y_pred)
    return K.mean(tf.abs(y_pred - y_true), axis=-1)


def mean_absolute_percentage_error(y_true, y_pred):
    y_true, y_pred = _pair(y_true, y_pred)
    shares = tf.abs((y_true - y_pred) / K.clip(tf.abs(y_true), K.epsilon(), None))
    return 100.0 * K.mean(shares, axis=-1)


def mean_squared_logarithmic_error(y_true, y_pred):
    y_true, y_pred = _pair(y_true, y_pred)
    predicted = tf.log(K.clip(y_pred, K.epsilon(), None) + 1.0)
    actual = tf.log(K.clip(y_true, K.epsilon(), None) + 1.0)
    return K.mean(tf.squared_difference(predicted, actual), axis=-1)


def _signs(labels):
    """Labels of 0 and 1 as -1 and 1; others as they are."""
    is_binary = tf.reduce_all(tf.logical_or(tf.equal(labels, 0), tf.equal(labels, 1)))
    return tf.cond(is_binary, lambda: 2.0 * labels - 1.0, lambda: labels)


def hinge(y_true, y_pred):
    y_true, y_pred = _pair(y_true, y_pred)
    return K.mean(tf.maximum(1.0 - _signs(y_true) * y_pred, 0.0), axis=-1)


def squared_hinge(y_true, y_pred):
    y_true, y_pred = _pair(y_true, y_pred)
    return K.mean(tf.square(tf.maximum(1.0 - _signs(y_true) * y_pred, 0.0)), axis=-1)


def categorical_hinge(y_true, y_pred):
    y_true, y_pred = _pair(y_true, y_pred)
    right = tf.reduce_sum(y_true * y_pred, axis=-1)
    wrong = tf.reduce_max((1.0 - y_true) * y_pred, axis=-1)
    return tf.maximum(0.0, wrong - right + 1.0)


def huber_loss(y_true, y_pred, delta=1.0):
    y_pred, y_true = tf.cast(y_pred, K.floatx()), tf.cast(y_true, K.floatx())
    size = tf.abs(tf.subtract(y_pred, y_true))
    squared = tf.minimum(size, delta)
    linear = tf.subtract(size, squared)
    half = tf.convert_to_tensor(0.5, dtype=squared.dtype)
    return tf.add(tf.multiply(half, tf.multiply(squared, squared)), tf.multiply(delta, linear))


def logcosh(y_true, y_pred):
    y_true, y_pred = _pair(y_true, y_pred)
    x = y_pred - y_true
    return K.mean(x + tf.nn.softplus(-2.0 * x) - tf.log(2.0), axis=-1)


def categorical_crossentropy(y_true, y_pred, from_logits=False, label_smoothing=0):
    y_true, y_pred = _pair(y_true, y_pred)
    if label_smoothing:
        classes = tf.cast(tf.shape(y_true)[1], y_pred.dtype)
        y_true = y_true * (1.0 - label_smoothing) + label_smoothing / classes
    return K.categorical_crossentropy(y_true, y_pred, from_logits=from_logits)


def sparse_categorical_crossentropy(y_true, y_pred, from_logits=False, axis=-1):
    return K.sparse_categorical_crossentropy(y_true, y_pred, from_logits=from_logits, axis=axis)


def binary_crossentropy(y_true, y_pred, from_logits=False, label_smoothing=0):
    y_true, y_pred = _pair(y_true, y_pred)
    if label_smoothing:
        y_true = y_true * (1.0 - label_smoothing) + 0.5 * label_smoothing
    return K.mean(K.binary_crossentropy(y_true, y_pred, from_logits=from_logits), axis=-1)


def kullback_leibler_divergence(y_true, y_pred):
    y_true, y_pred = _pair(y_true, y_pred)
    y_true, y_pred = K.clip(y_true, K.epsilon(), 1), K.clip(y_pred, K.epsilon(), 1)
    return tf.reduce_sum(y_true * tf.log(y_true / y_pred), axis=-1)


def poisson(y_true, y_pred):
    y_true, y_pred = _pair(y_true, y_pred)
    return K.mean(y_pred - y_true * tf.log(y_pred + K.epsilon()), axis=-1)


def cosine_similarity(y_true, y_pred, axis=-1):
    """The cosine of the angle, with a minus: -1 where both have one direction."""
    y_true, y_pred = (tf.nn.l2_normalize(each, axis=axis) for each in (y_true, y_pred))
    return -tf.reduce_sum(y_true * y_pred, axis=axis)


mse = MSE = mean_squared_error
mae = MAE = mean_absolute_error
mape = MAPE = mean_absolute_percentage_error
msle = MSLE = mean_squared_logarithmic_error
kld = KLD = kullback_leibler_divergence
cosine = cosine_proximity = cosine_similarity
