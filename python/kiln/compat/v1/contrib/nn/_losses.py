"""Losses of logits with the arguments in another order."""

from kiln.compat import v1 as tf


def deprecated_flipped_softmax_cross_entropy_with_logits(logits, labels, dim=-1, name=None):
    """As tf.nn.softmax_cross_entropy_with_logits().

    Source: tf.contrib.nn.deprecated_flipped_softmax_cross_entropy_with_logits.
    """
    return tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits, dim=dim, name=name)


def deprecated_flipped_sparse_softmax_cross_entropy_with_logits(logits, labels, name=None):
    """As tf.nn.sparse_softmax_cross_entropy_with_logits().

    Source: tf.contrib.nn.deprecated_flipped_sparse_softmax_cross_entropy_with_logits.
    """
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


def deprecated_flipped_sigmoid_cross_entropy_with_logits(logits, targets, name=None):
    """As tf.nn.sigmoid_cross_entropy_with_logits().

    Source: tf.contrib.nn.deprecated_flipped_sigmoid_cross_entropy_with_logits.
    """
    return tf.nn.sigmoid_cross_entropy_with_logits(labels=targets, logits=logits, name=name)
