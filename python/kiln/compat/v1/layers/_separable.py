"""Separable convolutions: one of each channel, then one over the channels."""

from kiln._kiln import front as _c
from kiln.compat.v1._deprecations import deprecated
from kiln.compat.v1._initializers import Zeros
from kiln.compat.v1.layers import _arguments, _named
from kiln.compat.v1.layers._native import NativeLayer

__all__ = ["SeparableConv1D", "SeparableConv2D", "separable_conv1d", "separable_conv2d"]

_zeros = Zeros()


class _Separable(NativeLayer):
    _arguments = (
        "filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate", "depth_multiplier",
        "activation", "use_bias", "depthwise_initializer", "pointwise_initializer", "bias_initializer",
        "depthwise_regularizer", "pointwise_regularizer", "bias_regularizer", "activity_regularizer",
        "depthwise_constraint", "pointwise_constraint", "bias_constraint",
    )  # fmt: skip
    depthwise_kernel = pointwise_kernel = bias = None

    def _init(
        self, rank, filters, kernel_size, strides, padding, data_format, dilation_rate, depth_multiplier, activation,
        use_bias, depthwise_initializer, pointwise_initializer, bias_initializer, depthwise_regularizer,
        pointwise_regularizer, bias_regularizer, activity_regularizer, depthwise_constraint, pointwise_constraint,
        bias_constraint, trainable, name, kwargs,
    ):  # fmt: skip
        self.rank = rank
        NativeLayer.__init__(
            self, trainable=trainable, name=name, activity_regularizer=activity_regularizer, **kwargs
        )
        self.filters, self.depth_multiplier = _arguments.extent(filters), depth_multiplier
        self.kernel_size = _arguments.integers(kernel_size, rank, "kernel_size")
        self.strides = _arguments.integers(strides, rank, "strides")
        self.padding = _arguments.padding(padding)
        if self.padding == "causal" and rank > 1:
            raise ValueError("Causal padding is only supported for `Conv1D` and ``SeparableConv1D`.")
        self.data_format = _arguments.data_format(data_format)
        self.dilation_rate = _arguments.integers(dilation_rate, rank, "dilation_rate")
        self.activation, self.use_bias = _named.activation(activation), use_bias
        self.depthwise_initializer = _named.initializer(depthwise_initializer)
        self.pointwise_initializer = _named.initializer(pointwise_initializer)
        self.bias_initializer = _named.initializer(bias_initializer)
        self.depthwise_regularizer = _named.regularizer(depthwise_regularizer)
        self.pointwise_regularizer = _named.regularizer(pointwise_regularizer)
        self.bias_regularizer = _named.regularizer(bias_regularizer)
        self.depthwise_constraint = _named.constraint(depthwise_constraint)
        self.pointwise_constraint = _named.constraint(pointwise_constraint)
        self.bias_constraint = _named.constraint(bias_constraint)

    def _make(self, *options):
        _c.separable_convolution_layer(self, self.rank, *options)


class SeparableConv1D(_Separable):
    """A convolution of each channel, then one over the channels: [batch, width, channels] to [batch, width, filters].

    depth_multiplier: how many channels the first makes of each. Variables: depthwise_kernel,
    pointwise_kernel, bias. Source: tf.layers.SeparableConv1D.
    """

    def __init__(
        self,
        filters,
        kernel_size,
        strides=1,
        padding="valid",
        data_format="channels_last",
        dilation_rate=1,
        depth_multiplier=1,
        activation=None,
        use_bias=True,
        depthwise_initializer=None,
        pointwise_initializer=None,
        bias_initializer=_zeros,
        depthwise_regularizer=None,
        pointwise_regularizer=None,
        bias_regularizer=None,
        activity_regularizer=None,
        depthwise_constraint=None,
        pointwise_constraint=None,
        bias_constraint=None,
        trainable=True,
        name=None,
        **kwargs,
    ):
        self._init(
            1, filters, kernel_size, strides, padding, data_format, dilation_rate, depth_multiplier, activation,
            use_bias, depthwise_initializer, pointwise_initializer, bias_initializer, depthwise_regularizer,
            pointwise_regularizer, bias_regularizer, activity_regularizer, depthwise_constraint, pointwise_constraint,
            bias_constraint, trainable, name, kwargs,
        )  # fmt: skip


def separable_conv1d(
    inputs,
    filters,
    kernel_size,
    strides=1,
    padding="valid",
    data_format="channels_last",
    dilation_rate=1,
    depth_multiplier=1,
    activation=None,
    use_bias=True,
    depthwise_initializer=None,
    pointwise_initializer=None,
    bias_initializer=_zeros,
    depthwise_regularizer=None,
    pointwise_regularizer=None,
    bias_regularizer=None,
    activity_regularizer=None,
    depthwise_constraint=None,
    pointwise_constraint=None,
    bias_constraint=None,
    trainable=True,
    name=None,
    reuse=None,
):
    """What a SeparableConv1D makes of the inputs. Source: tf.layers.separable_conv1d."""
    deprecated("layers.convolutional.separable_conv1d", "Use `tf.keras.layers.SeparableConv1D` instead.")
    layer = SeparableConv1D(
        filters, kernel_size, strides, padding, data_format, dilation_rate, depth_multiplier, activation,
        use_bias, depthwise_initializer, pointwise_initializer, bias_initializer, depthwise_regularizer,
        pointwise_regularizer, bias_regularizer, activity_regularizer, depthwise_constraint, pointwise_constraint,
        bias_constraint, trainable, name, _scope=name, _reuse=reuse,
    )  # fmt: skip
    return layer(inputs)


class SeparableConv2D(_Separable):
    """A convolution of each channel, then one over the channels: [batch, height, width, channels] to [..., filters].

    depth_multiplier: how many channels the first makes of each. Variables: depthwise_kernel,
    pointwise_kernel, bias. Source: tf.layers.SeparableConv2D.
    """

    def __init__(
        self,
        filters,
        kernel_size,
        strides=(1, 1),
        padding="valid",
        data_format="channels_last",
        dilation_rate=(1, 1),
        depth_multiplier=1,
        activation=None,
        use_bias=True,
        depthwise_initializer=None,
        pointwise_initializer=None,
        bias_initializer=_zeros,
        depthwise_regularizer=None,
        pointwise_regularizer=None,
        bias_regularizer=None,
        activity_regularizer=None,
        depthwise_constraint=None,
        pointwise_constraint=None,
        bias_constraint=None,
        trainable=True,
        name=None,
        **kwargs,
    ):
        self._init(
            2, filters, kernel_size, strides, padding, data_format, dilation_rate, depth_multiplier, activation,
            use_bias, depthwise_initializer, pointwise_initializer, bias_initializer, depthwise_regularizer,
            pointwise_regularizer, bias_regularizer, activity_regularizer, depthwise_constraint, pointwise_constraint,
            bias_constraint, trainable, name, kwargs,
        )  # fmt: skip


def separable_conv2d(
    inputs,
    filters,
    kernel_size,
    strides=(1, 1),
    padding="valid",
    data_format="channels_last",
    dilation_rate=(1, 1),
    depth_multiplier=1,
    activation=None,
    use_bias=True,
    depthwise_initializer=None,
    pointwise_initializer=None,
    bias_initializer=_zeros,
    depthwise_regularizer=None,
    pointwise_regularizer=None,
    bias_regularizer=None,
    activity_regularizer=None,
    depthwise_constraint=None,
    pointwise_constraint=None,
    bias_constraint=None,
    trainable=True,
    name=None,
    reuse=None,
):
    """What a SeparableConv2D makes of the inputs. Source: tf.layers.separable_conv2d."""
    deprecated("layers.convolutional.separable_conv2d", "Use `tf.keras.layers.SeparableConv2D` instead.")
    layer = SeparableConv2D(
        filters, kernel_size, strides, padding, data_format, dilation_rate, depth_multiplier, activation,
        use_bias, depthwise_initializer, pointwise_initializer, bias_initializer, depthwise_regularizer,
        pointwise_regularizer, bias_regularizer, activity_regularizer, depthwise_constraint, pointwise_constraint,
        bias_constraint, trainable, name, _scope=name, _reuse=reuse,
    )  # fmt: skip
    return layer(inputs)


# Other names.
SeparableConvolution1D, SeparableConvolution2D = SeparableConv1D, SeparableConv2D
separable_convolution2d = separable_conv2d
