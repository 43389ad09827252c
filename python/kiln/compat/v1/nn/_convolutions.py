"""Convolutions, their gradients, and what blocks of images become.

In all of them strides and dilations are one number for each axis, one for each axis of space, or
one for all of these; padding is "SAME", "VALID", or where the op takes it how many zeros are put
before and behind each axis. Errors: ValueError for others.
"""

from kiln._generated import raw_ops as _raw
from kiln._kiln import front as _c
from kiln.compat.v1._array_ops import depth_to_space, space_to_batch, space_to_depth
from kiln.compat.v1._deprecations import renamed

__all__ = [
    "atrous_conv2d", "atrous_conv2d_transpose", "conv1d", "conv1d_transpose", "conv2d", "conv2d_backprop_filter",
    "conv2d_backprop_input", "conv2d_transpose", "conv3d", "conv3d_backprop_filter", "conv3d_backprop_filter_v2",
    "conv3d_transpose", "conv_transpose", "convolution", "depth_to_space", "depthwise_conv2d",
    "depthwise_conv2d_backprop_filter", "depthwise_conv2d_backprop_input", "depthwise_conv2d_native",
    "depthwise_conv2d_native_backprop_filter", "depthwise_conv2d_native_backprop_input", "dilation2d", "erosion2d",
    "separable_conv2d", "space_to_batch", "space_to_depth", "with_space_to_batch",
]  # fmt: skip


def conv2d(
    input, filter=None, strides=None, padding=None, use_cudnn_on_gpu=True, data_format="NHWC",
    dilations=[1, 1, 1, 1], name=None, filters=None,
):  # fmt: skip
    """The product of each window of images with each filter.

    input: [batch, height, width, channels], or [batch, channels, height, width] for "NCHW". filter:
    [height, width, channels, filters]; filters is its newer name. Source: tf.nn.conv2d.
    """
    filter = renamed(None, "filters", filters, "filter", filter)
    return _c.conv2d(input, filter, strides, padding, use_cudnn_on_gpu, data_format, dilations, name)


def conv1d(
    value=None, filters=None, stride=None, padding=None, use_cudnn_on_gpu=None, data_format=None, name=None,
    input=None, dilations=None,
):  # fmt: skip
    """A convolution over sequences: [batch, width, channels], or [batch, channels, width] for "NCW".

    input: the newer name of value. Source: tf.nn.conv1d.
    """
    value = renamed(None, "input", input, "value", value)
    return _c.conv1d(value, filters, stride, padding, use_cudnn_on_gpu, data_format, name, dilations)


def conv3d(
    input, filter=None, strides=None, padding=None, data_format="NDHWC", dilations=[1, 1, 1, 1, 1], name=None,
    filters=None,
):  # fmt: skip
    """A convolution over volumes: [batch, depth, height, width, channels]. Source: tf.nn.conv3d."""
    filter = renamed(None, "filters", filters, "filter", filter)
    return _raw.conv3d(input, filter, strides, padding, data_format, dilations, name)


def convolution(
    input, filter, padding, strides=None, dilation_rate=None, name=None, data_format=None, filters=None,
    dilations=None,
):  # fmt: skip
    """A convolution over one, two or three axes of space.

    dilations, filters: newer names of dilation_rate and filter. Source: tf.nn.convolution.
    """
    filter = renamed(None, "filters", filters, "filter", filter)
    dilation_rate = renamed(None, "dilations", dilations, "dilation_rate", dilation_rate)
    return _c.convolution(input, filter, padding, strides, dilation_rate, name, data_format)


def atrous_conv2d(value, filters, rate, padding, name=None):
    """A convolution with dilations. Source: tf.nn.atrous_conv2d."""
    return _c.atrous_conv2d(value, filters, rate, padding, name)


def depthwise_conv2d(input, filter, strides, padding, rate=None, name=None, data_format=None, dilations=None):
    """A convolution of each channel.

    filter: [height, width, channels, multiplier]. Source: tf.nn.depthwise_conv2d.
    """
    rate = renamed(None, "dilations", dilations, "rate", rate)
    return _c.depthwise_conv2d(input, filter, strides, padding, rate, name, data_format)


def separable_conv2d(
    input, depthwise_filter, pointwise_filter, strides, padding, rate=None, name=None, data_format=None,
    dilations=None,
):  # fmt: skip
    """A convolution of each channel, then one over the channels. Source: tf.nn.separable_conv2d."""
    rate = renamed(None, "dilations", dilations, "rate", rate)
    return _c.separable_conv2d(
        input, depthwise_filter, pointwise_filter, strides, padding, rate, name, data_format
    )


# The gradients of convolutions whose inputs had a given shape.


def conv1d_transpose(
    input, filters, output_shape, strides, padding="SAME", data_format="NWC", dilations=None, name=None
):
    """Source: tf.nn.conv1d_transpose."""
    return _c.conv1d_transpose(input, filters, output_shape, strides, padding, data_format, name, dilations)


def conv2d_transpose(
    value=None, filter=None, output_shape=None, strides=None, padding="SAME", data_format="NHWC", name=None,
    input=None, filters=None, dilations=None,
):  # fmt: skip
    """The gradient of a convolution whose input had this shape.

    filter: [height, width, filters, channels]. input, filters: newer names. Source: tf.nn.conv2d_transpose.
    """
    value = renamed(None, "input", input, "value", value)
    filter = renamed(None, "filters", filters, "filter", filter)
    return _c.conv2d_transpose(value, filter, output_shape, strides, padding, data_format, name, dilations)


def conv3d_transpose(
    value, filter=None, output_shape=None, strides=None, padding="SAME", data_format="NDHWC", name=None, input=None,
    filters=None, dilations=None,
):  # fmt: skip
    """The same over volumes. Source: tf.nn.conv3d_transpose."""
    filter = renamed(None, "filters", filters, "filter", filter)
    value = renamed(None, "input", input, "value", value)
    return _c.conv3d_transpose(value, filter, output_shape, strides, padding, data_format, name, dilations)


def conv_transpose(
    input, filters, output_shape, strides, padding="SAME", data_format=None, dilations=None, name=None
):
    """The one of these that the length of the shape says. Source: tf.nn.conv_transpose."""
    return _c.conv_transpose(input, filters, output_shape, strides, padding, data_format, name, dilations)


def atrous_conv2d_transpose(value, filters, output_shape, rate, padding, name=None):
    """Source: tf.nn.atrous_conv2d_transpose."""
    return _c.atrous_conv2d_transpose(value, filters, output_shape, rate, padding, name)


def _padded(padding):
    """The padding's name, and the numbers of an explicit one."""
    if isinstance(padding, str):
        return padding, []
    return "EXPLICIT", [number for axis in padding for number in axis]


def conv2d_backprop_filter(
    input, filter_sizes, out_backprop, strides, padding, use_cudnn_on_gpu=True, data_format="NHWC",
    dilations=[1, 1, 1, 1], name=None,
):  # fmt: skip
    """The gradient of conv2d() with regard to the filter. Source: tf.nn.conv2d_backprop_filter."""
    kind, numbers = _padded(padding)
    return _raw.conv2d_backprop_filter(
        input, filter_sizes, out_backprop, strides, kind, use_cudnn_on_gpu, numbers, data_format, dilations, name
    )


def conv2d_backprop_input(
    input_sizes, filter=None, out_backprop=None, strides=None, padding=None, use_cudnn_on_gpu=True,
    data_format="NHWC", dilations=[1, 1, 1, 1], name=None, filters=None,
):  # fmt: skip
    """The gradient of conv2d() with regard to the input. Source: tf.nn.conv2d_backprop_input."""
    filter = renamed(None, "filters", filters, "filter", filter)
    kind, numbers = _padded(padding)
    return _raw.conv2d_backprop_input(
        input_sizes, filter, out_backprop, strides, kind, use_cudnn_on_gpu, numbers, data_format, dilations, name
    )


def conv3d_backprop_filter(
    input, filter_sizes, out_backprop, strides, padding, data_format="NDHWC", dilations=[1, 1, 1, 1, 1], name=None
):
    """The gradient of conv3d() with regard to the filter. Source: tf.nn.conv3d_backprop_filter."""
    return _raw.conv3d_backprop_filter_v2(
        input, filter_sizes, out_backprop, strides, padding, data_format, dilations, name
    )


conv3d_backprop_filter_v2 = conv3d_backprop_filter


def depthwise_conv2d_native(
    input, filter, strides, padding, data_format="NHWC", dilations=[1, 1, 1, 1], name=None
):
    """depthwise_conv2d() as one op. Source: tf.nn.depthwise_conv2d_native."""
    kind, numbers = _padded(padding)
    return _raw.depthwise_conv2d_native(input, filter, strides, kind, numbers, data_format, dilations, name)


def depthwise_conv2d_backprop_filter(
    input, filter_sizes, out_backprop, strides, padding, data_format="NHWC", dilations=[1, 1, 1, 1], name=None
):
    """Its gradient with regard to the filter. Source: tf.nn.depthwise_conv2d_backprop_filter."""
    kind, numbers = _padded(padding)
    return _raw.depthwise_conv2d_native_backprop_filter(
        input, filter_sizes, out_backprop, strides, kind, numbers, data_format, dilations, name
    )


def depthwise_conv2d_backprop_input(
    input_sizes, filter, out_backprop, strides, padding, data_format="NHWC", dilations=[1, 1, 1, 1], name=None
):
    """Its gradient with regard to the input. Source: tf.nn.depthwise_conv2d_backprop_input."""
    kind, numbers = _padded(padding)
    return _raw.depthwise_conv2d_native_backprop_input(
        input_sizes, filter, out_backprop, strides, kind, numbers, data_format, dilations, name
    )


depthwise_conv2d_native_backprop_filter = depthwise_conv2d_backprop_filter
depthwise_conv2d_native_backprop_input = depthwise_conv2d_backprop_input


def dilation2d(
    input, filter=None, strides=None, rates=None, padding=None, name=None, filters=None, dilations=None
):
    """The largest sum of each window and the filter. Source: tf.nn.dilation2d."""
    filter = renamed(None, "filters", filters, "filter", filter)
    rates = renamed(None, "dilations", dilations, "rates", rates)
    return _raw.dilation2d(input, filter, strides, rates, padding, name)


def erosion2d(value, kernel, strides, rates, padding, name=None):
    """The least difference of each window and the kernel. Source: tf.nn.erosion2d."""
    return _c.erosion2d(value, kernel, strides, rates, padding, name)


def with_space_to_batch(
    input, dilation_rate, padding, op, filter_shape=None, spatial_dims=None, data_format=None
):
    """What op(tensor, num_spatial_dims, padding) makes of a tensor, dilated. Source: tf.nn.with_space_to_batch."""
    return _c.with_space_to_batch(input, dilation_rate, padding, op, filter_shape, spatial_dims, data_format)


def required_space_to_batch_paddings(input_shape, block_shape, base_paddings=None, name=None):
    """(paddings, crops): what blocks need around a tensor, and what is cut off again.

    base_paddings: what is put around anyway. Source: tf.required_space_to_batch_paddings.
    """
    return _c.required_space_to_batch_paddings(input_shape, block_shape, base_paddings, name)
