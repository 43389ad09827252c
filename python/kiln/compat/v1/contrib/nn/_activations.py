"""Activations of networks that keep mean and variance, and softplus of another scale."""

import numbers

from kiln.compat import v1 as tf

# The value that a unit of tf.nn.selu tends to.
_ALPHA = -1.7580993408473766


def alpha_dropout(x, keep_prob, noise_shape=None, seed=None, name=None):
    """Dropout that keeps mean and variance, for units of tf.nn.selu.

    keep_prob: the share of elements that are kept. noise_shape: of the choice, which is broadcast.
    Errors: ValueError. Source: tf.contrib.nn.alpha_dropout.
    """
    with tf.name_scope(name, "alpha_dropout", [x]) as name:
        x = tf.convert_to_tensor(x, name="x")
        if isinstance(keep_prob, numbers.Real) and not 0 < keep_prob <= 1.0:
            raise ValueError(
                "keep_prob must be a scalar tensor or a float in the range (0, 1], got "
                f"{keep_prob:g}"
            )
        keep_prob = tf.convert_to_tensor(keep_prob, dtype=x.dtype, name="keep_prob")
        keep_prob.get_shape().assert_has_rank(0)
        if tf.get_static_value(keep_prob) == 1:
            return x
        shape = tf.shape(x) if noise_shape is None else noise_shape
        noise = tf.random_uniform(shape, seed=seed, dtype=x.dtype)
        kept = tf.cast(tf.greater_equal(noise, 1 - keep_prob), x.dtype)
        x = x * kept + _ALPHA * (1 - kept)
        scale = (keep_prob + keep_prob * (1 - keep_prob) * _ALPHA**2) ** -0.5
        shift = -scale * _ALPHA * (1 - keep_prob)
        return scale * x + shift


def _summed_to(gradient, value):
    """A gradient, summed over what was broadcast."""
    shape = tf.shape(value)
    axes, _ = tf.raw_ops.BroadcastGradientArgs(s0=shape, s1=tf.shape(gradient))
    return tf.reshape(tf.reduce_sum(gradient, axes), shape)


def scaled_softplus(x, alpha, clip=None, name=None):
    """alpha * log(1 + exp(x / alpha)), at most clip; the gradient is computed from the result.

    alpha: greater than 0. Source: tf.contrib.nn.scaled_softplus. Difference: the gradient is that
    of tf.custom_gradient(), in place of a function in the graph.
    """
    inputs = [x, alpha] if clip is None else [x, alpha, clip]
    with tf.name_scope(name, "scaled_softplus", inputs):
        x = tf.convert_to_tensor(x, name="x")
        alpha = tf.convert_to_tensor(alpha, dtype=x.dtype, name="alpha")
        if clip is None:
            return _softplus(x, alpha)
        return _clipped_softplus(x, alpha, tf.convert_to_tensor(clip, dtype=x.dtype, name="clip"))


def _gradients(gradient, y, x, alpha):
    with tf.control_dependencies([gradient]):
        y = tf.identity(y) / alpha
    smaller = tf.exp(-y)
    slope = 1.0 - smaller
    # The small number avoids log(0).
    by_alpha = y * smaller - slope * tf.log(slope + 1e-8)
    return _summed_to(gradient * slope, x), _summed_to(gradient * by_alpha, alpha)


@tf.custom_gradient
def _softplus(x, alpha):
    y = alpha * tf.nn.softplus(x / alpha)
    return y, lambda gradient: _gradients(gradient, y, x, alpha)


@tf.custom_gradient
def _clipped_softplus(x, alpha, clip):
    y = tf.minimum(alpha * tf.nn.softplus(x / alpha), clip)

    def grad(gradient):
        unclipped = tf.cast(y < clip, gradient.dtype)
        of_clip = _summed_to(gradient * (1.0 - unclipped), clip)
        return (*_gradients(gradient * unclipped, y, x, alpha), of_clip)

    return y, grad
