"""Dense layers, activations, dropout, shapes, functions."""

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import activations, backend as K, regularizers
from kiln.compat.v1.keras._engine._input_spec import InputSpec
from kiln.compat.v1.keras._engine._layer import Layer
from kiln.compat.v1.keras.layers._configured import Configured

__all__ = [
    "Activation", "ActivityRegularization", "Dense", "Dropout", "Flatten", "Lambda", "Masking",
    "Permute", "RepeatVector", "Reshape", "SpatialDropout1D", "SpatialDropout2D",
    "SpatialDropout3D",
]  # fmt: skip


class Dense(Configured):
    """activation(inputs * kernel + bias), over the last axis. Source: tf.keras.layers.Dense."""

    ARGUMENTS = (
        "units", "activation", "use_bias", "kernel_initializer", "bias_initializer",
        "kernel_regularizer", "bias_regularizer", "kernel_constraint", "bias_constraint",
    )  # fmt: skip

    def __init__(
        self,
        units,
        activation=None,
        use_bias=True,
        kernel_initializer="glorot_uniform",
        bias_initializer="zeros",
        kernel_regularizer=None,
        bias_regularizer=None,
        activity_regularizer=None,
        kernel_constraint=None,
        bias_constraint=None,
        **kwargs,
    ):
        given = dict(locals(), units=int(units))
        activity_regularizer = regularizers.get(activity_regularizer)
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self._set(given)
        self.supports_masking = True
        self.input_spec = InputSpec(min_ndim=2)

    def build(self, input_shape):
        last = tf.TensorShape(input_shape)[-1].value
        if last is None:
            raise ValueError(
                "The last dimension of the inputs to `Dense` should be defined. Found `None`."
            )
        self.input_spec = InputSpec(min_ndim=2, axes={-1: last})
        self.kernel = self.add_weight(
            "kernel",
            shape=[last, self.units],
            initializer=self.kernel_initializer,
            regularizer=self.kernel_regularizer,
            constraint=self.kernel_constraint,
        )
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                "bias",
                shape=[self.units],
                initializer=self.bias_initializer,
                regularizer=self.bias_regularizer,
                constraint=self.bias_constraint,
            )
        self.built = True

    def call(self, inputs):
        rank = inputs.shape.ndims
        if rank is not None and rank > 2:
            outputs = tf.tensordot(inputs, self.kernel, [[rank - 1], [0]])
            outputs.set_shape([*inputs.shape.as_list()[:-1], self.units])
        else:
            outputs = tf.matmul(tf.cast(inputs, self.dtype), self.kernel)
        if self.use_bias:
            outputs = tf.nn.bias_add(outputs, self.bias)
        return self.activation(outputs) if self.activation is not activations.linear else outputs

    def compute_output_shape(self, input_shape):
        shape = tf.TensorShape(input_shape).with_rank_at_least(2)
        return shape[:-1].concatenate(self.units)


class Activation(Configured):
    """A function of the inputs. Source: tf.keras.layers.Activation."""

    ARGUMENTS = ("activation",)

    def __init__(self, activation, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True
        self._set({"activation": activation})

    def call(self, inputs):
        return self.activation(inputs)

    def compute_output_shape(self, input_shape):
        return input_shape


class ActivityRegularization(Layer):
    """The inputs, with a loss of their sizes and squares."""

    def __init__(self, l1=0.0, l2=0.0, **kwargs):
        super().__init__(activity_regularizer=regularizers.L1L2(l1=l1, l2=l2), **kwargs)
        self.supports_masking, self.l1, self.l2 = True, l1, l2

    def compute_output_shape(self, input_shape):
        return input_shape

    def get_config(self):
        return {**super().get_config(), "l1": self.l1, "l2": self.l2}


class Dropout(Configured):
    """Zeros at random in training; the others grow. Source: tf.keras.layers.Dropout."""

    ARGUMENTS = ("rate", "noise_shape", "seed")

    def __init__(self, rate, noise_shape=None, seed=None, **kwargs):
        super().__init__(**kwargs)
        self._set(locals())
        self.supports_masking = True

    def _get_noise_shape(self, inputs):
        if self.noise_shape is None:
            return None
        shape = tf.shape(inputs)
        return tf.stack(
            [shape[i] if each is None else each for i, each in enumerate(self.noise_shape)]
        )

    def call(self, inputs, training=None):
        if training is None:
            training = K.learning_phase()

        def dropped():
            return tf.nn.dropout(
                inputs, noise_shape=self._get_noise_shape(inputs), seed=self.seed, rate=self.rate
            )

        return smart_cond(training, dropped, lambda: tf.identity(inputs))

    def compute_output_shape(self, input_shape):
        return input_shape


def smart_cond(condition, true_fn, false_fn):
    """One of two functions: at once where the condition is known."""
    if isinstance(condition, tf.Variable):
        condition = condition.read_value()
    if not isinstance(condition, tf.Tensor):
        return true_fn() if condition else false_fn()
    if condition.dtype != tf.bool:
        condition = tf.cast(condition, tf.bool)
    return tf.cond(condition, true_fn, false_fn)


class _SpatialDropout(Dropout):
    """Drops whole channels."""

    def __init__(self, rate, data_format=None, **kwargs):
        super().__init__(rate, **kwargs)
        self.data_format = data_format or K.image_data_format()
        if self.data_format not in ("channels_last", "channels_first"):
            raise ValueError('data_format must be in {"channels_last", "channels_first"}')
        self.input_spec = InputSpec(ndim=self._rank)

    def _get_noise_shape(self, inputs):
        shape, space = tf.shape(inputs), [1] * (self._rank - 2)
        if self.data_format == "channels_first":
            return tf.stack([shape[0], shape[1], *space])
        return tf.stack([shape[0], *space, shape[self._rank - 1]])


class SpatialDropout1D(_SpatialDropout):
    """Drops whole channels of sequences."""

    _rank = 3

    def __init__(self, rate, **kwargs):
        super().__init__(rate, "channels_last", **kwargs)


class SpatialDropout2D(_SpatialDropout):
    """Drops whole channels of images."""

    _rank = 4

    def __init__(self, rate, data_format=None, **kwargs):
        super().__init__(rate, data_format, **kwargs)


class SpatialDropout3D(_SpatialDropout):
    """Drops whole channels of volumes."""

    _rank = 5

    def __init__(self, rate, data_format=None, **kwargs):
        super().__init__(rate, data_format, **kwargs)


class Flatten(Layer):
    """Of each example a vector. Source: tf.keras.layers.Flatten."""

    def __init__(self, data_format=None, **kwargs):
        super().__init__(**kwargs)
        self.data_format = K._config.standardize_data_format(data_format)
        self.input_spec = InputSpec(min_ndim=1)

    def call(self, inputs):
        rank = inputs.shape.ndims
        if self.data_format == "channels_first" and rank is not None and rank > 1:
            inputs = tf.transpose(inputs, perm=[0, *range(2, rank), 1])
        batch = inputs.shape[0].value if rank else None
        outputs = tf.reshape(inputs, (batch or tf.shape(inputs)[0], -1))
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        return outputs

    def compute_output_shape(self, input_shape):
        shape = tf.TensorShape(input_shape).as_list()
        if not shape:
            return tf.TensorShape([1])
        inner = shape[1:]
        return tf.TensorShape(
            [shape[0], None if None in inner else int(np.prod(inner, dtype=np.int64))]
        )

    def get_config(self):
        return {**super().get_config(), "data_format": self.data_format}


class Reshape(Layer):
    """Each example in another shape; one extent may be -1. Source: tf.keras.layers.Reshape."""

    def __init__(self, target_shape, **kwargs):
        super().__init__(**kwargs)
        self.target_shape = tuple(target_shape)

    def compute_output_shape(self, input_shape):
        shape = tf.TensorShape(input_shape).as_list()
        if None in shape[1:]:
            target = [None if each == -1 else each for each in self.target_shape]
            return tf.TensorShape([shape[0], *target])
        elements = int(np.prod(shape[1:], dtype=np.int64))
        target = list(self.target_shape)
        if target.count(-1) == 1:
            known = int(np.prod([each for each in target if each != -1], dtype=np.int64))
            if known == 0 or elements % known != 0:
                raise ValueError("total size of new array must be unchanged")
            target[target.index(-1)] = elements // known
        elif elements != int(np.prod(target, dtype=np.int64)):
            raise ValueError("total size of new array must be unchanged")
        return tf.TensorShape([shape[0], *target])

    def call(self, inputs):
        shape = self.compute_output_shape(inputs.shape)
        outputs = tf.reshape(inputs, (tf.shape(inputs)[0], *self.target_shape))
        outputs.set_shape(shape)
        return outputs

    def get_config(self):
        return {**super().get_config(), "target_shape": self.target_shape}


class Permute(Layer):
    """The axes of each example in another order, counted from 1."""

    def __init__(self, dims, **kwargs):
        super().__init__(**kwargs)
        self.dims = tuple(dims)
        if sorted(dims) != list(range(1, len(dims) + 1)):
            raise ValueError(
                f"Invalid permutation `dims` for Permute Layer: {dims}. The set of indices in "
                "`dims` must be consecutive and start from 1."
            )
        self.input_spec = InputSpec(ndim=len(self.dims) + 1)

    def compute_output_shape(self, input_shape):
        shape = tf.TensorShape(input_shape).as_list()
        return tf.TensorShape([shape[0], *(shape[dim] for dim in self.dims)])

    def call(self, inputs):
        return tf.transpose(inputs, perm=(0, *self.dims))

    def get_config(self):
        return {**super().get_config(), "dims": self.dims}


class RepeatVector(Layer):
    """Each vector n times: `[batch, n, numbers]`."""

    def __init__(self, n, **kwargs):
        super().__init__(**kwargs)
        self.n, self.input_spec = n, InputSpec(ndim=2)

    def compute_output_shape(self, input_shape):
        shape = tf.TensorShape(input_shape).as_list()
        return tf.TensorShape([shape[0], self.n, shape[1]])

    def call(self, inputs):
        return K.repeat(inputs, self.n)

    def get_config(self):
        return {**super().get_config(), "n": self.n}


class Masking(Layer):
    """Masks the steps whose numbers are all mask_value."""

    def __init__(self, mask_value=0.0, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking, self.mask_value = True, mask_value

    def compute_mask(self, inputs, mask=None):
        return K.any(tf.not_equal(inputs, self.mask_value), axis=-1)

    def call(self, inputs):
        there = K.any(tf.not_equal(inputs, self.mask_value), axis=-1, keepdims=True)
        outputs = inputs * tf.cast(there, inputs.dtype)
        outputs._keras_mask = tf.squeeze(there, axis=-1)
        return outputs

    def compute_output_shape(self, input_shape):
        return input_shape

    def get_config(self):
        return {**super().get_config(), "mask_value": self.mask_value}


class Lambda(Layer):
    """A function of the inputs. arguments: more of the function's. Source: tf.keras.layers.Lambda.

    Its configuration has the function's name; from_config() finds it among the custom objects.
    """

    def __init__(self, function, output_shape=None, mask=None, arguments=None, **kwargs):
        super().__init__(**kwargs)
        self.function, self.arguments = function, arguments or {}
        self.supports_masking = mask is not None
        self.mask, self._output_shape = mask, output_shape

    def compute_output_shape(self, input_shape):
        if self._output_shape is None:
            several = isinstance(input_shape, list)
            with tf.Graph().as_default():
                shapes = input_shape if several else [input_shape]
                inputs = [tf.placeholder(self.dtype or K.floatx(), shape) for shape in shapes]
                return self.call(inputs if several else inputs[0]).shape
        if callable(self._output_shape):
            return tf.TensorShape(self._output_shape(input_shape))
        first = input_shape[0] if isinstance(input_shape, list) else input_shape
        return tf.TensorShape([tf.TensorShape(first)[0].value, *self._output_shape])

    def call(self, inputs, mask=None, training=None):
        import inspect

        names, arguments = inspect.signature(self.function).parameters, dict(self.arguments)
        if "mask" in names and mask is not None:
            arguments["mask"] = mask
        if "training" in names:
            arguments["training"] = training
        return self.function(inputs, **arguments)

    def compute_mask(self, inputs, mask=None):
        return self.mask(inputs, mask) if callable(self.mask) else self.mask

    def get_config(self):
        own = {
            "function": getattr(self.function, "__name__", None),
            "function_type": "function",
            "arguments": self.arguments,
            "output_shape": None if callable(self._output_shape) else self._output_shape,
        }
        config = {**super().get_config(), **own}
        # A copy within the process has the function itself.
        config["function"] = self.function
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        config = dict(config)
        config.pop("function_type", None)
        if isinstance(config["function"], str):
            found = (custom_objects or {}).get(config["function"])
            if found is None:
                raise ValueError(
                    f"Unknown function: {config['function']}; give it among custom_objects"
                )
            config["function"] = found
        return cls(**config)
