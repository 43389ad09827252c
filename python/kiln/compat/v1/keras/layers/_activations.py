"""Activations as layers, and noise."""

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import activations, backend as K
from kiln.compat.v1.keras._engine._input_spec import InputSpec
from kiln.compat.v1.keras._engine._layer import Layer
from kiln.compat.v1.keras.layers._configured import Configured

__all__ = [
    "ELU", "AlphaDropout", "GaussianDropout", "GaussianNoise", "LeakyReLU", "PReLU", "ReLU",
    "Softmax", "ThresholdedReLU",
]  # fmt: skip


class _SameShape(Configured):
    """A layer of numbers, each on its own."""

    def __init__(self, given, kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True
        self._set(given)

    def compute_output_shape(self, input_shape):
        return input_shape


class LeakyReLU(_SameShape):
    """alpha times the number below 0. Source: tf.keras.layers.LeakyReLU."""

    ARGUMENTS = ("alpha",)

    def __init__(self, alpha=0.3, **kwargs):
        super().__init__({"alpha": K.cast_to_floatx(alpha).item()}, kwargs)

    def call(self, inputs):
        return K.relu(inputs, alpha=self.alpha)


class ELU(_SameShape):
    """alpha * (exp(x) - 1) below 0. Source: tf.keras.layers.ELU."""

    ARGUMENTS = ("alpha",)

    def __init__(self, alpha=1.0, **kwargs):
        super().__init__({"alpha": K.cast_to_floatx(alpha).item()}, kwargs)

    def call(self, inputs):
        return K.elu(inputs, self.alpha)


class ThresholdedReLU(_SameShape):
    """0 up to a threshold. Source: tf.keras.layers.ThresholdedReLU."""

    ARGUMENTS = ("theta",)

    def __init__(self, theta=1.0, **kwargs):
        super().__init__({"theta": K.cast_to_floatx(theta).item()}, kwargs)

    def call(self, inputs):
        return inputs * tf.cast(tf.greater(inputs, self.theta), K.floatx())


class ReLU(_SameShape):
    """0 below the threshold, or negative_slope times the number, and at most max_value.

    Source: tf.keras.layers.ReLU.
    """

    ARGUMENTS = ("max_value", "negative_slope", "threshold")

    def __init__(self, max_value=None, negative_slope=0, threshold=0, **kwargs):
        for name, value in (("max_value", max_value), ("negative_slope", negative_slope)):
            if value is not None and value < 0.0:
                raise ValueError(f"{name} of Relu layer cannot be negative value: {value}")
        given = dict(max_value=max_value, negative_slope=negative_slope, threshold=threshold)
        super().__init__(given, kwargs)

    def call(self, inputs):
        return K.relu(
            inputs,
            alpha=self.negative_slope,
            max_value=self.max_value,
            threshold=self.threshold,
        )


class Softmax(_SameShape):
    """Source: tf.keras.layers.Softmax."""

    ARGUMENTS = ("axis",)

    def __init__(self, axis=-1, **kwargs):
        super().__init__({"axis": axis}, kwargs)

    def call(self, inputs):
        return activations.softmax(inputs, axis=self.axis)


class PReLU(_SameShape):
    """A weight times the number below 0, each place its own; shared_axes: where they are the same.

    Source: tf.keras.layers.PReLU.
    """

    ARGUMENTS = ("alpha_initializer", "alpha_regularizer", "alpha_constraint", "shared_axes")

    def __init__(
        self,
        alpha_initializer="zeros",
        alpha_regularizer=None,
        alpha_constraint=None,
        shared_axes=None,
        **kwargs,
    ):
        if isinstance(shared_axes, int):
            shared_axes = [shared_axes]
        given = dict(locals(), shared_axes=None if shared_axes is None else list(shared_axes))
        super().__init__(given, kwargs)

    def build(self, input_shape):
        shape = tf.TensorShape(input_shape).as_list()[1:]
        for axis in self.shared_axes or ():
            shape[axis - 1] = 1
        self.alpha = self.add_weight(
            "alpha",
            shape=shape,
            initializer=self.alpha_initializer,
            regularizer=self.alpha_regularizer,
            constraint=self.alpha_constraint,
        )
        shared = self.shared_axes or ()
        axes = {i + 1: extent for i, extent in enumerate(shape) if i + 1 not in shared}
        self.input_spec = InputSpec(ndim=len(shape) + 1, axes=axes)
        self.built = True

    def call(self, inputs):
        return K.relu(inputs) + -self.alpha * K.relu(-inputs)


class GaussianNoise(Layer):
    """Adds random numbers in training. Source: tf.keras.layers.GaussianNoise."""

    def __init__(self, stddev, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking, self.stddev = True, stddev

    def call(self, inputs, training=None):
        def noised():
            noise = K.random_normal(tf.shape(inputs), mean=0.0, stddev=self.stddev)
            return inputs + noise

        return K.in_train_phase(noised, inputs, training=training)

    def compute_output_shape(self, input_shape):
        return input_shape

    def get_config(self):
        return {**super().get_config(), "stddev": self.stddev}


class GaussianDropout(Layer):
    """Multiplies with random numbers around 1 in training."""

    def __init__(self, rate, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking, self.rate = True, rate

    def call(self, inputs, training=None):
        if not 0 < self.rate < 1:
            return inputs

        def noised():
            deviation = np.sqrt(self.rate / (1.0 - self.rate))
            return inputs * K.random_normal(tf.shape(inputs), mean=1.0, stddev=deviation)

        return K.in_train_phase(noised, inputs, training=training)

    def compute_output_shape(self, input_shape):
        return input_shape

    def get_config(self):
        return {**super().get_config(), "rate": self.rate}


class AlphaDropout(Layer):
    """Dropout that keeps the mean and the variance of what selu() gives."""

    def __init__(self, rate, noise_shape=None, seed=None, **kwargs):
        super().__init__(**kwargs)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed
        self.supports_masking = True

    def call(self, inputs, training=None):
        if not 0.0 < self.rate < 1.0:
            return inputs

        def dropped():
            low = -1.6732632423543772848170429916717 * 1.0507009873554804934193349852946
            shape = tf.shape(inputs) if self.noise_shape is None else self.noise_shape
            kept = tf.greater_equal(K.random_uniform(shape, seed=self.seed), self.rate)
            kept = tf.cast(kept, K.floatx())
            scale = ((1 - self.rate) * (1 + self.rate * low**2)) ** -0.5
            return scale * (inputs * kept + low * (1 - kept)) - scale * low * self.rate

        return K.in_train_phase(dropped, inputs, training=training)

    def compute_output_shape(self, input_shape):
        return input_shape

    def get_config(self):
        return {**super().get_config(), "rate": self.rate}
