"""Categorical distributions."""

from kiln.compat import v1 as tf
from kiln.compat.v1.distributions._distribution import NOT_REPARAMETERIZED, Distribution
from kiln.compat.v1.distributions._kullback_leibler import divergence_of
from kiln.compat.v1.distributions._notices import moved
from kiln.compat.v1.distributions._parameters import (
    check_categories,
    check_integers,
    get_logits_and_probs,
)

__all__ = ["Categorical"]


def _matched(event, params, dtype):
    """Events and parameters of the same batch."""
    if event.dtype.is_floating:
        event = tf.cast(event, dtype=tf.int32)
    elif not event.dtype.is_integer:
        raise TypeError(f"`value` should have integer `dtype` or `self.dtype` ({dtype})")
    shapes = event.shape, params.shape
    known = (
        shapes[1].ndims is not None
        and shapes[1][:-1].is_fully_defined()
        and shapes[0].is_fully_defined()
    )
    if not known or shapes[1][:-1].as_list() != shapes[0].as_list():
        params *= tf.ones_like(event[..., tf.newaxis], dtype=params.dtype)
        event *= tf.ones(tf.shape(params)[:-1], dtype=event.dtype)
        if params.shape.ndims is not None:
            event.set_shape(tf.TensorShape(params.shape[:-1]))
    return event, params


class Categorical(Distribution):
    """The number of a class, by probabilities or logits, one of which is given: [batch..., classes].

    Errors: ValueError, TypeError. Source: tf.distributions.Categorical.
    """

    @moved("categorical")
    def __init__(
        self,
        logits=None,
        probs=None,
        dtype=tf.int32,
        validate_args=False,
        allow_nan_stats=True,
        name="Categorical",
    ):
        parameters = dict(locals())
        with tf.name_scope(name, values=[logits, probs]) as name:
            self._logits, self._probs = get_logits_and_probs(
                logits=logits,
                probs=probs,
                validate_args=validate_args,
                multidimensional=True,
                name=name,
            )
            if validate_args:
                self._logits = check_categories(self._logits)
            self._take_shapes()
        super().__init__(
            dtype=dtype,
            reparameterization_type=NOT_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[self._logits, self._probs],
            name=name,
        )

    def _take_shapes(self):
        """Sets the rank and shape of the batch and the number of classes, as tensors."""
        static = self._logits.get_shape().with_rank_at_least(1)
        if static.ndims is not None:
            rank = tf.convert_to_tensor(static.ndims - 1, dtype=tf.int32, name="batch_rank")
        else:
            with tf.name_scope(name="batch_rank"):
                rank = tf.rank(self._logits) - 1
        shape = tf.shape(self._logits, name="logits_shape")
        classes = tf.dimension_value(static[-1])
        if classes is not None:
            size = tf.convert_to_tensor(classes, dtype=tf.int32, name="event_size")
        else:
            with tf.name_scope(name="event_size"):
                size = shape[rank]
        if static[:-1].is_fully_defined():
            batch = tf.constant(static[:-1].as_list(), dtype=tf.int32, name="batch_shape")
        else:
            with tf.name_scope(name="batch_shape"):
                batch = shape[:-1]
        self._batch_rank, self._event_size, self._batch_shape_val = rank, size, batch

    event_size = property(lambda self: self._event_size)
    logits = property(lambda self: self._logits)
    probs = property(lambda self: self._probs)

    def _batch_shape_tensor(self):
        return tf.identity(self._batch_shape_val)

    def _batch_shape(self):
        return self.logits.get_shape()[:-1]

    def _event_shape_tensor(self):
        return tf.constant([], dtype=tf.int32)

    def _event_shape(self):
        return tf.TensorShape([])

    def _sample_n(self, n, seed=None):
        logits = self.logits
        if logits.get_shape().ndims != 2:
            logits = tf.reshape(logits, [-1, self.event_size])
        dtype = tf.int64 if self.dtype.size > 4 else tf.int32
        draws = tf.multinomial(logits, n, seed=seed, output_dtype=dtype)
        draws = tf.transpose(draws)
        shape = tf.concat([[n], self.batch_shape_tensor()], 0)
        return tf.cast(tf.reshape(draws, shape), self.dtype)

    def _checked(self, k):
        k = tf.convert_to_tensor(k, name="k")
        return check_integers(k, tf.int32) if self.validate_args else k

    def _cdf(self, k):
        k, probs = _matched(self._checked(k), self.probs, self.dtype.base_dtype)
        flat = tf.reshape(probs, (-1, self._event_size))
        below = tf.sequence_mask(tf.reshape(k, [-1]), self._event_size)
        sums = tf.reduce_sum(tf.where(below, flat, tf.zeros_like(flat)), axis=-1)
        return tf.reshape(sums, tf.shape(k))

    def _log_prob(self, k):
        k, logits = _matched(self._checked(k), self.logits, self.dtype.base_dtype)
        return -tf.nn.sparse_softmax_cross_entropy_with_logits(labels=k, logits=logits)

    def _entropy(self):
        return -tf.reduce_sum(tf.nn.log_softmax(self.logits) * self.probs, axis=-1)

    def _mode(self):
        mode = tf.cast(tf.argmax(self.logits, axis=self._batch_rank), self.dtype)
        mode.set_shape(self.batch_shape)
        return mode


@divergence_of(Categorical, "kl_categorical_categorical", ["logits"])
def _kl_categorical_categorical(a, b):
    delta = tf.nn.log_softmax(a.logits) - tf.nn.log_softmax(b.logits)
    return tf.reduce_sum(tf.nn.softmax(a.logits) * delta, axis=-1)
