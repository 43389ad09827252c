"""Distances between the rows of a matrix, and extremes of parts of rows."""

from kiln.compat import v1 as tf


def pairwise_distance(feature, squared=False):
    """The distances between all rows, with zeros on the diagonal.

    squared: whether they are squared. Source:
    tensorflow.contrib.losses.python.metric_learning.metric_loss_ops.pairwise_distance.
    """
    columns = tf.reduce_sum(tf.square(feature), axis=[1], keepdims=True)
    rows = tf.reduce_sum(tf.square(tf.transpose(feature)), axis=[0], keepdims=True)
    distances = tf.add(columns, rows) - 2.0 * tf.matmul(feature, tf.transpose(feature))
    # Rounding may have made them less than zero.
    distances = tf.maximum(distances, 0.0)
    is_zero = tf.less_equal(distances, 0.0)
    if not squared:
        # The gradient of sqrt is infinite at zero.
        distances = tf.sqrt(distances + tf.cast(is_zero, tf.float32) * 1e-16)
    distances = tf.multiply(distances, tf.cast(tf.logical_not(is_zero), tf.float32))
    size = tf.shape(feature)[0]
    off_diagonal = tf.ones_like(distances) - tf.diag(tf.ones([size]))
    return tf.multiply(distances, off_diagonal)


def masked_maximum(data, mask, dim=1):
    """The maximum of those where mask is 1."""
    least = tf.reduce_min(data, dim, keepdims=True)
    return tf.reduce_max(tf.multiply(data - least, mask), dim, keepdims=True) + least


def masked_minimum(data, mask, dim=1):
    """The minimum of those where mask is 1."""
    largest = tf.reduce_max(data, dim, keepdims=True)
    return tf.reduce_min(tf.multiply(data - largest, mask), dim, keepdims=True) + largest
