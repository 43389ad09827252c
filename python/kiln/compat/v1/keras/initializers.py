"""tf.keras.initializers: what makes the first values of weights."""

from kiln.compat import v1 as tf
from kiln.compat.v1._initializers import Initializer as Initializer
from kiln.compat.v1.keras import _objects

Zeros = zeros = tf.zeros_initializer
Ones = ones = tf.ones_initializer
Constant = constant = tf.constant_initializer
VarianceScaling = tf.variance_scaling_initializer
Orthogonal = orthogonal = tf.orthogonal_initializer
Identity = identity = tf.initializers.identity
glorot_uniform = tf.glorot_uniform_initializer
glorot_normal = tf.glorot_normal_initializer


class RandomNormal(tf.random_normal_initializer):
    """Normally distributed. Source: tf.keras.initializers.RandomNormal."""

    def __init__(self, mean=0.0, stddev=0.05, seed=None, dtype=tf.float32):
        super().__init__(mean=mean, stddev=stddev, seed=seed, dtype=dtype)


class RandomUniform(tf.random_uniform_initializer):
    """Uniformly between two limits. Source: tf.keras.initializers.RandomUniform."""

    def __init__(self, minval=-0.05, maxval=0.05, seed=None, dtype=tf.float32):
        super().__init__(minval=minval, maxval=maxval, seed=seed, dtype=dtype)


class TruncatedNormal(tf.truncated_normal_initializer):
    """Normally distributed, within two standard deviations.

    Source: tf.keras.initializers.TruncatedNormal.
    """

    def __init__(self, mean=0.0, stddev=0.05, seed=None, dtype=tf.float32):
        super().__init__(mean=mean, stddev=stddev, seed=seed, dtype=dtype)


normal = random_normal = RandomNormal
uniform = random_uniform = RandomUniform
truncated_normal = TruncatedNormal


def lecun_normal(seed=None):
    """Truncated normal numbers of variance 1 / fan in."""
    return VarianceScaling(1.0, "fan_in", "truncated_normal", seed=seed)


def lecun_uniform(seed=None):
    """Uniform numbers of variance 1 / fan in."""
    return VarianceScaling(1.0, "fan_in", "uniform", seed=seed)


def he_normal(seed=None):
    """Truncated normal numbers of variance 2 / fan in."""
    return VarianceScaling(2.0, "fan_in", "truncated_normal", seed=seed)


def he_uniform(seed=None):
    """Uniform numbers of variance 2 / fan in."""
    return VarianceScaling(2.0, "fan_in", "uniform", seed=seed)


def _named():
    aliases = {"GlorotUniform": glorot_uniform, "GlorotNormal": glorot_normal}
    return {**globals(), **aliases, "one": Ones, "zero": Zeros}


serialize = _objects.serialize_keras_object


def deserialize(config, custom_objects=None):
    """An initializer of a configuration."""
    return _objects.deserialize_keras_object(config, _named(), custom_objects, "initializer")


get = _objects.getter("initializer", _named)
