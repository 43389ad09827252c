"""Scores of sequences of tags, and the sum of all of them."""

import kiln.compat.v1 as tf
from kiln.compat.v1.nn._rnn import dynamic_rnn
from kiln.compat.v1.nn.rnn_cell import RNNCell


def of_one_step_or_more(tensor, single, several):
    """What one function gives for sequences of one step, the other for longer ones: [batch, time, ...]."""
    time = tensor.shape.dims[1].value
    is_single = tf.equal(time or tf.shape(tensor)[1], 1)
    if time:
        return single() if time == 1 else several()
    return tf.cond(is_single, single, several)


def lengths_less_one(lengths):
    return tf.maximum(tf.constant(0, dtype=lengths.dtype), lengths - 1)


def _zero_if_empty(scores, lengths):
    return tf.where(tf.less_equal(lengths, 0), tf.zeros_like(scores), scores)


def crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params):
    """The score of each sequence of tags, [batch], not normalized.

    inputs: [batch, time, tags], scores of each tag at each step; tag_indices: [batch, time] of
    integers; sequence_lengths: [batch] of integers; transition_params: [tags, tags], the score of
    each pair of tags. Source: tf.contrib.crf.crf_sequence_score.
    """

    def single():
        batch = tf.shape(inputs, out_type=tag_indices.dtype)[0]
        examples = tf.reshape(tf.range(batch, dtype=tag_indices.dtype), [-1, 1])
        scores = tf.gather_nd(tf.squeeze(inputs, [1]), tf.concat([examples, tag_indices], axis=1))
        return _zero_if_empty(scores, sequence_lengths)

    def several():
        unary = crf_unary_score(tag_indices, sequence_lengths, inputs)
        return unary + crf_binary_score(tag_indices, sequence_lengths, transition_params)

    return of_one_step_or_more(inputs, single, several)


def crf_multitag_sequence_score(inputs, tag_bitmap, sequence_lengths, transition_params):
    """The logarithm of the sum of the scores of all sequences of tags that are allowed, [batch].

    tag_bitmap: [batch, time, tags] of bool. Other arguments as crf_sequence_score() has them.
    Source: tf.contrib.crf.crf_multitag_sequence_score.
    """

    def allowed():
        return tf.where(tag_bitmap, inputs, tf.fill(tf.shape(inputs), float("-inf")))

    def single():
        return tf.reduce_logsumexp(allowed(), axis=[1, 2], keepdims=False)

    def several():
        return crf_log_norm(
            inputs=allowed(), sequence_lengths=sequence_lengths, transition_params=transition_params
        )

    return of_one_step_or_more(inputs, single, several)


def crf_log_norm(inputs, sequence_lengths, transition_params):
    """The logarithm of the sum of the scores of all sequences of tags, [batch].

    Arguments as crf_sequence_score() has them. Source: tf.contrib.crf.crf_log_norm.
    """
    first = tf.slice(inputs, [0, 0, 0], [-1, 1, -1])
    first = tf.squeeze(first, [1])

    def single():
        return _zero_if_empty(tf.reduce_logsumexp(first, [1]), sequence_lengths)

    def several():
        rest = tf.slice(inputs, [0, 1, 0], [-1, -1, -1])
        cell = CrfForwardRnnCell(transition_params)
        _, alphas = dynamic_rnn.__wrapped__(
            cell=cell, inputs=rest, sequence_length=lengths_less_one(sequence_lengths), initial_state=first,
            dtype=tf.float32,
        )  # fmt: skip
        return _zero_if_empty(tf.reduce_logsumexp(alphas, [1]), sequence_lengths)

    return of_one_step_or_more(inputs, single, several)


def crf_log_likelihood(inputs, tag_indices, sequence_lengths, transition_params=None):
    """The logarithm of the likelihood of sequences of tags. Returns ([batch], transition_params).

    Arguments as crf_sequence_score() has them; without transition_params it makes a variable
    "transitions". Source: tf.contrib.crf.crf_log_likelihood.
    """
    tags = inputs.shape.dims[2].value
    if transition_params is None:
        transition_params = tf.get_variable("transitions", [tags, tags])
    scores = crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params)
    return scores - crf_log_norm(inputs, sequence_lengths, transition_params), transition_params


def crf_unary_score(tag_indices, sequence_lengths, inputs):
    """The sum of the scores of the tags at their steps, [batch]. Source: tf.contrib.crf.crf_unary_score."""
    batch, time, tags = (tf.shape(inputs)[i] for i in range(3))
    flat = tf.reshape(inputs, [-1])
    offsets = tf.expand_dims(tf.range(batch) * time * tags, 1)
    offsets += tf.expand_dims(tf.range(time) * tags, 0)
    if tag_indices.dtype == tf.int64:
        offsets = tf.cast(offsets, tf.int64)
    indices = tf.reshape(offsets + tag_indices, [-1])
    scores = tf.reshape(tf.gather(flat, indices), [batch, time])
    masks = tf.sequence_mask(sequence_lengths, maxlen=tf.shape(tag_indices)[1], dtype=tf.float32)
    return tf.reduce_sum(scores * masks, 1)


def crf_binary_score(tag_indices, sequence_lengths, transition_params):
    """The sum of the scores of the pairs of tags, [batch]. Source: tf.contrib.crf.crf_binary_score."""
    tags = transition_params.get_shape()[0]
    count = tf.shape(tag_indices)[1] - 1
    before = tf.slice(tag_indices, [0, 0], [-1, count])
    after = tf.slice(tag_indices, [0, 1], [-1, count])
    indices = before * tags + after
    scores = tf.gather(tf.reshape(transition_params, [-1]), indices)
    masks = tf.sequence_mask(sequence_lengths, maxlen=tf.shape(tag_indices)[1], dtype=tf.float32)
    return tf.reduce_sum(scores * tf.slice(masks, [0, 1], [-1, -1]), 1)


class TransitionCell(RNNCell):
    """A cell whose state has a number for each tag."""

    def __init__(self, transition_params):
        super().__init__()
        self._transition_params = tf.expand_dims(transition_params, 0)
        self._num_tags = transition_params.shape.dims[0].value

    @property
    def state_size(self):
        return self._num_tags

    @property
    def output_size(self):
        return self._num_tags

    def _transitions(self, state):
        """[batch, tag before, tag]."""
        return tf.expand_dims(state, 2) + self._transition_params


class CrfForwardRnnCell(TransitionCell):
    """The logarithms of the sums of the scores of all sequences that end with each tag.

    Source: tf.contrib.crf.CrfForwardRnnCell.
    """

    def __call__(self, inputs, state, scope=None):
        alphas = inputs + tf.reduce_logsumexp(self._transitions(state), [1])
        return alphas, alphas
