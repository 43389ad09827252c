"""How a loss of each example becomes one number."""

from kiln.compat import v1 as tf


class Reduction:
    """Ways to reduce. Source: tf.losses.Reduction of tf.keras."""

    AUTO = "auto"
    NONE = "none"
    SUM = "sum"
    SUM_OVER_BATCH_SIZE = "sum_over_batch_size"

    @classmethod
    def validate(cls, key):
        """Errors: ValueError for others."""
        if key not in (cls.AUTO, cls.NONE, cls.SUM, cls.SUM_OVER_BATCH_SIZE):
            raise ValueError("Invalid Reduction Key %s." % key)


def squeezed(y_pred, y_true=None, sample_weight=None):
    """Predictions, labels and weights with ranks that fit: a last axis of extent 1 is removed or
    added.
    """
    rank = y_pred.shape.ndims
    if y_true is not None:
        other = y_true.shape.ndims
        if None not in (rank, other) and not (other - rank == 0 and y_pred.shape[-1].value != 1):
            if other - rank == 1 and y_true.shape[-1].value == 1:
                y_true = tf.squeeze(y_true, [-1])
            elif rank - other == 1 and y_pred.shape[-1].value == 1:
                y_pred = tf.squeeze(y_pred, [-1])
                rank -= 1
    if sample_weight is None:
        return y_pred, y_true, None
    other = sample_weight.shape.ndims
    if other not in (0, None) and rank is not None:
        if other - rank == 1:
            sample_weight = tf.squeeze(sample_weight, [-1])
        elif rank - other == 1:
            sample_weight = tf.expand_dims(sample_weight, [-1])
    return y_pred, y_true, sample_weight


def weighted(losses, sample_weight=None):
    """Losses times weights. sample_weight: of each example, or of each loss."""
    losses = tf.convert_to_tensor(losses)
    if sample_weight is None:
        return losses
    sample_weight = tf.cast(sample_weight, losses.dtype)
    losses, _, sample_weight = squeezed(losses, None, sample_weight)
    return tf.multiply(losses, sample_weight)


def reduced(losses, reduction):
    """One number of losses, or the losses themselves."""
    if reduction == Reduction.NONE:
        return losses
    total = tf.reduce_sum(losses)
    if reduction == Reduction.SUM:
        return total
    return tf.div_no_nan(total, tf.cast(tf.size(losses), total.dtype))
