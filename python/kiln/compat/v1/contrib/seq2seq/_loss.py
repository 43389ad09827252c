"""The loss of sequences of logits: tf.contrib.seq2seq.sequence_loss."""

import kiln.compat.v1 as tf


def _check(logits, targets, weights):
    if len(logits.get_shape()) != 3:
        raise ValueError("Logits must be a [batch_size x sequence_length x logits] tensor")
    if len(targets.get_shape()) != 2:
        raise ValueError("Targets must be a [batch_size x sequence_length] tensor")
    if len(weights.get_shape()) != 2:
        raise ValueError("Weights must be a [batch_size x sequence_length] tensor")


def sequence_loss(
    logits, targets, weights, average_across_timesteps=True, average_across_batch=True, sum_over_timesteps=False,
    sum_over_batch=False, softmax_loss_function=None, name=None,
):  # fmt: skip
    """The weighted cross entropy of sequences.

    logits: [batch, time, classes]; targets: [batch, time] of integers; weights: [batch, time] of
    floats. average_across_...: the sum over an axis is divided by that of the weights;
    sum_over_...: by the number of weights that are not 0. An axis of neither stays.
    softmax_loss_function(labels=, logits=): in place of
    tf.nn.sparse_softmax_cross_entropy_with_logits. Errors: ValueError. Source:
    tf.contrib.seq2seq.sequence_loss.
    """
    _check(logits, targets, weights)
    if average_across_timesteps and sum_over_timesteps:
        raise ValueError("average_across_timesteps and sum_over_timesteps cannot be set to True at same time.")
    if average_across_batch and sum_over_batch:
        raise ValueError("average_across_batch and sum_over_batch cannot be set to True at same time.")
    with tf.name_scope(name, "sequence_loss", [logits, targets, weights]):
        classes = tf.shape(logits)[2]
        flat = tf.reshape(logits, [-1, classes])
        targets = tf.reshape(targets, [-1])
        function = softmax_loss_function or tf.nn.sparse_softmax_cross_entropy_with_logits
        entropy = function(labels=targets, logits=flat)
        entropy *= tf.reshape(weights, [-1])
        averages = average_across_timesteps and average_across_batch
        if averages or (sum_over_timesteps and sum_over_batch):
            return _divided(tf.reduce_sum(entropy), weights, averages, None)
        entropy = tf.reshape(entropy, tf.shape(logits)[0:2])
        if average_across_timesteps or average_across_batch:
            axis = [0] if average_across_batch else [1]
            return _divided(tf.reduce_sum(entropy, axis=axis), weights, True, axis)
        if sum_over_timesteps or sum_over_batch:
            axis = [0] if sum_over_batch else [1]
            return _divided(tf.reduce_sum(entropy, axis=axis), weights, False, axis)
        return entropy


def _divided(sums, weights, averages, axis):
    """The sums by the weights, or by how many weights are not 0."""
    if averages:
        total = tf.reduce_sum(weights, axis=axis)
    else:
        total = tf.cast(tf.count_nonzero(weights, axis=axis), sums.dtype)
    return tf.div_no_nan(sums, total)
