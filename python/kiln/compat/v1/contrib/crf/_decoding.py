"""The sequence of tags with the highest score."""

import numpy as np

import kiln.compat.v1 as tf
from kiln.compat.v1.contrib.crf._scores import TransitionCell, lengths_less_one, of_one_step_or_more
from kiln.compat.v1.nn._rnn import dynamic_rnn
from kiln.compat.v1.nn.rnn_cell import RNNCell


def viterbi_decode(score, transition_params):
    """The best sequence of tags of NumPy arrays, outside of a graph. Returns (list of tags, its score).

    score: [time, tags]; transition_params: [tags, tags]. Source: tf.contrib.crf.viterbi_decode.
    """
    best, sources = score[0], []
    for scores in score[1:]:
        candidates = np.expand_dims(best, 1) + transition_params
        sources.append(np.argmax(candidates, 0))
        best = (scores + np.max(candidates, 0)).astype(score.dtype)
    tags = [np.argmax(best)]
    for source in reversed(sources):
        tags.append(source[tags[-1]])
    return tags[::-1], np.max(best)


class CrfDecodeForwardRnnCell(TransitionCell):
    """The best tag before each tag, and the score of the best sequence that ends with it.

    Source: tf.contrib.crf.CrfDecodeForwardRnnCell.
    """

    def __call__(self, inputs, state, scope=None):
        transitions = self._transitions(state)
        scores = inputs + tf.reduce_max(transitions, [1])
        sources = tf.cast(tf.argmax(transitions, 1), dtype=tf.int32)
        return sources, scores


class CrfDecodeBackwardRnnCell(RNNCell):
    """The tag before, of inputs that say it for each tag. Source: tf.contrib.crf.CrfDecodeBackwardRnnCell."""

    def __init__(self, num_tags):
        super().__init__()
        self._num_tags = num_tags

    @property
    def state_size(self):
        return 1

    @property
    def output_size(self):
        return 1

    def __call__(self, inputs, state, scope=None):
        state = tf.squeeze(state, axis=[1])
        examples = tf.range(tf.shape(inputs)[0])
        tags = tf.gather_nd(inputs, tf.stack([examples, state], axis=1))
        tags = tf.expand_dims(tags, axis=-1)
        return tags, tags


def crf_decode(potentials, transition_params, sequence_length):
    """The best sequence of tags of each sequence. Returns ([batch, time] of int32, scores [batch]).

    potentials: [batch, time, tags]; transition_params: [tags, tags]; sequence_length: [batch] of
    integers. Source: tf.contrib.crf.crf_decode.
    """

    def single():
        squeezed = tf.squeeze(potentials, [1])
        tags = tf.expand_dims(tf.argmax(squeezed, axis=1), 1)
        scores = tf.reduce_max(squeezed, axis=1)
        return tf.cast(tags, dtype=tf.int32), scores

    def several():
        num_tags = potentials.shape.dims[2].value
        forward = CrfDecodeForwardRnnCell(transition_params)
        first = tf.squeeze(tf.slice(potentials, [0, 0, 0], [-1, 1, -1]), axis=[1])
        rest = tf.slice(potentials, [0, 1, 0], [-1, -1, -1])
        lengths = lengths_less_one(sequence_length)
        sources, scores = dynamic_rnn.__wrapped__(
            forward, inputs=rest, sequence_length=lengths, initial_state=first, time_major=False, dtype=tf.int32
        )
        sources = tf.reverse_sequence(sources, lengths, seq_dim=1)
        backward = CrfDecodeBackwardRnnCell(num_tags)
        last = tf.expand_dims(tf.cast(tf.argmax(scores, axis=1), dtype=tf.int32), axis=-1)
        tags, _ = dynamic_rnn.__wrapped__(
            backward, inputs=sources, sequence_length=lengths, initial_state=last, time_major=False, dtype=tf.int32
        )
        tags = tf.concat([last, tf.squeeze(tags, axis=[2])], axis=1)
        tags = tf.reverse_sequence(tags, sequence_length, seq_dim=1)
        return tags, tf.reduce_max(scores, axis=1)

    return of_one_step_or_more(potentials, single, several)
