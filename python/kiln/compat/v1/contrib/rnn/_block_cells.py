"""Cells that are one op in TensorFlow, in order to be fast there.

Here they are the ops that they compute, which Kiln compiles into one kernel: variables, values and
gradients are TensorFlow's, the nodes are not.
"""

import kiln.compat.v1 as tf
from kiln.compat.v1._util.deprecation import deprecated_args
from kiln.compat.v1.nn.rnn_cell import LSTMStateTuple
from kiln.compat.v1.nn.rnn_cell._base import LayerRNNCell


def block_lstm_step(x, c, h, kernel, bias, peepholes, forget_bias, cell_clip):
    """(memory, output) after a step. peepholes: those of the gates for input, forget, output, or None.

    As in TensorFlow's op the gradient does not see the limit of the memory.
    """
    product = tf.nn.bias_add(tf.matmul(tf.concat([x, h], 1), kernel), bias)
    admit, taken, keep, show = tf.split(product, 4, axis=1)
    keep = keep + forget_bias
    if peepholes:
        admit, keep = admit + c * peepholes[0], keep + c * peepholes[1]
    c = tf.tanh(taken) * tf.sigmoid(admit) + c * tf.sigmoid(keep)
    if cell_clip > 0:
        c = c + tf.stop_gradient(tf.clip_by_value(c, -cell_clip, cell_clip) - c)
    if peepholes:
        show = show + c * peepholes[2]
    return c, tf.tanh(c) * tf.sigmoid(show)


def block_lstm_weights(layer, columns, units, use_peephole):
    """Makes the variables of a layer: "kernel", "bias", and "w_i_diag", "w_f_diag", "w_o_diag"."""
    layer._kernel = layer.add_variable("kernel", [columns + units, units * 4])
    layer._bias = layer.add_variable("bias", [units * 4], initializer=tf.constant_initializer(0.0))
    if use_peephole:
        layer._w_i_diag = layer.add_variable("w_i_diag", [units])
        layer._w_f_diag = layer.add_variable("w_f_diag", [units])
        layer._w_o_diag = layer.add_variable("w_o_diag", [units])
    layer.built = True


def block_lstm_peepholes(layer, use_peephole):
    return (layer._w_i_diag, layer._w_f_diag, layer._w_o_diag) if use_peephole else None


class LSTMBlockCell(LayerRNNCell):
    """Long short-term memory, http://arxiv.org/abs/1409.2329.

    forget_bias: added to the forget gate's input. cell_clip: the limit of the memory; None or
    below zero for none. use_peephole: whether the gates see the memory. Variables as
    tf.nn.rnn_cell.LSTMCell's. Source: tf.contrib.rnn.LSTMBlockCell.
    """

    def __init__(
        self, num_units, forget_bias=1.0, cell_clip=None, use_peephole=False, dtype=None, reuse=None, name="lstm_cell"
    ):
        super().__init__(_reuse=reuse, dtype=dtype, name=name)
        self._num_units, self._forget_bias, self._use_peephole = num_units, forget_bias, use_peephole
        self._cell_clip = -1 if cell_clip is None else cell_clip
        self._require_rank(2)

    @property
    def state_size(self):
        return LSTMStateTuple(self._num_units, self._num_units)

    @property
    def output_size(self):
        return self._num_units

    def build(self, inputs_shape):
        columns = tf.TensorShape(inputs_shape).dims[1].value
        if not columns:
            raise ValueError(f"Expecting inputs_shape[1] to be set: {inputs_shape}")
        block_lstm_weights(self, columns, self._num_units, self._use_peephole)

    def call(self, inputs, state):
        if len(state) != 2:
            raise ValueError("Expecting state to be a tuple with length 2.")
        peepholes = block_lstm_peepholes(self, self._use_peephole)
        c, h = block_lstm_step(
            inputs, *state, self._kernel, self._bias, peepholes, self._forget_bias, self._cell_clip
        )
        return h, LSTMStateTuple(c, h)


class GRUBlockCell(LayerRNNCell):
    """Gated units, http://arxiv.org/abs/1406.1078. cell_size: the older name of num_units.

    Variables "w_ru", "b_ru", "w_c", "b_c". Errors: ValueError. Source: tf.contrib.rnn.GRUBlockCell.
    """

    _names = ("w_ru", "b_ru", "w_c", "b_c")

    @deprecated_args(
        None, "cell_size is deprecated, use num_units instead", "cell_size",
        module="tensorflow.contrib.rnn.python.ops.gru_ops",
    )  # fmt: skip
    def __init__(self, num_units=None, cell_size=None, reuse=None, name="gru_cell"):
        super().__init__(_reuse=reuse, name=name)
        if (cell_size is None) == (num_units is None):
            raise ValueError("Exactly one of num_units or cell_size must be provided.")
        self._cell_size = cell_size if num_units is None else num_units
        self._require_rank(2)

    @property
    def state_size(self):
        return self._cell_size

    @property
    def output_size(self):
        return self._cell_size

    def build(self, input_shape):
        columns = tf.TensorShape(input_shape).dims[1].value
        if columns is None:
            raise ValueError("Expecting input_size to be set.")
        rows, units = columns + self._cell_size, self._cell_size
        gate_kernel, gate_bias, kernel, bias = self._names
        self._gate_kernel = self.add_variable(gate_kernel, [rows, units * 2])
        self._gate_bias = self.add_variable(gate_bias, [units * 2], initializer=tf.constant_initializer(1.0))
        self._candidate_kernel = self.add_variable(kernel, [rows, units])
        self._candidate_bias = self.add_variable(bias, [units], initializer=tf.constant_initializer(0.0))
        self.built = True

    def call(self, inputs, h_prev):
        columns = h_prev.get_shape().with_rank(2).dims[1].value
        if columns != self._cell_size:
            raise ValueError(f"Shape of h_prev[1] incorrect: cell_size {self._cell_size} vs {columns}")
        gates = tf.matmul(tf.concat([inputs, h_prev], 1), self._gate_kernel)
        r, u = tf.split(tf.sigmoid(tf.nn.bias_add(gates, self._gate_bias)), 2, axis=1)
        candidate = tf.matmul(tf.concat([inputs, r * h_prev], 1), self._candidate_kernel)
        candidate = tf.tanh(tf.nn.bias_add(candidate, self._candidate_bias))
        h = u * h_prev + (1.0 - u) * candidate
        return h, h


class GRUBlockCellV2(GRUBlockCell):
    """GRUBlockCell with the variables of tf.nn.rnn_cell.GRUCell. Source: tf.contrib.rnn.GRUBlockCellV2."""

    _names = ("gates/kernel", "gates/bias", "candidate/kernel", "candidate/bias")
