"""Functions of single elements: tf.exp, tf.square, tf.round, tf.cast, comparisons."""

import functools

from kiln._generated import raw_ops as _raw
from kiln._generated.raw_ops import (
    acosh, atan2, betainc, bitcast, check_numerics, cos, cosh, digamma, erfc, expm1, greater, greater_equal,
    igamma, igammac, is_finite, is_inf, is_nan, less, less_equal, lgamma, log, log1p, logical_and,
    logical_not, logical_or, maximum, minimum, polygamma, reciprocal, rint, sinh, squared_difference,
    xlogy, zeta,
)  # fmt: skip
from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._deprecations import deprecated
from kiln.compat.v1._graph_functions import name_scope
from kiln.compat.v1._sparse import IndexedSlices, SparseTensor

__all__ = [
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "betainc", "bitcast", "cast",
    "ceil", "check_numerics", "cos", "cosh", "digamma", "equal", "erf", "erfc", "exp", "expm1",
    "floor", "greater", "greater_equal", "igamma", "igammac", "is_finite", "is_inf", "is_nan",
    "less", "less_equal", "lgamma", "log", "log1p", "log_sigmoid", "logical_and", "logical_not",
    "logical_or", "logical_xor", "maximum", "minimum", "negative", "not_equal", "polygamma",
    "reciprocal", "rint", "round", "rsqrt", "saturate_cast", "sigmoid", "sign", "sin", "sinh",
    "sqrt", "square", "squared_difference", "tan", "tanh", "to_bfloat16", "to_complex128",
    "to_complex64", "to_double", "to_float", "to_int32", "to_int64", "zeta",
]  # fmt: skip


def _of_values(function):
    """A function of one tensor that takes a SparseTensor, too, and works on its values."""

    @functools.wraps(function)
    def either(x, name=None):
        if isinstance(x, SparseTensor):
            return SparseTensor(x.indices, function(x.values, name), x.dense_shape)
        return function(x, name)

    return either


asin, asinh, atan, atanh = map(_of_values, (_raw.asin, _raw.asinh, _raw.atan, _raw.atanh))
erf, sin, tan, tanh = map(_of_values, (_raw.erf, _raw.sin, _raw.tan, _raw.tanh))
sqrt, square, negative = map(_of_values, (_raw.sqrt, _raw.square, _raw.neg))


@_of_values
def abs(x, name=None):
    """The absolute value. Source: tf.abs."""
    return _c.abs(x, name)


@_of_values
def sign(x, name=None):
    """-1, 0 or 1. Source: tf.sign."""
    return _c.sign(x, name)


def acos(x, name=None):
    """The arc cosine. Source: tf.acos."""
    return _raw.acos(x, name)


def exp(x, name=None):
    """e to the power of x. Source: tf.exp."""
    return _raw.exp(x, name)


def rsqrt(x, name=None):
    """1 by the square root. Source: tf.rsqrt."""
    return _raw.rsqrt(x, name)


def floor(x, name=None):
    """The largest integer that is not above x. Source: tf.floor."""
    return _raw.floor(x, name)


def ceil(x, name=None):
    """The smallest integer that is not below x. Source: tf.ceil."""
    return _raw.ceil(x, name)


def round(x, name=None):
    """The nearest integer, the even one of two; integers as they are. Source: tf.round."""
    return _c.round(x, name)


def sigmoid(x, name=None):
    """1 / (1 + exp(-x)). Source: tf.sigmoid."""
    return _raw.sigmoid(x, name)


def log_sigmoid(x, name=None):
    """log(sigmoid(x)). Source: tf.log_sigmoid."""
    return _c.log_sigmoid(x, name)


def logical_xor(x, y, name="LogicalXor"):
    """Whether one of two holds. Source: tf.logical_xor."""
    return _c.logical_xor(x, y, name)


def equal(x, y, name=None):
    """Whether elements are equal, with broadcasting. Source: tf.equal."""
    return _raw.equal(x, y, name=name)


def not_equal(x, y, name=None):
    """Whether elements differ, with broadcasting. Source: tf.not_equal."""
    return _raw.not_equal(x, y, name=name)


def cast(x, dtype, name=None):
    """The same values in another dtype; a tensor that has it already is given back.

    x: or a SparseTensor or IndexedSlices, whose values are cast. Errors: TypeError.
    Source: tf.cast.
    """
    if isinstance(x, (SparseTensor, IndexedSlices)):
        return _cast_values(x, dtypes.as_dtype(dtype).base_dtype, name)
    if isinstance(x, _c.Variable) and x.dtype == dtypes.as_dtype(dtype).base_dtype:
        return x
    return _c.cast(x, dtype, name)


def _cast_values(x, dtype, name):
    if dtype == x.dtype:
        return x
    with name_scope(name, "Cast", [x.values]) as scope:
        values = _c.cast(x.values, dtype, scope)
        if isinstance(x, SparseTensor):
            return SparseTensor(x.indices, values, x.dense_shape)
        return IndexedSlices(values, x.indices, x.dense_shape)


def saturate_cast(value, dtype, name=None):
    """As cast(), but what is out of the dtype's range becomes its nearest end. Source: tf.saturate_cast."""
    return _c.saturate_cast(value, dtype, name)


def _to(name, dtype):
    def convert(x, name=name):
        deprecated(f"ops.math_ops.{convert.__name__}", "Use `tf.cast` instead.")
        return cast(x, dtype, name)

    convert.__name__ = convert.__qualname__ = f"to_{dtype.name}" if dtype.name not in _OLD else _OLD[dtype.name]
    convert.__doc__ = f"The older form of cast(x, tf.{dtype.name}). Source: tf.{convert.__name__}."
    return convert


_OLD = {"float32": "to_float", "float64": "to_double"}
to_float, to_double = _to("ToFloat", dtypes.float32), _to("ToDouble", dtypes.float64)
to_int32, to_int64 = _to("ToInt32", dtypes.int32), _to("ToInt64", dtypes.int64)
to_bfloat16 = _to("ToBFloat16", dtypes.bfloat16)
to_complex64, to_complex128 = _to("ToComplex64", dtypes.complex64), _to("ToComplex128", dtypes.complex128)


def _bessel(name):
    raw = getattr(_raw, name)

    def bessel(x, name=None):
        with name_scope(name, bessel.__name__, [x]):
            return raw(x)

    bessel.__name__ = bessel.__qualname__ = name
    bessel.__doc__ = f"{raw.__doc__.splitlines()[0]} Source: tf.math.{name}."
    return bessel


bessel_i0, bessel_i0e, bessel_i1, bessel_i1e = map(
    _bessel, ("bessel_i0", "bessel_i0e", "bessel_i1", "bessel_i1e")
)
