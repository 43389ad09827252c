"""Beta distributions."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.framework._tensors import with_dependencies
from kiln.compat.v1.distributions._distribution import FULLY_REPARAMETERIZED, Distribution
from kiln.compat.v1.distributions._kullback_leibler import divergence_of
from kiln.compat.v1.distributions._notices import moved
from kiln.compat.v1.distributions._parameters import gen_new_seed, nan_where_not

__all__ = ["Beta", "BetaWithSoftplusConcentration"]


class Beta(Distribution):
    """Beta distributions: x ** (concentration1 - 1) * (1 - x) ** (concentration0 - 1), normalized.

    Source: tf.distributions.Beta.
    """

    @moved("beta")
    def __init__(
        self,
        concentration1=None,
        concentration0=None,
        validate_args=False,
        allow_nan_stats=True,
        name="Beta",
    ):
        parameters = dict(locals())
        with tf.name_scope(name, values=[concentration1, concentration0]) as name:
            both = [
                _positive(tf.convert_to_tensor(value, name=own), validate_args)
                for own, value in (
                    ("concentration1", concentration1),
                    ("concentration0", concentration0),
                )
            ]
            tf.debugging.assert_same_float_dtype(both)
            self._concentration1, self._concentration0 = both
            self._total_concentration = both[0] + both[1]
        super().__init__(
            dtype=self._total_concentration.dtype,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            reparameterization_type=FULLY_REPARAMETERIZED,
            parameters=parameters,
            graph_parents=[*both, self._total_concentration],
            name=name,
        )

    concentration1 = property(lambda self: self._concentration1)
    concentration0 = property(lambda self: self._concentration0)
    total_concentration = property(lambda self: self._total_concentration)

    @staticmethod
    def _param_shapes(sample_shape):
        shape = tf.convert_to_tensor(sample_shape, dtype=tf.int32)
        return {"concentration1": shape, "concentration0": shape}

    def _batch_shape_tensor(self):
        return tf.shape(self.total_concentration)

    def _batch_shape(self):
        return self.total_concentration.get_shape()

    def _event_shape_tensor(self):
        return tf.constant([], dtype=tf.int32)

    def _event_shape(self):
        return tf.TensorShape([])

    def _sample_n(self, n, seed=None):
        ones = [tf.ones_like(self.total_concentration, dtype=self.dtype) * each
                for each in (self.concentration1, self.concentration0)]  # fmt: skip
        seeds = seed, gen_new_seed(seed, "beta")
        first, second = (
            tf.random_gamma(shape=[n], alpha=alpha, dtype=self.dtype, seed=own)
            for alpha, own in zip(ones, seeds)
        )
        return first / (first + second)

    def _log_prob(self, x):
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _prob(self, x):
        return tf.exp(self._log_prob(x))

    def _log_cdf(self, x):
        return tf.log(self._cdf(x))

    def _cdf(self, x):
        return tf.betainc(self.concentration1, self.concentration0, x)

    def _log_unnormalized_prob(self, x):
        if self.validate_args:
            positive = tf.assert_positive(x, message="sample must be positive")
            one = tf.ones([], self.dtype)
            below = tf.assert_less(x, one, message="sample must be less than `1`.")
            x = with_dependencies([positive, below], x)
        first = tf.math.xlogy(self.concentration1 - 1.0, x)
        return first + (self.concentration0 - 1.0) * tf.log1p(-x)

    def _log_normalization(self):
        both = tf.lgamma(self.concentration1) + tf.lgamma(self.concentration0)
        return both - tf.lgamma(self.total_concentration)

    def _entropy(self):
        return (
            self._log_normalization()
            - (self.concentration1 - 1.0) * tf.digamma(self.concentration1)
            - (self.concentration0 - 1.0) * tf.digamma(self.concentration0)
            + (self.total_concentration - 2.0) * tf.digamma(self.total_concentration)
        )

    def _mean(self):
        return self._concentration1 / self._total_concentration

    def _variance(self):
        return self._mean() * (1.0 - self._mean()) / (1.0 + self.total_concentration)

    def _mode(self):
        """Not defined where a concentration is 1 or less."""
        mode = (self.concentration1 - 1.0) / (self.total_concentration - 2.0)
        if self.allow_nan_stats:
            return nan_where_not(
                lambda: tf.logical_and(self.concentration1 > 1.0, self.concentration0 > 1.0),
                mode,
                self,
            )
        checks = [
            tf.assert_less(
                tf.ones([], dtype=self.dtype),
                value,
                message=f"Mode undefined for {name} <= 1.",
            )
            for name, value in (
                ("concentration1", self.concentration1),
                ("concentration0", self.concentration0),
            )
        ]
        return with_dependencies(checks, mode)


def _positive(concentration, validate_args):
    if not validate_args:
        return concentration
    words = "Concentration parameter must be positive."
    return with_dependencies([tf.assert_positive(concentration, message=words)], concentration)


class BetaWithSoftplusConcentration(Beta):
    """Beta with softplus of both. Source: tf.contrib.distributions.BetaWithSoftplusConcentration."""

    def __init__(
        self,
        concentration1,
        concentration0,
        validate_args=False,
        allow_nan_stats=True,
        name="BetaWithSoftplusConcentration",
    ):
        parameters = dict(locals())
        with tf.name_scope(name, values=[concentration1, concentration0]) as name:
            first = tf.nn.softplus(concentration1, name="softplus_concentration1")
            second = tf.nn.softplus(concentration0, name="softplus_concentration0")
            super().__init__(first, second, validate_args, allow_nan_stats, name)
        self._parameters = parameters


@divergence_of(Beta, "kl_beta_beta", ["concentration1", "concentration0", "total_concentration"])
def _kl_beta_beta(a, b):
    result = b._log_normalization() - a._log_normalization()
    result -= tf.digamma(a.concentration1) * (b.concentration1 - a.concentration1)
    result -= tf.digamma(a.concentration0) * (b.concentration0 - a.concentration0)
    of_total = tf.digamma(a.total_concentration)
    return result + of_total * (b.total_concentration - a.total_concentration)
