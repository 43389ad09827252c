"""tf.keras.constraints: what weights become after each step."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import _objects, backend as K


class Constraint:
    """Called with weights, it gives what they should be.

    Source: tf.keras.constraints.Constraint.
    """

    def __call__(self, w):
        return w

    def get_config(self):
        return {}


def _norm(w, axis):
    return tf.sqrt(tf.reduce_sum(tf.square(w), axis=axis, keepdims=True))


class MaxNorm(Constraint):
    """Shortens vectors along an axis that are longer than max_value."""

    def __init__(self, max_value=2, axis=0):
        self.max_value, self.axis = max_value, axis

    def __call__(self, w):
        norms = _norm(w, self.axis)
        desired = K.clip(norms, 0, self.max_value)
        return w * (desired / (K.epsilon() + norms))

    def get_config(self):
        return {"max_value": self.max_value, "axis": self.axis}


class NonNeg(Constraint):
    """Makes negative numbers 0."""

    def __call__(self, w):
        return w * tf.cast(tf.greater_equal(w, 0.0), K.floatx())


class UnitNorm(Constraint):
    """Makes vectors along an axis of length 1."""

    def __init__(self, axis=0):
        self.axis = axis

    def __call__(self, w):
        return w / (K.epsilon() + _norm(w, self.axis))

    def get_config(self):
        return {"axis": self.axis}


class MinMaxNorm(Constraint):
    """Brings the lengths of vectors between two limits; rate: how far in a step."""

    def __init__(self, min_value=0.0, max_value=1.0, rate=1.0, axis=0):
        self.min_value, self.max_value, self.rate, self.axis = min_value, max_value, rate, axis

    def __call__(self, w):
        norms = _norm(w, self.axis)
        clipped = K.clip(norms, self.min_value, self.max_value)
        desired = self.rate * clipped + (1 - self.rate) * norms
        return w * (desired / (K.epsilon() + norms))

    def get_config(self):
        return {
            "min_value": self.min_value,
            "max_value": self.max_value,
            "rate": self.rate,
            "axis": self.axis,
        }


class RadialConstraint(Constraint):
    """Makes kernels of convolutions, `[height, width, in, out]`, the same at each distance."""

    def __call__(self, w):
        shape = w.shape.as_list()
        if len(shape) != 4:
            raise ValueError(
                f"The weight tensor must be of rank 4, but is of shape: {tuple(shape)}"
            )
        height, width = shape[:2]
        center = height // 2
        rows = tf.range(height)
        distance = tf.maximum(
            tf.abs(rows[:, None] - center), tf.abs(tf.range(width)[None, :] - center)
        )
        # Each ring has the number at its upper left corner.
        corner = center - distance
        return tf.gather_nd(w, tf.stack([corner, corner], axis=-1))


max_norm, non_neg, unit_norm, min_max_norm = MaxNorm, NonNeg, UnitNorm, MinMaxNorm
maxnorm, nonneg, unitnorm = MaxNorm, NonNeg, UnitNorm

serialize = _objects.serialize_keras_object


def _named():
    return globals()


def deserialize(config, custom_objects=None):
    """A constraint of a configuration."""
    return _objects.deserialize_keras_object(config, globals(), custom_objects, "constraint")


get = _objects.getter("constraint", _named)
