"""What distributions of numbers with two parameters of one dtype share."""

from kiln.compat import v1 as tf
from kiln.compat.v1.distributions._distribution import FULLY_REPARAMETERIZED, Distribution


class TwoParameters(Distribution):
    """Numbers; the batch is that of both parameters together."""

    _NAMES = ()

    def _take(self, name, values, checks, validate_args, allow_nan_stats, parameters):
        """Sets the parameters, behind checks where these are wanted."""
        with tf.name_scope(name, values=values) as name:
            with tf.control_dependencies(checks() if validate_args else []):
                made = [tf.identity(value, name=own) for own, value in zip(self._NAMES, values)]
                tf.debugging.assert_same_float_dtype(made)
        for own, value in zip(self._NAMES, made):
            setattr(self, f"_{own}", value)
        Distribution.__init__(
            self,
            dtype=made[0].dtype,
            reparameterization_type=FULLY_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=made,
            name=name,
        )

    @property
    def _both(self):
        return [getattr(self, f"_{name}") for name in self._NAMES]

    @classmethod
    def _param_shapes(cls, sample_shape):
        shape = tf.convert_to_tensor(sample_shape, dtype=tf.int32)
        return dict.fromkeys(cls._NAMES, shape)

    def _batch_shape_tensor(self):
        return tf.broadcast_dynamic_shape(*(tf.shape(value) for value in self._both))

    def _batch_shape(self):
        return tf.broadcast_static_shape(*(value.get_shape() for value in self._both))

    def _event_shape_tensor(self):
        return tf.constant([], dtype=tf.int32)

    def _event_shape(self):
        return tf.TensorShape([])

    def _sample_shape(self, n):
        return tf.concat([[n], self.batch_shape_tensor()], 0)


class LocationScale(TwoParameters):
    """Numbers around loc, as far as scale."""

    _NAMES = ("loc", "scale")

    loc = property(lambda self: self._loc)
    scale = property(lambda self: self._scale)

    def _log_prob(self, x):
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _mean(self):
        return self.loc * tf.ones_like(self.scale)

    def _mode(self):
        return self._mean()

    def _z(self, x):
        with tf.name_scope("standardize", values=[x]):
            return (x - self.loc) / self.scale
