"""Cases of tf.contrib.metrics."""


def _pair(tf):
    predictions = tf.constant([0.1, 0.7, 0.4, 0.9, 0.2], name="predictions")
    return predictions, tf.constant([0.0, 1.0, 1.0, 1.0, 0.0], name="labels")


def _updates(tf, *pairs):
    return [update for _, update in pairs]


def of_tf_metrics(tf, contrib):
    metrics = contrib.metrics
    predictions, labels = _pair(tf)
    classes = tf.cast(predictions > 0.3, tf.int64)
    wanted = tf.cast(labels, tf.int64)
    return _updates(
        tf,
        metrics.streaming_mean(predictions),
        metrics.streaming_mean(predictions, weights=labels, name="mine"),
        metrics.streaming_accuracy(classes, wanted, metrics_collections=["values"], updates_collections="updates"),
        metrics.streaming_precision(classes, wanted),
        metrics.streaming_recall(classes, wanted),
        metrics.streaming_mean_squared_error(predictions, labels),
        metrics.streaming_root_mean_squared_error(predictions, labels),
        metrics.streaming_mean_absolute_error(predictions, labels),
        metrics.streaming_percentage_less(predictions, 0.5),
        metrics.streaming_false_positives(classes, wanted),
        metrics.streaming_mean_iou(classes, wanted, 2),
        metrics.streaming_auc(predictions, tf.cast(labels, tf.bool), num_thresholds=10),
    )


def at_k(tf, contrib):
    metrics = contrib.metrics
    predictions = tf.constant([[0.1, 0.6, 0.3], [0.5, 0.1, 0.4]])
    return _updates(
        tf,
        metrics.streaming_recall_at_k(predictions, tf.constant([1, 1]), 1),
        metrics.streaming_sparse_recall_at_k(predictions, tf.constant([[1], [2]], tf.int64), 2),
        metrics.streaming_sparse_precision_at_k(predictions, tf.constant([[1], [2]], tf.int64), 2, class_id=1),
    )


def covariance(tf, contrib):
    predictions, labels = _pair(tf)
    weights = tf.constant([1.0, 2.0, 0.5, 1.0, 1.0])
    metrics = contrib.metrics
    return [
        metrics.streaming_covariance(predictions, labels)[1],
        metrics.streaming_covariance(predictions, labels, weights, ["values"], ["updates"], "mine")[1],
        metrics.streaming_pearson_correlation(predictions, labels)[1],
        metrics.streaming_pearson_correlation(predictions, labels, weights)[1],
    ]


def covariance_of_columns(tf, contrib):
    predictions, labels = _pair(tf)
    return contrib.metrics.streaming_covariance(tf.reshape(predictions, [5, 1]), labels)[1]


def counts_and_rates(tf, contrib):
    predictions, labels = _pair(tf)
    metrics = contrib.metrics
    vectors = tf.nn.l2_normalize(tf.reshape(predictions[:4], [2, 2]), 1)
    return [
        metrics.count(predictions)[1],
        metrics.count(predictions, labels)[1],
        metrics.streaming_mean_cosine_distance(vectors, vectors[:, ::-1], 1)[1],
        metrics.accuracy(tf.constant([1, 2, 3]), tf.constant([1, 2, 4])),
        metrics.accuracy(tf.constant([1, 2, 3]), tf.constant([1, 2, 4]), tf.constant([1.0, 0.0, 1.0])),
    ]


def accuracy_of_floats(tf, contrib):
    return contrib.metrics.accuracy(*_pair(tf))


def accuracy_of_other_dtypes(tf, contrib):
    return contrib.metrics.accuracy(tf.constant([1.0]), tf.constant([1]))


def aggregated(tf, contrib):
    predictions, labels = _pair(tf)
    values, updates = contrib.metrics.aggregate_metric_map(
        {
            "mean": contrib.metrics.streaming_mean(predictions),
            "error": contrib.metrics.streaming_mean_squared_error(predictions, labels),
        }
    )
    tf.constant([*values, *updates])
    return [updates["mean"], updates["error"]]


def nothing_aggregated(tf, contrib):
    return contrib.metrics.aggregate_metrics()
