"""Metrics that tf.metrics does not have: each gives the value so far and an operation that adds to it."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.metrics.metric_ops import streaming_mean

__all__ = [
    "aggregate_metric_map",
    "aggregate_metrics",
    "count",
    "streaming_covariance",
    "streaming_false_negative_rate",
    "streaming_false_positive_rate",
    "streaming_mean_cosine_distance",
    "streaming_pearson_correlation",
]


def aggregate_metrics(*value_update_tuples):
    """A list of values and a list of updates, of pairs of them. Errors: ValueError for none.

    Source: tf.contrib.metrics.aggregate_metrics.
    """
    if not value_update_tuples:
        raise ValueError("Expected at least one value_tensor/update_op pair")
    values, updates = zip(*value_update_tuples)
    return list(values), list(updates)


def aggregate_metric_map(names_to_tuples):
    """A dict of values and a dict of updates, of a dict of pairs of them.

    Source: tf.contrib.metrics.aggregate_metric_map.
    """
    values, updates = zip(*names_to_tuples.values())
    return dict(zip(names_to_tuples, values)), dict(zip(names_to_tuples, updates))


def _metric_variable(name, dtype=tf.float32):
    """A local variable that begins with zero."""
    return tf.Variable(
        lambda: tf.zeros([], dtype),
        trainable=False,
        collections=[tf.GraphKeys.LOCAL_VARIABLES, tf.GraphKeys.METRIC_VARIABLES],
        name=name,
    )


def _collected(value, update, metrics_collections, updates_collections):
    if metrics_collections:
        tf.add_to_collections(metrics_collections, value)
    if updates_collections:
        tf.add_to_collections(updates_collections, update)
    return value, update


def _same_rank(predictions, labels):
    """Both, without the last dimension of the one that has one more than the other."""
    predictions, labels = tf.convert_to_tensor(predictions), tf.convert_to_tensor(labels)
    ranks = predictions.get_shape().ndims, labels.get_shape().ndims
    if None not in ranks and abs(ranks[0] - ranks[1]) == 1:
        with tf.name_scope("remove_squeezable_dimensions"):
            if ranks[0] > ranks[1]:
                predictions = tf.squeeze(predictions, [-1])
            else:
                labels = tf.squeeze(labels, [-1])
    predictions.get_shape().assert_is_compatible_with(labels.get_shape())
    return predictions, labels


def _squeezed(predictions, labels, weights):
    """All as tensors of one rank, where one has a last dimension of 1 more."""
    predictions, labels = _same_rank(predictions, labels)
    return predictions, labels, _weights_like(weights, predictions)


def _weights_like(weights, values):
    """Weights of the values' rank, where they have one dimension more or less."""
    if weights is None:
        return None
    weights = tf.convert_to_tensor(weights)
    ranks = weights.get_shape().ndims, values.get_shape().ndims
    if None not in ranks and ranks[0] > 0:
        if ranks[0] - ranks[1] == 1:
            weights = tf.squeeze(weights, [-1])
        elif ranks[1] - ranks[0] == 1:
            weights = tf.expand_dims(weights, [-1])
    return weights


def _broadcast(weights, values):
    """Weights in the shape of the values."""
    if weights.get_shape().is_fully_defined() and weights.get_shape() == values.get_shape():
        return weights
    return tf.multiply(weights, tf.ones_like(values))


def count(values, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """The number of values, or the sum of their weights. Source: tf.contrib.metrics.count."""
    with tf.variable_scope(name, "count", (values, weights)):
        total = _metric_variable("count")
        if weights is None:
            number = tf.cast(tf.size(values), tf.float32)
        else:
            values = tf.cast(values, tf.float32)
            weights = tf.cast(_weights_like(weights, values), tf.float32)
            number = tf.reduce_sum(_broadcast(weights, values))
        with tf.control_dependencies([values]):
            update = tf.assign_add(total, number)
        return _collected(tf.identity(total), update, metrics_collections, updates_collections)


def _rate(kinds, default_name, predictions, labels, weights, collections, name):
    """The share of the first kind, of two kinds of tf.metrics."""
    with tf.variable_scope(name, default_name, (predictions, labels, weights)):
        predictions, labels, weights = _squeezed(
            tf.cast(predictions, tf.bool), tf.cast(labels, tf.bool), weights
        )
        pairs = [kind(labels=labels, predictions=predictions, weights=weights) for kind in kinds]
        results = []
        for (wrong, right), result_name in zip(zip(*pairs), ("value", "update_op")):
            share = tf.div(wrong, wrong + right)
            is_any = tf.greater(wrong + right, 0)
            results.append(tf.where(is_any, share, tf.zeros_like(share), result_name))
        return _collected(*results, *collections)


def streaming_false_positive_rate(
    predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """False positives by all negatives. Source: tf.contrib.metrics.streaming_false_positive_rate."""
    kinds = tf.metrics.false_positives, tf.metrics.true_negatives
    collections = metrics_collections, updates_collections
    return _rate(kinds, "false_positive_rate", predictions, labels, weights, collections, name)


def streaming_false_negative_rate(
    predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """False negatives by all positives. Source: tf.contrib.metrics.streaming_false_negative_rate."""
    kinds = tf.metrics.false_negatives, tf.metrics.true_positives
    collections = metrics_collections, updates_collections
    return _rate(kinds, "false_negative_rate", predictions, labels, weights, collections, name)


def _moved_mean(values, mean, batch_count, all_count):
    """The mean of a batch, and the mean of all with it before and behind the batch."""
    of_batch = tf.div_no_nan(tf.reduce_sum(values), batch_count)
    delta = tf.div_no_nan((of_batch - mean) * batch_count, all_count)
    update = tf.assign_add(mean, delta)
    return of_batch, update - delta


def streaming_covariance(
    predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The covariance, without bias; not a number below two values.

    Source: tf.contrib.metrics.streaming_covariance.
    """
    with tf.variable_scope(name, "covariance", (predictions, labels, weights)):
        predictions, labels, weights = _squeezed(predictions, labels, weights)
        total = _metric_variable("count")
        mean_prediction, mean_label = _metric_variable("mean_prediction"), _metric_variable("mean_label")
        comoment = _metric_variable("comoment")
        if weights is None:
            batch_count = tf.cast(tf.size(labels), tf.float32)
            weighted = predictions, labels
        else:
            weights = _broadcast(weights, labels)
            batch_count = tf.reduce_sum(weights)
            weighted = tf.multiply(predictions, weights), tf.multiply(labels, weights)
        update_total = tf.assign_add(total, batch_count)
        before = update_total - batch_count
        prediction, old_prediction = _moved_mean(
            weighted[0], mean_prediction, batch_count, update_total
        )
        label, old_label = _moved_mean(weighted[1], mean_label, batch_count, update_total)
        products = (predictions - prediction) * (labels - label)
        of_batch = tf.reduce_sum(products if weights is None else products * weights)
        shift = (old_prediction - prediction) * (old_label - label)
        delta = of_batch + shift * (before * batch_count / update_total)
        update_comoment = tf.assign_add(comoment, delta)

        def result(name):
            few = tf.less_equal(total, 1.0)
            return tf.where(few, float("nan"), tf.truediv(comoment, total - 1), name=name)

        covariance = result("covariance")
        with tf.control_dependencies([update_comoment]):
            update = result("update_op")
    return _collected(covariance, update, metrics_collections, updates_collections)


def streaming_pearson_correlation(
    predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """Pearson's coefficient of correlation.

    Source: tf.contrib.metrics.streaming_pearson_correlation.
    """
    with tf.variable_scope(name, "pearson_r", (predictions, labels, weights)):
        predictions, labels, weights = _squeezed(predictions, labels, weights)
        if weights is not None:
            weights = _broadcast(weights, labels)
        covariances = [
            streaming_covariance(first, second, weights=weights, name=own)
            for first, second, own in (
                (predictions, labels, "covariance"),
                (predictions, predictions, "variance_predictions"),
                (labels, labels, "variance_labels"),
            )
        ]
        value, update = (
            tf.truediv(both, tf.multiply(tf.sqrt(first), tf.sqrt(second)), name=result_name)
            for (both, first, second), result_name in zip(zip(*covariances), ("pearson_r", "update_op"))
        )
    return _collected(value, update, metrics_collections, updates_collections)


def streaming_mean_cosine_distance(
    predictions,
    labels,
    dim,
    weights=None,
    metrics_collections=None,
    updates_collections=None,
    name=None,
):
    """1 - the mean cosine between vectors of length 1 along dim.

    Source: tf.contrib.metrics.streaming_mean_cosine_distance.
    """
    predictions, labels, weights = _squeezed(predictions, labels, weights)
    cosines = tf.reduce_sum(tf.multiply(predictions, labels), axis=[dim], keepdims=True)
    name = name or "mean_cosine_distance"
    mean, update = streaming_mean(cosines, weights, None, None, name)
    value, update = tf.subtract(1.0, mean), tf.subtract(1.0, update)
    return _collected(value, update, metrics_collections, updates_collections)
