"""Cases of tf.losses."""


def _pair(tf, *shape):
    shape = shape or (4, 3)
    predictions = tf.random_uniform(shape, seed=3)
    return tf.cast(tf.random_uniform(shape, seed=4) > 0.5, tf.float32), predictions


def _weights(tf):
    return tf.constant([1.0, 0.0, 2.0, 0.5])


def each(tf, contrib):
    labels, predictions = _pair(tf)
    return [
        tf.losses.absolute_difference(labels, predictions),
        tf.losses.hinge_loss(labels, predictions),
        tf.losses.huber_loss(labels, predictions, delta=0.3),
        tf.losses.log_loss(labels, predictions),
        tf.losses.mean_squared_error(labels, predictions),
        tf.losses.mean_pairwise_squared_error(labels, predictions),
        tf.losses.cosine_distance(tf.nn.l2_normalize(labels, 1), tf.nn.l2_normalize(predictions, 1), axis=1),
        tf.losses.sigmoid_cross_entropy(labels, predictions),
        tf.losses.softmax_cross_entropy(labels, predictions),
        tf.losses.sparse_softmax_cross_entropy([0, 2, 1, 0], predictions),
        tf.losses.get_total_loss(),
    ]


def reductions(tf, contrib):
    labels, predictions = _pair(tf)
    made = [tf.losses.mean_squared_error(labels, predictions, reduction=each) for each in tf.losses.Reduction.all()]
    weights = tf.expand_dims(_weights(tf), 1)
    made += [
        tf.losses.mean_squared_error(labels, predictions, weights, reduction=each)
        for each in tf.losses.Reduction.all()
    ]
    return made


def weights(tf, contrib):
    labels, predictions = _pair(tf)
    column = tf.expand_dims(_weights(tf), 1)
    return [
        tf.losses.absolute_difference(labels, predictions, 2.0),
        tf.losses.hinge_loss(labels, predictions, column, scope="mine"),
        tf.losses.huber_loss(labels, predictions, labels),
        tf.losses.log_loss(labels, predictions, [[1.0, 2.0, 0.0]]),
        tf.losses.mean_squared_error(labels, predictions, 0.0),
        tf.losses.mean_pairwise_squared_error(labels, predictions, column),
        tf.losses.mean_pairwise_squared_error(labels, predictions, 2.0),
        tf.losses.sigmoid_cross_entropy(labels, predictions, column, label_smoothing=0.1),
        tf.losses.softmax_cross_entropy(labels, predictions, _weights(tf), label_smoothing=0.2),
        tf.losses.sparse_softmax_cross_entropy([0, 2, 1, 0], predictions, _weights(tf)),
        tf.losses.sparse_softmax_cross_entropy([[0], [2], [1], [0]], predictions, column),
        tf.losses.compute_weighted_loss(predictions, tf.placeholder_with_default([[1.0], [2.0], [0.0], [1.0]], None)),
        tf.losses.compute_weighted_loss(tf.cast(predictions, tf.float64), column),
        tf.losses.compute_weighted_loss(tf.constant([1, 2]), 2),
    ]


def unknown_shapes(tf, contrib):
    labels, predictions = (tf.placeholder_with_default(each, [None, 3]) for each in _pair(tf))
    anything = tf.placeholder_with_default(predictions, None)
    return [
        tf.losses.mean_squared_error(labels, predictions),
        tf.losses.mean_squared_error(labels, predictions, labels),
        tf.losses.mean_pairwise_squared_error(labels, predictions),
        tf.losses.mean_squared_error(labels, anything),
        tf.losses.softmax_cross_entropy(labels, anything),
        tf.losses.sparse_softmax_cross_entropy(tf.placeholder_with_default([0, 1, 2, 0], None), anything),
        tf.losses.sigmoid_cross_entropy(labels, predictions, tf.placeholder_with_default(2.0, None)),
        tf.losses.compute_weighted_loss(anything, tf.placeholder_with_default(_weights(tf)[:, None], [None, 1])),
    ]


def mixed_types(tf, contrib):
    labels, predictions = _pair(tf)
    whole = tf.cast(labels, tf.int32)
    return [
        tf.losses.mean_squared_error(whole, predictions),
        tf.losses.absolute_difference(whole, predictions),
        tf.losses.hinge_loss(whole, predictions),
        tf.losses.log_loss(whole, predictions),
        tf.losses.huber_loss(whole, predictions),
        tf.losses.sigmoid_cross_entropy(whole, predictions),
        tf.losses.softmax_cross_entropy(whole, predictions),
        tf.losses.mean_squared_error([[1.0, 2.0]], [[3.0, 5.0]]),
        tf.losses.mean_squared_error(tf.cast(labels, tf.float16), tf.cast(predictions, tf.float16)),
    ]


def totals(tf, contrib):
    labels, predictions = _pair(tf)
    with tf.name_scope("inner"):
        tf.losses.mean_squared_error(labels, predictions)
    tf.losses.absolute_difference(labels, predictions, loss_collection=None)
    tf.losses.absolute_difference(labels, predictions, loss_collection="mine")
    tf.losses.add_loss(tf.constant(2.0))
    tf.add_to_collection(tf.GraphKeys.REGULARIZATION_LOSSES, tf.constant(3.0))
    tf.constant([len(tf.losses.get_losses()), len(tf.losses.get_losses("inner")), len(tf.losses.get_losses("inn.r"))])
    return [
        tf.losses.get_regularization_loss(),
        tf.losses.get_regularization_loss("nothing"),
        tf.losses.get_total_loss(),
        tf.losses.get_total_loss(False),
        tf.losses.get_total_loss(name="total", scope="inner"),
    ]


def total_of_nothing(tf, contrib):
    return tf.losses.get_total_loss()


def gradients(tf, contrib):
    labels, predictions = _pair(tf)
    column = tf.expand_dims(_weights(tf), 1)
    tf.losses.absolute_difference(labels, predictions)
    tf.losses.hinge_loss(labels, predictions, column)
    tf.losses.huber_loss(labels, predictions)
    tf.losses.log_loss(labels, predictions)
    tf.losses.mean_squared_error(labels, predictions, column)
    tf.losses.mean_pairwise_squared_error(labels, predictions)
    tf.losses.sigmoid_cross_entropy(labels, predictions)
    tf.losses.softmax_cross_entropy(labels, predictions)
    tf.losses.sparse_softmax_cross_entropy([0, 2, 1, 0], predictions)
    return tf.gradients(tf.losses.get_total_loss(), predictions)


def wrong_shapes(tf, contrib):
    labels, predictions = _pair(tf)
    tf.losses.mean_squared_error(labels[:, :2], predictions)


def wrong_weights(tf, contrib):
    labels, predictions = _pair(tf)
    tf.losses.mean_squared_error(labels, predictions, _weights(tf))


def wrong_weights_extent(tf, contrib):
    labels, predictions = _pair(tf)
    tf.losses.mean_squared_error(labels, predictions, tf.ones([4, 2]))


def wrong_reduction(tf, contrib):
    labels, predictions = _pair(tf)
    tf.losses.mean_squared_error(labels, predictions, reduction="mean")


def no_labels(tf, contrib):
    tf.losses.mean_squared_error(None, [1.0])


def no_logits(tf, contrib):
    tf.losses.softmax_cross_entropy([[1.0]], None)


def no_axis(tf, contrib):
    tf.losses.cosine_distance([[1.0]], [[1.0]])


def old_axis(tf, contrib):
    return tf.losses.cosine_distance([[1.0]], [[1.0]], dim=1)


def no_weights(tf, contrib):
    tf.losses.absolute_difference([1.0], [1.0], None)


def wrong_ranks(tf, contrib):
    labels, predictions = _pair(tf)
    tf.losses.sparse_softmax_cross_entropy(tf.constant([[[0]]]), predictions)


def text_predictions(tf, contrib):
    tf.losses.mean_squared_error(["a"], ["b"])
