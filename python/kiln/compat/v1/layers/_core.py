"""Dense layers, dropout and flattening."""

import numpy as np

from kiln._generated import raw_ops as _ops
from kiln._kiln import front as _c
from kiln.compat.v1._deprecations import deprecated
from kiln.compat.v1._initializers import Zeros
from kiln.compat.v1._sparse import SparseTensor
from kiln.compat.v1.layers import _arguments, _named
from kiln.compat.v1.layers._native import NativeLayer
from kiln.compat.v1.shapes import TensorShape

__all__ = ["Dense", "Dropout", "Flatten", "dense", "dropout", "flatten"]

_zeros = Zeros()


class Dense(NativeLayer):
    """activation(inputs * kernel + bias), over the last axis: [..., n] to [..., units].

    units: how many columns the result has. activation: a function; None changes nothing.
    kernel_initializer: the variable scope's, or Glorot's uniform one, where it is None. Variables:
    kernel [n, units], bias [units]. Errors: ValueError where the last extent of the inputs is not
    known. Source: tf.layers.Dense.
    """

    _arguments = (
        "units", "activation", "use_bias", "kernel_initializer", "bias_initializer", "kernel_regularizer",
        "bias_regularizer", "activity_regularizer", "kernel_constraint", "bias_constraint",
    )  # fmt: skip
    kernel = bias = None

    def __init__(
        self,
        units,
        activation=None,
        use_bias=True,
        kernel_initializer=None,
        bias_initializer=_zeros,
        kernel_regularizer=None,
        bias_regularizer=None,
        activity_regularizer=None,
        kernel_constraint=None,
        bias_constraint=None,
        trainable=True,
        name=None,
        **kwargs,
    ):
        super().__init__(trainable=trainable, name=name, activity_regularizer=activity_regularizer, **kwargs)
        self.units, self.activation, self.use_bias = _arguments.extent(units), _named.activation(activation), use_bias
        self.kernel_initializer = _named.initializer(kernel_initializer)
        self.bias_initializer = _named.initializer(bias_initializer)
        self.kernel_regularizer = _named.regularizer(kernel_regularizer)
        self.bias_regularizer = _named.regularizer(bias_regularizer)
        self.kernel_constraint = _named.constraint(kernel_constraint)
        self.bias_constraint = _named.constraint(bias_constraint)

    def _make(self, *options):
        _c.dense_layer(self, *options)

    def call(self, inputs):
        if not isinstance(inputs, SparseTensor):
            return _c.layer_own_call(self, inputs)
        result = _ops.sparse_tensor_dense_mat_mul(inputs.indices, inputs.values, inputs.dense_shape, self.kernel)
        if self.use_bias:
            result = _c.bias_add(result, self.bias)
        return result if self.activation is None else self.activation(result)


def dense(
    inputs,
    units,
    activation=None,
    use_bias=True,
    kernel_initializer=None,
    bias_initializer=_zeros,
    kernel_regularizer=None,
    bias_regularizer=None,
    activity_regularizer=None,
    kernel_constraint=None,
    bias_constraint=None,
    trainable=True,
    name=None,
    reuse=None,
):
    """What a Dense makes of the inputs. Source: tf.layers.dense.

    reuse: takes the variables of the name that are there.
    """
    deprecated("layers.core.dense", "Use keras.layers.Dense instead.")
    layer = Dense(
        units, activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
        activity_regularizer, kernel_constraint, bias_constraint, trainable, name, _scope=name, _reuse=reuse,
    )  # fmt: skip
    return layer(inputs)


def _is_extent(value):
    return value is None or isinstance(value, (int, np.integer))


class Dropout(NativeLayer):
    """In training, elements become 0 with the probability rate and the others are scaled.

    noise_shape: of what is drawn: extents of 1 drop whole rows. Source: tf.layers.Dropout.
    """

    _arguments = ("rate", "noise_shape", "seed")

    def __init__(self, rate=0.5, noise_shape=None, seed=None, name=None, **kwargs):
        super().__init__(name=name, **kwargs)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed

    def _make(self, *options):
        _c.dropout_layer(self, *options)

    @property
    def _noise(self):
        """noise_shape for C++; extents that are None are those of the inputs."""
        shape = self.noise_shape
        return TensorShape(shape) if isinstance(shape, (list, tuple)) and all(map(_is_extent, shape)) else shape

    def call(self, inputs, training=False):
        return _c.layer_own_call(self, inputs, training)


def dropout(inputs, rate=0.5, noise_shape=None, seed=None, training=False, name=None):
    """What a Dropout makes of the inputs. training: a bool, or a tensor of one. Source: tf.layers.dropout."""
    deprecated("layers.core.dropout", "Use keras.layers.dropout instead.")
    return Dropout(rate, noise_shape, seed, name)(inputs, training=training)


class Flatten(NativeLayer):
    """All axes but the first as one. Source: tf.layers.Flatten."""

    _arguments = ("data_format",)

    def __init__(self, data_format=None, **kwargs):
        super().__init__(**kwargs)
        self.data_format = _arguments.data_format(data_format)

    def _make(self, *options):
        _c.flatten_layer(self, *options)


def flatten(inputs, name=None, data_format="channels_last"):
    """What a Flatten makes of the inputs. Source: tf.layers.flatten."""
    deprecated("layers.core.flatten", "Use keras.layers.flatten instead.")
    return Flatten(data_format, name=name)(inputs)
