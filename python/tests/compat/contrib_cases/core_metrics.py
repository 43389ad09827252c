"""Cases of tf.metrics."""


def _bools(tf):
    labels = tf.constant([True, False, True, True, False, False])
    predictions = tf.constant([True, True, False, True, False, True])
    return labels, predictions


def _scores(tf):
    labels = tf.constant([1.0, 0.0, 1.0, 1.0, 0.0, 0.0])
    return labels, tf.constant([0.9, 0.8, 0.3, 0.6, 0.1, 0.55])


def _updates(tf, *metrics):
    """The updates, which are the values as they are behind them."""
    updates = [update for _, update in metrics]
    tf.group(*updates)
    return updates


def means(tf, contrib):
    labels, scores = _scores(tf)
    weights = tf.constant([1.0, 2.0, 0.0, 1.0, 0.5, 1.0])
    metrics = tf.metrics
    return _updates(
        tf,
        metrics.mean(scores),
        metrics.mean(scores, weights),
        metrics.mean(scores, 2.0, name="mine"),
        metrics.mean(tf.constant([1, 2])),
        metrics.mean_tensor(scores),
        metrics.mean_tensor(scores, weights),
        metrics.accuracy(tf.constant([1, 2, 3]), tf.constant([1, 2, 2])),
        metrics.accuracy(tf.constant([1, 2, 3]), tf.constant([1, 2, 2]), [1.0, 0.0, 3.0]),
        metrics.accuracy(tf.constant([[1], [2]]), tf.constant([1, 2])),
        metrics.mean_absolute_error(labels, scores),
        metrics.mean_squared_error(labels, scores, weights),
        metrics.root_mean_squared_error(labels, scores),
        metrics.mean_relative_error(labels, scores, normalizer=labels),
        metrics.mean_cosine_distance(tf.reshape(labels, [2, 3]), tf.reshape(scores, [2, 3]), 1),
        metrics.percentage_below(scores, 0.5),
        metrics.percentage_below(scores, 0.5, weights, name="below"),
    )


def counts(tf, contrib):
    labels, predictions = _bools(tf)
    weights = tf.constant([1.0, 2.0, 0.0, 1.0, 0.5, 1.0])
    metrics = tf.metrics
    return _updates(
        tf,
        metrics.true_positives(labels, predictions),
        metrics.true_negatives(labels, predictions),
        metrics.false_positives(labels, predictions),
        metrics.false_negatives(labels, predictions),
        metrics.true_positives(labels, predictions, weights),
        metrics.true_negatives(labels, predictions, weights),
        metrics.false_positives(labels, predictions, weights, name="mine"),
        metrics.false_negatives(labels, predictions, 2.0),
        metrics.precision(labels, predictions),
        metrics.precision(labels, predictions, weights),
        metrics.recall(labels, predictions),
        metrics.recall(labels, predictions, weights),
        metrics.recall(tf.cast(labels, tf.int64), tf.cast(predictions, tf.float32)),
    )


def thresholds(tf, contrib):
    labels, scores = _scores(tf)
    labels = labels > 0.5
    weights = tf.constant([1.0, 2.0, 0.0, 1.0, 0.5, 1.0])
    metrics = tf.metrics
    return _updates(
        tf,
        metrics.true_positives_at_thresholds(labels, scores, [0.2, 0.7]),
        metrics.true_negatives_at_thresholds(labels, scores, [0.2, 0.7]),
        metrics.false_positives_at_thresholds(labels, scores, [0.2, 0.7], weights),
        metrics.false_negatives_at_thresholds(labels, scores, [0.2, 0.7]),
        metrics.precision_at_thresholds(labels, scores, [0.2, 0.7]),
        metrics.recall_at_thresholds(labels, scores, [0.2, 0.7], weights),
        metrics.sensitivity_at_specificity(labels, scores, 0.6, num_thresholds=20),
        metrics.specificity_at_sensitivity(labels, scores, 0.6, weights, num_thresholds=20),
    )


def areas(tf, contrib):
    labels, scores = _scores(tf)
    weights = tf.constant([1.0, 2.0, 0.0, 1.0, 0.5, 1.0])
    metrics = tf.metrics
    return _updates(
        tf,
        metrics.auc(labels, scores, num_thresholds=20),
        metrics.auc(labels, scores, weights, num_thresholds=20, curve="PR"),
        metrics.auc(labels, scores, num_thresholds=20, summation_method="careful_interpolation", curve="PR"),
        metrics.auc(labels, scores, num_thresholds=20, summation_method="minoring"),
        metrics.auc(labels, scores, num_thresholds=20, summation_method="majoring", name="mine"),
    )


def area_as_programs_ask(tf, contrib):
    labels, scores = _scores(tf)
    return list(tf.metrics.auc(labels, scores))[1:]


def per_class(tf, contrib):
    labels, predictions = tf.constant([0, 1, 2, 2, 1]), tf.constant([0, 2, 2, 1, 1])
    weights = tf.constant([1.0, 0.0, 2.0, 1.0, 1.0])
    metrics = tf.metrics
    return _updates(
        tf,
        metrics.mean_iou(labels, predictions, 3),
        metrics.mean_iou(labels, predictions, 3, weights),
        metrics.mean_per_class_accuracy(labels, predictions, 3),
        metrics.mean_per_class_accuracy(labels, predictions, 3, weights, name="mine"),
    )


def ranks(tf, contrib):
    labels = tf.constant([[0], [2], [1]], tf.int64)
    scores = tf.constant([[0.1, 0.5, 0.4, 0.2], [0.3, 0.2, 0.6, 0.1], [0.2, 0.1, 0.3, 0.9]])
    weights = tf.constant([1.0, 0.5, 2.0])
    metrics = tf.metrics
    return _updates(
        tf,
        metrics.recall_at_k(labels, scores, 2),
        metrics.recall_at_k(labels, scores, 2, class_id=1),
        metrics.recall_at_k(labels, scores, 2, weights=weights),
        metrics.precision_at_k(labels, scores, 2),
        metrics.precision_at_k(labels, scores, 2, class_id=1, weights=weights),
        metrics.average_precision_at_k(labels, scores, 2),
        metrics.average_precision_at_k(labels, scores, 3, weights),
        metrics.recall_at_top_k(labels, tf.nn.top_k(scores, 2)[1]),
        metrics.precision_at_top_k(labels, tf.nn.top_k(scores, 2)[1], 2, name="mine"),
    )


def unknown_shapes(tf, contrib):
    labels, scores = (tf.placeholder_with_default(each, None) for each in _scores(tf))
    some, others = (tf.placeholder_with_default(each, [None]) for each in _scores(tf))
    metrics = tf.metrics
    return _updates(
        tf,
        metrics.mean(scores),
        metrics.mean(some, others),
        metrics.mean(some, scores),
        metrics.accuracy(some, others),
        metrics.accuracy(labels, scores),
        metrics.mean_squared_error(some, others),
        metrics.precision(some, others),
        metrics.recall(labels, scores, scores),
        metrics.auc(some, others, num_thresholds=20),
        metrics.mean_iou(tf.cast(some, tf.int64), tf.cast(others, tf.int64), 3),
    )


def collections(tf, contrib):
    labels, predictions = _bools(tf)
    value, update = tf.metrics.accuracy(labels, predictions, None, ["values", "others"], ["updates"], "a")
    tf.metrics.mean([1.0], None, "mine", "theirs")
    with tf.variable_scope("scoped"):
        tf.metrics.mean([1.0])
    with tf.name_scope("named"):
        tf.metrics.auc(labels, tf.cast(predictions, tf.float32), metrics_collections=["values"])
    return [update]


def predictions_outside(tf, contrib):
    return tf.metrics.auc([0.0, 1.0], tf.constant([0.5, 1.5]))[1]


def wrong_curve(tf, contrib):
    tf.metrics.auc([0.0, 1.0], [0.5, 0.5], curve="roc")


def wrong_method(tf, contrib):
    tf.metrics.auc([0.0, 1.0], tf.constant([0.5, 0.5]), summation_method="sum")


def wrong_shapes(tf, contrib):
    tf.metrics.mean_squared_error([0.0, 1.0], [0.5])


def wrong_weights(tf, contrib):
    tf.metrics.mean([0.0, 1.0], [0.5, 2.0, 1.0])


def wrong_specificity(tf, contrib):
    tf.metrics.sensitivity_at_specificity([True], [0.5], 1.5)


def area_of_unknown_ranks(tf, contrib):
    labels, scores = (tf.placeholder_with_default(each, None) for each in _scores(tf))
    tf.metrics.auc(labels, scores)
