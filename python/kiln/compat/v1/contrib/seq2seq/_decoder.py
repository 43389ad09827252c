"""Decoders, and the loop that runs them: tf.contrib.seq2seq.dynamic_decode."""

import abc

import kiln.compat.v1 as tf
from kiln._kiln import front as _c
from kiln.compat.v1._constant_value import constant_value
from kiln.compat.v1._util import nest
from kiln.compat.v1.nn._rnn_shapes import transpose_batch_time
from kiln.compat.v1.nn.rnn_cell._base import zeros_like_state


class Decoder(metaclass=abc.ABCMeta):
    """What makes a sequence step by step. Source: tf.contrib.seq2seq.Decoder."""

    @property
    def batch_size(self):
        """How many sequences, an int or a tensor."""
        raise NotImplementedError

    @property
    def output_size(self):
        """A structure of ints and TensorShapes: the outputs of a step without the batch."""
        raise NotImplementedError

    @property
    def output_dtype(self):
        """The dtypes of the outputs, in the same structure."""
        raise NotImplementedError

    @abc.abstractmethod
    def initialize(self, name=None):
        """Called before the first step. Returns (finished, first inputs, first state)."""
        raise NotImplementedError

    @abc.abstractmethod
    def step(self, time, inputs, state, name=None):
        """Called for a step. Returns (outputs, next state, next inputs, finished)."""
        raise NotImplementedError

    def finalize(self, outputs, final_state, sequence_lengths):
        """Makes what dynamic_decode() gives of outputs [time, batch, ...] and the last state."""
        raise NotImplementedError

    @property
    def tracks_own_finished(self):
        """Whether a sequence that is over may go on: step() says so each time."""
        return False


def _element_shape(batch_size, size):
    """The shape of what a TensorArray of outputs has; None for a size that is an int or a scalar."""
    if not isinstance(size, tf.TensorShape) or size.ndims == 0:
        return None
    batch = constant_value(tf.convert_to_tensor(batch_size, name="batch_size"))
    return tf.TensorShape([None if batch is None else int(batch)]).concatenate(size)


class _Loop:
    """The iterations of dynamic_decode()."""

    def __init__(self, decoder, zero_outputs, impute_finished):
        self._decoder, self._zero_outputs, self._impute_finished = decoder, zero_outputs, impute_finished

    def condition(self, time, outputs, state, inputs, finished, lengths):
        return tf.logical_not(tf.reduce_all(finished))

    def body(self, time, outputs, state, inputs, finished, lengths):
        next_outputs, next_state, next_inputs, now_finished = self._decoder.step(time, inputs, state)
        if not self._decoder.tracks_own_finished:
            now_finished = tf.logical_or(now_finished, finished)
        lengths = tf.where(tf.logical_not(finished), tf.fill(tf.shape(lengths), time + 1), lengths)
        nest.assert_same_structure(state, next_state)
        nest.assert_same_structure(outputs, next_outputs)
        nest.assert_same_structure(inputs, next_inputs)
        if self._impute_finished:
            next_outputs = nest.map_structure(
                lambda out, zero: tf.where(finished, zero, out), next_outputs, self._zero_outputs
            )
            next_state = nest.map_structure(
                lambda new, old: self._unless_finished(finished, new, old), next_state, state
            )
        outputs = nest.map_structure(lambda array, out: array.write(time, out), outputs, next_outputs)
        return time + 1, outputs, next_state, next_inputs, now_finished, lengths

    @staticmethod
    def _unless_finished(finished, new, old):
        """The old state where a sequence is over; scalars and arrays always go on."""
        if isinstance(old, tf.TensorArray):
            return new
        new.set_shape(old.shape)
        return new if new.shape.ndims == 0 else tf.where(finished, old, new)


def dynamic_decode(
    decoder, output_time_major=False, impute_finished=False, maximum_iterations=None, parallel_iterations=32,
    swap_memory=False, scope=None, **kwargs,
):  # fmt: skip
    """Runs a decoder until all sequences are over. Returns (outputs, last state, lengths).

    decoder: a Decoder. output_time_major: whether outputs are [time, batch, ...]; [batch, time, ...]
    otherwise. impute_finished: whether outputs are zeros and states stay behind the end of a
    sequence. maximum_iterations: the most steps, an int or a scalar. scope: the variable scope,
    "decoder" made unique by default. Errors: TypeError, ValueError. Source:
    tf.contrib.seq2seq.dynamic_decode.
    """
    if not isinstance(decoder, Decoder):
        raise TypeError(f"Expected decoder to be type Decoder, but saw: {type(decoder)}")
    with tf.variable_scope(scope, "decoder") as scope:
        _c.cache_reads(scope._handle)
        if maximum_iterations is not None:
            maximum_iterations = tf.convert_to_tensor(
                maximum_iterations, dtype=tf.int32, name="maximum_iterations"
            )
            if maximum_iterations.get_shape().ndims != 0:
                raise ValueError("maximum_iterations must be a scalar")
        finished, inputs, state = decoder.initialize()
        size, dtype = decoder.output_size, decoder.output_dtype
        zero_outputs = nest.map_structure(
            lambda s, d: zeros_like_state(s, decoder.batch_size, d), size, dtype
        )
        if maximum_iterations is not None:
            finished = tf.logical_or(finished, 0 >= maximum_iterations)
        lengths = tf.zeros_like(finished, dtype=tf.int32)
        time = tf.constant(0, dtype=tf.int32)
        arrays = nest.map_structure(
            lambda s, d: tf.TensorArray(
                dtype=d, size=0, dynamic_size=True, element_shape=_element_shape(decoder.batch_size, s)
            ),
            size,
            dtype,
        )
        loop = _Loop(decoder, zero_outputs, impute_finished)
        done = tf.while_loop(
            loop.condition, loop.body, loop_vars=(time, arrays, state, inputs, finished, lengths),
            parallel_iterations=parallel_iterations, maximum_iterations=maximum_iterations, swap_memory=swap_memory,
        )  # fmt: skip
        _, arrays, state, _, _, lengths = done
        outputs = nest.map_structure(lambda array: array.stack(), arrays)
        try:
            outputs, state = decoder.finalize(outputs, state, lengths)
        except NotImplementedError:
            pass
        if not output_time_major:
            outputs = nest.map_structure(transpose_batch_time, outputs)
    return outputs, state, lengths
