"""Convolutions."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K, regularizers
from kiln.compat.v1.keras._engine._input_spec import InputSpec
from kiln.compat.v1.keras.layers._configured import Configured, as_tuple

__all__ = [
    "Conv1D", "Conv2D", "Conv2DTranspose", "Conv3D", "Conv3DTranspose", "Convolution1D",
    "Convolution2D", "Convolution2DTranspose", "Convolution3D", "Convolution3DTranspose",
]  # fmt: skip


def output_length(length, size, padding, stride, dilation=1):
    """How long the result of a convolution or a pooling is."""
    if length is None:
        return None
    reach = (size - 1) * dilation + 1
    if padding == "valid":
        length = length - reach + 1
    elif padding == "full":
        length = length + reach - 1
    return (length + stride - 1) // stride


class Convolution(Configured):
    """A convolution over rank axes."""

    ARGUMENTS = (
        "filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate",
        "activation", "use_bias", "kernel_initializer", "bias_initializer", "kernel_regularizer",
        "bias_regularizer", "kernel_constraint", "bias_constraint",
    )  # fmt: skip
    rank = 2

    def __init__(self, given, kwargs):
        super().__init__(
            activity_regularizer=regularizers.get(given["activity_regularizer"]), **kwargs
        )
        rank, padding = self.rank, given["padding"].lower()
        allowed = {"valid", "same", "causal"} if rank == 1 else {"valid", "same"}
        if padding not in allowed:
            raise ValueError(
                'The `padding` argument must be a list/tuple or one of "valid", "same"'
                f"{' (or causal, only for `Conv1D`)' if rank == 1 else ''}. Received: {padding}"
            )
        self._set(
            {
                **given,
                "kernel_size": as_tuple(given["kernel_size"], rank, "kernel_size"),
                "strides": as_tuple(given["strides"], rank, "strides"),
                "dilation_rate": as_tuple(given["dilation_rate"], rank, "dilation_rate"),
                "padding": padding,
                "data_format": K._config.standardize_data_format(given["data_format"]),
            }
        )
        self.input_spec = InputSpec(ndim=rank + 2)

    @property
    def _channels_first(self):
        return self.data_format == "channels_first"

    def _channels(self, input_shape):
        axis = 1 if self._channels_first else -1
        channels = tf.TensorShape(input_shape)[axis].value
        if channels is None:
            raise ValueError("The channel dimension of the inputs should be defined. Found `None`.")
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={axis: channels})
        return channels

    def _add(self, name, shape, kind=None):
        kind = kind or name
        return self.add_weight(
            name=name,
            shape=shape,
            initializer=getattr(self, f"{kind}_initializer"),
            regularizer=getattr(self, f"{kind}_regularizer"),
            constraint=getattr(self, f"{kind}_constraint"),
        )

    def _add_bias(self, width):
        self.bias = self._add("bias", (width,)) if self.use_bias else None

    def build(self, input_shape):
        channels = self._channels(input_shape)
        self.kernel = self._add("kernel", (*self.kernel_size, channels, self.filters))
        self._add_bias(self.filters)
        self.built = True

    def call(self, inputs):
        padding = self.padding
        if padding == "causal":
            inputs, padding = self._padded(inputs), "valid"
        return self._finished(self._convolved(inputs, padding.upper()))

    def _convolved(self, inputs, padding):
        data_format = K._nn._formats(self.data_format, self.rank)
        if max(self.dilation_rate) > 1:
            return tf.nn.convolution(
                inputs, self.kernel, padding=padding, strides=self.strides,
                dilation_rate=self.dilation_rate, data_format=data_format,
            )  # fmt: skip
        if self.rank == 1:
            return tf.nn.conv1d(
                inputs, self.kernel, self.strides[0], padding, data_format=data_format
            )
        steps = [1, 1, *self.strides] if self._channels_first else [1, *self.strides, 1]
        function = tf.nn.conv2d if self.rank == 2 else tf.nn.conv3d
        return function(inputs, self.kernel, steps, padding, data_format=data_format)

    def _padded(self, inputs):
        left = self.dilation_rate[0] * (self.kernel_size[0] - 1)
        if self._channels_first:
            return tf.pad(inputs, [[0, 0], [0, 0], [left, 0]])
        return tf.pad(inputs, [[0, 0], [left, 0], [0, 0]])

    def _finished(self, outputs):
        if self.use_bias:
            outputs = self._biased(outputs)
        return self.activation(outputs) if self.activation is not None else outputs

    def _biased(self, outputs):
        if not self._channels_first:
            return tf.nn.bias_add(outputs, self.bias, data_format="NHWC")
        if self.rank == 1:
            return outputs + tf.reshape(self.bias, (1, -1, 1))
        return tf.nn.bias_add(outputs, self.bias, data_format="NCHW")

    def _space(self, shape):
        padding = "same" if self.padding == "causal" else self.padding
        return [
            output_length(length, *each)
            for length, *each in zip(
                shape, self.kernel_size, [padding] * self.rank, self.strides, self.dilation_rate
            )
        ]

    def compute_output_shape(self, input_shape):
        shape = tf.TensorShape(input_shape).as_list()
        if self._channels_first:
            return tf.TensorShape([shape[0], self.filters, *self._space(shape[2:])])
        return tf.TensorShape([shape[0], *self._space(shape[1:-1]), self.filters])


class Conv1D(Convolution):
    """A convolution over steps; padding may be "causal". Source: tf.keras.layers.Conv1D."""

    rank = 1

    def __init__(
        self,
        filters,
        kernel_size,
        strides=1,
        padding="valid",
        data_format="channels_last",
        dilation_rate=1,
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
        super().__init__(dict(locals()), kwargs)


class Conv2D(Convolution):
    """A convolution over images. Source: tf.keras.layers.Conv2D."""

    def __init__(
        self,
        filters,
        kernel_size,
        strides=(1, 1),
        padding="valid",
        data_format=None,
        dilation_rate=(1, 1),
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
        super().__init__(dict(locals()), kwargs)


class Conv3D(Convolution):
    """A convolution over volumes. Source: tf.keras.layers.Conv3D."""

    rank = 3

    def __init__(
        self,
        filters,
        kernel_size,
        strides=(1, 1, 1),
        padding="valid",
        data_format=None,
        dilation_rate=(1, 1, 1),
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
        super().__init__(dict(locals()), kwargs)


class _Transposed(Convolution):
    """The gradient of a convolution, as a layer."""

    ARGUMENTS = (*Convolution.ARGUMENTS, "output_padding")

    def __init__(self, given, kwargs):
        padding = given["output_padding"]
        if padding is not None:
            padding = as_tuple(padding, self.rank, "output_padding")
        super().__init__({**given, "output_padding": padding}, kwargs)
        for stride, extra in zip(self.strides, padding or ()):
            if extra >= stride:
                raise ValueError(
                    f"Stride {self.strides} must be greater than output padding {padding}"
                )

    def build(self, input_shape):
        channels = self._channels(input_shape)
        self.kernel = self._add("kernel", (*self.kernel_size, self.filters, channels))
        self._add_bias(self.filters)
        self.built = True

    def _lengths(self, shape):
        extras = self.output_padding or [None] * self.rank
        found = []
        for length, size, stride, dilation, extra in zip(
            shape, self.kernel_size, self.strides, self.dilation_rate, extras
        ):
            if length is None:
                found.append(None)
                continue
            reach = (size - 1) * dilation + 1
            if extra is None:
                grown = max(reach - stride, 0) if self.padding == "valid" else 0
                found.append(length * stride + grown)
            else:
                margin = reach // 2 if self.padding == "same" else 0
                found.append((length - 1) * stride + reach - 2 * margin + extra)
        return found

    def call(self, inputs):
        shape, first = tf.shape(inputs), self._channels_first
        axes = range(2, 2 + self.rank) if first else range(1, 1 + self.rank)
        static = inputs.shape.as_list()
        space = self._lengths([static[i] if static[i] is not None else shape[i] for i in axes])
        size = [shape[0], self.filters, *space] if first else [shape[0], *space, self.filters]
        steps = [1, 1, *self.strides] if first else [1, *self.strides, 1]
        if self.rank == 2 and self.dilation_rate != (1, 1):
            outputs = K.conv2d_transpose(
                inputs, self.kernel, tf.stack(size), self.strides, self.padding,
                self.data_format, self.dilation_rate,
            )  # fmt: skip
        else:
            function = tf.nn.conv2d_transpose if self.rank == 2 else tf.nn.conv3d_transpose
            outputs = function(
                inputs, self.kernel, tf.stack(size), steps, padding=self.padding.upper(),
                data_format=K._nn._formats(self.data_format, self.rank),
            )  # fmt: skip
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        return self._finished(outputs)

    def _space(self, shape):
        return self._lengths(shape)


class Conv2DTranspose(_Transposed):
    """A transposed convolution over images. Source: tf.keras.layers.Conv2DTranspose."""

    def __init__(
        self,
        filters,
        kernel_size,
        strides=(1, 1),
        padding="valid",
        output_padding=None,
        data_format=None,
        dilation_rate=(1, 1),
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
        super().__init__(dict(locals()), kwargs)


class Conv3DTranspose(_Transposed):
    """A transposed convolution over volumes. Source: tf.keras.layers.Conv3DTranspose."""

    rank = 3

    def __init__(
        self,
        filters,
        kernel_size,
        strides=(1, 1, 1),
        padding="valid",
        output_padding=None,
        data_format=None,
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
        super().__init__(dict(locals(), dilation_rate=(1, 1, 1)), kwargs)

    def get_config(self):
        config = super().get_config()
        del config["dilation_rate"]
        return config


Convolution1D, Convolution2D, Convolution3D = Conv1D, Conv2D, Conv3D
Convolution2DTranspose, Convolution3DTranspose = Conv2DTranspose, Conv3DTranspose
