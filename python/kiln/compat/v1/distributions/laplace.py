"""Laplace distributions."""

import math

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.distributions import special_math
from kiln.compat.v1.distributions._notices import moved
from kiln.compat.v1.distributions._scalars import LocationScale

__all__ = ["Laplace"]


class Laplace(LocationScale):
    """Laplace distributions: exp(-|x - loc| / scale) / (2 * scale). Source: tf.distributions.Laplace."""

    @moved("laplace")
    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="Laplace"):
        parameters = dict(locals())

        def checks():
            return [tf.assert_positive(scale)]

        self._take(name, [loc, scale], checks, validate_args, allow_nan_stats, parameters)

    def _sample_n(self, n, seed=None):
        # Beyond -1, whose logarithm would be infinite.
        as_dtype = self.dtype.as_numpy_dtype
        lowest = np.nextafter(as_dtype(-1.0), as_dtype(0.0))
        uniform = tf.random_uniform(
            shape=self._sample_shape(n), minval=lowest, maxval=1.0, dtype=self.dtype, seed=seed
        )
        return self.loc - self.scale * tf.sign(uniform) * tf.log1p(-tf.abs(uniform))

    def _prob(self, x):
        return tf.exp(self._log_prob(x))

    def _log_cdf(self, x):
        return special_math.log_cdf_laplace(self._z(x))

    def _log_survival_function(self, x):
        return special_math.log_cdf_laplace(-self._z(x))

    def _cdf(self, x):
        z = self._z(x)
        return 0.5 + 0.5 * tf.sign(z) * (1.0 - tf.exp(-tf.abs(z)))

    def _log_unnormalized_prob(self, x):
        return -tf.abs(self._z(x))

    def _log_normalization(self):
        return math.log(2.0) + tf.log(self.scale)

    def _entropy(self):
        scale = self.scale + tf.zeros_like(self.loc)
        return math.log(2.0) + 1.0 + tf.log(scale)

    def _mean(self):
        return self.loc + tf.zeros_like(self.scale)

    def _z(self, x):
        return (x - self.loc) / self.scale

    def _stddev(self):
        return math.sqrt(2.0) * self.scale + tf.zeros_like(self.loc)
