"""Metrics as functions: a number for each example."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras.losses._functions import (
    KLD as KLD,
    MAE as MAE,
    MAPE as MAPE,
    MSE as MSE,
    MSLE as MSLE,
    binary_crossentropy as binary_crossentropy,
    categorical_crossentropy as categorical_crossentropy,
    hinge as hinge,
    kld as kld,
    kullback_leibler_divergence as kullback_leibler_divergence,
    mae as mae,
    mape as mape,
    mean_absolute_error as mean_absolute_error,
    mean_absolute_percentage_error as mean_absolute_percentage_error,
    mean_squared_error as mean_squared_error,
    mean_squared_logarithmic_error as mean_squared_logarithmic_error,
    mse as mse,
    msle as msle,
    poisson as poisson,
    sparse_categorical_crossentropy as sparse_categorical_crossentropy,
    squared_hinge as squared_hinge,
)


def accuracy(y_true, y_pred):
    """1 where both are equal."""
    if y_true.dtype != y_pred.dtype:
        y_pred = tf.cast(y_pred, y_true.dtype)
    return tf.cast(tf.equal(y_true, y_pred), K.floatx())


def binary_accuracy(y_true, y_pred, threshold=0.5):
    """The share of predictions on the right side of a threshold."""
    threshold = tf.cast(threshold, y_pred.dtype)
    predicted = tf.cast(y_pred > threshold, y_pred.dtype)
    return K.mean(tf.equal(y_true, predicted), axis=-1)


def categorical_accuracy(y_true, y_pred):
    """1 where the likeliest class is the right one."""
    right = tf.equal(tf.argmax(y_true, axis=-1), tf.argmax(y_pred, axis=-1))
    return tf.cast(right, K.floatx())


def sparse_categorical_accuracy(y_true, y_pred):
    """As categorical_accuracy(), where labels are numbers of classes."""
    ranks = y_true.shape.ndims, y_pred.shape.ndims
    if None not in ranks and len(K.int_shape(y_true)) == len(K.int_shape(y_pred)):
        y_true = tf.squeeze(y_true, [-1])
    predicted = tf.argmax(y_pred, axis=-1)
    if predicted.dtype != y_true.dtype:
        predicted = tf.cast(predicted, y_true.dtype)
    return tf.cast(tf.equal(y_true, predicted), K.floatx())


def top_k_categorical_accuracy(y_true, y_pred, k=5):
    """1 where the right class is among the k likeliest."""
    return tf.cast(tf.nn.in_top_k(y_pred, tf.argmax(y_true, axis=-1), k), K.floatx())


def sparse_top_k_categorical_accuracy(y_true, y_pred, k=5):
    """As top_k_categorical_accuracy(), where labels are numbers of classes."""
    if y_pred.shape.ndims is not None and y_pred.shape.ndims > 2:
        y_pred = tf.reshape(y_pred, [-1, y_pred.shape[-1].value])
    if y_true.shape.ndims is not None and y_true.shape.ndims > 1:
        y_true = tf.reshape(y_true, [-1])
    return tf.cast(tf.nn.in_top_k(y_pred, tf.cast(y_true, "int32"), k), K.floatx())


def cosine_proximity(y_true, y_pred, axis=-1):
    """The cosine of the angle."""
    y_true, y_pred = (tf.nn.l2_normalize(each, axis=axis) for each in (y_true, y_pred))
    return tf.reduce_sum(y_true * y_pred, axis=axis)


cosine = cosine_similarity = cosine_proximity
