"""Convolutions of each channel on its own, and those whose kernel differs from place to place."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras.layers._configured import as_tuple
from kiln.compat.v1.keras.layers._convolutional import Convolution, output_length

__all__ = [
    "DepthwiseConv2D", "LocallyConnected1D", "LocallyConnected2D", "SeparableConv1D",
    "SeparableConv2D", "SeparableConvolution1D", "SeparableConvolution2D",
]  # fmt: skip


class _Separable(Convolution):
    ARGUMENTS = (
        "filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate",
        "depth_multiplier", "activation", "use_bias", "depthwise_initializer",
        "pointwise_initializer", "bias_initializer", "depthwise_regularizer",
        "pointwise_regularizer", "bias_regularizer", "depthwise_constraint",
        "pointwise_constraint", "bias_constraint",
    )  # fmt: skip

    def build(self, input_shape):
        channels = self._channels(input_shape)
        shape = (*self.kernel_size, channels, self.depth_multiplier)
        self.depthwise_kernel = self._add("depthwise_kernel", shape, "depthwise")
        shape = (*(1,) * self.rank, channels * self.depth_multiplier, self.filters)
        self.pointwise_kernel = self._add("pointwise_kernel", shape, "pointwise")
        self._add_bias(self.filters)
        self.built = True

    def call(self, inputs):
        first, depthwise, pointwise = (
            self._channels_first, self.depthwise_kernel, self.pointwise_kernel,
        )  # fmt: skip
        strides, rate, padding = self.strides, self.dilation_rate, self.padding
        axis = 2 if first else 1
        if self.rank == 1:
            if padding == "causal":
                inputs, padding = self._padded(inputs), "valid"
            # As images of height 1.
            inputs = tf.expand_dims(inputs, axis)
            depthwise, pointwise = (tf.expand_dims(each, 0) for each in (depthwise, pointwise))
            strides, rate = strides * 2, (1, *rate)
        outputs = tf.nn.separable_conv2d(
            inputs,
            depthwise,
            pointwise,
            strides=(1, 1, *strides) if first else (1, *strides, 1),
            padding=padding.upper(),
            rate=rate,
            data_format="NCHW" if first else "NHWC",
        )
        if self.rank == 1:
            outputs = tf.squeeze(outputs, [axis])
        return self._finished(outputs)


class SeparableConv1D(_Separable):
    """Each channel on its own, then all together. Source: tf.keras.layers.SeparableConv1D."""

    rank = 1

    def __init__(
        self,
        filters,
        kernel_size,
        strides=1,
        padding="valid",
        data_format=None,
        dilation_rate=1,
        depth_multiplier=1,
        activation=None,
        use_bias=True,
        depthwise_initializer="glorot_uniform",
        pointwise_initializer="glorot_uniform",
        bias_initializer="zeros",
        depthwise_regularizer=None,
        pointwise_regularizer=None,
        bias_regularizer=None,
        activity_regularizer=None,
        depthwise_constraint=None,
        pointwise_constraint=None,
        bias_constraint=None,
        **kwargs,
    ):
        super().__init__(dict(locals()), kwargs)


class SeparableConv2D(_Separable):
    """Each channel on its own, then all together. Source: tf.keras.layers.SeparableConv2D."""

    def __init__(
        self,
        filters,
        kernel_size,
        strides=(1, 1),
        padding="valid",
        data_format=None,
        dilation_rate=(1, 1),
        depth_multiplier=1,
        activation=None,
        use_bias=True,
        depthwise_initializer="glorot_uniform",
        pointwise_initializer="glorot_uniform",
        bias_initializer="zeros",
        depthwise_regularizer=None,
        pointwise_regularizer=None,
        bias_regularizer=None,
        activity_regularizer=None,
        depthwise_constraint=None,
        pointwise_constraint=None,
        bias_constraint=None,
        **kwargs,
    ):
        super().__init__(dict(locals()), kwargs)


class DepthwiseConv2D(Convolution):
    """Each channel on its own. Source: tf.keras.layers.DepthwiseConv2D."""

    ARGUMENTS = (
        "kernel_size", "strides", "padding", "depth_multiplier", "data_format", "dilation_rate",
        "activation", "use_bias", "depthwise_initializer", "bias_initializer",
        "depthwise_regularizer", "bias_regularizer", "depthwise_constraint", "bias_constraint",
    )  # fmt: skip

    def __init__(
        self,
        kernel_size,
        strides=(1, 1),
        padding="valid",
        depth_multiplier=1,
        data_format=None,
        activation=None,
        use_bias=True,
        depthwise_initializer="glorot_uniform",
        bias_initializer="zeros",
        depthwise_regularizer=None,
        bias_regularizer=None,
        activity_regularizer=None,
        depthwise_constraint=None,
        bias_constraint=None,
        **kwargs,
    ):
        given = dict(locals(), dilation_rate=kwargs.pop("dilation_rate", (1, 1)))
        super().__init__(given, kwargs)

    def build(self, input_shape):
        channels = self._channels(input_shape)
        shape = (*self.kernel_size, channels, self.depth_multiplier)
        self.depthwise_kernel = self._add("depthwise_kernel", shape, "depthwise")
        self.filters = channels * self.depth_multiplier
        self._add_bias(self.filters)
        self.built = True

    def call(self, inputs):
        return self._finished(
            K.depthwise_conv2d(
                inputs,
                self.depthwise_kernel,
                strides=self.strides,
                padding=self.padding,
                dilation_rate=self.dilation_rate,
                data_format=self.data_format,
            )
        )

    def compute_output_shape(self, input_shape):
        axis = 1 if self._channels_first else -1
        self.filters = tf.TensorShape(input_shape)[axis].value * self.depth_multiplier
        return super().compute_output_shape(input_shape)


class _LocallyConnected(Convolution):
    """A kernel for each place."""

    ARGUMENTS = (
        "filters", "kernel_size", "strides", "padding", "data_format", "activation", "use_bias",
        "kernel_initializer", "bias_initializer", "kernel_regularizer", "bias_regularizer",
        "kernel_constraint", "bias_constraint", "implementation",
    )  # fmt: skip

    def __init__(self, given, kwargs):
        if given["padding"].lower() != "valid" and given["implementation"] == 1:
            raise ValueError(
                'Invalid border mode for LocallyConnected (only "valid" is supported if '
                f"implementation is 1): {given['padding']}"
            )
        if given["padding"].lower() != "valid":
            raise ValueError('LocallyConnected layers have padding "valid" only')
        one = (1,) * self.rank
        super().__init__({**given, "dilation_rate": one}, kwargs)
        self.dilation_rate = as_tuple(1, self.rank, "dilation_rate")

    def build(self, input_shape):
        shape = tf.TensorShape(input_shape).as_list()
        channels = self._channels(input_shape)
        space = shape[2:] if self._channels_first else shape[1:-1]
        if None in space:
            raise ValueError(
                "The spatial dimensions of the inputs to a LocallyConnected layer should be fully "
                f"defined, but layer received the inputs shape {shape}"
            )
        self._places = [
            output_length(length, size, "valid", stride)
            for length, size, stride in zip(space, self.kernel_size, self.strides)
        ]
        count, width = 1, channels
        for place, size in zip(self._places, self.kernel_size):
            count, width = count * place, width * size
        self.kernel = self._add("kernel", (count, width, self.filters))
        self.bias = None
        if self.use_bias:
            self.bias = self._add("bias", (*self._places, self.filters))
        self.built = True

    def call(self, inputs):
        outputs = K._nn._local_conv(
            inputs, self.kernel, self.kernel_size, self.strides, self._places, self.data_format
        )
        if self.use_bias:
            outputs = K.bias_add(outputs, self.bias, data_format=self.data_format)
        return self.activation(outputs)


class LocallyConnected1D(_LocallyConnected):
    """A convolution over steps whose kernel differs from step to step."""

    rank = 1

    def __init__(
        self,
        filters,
        kernel_size,
        strides=1,
        padding="valid",
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
        implementation=1,
        **kwargs,
    ):
        super().__init__(dict(locals()), kwargs)


class LocallyConnected2D(_LocallyConnected):
    """A convolution over images whose kernel differs from place to place."""

    def __init__(
        self,
        filters,
        kernel_size,
        strides=(1, 1),
        padding="valid",
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
        implementation=1,
        **kwargs,
    ):
        super().__init__(dict(locals()), kwargs)


SeparableConvolution1D, SeparableConvolution2D = SeparableConv1D, SeparableConv2D
