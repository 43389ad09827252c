"""What all distributions have."""

import contextlib

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.distributions import _kullback_leibler
from kiln.compat.v1.distributions._notices import moved


class ReparameterizationType:
    """Whether gradients go through samples. Source: tf.distributions.ReparameterizationType."""

    def __init__(self, rep_type):
        self._rep_type = rep_type

    def __repr__(self):
        return f"<Reparameteriation Type: {self._rep_type}>"

    def __eq__(self, other):
        return self is other

    __hash__ = object.__hash__


FULLY_REPARAMETERIZED = ReparameterizationType("FULLY_REPARAMETERIZED")
NOT_REPARAMETERIZED = ReparameterizationType("NOT_REPARAMETERIZED")


def _missing(name):
    """A method that subclasses define."""

    def method(self, *_):
        raise NotImplementedError(f"{name} is not implemented: {type(self).__name__}")

    return method


class Distribution:
    """A batch of distributions of events.

    Subclasses define some of _sample_n, _log_prob, _prob, _cdf, _entropy, _mean, _variance ...,
    and _batch_shape, _event_shape with the tensors of both. dtype: of samples.
    reparameterization_type: FULLY_REPARAMETERIZED or NOT_REPARAMETERIZED. validate_args: whether
    runs check arguments. allow_nan_stats: whether what is not defined is no number, otherwise an
    error. parameters: for copy(). graph_parents: the tensors that it is made of.

    Errors: ValueError. Source: tf.distributions.Distribution.
    """

    @moved("distribution")
    def __init__(
        self,
        dtype,
        reparameterization_type,
        validate_args,
        allow_nan_stats,
        parameters=None,
        graph_parents=None,
        name=None,
    ):
        graph_parents = [] if graph_parents is None else graph_parents
        for i, parent in enumerate(graph_parents):
            if not isinstance(parent, (tf.Tensor, tf.Variable)):
                raise ValueError("Graph parent item %d is not a Tensor; %s." % (i, parent))
        if not name or name[-1] != "/":
            with tf.name_scope(name or type(self).__name__) as name:
                pass
        self._dtype, self._name = dtype, name
        self._reparameterization_type = reparameterization_type
        self._validate_args, self._allow_nan_stats = validate_args, allow_nan_stats
        self._parameters = dict(parameters or {})
        self._graph_parents = graph_parents

    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)
    reparameterization_type = property(lambda self: self._reparameterization_type)
    allow_nan_stats = property(lambda self: self._allow_nan_stats)
    validate_args = property(lambda self: self._validate_args)

    @property
    def parameters(self):
        """The arguments that it was made with."""
        return {
            name: value
            for name, value in self._parameters.items()
            if not name.startswith("__") and name != "self"
        }

    def copy(self, **override_parameters_kwargs):
        """One with other arguments."""
        return type(self)(**{**self.parameters, **override_parameters_kwargs})

    @classmethod
    def param_shapes(cls, sample_shape, name="DistributionParamShapes"):
        """A dict of the shapes of the parameters for samples of a shape."""
        with tf.name_scope(name, values=[sample_shape]):
            return cls._param_shapes(sample_shape)

    @classmethod
    def param_static_shapes(cls, sample_shape):
        """As param_shapes(), of known shapes. Errors: ValueError."""
        if isinstance(sample_shape, tf.TensorShape):
            if not sample_shape.is_fully_defined():
                raise ValueError("TensorShape sample_shape must be fully defined")
            sample_shape = sample_shape.as_list()
        static = {}
        for name, shape in cls.param_shapes(sample_shape).items():
            value = tf.get_static_value(shape)
            if value is None:
                raise ValueError("sample_shape must be a fully-defined TensorShape or list/tuple")
            static[name] = tf.TensorShape(value)
        return static

    @staticmethod
    def _param_shapes(sample_shape):
        raise NotImplementedError("_param_shapes not implemented")

    # Shapes.

    _batch_shape_tensor = _missing("batch_shape_tensor")
    _event_shape_tensor = _missing("event_shape_tensor")

    def _batch_shape(self):
        return tf.TensorShape(None)

    def _event_shape(self):
        return tf.TensorShape(None)

    @property
    def batch_shape(self):
        return tf.TensorShape(self._batch_shape())

    @property
    def event_shape(self):
        return tf.TensorShape(self._event_shape())

    def batch_shape_tensor(self, name="batch_shape_tensor"):
        return self._shape_tensor(name, "batch_shape", self._batch_shape_tensor)

    def event_shape_tensor(self, name="event_shape_tensor"):
        return self._shape_tensor(name, "event_shape", self._event_shape_tensor)

    def _shape_tensor(self, scope, name, computed):
        with self._name_scope(scope):
            static = getattr(self, name)
            if static.is_fully_defined():
                return tf.convert_to_tensor(static.as_list(), dtype=tf.int32, name=name)
            return computed()

    def is_scalar_event(self, name="is_scalar_event"):
        with self._name_scope(name):
            is_scalar = _is_scalar(self.event_shape, self.event_shape_tensor)
            return tf.convert_to_tensor(is_scalar, name="is_scalar_event")

    def is_scalar_batch(self, name="is_scalar_batch"):
        with self._name_scope(name):
            is_scalar = _is_scalar(self.batch_shape, self.batch_shape_tensor)
            return tf.convert_to_tensor(is_scalar, name="is_scalar_batch")

    # Samples.

    _sample_n = _missing("sample_n")

    def sample(self, sample_shape=(), seed=None, name="sample"):
        """Samples [sample_shape..., batch_shape..., event_shape...]."""
        with self._name_scope(name, values=[sample_shape]):
            shape = tf.convert_to_tensor(sample_shape, dtype=tf.int32, name="sample_shape")
            shape, n = _as_vector(shape, "sample_shape")
            samples = self._sample_n(n, seed)
            final = tf.concat([shape, tf.shape(samples)[1:]], 0)
            return self._with_static_shape(tf.reshape(samples, final), shape)

    def _with_static_shape(self, samples, sample_shape):
        sample_shape = tf.TensorShape(tf.get_static_value(sample_shape))
        shape = sample_shape.concatenate(self.batch_shape).concatenate(self.event_shape)
        samples.set_shape(samples.get_shape().merge_with(shape))
        return samples

    # Functions of values.

    _log_prob, _prob = _missing("log_prob"), _missing("prob")
    _log_cdf, _cdf = _missing("log_cdf"), _missing("cdf")
    _log_survival_function = _missing("log_survival_function")
    _survival_function = _missing("survival_function")
    _quantile = _missing("quantile")

    def _of_value(self, value, name, own, otherwise=None):
        """What a method gives, or, where the class has none, what another way does."""
        with self._name_scope(name, values=[value]):
            value = tf.convert_to_tensor(value, name="value", preferred_dtype=self.dtype)
            try:
                return own(value)
            except NotImplementedError as missing:
                try:
                    if otherwise is not None:
                        return otherwise(value)
                except NotImplementedError:
                    pass
                raise missing

    def log_prob(self, value, name="log_prob"):
        """The logarithm of the probability, or density, of a value."""
        return self._of_value(value, name, self._log_prob, lambda x: tf.log(self._prob(x)))

    def prob(self, value, name="prob"):
        """The probability, or density, of a value."""
        return self._of_value(value, name, self._prob, lambda x: tf.exp(self._log_prob(x)))

    def log_cdf(self, value, name="log_cdf"):
        """The logarithm of the probability of values up to one."""
        return self._of_value(value, name, self._log_cdf, lambda x: tf.log(self._cdf(x)))

    def cdf(self, value, name="cdf"):
        """The probability of values up to one."""
        return self._of_value(value, name, self._cdf, lambda x: tf.exp(self._log_cdf(x)))

    def log_survival_function(self, value, name="log_survival_function"):
        """The logarithm of the probability of values beyond one."""
        own = self._log_survival_function
        return self._of_value(value, name, own, lambda x: tf.log1p(-self.cdf(x)))

    def survival_function(self, value, name="survival_function"):
        """The probability of values beyond one."""
        return self._of_value(value, name, self._survival_function, lambda x: 1.0 - self.cdf(x))

    def quantile(self, value, name="quantile"):
        """The value up to which there is a probability."""
        return self._of_value(value, name, self._quantile)

    # Statistics.

    _entropy, _mean, _mode = _missing("entropy"), _missing("mean"), _missing("mode")
    _variance, _stddev = _missing("variance"), _missing("stddev")
    _covariance = _missing("covariance")

    def entropy(self, name="entropy"):
        with self._name_scope(name):
            return self._entropy()

    def mean(self, name="mean"):
        with self._name_scope(name):
            return self._mean()

    def mode(self, name="mode"):
        with self._name_scope(name):
            return self._mode()

    def covariance(self, name="covariance"):
        with self._name_scope(name):
            return self._covariance()

    def variance(self, name="variance"):
        with self._name_scope(name):
            return _first_of(self._variance, lambda: tf.square(self._stddev()))

    def stddev(self, name="stddev"):
        with self._name_scope(name):
            return _first_of(self._stddev, lambda: tf.sqrt(self._variance()))

    def cross_entropy(self, other, name="cross_entropy"):
        with self._name_scope(name):
            return self._cross_entropy(other)

    def kl_divergence(self, other, name="kl_divergence"):
        with self._name_scope(name):
            return self._kl_divergence(other)

    def _cross_entropy(self, other):
        return _kullback_leibler.cross_entropy(self, other, allow_nan_stats=self.allow_nan_stats)

    def _kl_divergence(self, other):
        return _kullback_leibler.kl_divergence(self, other, allow_nan_stats=self.allow_nan_stats)

    @contextlib.contextmanager
    def _name_scope(self, name=None, values=None):
        with tf.name_scope(self.name):
            with tf.name_scope(name, values=[*(values or ()), *self._graph_parents]) as scope:
                yield scope

    def __str__(self):
        parts = [f'"{self.name}"']
        for name in ("batch_shape", "event_shape"):
            shape = getattr(self, name)
            if shape.ndims is not None:
                parts.append(f"{name}={shape}")
        parts.append(f"dtype={self.dtype.name}")
        return f"tfp.distributions.{type(self).__name__}({', '.join(parts)})"

    def __repr__(self):
        return (
            f"<tfp.distributions.{type(self).__name__} '{self.name}' batch_shape={self.batch_shape} "
            f"event_shape={self.event_shape} dtype={self.dtype.name}>"
        )


def _first_of(own, otherwise):
    try:
        return own()
    except NotImplementedError as missing:
        try:
            return otherwise()
        except NotImplementedError:
            raise missing from None


def _is_scalar(static, computed):
    if static.ndims is not None:
        return static.ndims == 0
    shape = computed()
    extents = shape.get_shape()
    if extents.ndims is not None and extents.dims[0].value is not None:
        return extents.as_list() == [0]
    return tf.equal(tf.shape(shape)[0], 0)


def _as_vector(shape, name):
    """A shape as a vector, where it was a number, and how many samples it has."""
    static = tf.get_static_value(shape)
    dtype = shape.dtype.as_numpy_dtype
    count = tf.reduce_prod(shape) if static is None else np.prod(static, dtype=dtype)
    rank = shape.get_shape().ndims
    if rank is None:
        is_number = tf.equal(tf.rank(shape), 0)
        one = np.array([1], dtype=np.int32)
        vector = tf.cond(is_number, lambda: tf.constant(one), lambda: tf.shape(shape))
        return tf.reshape(shape, vector), count
    if rank == 0:
        if static is not None:
            return tf.convert_to_tensor(np.array([static], dtype=dtype), name=name), count
        return tf.reshape(shape, [1]), count
    if rank != 1:
        raise ValueError("Input is neither scalar nor vector.")
    return shape, count
