"""Cells around other cells."""

import math

import kiln.compat.v1 as tf
from kiln.compat.v1 import logging
from kiln.compat.v1._util import nest
from kiln.compat.v1.contrib.rnn._linear import Linear
from kiln.compat.v1.nn.rnn_cell import RNNCell
from kiln.compat.v1.nn.rnn_cell._base import assert_like_rnncell, zero_state_scope


class _Around(RNNCell):
    """A cell whose state is that of the cell in it."""

    def __init__(self, cell, reuse=None):
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        self._cell = cell

    @property
    def state_size(self):
        return self._cell.state_size

    @property
    def output_size(self):
        return self._cell.output_size

    def zero_state(self, batch_size, dtype):
        with zero_state_scope(self, batch_size):
            return self._cell.zero_state(batch_size, dtype)


class EmbeddingWrapper(_Around):
    """A cell whose inputs are integers that a matrix of its own has rows for.

    embedding_classes, embedding_size: the extents of the matrix. initializer: the variable
    scope's where it is None, then uniform with variance 1. Errors: TypeError, ValueError. Source:
    tf.contrib.rnn.EmbeddingWrapper.
    """

    def __init__(self, cell, embedding_classes, embedding_size, initializer=None, reuse=None):
        super().__init__(cell, reuse)
        if embedding_classes <= 0 or embedding_size <= 0:
            raise ValueError(
                f"Both embedding_classes and embedding_size must be > 0: {embedding_classes}, {embedding_size}."
            )
        self._embedding_classes, self._embedding_size = embedding_classes, embedding_size
        self._initializer = initializer

    def call(self, inputs, state):
        with tf.device("/cpu:0"):
            limit = math.sqrt(3)  # of a uniform distribution of variance 1
            initializer = (
                self._initializer
                or tf.get_variable_scope().initializer
                or tf.random_uniform_initializer(-limit, limit)
            )
            dtype = (state[0] if isinstance(state, tuple) else state).dtype
            embedding = tf.get_variable(
                "embedding", [self._embedding_classes, self._embedding_size], initializer=initializer, dtype=dtype
            )
            embedded = tf.nn.embedding_lookup(embedding, tf.reshape(inputs, [-1]))
            return self._cell(embedded, state)


class InputProjectionWrapper(_Around):
    """A cell whose inputs are multiplied with a kernel of num_proj columns before.

    activation: a function of the product. input_size: not used. Errors: TypeError. Source:
    tf.contrib.rnn.InputProjectionWrapper.
    """

    def __init__(self, cell, num_proj, activation=None, input_size=None, reuse=None):
        super().__init__(cell, reuse)
        if input_size is not None:
            logging.warn("%s: The input_size parameter is deprecated.", self)
        self._num_proj, self._activation, self._linear = num_proj, activation, None

    def call(self, inputs, state):
        if self._linear is None:
            self._linear = Linear(inputs, self._num_proj, True)
        projected = self._linear(inputs)
        if self._activation:
            projected = self._activation(projected)
        return self._cell(projected, state)


class OutputProjectionWrapper(_Around):
    """A cell whose outputs are multiplied with a kernel of output_size columns.

    activation: a function of the product. Errors: TypeError, ValueError. Source:
    tf.contrib.rnn.OutputProjectionWrapper.
    """

    def __init__(self, cell, output_size, activation=None, reuse=None):
        super().__init__(cell, reuse)
        if output_size < 1:
            raise ValueError("Parameter output_size must be > 0: %d." % output_size)
        self._output_size, self._activation, self._linear = output_size, activation, None

    @property
    def output_size(self):
        return self._output_size

    def call(self, inputs, state):
        output, state = self._cell(inputs, state)
        if self._linear is None:
            self._linear = Linear(output, self._output_size, True)
        projected = self._linear(output)
        if self._activation:
            projected = self._activation(projected)
        return projected, state


class HighwayWrapper(_Around):
    """A cell whose output is mixed with its input, as much as a gate of the input says.

    couple_carry_transform_gates: whether what is not carried is transformed, or another gate says
    how much. carry_bias_init: the bias of the gate to begin with. Source:
    tf.contrib.rnn.HighwayWrapper.
    """

    def __init__(self, cell, couple_carry_transform_gates=True, carry_bias_init=1.0):
        super().__init__(cell)
        self._couple_carry_transform_gates = couple_carry_transform_gates
        self._carry_bias_init = carry_bias_init

    def _gate(self, name, inputs, bias):
        size = inputs.get_shape().with_rank(2).dims[1].value
        weight = tf.get_variable(f"{name}_w", [size, size])
        bias = tf.get_variable(f"{name}_b", [size], initializer=tf.constant_initializer(bias))
        return tf.sigmoid(tf.nn.xw_plus_b(inputs, weight, bias))

    def _highway(self, inputs, outputs):
        carry = self._gate("carry", inputs, self._carry_bias_init)
        if self._couple_carry_transform_gates:
            transform = 1 - carry
        else:
            transform = self._gate("transform", inputs, -self._carry_bias_init)
        return inputs * carry + outputs * transform

    def __call__(self, inputs, state, scope=None):
        outputs, new_state = self._cell(inputs, state, scope=scope)
        nest.assert_same_structure(inputs, outputs)
        nest.map_structure(lambda i, o: i.get_shape().assert_is_compatible_with(o.get_shape()), inputs, outputs)
        return nest.map_structure(self._highway, inputs, outputs), new_state


class AttentionCellWrapper(RNNCell):
    """A cell that attends to its own last outputs, https://arxiv.org/abs/1409.0473.

    attn_length: how many outputs. attn_size: their columns, those of the cell's output by
    default. attn_vec_size: the units of the attention. input_size: the columns of what the cell
    takes, the input's by default. state_is_tuple: whether the state is a tuple of the cell's, the
    last attention and the outputs, or one tensor. Errors: TypeError, ValueError. Source:
    tf.contrib.rnn.AttentionCellWrapper.
    """

    def __init__(
        self, cell, attn_length, attn_size=None, attn_vec_size=None, input_size=None, state_is_tuple=True, reuse=None
    ):
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        if nest.is_nested(cell.state_size) and not state_is_tuple:
            raise ValueError(
                "Cell returns tuple of states, but the flag state_is_tuple is not set. "
                f"State size is: {cell.state_size}"
            )
        if attn_length <= 0:
            raise ValueError(f"attn_length should be greater than zero, got {attn_length}")
        if not state_is_tuple:
            logging.warn(
                "%s: Using a concatenated state is slower and will soon be deprecated.  Use state_is_tuple=True.", self
            )
        self._cell, self._attn_length, self._input_size = cell, attn_length, input_size
        self._attn_size = cell.output_size if attn_size is None else attn_size
        self._attn_vec_size = self._attn_size if attn_vec_size is None else attn_vec_size
        self._state_is_tuple = state_is_tuple
        self._linear1 = self._linear2 = self._linear3 = None

    @property
    def state_size(self):
        size = (self._cell.state_size, self._attn_size, self._attn_size * self._attn_length)
        return size if self._state_is_tuple else sum(size)

    @property
    def output_size(self):
        return self._attn_size

    def call(self, inputs, state):
        if self._state_is_tuple:
            state, attention, outputs = state
        else:
            whole, size = state, self._cell.state_size
            state = tf.slice(whole, [0, 0], [-1, size])
            attention = tf.slice(whole, [0, size], [-1, self._attn_size])
            outputs = tf.slice(whole, [0, size + self._attn_size], [-1, self._attn_size * self._attn_length])
        outputs = tf.reshape(outputs, [-1, self._attn_length, self._attn_size])
        input_size = inputs.get_shape().as_list()[1] if self._input_size is None else self._input_size
        if self._linear1 is None:
            self._linear1 = Linear([inputs, attention], input_size, True)
        output, new_state = self._cell(self._linear1([inputs, attention]), state)
        query = tf.concat(nest.flatten(new_state), 1) if self._state_is_tuple else new_state
        attention, outputs = self._attention(query, outputs)
        with tf.variable_scope("attn_output_projection"):
            if self._linear2 is None:
                self._linear2 = Linear([output, attention], self._attn_size, True)
            output = self._linear2([output, attention])
        outputs = tf.concat([outputs, tf.expand_dims(output, 1)], 1)
        outputs = tf.reshape(outputs, [-1, self._attn_length * self._attn_size])
        new_state = (new_state, attention, outputs)
        return output, new_state if self._state_is_tuple else tf.concat(list(new_state), 1)

    def _attention(self, query, outputs):
        """What is attended to, and the outputs without the oldest."""
        with tf.variable_scope("attention"):
            k = tf.get_variable("attn_w", [1, 1, self._attn_size, self._attn_vec_size])
            v = tf.get_variable("attn_v", [self._attn_vec_size])
            hidden = tf.reshape(outputs, [-1, self._attn_length, 1, self._attn_size])
            features = tf.nn.conv2d(hidden, k, [1, 1, 1, 1], "SAME")
            if self._linear3 is None:
                self._linear3 = Linear(query, self._attn_vec_size, True)
            y = tf.reshape(self._linear3(query), [-1, 1, 1, self._attn_vec_size])
            scores = tf.reduce_sum(v * tf.tanh(features + y), [2, 3])
            weights = tf.reshape(tf.nn.softmax(scores), [-1, self._attn_length, 1, 1])
            attended = tf.reduce_sum(weights * hidden, [1, 2])
            attended = tf.reshape(attended, [-1, self._attn_size])
            return attended, tf.slice(outputs, [0, 1, 0], [-1, -1, -1])
