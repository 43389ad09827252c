"""Draws from distributions that the helpers make."""

import kiln.compat.v1 as tf


def _samples(draw, sample_shape, name=None):
    """draw(n) of as many samples as a shape has, a number or a vector, in that shape."""
    with tf.name_scope(name, "call_sampler", values=[sample_shape]):
        sample_shape = tf.convert_to_tensor(sample_shape, dtype=tf.int32, name="sample_shape")
        missing = tf.cast(tf.equal(tf.rank(sample_shape), 0), tf.int32)
        sample_shape = tf.reshape(
            sample_shape, tf.pad(tf.shape(sample_shape), paddings=[[missing, 0]], constant_values=1)
        )
        samples = draw(tf.reduce_prod(sample_shape))
        event = tf.shape(samples)[1:]
        return tf.reshape(samples, tf.concat([sample_shape, event], 0))


def bernoulli_sample(probs=None, logits=None, dtype=tf.int32, sample_shape=(), seed=None):
    """1 with the probability probs, or sigmoid(logits)."""
    if probs is None:
        probs = tf.sigmoid(logits, name="probs")
    else:
        probs = tf.convert_to_tensor(probs, name="probs")
    batch = tf.shape(probs)

    def draw(n):
        uniform = tf.random_uniform(tf.concat([[n], batch], 0), seed=seed, dtype=probs.dtype)
        return tf.cast(tf.less(uniform, probs), dtype)

    return _samples(draw, sample_shape)


def categorical_sample(logits, dtype=tf.int32, sample_shape=(), seed=None):
    """An index of the last axis, by the logits of each."""
    logits = tf.convert_to_tensor(logits, name="logits")
    events = tf.shape(logits)[-1]
    batch = tf.shape(logits)[:-1]

    def draw(n):
        rows = logits if logits.shape.ndims == 2 else tf.reshape(logits, [-1, events])
        draw_dtype = tf.int64 if logits.dtype.size > 4 else tf.int32
        drawn = tf.multinomial(rows, n, seed=seed, output_dtype=draw_dtype)
        drawn = tf.reshape(tf.transpose(drawn), tf.concat([[n], batch], 0))
        return tf.cast(drawn, dtype)

    return _samples(draw, sample_shape)
