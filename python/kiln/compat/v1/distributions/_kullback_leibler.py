"""The divergence of distributions, by a table of functions for pairs of classes."""

from kiln.compat import v1 as tf
from kiln.compat.v1.distributions._notices import moved

_DIVERGENCES = {}


def _registered(type_a, type_b):
    """The function of the nearest pair of base classes; None where there is none."""
    found = [
        (i + j, _DIVERGENCES[parents])
        for i, parent_a in enumerate(type_a.__mro__)
        for j, parent_b in enumerate(type_b.__mro__)
        if (parents := (parent_a, parent_b)) in _DIVERGENCES
    ]
    return min(found, key=lambda pair: pair[0])[1] if found else None


@moved("kullback_leibler")
def kl_divergence(distribution_a, distribution_b, allow_nan_stats=True, name=None):
    """The Kullback-Leibler divergence of a from b, for each of a batch.

    allow_nan_stats: otherwise a result that is no number is an error of the run. Errors:
    NotImplementedError where RegisterKL has no function for the two classes. Source:
    tf.distributions.kl_divergence.
    """
    divergence = _registered(type(distribution_a), type(distribution_b))
    if divergence is None:
        raise NotImplementedError(
            "No KL(distribution_a || distribution_b) registered for distribution_a type "
            f"{type(distribution_a).__name__} and distribution_b type "
            f"{type(distribution_b).__name__}"
        )
    with tf.name_scope("KullbackLeibler"):
        result = divergence(distribution_a, distribution_b, name=name)
        if allow_nan_stats:
            return result
        result = tf.identity(result, name="kl")
        words = (
            f"KL calculation between {distribution_a.name} and {distribution_b.name} returned NaN "
            "values (and was called with allow_nan_stats=False). Values:"
        )
        is_number = tf.logical_not(tf.reduce_any(tf.is_nan(result)))
        with tf.control_dependencies([tf.Assert(is_number, [words, result])]):
            return tf.identity(result, name="checked_kl")


@moved("kullback_leibler")
def cross_entropy(ref, other, allow_nan_stats=True, name=None):
    """The cross-entropy: the entropy of ref and its divergence from other.

    Source: tensorflow.python.ops.distributions.kullback_leibler.cross_entropy.
    """
    with tf.name_scope(name, "cross_entropy"):
        return ref.entropy() + kl_divergence(ref, other, allow_nan_stats=allow_nan_stats)


class RegisterKL:
    """A decorator of a function(a, b, name) that kl_divergence() calls for two classes.

    Errors: TypeError, ValueError for a pair that has a function. Source:
    tf.distributions.RegisterKL.
    """

    @moved("kullback_leibler")
    def __init__(self, dist_cls_a, dist_cls_b):
        self._key = (dist_cls_a, dist_cls_b)

    def __call__(self, kl_fn):
        if not callable(kl_fn):
            raise TypeError(f"kl_fn must be callable, received: {kl_fn}")
        if self._key in _DIVERGENCES:
            raise ValueError(
                f"KL({self._key[0].__name__} || {self._key[1].__name__}) has already been "
                f"registered to: {_DIVERGENCES[self._key]}"
            )
        _DIVERGENCES[self._key] = kl_fn
        return kl_fn


def divergence_of(cls, default_name, values):
    """A decorator of a function(a, b), the divergence of two distributions of a class.

    values: the names of the properties that it takes.
    """

    def decorate(function):
        def divergence(a, b, name=None):
            given = [getattr(each, value) for each in (a, b) for value in values]
            with tf.name_scope(name, default_name, given):
                return function(a, b)

        _DIVERGENCES[cls, cls] = divergence
        return function

    return decorate
