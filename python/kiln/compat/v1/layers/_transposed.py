"""Transposed convolutions."""

from kiln._kiln import front as _c
from kiln.compat.v1._deprecations import deprecated
from kiln.compat.v1.layers._convolutional import _Convolution, _zeros

__all__ = ["Conv2DTranspose", "Conv3DTranspose", "conv2d_transpose", "conv3d_transpose"]


class _Transposed(_Convolution):
    _arguments = tuple(name for name in _Convolution._arguments if name != "dilation_rate")

    def _make(self, *options):
        _c.transposed_convolution_layer(self, self.rank, *options)


class Conv2DTranspose(_Transposed):
    """What a convolution with these strides would have been of: [batch, height, width, channels] to [..., filters].

    The extents of the axes of space are multiplied by the strides; "valid" adds what the kernel has
    over the stride. Variables: kernel [..., filters, channels], bias. Source: tf.layers.Conv2DTranspose.
    """

    def __init__(
        self,
        filters,
        kernel_size,
        strides=(1, 1),
        padding="valid",
        data_format="channels_last",
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
            2, filters, kernel_size, strides, padding, data_format, 1, activation, use_bias,
            kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
            kernel_constraint, bias_constraint, trainable, name, kwargs,
        )  # fmt: skip


def conv2d_transpose(
    inputs,
    filters,
    kernel_size,
    strides=(1, 1),
    padding="valid",
    data_format="channels_last",
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
    """What a Conv2DTranspose makes of the inputs. Source: tf.layers.conv2d_transpose.

    reuse: takes the variables of the name that are there.
    """
    deprecated("layers.convolutional.conv2d_transpose", "Use `tf.keras.layers.Conv2DTranspose` instead.")
    layer = Conv2DTranspose(
        filters, kernel_size, strides, padding, data_format, activation, use_bias,
        kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
        kernel_constraint, bias_constraint, trainable, name, _scope=name, _reuse=reuse,
    )  # fmt: skip
    return layer(inputs)


class Conv3DTranspose(_Transposed):
    """What a convolution with these strides would have been of.

    [batch, depth, height, width, channels] to [..., filters].

    The extents of the axes of space are multiplied by the strides; "valid" adds what the kernel has
    over the stride. Variables: kernel [..., filters, channels], bias. Source: tf.layers.Conv3DTranspose.
    """

    def __init__(
        self,
        filters,
        kernel_size,
        strides=(1, 1, 1),
        padding="valid",
        data_format="channels_last",
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
            3, filters, kernel_size, strides, padding, data_format, 1, activation, use_bias,
            kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
            kernel_constraint, bias_constraint, trainable, name, kwargs,
        )  # fmt: skip


def conv3d_transpose(
    inputs,
    filters,
    kernel_size,
    strides=(1, 1, 1),
    padding="valid",
    data_format="channels_last",
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
    """What a Conv3DTranspose makes of the inputs. Source: tf.layers.conv3d_transpose.

    reuse: takes the variables of the name that are there.
    """
    deprecated("layers.convolutional.conv3d_transpose", "Use `tf.keras.layers.Conv3DTranspose` instead.")
    layer = Conv3DTranspose(
        filters, kernel_size, strides, padding, data_format, activation, use_bias,
        kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
        kernel_constraint, bias_constraint, trainable, name, _scope=name, _reuse=reuse,
    )  # fmt: skip
    return layer(inputs)


# Other names.
Convolution2DTranspose = Deconvolution2D = Conv2DTranspose
Convolution3DTranspose = Deconvolution3D = Conv3DTranspose
deconvolution2d, deconvolution3d = conv2d_transpose, conv3d_transpose
