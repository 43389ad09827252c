"""Losses, weighted and added to the collection of losses: what tf.losses was before.

Arguments are predictions first, then labels.
"""

from kiln.compat import v1 as tf
from kiln.compat.v1._util.deprecation import (
    deprecated,
    deprecated_args,
    deprecated_argument_lookup,
)
from kiln.compat.v1.contrib.framework._arg_scope import add_arg_scope

__all__ = [
    "absolute_difference",
    "add_loss",
    "compute_weighted_loss",
    "cosine_distance",
    "get_losses",
    "get_regularization_losses",
    "get_total_loss",
    "hinge_loss",
    "log_loss",
    "mean_pairwise_squared_error",
    "mean_squared_error",
    "sigmoid_cross_entropy",
    "softmax_cross_entropy",
    "sparse_softmax_cross_entropy",
]

_MODULE = "tensorflow.contrib.losses.python.losses.loss_ops"


def _moved(name, more=""):
    """The notice that a function is one of tf.losses now."""
    return deprecated("2016-12-30", f"Use tf.losses.{name} instead.{more}", module=_MODULE)


def _turned(name, what="predictions"):
    return _moved(name, f" Note that the order of the {what} and labels arguments has been changed.")


def _weighted_sum(losses, weights):
    """The sum of weighted losses. weights: one for each, or for each of the first dimensions."""
    first = max(0, weights.get_shape().ndims)
    sums = tf.reduce_sum(losses, axis=list(range(first, losses.get_shape().ndims)))
    return tf.reduce_sum(tf.multiply(sums, weights))


def _num_present(losses, weights, per_batch=False):
    """How many losses have a weight other than zero, in all or for each example."""
    rank = weights.get_shape().ndims
    if rank == 0:
        examples = tf.reshape(tf.slice(tf.shape(losses), [0], [1]), [])
        size = tf.cast(tf.size(losses), tf.float32)
        each = tf.div(size, tf.cast(examples, tf.float32))
        each = tf.where(tf.equal(weights, 0), 0.0, each)
        count = tf.multiply(tf.ones(tf.reshape(examples, [1])), each)
    else:
        present = tf.cast(tf.not_equal(weights, 0), tf.float32)
        of_weights = tf.reduce_sum(present, axis=list(range(1, rank)))
        inner = tf.slice(tf.shape(losses), [rank], [-1])
        count = tf.multiply(of_weights, tf.cast(tf.reduce_prod(inner), tf.float32))
    return count if per_batch else tf.reduce_sum(count)


@_moved("compute_weighted_loss")
def compute_weighted_loss(losses, weights=1.0, scope=None):
    """The mean of the losses with a weight other than zero, weighted.

    weights: one, or one for each of the first dimensions. Errors: ValueError for unknown ranks.
    Source: tf.contrib.losses.compute_weighted_loss.
    """
    with tf.name_scope(scope, "weighted_loss", [losses, weights]):
        losses = tf.convert_to_tensor(losses)
        dtype = losses.dtype
        losses = tf.cast(losses, tf.float32)
        weights = tf.cast(tf.convert_to_tensor(weights), tf.float32)
        if losses.get_shape().ndims is None:
            raise ValueError("losses.get_shape().ndims cannot be None")
        shape = weights.get_shape()
        if shape.ndims is None:
            raise ValueError("weights.get_shape().ndims cannot be None")
        if shape.ndims > 1 and shape.dims[-1].is_compatible_with(1):
            weights = tf.squeeze(weights, [-1])
        total = _weighted_sum(losses, weights)
        present = _num_present(losses, weights)
        mean = tf.div_no_nan(tf.reduce_sum(total), present, name="value")
        mean = tf.cast(mean, dtype)
        add_loss(mean)
        return mean


@_moved("add_loss")
@add_arg_scope
def add_loss(loss, loss_collection=tf.GraphKeys.LOSSES):
    """Adds a loss to a collection. Source: tf.contrib.losses.add_loss."""
    if loss_collection:
        tf.add_to_collection(loss_collection, loss)


@_moved("get_losses")
def get_losses(scope=None, loss_collection=tf.GraphKeys.LOSSES):
    """The losses. Source: tf.contrib.losses.get_losses."""
    return tf.get_collection(loss_collection, scope)


@_moved("get_regularization_losses")
def get_regularization_losses(scope=None):
    """The losses of regularizers. Source: tf.contrib.losses.get_regularization_losses."""
    return tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES, scope)


@_moved("get_total_loss")
def get_total_loss(add_regularization_losses=True, name="total_loss"):
    """The sum of all losses. Source: tf.contrib.losses.get_total_loss."""
    losses = list(get_losses())
    if add_regularization_losses:
        losses += get_regularization_losses()
    return tf.add_n(losses, name=name)


def _floats(predictions, labels):
    """Both as float32, of the same shape."""
    predictions.get_shape().assert_is_compatible_with(labels.get_shape())
    return tf.cast(predictions, tf.float32), tf.cast(labels, tf.float32)


@_moved("absolute_difference")
def absolute_difference(predictions, labels=None, weights=1.0, scope=None):
    """The mean of |predictions - labels|. Source: tf.contrib.losses.absolute_difference."""
    with tf.name_scope(scope, "absolute_difference", [predictions, labels, weights]) as scope:
        predictions, labels = _floats(predictions, labels)
        losses = tf.abs(tf.subtract(predictions, labels))
        return compute_weighted_loss(losses, weights, scope=scope)


@_turned("sigmoid_cross_entropy")
def sigmoid_cross_entropy(
    logits, multi_class_labels, weights=1.0, label_smoothing=0, scope=None
):
    """The mean cross-entropy of classes that do not exclude each other.

    label_smoothing: how much labels are moved to 1/2. Source:
    tf.contrib.losses.sigmoid_cross_entropy.
    """
    values = [logits, multi_class_labels, weights]
    with tf.name_scope(scope, "sigmoid_cross_entropy_loss", values) as scope:
        logits.get_shape().assert_is_compatible_with(multi_class_labels.get_shape())
        labels = tf.cast(multi_class_labels, logits.dtype)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = tf.nn.sigmoid_cross_entropy_with_logits(
            labels=labels, logits=logits, name="xentropy"
        )
        return compute_weighted_loss(losses, weights, scope=scope)


@_turned("softmax_cross_entropy", "logits")
def softmax_cross_entropy(logits, onehot_labels, weights=1.0, label_smoothing=0, scope=None):
    """The mean cross-entropy of classes that exclude each other.

    label_smoothing: how much labels are moved to 1 / classes. Source:
    tf.contrib.losses.softmax_cross_entropy.
    """
    values = [logits, onehot_labels, weights]
    with tf.name_scope(scope, "softmax_cross_entropy_loss", values) as scope:
        logits.get_shape().assert_is_compatible_with(onehot_labels.get_shape())
        labels = tf.cast(onehot_labels, logits.dtype)
        if label_smoothing > 0:
            classes = tf.cast(tf.shape(labels)[1], logits.dtype)
            rest = label_smoothing / classes
            labels = labels * (1.0 - label_smoothing) + rest
        losses = tf.nn.softmax_cross_entropy_with_logits(
            labels=labels, logits=logits, name="xentropy"
        )
        return compute_weighted_loss(losses, weights, scope=scope)


@_turned("sparse_softmax_cross_entropy", "logits")
def sparse_softmax_cross_entropy(logits, labels, weights=1.0, scope=None):
    """The mean cross-entropy of classes that exclude each other, of the numbers of classes.

    Source: tf.contrib.losses.sparse_softmax_cross_entropy.
    """
    values = [logits, labels, weights]
    with tf.name_scope(scope, "sparse_softmax_cross_entropy_loss", values) as scope:
        labels = tf.reshape(labels, shape=[tf.shape(labels)[0]])
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=labels, logits=logits, name="xentropy"
        )
        return compute_weighted_loss(losses, weights, scope=scope)


@_turned("log_loss")
def log_loss(predictions, labels=None, weights=1.0, epsilon=1e-7, scope=None):
    """The mean cross-entropy of probabilities. Source: tf.contrib.losses.log_loss."""
    with tf.name_scope(scope, "log_loss", [predictions, labels, weights]) as scope:
        predictions, labels = _floats(predictions, labels)
        of_true = -tf.multiply(labels, tf.log(predictions + epsilon))
        losses = of_true - tf.multiply(1 - labels, tf.log(1 - predictions + epsilon))
        return compute_weighted_loss(losses, weights, scope=scope)


@_turned("hinge_loss", "logits")
def hinge_loss(logits, labels=None, scope=None):
    """max(0, 1 - labels * logits) for each, with labels 0 and 1. Source: tf.contrib.losses.hinge_loss."""
    with tf.name_scope(scope, "hinge_loss", [logits, labels]):
        logits.get_shape().assert_is_compatible_with(labels.get_shape())
        labels = tf.cast(labels, tf.float32)
        ones = tf.ones_like(labels)
        signs = tf.subtract(2 * labels, ones)
        return tf.nn.relu(tf.subtract(ones, tf.multiply(signs, logits)))


@_moved("mean_squared_error")
def mean_squared_error(predictions, labels=None, weights=1.0, scope=None):
    """The mean of (predictions - labels) ** 2. Source: tf.contrib.losses.mean_squared_error."""
    with tf.name_scope(scope, "mean_squared_error", [predictions, labels, weights]) as scope:
        predictions, labels = _floats(predictions, labels)
        losses = tf.squared_difference(predictions, labels)
        return compute_weighted_loss(losses, weights, scope=scope)


@_turned("mean_pairwise_squared_error")
def mean_pairwise_squared_error(predictions, labels=None, weights=1.0, scope=None):
    """The mean, over pairs of elements of an example, of the squares of the errors of differences.

    weights: one, or one for each example. Errors: ValueError. Source:
    tf.contrib.losses.mean_pairwise_squared_error.
    """
    values = [predictions, labels, weights]
    with tf.name_scope(scope, "mean_pairwise_squared_error", values) as scope:
        predictions, labels = _floats(predictions, labels)
        weights = tf.cast(tf.convert_to_tensor(weights), tf.float32)
        diffs = tf.subtract(predictions, labels)
        if diffs.get_shape().ndims is None:
            raise ValueError("diffs.get_shape().ndims cannot be None")
        if weights.get_shape().ndims is None:
            raise ValueError("weights.get_shape().ndims cannot be None")
        axis = list(range(1, diffs.get_shape().ndims))
        squares = tf.reduce_sum(tf.square(diffs), axis=axis)
        present = _num_present(diffs, weights, per_batch=True)
        of_squares = 2.0 * tf.div_no_nan(squares, present, name="value")
        sums = tf.reduce_sum(diffs, axis=axis)
        of_sums = 2.0 * tf.div_no_nan(tf.square(sums), tf.square(present), name="value")
        loss = _weighted_sum(of_squares - of_sums, weights)
        is_any = tf.reduce_sum(present) > 0
        mean = tf.where(is_any, loss, tf.zeros_like(loss), name="value")
        add_loss(mean)
        return mean


@_moved("cosine_distance")
@deprecated_args(None, "dim is deprecated, use axis instead", "dim", module=_MODULE)
def cosine_distance(predictions, labels=None, axis=None, weights=1.0, scope=None, dim=None):
    """The mean of 1 - the cosine between vectors of length 1. Errors: ValueError without axis.

    Source: tf.contrib.losses.cosine_distance.
    """
    axis = deprecated_argument_lookup("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("You must specify 'axis'.")
    values = [predictions, labels, weights]
    with tf.name_scope(scope, "cosine_distance_loss", values) as scope:
        predictions, labels = _floats(predictions, labels)
        cosines = tf.reduce_sum(tf.multiply(predictions, labels), axis=[axis])
        return compute_weighted_loss(1 - cosines, weights, scope=scope)
