"""Losses: functions of labels and predictions, weighted and reduced.

In all of them: weights is a number, or a tensor of the losses' rank whose extents are theirs or 1;
loss_collection is where the result is added; scope names the ops. Errors: ValueError for shapes
that do not fit, and for labels or predictions that are None.
"""

from kiln._kiln import front as _c
from kiln.compat.v1._deprecations import renamed
from kiln.compat.v1._keys import GraphKeys
from kiln.compat.v1.losses._reduction import Reduction

__all__ = [
    "absolute_difference", "compute_weighted_loss", "cosine_distance", "hinge_loss", "huber_loss", "log_loss",
    "mean_pairwise_squared_error", "mean_squared_error", "sigmoid_cross_entropy", "softmax_cross_entropy",
    "sparse_softmax_cross_entropy",
]  # fmt: skip

_LOSSES, _BY_NONZERO = GraphKeys.LOSSES, Reduction.SUM_BY_NONZERO_WEIGHTS


def _require(**arguments):
    for name, value in arguments.items():
        if value is None:
            raise ValueError(f"Argument `{name}` must not be None.")


def _options(weights, scope, loss_collection, reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    """What C++ takes behind labels and predictions."""
    if weights is None:
        raise ValueError("None values not supported.")
    Reduction.validate(reduction)
    return weights, reduction, str(loss_collection or ""), scope or ""


def compute_weighted_loss(losses, weights=1.0, scope=None, loss_collection=_LOSSES, reduction=_BY_NONZERO):
    """The losses times the weights, reduced. Source: tf.losses.compute_weighted_loss."""
    return _c.compute_weighted_loss(losses, *_options(weights, scope, loss_collection, reduction))


def absolute_difference(
    labels, predictions, weights=1.0, scope=None, loss_collection=_LOSSES, reduction=_BY_NONZERO
):
    """|predictions - labels|. Source: tf.losses.absolute_difference."""
    _require(labels=labels, predictions=predictions)
    return _c.absolute_difference(labels, predictions, *_options(weights, scope, loss_collection, reduction))


def cosine_distance(
    labels, predictions, axis=None, weights=1.0, scope=None, loss_collection=_LOSSES, reduction=_BY_NONZERO, dim=None
):
    """1 - the sum of the products along the axis, of vectors of length 1. Source: tf.losses.cosine_distance."""
    function, notice = "ops.losses.losses_impl.cosine_distance", "dim is deprecated, use axis instead"
    axis = renamed(function, "axis", axis, "dim", dim, notice)
    if axis is None:
        raise ValueError("You must specify argument `axis`.")
    _require(labels=labels, predictions=predictions)
    return _c.cosine_distance(labels, predictions, axis, *_options(weights, scope, loss_collection, reduction))


def hinge_loss(labels, logits, weights=1.0, scope=None, loss_collection=_LOSSES, reduction=_BY_NONZERO):
    """max(0, 1 - (2 * labels - 1) * logits), of labels that are 0 and 1. Source: tf.losses.hinge_loss."""
    _require(labels=labels, logits=logits)
    return _c.hinge_loss(labels, logits, *_options(weights, scope, loss_collection, reduction))


def huber_loss(
    labels, predictions, weights=1.0, delta=1.0, scope=None, loss_collection=_LOSSES, reduction=_BY_NONZERO
):
    """Half the square of the error up to delta, a line from there. Source: tf.losses.huber_loss."""
    _require(labels=labels, predictions=predictions)
    return _c.huber_loss(labels, predictions, delta, *_options(weights, scope, loss_collection, reduction))


def log_loss(
    labels, predictions, weights=1.0, epsilon=1e-7, scope=None, loss_collection=_LOSSES, reduction=_BY_NONZERO
):
    """The cross entropy of probabilities, each with epsilon. Source: tf.losses.log_loss."""
    _require(labels=labels, predictions=predictions)
    return _c.log_loss(labels, predictions, epsilon, *_options(weights, scope, loss_collection, reduction))


def mean_pairwise_squared_error(labels, predictions, weights=1.0, scope=None, loss_collection=_LOSSES):
    """The mean square of the differences between the errors of each two elements of a row.

    Source: tf.losses.mean_pairwise_squared_error.
    """
    _require(labels=labels, predictions=predictions)
    return _c.mean_pairwise_squared_error(labels, predictions, *_options(weights, scope, loss_collection))


def mean_squared_error(
    labels, predictions, weights=1.0, scope=None, loss_collection=_LOSSES, reduction=_BY_NONZERO
):
    """(predictions - labels) squared. Source: tf.losses.mean_squared_error."""
    _require(labels=labels, predictions=predictions)
    return _c.mean_squared_error(labels, predictions, *_options(weights, scope, loss_collection, reduction))


def sigmoid_cross_entropy(
    multi_class_labels, logits, weights=1.0, label_smoothing=0, scope=None, loss_collection=_LOSSES,
    reduction=_BY_NONZERO,
):  # fmt: skip
    """The cross entropy of each class. label_smoothing: moves labels towards 1/2.

    Source: tf.losses.sigmoid_cross_entropy.
    """
    _require(multi_class_labels=multi_class_labels, logits=logits)
    return _c.sigmoid_cross_entropy(
        multi_class_labels, logits, label_smoothing, *_options(weights, scope, loss_collection, reduction)
    )


def softmax_cross_entropy(
    onehot_labels, logits, weights=1.0, label_smoothing=0, scope=None, loss_collection=_LOSSES,
    reduction=_BY_NONZERO,
):  # fmt: skip
    """The cross entropy of each row. label_smoothing: moves labels towards 1 by the number of classes.

    Source: tf.losses.softmax_cross_entropy.
    """
    _require(onehot_labels=onehot_labels, logits=logits)
    return _c.softmax_cross_entropy(
        onehot_labels, logits, label_smoothing, *_options(weights, scope, loss_collection, reduction)
    )


def sparse_softmax_cross_entropy(
    labels, logits, weights=1.0, scope=None, loss_collection=_LOSSES, reduction=_BY_NONZERO
):
    """The cross entropy of each row, of labels that are numbers of classes.

    Source: tf.losses.sparse_softmax_cross_entropy.
    """
    _require(labels=labels, logits=logits)
    return _c.sparse_softmax_cross_entropy(labels, logits, *_options(weights, scope, loss_collection, reduction))
