"""Cases of tf.contrib.losses."""


def _pair(tf, *shape):
    shape = shape or (4, 3)
    predictions = tf.random_uniform(shape, seed=3)
    return predictions, tf.cast(tf.random_uniform(shape, seed=4) > 0.5, tf.float32)


def _classes(tf):
    return tf.random_normal([4, 3], seed=3), tf.constant([0, 2, 1, 0])


def weighted(tf, contrib):
    losses = contrib.losses
    predictions, labels = _pair(tf)
    weights = tf.constant([1.0, 0.0, 2.0, 0.5])
    made = [
        losses.mean_squared_error(predictions, labels),
        losses.mean_squared_error(predictions, labels, weights=0.0),
        losses.mean_squared_error(predictions, labels, weights=weights),
        losses.mean_squared_error(predictions, labels, weights=tf.reshape(weights, [4, 1])),
        losses.absolute_difference(predictions, labels, weights=labels, scope="mine"),
        losses.compute_weighted_loss(tf.cast(predictions, tf.float64), 2.0),
    ]
    return [*made, losses.get_total_loss()]


def others(tf, contrib):
    losses = contrib.losses
    predictions, labels = _pair(tf)
    with tf.name_scope("inner"):
        made = [
            losses.log_loss(predictions, labels),
            losses.hinge_loss(predictions, labels),
            losses.sigmoid_cross_entropy(predictions, labels, label_smoothing=0.1),
            losses.mean_pairwise_squared_error(predictions, labels),
            losses.mean_pairwise_squared_error(predictions, labels, weights=tf.constant([1.0, 0.0, 2.0, 0.5])),
            losses.cosine_distance(tf.nn.l2_normalize(predictions, 1), tf.nn.l2_normalize(labels, 1), axis=1),
        ]
    tf.constant(len(losses.get_losses("inner/log")))
    return made


def cross_entropies(tf, contrib):
    losses = contrib.losses
    logits, labels = _classes(tf)
    return [
        losses.softmax_cross_entropy(logits, tf.one_hot(labels, 3)),
        losses.softmax_cross_entropy(logits, tf.one_hot(labels, 3), 0.5, label_smoothing=0.2),
        losses.sparse_softmax_cross_entropy(logits, labels, tf.constant([1.0, 2.0, 0.0, 1.0])),
    ]


def total_with_regularization(tf, contrib):
    predictions, labels = _pair(tf)
    contrib.losses.mean_squared_error(predictions, labels)
    tf.add_to_collection(tf.GraphKeys.REGULARIZATION_LOSSES, tf.constant(2.0))
    return [
        contrib.losses.get_total_loss(),
        contrib.losses.get_total_loss(add_regularization_losses=False, name="plain"),
        contrib.losses.get_regularization_losses()[0],
    ]


def of_other_shapes(tf, contrib):
    return contrib.losses.mean_squared_error(tf.ones([4, 3]), tf.ones([3, 4]))


def cosine_without_axis(tf, contrib):
    return contrib.losses.cosine_distance(*_pair(tf))


def of_unknown_rank(tf, contrib):
    return contrib.losses.compute_weighted_loss(tf.placeholder(tf.float32, name="x"))


def _embeddings(tf, seed):
    return tf.nn.l2_normalize(tf.random_normal([6, 4], seed=seed), 1)


def metric_learning(tf, contrib):
    learning = contrib.losses.metric_learning
    labels = tf.constant([0, 1, 0, 2, 1, 0])
    first, second = _embeddings(tf, 1), _embeddings(tf, 2)
    return [
        learning.contrastive_loss(tf.constant([1, 0, 1, 1, 0, 0]), first, second),
        learning.triplet_semihard_loss(labels, first),
        learning.triplet_semihard_loss(labels, second, margin=0.2),
        learning.npairs_loss(labels, first, second),
        learning.lifted_struct_loss(labels, first, margin=0.5),
    ]


def npairs_of_several_labels(tf, contrib):
    learning = contrib.losses.metric_learning

    def sparse(*labels):
        return tf.SparseTensor([[label] for label in labels], [1] * len(labels), [5])

    labels = [sparse(0, 1), sparse(1, 4), sparse(2)]
    return learning.npairs_loss_multilabel(labels, tf.ones([3, 2]) * 0.5, _embeddings(tf, 2)[:3, :2])


def npairs_of_dense_labels(tf, contrib):
    learning = contrib.losses.metric_learning
    return learning.npairs_loss_multilabel([3], tf.ones([3, 2]), tf.ones([3, 2]))
