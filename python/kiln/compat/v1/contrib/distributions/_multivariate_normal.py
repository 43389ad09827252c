"""Normal distributions of vectors whose elements are independent."""

import math

from kiln.compat import v1 as tf
from kiln.compat.v1.distributions._distribution import FULLY_REPARAMETERIZED, Distribution
from kiln.compat.v1.distributions._kullback_leibler import divergence_of
from kiln.compat.v1.distributions._notices import moved


def _moved(module):
    return moved(
        module,
        "tf.contrib.distributions",
        "2018-10-01",
        "tensorflow.contrib.distributions.python.ops",
    )


class DiagonalScale:
    """What is asked of the scale: a diagonal matrix, of which the diagonal is kept."""

    def __init__(self, diagonal):
        self._diagonal = diagonal

    dtype = property(lambda self: self._diagonal.dtype)

    @property
    def shape(self):
        shape = self._diagonal.shape
        return shape.concatenate(shape[-1:])

    def diag_part(self):
        return self._diagonal

    def to_dense(self):
        return tf.matrix_diag(self._diagonal)

    def matvec(self, x):
        return self._diagonal * x

    def log_abs_determinant(self):
        return tf.reduce_sum(tf.log(tf.abs(self._diagonal)), -1)


class MultivariateNormalDiag(Distribution):
    """Vectors loc + scale * z, z of standard normal numbers: [batch..., elements].

    loc: zeros where it is None. scale_diag: the scale of each element; ones where it is None.
    scale_identity_multiplier: what is added to the scale of all, or is it alone.

    Errors: ValueError where no argument tells how many elements there are. Source:
    tf.contrib.distributions.MultivariateNormalDiag. Difference: it is made of other ops than in
    TensorFlow, which transforms another distribution; of scale it has the diagonal.
    """

    @_moved("mvn_diag")
    def __init__(
        self,
        loc=None,
        scale_diag=None,
        scale_identity_multiplier=None,
        validate_args=False,
        allow_nan_stats=True,
        name="MultivariateNormalDiag",
    ):
        parameters = dict(locals())
        values = [loc, scale_diag, scale_identity_multiplier]
        with tf.name_scope(name, values=values) as name:
            self._loc = None if loc is None else tf.convert_to_tensor(loc, name="loc")
            diagonal = _diagonal(self._loc, scale_diag, scale_identity_multiplier)
            self._scale_diag = _not_singular(diagonal) if validate_args else diagonal
            self._location = tf.zeros_like(self._scale_diag) if self._loc is None else self._loc
        super().__init__(
            dtype=self._scale_diag.dtype,
            reparameterization_type=FULLY_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[self._location, self._scale_diag],
            name=name,
        )

    loc = property(lambda self: self._loc)

    @property
    def scale(self):
        return DiagonalScale(self._scale_diag)

    def _full_shape(self):
        return tf.broadcast_static_shape(self._location.shape, self._scale_diag.shape)

    def _full_shape_tensor(self):
        return tf.broadcast_dynamic_shape(tf.shape(self._location), tf.shape(self._scale_diag))

    def _batch_shape(self):
        shape = self._full_shape()
        return shape if shape.ndims is None else shape[:-1]

    def _event_shape(self):
        shape = self._full_shape()
        return tf.TensorShape([None]) if shape.ndims is None else shape[-1:]

    def _batch_shape_tensor(self):
        return self._full_shape_tensor()[:-1]

    def _event_shape_tensor(self):
        return self._full_shape_tensor()[-1:]

    def _sample_n(self, n, seed=None):
        batch, event = self.batch_shape_tensor(), self.event_shape_tensor()
        shape = tf.concat([[n], batch, event], 0)
        sampled = tf.random_normal(shape, dtype=self.dtype, seed=seed)
        return sampled * self._scale_diag + self._location

    def _log_prob(self, x):
        z = (x - self._location) / self._scale_diag
        logarithms = 0.5 * math.log(2.0 * math.pi) + tf.log(tf.abs(self._scale_diag))
        return tf.reduce_sum(-0.5 * tf.square(z) - logarithms, -1)

    def _prob(self, x):
        return tf.exp(self._log_prob(x))

    def _entropy(self):
        logarithms = tf.log(tf.abs(self._full(self._scale_diag)))
        return tf.reduce_sum(0.5 * math.log(2.0 * math.pi * math.e) + logarithms, -1)

    def _full(self, value):
        """A value in the shape of the batch and the event."""
        shape = self._full_shape()
        if shape.is_fully_defined() and value.shape.as_list() == shape.as_list():
            return tf.identity(value)
        return value + tf.zeros(self._full_shape_tensor(), self.dtype)

    def _mean(self):
        return self._full(self._location)

    def _mode(self):
        return self._mean()

    def _stddev(self):
        return tf.abs(self._scale_diag)

    def _variance(self):
        return tf.square(self._scale_diag)

    def _covariance(self):
        return tf.matrix_diag(tf.square(self._scale_diag))


def _diagonal(loc, scale_diag, multiplier):
    """The scales of the elements."""
    if scale_diag is None and loc is None:
        raise ValueError("Cannot infer `event_shape` unless `loc` is specified.")
    given = loc if scale_diag is None else tf.convert_to_tensor(scale_diag, name="scale_diag")
    if given.shape.ndims == 0:
        raise ValueError("Argument diag must have at least 1 dimensions.  Found: %s" % given)
    diagonal = tf.ones(tf.shape(loc)[-1:], loc.dtype) if scale_diag is None else given
    if multiplier is not None:
        each = tf.convert_to_tensor(multiplier, dtype=diagonal.dtype)[..., tf.newaxis]
        diagonal = diagonal * each if scale_diag is None else diagonal + each
    if not diagonal.dtype.is_floating:
        raise TypeError("`scale` parameter must have floating-point dtype.")
    return diagonal


def _not_singular(diagonal):
    """The scales, behind a check that none is zero."""
    notice = "Singular operator:  Diagonal contained zero values."
    zero = tf.zeros([], diagonal.dtype)
    with tf.control_dependencies([tf.assert_less(zero, tf.abs(diagonal), message=notice)]):
        return tf.identity(diagonal)


class MultivariateNormalDiagWithSoftplusScale(MultivariateNormalDiag):
    """MultivariateNormalDiag with softplus(scale_diag).

    Source: tf.contrib.distributions.MultivariateNormalDiagWithSoftplusScale.
    """

    @_moved("mvn_diag")
    def __init__(
        self,
        loc,
        scale_diag,
        validate_args=False,
        allow_nan_stats=True,
        name="MultivariateNormalDiagWithSoftplusScale",
    ):
        parameters = dict(locals())
        with tf.name_scope(name, values=[scale_diag]) as name:
            super().__init__(
                loc=loc,
                scale_diag=tf.nn.softplus(scale_diag),
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
                name=name,
            )
        self._parameters = parameters


@divergence_of(MultivariateNormalDiag, "kl_mvn", ["_location", "_scale_diag"])
def _kl_diagonal(a, b):
    ratio = a._scale_diag / b._scale_diag
    shift = (b._location - a._location) / b._scale_diag
    each = tf.square(ratio) + tf.square(shift) - 1.0 - tf.log(tf.square(ratio))
    return 0.5 * tf.reduce_sum(each, -1)
