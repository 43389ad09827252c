"""Learning rates that change with the steps: those of functions of tf.train."""

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
    """A schedule by a function of tf.train; its arguments are those of the function."""

    _FUNCTION = None

    def __init__(self, given):
        """given: locals() of the subclass's __init__()."""
        self._given = {
            name: value for name, value in given.items() if name not in ("self", "__class__")
        }

    def __call__(self, step):
        given = dict(self._given)
        rate = given.pop("initial_learning_rate")
        return getattr(tf.train, self._FUNCTION)(rate, step, **given)

    def get_config(self):
        return dict(self._given)


class ExponentialDecay(_OfFunction):
    """initial_learning_rate * decay_rate ^ (step / decay_steps)."""

    _FUNCTION = "exponential_decay"

    def __init__(self, initial_learning_rate, decay_steps, decay_rate, staircase=False, name=None):
        super().__init__(locals())


class InverseTimeDecay(_OfFunction):
    """initial_learning_rate / (1 + decay_rate * step / decay_steps)."""

    _FUNCTION = "inverse_time_decay"

    def __init__(self, initial_learning_rate, decay_steps, decay_rate, staircase=False, name=None):
        super().__init__(locals())


class PiecewiseConstantDecay(_OfFunction):
    """Values between boundaries of the step."""

    def __init__(self, boundaries, values, name=None):
        if len(boundaries) != len(values) - 1:
            raise ValueError("The length of boundaries should be 1 less than the length of values")
        super().__init__(locals())

    def __call__(self, step):
        return tf.train.piecewise_constant(step, **self._given)


class PolynomialDecay(_OfFunction):
    """A polynomial from initial_learning_rate to end_learning_rate."""

    _FUNCTION = "polynomial_decay"

    def __init__(
        self,
        initial_learning_rate,
        decay_steps,
        end_learning_rate=0.0001,
        power=1.0,
        cycle=False,
        name=None,
    ):
        super().__init__(locals())


class CosineDecay(_OfFunction):
    """Half a wave of a cosine, down to alpha * initial_learning_rate.

    Source: tf.keras.experimental.CosineDecay.
    """

    _FUNCTION = "cosine_decay"

    def __init__(self, initial_learning_rate, decay_steps, alpha=0.0, name=None):
        super().__init__(locals())


class CosineDecayRestarts(_OfFunction):
    """CosineDecay again and again, each t_mul times as long, from m_mul times as much.

    Source: tf.keras.experimental.CosineDecayRestarts.
    """

    _FUNCTION = "cosine_decay_restarts"

    def __init__(
        self, initial_learning_rate, first_decay_steps, t_mul=2.0, m_mul=1.0, alpha=0.0, name=None
    ):
        super().__init__(locals())


class LinearCosineDecay(_OfFunction):
    """A wave of a cosine that a line pulls down. Source: tf.keras.experimental.LinearCosineDecay."""

    _FUNCTION = "linear_cosine_decay"

    def __init__(
        self, initial_learning_rate, decay_steps, num_periods=0.5, alpha=0.0, beta=0.001, name=None
    ):
        super().__init__(locals())


class NoisyLinearCosineDecay(_OfFunction):
    """LinearCosineDecay with noise that becomes smaller.

    Source: tf.keras.experimental.NoisyLinearCosineDecay.
    """

    _FUNCTION = "noisy_linear_cosine_decay"

    def __init__(
        self,
        initial_learning_rate,
        decay_steps,
        initial_variance=1.0,
        variance_decay=0.55,
        num_periods=0.5,
        alpha=0.0,
        beta=0.001,
        name=None,
    ):
        super().__init__(locals())


serialize = _objects.serialize_keras_object


def deserialize(config, custom_objects=None):
    """The schedule of a configuration."""
    return _objects.deserialize_keras_object(config, globals(), custom_objects, "decay")
