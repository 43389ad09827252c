"""Normal distributions."""

import math

from kiln.compat import v1 as tf
from kiln.compat.v1.distributions import special_math
from kiln.compat.v1.distributions._kullback_leibler import divergence_of
from kiln.compat.v1.distributions._notices import moved
from kiln.compat.v1.distributions._scalars import LocationScale

__all__ = ["Normal", "NormalWithSoftplusScale"]


class Normal(LocationScale):
    """Normal distributions of mean loc and deviation scale. Source: tf.distributions.Normal."""

    @moved("normal")
    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="Normal"):
        parameters = dict(locals())

        def checks():
            return [tf.assert_positive(scale)]

        self._take(name, [loc, scale], checks, validate_args, allow_nan_stats, parameters)

    def _sample_n(self, n, seed=None):
        sampled = tf.random_normal(
            shape=self._sample_shape(n), mean=0.0, stddev=1.0, dtype=self.loc.dtype, seed=seed
        )
        return sampled * self.scale + self.loc

    def _log_cdf(self, x):
        return special_math.log_ndtr(self._z(x))

    def _cdf(self, x):
        return special_math.ndtr(self._z(x))

    def _log_survival_function(self, x):
        return special_math.log_ndtr(-self._z(x))

    def _survival_function(self, x):
        return special_math.ndtr(-self._z(x))

    def _log_unnormalized_prob(self, x):
        return -0.5 * tf.square(self._z(x))

    def _log_normalization(self):
        return 0.5 * math.log(2.0 * math.pi) + tf.log(self.scale)

    def _entropy(self):
        scale = self.scale * tf.ones_like(self.loc)
        return 0.5 * math.log(2.0 * math.pi * math.e) + tf.log(scale)

    def _quantile(self, p):
        z = special_math.ndtri(p)
        with tf.name_scope("reconstruct", values=[z]):
            return z * self.scale + self.loc

    def _stddev(self):
        return self.scale * tf.ones_like(self.loc)


class NormalWithSoftplusScale(Normal):
    """Normal with softplus(scale). Source: tf.contrib.distributions.NormalWithSoftplusScale."""

    def __init__(
        self, loc, scale, validate_args=False, allow_nan_stats=True, name="NormalWithSoftplusScale"
    ):
        parameters = dict(locals())
        with tf.name_scope(name, values=[scale]) as name:
            positive = tf.nn.softplus(scale, name="softplus_scale")
            super().__init__(loc, positive, validate_args, allow_nan_stats, name)
        self._parameters = parameters


@divergence_of(Normal, "kl_normal_normal", ["loc"])
def _kl_normal_normal(a, b):
    one, two = tf.constant(1, dtype=a.dtype), tf.constant(2, dtype=a.dtype)
    half = tf.constant(0.5, dtype=a.dtype)
    variance_a, variance_b = tf.square(a.scale), tf.square(b.scale)
    ratio = variance_a / variance_b
    distance = tf.squared_difference(a.loc, b.loc) / (two * variance_b)
    return distance + half * (ratio - one - tf.log(ratio))
