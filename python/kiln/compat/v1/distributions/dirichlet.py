"""Dirichlet distributions."""

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.framework._tensors import with_dependencies
from kiln.compat.v1.distributions._distribution import FULLY_REPARAMETERIZED, Distribution
from kiln.compat.v1.distributions._kullback_leibler import divergence_of
from kiln.compat.v1.distributions._notices import moved

__all__ = ["Dirichlet"]


class Dirichlet(Distribution):
    """Vectors that sum to 1: the product of x ** (concentration - 1), normalized.

    concentration: [batch..., classes]. Source: tf.distributions.Dirichlet.
    """

    @moved("dirichlet")
    def __init__(
        self, concentration, validate_args=False, allow_nan_stats=True, name="Dirichlet"
    ):
        parameters = dict(locals())
        with tf.name_scope(name, values=[concentration]) as name:
            given = tf.convert_to_tensor(concentration, name="concentration")
            self._concentration = _checked(given) if validate_args else given
            self._total_concentration = tf.reduce_sum(self._concentration, -1)
        super().__init__(
            dtype=self._concentration.dtype,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            reparameterization_type=FULLY_REPARAMETERIZED,
            parameters=parameters,
            graph_parents=[self._concentration, self._total_concentration],
            name=name,
        )

    concentration = property(lambda self: self._concentration)
    total_concentration = property(lambda self: self._total_concentration)

    def _batch_shape_tensor(self):
        return tf.shape(self.total_concentration)

    def _batch_shape(self):
        return self.total_concentration.get_shape()

    def _event_shape_tensor(self):
        return tf.shape(self.concentration)[-1:]

    def _event_shape(self):
        return self.concentration.get_shape().with_rank_at_least(1)[-1:]

    def _sample_n(self, n, seed=None):
        sample = tf.random_gamma(shape=[n], alpha=self.concentration, dtype=self.dtype, seed=seed)
        return sample / tf.reduce_sum(sample, -1, keepdims=True)

    def _log_prob(self, x):
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _prob(self, x):
        return tf.exp(self._log_prob(x))

    def _log_unnormalized_prob(self, x):
        if self.validate_args:
            positive = tf.assert_positive(x, message="samples must be positive")
            words = "sample last-dimension must sum to `1`"
            one = tf.ones([], dtype=self.dtype)
            x = with_dependencies(
                [positive, tf.assert_near(one, tf.reduce_sum(x, -1), message=words)], x
            )
        return tf.reduce_sum(tf.math.xlogy(self.concentration - 1.0, x), -1)

    def _log_normalization(self):
        return tf.lbeta(self.concentration)

    def _entropy(self):
        classes = tf.cast(self.event_shape_tensor()[0], self.dtype)
        total = self.total_concentration
        entropy = self._log_normalization() + (total - classes) * tf.digamma(total)
        each = (self.concentration - 1.0) * tf.digamma(self.concentration)
        return entropy - tf.reduce_sum(each, axis=-1)

    def _mean(self):
        return self.concentration / self.total_concentration[..., tf.newaxis]

    def _variance_scale_term(self):
        return tf.rsqrt(1.0 + self.total_concentration[..., tf.newaxis])

    def _covariance(self):
        x = self._variance_scale_term() * self._mean()
        products = -tf.matmul(x[..., tf.newaxis], x[..., tf.newaxis, :])
        return tf.matrix_set_diag(products, self._variance())

    def _variance(self):
        scale = self._variance_scale_term()
        x = scale * self._mean()
        return x * (scale - x)

    def _mode(self):
        """Not defined where a concentration is 1 or less."""
        classes = tf.cast(self.event_shape_tensor()[0], self.dtype)
        total = self.total_concentration[..., tf.newaxis]
        mode = (self.concentration - 1.0) / (total - classes)
        if self.allow_nan_stats:
            nan = np.array(np.nan, dtype=self.dtype.as_numpy_dtype)
            nans = tf.fill(tf.shape(mode), nan, name="nan")
            is_defined = tf.reduce_all(self.concentration > 1.0, axis=-1, keepdims=True)
            return tf.where_v2(is_defined, mode, nans)
        words = "Mode undefined when any concentration <= 1"
        one = tf.ones([], self.dtype)
        return with_dependencies([tf.assert_less(one, self.concentration, message=words)], mode)


def _checked(concentration):
    words = "Concentration parameter must "
    checks = [
        tf.assert_positive(concentration, message=words + "be positive."),
        tf.assert_rank_at_least(concentration, 1, message=words + "have >=1 dimensions."),
        tf.assert_less(1, tf.shape(concentration)[-1], message=words + "have event_size >= 2."),
    ]
    return with_dependencies(checks, concentration)


@divergence_of(Dirichlet, "kl_dirichlet_dirichlet", ["concentration"])
def _kl_dirichlet_dirichlet(a, b):
    of_sum = tf.digamma(tf.reduce_sum(a.concentration, axis=-1, keepdims=True))
    delta = tf.digamma(a.concentration) - of_sum
    change = a.concentration - b.concentration
    total = tf.reduce_sum(change * delta, axis=-1)
    return total - tf.lbeta(a.concentration) + tf.lbeta(b.concentration)
