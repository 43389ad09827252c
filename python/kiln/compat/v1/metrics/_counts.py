"""Right and wrong predictions over many batches; labels and predictions become bools.

In all of them: weights is what each value counts, a number or a tensor of the values' rank whose
extents are theirs or 1. They give (value, update_op): a run fetches update_op for each batch, and
value at the end. The local variables have to be initialized first. metrics_collections,
updates_collections: where the two are added. name: of the scope of the variables. Errors:
ValueError for shapes that do not fit.
"""

from kiln._kiln import front as _c
from kiln.compat.v1.metrics._options import options

__all__ = [
    "false_negatives", "false_positives", "precision", "recall", "true_negatives", "true_positives",
]  # fmt: skip


def true_positives(
    labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """How many positive labels were predicted. Source: tf.metrics.true_positives."""
    return _c.metric_true_positives(
        labels, predictions, *options(weights, metrics_collections, updates_collections, name)
    )


def true_negatives(
    labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """How many negative labels were predicted. Source: tf.metrics.true_negatives."""
    return _c.metric_true_negatives(
        labels, predictions, *options(weights, metrics_collections, updates_collections, name)
    )


def false_positives(
    labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """How many predictions were positive without reason. Source: tf.metrics.false_positives."""
    return _c.metric_false_positives(
        labels, predictions, *options(weights, metrics_collections, updates_collections, name)
    )


def false_negatives(
    labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """How many positive labels were not predicted. Source: tf.metrics.false_negatives."""
    return _c.metric_false_negatives(
        labels, predictions, *options(weights, metrics_collections, updates_collections, name)
    )


def precision(
    labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The share of the positive predictions that are right. Source: tf.metrics.precision."""
    return _c.metric_precision(
        labels, predictions, *options(weights, metrics_collections, updates_collections, name)
    )


def recall(labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """The share of the positive labels that were predicted. Source: tf.metrics.recall."""
    return _c.metric_recall(labels, predictions, *options(weights, metrics_collections, updates_collections, name))
