"""What beams have in common with those that they come from, put together."""

from kiln._generated import raw_ops

import kiln.compat.v1 as tf


def gather_tree(step_ids, parent_ids, max_sequence_lengths, end_token, name=None):
    """The sequence of each final beam, [time, batch, beams].

    step_ids: what each beam was given at each step; parent_ids: the beam of the step before that
    it goes on from, [time, batch, beams] of int32 each. max_sequence_lengths: [batch] of int32;
    behind it, and behind the first end_token of a sequence, there is end_token. Errors of the run:
    InvalidArgumentError for a parent that is no beam. Source: tf.contrib.seq2seq.gather_tree.
    """
    return raw_ops.gather_tree(step_ids, parent_ids, max_sequence_lengths, end_token, name=name)


def gather_tree_from_array(t, parent_ids, sequence_length):
    """What a tensor [time, batch, beams, ...] or [time, batch * beams, ...] has for the final beams.

    Source: beam_search_decoder.gather_tree_from_array.
    """
    time, batch, beams = (
        extent.value or tf.shape(parent_ids)[i] for i, extent in enumerate(parent_ids.shape.dims)
    )
    ids = tf.expand_dims(tf.expand_dims(tf.range(beams), 0), 0)
    ids = tf.tile(ids, [time, batch, 1])
    longest = tf.cast(tf.reduce_max(sequence_length, axis=1), tf.int32)
    sources = gather_tree(ids, parent_ids, max_sequence_lengths=longest, end_token=beams + 1)
    is_within = tf.transpose(tf.sequence_mask(sequence_length, maxlen=time), perm=[2, 0, 1])
    sources = tf.where(is_within, x=sources, y=ids)
    times = tf.tile(tf.reshape(tf.range(time), [-1, 1, 1]), [1, batch, beams])
    batches = tf.tile(tf.reshape(tf.range(batch), [-1, 1, 1]), [1, time, beams])
    batches = tf.transpose(batches, perm=[1, 0, 2])
    indices = tf.stack([times, batches, sources], -1)
    shape = tf.shape(t)
    rows = tf.reshape(t, [time, batch, beams, -1])
    return tf.reshape(tf.gather_nd(rows, indices), shape)
