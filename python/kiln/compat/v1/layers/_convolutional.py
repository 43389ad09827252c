"""Convolutions over one to three axes of space."""

from kiln._kiln import front as _c
from kiln.compat.v1._deprecations import deprecated
from kiln.compat.v1._initializers import Zeros
from kiln.compat.v1.layers import _arguments, _named
from kiln.compat.v1.layers._native import NativeLayer

__all__ = ["Conv1D", "Conv2D", "Conv3D", "conv1d", "conv2d", "conv3d"]

_zeros = Zeros()


class _Convolution(NativeLayer):
    """What all convolutions have. rank: the number of axes of space."""

    _arguments = (
        "filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate", "activation", "use_bias",
        "kernel_initializer", "bias_initializer", "kernel_regularizer", "bias_regularizer", "activity_regularizer",
        "kernel_constraint", "bias_constraint",
    )  # fmt: skip
    kernel = bias = None

    def _init(
        self, rank, filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias,
        kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
        kernel_constraint, bias_constraint, trainable, name, kwargs,
    ):  # fmt: skip
        self.rank = rank
        NativeLayer.__init__(
            self, trainable=trainable, name=name, activity_regularizer=activity_regularizer, **kwargs
        )
        self.filters = _arguments.extent(filters)
        self.kernel_size = _arguments.integers(kernel_size, rank, "kernel_size")
        self.strides = _arguments.integers(strides, rank, "strides")
        self.padding = _arguments.padding(padding)
        if self.padding == "causal" and rank > 1:
            raise ValueError("Causal padding is only supported for `Conv1D` and ``SeparableConv1D`.")
        self.data_format = _arguments.data_format(data_format)
        self.dilation_rate = _arguments.integers(dilation_rate, rank, "dilation_rate")
        self.activation, self.use_bias = _named.activation(activation), use_bias
        self.kernel_initializer = _named.initializer(kernel_initializer)
        self.bias_initializer = _named.initializer(bias_initializer)
        self.kernel_regularizer = _named.regularizer(kernel_regularizer)
        self.bias_regularizer = _named.regularizer(bias_regularizer)
        self.kernel_constraint = _named.constraint(kernel_constraint)
        self.bias_constraint = _named.constraint(bias_constraint)

    def _make(self, *options):
        _c.convolution_layer(self, self.rank, *options)


class Conv1D(_Convolution):
    """A convolution over sequences: [batch, width, channels] to [batch, width, filters].

    kernel_size, strides, dilation_rate: a number. padding: "valid", "same", or "causal": no
    element of the result depends on later ones. data_format: "channels_last", "channels_first".
    activation: a function; None changes nothing.
    Variables: kernel, bias. Errors: ValueError where the extent of the channels is not known.
    Source: tf.layers.Conv1D.
    """

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
        self._init(
            1, filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias,
            kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
            kernel_constraint, bias_constraint, trainable, name, kwargs,
        )  # fmt: skip


def conv1d(
    inputs,
    filters,
    kernel_size,
    strides=1,
    padding="valid",
    data_format="channels_last",
    dilation_rate=1,
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
    """What a Conv1D makes of the inputs. Source: tf.layers.conv1d.

    reuse: takes the variables of the name that are there.
    """
    deprecated("layers.convolutional.conv1d", "Use `tf.keras.layers.Conv1D` instead.")
    layer = Conv1D(
        filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias,
        kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
        kernel_constraint, bias_constraint, trainable, name, _scope=name, _reuse=reuse,
    )  # fmt: skip
    return layer(inputs)


class Conv2D(_Convolution):
    """A convolution over images: [batch, height, width, channels] to [batch, height, width, filters].

    kernel_size, strides, dilation_rate: a number, or one an axis. padding: "valid", "same".
    data_format: "channels_last", "channels_first". activation: a function; None changes nothing.
    Variables: kernel, bias. Errors: ValueError where the extent of the channels is not known.
    Source: tf.layers.Conv2D.
    """

    def __init__(
        self,
        filters,
        kernel_size,
        strides=(1, 1),
        padding="valid",
        data_format="channels_last",
        dilation_rate=(1, 1),
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
        self._init(
            2, filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias,
            kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
            kernel_constraint, bias_constraint, trainable, name, kwargs,
        )  # fmt: skip


def conv2d(
    inputs,
    filters,
    kernel_size,
    strides=(1, 1),
    padding="valid",
    data_format="channels_last",
    dilation_rate=(1, 1),
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
    """What a Conv2D makes of the inputs. Source: tf.layers.conv2d.

    reuse: takes the variables of the name that are there.
    """
    deprecated("layers.convolutional.conv2d", "Use `tf.keras.layers.Conv2D` instead.")
    layer = Conv2D(
        filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias,
        kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
        kernel_constraint, bias_constraint, trainable, name, _scope=name, _reuse=reuse,
    )  # fmt: skip
    return layer(inputs)


class Conv3D(_Convolution):
    """A convolution over volumes: [batch, depth, height, width, channels] to [..., filters].

    kernel_size, strides, dilation_rate: a number, or one an axis. padding: "valid", "same".
    data_format: "channels_last", "channels_first". activation: a function; None changes nothing.
    Variables: kernel, bias. Errors: ValueError where the extent of the channels is not known.
    Source: tf.layers.Conv3D.
    """

    def __init__(
        self,
        filters,
        kernel_size,
        strides=(1, 1, 1),
        padding="valid",
        data_format="channels_last",
        dilation_rate=(1, 1, 1),
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
        self._init(
            3, filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias,
            kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
            kernel_constraint, bias_constraint, trainable, name, kwargs,
        )  # fmt: skip


def conv3d(
    inputs,
    filters,
    kernel_size,
    strides=(1, 1, 1),
    padding="valid",
    data_format="channels_last",
    dilation_rate=(1, 1, 1),
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
    """What a Conv3D makes of the inputs. Source: tf.layers.conv3d.

    reuse: takes the variables of the name that are there.
    """
    deprecated("layers.convolutional.conv3d", "Use `tf.keras.layers.Conv3D` instead.")
    layer = Conv3D(
        filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias,
        kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
        kernel_constraint, bias_constraint, trainable, name, _scope=name, _reuse=reuse,
    )  # fmt: skip
    return layer(inputs)


# Other names.
Convolution1D, Convolution2D, Convolution3D = Conv1D, Conv2D, Conv3D
convolution1d, convolution2d, convolution3d = conv1d, conv2d, conv3d
