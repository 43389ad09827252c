"""Cells whose units see their own state alone, https://arxiv.org/abs/1803.04831."""

from kiln._generated.raw_ops import tile

import kiln.compat.v1 as tf
from kiln.compat.v1.nn.rnn_cell import LSTMStateTuple
from kiln.compat.v1.nn.rnn_cell._base import LayerRNNCell
from kiln.compat.v1.nn.rnn_cell._cells import columns_of


class _Independent(LayerRNNCell):
    """A cell with one kernel for its inputs, and one number a unit for its state."""

    def __init__(self, num_units, activation, reuse, name, dtype, kernel_initializer=None, bias_initializer=None):
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self._require_rank(2)
        self._num_units, self._activation = num_units, activation or tf.tanh
        self._kernel_initializer, self._bias_initializer = kernel_initializer, bias_initializer

    @property
    def output_size(self):
        return self._num_units

    def _kernel(self, name, rows, columns):
        return self.add_variable(name, shape=[rows, columns], initializer=self._kernel_initializer)

    def _own(self, name, columns):
        initializer = tf.random_uniform_initializer(minval=-1, maxval=1, dtype=self.dtype)
        return self.add_variable(name, shape=[1, columns], initializer=initializer)

    def _bias_of(self, name, columns, initializer):
        if self._bias_initializer is not None:
            initializer = self._bias_initializer
        return self.add_variable(name, shape=[columns], initializer=initializer)


class IndRNNCell(_Independent):
    """activation(W x + u h + b). Variables "kernel_w", "kernel_u", "bias". Source: tf.contrib.rnn.IndRNNCell."""

    def __init__(self, num_units, activation=None, reuse=None, name=None, dtype=None):
        super().__init__(num_units, activation, reuse, name, dtype)

    @property
    def state_size(self):
        return self._num_units

    def build(self, inputs_shape):
        self._kernel_w = self._kernel("kernel_w", columns_of(inputs_shape), self._num_units)
        self._kernel_u = self._own("kernel_u", self._num_units)
        self._bias = self._bias_of("bias", self._num_units, tf.zeros_initializer(dtype=self.dtype))
        self.built = True

    def call(self, inputs, state):
        sums = tf.matmul(inputs, self._kernel_w) + state * self._kernel_u
        output = self._activation(tf.nn.bias_add(sums, self._bias))
        return output, output


class IndyGRUCell(_Independent):
    """Gated units. Variables "gates/kernel_w", "gates/kernel_u", "gates/bias", "candidate/kernel",
    "candidate/kernel_u", "candidate/bias". Source: tf.contrib.rnn.IndyGRUCell.
    """

    def __init__(
        self, num_units, activation=None, reuse=None, kernel_initializer=None, bias_initializer=None, name=None,
        dtype=None,
    ):  # fmt: skip
        super().__init__(num_units, activation, reuse, name, dtype, kernel_initializer, bias_initializer)

    @property
    def state_size(self):
        return self._num_units

    def build(self, inputs_shape):
        columns, units = columns_of(inputs_shape), self._num_units
        self._gate_kernel_w = self._kernel("gates/kernel_w", columns, 2 * units)
        self._gate_kernel_u = self._own("gates/kernel_u", 2 * units)
        self._gate_bias = self._bias_of("gates/bias", 2 * units, tf.constant_initializer(1.0, dtype=self.dtype))
        self._candidate_kernel_w = self._kernel("candidate/kernel", columns, units)
        self._candidate_kernel_u = self._own("candidate/kernel_u", units)
        self._candidate_bias = self._bias_of("candidate/bias", units, tf.zeros_initializer(dtype=self.dtype))
        self.built = True

    def call(self, inputs, state):
        gates = tf.matmul(inputs, self._gate_kernel_w) + tile(state, [1, 2]) * self._gate_kernel_u
        gates = tf.sigmoid(tf.nn.bias_add(gates, self._gate_bias))
        r, u = tf.split(value=gates, num_or_size_splits=2, axis=1)
        reset = r * state
        candidate = tf.matmul(inputs, self._candidate_kernel_w) + reset * self._candidate_kernel_u
        candidate = self._activation(tf.nn.bias_add(candidate, self._candidate_bias))
        output = u * state + (1 - u) * candidate
        return output, output


class IndyLSTMCell(_Independent):
    """Long short-term memory. Variables "kernel_w", "kernel_u", "bias". Source: tf.contrib.rnn.IndyLSTMCell."""

    def __init__(
        self, num_units, forget_bias=1.0, activation=None, reuse=None, kernel_initializer=None, bias_initializer=None,
        name=None, dtype=None,
    ):  # fmt: skip
        super().__init__(num_units, activation, reuse, name, dtype, kernel_initializer, bias_initializer)
        self._forget_bias = forget_bias

    @property
    def state_size(self):
        return LSTMStateTuple(self._num_units, self._num_units)

    def build(self, inputs_shape):
        self._kernel_w = self._kernel("kernel_w", columns_of(inputs_shape), 4 * self._num_units)
        self._kernel_u = self._own("kernel_u", 4 * self._num_units)
        self._bias = self._bias_of("bias", 4 * self._num_units, tf.zeros_initializer(dtype=self.dtype))
        self.built = True

    def call(self, inputs, state):
        axis = tf.constant(1, dtype=tf.int32)
        c, h = state
        sums = tf.matmul(inputs, self._kernel_w)
        sums += tile(h, [1, 4]) * self._kernel_u
        sums = tf.nn.bias_add(sums, self._bias)
        i, j, f, o = tf.split(value=sums, num_or_size_splits=4, axis=axis)
        forget_bias = tf.constant(self._forget_bias, dtype=f.dtype)
        kept = tf.multiply(c, tf.sigmoid(tf.add(f, forget_bias)))
        new_c = tf.add(kept, tf.multiply(tf.sigmoid(i), self._activation(j)))
        new_h = tf.multiply(self._activation(new_c), tf.sigmoid(o))
        return new_h, LSTMStateTuple(new_c, new_h)
