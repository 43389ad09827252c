"""Metrics of one batch."""

from kiln.compat import v1 as tf

__all__ = ["accuracy"]


def accuracy(predictions, labels, weights=None, name=None):
    """The share of predictions that equal their label. Errors: ValueError for other dtypes.

    Source: tf.contrib.metrics.accuracy.
    """
    if not (labels.dtype.is_integer or labels.dtype in (tf.bool, tf.string)):
        raise ValueError(
            f"Labels should have bool, integer, or string dtype, not {labels.dtype!r}"
        )
    if not labels.dtype.is_compatible_with(predictions.dtype):
        raise ValueError(
            "Dtypes of predictions and labels should match. Given: "
            f"predictions ({predictions.dtype!r}) and labels ({labels.dtype!r})"
        )
    with tf.name_scope(name, "accuracy", values=[predictions, labels]):
        correct = tf.cast(tf.equal(predictions, labels), tf.float32)
        if weights is None:
            return tf.reduce_mean(correct)
        correct = tf.multiply(correct, weights)
        every = tf.multiply(weights, tf.ones_like(correct))
        return tf.div(tf.reduce_sum(correct), tf.reduce_sum(every))
