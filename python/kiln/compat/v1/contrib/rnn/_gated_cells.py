"""Cells with gates of their own kinds."""

import kiln.compat.v1 as tf
from kiln.compat.v1.contrib.rnn._linear import Linear
from kiln.compat.v1.nn.rnn_cell import LSTMStateTuple, RNNCell
from kiln.compat.v1.nn.rnn_cell._base import LayerRNNCell
from kiln.compat.v1.nn.rnn_cell._cells import columns_of


def known_columns(inputs):
    """Errors: ValueError where the columns are not known, and for another rank."""
    columns = inputs.get_shape().with_rank(2).dims[1].value
    if columns is None:
        raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
    return columns


class NASCell(LayerRNNCell):
    """The cell that a search for architectures found, https://arxiv.org/abs/1611.01578.

    num_proj: the columns of the output, which is a product with one more kernel. use_bias:
    whether there is a bias. Variables "recurrent_kernel", "kernel", "bias",
    "projection_weights". Source: tf.contrib.rnn.NASCell.
    """

    _NAS_BASE = 8

    def __init__(self, num_units, num_proj=None, use_bias=False, reuse=None, **kwargs):
        super().__init__(_reuse=reuse, **kwargs)
        self._num_units, self._num_proj, self._use_bias = num_units, num_proj, use_bias

    @property
    def output_size(self):
        return self._num_units if self._num_proj is None else self._num_proj

    @property
    def state_size(self):
        return LSTMStateTuple(self._num_units, self.output_size)

    def build(self, inputs_shape):
        columns = tf.TensorShape(inputs_shape).with_rank(2).dims[1].value
        if columns is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        size = self._NAS_BASE * self._num_units
        self.recurrent_kernel = self.add_variable("recurrent_kernel", [self.output_size, size])
        self.kernel = self.add_variable("kernel", [columns, size])
        if self._use_bias:
            self.bias = self.add_variable("bias", shape=[size], initializer=tf.zeros_initializer)
        if self._num_proj is not None:
            self.projection_weights = self.add_variable("projection_weights", [self._num_units, self._num_proj])
        self.built = True

    def call(self, inputs, state):
        sigmoid, tanh, relu = tf.sigmoid, tf.tanh, tf.nn.relu
        c_before, m_before = state
        m = tf.matmul(m_before, self.recurrent_kernel)
        x = tf.matmul(inputs, self.kernel)
        if self._use_bias:
            m = tf.nn.bias_add(m, self.bias)
        m = tf.split(axis=1, num_or_size_splits=self._NAS_BASE, value=m)
        x = tf.split(axis=1, num_or_size_splits=self._NAS_BASE, value=x)
        functions = [sigmoid, relu, sigmoid, relu, tanh, sigmoid, tanh, sigmoid]
        # The fourth pair is multiplied, all others are added.
        first = [f(x[i] * m[i] if i == 3 else x[i] + m[i]) for i, f in enumerate(functions)]
        second = [
            tanh(first[0] * first[1]), tanh(first[2] + first[3]), tanh(first[4] * first[5]),
            sigmoid(first[6] + first[7]),
        ]  # fmt: skip
        new_c = tanh(second[0] + c_before) * second[1]
        new_m = tanh(new_c * tanh(second[2] + second[3]))
        if self._num_proj is not None:
            new_m = tf.matmul(new_m, self.projection_weights)
        return new_m, LSTMStateTuple(new_c, new_m)


class UGRNNCell(RNNCell):
    """A cell with one gate, between its state and what it makes of its input.

    https://arxiv.org/abs/1611.09913. Variables "kernel", "bias". Source: tf.contrib.rnn.UGRNNCell.
    """

    def __init__(self, num_units, initializer=None, forget_bias=1.0, activation=tf.tanh, reuse=None):
        super().__init__(_reuse=reuse)
        self._num_units, self._initializer = num_units, initializer
        self._forget_bias, self._activation, self._linear = forget_bias, activation, None

    @property
    def state_size(self):
        return self._num_units

    @property
    def output_size(self):
        return self._num_units

    def call(self, inputs, state):
        known_columns(inputs)
        with tf.variable_scope(tf.get_variable_scope(), initializer=self._initializer):
            both = tf.concat([inputs, state], 1)
            if self._linear is None:
                self._linear = Linear(both, 2 * self._num_units, True)
            gate, candidate = tf.split(axis=1, num_or_size_splits=2, value=self._linear(both))
            candidate = self._activation(candidate)
            gate = tf.sigmoid(gate + self._forget_bias)
            new_state = gate * state + (1.0 - gate) * candidate
        return new_state, new_state


class IntersectionRNNCell(RNNCell):
    """A cell with gates for its state and for its output, which is mixed with its input.

    https://arxiv.org/abs/1611.09913. Inputs of other columns than num_units need num_in_proj, which
    is num_units. Variables "kernel", "bias", "in_projection/...". Source:
    tf.contrib.rnn.IntersectionRNNCell.
    """

    def __init__(
        self, num_units, num_in_proj=None, initializer=None, forget_bias=1.0, y_activation=tf.nn.relu, reuse=None
    ):
        super().__init__(_reuse=reuse)
        self._num_units, self._num_input_proj, self._initializer = num_units, num_in_proj, initializer
        self._forget_bias, self._y_activation = forget_bias, y_activation
        self._linear1 = self._linear2 = None

    @property
    def state_size(self):
        return self._num_units

    @property
    def output_size(self):
        return self._num_units

    def call(self, inputs, state):
        columns, units = known_columns(inputs), self._num_units
        with tf.variable_scope(tf.get_variable_scope(), initializer=self._initializer):
            if columns != units:
                if not self._num_input_proj:
                    raise ValueError(
                        "Must have input size == output size for Intersection RNN. To fix, num_in_proj should be set "
                        "to num_units at cell init."
                    )
                with tf.variable_scope("in_projection"):
                    if self._linear1 is None:
                        self._linear1 = Linear(inputs, units, True)
                    inputs = self._linear1(inputs)
            both = tf.concat([inputs, state], 1)
            if self._linear2 is None:
                self._linear2 = Linear(both, 4 * units, True)
            product = self._linear2(both)
            gh, h, gy, y = (product[:, i * units : (i + 1) * units] if i else product[:, :units] for i in range(4))
            h = tf.tanh(h)
            y = self._y_activation(y)
            gh = tf.sigmoid(gh + self._forget_bias)
            gy = tf.sigmoid(gy + self._forget_bias)
            new_state = gh * state + (1.0 - gh) * h
            output = gy * inputs + (1.0 - gy) * y
        return output, new_state


class SRUCell(LayerRNNCell):
    """A cell whose products do not depend on its state, https://arxiv.org/abs/1709.02755.

    Variables "kernel", "bias". Source: tf.contrib.rnn.SRUCell.
    """

    def __init__(self, num_units, activation=None, reuse=None, name=None, **kwargs):
        super().__init__(_reuse=reuse, name=name, **kwargs)
        self._num_units, self._activation = num_units, activation or tf.tanh
        self._require_rank(2)

    @property
    def state_size(self):
        return self._num_units

    @property
    def output_size(self):
        return self._num_units

    def build(self, inputs_shape):
        columns = columns_of(inputs_shape)
        self._kernel = self.add_variable("kernel", shape=[columns, 4 * self._num_units])
        self._bias = self.add_variable("bias", shape=[2 * self._num_units], initializer=tf.zeros_initializer)
        self.built = True

    def call(self, inputs, state):
        product = tf.matmul(inputs, self._kernel)
        candidate, f, r, carried = tf.split(value=product, num_or_size_splits=4, axis=1)
        gates = tf.sigmoid(tf.nn.bias_add(tf.concat([f, r], 1), self._bias))
        f, r = tf.split(value=gates, num_or_size_splits=2, axis=1)
        c = f * state + (1.0 - f) * candidate
        h = r * self._activation(c) + (1.0 - r) * carried
        return h, c
