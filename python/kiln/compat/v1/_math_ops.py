"""Arithmetic: tf.add, tf.matmul, tf.div, tf.range, tf.cumsum and their neighbours."""

import collections.abc

from kiln._generated import raw_ops as _raw
from kiln._generated.raw_ops import cross
from kiln._generated.raw_ops import floor_div, floor_mod, real_div, truncate_div, truncate_mod
from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._deprecations import deprecated
from kiln.compat.v1._sparse import IndexedSlices

__all__ = [
    "accumulate_n", "add", "add_n", "cross", "cumprod", "cumsum", "div", "div_no_nan", "divide",
    "floor_div", "floordiv", "floormod", "matmul", "mod", "multiply", "pow", "range", "realdiv",
    "scalar_mul", "sparse_matmul", "subtract", "tensordot", "truediv", "truncatediv", "truncatemod",
]  # fmt: skip

mod = floormod = floor_mod
realdiv, truncatediv, truncatemod = real_div, truncate_div, truncate_mod


def add(x, y, name=None):
    """x + y, with broadcasting; of strings one behind the other. Source: tf.add."""
    return _c.add(x, y, name)


def subtract(x, y, name=None):
    """x - y, with broadcasting. Source: tf.subtract."""
    return _c.subtract(x, y, name)


def multiply(x, y, name=None):
    """x * y, element by element, with broadcasting. Source: tf.multiply."""
    return _c.multiply(x, y, name)


def scalar_mul(scalar, x, name=None):
    """A number times a tensor or IndexedSlices. Errors: ValueError for a factor with axes.

    Source: tf.scalar_mul.
    """
    if isinstance(x, IndexedSlices):
        return IndexedSlices(_c.scalar_mul(scalar, x.values, name), x.indices, x.dense_shape)
    return _c.scalar_mul(scalar, x, name)


def divide(x, y, name=None):
    """x / y as Python's operator: integers are divided as float64. Source: tf.divide."""
    return _c.divide(x, y, name)


def truediv(x, y, name=None):
    """x / y; integers are divided as float64, those of up to 16 bits as float32. Source: tf.truediv."""
    return _c.truediv(x, y, name)


def div(x, y, name=None):
    """x / y as Python 2's operator: integers are rounded down. Source: tf.div."""
    deprecated("ops.math_ops.div", "Deprecated in favor of operator or tf.math.divide.")
    return _c.div(x, y, name)


def floordiv(x, y, name=None):
    """x // y: rounded down. Source: tf.floordiv."""
    return _c.floordiv(x, y, name)


def div_no_nan(x, y, name=None):
    """x / y, and 0 where y is 0. Source: tf.div_no_nan."""
    return _c.div_no_nan(x, y, name)


def multiply_no_nan(x, y, name=None):
    """x * y, and 0 where y is 0, whatever x is. Source: tf.math.multiply_no_nan."""
    return _c.multiply_no_nan(x, y, name)


def reciprocal_no_nan(x, name=None):
    """1 / x, and 0 where x is 0. Source: tf.math.reciprocal_no_nan."""
    return _c.reciprocal_no_nan(x, name)


def xdivy(x, y, name=None):
    """x / y, and 0 where x is 0. Source: tf.math.xdivy."""
    return _c.xdivy(x, y, name)


def xlog1py(x, y, name=None):
    """x * log1p(y), and 0 where x is 0. Source: tf.math.xlog1py."""
    return _c.xlog1py(x, y, name)


def erfinv(x, name=None):
    """The inverse of erf(). Source: tf.math.erfinv."""
    return _c.erfinv(x, name)


def ndtri(x, name=None):
    """The quantile of the standard normal distribution. Source: tf.math.ndtri."""
    return _c.ndtri(x, name)


def pow(x, y, name=None):
    """x to the power of y, with broadcasting. Source: tf.pow."""
    return _c.pow(x, y, name)


def add_n(inputs, name=None):
    """The sum of tensors that an iterable gives, of IndexedSlices, too. Errors: ValueError.

    Source: tf.add_n.
    """
    if isinstance(inputs, collections.abc.Iterable) and not hasattr(inputs, "op"):
        inputs = list(inputs)
    if not inputs or not isinstance(inputs, list):
        raise ValueError(
            "Inputs must be an iterable of at least one Tensor/IndexedSlices with the same dtype and shape."
        )
    return _c.add_n(inputs, name)


def accumulate_n(inputs, shape=None, tensor_dtype=None, name=None):
    """The sum of a list of tensors of one shape and dtype. Source: tf.accumulate_n."""
    deprecated("ops.math_ops.accumulate_n", "Use `tf.math.add_n` Instead")
    if not inputs or not isinstance(inputs, (list, tuple)):
        raise ValueError("inputs must be a list of at least one Tensor/IndexedSlices with the same dtype and shape")
    return _c.accumulate_n(inputs, shape, tensor_dtype, name)


def polyval(coeffs, x, name=None):
    """The value of a polynomial, whose coefficients begin with that of the highest power.

    Errors: ValueError where they are no list. Source: tf.math.polyval.
    """
    if not isinstance(coeffs, list):
        raise ValueError(f"Argument coeffs must be list type. Received type {type(coeffs)}.")
    return _c.polyval(coeffs, x, name)


def matmul(
    a,
    b,
    transpose_a=False,
    transpose_b=False,
    adjoint_a=False,
    adjoint_b=False,
    a_is_sparse=False,
    b_is_sparse=False,
    name=None,
):
    """The product of matrices, or of stacks of them.

    Shapes: a: [..., m, k], b: [..., k, n]. transpose, adjoint: the last two axes of
    one exchanged first. is_sparse: that most of its elements are 0. Errors: ValueError
    for transpose and adjoint of one. Source: tf.matmul.
    """
    return _c.matmul(
        a, b, transpose_a, transpose_b, adjoint_a, adjoint_b, a_is_sparse, b_is_sparse, name
    )


def sparse_matmul(
    a, b, transpose_a=False, transpose_b=False, a_is_sparse=False, b_is_sparse=False, name=None
):
    """The product of two matrices most of whose elements are 0. Source: tf.sparse_matmul."""
    deprecated("ops.gen_math_ops.sparse_mat_mul", "Use `tf.linalg.matmul` instead")
    return _raw.sparse_mat_mul(a, b, transpose_a, transpose_b, a_is_sparse, b_is_sparse, name)


def tensordot(a, b, axes, name=None):
    """The sum of products over axes: the last ones of a and first ones of b, or two lists of them.

    Shapes: the other axes of a, then those of b. Errors: ValueError. Source: tf.tensordot.
    """
    if hasattr(axes, "__index__") and getattr(axes, "ndim", 0) == 0:
        return _c.tensordot_of_last(a, b, axes, name)
    if not isinstance(axes, (list, tuple)):
        axes = axes.tolist() if hasattr(axes, "tolist") else list(axes)
    if len(axes) != 2:
        raise ValueError(f"`axes` must be an integer or have length 2. Received {axes}.")
    return _c.tensordot(a, b, axes[0], axes[1], name)


def range(start, limit=None, delta=1, dtype=None, name="range"):
    """The numbers from start, or 0, to limit, which is left out, in steps of delta.

    range(limit) or range(start, limit, delta). Source: tf.range.
    """
    if limit is None:
        start, limit = 0, start
    return _c.range(start, limit, delta, dtype, name)


def cumsum(x, axis=0, exclusive=False, reverse=False, name=None):
    """The sums of what comes up to each element along an axis. Source: tf.cumsum."""
    return _c.cumsum(x, axis, exclusive, reverse, name)


def cumprod(x, axis=0, exclusive=False, reverse=False, name=None):
    """The products of what comes up to each element along an axis. Source: tf.cumprod."""
    return _c.cumprod(x, axis, exclusive, reverse, name)


def cumulative_logsumexp(x, axis=0, exclusive=False, reverse=False, name=None):
    """The logs of the sums of the exponentials along an axis. Source: tf.math.cumulative_logsumexp."""
    from kiln.compat.v1._graph_functions import name_scope

    with name_scope(name, "CumulativeLogsumexp", [x]) as scope:
        x = _c.convert(x, None, None, "x")
        return _raw.cumulative_logsumexp(x, axis, exclusive, reverse, scope)
