"""The metrics of classifiers of two classes."""

from kiln.compat import v1 as tf
from kiln.compat.v1.estimator._modes import MetricKeys


def _spread(weights, values):
    from kiln.compat.v1._losses import broadcast_weights

    return values if weights is None else broadcast_weights(weights, values)


def mean_of(values, weights, scope, cast_name, name):
    """The mean of labels or predictions as numbers."""
    with tf.name_scope(name, scope, (values, weights)) as scope:
        values = tf.cast(values, name=cast_name, dtype=tf.float32)
        if weights is not None:
            weights = _spread(weights, values)
        return tf.metrics.mean(values, weights=weights, name=scope)


def _auc(labels, predictions, weights, name, curve="ROC"):
    with tf.name_scope(name, "auc", (predictions, labels, weights)) as scope:
        predictions = tf.cast(predictions, name="predictions", dtype=tf.float32)
        if weights is not None:
            weights = _spread(weights, predictions)
        return tf.metrics.auc(
            labels=labels, predictions=predictions, weights=weights, curve=curve, name=scope
        )


def _baseline(labels_mean):
    """The accuracy of a model that always says the more frequent class."""
    with tf.name_scope(None, "accuracy_baseline", labels_mean):
        value, update = labels_mean
        return (
            tf.maximum(value, 1.0 - value, name="value"),
            tf.maximum(update, 1 - update, name="update_op"),
        )


def binary(loss, logistic, class_ids):
    """A dict of metrics. loss: a LossSpec."""
    keys, labels, weights = MetricKeys, loss.processed_labels, loss.weights
    given = dict(labels=labels, predictions=class_ids, weights=weights)
    labels_mean = mean_of(labels, weights, "labels_mean", "labels", keys.LABEL_MEAN)
    return {
        keys.LOSS_MEAN: tf.metrics.mean(
            values=loss.unreduced_loss, weights=weights, name=keys.LOSS_MEAN
        ),
        keys.ACCURACY: tf.metrics.accuracy(**given, name=keys.ACCURACY),
        keys.PRECISION: tf.metrics.precision(**given, name=keys.PRECISION),
        keys.RECALL: tf.metrics.recall(**given, name=keys.RECALL),
        keys.PREDICTION_MEAN: mean_of(
            logistic, weights, "predictions_mean", "predictions", keys.PREDICTION_MEAN
        ),
        keys.LABEL_MEAN: labels_mean,
        keys.ACCURACY_BASELINE: _baseline(labels_mean),
        keys.AUC: _auc(labels, logistic, weights, keys.AUC),
        keys.AUC_PR: _auc(labels, logistic, weights, keys.AUC_PR, "PR"),
    }


def at_threshold(loss, logistic, threshold):
    """A dict of the metrics of a model that says 1 above a threshold."""
    keys, labels, weights = MetricKeys, loss.processed_labels, loss.weights
    values, metrics = (logistic, labels, weights, threshold), {}
    name = keys.ACCURACY_AT_THRESHOLD % threshold
    with tf.name_scope(name, f"accuracy_at_{threshold}", values) as scope:
        chosen = tf.to_float(tf.greater_equal(logistic, threshold))
        metrics[name] = tf.metrics.accuracy(
            labels=labels, predictions=chosen, weights=weights, name=scope
        )
    for key, what, function in (
        (keys.PRECISION_AT_THRESHOLD, "precision", tf.metrics.precision_at_thresholds),
        (keys.RECALL_AT_THRESHOLD, "recall", tf.metrics.recall_at_thresholds),
    ):
        name = key % threshold
        with tf.name_scope(name, f"{what}_at_{threshold}", values) as scope:
            value, update = function(
                labels=labels,
                predictions=logistic,
                thresholds=(threshold,),
                weights=weights,
                name=scope,
            )
            metrics[name] = tf.squeeze(value), tf.squeeze(update)
    return metrics
