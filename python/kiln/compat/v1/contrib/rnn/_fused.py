"""Cells that take whole sequences, [time, batch, ...]."""

import abc

import kiln.compat.v1 as tf
from kiln.compat.v1.contrib.rnn._block_cells import block_lstm_peepholes, block_lstm_step, block_lstm_weights
from kiln.compat.v1.layers import Layer
from kiln.compat.v1.nn._rnn import dynamic_rnn
from kiln.compat.v1.nn.rnn_cell import LSTMStateTuple, RNNCell


class FusedRNNCell(metaclass=abc.ABCMeta):
    """What runs over whole sequences: cell(inputs, ...) gives (outputs, last state).

    Source: tf.contrib.rnn.FusedRNNCell.
    """

    @abc.abstractmethod
    def __call__(self, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
        """Runs it.

        inputs: [time, batch, ...], or a list of [batch, ...]; outputs are as inputs. Other
        arguments as tf.nn.dynamic_rnn() has them.
        """


class FusedRNNCellAdaptor(FusedRNNCell):
    """An RNNCell as one that takes whole sequences.

    use_dynamic_rnn: whether it runs in a loop, or each step is a part of the graph. Source:
    tf.contrib.rnn.FusedRNNCellAdaptor.
    """

    def __init__(self, cell, use_dynamic_rnn=False):
        self._cell, self._use_dynamic_rnn = cell, use_dynamic_rnn

    def __call__(self, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
        is_list = isinstance(inputs, list)
        options = dict(sequence_length=sequence_length, initial_state=initial_state, dtype=dtype, scope=scope)
        if self._use_dynamic_rnn:
            if is_list:
                inputs = tf.stack(inputs)
            outputs, state = tf.nn.dynamic_rnn(self._cell, inputs, time_major=True, **options)
            return tf.unstack(outputs) if is_list else outputs, state
        if not is_list:
            inputs = tf.unstack(inputs)
        outputs, state = tf.nn.static_rnn(self._cell, inputs, **options)
        return outputs if is_list else tf.stack(outputs), state


class TimeReversedFusedRNN(FusedRNNCell):
    """Another one, from the last step of each sequence to the first.

    Outputs are in the order of the inputs. Source: tf.contrib.rnn.TimeReversedFusedRNN.
    """

    def __init__(self, cell):
        self._cell = cell

    def _reverse(self, tensor, lengths):
        if isinstance(tensor, list):
            return list(reversed(tensor))
        if lengths is None:
            return tf.reverse(tensor, [0])
        return tf.reverse_sequence(tensor, lengths, 0, 1)

    def __call__(self, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
        inputs = self._reverse(inputs, sequence_length)
        outputs, state = self._cell(
            inputs, initial_state=initial_state, dtype=dtype, sequence_length=sequence_length, scope=scope
        )
        return self._reverse(outputs, sequence_length), state


class LSTMBlockWrapper(Layer):
    """What runs a long short-term memory over whole sequences; _call_cell() is the subclass's.

    Source: tf.contrib.rnn.LSTMBlockWrapper.
    """

    @property
    @abc.abstractmethod
    def num_units(self):
        """The columns of the outputs."""

    @abc.abstractmethod
    def _call_cell(self, inputs, initial_cell_state, initial_output, dtype, sequence_length):
        """(memories, outputs), [time, batch, num_units] each; zeros or anything behind a sequence's end."""

    def call(self, inputs, initial_state=None, dtype=None, sequence_length=None):
        """Runs it over inputs, [time, batch, columns] or a list of [batch, columns].

        Returns (outputs, last LSTMStateTuple). Without initial_state dtype must be given. Errors:
        ValueError.
        """
        is_list = isinstance(inputs, list)
        if is_list:
            inputs = tf.stack(inputs)
        time, batch, columns = inputs.get_shape().with_rank(3).as_list()
        if not columns:
            raise ValueError(f"Expecting inputs_shape[2] to be set: {inputs.get_shape()}")
        batch = tf.shape(inputs)[1] if batch is None else batch
        time = tf.shape(inputs)[0] if time is None else time
        if initial_state is None:
            if dtype is None:
                raise ValueError("Either initial_state or dtype needs to be specified")
            zeros = tf.zeros(tf.stack([batch, self.num_units]), dtype=dtype)
            initial_state = (zeros, zeros)
        elif len(initial_state) != 2:
            raise ValueError("Expecting initial_state to be a tuple with length 2 or None")
        elif dtype is None:
            dtype = initial_state[0].dtype
        if sequence_length is not None:
            sequence_length = tf.convert_to_tensor(sequence_length)
        memories, outputs = self._call_cell(inputs, *initial_state, dtype, sequence_length)
        if sequence_length is None:
            state = LSTMStateTuple(memories[-1], outputs[-1])
        else:
            mask = tf.transpose(tf.sequence_mask(sequence_length, time, dtype=dtype), [1, 0])
            outputs *= tf.expand_dims(mask, -1)
            last = [
                self._gather_states(tf.concat([tf.expand_dims(first, 0), steps], 0), sequence_length, batch)
                for first, steps in zip(initial_state, (memories, outputs))
            ]
            state = LSTMStateTuple(*last)
        return tf.unstack(outputs) if is_list else outputs, state

    def _gather_states(self, data, indices, batch_size):
        """The state of each sequence at its index."""
        return tf.gather_nd(data, tf.stack([indices, tf.range(batch_size, dtype=indices.dtype)], axis=1))


FusedRNNCell.register(LSTMBlockWrapper)
_dynamic_rnn = dynamic_rnn.__wrapped__  # which says nothing of deprecation


class _BothCell(RNNCell):
    """Gives its memory out beside its output."""

    def __init__(self, units, step):
        super().__init__()
        self._units, self._step = units, step

    @property
    def state_size(self):
        return LSTMStateTuple(self._units, self._units)

    @property
    def output_size(self):
        return self._units, self._units

    def __call__(self, inputs, state, scope=None):
        c, h = self._step(inputs, *state)
        return (c, h), LSTMStateTuple(c, h)


class LSTMBlockFusedCell(LSTMBlockWrapper):
    """Long short-term memory over whole sequences, http://arxiv.org/abs/1409.2329.

    Arguments as LSTMBlockCell has them. In TensorFlow it is one op; here a loop. Source:
    tf.contrib.rnn.LSTMBlockFusedCell.
    """

    def __init__(
        self, num_units, forget_bias=1.0, cell_clip=None, use_peephole=False, reuse=None, dtype=None,
        name="lstm_fused_cell",
    ):  # fmt: skip
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self._num_units, self._forget_bias, self._use_peephole = num_units, forget_bias, use_peephole
        self._cell_clip = -1 if cell_clip is None else cell_clip

    @property
    def num_units(self):
        return self._num_units

    def build(self, input_shape):
        columns = tf.TensorShape(input_shape).dims[2].value
        block_lstm_weights(self, columns, self._num_units, self._use_peephole)

    def _call_cell(self, inputs, initial_cell_state=None, initial_output=None, dtype=None, sequence_length=None):
        # Outside of the loop, where they are read once.
        kernel, bias = tf.identity(self._kernel), tf.identity(self._bias)
        peepholes = block_lstm_peepholes(self, self._use_peephole)

        def step(x, c, h):
            return block_lstm_step(x, c, h, kernel, bias, peepholes, self._forget_bias, self._cell_clip)

        (memories, outputs), _ = _dynamic_rnn(
            _BothCell(self._num_units, step), inputs, sequence_length,
            LSTMStateTuple(initial_cell_state, initial_output), dtype, time_major=True,
        )  # fmt: skip
        return memories, outputs
