"""Gamma and exponential distributions."""

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.framework._tensors import with_dependencies
from kiln.compat.v1.distributions._kullback_leibler import divergence_of
from kiln.compat.v1.distributions._notices import moved
from kiln.compat.v1.distributions._parameters import nan_where_not
from kiln.compat.v1.distributions._scalars import TwoParameters

__all__ = ["Exponential", "Gamma", "GammaWithSoftplusConcentrationRate"]


class Gamma(TwoParameters):
    """Gamma distributions: x ** (concentration - 1) * exp(-x * rate), normalized.

    Source: tf.distributions.Gamma.
    """

    _NAMES = ("concentration", "rate")

    @moved("gamma")
    def __init__(
        self, concentration, rate, validate_args=False, allow_nan_stats=True, name="Gamma"
    ):
        parameters = dict(locals())

        def checks():
            return [tf.assert_positive(concentration), tf.assert_positive(rate)]

        values = [concentration, rate]
        self._take(name, values, checks, validate_args, allow_nan_stats, parameters)

    concentration = property(lambda self: self._concentration)
    rate = property(lambda self: self._rate)

    def _sample_n(self, n, seed=None):
        return tf.random_gamma(
            shape=[n], alpha=self.concentration, beta=self.rate, dtype=self.dtype, seed=seed
        )

    def _log_prob(self, x):
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _checked(self, x):
        tf.debugging.assert_same_float_dtype(tensors=[x], dtype=self.dtype)
        return with_dependencies([tf.assert_positive(x)], x) if self.validate_args else x

    def _cdf(self, x):
        return tf.igamma(self.concentration, self.rate * self._checked(x))

    def _log_unnormalized_prob(self, x):
        x = self._checked(x)
        return tf.math.xlogy(self.concentration - 1.0, x) - self.rate * x

    def _log_normalization(self):
        return tf.lgamma(self.concentration) - self.concentration * tf.log(self.rate)

    def _entropy(self):
        return (
            self.concentration
            - tf.log(self.rate)
            + tf.lgamma(self.concentration)
            + (1.0 - self.concentration) * tf.digamma(self.concentration)
        )

    def _mean(self):
        return self.concentration / self.rate

    def _variance(self):
        return self.concentration / tf.square(self.rate)

    def _stddev(self):
        return tf.sqrt(self.concentration) / self.rate

    def _mode(self):
        """Not defined where concentration is 1 or less."""
        mode = (self.concentration - 1.0) / self.rate
        if self.allow_nan_stats:
            return nan_where_not(lambda: self.concentration > 1.0, mode, self)
        words = "mode not defined when any concentration <= 1"
        one = tf.ones([], self.dtype)
        return with_dependencies([tf.assert_less(one, self.concentration, message=words)], mode)


class GammaWithSoftplusConcentrationRate(Gamma):
    """Gamma with softplus of both.

    Source: tf.contrib.distributions.GammaWithSoftplusConcentrationRate.
    """

    def __init__(
        self,
        concentration,
        rate,
        validate_args=False,
        allow_nan_stats=True,
        name="GammaWithSoftplusConcentrationRate",
    ):
        parameters = dict(locals())
        with tf.name_scope(name, values=[concentration, rate]) as name:
            first = tf.nn.softplus(concentration, name="softplus_concentration")
            second = tf.nn.softplus(rate, name="softplus_rate")
            super().__init__(first, second, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class Exponential(Gamma):
    """Exponential distributions: rate * exp(-x * rate). Source: tf.distributions.Exponential."""

    @moved("exponential")
    def __init__(self, rate, validate_args=False, allow_nan_stats=True, name="Exponential"):
        parameters = dict(locals())
        with tf.name_scope(name, values=[rate]) as name:
            given = tf.convert_to_tensor(rate, name="rate")
        super().__init__(
            concentration=tf.ones([], dtype=given.dtype),
            rate=given,
            allow_nan_stats=allow_nan_stats,
            validate_args=validate_args,
            name=name,
        )
        self._parameters = parameters
        self._graph_parents = [*self._graph_parents, self._rate]

    @classmethod
    def _param_shapes(cls, sample_shape):
        return {"rate": tf.convert_to_tensor(sample_shape, dtype=tf.int32)}

    def _log_survival_function(self, value):
        return self._log_prob(value) - tf.log(self._rate)

    def _sample_n(self, n, seed=None):
        shape = tf.concat([[n], tf.shape(self._rate)], 0)
        # Not zero, whose logarithm would be infinite.
        least = np.finfo(self.dtype.as_numpy_dtype).tiny
        uniform = tf.random_uniform(shape, minval=least, maxval=1.0, seed=seed, dtype=self.dtype)
        return -tf.log(uniform) / self._rate


@divergence_of(Gamma, "kl_gamma_gamma", ["concentration", "rate"])
def _kl_gamma_gamma(a, b):
    return (
        (a.concentration - b.concentration) * tf.digamma(a.concentration)
        + tf.lgamma(b.concentration)
        - tf.lgamma(a.concentration)
        + b.concentration * tf.log(a.rate)
        - b.concentration * tf.log(b.rate)
        + a.concentration * (b.rate / a.rate - 1.0)
    )
