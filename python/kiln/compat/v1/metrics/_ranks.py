"""Labels among the k best predictions: classes, int64, in rows of a tensor or a sparse tensor.

In all of them: weights is what each value counts, a number or a tensor of the values' rank whose
extents are theirs or 1. They give (value, update_op): a run fetches update_op for each batch, and
value at the end. The local variables have to be initialized first. metrics_collections,
updates_collections: where the two are added. name: of the scope of the variables. Errors:
ValueError for shapes that do not fit.
"""

from kiln._kiln import front as _c
from kiln.compat.v1._deprecations import deprecated
from kiln.compat.v1.metrics._options import options

__all__ = [
    "average_precision_at_k", "precision_at_k", "precision_at_top_k", "recall_at_k", "recall_at_top_k",
    "sparse_average_precision_at_k", "sparse_precision_at_k",
]  # fmt: skip


def recall_at_k(
    labels, predictions, k, class_id=None, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The share of the labels that are among the k best predictions. Source: tf.metrics.recall_at_k."""
    return _c.metric_recall_at_k(
        labels, predictions, k, class_id, *options(weights, metrics_collections, updates_collections, name)
    )


def recall_at_top_k(
    labels, predictions_idx, k=None, class_id=None, weights=None, metrics_collections=None,
    updates_collections=None, name=None,
):  # fmt: skip
    """The share of the labels that are among these classes, k in number.

    Source: tf.metrics.recall_at_top_k.
    """
    return _c.metric_recall_at_top_k(
        labels, predictions_idx, k, class_id, *options(weights, metrics_collections, updates_collections, name)
    )


def precision_at_k(
    labels, predictions, k, class_id=None, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The share of the k best predictions that are labels. Source: tf.metrics.precision_at_k."""
    return _c.metric_precision_at_k(
        labels, predictions, k, class_id, *options(weights, metrics_collections, updates_collections, name)
    )


def precision_at_top_k(
    labels, predictions_idx, k=None, class_id=None, weights=None, metrics_collections=None,
    updates_collections=None, name=None,
):  # fmt: skip
    """The share of these classes, k in number, that are labels.

    Source: tf.metrics.precision_at_top_k.
    """
    return _c.metric_precision_at_top_k(
        labels, predictions_idx, k, class_id, *options(weights, metrics_collections, updates_collections, name)
    )


def average_precision_at_k(
    labels, predictions, k, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The mean of the precisions at 1 to k where a label is.

    Source: tf.metrics.average_precision_at_k.
    """
    return _c.metric_average_precision_at_k(
        labels, predictions, k, *options(weights, metrics_collections, updates_collections, name)
    )


def sparse_average_precision_at_k(
    labels, predictions, k, weights=None, metrics_collections=None, updates_collections=None,
    name=None,
):  # fmt: skip
    """The older name of average_precision_at_k(). Source: tf.metrics.sparse_average_precision_at_k."""
    deprecated("ops.metrics_impl.sparse_average_precision_at_k", "Use average_precision_at_k instead")
    return average_precision_at_k(labels, predictions, k, weights, metrics_collections, updates_collections, name)


def sparse_precision_at_k(
    labels, predictions, k, class_id=None, weights=None, metrics_collections=None, updates_collections=None,
    name=None,
):  # fmt: skip
    """The older name of precision_at_k(). Source: tf.metrics.sparse_precision_at_k."""
    deprecated("ops.metrics_impl.sparse_precision_at_k", "Use precision_at_k instead")
    return precision_at_k(labels, predictions, k, class_id, weights, metrics_collections, updates_collections, name)
