"""Bernoulli distributions."""

from kiln.compat import v1 as tf
from kiln.compat.v1.distributions._distribution import NOT_REPARAMETERIZED, Distribution
from kiln.compat.v1.distributions._kullback_leibler import divergence_of
from kiln.compat.v1.distributions._notices import moved
from kiln.compat.v1.distributions._parameters import check_integers, get_logits_and_probs

__all__ = ["Bernoulli"]


class Bernoulli(Distribution):
    """1 with a probability, otherwise 0; of the probability or its log-odds one is given.

    Errors: ValueError, TypeError. Source: tf.distributions.Bernoulli.
    """

    @moved("bernoulli")
    def __init__(
        self,
        logits=None,
        probs=None,
        dtype=tf.int32,
        validate_args=False,
        allow_nan_stats=True,
        name="Bernoulli",
    ):
        parameters = dict(locals())
        with tf.name_scope(name) as name:
            self._logits, self._probs = get_logits_and_probs(
                logits=logits, probs=probs, validate_args=validate_args, name=name
            )
        super().__init__(
            dtype=dtype,
            reparameterization_type=NOT_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[self._logits, self._probs],
            name=name,
        )

    logits = property(lambda self: self._logits)
    probs = property(lambda self: self._probs)

    @staticmethod
    def _param_shapes(sample_shape):
        return {"logits": tf.convert_to_tensor(sample_shape, dtype=tf.int32)}

    def _batch_shape_tensor(self):
        return tf.shape(self._logits)

    def _batch_shape(self):
        return self._logits.get_shape()

    def _event_shape_tensor(self):
        return tf.constant([], dtype=tf.int32)

    def _event_shape(self):
        return tf.TensorShape([])

    def _sample_n(self, n, seed=None):
        shape = tf.concat([[n], self.batch_shape_tensor()], 0)
        uniform = tf.random_uniform(shape, seed=seed, dtype=self.probs.dtype)
        return tf.cast(tf.less(uniform, self.probs), self.dtype)

    def _log_prob(self, event):
        if self.validate_args:
            event = check_integers(event, tf.bool)
        event, logits = tf.cast(event, self.logits.dtype), self.logits
        shapes = event.get_shape(), logits.get_shape()
        known = shapes[0].is_fully_defined() and shapes[1].is_fully_defined()
        if not known or shapes[0].as_list() != shapes[1].as_list():
            logits, event = tf.ones_like(event) * logits, tf.ones_like(logits) * event
        return -tf.nn.sigmoid_cross_entropy_with_logits(labels=event, logits=logits)

    def _entropy(self):
        odds = -self.logits * (tf.sigmoid(self.logits) - 1)
        return odds + tf.nn.softplus(-self.logits)

    def _mean(self):
        return tf.identity(self.probs)

    def _variance(self):
        return self._mean() * (1.0 - self.probs)

    def _mode(self):
        return tf.cast(self.probs > 0.5, self.dtype)


@divergence_of(Bernoulli, "kl_bernoulli_bernoulli", ["logits"])
def _kl_bernoulli_bernoulli(a, b):
    delta_0 = tf.nn.softplus(-b.logits) - tf.nn.softplus(-a.logits)
    delta_1 = tf.nn.softplus(b.logits) - tf.nn.softplus(a.logits)
    return tf.sigmoid(a.logits) * delta_0 + tf.sigmoid(-a.logits) * delta_1
