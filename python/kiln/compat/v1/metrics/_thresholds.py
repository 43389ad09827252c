"""Right and wrong predictions at several thresholds: numbers from 0 to 1, which a run checks.

In all of them: weights is what each value counts, a number or a tensor of the values' rank whose
extents are theirs or 1. They give (value, update_op): a run fetches update_op for each batch, and
value at the end. The local variables have to be initialized first. metrics_collections,
updates_collections: where the two are added. name: of the scope of the variables. Errors:
ValueError for shapes that do not fit.
"""

from kiln._kiln import front as _c
from kiln.compat.v1.metrics._options import options

__all__ = [
    "auc", "false_negatives_at_thresholds", "false_positives_at_thresholds", "precision_at_thresholds",
    "recall_at_thresholds", "sensitivity_at_specificity", "specificity_at_sensitivity",
    "true_negatives_at_thresholds", "true_positives_at_thresholds",
]  # fmt: skip


def true_positives_at_thresholds(
    labels, predictions, thresholds, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """How many positive labels had a prediction above each threshold.

    Source: tf.metrics.true_positives_at_thresholds.
    """
    return _c.metric_true_positives_at_thresholds(
        labels, predictions, thresholds, *options(weights, metrics_collections, updates_collections, name)
    )


def true_negatives_at_thresholds(
    labels, predictions, thresholds, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """How many negative labels had no prediction above each threshold.

    Source: tf.metrics.true_negatives_at_thresholds.
    """
    return _c.metric_true_negatives_at_thresholds(
        labels, predictions, thresholds, *options(weights, metrics_collections, updates_collections, name)
    )


def false_positives_at_thresholds(
    labels, predictions, thresholds, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """How many negative labels had a prediction above each threshold.

    Source: tf.metrics.false_positives_at_thresholds.
    """
    return _c.metric_false_positives_at_thresholds(
        labels, predictions, thresholds, *options(weights, metrics_collections, updates_collections, name)
    )


def false_negatives_at_thresholds(
    labels, predictions, thresholds, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """How many positive labels had no prediction above each threshold.

    Source: tf.metrics.false_negatives_at_thresholds.
    """
    return _c.metric_false_negatives_at_thresholds(
        labels, predictions, thresholds, *options(weights, metrics_collections, updates_collections, name)
    )


def precision_at_thresholds(
    labels, predictions, thresholds, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The share of the predictions above each threshold that are right.

    Source: tf.metrics.precision_at_thresholds.
    """
    return _c.metric_precision_at_thresholds(
        labels, predictions, thresholds, *options(weights, metrics_collections, updates_collections, name)
    )


def recall_at_thresholds(
    labels, predictions, thresholds, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The share of the positive labels with a prediction above each threshold.

    Source: tf.metrics.recall_at_thresholds.
    """
    return _c.metric_recall_at_thresholds(
        labels, predictions, thresholds, *options(weights, metrics_collections, updates_collections, name)
    )


def auc(
    labels, predictions, weights=None, num_thresholds=200, metrics_collections=None, updates_collections=None,
    curve="ROC", name=None, summation_method="trapezoidal", thresholds=None,
):  # fmt: skip
    """The area under a curve: "ROC", true by false positives, or "PR", precision by recall.

    num_thresholds: equally apart, where no thresholds are given. summation_method: "trapezoidal",
    "careful_interpolation", "minoring", "majoring". Source: tf.metrics.auc.
    """
    if curve == "PR" and summation_method == "trapezoidal":
        from kiln.compat.v1 import logging

        logging.warning(
            "Trapezoidal rule is known to produce incorrect PR-AUCs; please switch to "
            '"careful_interpolation" instead.'
        )
    return _c.metric_auc(
        labels, predictions, num_thresholds, curve, summation_method, thresholds,
        *options(weights, metrics_collections, updates_collections, name),
    )  # fmt: skip


def sensitivity_at_specificity(
    labels, predictions, specificity, weights=None, num_thresholds=200, metrics_collections=None,
    updates_collections=None, name=None,
):  # fmt: skip
    """The share of positive labels that are found where so many negative ones are.

    Source: tf.metrics.sensitivity_at_specificity.
    """
    return _c.metric_sensitivity_at_specificity(
        labels, predictions, specificity, num_thresholds,
        *options(weights, metrics_collections, updates_collections, name),
    )  # fmt: skip


def specificity_at_sensitivity(
    labels, predictions, sensitivity, weights=None, num_thresholds=200, metrics_collections=None,
    updates_collections=None, name=None,
):  # fmt: skip
    """The share of negative labels that are found where so many positive ones are.

    Source: tf.metrics.specificity_at_sensitivity.
    """
    return _c.metric_specificity_at_sensitivity(
        labels, predictions, sensitivity, num_thresholds,
        *options(weights, metrics_collections, updates_collections, name),
    )  # fmt: skip
