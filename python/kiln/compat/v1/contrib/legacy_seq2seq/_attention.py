"""Decoders that attend to the states of an encoder, https://arxiv.org/abs/1412.7449."""

import kiln.compat.v1 as tf
from kiln.compat.v1._util import nest
from kiln.compat.v1.contrib.legacy_seq2seq._decoders import argmax_and_embed, check_projection
from kiln.compat.v1.contrib.rnn._linear import Linear


class _Heads:
    """What some heads attend to in states [batch, length, size]."""

    def __init__(self, states, num_heads, dtype):
        length, self._size = states.get_shape().dims[1].value, states.get_shape().dims[2].value
        self._length = tf.shape(states)[1] if length is None else length
        self._dtype = dtype
        self._hidden = tf.reshape(states, [-1, self._length, 1, self._size])
        self._features, self._vectors = [], []
        for head in range(num_heads):
            k = tf.get_variable(f"AttnW_{head}", [1, 1, self._size, self._size], dtype=dtype)
            self._features.append(tf.nn.conv2d(self._hidden, k, [1, 1, 1, 1], "SAME"))
            self._vectors.append(tf.get_variable(f"AttnV_{head}", [self._size], dtype=dtype))

    def zeros(self, batch):
        extents = tf.stack([batch, self._size])
        all_zeros = [tf.zeros(extents, dtype=self._dtype) for _ in self._features]
        for each in all_zeros:
            each.set_shape([None, self._size])
        return all_zeros

    def __call__(self, query):
        if nest.is_nested(query):
            parts = nest.flatten(query)
            for part in parts:
                assert part.get_shape().ndims in (None, 2)
            query = tf.concat(parts, 1)
        return [self._attend(head, query) for head in range(len(self._features))]

    def _attend(self, head, query):
        with tf.variable_scope(f"Attention_{head}"):
            y = Linear(query, self._size, True)(query)
            y = tf.cast(tf.reshape(y, [-1, 1, 1, self._size]), self._dtype)
            scores = tf.reduce_sum(self._vectors[head] * tf.tanh(self._features[head] + y), [2, 3])
            weights = tf.nn.softmax(tf.cast(scores, dtype=tf.float32))
            weights = tf.reshape(tf.cast(weights, self._dtype), [-1, self._length, 1, 1])
            return tf.reshape(tf.reduce_sum(weights * self._hidden, [1, 2]), [-1, self._size])


def _joined(tensors, size, dtype):
    """A layer of tensors beside one another."""
    tensors = [tf.cast(each, dtype) for each in tensors]
    return Linear(tensors, size, True)(tensors)


def attention_decoder(
    decoder_inputs, initial_state, attention_states, cell, output_size=None, num_heads=1, loop_function=None,
    dtype=None, scope=None, initial_state_attention=False,
):  # fmt: skip
    """Runs a cell over a list of [batch, columns], with attention to the states of an encoder.

    attention_states: [batch, length, size]. output_size: the columns of outputs, the cell's by
    default. num_heads: how many vectors attend. loop_function: as rnn_decoder() has it.
    initial_state_attention: whether attention begins with initial_state, or with zeros. scope:
    the variable scope, "attention_decoder". Returns (list of outputs, last state). Errors:
    ValueError. Source: tf.contrib.legacy_seq2seq.attention_decoder.
    """
    if not decoder_inputs:
        raise ValueError("Must provide at least 1 input to attention decoder.")
    if num_heads < 1:
        raise ValueError("With less than 1 heads, use a non-attention decoder.")
    if attention_states.get_shape().dims[2].value is None:
        raise ValueError(f"Shape[2] of attention_states must be known: {attention_states.get_shape()}")
    output_size = cell.output_size if output_size is None else output_size
    with tf.variable_scope(scope or "attention_decoder", dtype=dtype) as scope:
        dtype = scope.dtype
        batch = tf.shape(decoder_inputs[0])[0]
        heads = _Heads(attention_states, num_heads, dtype)
        state, outputs = initial_state, []
        attended = heads.zeros(batch)
        if initial_state_attention:
            attended = heads(initial_state)
        for i, step in enumerate(decoder_inputs):
            if i > 0:
                tf.get_variable_scope().reuse_variables()
            if loop_function is not None and outputs:
                with tf.variable_scope("loop_function", reuse=True):
                    step = loop_function(outputs[-1], i)
            columns = step.get_shape().with_rank(2).dims[1].value
            if columns is None:
                raise ValueError(f"Could not infer input size from input: {step.name}")
            output, state = cell(_joined([step, *attended], columns, dtype), state)
            if i == 0 and initial_state_attention:
                with tf.variable_scope(tf.get_variable_scope(), reuse=True):
                    attended = heads(state)
            else:
                attended = heads(state)
            with tf.variable_scope("AttnOutputProjection"):
                outputs.append(_joined([output, *attended], output_size, dtype))
    return outputs, state


def embedding_attention_decoder(
    decoder_inputs, initial_state, attention_states, cell, num_symbols, embedding_size, num_heads=1, output_size=None,
    output_projection=None, feed_previous=False, update_embedding_for_previous=True, dtype=None, scope=None,
    initial_state_attention=False,
):  # fmt: skip
    """attention_decoder() over a list of ids, [batch] of int32, with an embedding of its own.

    Other arguments as embedding_rnn_decoder() has them. Errors: ValueError. Source:
    tf.contrib.legacy_seq2seq.embedding_attention_decoder.
    """
    output_size = cell.output_size if output_size is None else output_size
    check_projection(output_projection, num_symbols, dtype, parts=1)
    with tf.variable_scope(scope or "embedding_attention_decoder", dtype=dtype):
        embedding = tf.get_variable("embedding", [num_symbols, embedding_size])
        loop_function = None
        if feed_previous:
            loop_function = argmax_and_embed(embedding, output_projection, update_embedding_for_previous)
        embedded = [tf.nn.embedding_lookup(embedding, ids) for ids in decoder_inputs]
        return attention_decoder(
            embedded, initial_state, attention_states, cell, output_size=output_size, num_heads=num_heads,
            loop_function=loop_function, initial_state_attention=initial_state_attention,
        )  # fmt: skip
