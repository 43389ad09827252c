"""Mathematics: tf.math."""

from kiln._generated.raw_ops import next_after as nextafter, softplus, softsign
from kiln.compat.v1._array_ops import invert_permutation
from kiln.compat.v1._check_ops import is_non_decreasing, is_strictly_increasing
from kiln.compat.v1._complex_ops import angle, conj, imag, real
from kiln.compat.v1._elementwise_ops import (
    abs, acos, acosh, asin, asinh, atan, atan2, atanh, bessel_i0, bessel_i0e, bessel_i1, bessel_i1e,
    betainc, ceil, cos, cosh, digamma, equal, erf, erfc, exp, expm1, floor, greater, greater_equal,
    igamma, igammac, is_finite, is_inf, is_nan, less, less_equal, lgamma, log, log1p, log_sigmoid,
    logical_and, logical_not, logical_or, logical_xor, maximum, minimum, negative, not_equal,
    polygamma, reciprocal, rint, round, rsqrt, sigmoid, sign, sin, sinh, sqrt, square,
    squared_difference, tan, tanh, xlogy, zeta,
)  # fmt: skip
from kiln.compat.v1._linalg_ops import l2_normalize
from kiln.compat.v1._math_ops import (
    accumulate_n, add, add_n, cumprod, cumsum, cumulative_logsumexp, div_no_nan as divide_no_nan,
    divide, floordiv, floormod, floormod as mod, multiply, multiply_no_nan, polyval, pow,
    reciprocal_no_nan, scalar_mul, subtract, truediv, xdivy,
)  # fmt: skip
from kiln.compat.v1._reduction_ops import (
    argmax, argmin, bincount, confusion_matrix, count_nonzero, lbeta, reduce_all, reduce_any,
    reduce_euclidean_norm, reduce_logsumexp, reduce_max, reduce_mean, reduce_min, reduce_prod,
    reduce_std, reduce_sum, reduce_variance, segment_max, segment_mean, segment_min, segment_prod,
    segment_sum, unsorted_segment_max, unsorted_segment_mean, unsorted_segment_min,
    unsorted_segment_prod, unsorted_segment_sqrt_n, unsorted_segment_sum, zero_fraction,
)  # fmt: skip

__all__ = [
    "abs", "accumulate_n", "acos", "acosh", "add", "add_n", "angle", "argmax", "argmin", "asin", "asinh",
    "atan", "atan2", "atanh", "bessel_i0", "bessel_i0e", "bessel_i1", "bessel_i1e", "betainc",
    "bincount", "ceil", "confusion_matrix", "conj", "cos", "cosh", "count_nonzero", "cumprod", "cumsum",
    "cumulative_logsumexp", "digamma", "divide", "divide_no_nan", "equal", "erf", "erfc", "exp",
    "expm1", "floor", "floordiv", "floormod", "greater", "greater_equal", "igamma", "igammac", "imag",
    "invert_permutation", "is_finite", "is_inf", "is_nan", "is_non_decreasing",
    "is_strictly_increasing", "l2_normalize", "lbeta", "less", "less_equal", "lgamma", "log",
    "log1p", "log_sigmoid", "logical_and", "logical_not", "logical_or", "logical_xor", "maximum",
    "minimum", "mod", "multiply", "multiply_no_nan", "negative", "nextafter", "not_equal",
    "polygamma", "polyval", "pow", "real", "reciprocal", "reciprocal_no_nan", "reduce_all", "reduce_any",
    "reduce_euclidean_norm", "reduce_logsumexp", "reduce_max", "reduce_mean", "reduce_min",
    "reduce_prod", "reduce_std", "reduce_sum", "reduce_variance", "rint", "round", "rsqrt",
    "scalar_mul", "segment_max", "segment_mean", "segment_min", "segment_prod", "segment_sum",
    "sigmoid", "sign", "sin", "sinh", "softplus", "softsign", "sqrt", "square",
    "squared_difference", "subtract", "tan", "tanh", "truediv", "unsorted_segment_max",
    "unsorted_segment_mean", "unsorted_segment_min", "unsorted_segment_prod",
    "unsorted_segment_sqrt_n", "unsorted_segment_sum", "xdivy", "xlogy", "zero_fraction", "zeta",
]  # fmt: skip


def __getattr__(name):
    if name in ("in_top_k", "log_softmax", "softmax", "top_k"):
        from kiln.compat.v1 import nn

        return getattr(nn, name)
    raise AttributeError(f"module 'tensorflow.math' has no attribute '{name}'")
