"""Metrics of tf.metrics with predictions first, then labels.

Each gives the value so far and an operation that adds a batch to it.
"""

from kiln.compat import v1 as tf
from kiln.compat.v1._util.deprecation import deprecated

__all__ = [
    "streaming_accuracy",
    "streaming_auc",
    "streaming_false_negatives",
    "streaming_false_positives",
    "streaming_mean",
    "streaming_mean_absolute_error",
    "streaming_mean_iou",
    "streaming_mean_relative_error",
    "streaming_mean_squared_error",
    "streaming_mean_tensor",
    "streaming_percentage_less",
    "streaming_precision",
    "streaming_precision_at_thresholds",
    "streaming_recall",
    "streaming_recall_at_k",
    "streaming_recall_at_thresholds",
    "streaming_root_mean_squared_error",
    "streaming_sensitivity_at_specificity",
    "streaming_sparse_average_precision_at_k",
    "streaming_sparse_precision_at_k",
    "streaming_sparse_recall_at_k",
    "streaming_specificity_at_sensitivity",
    "streaming_true_negatives",
    "streaming_true_positives",
]

_MODULE = "tensorflow.contrib.metrics.python.ops.metric_ops"


def _moved(name, more=""):
    """The notice that a function is one of tf.metrics now."""
    return deprecated(None, f"Please switch to tf.metrics.{name}{more}", module=_MODULE)


def _turned(name, verb="has been"):
    words = f"Note that the order of the labels and predictions arguments {verb} switched."
    return _moved(name, f". {words}")


@_turned("true_positives")
def streaming_true_positives(
    predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The number of true positives. Source: tf.contrib.metrics.streaming_true_positives."""
    return tf.metrics.true_positives(**locals())


@_turned("true_negatives")
def streaming_true_negatives(
    predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The number of true negatives. Source: tf.contrib.metrics.streaming_true_negatives."""
    return tf.metrics.true_negatives(**locals())


@_turned("false_positives")
def streaming_false_positives(
    predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The number of false positives. Source: tf.contrib.metrics.streaming_false_positives."""
    return tf.metrics.false_positives(**locals())


@_turned("false_negatives")
def streaming_false_negatives(
    predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The number of false negatives. Source: tf.contrib.metrics.streaming_false_negatives."""
    return tf.metrics.false_negatives(**locals())


@_moved("mean")
def streaming_mean(
    values, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The mean of the values. Source: tf.contrib.metrics.streaming_mean."""
    return tf.metrics.mean(**locals())


@_moved("mean_tensor")
def streaming_mean_tensor(
    values, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The mean of tensors, element by element. Source: tf.contrib.metrics.streaming_mean_tensor."""
    return tf.metrics.mean_tensor(**locals())


@_turned("accuracy")
def streaming_accuracy(
    predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The share of predictions that equal their label.

    Source: tf.contrib.metrics.streaming_accuracy.
    """
    return tf.metrics.accuracy(**locals())


@_turned("precision")
def streaming_precision(
    predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """True positives by all that are predicted. Source: tf.contrib.metrics.streaming_precision."""
    return tf.metrics.precision(**locals())


@_turned("recall")
def streaming_recall(
    predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """True positives by all that are labelled. Source: tf.contrib.metrics.streaming_recall."""
    return tf.metrics.recall(**locals())


def streaming_specificity_at_sensitivity(
    predictions,
    labels,
    sensitivity,
    weights=None,
    num_thresholds=200,
    metrics_collections=None,
    updates_collections=None,
    name=None,
):
    """The specificity where the sensitivity is as given.

    Source: tf.contrib.metrics.streaming_specificity_at_sensitivity.
    """
    return tf.metrics.specificity_at_sensitivity(**locals())


def streaming_sensitivity_at_specificity(
    predictions,
    labels,
    specificity,
    weights=None,
    num_thresholds=200,
    metrics_collections=None,
    updates_collections=None,
    name=None,
):
    """The sensitivity where the specificity is as given.

    Source: tf.contrib.metrics.streaming_sensitivity_at_specificity.
    """
    return tf.metrics.sensitivity_at_specificity(**locals())


@_turned("precision_at_thresholds", "are")
def streaming_precision_at_thresholds(
    predictions,
    labels,
    thresholds,
    weights=None,
    metrics_collections=None,
    updates_collections=None,
    name=None,
):
    """The precision of predictions above each threshold.

    Source: tf.contrib.metrics.streaming_precision_at_thresholds.
    """
    return tf.metrics.precision_at_thresholds(**locals())


@_turned("recall_at_thresholds")
def streaming_recall_at_thresholds(
    predictions,
    labels,
    thresholds,
    weights=None,
    metrics_collections=None,
    updates_collections=None,
    name=None,
):
    """The recall of predictions above each threshold.

    Source: tf.contrib.metrics.streaming_recall_at_thresholds.
    """
    return tf.metrics.recall_at_thresholds(**locals())


@_turned("auc")
def streaming_auc(
    predictions,
    labels,
    weights=None,
    num_thresholds=200,
    metrics_collections=None,
    updates_collections=None,
    curve="ROC",
    name=None,
):
    """The area under a curve. Source: tf.contrib.metrics.streaming_auc."""
    return tf.metrics.auc(**locals())


def streaming_sparse_recall_at_k(
    predictions,
    labels,
    k,
    class_id=None,
    weights=None,
    metrics_collections=None,
    updates_collections=None,
    name=None,
):
    """The share of labels among the k highest predictions.

    Source: tf.contrib.metrics.streaming_sparse_recall_at_k.
    """
    return tf.metrics.recall_at_k(**locals())


def streaming_sparse_precision_at_k(
    predictions,
    labels,
    k,
    class_id=None,
    weights=None,
    metrics_collections=None,
    updates_collections=None,
    name=None,
):
    """The share of the k highest predictions that are labels.

    Source: tf.contrib.metrics.streaming_sparse_precision_at_k.
    """
    return tf.metrics.precision_at_k(**locals())


def streaming_sparse_average_precision_at_k(
    predictions,
    labels,
    k,
    weights=None,
    metrics_collections=None,
    updates_collections=None,
    name=None,
):
    """The mean precision of the k highest predictions.

    Source: tf.contrib.metrics.streaming_sparse_average_precision_at_k.
    """
    return tf.metrics.average_precision_at_k(**locals())


@_turned("mean_absolute_error")
def streaming_mean_absolute_error(
    predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The mean of |predictions - labels|.

    Source: tf.contrib.metrics.streaming_mean_absolute_error.
    """
    return tf.metrics.mean_absolute_error(**locals())


def streaming_mean_relative_error(
    predictions,
    labels,
    normalizer,
    weights=None,
    metrics_collections=None,
    updates_collections=None,
    name=None,
):
    """The mean of |predictions - labels| / normalizer.

    Source: tf.contrib.metrics.streaming_mean_relative_error.
    """
    return tf.metrics.mean_relative_error(**locals())


@_turned("mean_squared_error")
def streaming_mean_squared_error(
    predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The mean of (predictions - labels) ** 2.

    Source: tf.contrib.metrics.streaming_mean_squared_error.
    """
    return tf.metrics.mean_squared_error(**locals())


@_turned("root_mean_squared_error")
def streaming_root_mean_squared_error(
    predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The root of the mean of (predictions - labels) ** 2.

    Source: tf.contrib.metrics.streaming_root_mean_squared_error.
    """
    return tf.metrics.root_mean_squared_error(**locals())


def streaming_percentage_less(
    values, threshold, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The share of values below a threshold.

    Source: tf.contrib.metrics.streaming_percentage_less.
    """
    return tf.metrics.percentage_below(**locals())


def streaming_mean_iou(
    predictions,
    labels,
    num_classes,
    weights=None,
    metrics_collections=None,
    updates_collections=None,
    name=None,
):
    """The mean of intersection by union, over the classes.

    Source: tf.contrib.metrics.streaming_mean_iou.
    """
    return tf.metrics.mean_iou(**locals())


@deprecated(
    "2016-11-08",
    "Please use `streaming_sparse_recall_at_k`, and reshape labels from [batch_size] to "
    "[batch_size, 1].",
    module=_MODULE,
)
def streaming_recall_at_k(
    predictions, labels, k, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The share of labels among the k highest predictions, one label for each example.

    Source: tf.contrib.metrics.streaming_recall_at_k.
    """
    found = tf.cast(tf.nn.in_top_k(predictions, labels, k), tf.float32)
    name = name or "recall_at_%d" % k
    return streaming_mean(found, weights, metrics_collections, updates_collections, name)
