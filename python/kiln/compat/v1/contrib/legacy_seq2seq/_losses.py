"""Losses of lists of logits, and networks for inputs of several lengths."""

import kiln.compat.v1 as tf


def sequence_loss_by_example(
    logits, targets, weights, average_across_timesteps=True, softmax_loss_function=None, name=None
):
    """The weighted cross entropy of each sequence, [batch].

    logits: a list of [batch, classes]; targets: a list of [batch] of int32; weights: a list of
    [batch]. average_across_timesteps: whether the sum is divided by that of the weights.
    softmax_loss_function(labels=, logits=): in place of
    tf.nn.sparse_softmax_cross_entropy_with_logits. Errors: ValueError. Source:
    tf.contrib.legacy_seq2seq.sequence_loss_by_example.
    """
    if len(targets) != len(logits) or len(weights) != len(logits):
        raise ValueError(
            f"Lengths of logits, weights, and targets must be the same {len(logits)}, {len(weights)}, {len(targets)}."
        )
    with tf.name_scope(name, "sequence_loss_by_example", logits + targets + weights):
        losses = []
        for logit, target, weight in zip(logits, targets, weights):
            if softmax_loss_function is None:
                target = tf.reshape(target, [-1])
                entropy = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=logit)
            else:
                entropy = softmax_loss_function(labels=target, logits=logit)
            losses.append(entropy * weight)
        loss = tf.add_n(losses)
        if average_across_timesteps:
            total = tf.add_n(weights)
            total += 1e-12  # where all weights are 0
            loss /= total
    return loss


def sequence_loss(
    logits, targets, weights, average_across_timesteps=True, average_across_batch=True, softmax_loss_function=None,
    name=None,
):  # fmt: skip
    """The sum of sequence_loss_by_example(), divided by the batch where average_across_batch.

    Source: tf.contrib.legacy_seq2seq.sequence_loss.
    """
    with tf.name_scope(name, "sequence_loss", logits + targets + weights):
        loss = tf.reduce_sum(
            sequence_loss_by_example(
                logits, targets, weights, average_across_timesteps=average_across_timesteps,
                softmax_loss_function=softmax_loss_function,
            )
        )  # fmt: skip
        if not average_across_batch:
            return loss
        batch = tf.shape(targets[0])[0]
        return loss / tf.cast(batch, loss.dtype)


def model_with_buckets(
    encoder_inputs, decoder_inputs, targets, weights, buckets, seq2seq, softmax_loss_function=None,
    per_example_loss=False, name=None,
):  # fmt: skip
    """A network for each of several pairs of lengths, with shared variables. Returns (outputs, losses).

    buckets: a list of (length of encoder_inputs, length of decoder_inputs), the largest last.
    seq2seq(encoder_inputs, decoder_inputs): gives (outputs, state). per_example_loss: whether
    losses are [batch]. Errors: ValueError. Source: tf.contrib.legacy_seq2seq.model_with_buckets.
    """
    longest = buckets[-1]
    for what, given, least in (
        ("encoder_inputs", encoder_inputs, longest[0]), ("targets", targets, longest[1]),
        ("weights", weights, longest[1]),
    ):  # fmt: skip
        if len(given) < least:
            raise ValueError(f"Length of {what} ({len(given)}) must be at least that of last bucket ({least}).")
    loss_of = sequence_loss_by_example if per_example_loss else sequence_loss
    losses, outputs = [], []
    with tf.name_scope(name, "model_with_buckets", encoder_inputs + decoder_inputs + targets + weights):
        for number, bucket in enumerate(buckets):
            with tf.variable_scope(tf.get_variable_scope(), reuse=True if number > 0 else None):
                bucket_outputs, _ = seq2seq(encoder_inputs[: bucket[0]], decoder_inputs[: bucket[1]])
                outputs.append(bucket_outputs)
                losses.append(
                    loss_of(
                        bucket_outputs, targets[: bucket[1]], weights[: bucket[1]],
                        softmax_loss_function=softmax_loss_function,
                    )
                )  # fmt: skip
    return outputs, losses
