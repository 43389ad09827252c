"""Attention mechanisms: how much of each step of a memory a query asks for."""

import math

import numpy as np

import kiln.compat.v1 as tf
from kiln.compat.v1._util import nest
from kiln.compat.v1.layers import Dense, Layer
from kiln.compat.v1.nn.rnn_cell._base import zeros_like_state


class AttentionMechanism:
    """What AttentionWrapper asks: mechanism(query, state) gives (alignments, next state).

    Source: tf.contrib.seq2seq.AttentionMechanism.
    """

    @property
    def alignments_size(self):
        raise NotImplementedError

    @property
    def state_size(self):
        raise NotImplementedError


def static_or(extent, dynamic):
    """An extent that is known, otherwise what a function gives."""
    return extent.value or dynamic()


def _prepare_memory(memory, lengths, check_inner_dims_defined):
    """The memory with zeros behind the lengths."""
    memory = nest.map_structure(lambda m: tf.convert_to_tensor(m, name="memory"), memory)
    if lengths is not None:
        lengths = tf.convert_to_tensor(lengths, name="memory_sequence_length")
    if check_inner_dims_defined:
        for m in nest.flatten(memory):
            if not m.get_shape()[2:].is_fully_defined():
                raise ValueError(
                    f"Expected memory {m.name} to have fully defined inner dims, but saw shape: {m.get_shape()}"
                )
    if lengths is None:
        return memory
    first = nest.flatten(memory)[0]
    mask = tf.sequence_mask(lengths, maxlen=tf.shape(first)[1], dtype=first.dtype)

    def masked(m):
        rank = m.get_shape().ndims
        ones = tf.ones((tf.rank(m) if rank is None else rank) - 2, dtype=tf.int32)
        return m * tf.reshape(mask, tf.concat((tf.shape(mask), ones), 0))

    return nest.map_structure(masked, memory)


def _mask_score(score, lengths, score_mask_value):
    """The scores with another value behind the lengths, which must be positive."""
    if lengths is None:
        return score
    message = "All values in memory_sequence_length must be greater than zero."
    with tf.control_dependencies([tf.assert_positive(lengths, message=message)]):
        mask = tf.sequence_mask(lengths, maxlen=tf.shape(score)[1])
    return tf.where(mask, score, score_mask_value * tf.ones_like(score))


class BaseAttentionMechanism(AttentionMechanism):
    """A mechanism with a memory [batch, time, ...], the keys that are compared, and a probability of scores.

    The score of what is behind memory_sequence_length is score_mask_value, minus infinity by
    default, and its values are zeros. custom_key_value_fn: called with keys and values, it gives
    others. Errors: TypeError, ValueError.
    """

    def __init__(
        self, query_layer, memory, probability_fn, memory_sequence_length=None, memory_layer=None,
        check_inner_dims_defined=True, score_mask_value=None, custom_key_value_fn=None, name=None,
    ):  # fmt: skip
        for kind, layer in (("query_layer", query_layer), ("memory_layer", memory_layer)):
            if layer is not None and not isinstance(layer, Layer):
                raise TypeError(f"{kind} is not a Layer: {type(layer).__name__}")
        self._query_layer, self._memory_layer = query_layer, memory_layer
        self.dtype = memory_layer.dtype
        if not callable(probability_fn):
            raise TypeError(f"probability_fn must be callable, saw type: {type(probability_fn).__name__}")
        if score_mask_value is None:
            score_mask_value = tf.as_dtype(self.dtype).as_numpy_dtype(-np.inf)

        def probability(score, previous):
            return probability_fn(_mask_score(score, memory_sequence_length, score_mask_value), previous)

        self._probability_fn = probability
        with tf.name_scope(name, "BaseAttentionMechanismInit", nest.flatten(memory)):
            self._values = _prepare_memory(memory, memory_sequence_length, check_inner_dims_defined)
            self._keys = self.memory_layer(self._values) if self.memory_layer else self._values
            if custom_key_value_fn is not None:
                self._keys, self._values = custom_key_value_fn(self._keys, self._values)
            shape = self._keys.shape
            self._batch_size = static_or(shape.dims[0], lambda: tf.shape(self._keys)[0])
            self._alignments_size = static_or(shape.dims[1], lambda: tf.shape(self._keys)[1])

    memory_layer = property(lambda self: self._memory_layer)
    query_layer = property(lambda self: self._query_layer)
    values = property(lambda self: self._values)
    keys = property(lambda self: self._keys)
    batch_size = property(lambda self: self._batch_size)
    alignments_size = property(lambda self: self._alignments_size)
    state_size = property(lambda self: self._alignments_size)

    def initial_alignments(self, batch_size, dtype):
        """Zeros, [batch_size, time of the memory]."""
        return zeros_like_state(self._alignments_size, batch_size, dtype)

    def initial_state(self, batch_size, dtype):
        return self.initial_alignments(batch_size, dtype)

    def _align(self, score, state):
        alignments = self._probability_fn(score, state)
        return alignments, alignments


def memory_layer_of(num_units, dtype):
    return Dense(num_units, name="memory_layer", use_bias=False, dtype=dtype)


def query_layer_of(num_units, dtype):
    return Dense(num_units, name="query_layer", use_bias=False, dtype=dtype)


def of_scores_alone(probability_fn):
    """A function of scores and the state before, which it does not look at; softmax by default."""
    function = tf.nn.softmax if probability_fn is None else probability_fn
    return lambda score, _: function(score)


class DotProductScores:
    """Scores by a product of query and keys, https://arxiv.org/abs/1508.04025.

    With _scale they are multiplied with a variable "attention_g".
    """

    def _score(self, query):
        scale = None
        if self._scale:
            scale = tf.get_variable("attention_g", dtype=query.dtype, initializer=tf.ones_initializer, shape=())
        depth, units = query.get_shape().dims[-1].value, self._keys.get_shape().dims[-1].value
        if depth is None or depth != units:
            raise ValueError(
                "Incompatible or unknown inner dimensions between query and keys.  "
                f"Query ({query}) has units: {depth}.  Keys ({self._keys}) have units: {units}.  "
                f"Perhaps you need to set num_units to the keys' dimension ({units})?"
            )
        score = tf.matmul(tf.expand_dims(query, 1), self._keys, transpose_b=True)
        score = tf.squeeze(score, [1])
        return score if scale is None else scale * score


class SumScores:
    """Scores by a layer of query and keys, https://arxiv.org/abs/1409.0473, with a variable "attention_v".

    With _normalize its weights are normalized, with variables "attention_g", "attention_b".
    """

    def _score(self, query):
        processed = self.query_layer(query) if self.query_layer else query
        v = tf.get_variable("attention_v", [self._num_units], dtype=query.dtype)
        if not self._normalize:
            processed = tf.expand_dims(processed, 1)
            return tf.reduce_sum(v * tf.tanh(self._keys + processed), [2])
        g = tf.get_variable(
            "attention_g", dtype=query.dtype, initializer=tf.constant_initializer(math.sqrt(1.0 / self._num_units)),
            shape=(),
        )  # fmt: skip
        b = tf.get_variable(
            "attention_b", [self._num_units], dtype=query.dtype, initializer=tf.zeros_initializer()
        )
        processed = tf.expand_dims(processed, 1)
        normed = g * v * tf.rsqrt(tf.reduce_sum(tf.square(v)))
        return tf.reduce_sum(normed * tf.tanh(self._keys + processed + b), [2])


class LuongAttention(DotProductScores, BaseAttentionMechanism):
    """Attention by products of query and keys, https://arxiv.org/abs/1508.04025.

    num_units: the columns of the query, and of the keys, which a layer makes of the memory
    ([batch, time, ...]). scale: whether scores are multiplied with a variable. probability_fn: of
    scores, softmax by default. Other arguments as BaseAttentionMechanism has them. Source:
    tf.contrib.seq2seq.LuongAttention.
    """

    def __init__(
        self, num_units, memory, memory_sequence_length=None, scale=False, probability_fn=None, score_mask_value=None,
        dtype=None, custom_key_value_fn=None, name="LuongAttention",
    ):  # fmt: skip
        super().__init__(
            query_layer=None, memory_layer=memory_layer_of(num_units, dtype or tf.float32), memory=memory,
            probability_fn=of_scores_alone(probability_fn), memory_sequence_length=memory_sequence_length,
            score_mask_value=score_mask_value, custom_key_value_fn=custom_key_value_fn, name=name,
        )  # fmt: skip
        self._num_units, self._scale, self._name = num_units, scale, name

    def __call__(self, query, state):
        with tf.variable_scope(None, "luong_attention", [query]):
            score = self._score(query)
        return self._align(score, state)


class BahdanauAttention(SumScores, BaseAttentionMechanism):
    """Attention by a layer of query and keys, https://arxiv.org/abs/1409.0473.

    num_units: of that layer. normalize: whether its weights are normalized,
    https://arxiv.org/abs/1602.07868. Other arguments as LuongAttention has them. Source:
    tf.contrib.seq2seq.BahdanauAttention.
    """

    def __init__(
        self, num_units, memory, memory_sequence_length=None, normalize=False, probability_fn=None,
        score_mask_value=None, dtype=None, custom_key_value_fn=None, name="BahdanauAttention",
    ):  # fmt: skip
        super().__init__(
            query_layer=query_layer_of(num_units, dtype or tf.float32),
            memory_layer=memory_layer_of(num_units, dtype or tf.float32), memory=memory,
            probability_fn=of_scores_alone(probability_fn), custom_key_value_fn=custom_key_value_fn,
            memory_sequence_length=memory_sequence_length, score_mask_value=score_mask_value, name=name,
        )  # fmt: skip
        self._num_units, self._normalize, self._name = num_units, normalize, name

    def __call__(self, query, state):
        with tf.variable_scope(None, "bahdanau_attention", [query]):
            score = self._score(query)
        return self._align(score, state)
