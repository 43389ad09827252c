"""Metrics as objects: variables that are added to, and a result."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras._engine._names import unique_layer_name
from kiln.compat.v1.keras.losses._reductions import squeezed


class Metric:
    """A metric. A subclass makes variables by add_weight(), and has update_state() and result().

    Called with values it adds them and gives the result behind that. Source:
    tf.keras.metrics.Metric.
    """

    def __init__(self, name=None, dtype=None, **kwargs):
        if kwargs:
            raise TypeError("Keyword argument not understood:", next(iter(kwargs)))
        self.name = name or unique_layer_name(type(self).__name__)
        self.dtype = tf.as_dtype(dtype).name if dtype else K.floatx()
        self._weights, self._updates, self.stateful, self.built = [], [], True, True

    def __init_subclass__(cls, **kwargs):
        """Makes update_state() of a subclass give one operation, and remembers it."""
        super().__init_subclass__(**kwargs)
        own = cls.__dict__.get("update_state")
        if own is None:
            return

        def update_state(self, *args, **kwargs):
            before = len(self._updates)
            with tf.name_scope(f"{self.name}_update"):
                made = own(self, *args, **kwargs)
            del self._updates[before:]
            if made is None:
                raise ValueError(f"update_state() of {type(self).__name__} gave no operation")
            operation = made if isinstance(made, tf.Operation) else tf.group(made)
            self._updates.append(operation)
            return operation

        update_state.__doc__ = own.__doc__
        update_state.__wrapped__ = own
        cls.update_state = update_state

    def __call__(self, *args, **kwargs):
        with tf.control_dependencies([self.update_state(*args, **kwargs)]):
            result = self.result()
            result = tf.identity(result)
        result._metric_obj = self
        return result

    def add_weight(
        self, name, shape=(), aggregation=None, synchronization=None, initializer=None, dtype=None
    ):
        """A variable of the metric, of zeros where no initializer is given."""
        from kiln.compat.v1.keras import initializers

        initializer = initializers.get(initializer) or initializers.zeros()
        dtype = tf.as_dtype(dtype or self.dtype)
        with tf.name_scope(self.name):
            variable = tf.Variable(
                lambda: initializer(list(shape), dtype=dtype),
                trainable=False,
                dtype=dtype,
                name=name,
                collections=[tf.GraphKeys.LOCAL_VARIABLES, tf.GraphKeys.METRIC_VARIABLES],
                use_resource=True,
            )
        K.track(variable)
        self._weights.append(variable)
        return variable

    def update_state(self, *args, **kwargs):
        """Adds values; gives an operation."""
        raise NotImplementedError("Must be implemented in subclasses.")

    def result(self):
        """A tensor of the value so far."""
        raise NotImplementedError("Must be implemented in subclasses.")

    def reset_states(self):
        """Gives the variables their first values, zeros."""
        import numpy as np

        K.batch_set_value([(each, np.zeros(each.shape.as_list())) for each in self._weights])

    @property
    def weights(self):
        return list(self._weights)

    variables = non_trainable_weights = non_trainable_variables = weights
    trainable_weights = trainable_variables = property(lambda self: [])
    updates = property(lambda self: list(self._updates))

    def get_config(self):
        return {"name": self.name, "dtype": self.dtype}

    @classmethod
    def from_config(cls, config):
        return cls(**config)

    def get_weights(self):
        return K.batch_get_value(self._weights)


class _Reduce(Metric):
    """The sum of values, and where it is a mean their number."""

    def __init__(self, name, dtype=None):
        super().__init__(name=name, dtype=dtype)
        self.total = self.add_weight("total")
        self._counts = self.count = None

    def update_state(self, values, sample_weight=None):
        """Adds values. sample_weight: of each example or value."""
        values = tf.cast(values, self.dtype)
        if sample_weight is not None:
            sample_weight = tf.cast(sample_weight, self.dtype)
            values, _, sample_weight = squeezed(values, None, sample_weight)
            sample_weight = _as_large(sample_weight, values)
            values = tf.multiply(values, sample_weight)
        updates = [self.total.assign_add(tf.reduce_sum(values)).op]
        if self.count is not None:
            if sample_weight is None:
                number = tf.cast(tf.size(values), self.dtype)
            else:
                number = tf.reduce_sum(sample_weight)
            updates.append(self.count.assign_add(number).op)
        return tf.group(*updates)


def _as_large(weights, values):
    """Weights of the shape of values; where they have fewer axes values are averaged over those."""
    ranks = weights.shape.ndims, values.shape.ndims
    if None in ranks or ranks[0] == 0:
        return weights * tf.ones_like(values)
    for _ in range(ranks[1] - ranks[0]):
        weights = tf.expand_dims(weights, -1)
    return weights * tf.ones_like(values)


class Sum(_Reduce):
    """The sum of values. Source: tf.keras.metrics.Sum."""

    def __init__(self, name="sum", dtype=None):
        super().__init__(name, dtype)

    def result(self):
        return tf.identity(self.total)


class Mean(_Reduce):
    """The mean of values. Source: tf.keras.metrics.Mean."""

    def __init__(self, name="mean", dtype=None):
        super().__init__(name, dtype)
        self.count = self.add_weight("count")

    def result(self):
        return tf.div_no_nan(tf.identity(self.total), tf.identity(self.count))


class MeanMetricWrapper(Mean):
    """The mean of what a function of labels and predictions gives."""

    def __init__(self, fn, name=None, dtype=None, **kwargs):
        super().__init__(name or fn.__name__, dtype)
        self._fn, self._fn_kwargs = fn, kwargs

    def update_state(self, y_true, y_pred, sample_weight=None):
        """Adds a batch. sample_weight: of each example."""
        y_true, y_pred = tf.cast(y_true, self.dtype), tf.cast(y_pred, self.dtype)
        y_pred, y_true, _ = squeezed(y_pred, y_true)
        values = self._fn(y_true, y_pred, **self._fn_kwargs)
        return Mean.update_state.__wrapped__(self, values, sample_weight)

    def get_config(self):
        return {**super().get_config(), **self._fn_kwargs}


class MeanRelativeError(Mean):
    """The mean of errors divided by a normalizer."""

    def __init__(self, normalizer, name=None, dtype=None):
        super().__init__(name or "mean_relative_error", dtype)
        self.normalizer = tf.cast(tf.convert_to_tensor(normalizer), self.dtype)

    def update_state(self, y_true, y_pred, sample_weight=None):
        y_true, y_pred = tf.cast(y_true, self.dtype), tf.cast(y_pred, self.dtype)
        y_pred, y_true, _ = squeezed(y_pred, y_true)
        errors = tf.div_no_nan(tf.abs(y_true - y_pred), self.normalizer)
        return Mean.update_state.__wrapped__(self, errors, sample_weight)


class RootMeanSquaredError(Mean):
    """The root of the mean of squared errors."""

    def __init__(self, name="root_mean_squared_error", dtype=None):
        super().__init__(name, dtype)

    def update_state(self, y_true, y_pred, sample_weight=None):
        y_true, y_pred = tf.cast(y_true, self.dtype), tf.cast(y_pred, self.dtype)
        y_pred, y_true, _ = squeezed(y_pred, y_true)
        errors = tf.squared_difference(y_pred, y_true)
        return Mean.update_state.__wrapped__(self, errors, sample_weight)

    def result(self):
        return tf.sqrt(super().result())


class MeanTensor(Metric):
    """The mean of each element of tensors of one shape."""

    def __init__(self, name="mean_tensor", dtype=None):
        super().__init__(name, dtype)
        self._total = self._count = None

    total = property(lambda self: self._total)
    count = property(lambda self: self._count)

    def update_state(self, values, sample_weight=None):
        values = tf.cast(values, self.dtype)
        if self._total is None:
            shape = values.shape.as_list()
            self._total, self._count = (self.add_weight(n, shape) for n in ("total", "count"))
        number = tf.ones_like(values)
        if sample_weight is not None:
            sample_weight = tf.cast(sample_weight, self.dtype)
            values, _, sample_weight = squeezed(values, None, sample_weight)
            number = _as_large(sample_weight, values)
            values = values * number
        return tf.group(self._total.assign_add(values).op, self._count.assign_add(number).op)

    def result(self):
        if self._total is None:
            raise ValueError(
                "MeanTensor does not have any result yet. Please call the MeanTensor instance or "
                "use `.update_state(value)` before retrieving the result."
            )
        return tf.div_no_nan(tf.identity(self._total), tf.identity(self._count))
