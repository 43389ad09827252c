"""tf.keras.optimizers.schedules: learning rates that change with the steps."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import _objects


class LearningRateSchedule:
    """Called with a step, it gives a learning rate.

    Source: tf.keras.optimizers.schedules.LearningRateSchedule.
    """

    def __call__(self, step):
        raise NotImplementedError("Learning rate schedule must override __call__")

    def get_config(self):
        raise NotImplementedError("Learning rate schedule must override get_config")

    @classmethod
    def from_config(cls, config):
        return cls(**config)


class _OfFunction(LearningRateSchedule):
    """A schedule by a function of tf.train."""

    def get_config(self):
        return dict(self._given)


class ExponentialDecay(_OfFunction):
    """initial_learning_rate * decay_rate ^ (step / decay_steps)."""

    def __init__(self, initial_learning_rate, decay_steps, decay_rate, staircase=False, name=None):
        self._given = dict(
            initial_learning_rate=initial_learning_rate,
            decay_steps=decay_steps,
            decay_rate=decay_rate,
            staircase=staircase,
            name=name,
        )

    def __call__(self, step):
        return tf.train.exponential_decay(self._given["initial_learning_rate"], step, **_but(self))


class PiecewiseConstantDecay(_OfFunction):
    """Values between boundaries of the step."""

    def __init__(self, boundaries, values, name=None):
        if len(boundaries) != len(values) - 1:
            raise ValueError("The length of boundaries should be 1 less than the length of values")
        self._given = dict(boundaries=boundaries, values=values, name=name)

    def __call__(self, step):
        return tf.train.piecewise_constant(step, **self._given)


class PolynomialDecay(_OfFunction):
    """A polynomial from initial_learning_rate to end_learning_rate."""

    def __init__(
        self,
        initial_learning_rate,
        decay_steps,
        end_learning_rate=0.0001,
        power=1.0,
        cycle=False,
        name=None,
    ):
        self._given = dict(
            initial_learning_rate=initial_learning_rate,
            decay_steps=decay_steps,
            end_learning_rate=end_learning_rate,
            power=power,
            cycle=cycle,
            name=name,
        )

    def __call__(self, step):
        return tf.train.polynomial_decay(self._given["initial_learning_rate"], step, **_but(self))


class InverseTimeDecay(_OfFunction):
    """initial_learning_rate / (1 + decay_rate * step / decay_steps)."""

    def __init__(self, initial_learning_rate, decay_steps, decay_rate, staircase=False, name=None):
        self._given = dict(
            initial_learning_rate=initial_learning_rate,
            decay_steps=decay_steps,
            decay_rate=decay_rate,
            staircase=staircase,
            name=name,
        )

    def __call__(self, step):
        return tf.train.inverse_time_decay(self._given["initial_learning_rate"], step, **_but(self))


def _but(schedule):
    given = dict(schedule._given)
    del given["initial_learning_rate"]
    return given


serialize = _objects.serialize_keras_object


def deserialize(config, custom_objects=None):
    """The schedule of a configuration."""
    return _objects.deserialize_keras_object(config, globals(), custom_objects, "decay")
