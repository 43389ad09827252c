"""Uniform distributions."""

import math

from kiln.compat import v1 as tf
from kiln.compat.v1.distributions._notices import moved
from kiln.compat.v1.distributions._scalars import TwoParameters

__all__ = ["Uniform"]


class Uniform(TwoParameters):
    """Uniform distributions from low to below high. Source: tf.distributions.Uniform."""

    _NAMES = ("low", "high")

    @moved("uniform")
    def __init__(
        self, low=0.0, high=1.0, validate_args=False, allow_nan_stats=True, name="Uniform"
    ):
        parameters = dict(locals())

        def checks():
            return [tf.assert_less(low, high, message="uniform not defined when low >= high.")]

        self._take(name, [low, high], checks, validate_args, allow_nan_stats, parameters)

    low = property(lambda self: self._low)
    high = property(lambda self: self._high)

    def range(self, name="range"):
        """high - low."""
        with self._name_scope(name):
            return self.high - self.low

    def _sample_n(self, n, seed=None):
        samples = tf.random_uniform(shape=self._sample_shape(n), dtype=self.dtype, seed=seed)
        return self.low + self.range() * samples

    def _prob(self, x):
        x = x * tf.ones(self.batch_shape_tensor(), dtype=x.dtype)
        is_nan = tf.is_nan(x)
        outside = tf.logical_or(x < self.low, x >= self.high)
        density = tf.where_v2(outside, tf.zeros_like(x), tf.ones_like(x) / self.range())
        return tf.where_v2(is_nan, x, density)

    def _cdf(self, x):
        shape = tf.broadcast_dynamic_shape(tf.shape(x), self.batch_shape_tensor())
        zeros, ones = tf.zeros(shape, dtype=self.dtype), tf.ones(shape, dtype=self.dtype)
        x_of_all = x * ones
        is_below, inside = x < self.low, (x_of_all - self.low) / self.range()
        below = tf.where_v2(is_below, zeros, inside)
        return tf.where_v2(x >= self.high, ones, below)

    def _entropy(self):
        return tf.log(self.range())

    def _mean(self):
        return (self.low + self.high) / 2.0

    def _variance(self):
        return tf.square(self.range()) / 12.0

    def _stddev(self):
        return self.range() / math.sqrt(12.0)
