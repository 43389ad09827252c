"""Pooling: the maxima and means of windows.

ksize, strides: one number for each axis, one for each axis of space, or one for all of these.
Errors: ValueError for others.
"""

from kiln._generated import raw_ops as _raw
from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._deprecations import deprecated, renamed

__all__ = [
    "avg_pool", "avg_pool1d", "avg_pool2d", "avg_pool3d", "avg_pool_v2", "fractional_avg_pool",
    "fractional_max_pool", "max_pool", "max_pool1d", "max_pool2d",
    "max_pool3d", "max_pool_v2", "max_pool_with_argmax", "pool",
]  # fmt: skip


def max_pool(value, ksize, strides, padding, data_format="NHWC", name=None, input=None):
    """The maxima of windows of images. input: the newer name of value. Source: tf.nn.max_pool."""
    value = renamed(None, "input", input, "value", value)
    return _c.max_pool(value, ksize, strides, padding, data_format, name)


def avg_pool(value, ksize, strides, padding, data_format="NHWC", name=None, input=None):
    """The means of windows of images. input: the newer name of value. Source: tf.nn.avg_pool."""
    value = renamed(None, "input", input, "value", value)
    return _c.avg_pool(value, ksize, strides, padding, data_format, name)


avg_pool2d = avg_pool


def max_pool1d(input, ksize, strides, padding, data_format="NWC", name=None):
    """The maxima of windows of sequences. Source: tf.nn.max_pool1d."""
    return _c.max_pool1d(input, ksize, strides, padding, data_format, name)


def max_pool2d(input, ksize, strides, padding, data_format="NHWC", name=None):
    """The maxima of windows of images. Source: tf.nn.max_pool2d."""
    return _c.max_pool2d(input, ksize, strides, padding, data_format, name)


def max_pool3d(input, ksize, strides, padding, data_format="NDHWC", name=None):
    """The maxima of windows of volumes. Source: tf.nn.max_pool3d."""
    return _c.max_pool3d(input, ksize, strides, padding, data_format, name)


def max_pool_v2(input, ksize, strides, padding, data_format=None, name=None):
    """The maxima over as many axes of space as there are. Source: tf.nn.max_pool_v2."""
    return _c.max_pool_v2(input, ksize, strides, padding, data_format, name)


def avg_pool1d(input, ksize, strides, padding, data_format="NWC", name=None):
    """The means of windows of sequences. Source: tf.nn.avg_pool1d."""
    return _c.avg_pool1d(input, ksize, strides, padding, data_format, name)


def avg_pool3d(input, ksize, strides, padding, data_format="NDHWC", name=None):
    """The means of windows of volumes. Source: tf.nn.avg_pool3d."""
    return _c.avg_pool3d(input, ksize, strides, padding, data_format, name)


def avg_pool_v2(input, ksize, strides, padding, data_format=None, name=None):
    """The means over as many axes of space as there are. Source: tf.nn.avg_pool_v2."""
    return _c.avg_pool_v2(input, ksize, strides, padding, data_format, name)


def pool(
    input, window_shape, pooling_type, padding, dilation_rate=None, strides=None, name=None, data_format=None,
    dilations=None,
):  # fmt: skip
    """The maxima ("MAX") or means ("AVG") of windows over one to three axes of space. Source: tf.nn.pool."""
    dilation_rate = renamed(None, "dilations", dilations, "dilation_rate", dilation_rate)
    return _c.pool(input, window_shape, pooling_type, padding, dilation_rate, strides, name, data_format)


def max_pool_with_argmax(
    input, ksize, strides, padding, data_format="NHWC", Targmax=None, name=None, output_dtype=None,
    include_batch_in_index=False,
):  # fmt: skip
    """(output, argmax): the maxima, and where they lie. Source: tf.nn.max_pool_with_argmax."""
    if data_format != "NHWC":
        raise ValueError("Data formats other than 'NHWC' are not yet supported")
    targmax = renamed(None, "output_dtype", output_dtype, "Targmax", Targmax)
    return _c.max_pool_with_argmax(
        input, ksize, strides, padding, data_format, targmax or dtypes.int64, name, include_batch_in_index
    )


_FRACTIONAL = "`seed2` and `deterministic` args are deprecated.  Use {}_v2."


def fractional_max_pool(
    value, pooling_ratio, pseudo_random=False, overlapping=False, deterministic=False, seed=0, seed2=0, name=None
):
    """The maxima of windows of images whose sizes are a ratio on the average, in a random order.

    pooling_ratio: four numbers, 1 and at least 1, at least 1 and 1. overlapping: windows have
    the first place of the next ones, too. deterministic: the same order in each run. Returns
    the pool, and where windows begin in rows and columns. Source: tf.nn.fractional_max_pool.
    """
    deprecated("ops.nn_ops.fractional_max_pool", _FRACTIONAL.format("fractional_max_pool"))
    return _raw.fractional_max_pool(
        value, pooling_ratio, pseudo_random, overlapping, deterministic, seed, seed2, name
    )


def fractional_avg_pool(
    value, pooling_ratio, pseudo_random=False, overlapping=False, deterministic=False, seed=0, seed2=0, name=None
):
    """The means of such windows, as fractional_max_pool(). Source: tf.nn.fractional_avg_pool."""
    deprecated("ops.nn_ops.fractional_avg_pool", _FRACTIONAL.format("fractional_avg_pool"))
    return _raw.fractional_avg_pool(
        value, pooling_ratio, pseudo_random, overlapping, deterministic, seed, seed2, name
    )
