"""tf.contrib.losses.metric_learning: losses of embeddings whose distances shall tell classes apart."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.losses.metric_learning._distances import (
    masked_maximum,
    masked_minimum,
    pairwise_distance,
)

__all__ = [
    "contrastive_loss",
    "lifted_struct_loss",
    "npairs_loss",
    "npairs_loss_multilabel",
    "triplet_semihard_loss",
]


def contrastive_loss(labels, embeddings_anchor, embeddings_positive, margin=1.0):
    """The mean of distance ** 2 of pairs of one class, max(0, margin - distance) ** 2 of others.

    labels: whether each pair is of one class. Source:
    tf.contrib.losses.metric_learning.contrastive_loss.
    """
    squares = tf.squared_difference(embeddings_anchor, embeddings_positive)
    distances = tf.sqrt(tf.reduce_sum(squares, 1))
    of_same = tf.cast(labels, distances.dtype) * tf.square(distances)
    is_other = 1.0 - tf.cast(labels, distances.dtype)
    of_others = is_other * tf.square(tf.maximum(margin - distances, 0.0))
    return tf.reduce_mean(of_same + of_others, name="contrastive_loss")


def _as_column(labels):
    shape = tf.shape(labels)
    assert shape.shape == 1
    return tf.reshape(labels, [shape[0], 1])


def _adjacency(labels):
    """Whether each two labels of a column are of one class, as a matrix."""
    return tf.equal(labels, tf.transpose(labels))


def triplet_semihard_loss(labels, embeddings, margin=1.0):
    """The mean over pairs of one class of max(0, margin + distance - that of a negative).

    The negative is the nearest of another class that is further away than the pair, or, where
    there is none, the furthest. Source: tf.contrib.losses.metric_learning.triplet_semihard_loss.
    """
    labels = _as_column(labels)
    distances = pairwise_distance(embeddings, squared=True)
    adjacency = _adjacency(labels)
    others = tf.logical_not(adjacency)
    size = tf.size(labels)
    # A row for each pair of anchor and positive, with all negatives.
    tiled = tf.tile(distances, [size, 1])
    others_tiled = tf.tile(others, [size, 1])
    further = tf.greater(tiled, tf.reshape(tf.transpose(distances), [-1, 1]))
    mask = tf.logical_and(others_tiled, further)
    counts = tf.reduce_sum(tf.cast(mask, dtype=tf.float32), 1, keepdims=True)
    has_further = tf.transpose(tf.reshape(tf.greater(counts, 0.0), [size, size]))
    others, mask = tf.cast(others, dtype=tf.float32), tf.cast(mask, dtype=tf.float32)
    outside = tf.transpose(tf.reshape(masked_minimum(tiled, mask), [size, size]))
    inside = tf.tile(masked_maximum(distances, others), [1, size])
    negatives = tf.where(has_further, outside, inside)
    losses = tf.add(margin, distances - negatives)
    positives = tf.cast(adjacency, dtype=tf.float32) - tf.diag(tf.ones([size]))
    count = tf.reduce_sum(positives)
    total = tf.reduce_sum(tf.maximum(tf.multiply(losses, positives), 0.0))
    return tf.truediv(total, count, name="triplet_semihard_loss")


def _l2_loss(embeddings_anchor, embeddings_positive, reg_lambda):
    norms = [
        tf.reduce_mean(tf.reduce_sum(tf.square(each), 1))
        for each in (embeddings_anchor, embeddings_positive)
    ]
    return tf.multiply(0.25 * reg_lambda, norms[0] + norms[1], name="l2loss")


def _similarity_loss(similarity, targets, l2loss, print_losses):
    """The cross-entropy of similarities, with targets whose rows are made to sum to 1."""
    targets /= tf.reduce_sum(targets, 1, keepdims=True)
    loss = tf.nn.softmax_cross_entropy_with_logits(logits=similarity, labels=targets)
    loss = tf.reduce_mean(loss, name="xentropy")
    if print_losses:
        loss = tf.Print(loss, ["cross entropy:", loss, "l2loss:", l2loss])
    return l2loss + loss


def npairs_loss(labels, embeddings_anchor, embeddings_positive, reg_lambda=0.002, print_losses=False):
    """The cross-entropy of the similarities of anchors and positives, and a loss of their lengths.

    labels: the class of each pair. reg_lambda: the weight of the second. Source:
    tf.contrib.losses.metric_learning.npairs_loss.
    """
    l2loss = _l2_loss(embeddings_anchor, embeddings_positive, reg_lambda)
    similarity = tf.matmul(
        embeddings_anchor, embeddings_positive, transpose_a=False, transpose_b=True
    )
    targets = tf.cast(_adjacency(_as_column(labels)), tf.float32)
    return _similarity_loss(similarity, targets, l2loss, print_losses)


def _common_labels(sparse_labels):
    """How many labels each two have in common, as a matrix."""
    count = len(sparse_labels)
    matrix = tf.zeros([count, count])
    for i, row in enumerate(sparse_labels):
        for j, column in enumerate(sparse_labels):
            common = tf.sparse_reduce_sum(tf.sparse_minimum(row, column))
            common = tf.expand_dims(tf.expand_dims(tf.cast(common, tf.float32), 0), 1)
            place = [[i, count - i - 1], [j, count - j - 1]]
            matrix += tf.pad(common, place, "CONSTANT")
    return matrix


def npairs_loss_multilabel(
    sparse_labels, embeddings_anchor, embeddings_positive, reg_lambda=0.002, print_losses=False
):
    """As npairs_loss(), where each pair has several labels: a list of sparse tensors.

    Errors: TypeError. Source: tf.contrib.losses.metric_learning.npairs_loss_multilabel.
    """
    if not all(isinstance(each, tf.SparseTensor) for each in sparse_labels):
        raise TypeError(f"sparse_labels must be a list of SparseTensors, but got {sparse_labels}")
    with tf.name_scope("NpairsLossMultiLabel"):
        l2loss = _l2_loss(embeddings_anchor, embeddings_positive, reg_lambda)
        similarity = tf.matmul(
            embeddings_anchor, embeddings_positive, transpose_a=False, transpose_b=True
        )
        targets = tf.cast(_common_labels(sparse_labels), tf.float32)
        return _similarity_loss(similarity, targets, l2loss, print_losses)


def lifted_struct_loss(labels, embeddings, margin=1.0):
    """A loss of pairs of one class against all others of both.

    Source: tf.contrib.losses.metric_learning.lifted_struct_loss.
    """
    labels = _as_column(labels)
    distances = pairwise_distance(embeddings)
    adjacency = _adjacency(labels)
    others = tf.logical_not(adjacency)
    size = tf.size(labels)
    diff = margin - distances
    mask = tf.cast(others, dtype=tf.float32)
    # The largest, which is taken out of the logarithm of the sum of exponentials.
    least = tf.reduce_min(diff, 1, keepdims=True)
    largest = tf.reduce_max(tf.multiply(diff - least, mask), 1, keepdims=True) + least
    largest = tf.maximum(largest, tf.transpose(largest))
    diff_tiled, mask_tiled = tf.tile(diff, [size, 1]), tf.tile(mask, [size, 1])
    of_pairs = tf.reshape(tf.transpose(largest), [-1, 1])
    exponentials = tf.multiply(tf.exp(diff_tiled - of_pairs), mask_tiled)
    sums = tf.reshape(tf.reduce_sum(exponentials, 1, keepdims=True), [size, size])
    losses = largest + tf.log(sums + tf.transpose(sums))
    losses += distances
    positives = tf.cast(adjacency, dtype=tf.float32) - tf.diag(tf.ones([size]))
    count = tf.reduce_sum(positives) / 2.0
    squares = tf.square(tf.maximum(tf.multiply(losses, positives), 0.0))
    return tf.truediv(0.25 * tf.reduce_sum(squares), count, name="liftedstruct_loss")
