"""Means over many batches.

In all of them: weights is what each value counts, a number or a tensor of the values' rank whose
extents are theirs or 1. They give (value, update_op): a run fetches update_op for each batch, and
value at the end. The local variables have to be initialized first. metrics_collections,
updates_collections: where the two are added. name: of the scope of the variables. Errors:
ValueError for shapes that do not fit.
"""

from kiln._kiln import front as _c
from kiln.compat.v1.metrics._options import options

__all__ = [
    "accuracy", "mean", "mean_absolute_error", "mean_cosine_distance", "mean_iou", "mean_per_class_accuracy",
    "mean_relative_error", "mean_squared_error", "mean_tensor", "percentage_below", "root_mean_squared_error",
]  # fmt: skip


def mean(values, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """The mean. Source: tf.metrics.mean."""
    return _c.metric_mean(values, *options(weights, metrics_collections, updates_collections, name))


def mean_tensor(values, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """The mean of each element. Source: tf.metrics.mean_tensor."""
    return _c.metric_mean_tensor(values, *options(weights, metrics_collections, updates_collections, name))


def accuracy(
    labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The share of the predictions that are the label. Source: tf.metrics.accuracy."""
    return _c.metric_accuracy(labels, predictions, *options(weights, metrics_collections, updates_collections, name))


def mean_absolute_error(
    labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The mean of |predictions - labels|. Source: tf.metrics.mean_absolute_error."""
    return _c.metric_mean_absolute_error(
        labels, predictions, *options(weights, metrics_collections, updates_collections, name)
    )


def mean_squared_error(
    labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The mean of the squares of the errors. Source: tf.metrics.mean_squared_error."""
    return _c.metric_mean_squared_error(
        labels, predictions, *options(weights, metrics_collections, updates_collections, name)
    )


def root_mean_squared_error(
    labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The root of the mean of the squares of the errors. Source: tf.metrics.root_mean_squared_error."""
    return _c.metric_root_mean_squared_error(
        labels, predictions, *options(weights, metrics_collections, updates_collections, name)
    )


def mean_relative_error(
    labels, predictions, normalizer, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The mean of |labels - predictions| / normalizer, 0 where that is 0.

    Source: tf.metrics.mean_relative_error.
    """
    return _c.metric_mean_relative_error(
        labels, predictions, normalizer, *options(weights, metrics_collections, updates_collections, name)
    )


def mean_cosine_distance(
    labels, predictions, dim, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """1 - the mean of the sums of the products along the axis dim.

    Source: tf.metrics.mean_cosine_distance.
    """
    return _c.metric_mean_cosine_distance(
        labels, predictions, dim, *options(weights, metrics_collections, updates_collections, name)
    )


def percentage_below(
    values, threshold, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The share of the values below the threshold. Source: tf.metrics.percentage_below."""
    return _c.metric_percentage_below(
        values, threshold, *options(weights, metrics_collections, updates_collections, name)
    )


def mean_iou(
    labels, predictions, num_classes, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """Intersection by union, the mean over the classes; update_op is the confusion matrix.

    Source: tf.metrics.mean_iou.
    """
    return _c.metric_mean_iou(
        labels, predictions, num_classes, *options(weights, metrics_collections, updates_collections, name)
    )


def mean_per_class_accuracy(
    labels, predictions, num_classes, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The mean over the classes of the share of right predictions.

    Source: tf.metrics.mean_per_class_accuracy.
    """
    return _c.metric_mean_per_class_accuracy(
        labels, predictions, num_classes, *options(weights, metrics_collections, updates_collections, name)
    )
