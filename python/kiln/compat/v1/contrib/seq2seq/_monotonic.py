"""Attention that goes forward alone, https://arxiv.org/abs/1704.00784."""

import functools

import numpy as np

import kiln.compat.v1 as tf
from kiln.compat.v1.contrib.seq2seq._attention import (
    BaseAttentionMechanism,
    DotProductScores,
    SumScores,
    memory_layer_of,
    query_layer_of,
    static_or,
)


def safe_cumprod(x, *args, **kwargs):
    """tf.cumprod() by logarithms, of numbers between 0 and 1: its gradient is finite.

    *args, **kwargs: as tf.cumsum() has them. Source: tf.contrib.seq2seq.safe_cumprod.
    """
    with tf.name_scope(None, "SafeCumprod", [x]):
        x = tf.convert_to_tensor(x, name="x")
        tiny = np.finfo(x.dtype.as_numpy_dtype).tiny
        return tf.exp(tf.cumsum(tf.log(tf.clip_by_value(x, tiny, 1)), *args, **kwargs))


def monotonic_attention(p_choose_i, previous_attention, mode):
    """The probability of each step of the memory, where attention goes forward alone.

    p_choose_i: [batch, time], the probability to stay at each step when it is reached;
    previous_attention: [batch, time]. mode: "recursive" (exact), "parallel" (faster, not exact for
    p_choose_i near 0 or 1), "hard" (p_choose_i are 0 or 1). Errors: ValueError. Source:
    tf.contrib.seq2seq.monotonic_attention.
    """
    p = tf.convert_to_tensor(p_choose_i, name="p_choose_i")
    previous = tf.convert_to_tensor(previous_attention, name="previous_attention")
    if mode == "recursive":
        batch = static_or(p.shape.dims[0], lambda: tf.shape(p)[0])
        passed = tf.concat([tf.ones((batch, 1)), 1 - p[:, :-1]], 1)
        reached = tf.scan(
            lambda x, yz: tf.reshape(yz[0] * x + yz[1], (batch,)),
            [tf.transpose(passed), tf.transpose(previous)],
            tf.zeros((batch,)),
        )
        return p * tf.transpose(reached)
    if mode == "parallel":
        passed = safe_cumprod(1 - p, axis=1, exclusive=True)
        return p * passed * tf.cumsum(previous / tf.clip_by_value(passed, 1e-10, 1.0), axis=1)
    if mode == "hard":
        p *= tf.cumsum(previous, axis=1)
        return p * tf.cumprod(1 - p, axis=1, exclusive=True)
    raise ValueError("mode must be 'recursive', 'parallel', or 'hard'.")


def monotonic_probability_fn(score, previous_alignments, sigmoid_noise, mode, seed=None):
    """monotonic_attention() of sigmoids of scores, to which noise of this size is added."""
    if sigmoid_noise > 0:
        noise = tf.random_normal(tf.shape(score), dtype=score.dtype, seed=seed)
        score += sigmoid_noise * noise
    p = tf.cast(score > 0, score.dtype) if mode == "hard" else tf.sigmoid(score)
    return monotonic_attention(p, previous_alignments, mode)


class _Monotonic(BaseAttentionMechanism):
    """A mechanism that begins at the first step of the memory."""

    def initial_alignments(self, batch_size, dtype):
        return tf.one_hot(tf.zeros((batch_size,), dtype=tf.int32), self._alignments_size, dtype=dtype)

    def _biased(self, score, dtype):
        return score + tf.get_variable("attention_score_bias", dtype=dtype, initializer=self._score_bias_init)


class BahdanauMonotonicAttention(SumScores, _Monotonic):
    """BahdanauAttention that goes forward alone.

    sigmoid_noise, sigmoid_noise_seed: noise that is added to scores, for training. score_bias_init:
    the bias of scores to begin with. mode: as monotonic_attention() has it. Source:
    tf.contrib.seq2seq.BahdanauMonotonicAttention.
    """

    def __init__(
        self, num_units, memory, memory_sequence_length=None, normalize=False, score_mask_value=None, sigmoid_noise=0.0,
        sigmoid_noise_seed=None, score_bias_init=0.0, mode="parallel", dtype=None, name="BahdanauMonotonicAttention",
    ):  # fmt: skip
        super().__init__(
            query_layer=query_layer_of(num_units, dtype or tf.float32),
            memory_layer=memory_layer_of(num_units, dtype or tf.float32), memory=memory,
            probability_fn=functools.partial(
                monotonic_probability_fn, sigmoid_noise=sigmoid_noise, mode=mode, seed=sigmoid_noise_seed
            ),
            memory_sequence_length=memory_sequence_length, score_mask_value=score_mask_value, name=name,
        )  # fmt: skip
        self._num_units, self._normalize, self._name = num_units, normalize, name
        self._score_bias_init = score_bias_init

    def __call__(self, query, state):
        with tf.variable_scope(None, "bahdanau_monotonic_attention", [query]):
            score = self._biased(self._score(query), query.dtype)
        return self._align(score, state)


class LuongMonotonicAttention(DotProductScores, _Monotonic):
    """LuongAttention that goes forward alone; arguments as BahdanauMonotonicAttention has them.

    Source: tf.contrib.seq2seq.LuongMonotonicAttention.
    """

    def __init__(
        self, num_units, memory, memory_sequence_length=None, scale=False, score_mask_value=None, sigmoid_noise=0.0,
        sigmoid_noise_seed=None, score_bias_init=0.0, mode="parallel", dtype=None, name="LuongMonotonicAttention",
    ):  # fmt: skip
        super().__init__(
            query_layer=None, memory_layer=memory_layer_of(num_units, dtype or tf.float32), memory=memory,
            probability_fn=functools.partial(
                monotonic_probability_fn, sigmoid_noise=sigmoid_noise, mode=mode, seed=sigmoid_noise_seed
            ),
            memory_sequence_length=memory_sequence_length, score_mask_value=score_mask_value, name=name,
        )  # fmt: skip
        self._num_units, self._scale, self._name = num_units, scale, name
        self._score_bias_init = score_bias_init

    def __call__(self, query, state):
        with tf.variable_scope(None, "luong_monotonic_attention", [query]):
            score = self._biased(self._score(query), query.dtype)
        return self._align(score, state)
