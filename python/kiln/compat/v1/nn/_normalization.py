"""Moments, and what normalizes by them."""

from kiln._generated import raw_ops as _ops
from kiln._kiln import front as _c
from kiln.compat.v1._deprecations import renamed
from kiln.compat.v1._linalg_ops import l2_normalize

__all__ = [
    "batch_norm_with_global_normalization", "batch_normalization", "fused_batch_norm", "l2_normalize",
    "local_response_normalization", "lrn", "moments", "normalize_moments", "sufficient_statistics",
    "weighted_moments",
]  # fmt: skip


def lrn(input, depth_radius=5, bias=1, alpha=1, beta=0.5, name=None):
    """Each element by the squares of its neighbours along the last axis. Source: tf.nn.lrn.

    It is divided by (bias + alpha * the sum of those up to depth_radius away) ** beta.
    """
    return _ops.lrn(input, depth_radius, bias, alpha, beta, name)


local_response_normalization = lrn

_KEEP_DIMS = "keep_dims is deprecated, use keepdims instead"


def moments(x, axes, shift=None, name=None, keep_dims=None, keepdims=None):
    """(mean, variance) over the axes. shift: not looked at. keep_dims: the older name of keepdims.

    Source: tf.nn.moments.
    """
    keepdims = renamed(None, "keepdims", keepdims, "keep_dims", keep_dims)
    return _c.moments(x, axes, bool(keepdims), name)


def weighted_moments(x, axes, frequency_weights, name=None, keep_dims=None, keepdims=None):
    """(mean, variance) over the axes, of elements that count several times. Source: tf.nn.weighted_moments."""
    keepdims = renamed("ops.nn_impl.weighted_moments", "keepdims", keepdims, "keep_dims", keep_dims, _KEEP_DIMS)
    return _c.weighted_moments(x, axes, frequency_weights, name, bool(keepdims))


def sufficient_statistics(x, axes, shift=None, keep_dims=None, name=None, keepdims=None):
    """(count, sum, sum of squares, shift) over the axes: what moments are made of.

    shift: what is taken from the elements first. Source: tf.nn.sufficient_statistics.
    """
    keepdims = renamed(None, "keepdims", keepdims, "keep_dims", keep_dims)
    return _c.sufficient_statistics(x, axes, shift, bool(keepdims), name)


def normalize_moments(counts, mean_ss, variance_ss, shift, name=None):
    """(mean, variance) from sufficient statistics. Source: tf.nn.normalize_moments."""
    return _c.normalize_moments(counts, mean_ss, variance_ss, shift, name)


def batch_normalization(x, mean, variance, offset, scale, variance_epsilon, name=None):
    """(x - mean) / sqrt(variance + variance_epsilon) * scale + offset; offset and scale may be None.

    Source: tf.nn.batch_normalization.
    """
    return _c.batch_normalization(x, mean, variance, offset, scale, variance_epsilon, name)


def batch_norm_with_global_normalization(
    t=None, m=None, v=None, beta=None, gamma=None, variance_epsilon=None, scale_after_normalization=None, name=None,
    input=None, mean=None, variance=None,
):  # fmt: skip
    """The older form of batch_normalization(). Source: tf.nn.batch_norm_with_global_normalization."""
    t = renamed(None, "input", input, "t", t)
    m = renamed(None, "mean", mean, "m", m)
    v = renamed(None, "variance", variance, "v", v)
    return _c.batch_norm_with_global_normalization(
        t, m, v, beta, gamma, variance_epsilon, scale_after_normalization, name
    )


def fused_batch_norm(
    x, scale, offset, mean=None, variance=None, epsilon=0.001, data_format="NHWC", is_training=True, name=None,
    exponential_avg_factor=1.0,
):  # fmt: skip
    """(y, mean, variance): the normalization of images by the batch's moments, or by those that are given.

    exponential_avg_factor: how much the batch's moments count in the results, beside the given ones. Errors:
    ValueError without moments where is_training is False or the factor is not 1. Source: tf.nn.fused_batch_norm.
    """
    return _c.fused_batch_norm(
        x, scale, offset, mean, variance, epsilon, data_format, is_training, name, exponential_avg_factor
    )
