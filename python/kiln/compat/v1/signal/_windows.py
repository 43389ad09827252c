"""Windows that frames of signals are multiplied by."""

import math

from kiln._generated import raw_ops as _raw
from kiln.compat.v1 import dtypes
from kiln.compat.v1._array_ops import concat
from kiln.compat.v1._constant_ops import constant, ones
from kiln.compat.v1._constant_value import constant_value
from kiln.compat.v1._control_flow import cond
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1._elementwise_ops import cast, cos, equal, exp, sin, sqrt, square
from kiln.compat.v1._graph_functions import name_scope
from kiln.compat.v1._math_ops import cumsum, pow, range as _range


def _checked(window_length, dtype):
    if not dtype.is_floating:
        raise ValueError("dtype must be a floating point type. Found %s" % dtype)
    window_length = convert_to_tensor(window_length, dtype=dtypes.int32, name="window_length")
    window_length.shape.assert_has_rank(0)
    return window_length


def _raised_cosine(name, default, window_length, periodic, dtype, a, b):
    dtype = dtypes.as_dtype(dtype)
    with name_scope(name, default, [window_length, periodic]):
        window_length = _checked(window_length, dtype)
        known = constant_value(window_length)
        if known == 1:
            return ones([1], dtype=dtype)
        periodic = cast(convert_to_tensor(periodic, dtype=dtypes.bool, name="periodic"), dtypes.int32)
        periodic.shape.assert_has_rank(0)
        even = 1 - window_length % 2
        n = cast(window_length + periodic * even - 1, dtype)
        count = cast(_range(window_length), dtype)
        angle = constant(2 * math.pi, dtype=dtype) * count / n
        if known is not None:
            return cast(a - b * cos(angle), dtype)
        return cond(
            equal(window_length, 1),
            lambda: ones([window_length], dtype=dtype),
            lambda: cast(a - b * cos(angle), dtype),
        )


def hann_window(window_length, periodic=True, dtype=dtypes.float32, name=None):
    """Half of one less a cosine. Errors: ValueError for a dtype that is no float. Source: tf.signal.hann_window."""
    return _raised_cosine(name, "hann_window", window_length, periodic, dtype, 0.5, 0.5)


def hamming_window(window_length, periodic=True, dtype=dtypes.float32, name=None):
    """0.54 less 0.46 of a cosine. Source: tf.signal.hamming_window."""
    return _raised_cosine(name, "hamming_window", window_length, periodic, dtype, 0.54, 0.46)


def kaiser_window(window_length, beta=12.0, dtype=dtypes.float32, name=None):
    """The Kaiser window. Source: tf.signal.kaiser_window."""
    dtype = dtypes.as_dtype(dtype)
    with name_scope(name, "kaiser_window"):
        window_length = _checked(window_length, dtype)
        if constant_value(window_length) == 1:
            return ones([1], dtype=dtype)
        half = (cast(window_length, dtypes.float32) - 1.0) / 2.0
        place = cast(_range(-half, half + 0.1, dtype=dtypes.float32), dtype)
        beta, one, half = cast(beta, dtype), cast(1.0, dtype), cast(half, dtype)
        size = beta * sqrt(_raw.relu(one - square(place / half)))
        return exp(size - beta) * (_raw.bessel_i0e(size) / _raw.bessel_i0e(beta))


def kaiser_bessel_derived_window(window_length, beta=12.0, dtype=dtypes.float32, name=None):
    """The Kaiser-Bessel derived window. Source: tf.signal.kaiser_bessel_derived_window."""
    dtype = dtypes.as_dtype(dtype)
    with name_scope(name, "kaiser_bessel_derived_window"):
        half = _checked(window_length, dtype) // 2
        sums = cumsum(kaiser_window(half + 1, beta, dtype=dtype))
        rising = sqrt(sums[:-1] / sums[-1])
        return concat((rising, rising[::-1]), axis=0)


def vorbis_window(window_length, dtype=dtypes.float32, name=None):
    """The window of Vorbis. Source: tf.signal.vorbis_window."""
    dtype = dtypes.as_dtype(dtype)
    with name_scope(name, "vorbis_window"):
        window_length = _checked(window_length, dtype)
        place = cast(_range(window_length), dtype)
        inner = sin(math.pi / cast(window_length, dtype) * (place + 0.5))
        return sin(math.pi / 2.0 * pow(inner, 2.0))
