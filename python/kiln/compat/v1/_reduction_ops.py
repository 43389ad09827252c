"""Reductions along axes, and over segments: tf.reduce_sum, tf.argmax, tf.segment_sum."""

from kiln._generated import raw_ops as _raw
from kiln._generated.raw_ops import (
    segment_max, segment_mean, segment_min, segment_prod, segment_sum, unsorted_segment_max,
    unsorted_segment_min, unsorted_segment_prod, unsorted_segment_sum,
)  # fmt: skip
from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._deprecations import deprecated, renamed

__all__ = [
    "arg_max", "arg_min", "argmax", "argmin", "bincount", "confusion_matrix", "count_nonzero",
    "histogram_fixed_width", "histogram_fixed_width_bins", "lbeta", "reduce_all", "reduce_any",
    "reduce_logsumexp", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod", "reduce_sum",
    "segment_max", "segment_mean", "segment_min", "segment_prod", "segment_sum",
    "sparse_segment_mean", "sparse_segment_sqrt_n", "sparse_segment_sum", "unsorted_segment_max",
    "unsorted_segment_mean", "unsorted_segment_min", "unsorted_segment_prod",
    "unsorted_segment_sqrt_n", "unsorted_segment_sum",
]  # fmt: skip


def _reduced(reduction, x, axis, keepdims, name, reduction_indices, keep_dims):
    """A reduction with its arguments' older names."""
    if reduction_indices is not None:
        axis = renamed(None, "axis", axis, "reduction_indices", reduction_indices)
    if keep_dims is not None:
        keepdims = renamed(
            f"ops.math_ops.{reduction.__name__}_v1", "keepdims", keepdims, "keep_dims", keep_dims,
            "keep_dims is deprecated, use keepdims instead",
        )  # fmt: skip
    return reduction(x, axis, keepdims, name)


def reduce_sum(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None):
    """The sum along an axis, a list of them, or all.

    keepdims: the axes stay, with extent 1. reduction_indices, keep_dims: older names
    of the two, in all reductions. Source: tf.reduce_sum.
    """
    return _reduced(_c.reduce_sum, input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


def reduce_mean(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None):
    """The mean along axes; of integers rounded towards zero. Source: tf.reduce_mean."""
    return _reduced(_c.reduce_mean, input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


def reduce_prod(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None):
    """The product along axes. Source: tf.reduce_prod."""
    return _reduced(_c.reduce_prod, input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


def reduce_max(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None):
    """The largest element along axes. Source: tf.reduce_max."""
    return _reduced(_c.reduce_max, input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


def reduce_min(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None):
    """The smallest element along axes. Source: tf.reduce_min."""
    return _reduced(_c.reduce_min, input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


def reduce_all(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None):
    """Whether all elements hold along axes. Source: tf.reduce_all."""
    return _reduced(_c.reduce_all, input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


def reduce_any(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None):
    """Whether any element holds along axes. Source: tf.reduce_any."""
    return _reduced(_c.reduce_any, input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


def reduce_logsumexp(
    input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None
):
    """log(sum(exp(x))) along axes, without overflow. Source: tf.reduce_logsumexp."""
    return _reduced(_c.reduce_logsumexp, input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


def reduce_euclidean_norm(input_tensor, axis=None, keepdims=False, name=None):
    """The root of the sum of the squares along axes. Source: tf.math.reduce_euclidean_norm."""
    return _c.reduce_euclidean_norm(input_tensor, axis, keepdims, name)


def reduce_variance(input_tensor, axis=None, keepdims=False, name=None):
    """The mean of the squared distances from the mean. Source: tf.math.reduce_variance."""
    return _c.reduce_variance(input_tensor, axis, keepdims, name)


def reduce_std(input_tensor, axis=None, keepdims=False, name=None):
    """The root of the variance. Source: tf.math.reduce_std."""
    return _c.reduce_std(input_tensor, axis, keepdims, name)


def count_nonzero(
    input_tensor=None,
    axis=None,
    keepdims=None,
    dtype=dtypes.int64,
    name=None,
    reduction_indices=None,
    keep_dims=None,
    input=None,
):
    """How many elements are not 0 along axes; of strings, not empty. Source: tf.count_nonzero."""
    function = "ops.math_ops.count_nonzero"
    keepdims = renamed(
        function, "keepdims", keepdims, "keep_dims", keep_dims, "keep_dims is deprecated, use keepdims instead"
    )
    input_tensor = renamed(None, "input", input, "input_tensor", input_tensor)
    axis = renamed(
        function, "axis", axis, "reduction_indices", reduction_indices,
        "reduction_indices is deprecated, use axis instead",
    )  # fmt: skip
    return _c.count_nonzero(input_tensor, axis, keepdims, dtype, name)


def zero_fraction(value, name=None):
    """The share of the elements that are 0, a float32. Source: tf.nn.zero_fraction."""
    return _c.zero_fraction(value, name)


def argmax(input, axis=None, name=None, dimension=None, output_type=dtypes.int64):
    """The index of the largest element along an axis, by default the first one.

    dimension: the older name of axis. Source: tf.argmax.
    """
    axis = renamed(
        "ops.math_ops.argmax", "axis", axis, "dimension", dimension, "Use the `axis` argument instead"
    )
    return _c.argmax(input, axis if axis is not None else 0, output_type, name)


def argmin(input, axis=None, name=None, dimension=None, output_type=dtypes.int64):
    """The index of the smallest element along an axis, by default the first one.

    dimension: the older name of axis. Source: tf.argmin.
    """
    axis = renamed(
        "ops.math_ops.argmin", "axis", axis, "dimension", dimension, "Use the `axis` argument instead"
    )
    return _c.argmin(input, axis if axis is not None else 0, output_type, name)


def arg_max(input, dimension, output_type=dtypes.int64, name=None):
    """The older form of argmax(). Source: tf.arg_max."""
    deprecated("ops.gen_math_ops.arg_max", "Use `tf.math.argmax` instead")
    return _raw.arg_max(input, dimension, output_type, name)


def arg_min(input, dimension, output_type=dtypes.int64, name=None):
    """The older form of argmin(). Source: tf.arg_min."""
    deprecated("ops.gen_math_ops.arg_min", "Use `tf.math.argmin` instead")
    return _raw.arg_min(input, dimension, output_type, name)


def lbeta(x, name=None):
    """The log of the beta function of the rows. Source: tf.lbeta."""
    return _c.lbeta(x, name)


# Segments: what has the same number in a vector of segment_ids.


def unsorted_segment_mean(data, segment_ids, num_segments, name=None):
    """The means of segments; 0 for one without elements. Source: tf.unsorted_segment_mean."""
    return _c.unsorted_segment_mean(data, segment_ids, num_segments, name)


def unsorted_segment_sqrt_n(data, segment_ids, num_segments, name=None):
    """The sums of segments by the roots of their sizes. Source: tf.unsorted_segment_sqrt_n."""
    return _c.unsorted_segment_sqrt_n(data, segment_ids, num_segments, name)


def sparse_segment_sum(data, indices, segment_ids, name=None, num_segments=None):
    """The sums of the rows of these indices in each segment. Source: tf.sparse_segment_sum."""
    if num_segments is None:
        return _raw.sparse_segment_sum(data, indices, segment_ids, name=name)
    return _raw.sparse_segment_sum_with_num_segments(data, indices, segment_ids, num_segments, name=name)


def sparse_segment_mean(data, indices, segment_ids, name=None, num_segments=None):
    """The means of the rows of these indices in each segment. Source: tf.sparse.segment_mean."""
    if num_segments is None:
        return _raw.sparse_segment_mean(data, indices, segment_ids, name=name)
    return _raw.sparse_segment_mean_with_num_segments(data, indices, segment_ids, num_segments, name=name)


def sparse_segment_sqrt_n(data, indices, segment_ids, name=None, num_segments=None):
    """Their sums by the roots of their numbers. Source: tf.sparse.segment_sqrt_n."""
    if num_segments is None:
        return _raw.sparse_segment_sqrt_n(data, indices, segment_ids, name=name)
    return _raw.sparse_segment_sqrt_n_with_num_segments(data, indices, segment_ids, num_segments, name=name)


# Counts of what falls into classes and intervals.


def confusion_matrix(
    labels, predictions, num_classes=None, dtype=dtypes.int32, name=None, weights=None
):
    """How often a label, the row, got a prediction, the column.

    num_classes: one more than the largest by default. weights: what each one counts.
    Source: tf.confusion_matrix.
    """
    return _c.confusion_matrix(labels, predictions, num_classes, dtype, name, weights)


def histogram_fixed_width(values, value_range, nbins=100, dtype=dtypes.int32, name=None):
    """How many values fall into each of nbins equal intervals of the range.

    Source: tf.histogram_fixed_width.
    """
    return _c.histogram_fixed_width(values, value_range, nbins, dtype, name)


def histogram_fixed_width_bins(values, value_range, nbins=100, dtype=dtypes.int32, name=None):
    """The interval that each value falls into. Source: tf.histogram_fixed_width_bins."""
    return _c.histogram_fixed_width_bins(values, value_range, nbins, dtype, name)


def bincount(arr, weights=None, minlength=None, maxlength=None, dtype=dtypes.int32):
    """How often each number from 0 to the largest is there. weights: what each one counts.

    Source: tf.bincount.
    """
    return _c.bincount(arr, weights, minlength, maxlength, dtype)
