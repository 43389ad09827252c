"""Discrete cosine transforms."""

import math

from kiln.compat.v1 import dtypes
from kiln.compat.v1._array_ops import concat, pad
from kiln.compat.v1._complex_ops import complex, real
from kiln.compat.v1._control_flow import cond
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1._elementwise_ops import cast, exp, rsqrt, sqrt
from kiln.compat.v1._graph_functions import name_scope
from kiln.compat.v1._math_ops import range as _range
from kiln.compat.v1._shape_ops import expand_dims, shape
from kiln.compat.v1.signal._fourier import irfft, rfft


def _check(input, kind, n, axis, norm):
    if axis != -1:
        raise NotImplementedError("axis must be -1. Got: %s" % axis)
    if n is not None and n < 1:
        raise ValueError("n should be a positive integer or None")
    if kind not in (1, 2, 3, 4):
        raise ValueError("Types I, II, III and IV (I)DCT are supported.")
    if kind == 1:
        if norm == "ortho":
            raise ValueError("Normalization is not supported for the Type-I DCT.")
        last = convert_to_tensor(input).shape.as_list()[-1]
        if last is not None and last < 2:
            raise ValueError("Type-I DCT requires the dimension to be greater than one.")
    if norm not in (None, "ortho"):
        raise ValueError("Unknown normalization. Expected None or 'ortho', got: %s" % norm)


def _last(tensor):
    """The last extent, as a number where it is known."""
    return tensor.shape.as_list()[-1] or shape(tensor)[-1]


def _of_length(input, n):
    """The first n elements; zeros follow where there are fewer."""
    have = _last(input)

    def shorter():
        return input[..., 0:n]

    def longer():
        ranks = input.shape.ndims
        return pad(input, [[0, 0]] * (ranks - 1) + [[0, n - have]])

    if isinstance(have, int) and isinstance(n, int):
        return shorter() if n <= have else longer()
    return cond(n <= have, shorter, longer)


def _weights(first, ratio, count):
    """first, and then first * ratio."""
    return pad(expand_dims(first, 0), [[0, count - 1]], constant_values=first * ratio)


def _transform(input, kind, n, norm, name=None):
    with name_scope(name, "dct", [input]):
        input = convert_to_tensor(input)
        zero = convert_to_tensor(0.0, dtype=input.dtype)
        if n is not None:
            input = _of_length(input, n)
        count = _last(input)
        number = cast(count, input.dtype)
        if kind == 1:
            return real(rfft(concat([input, input[..., -2:0:-1]], axis=-1)))
        turn = _range(number) * math.pi * 0.5 / number
        if kind == 2:
            scale = 2.0 * exp(complex(zero, -turn))
            result = real(rfft(input, fft_length=[2 * count])[..., :count] * scale)
            return result * _weights(0.5 * rsqrt(number), math.sqrt(2.0), count) if norm == "ortho" else result
        if kind == 3:
            input *= _weights(sqrt(number), math.sqrt(0.5), count) if norm == "ortho" else number
            scale = 2.0 * exp(complex(zero, turn))
            return real(irfft(scale * complex(input, zero), fft_length=[2 * count]))[..., :count]
        result = _transform(input, 2, 2 * count, None)[..., 1::2]
        return result * (math.sqrt(0.5) * rsqrt(number)) if norm == "ortho" else result


def dct(input, type=2, n=None, axis=-1, norm=None, name=None):
    """The cosine transform of type 1, 2, 3 or 4 along the last axis.

    n: how many elements are transformed. norm: None or "ortho". Errors: ValueError,
    NotImplementedError for another axis. Source: tf.signal.dct.
    """
    _check(input, type, n, axis, norm)
    return _transform(input, type, n, norm, name)


def idct(input, type=2, n=None, axis=-1, norm=None, name=None):
    """The inverse of dct(), but for a factor without a norm. Source: tf.signal.idct."""
    _check(input, type, n, axis, norm)
    return _transform(input, {1: 1, 2: 3, 3: 2, 4: 4}[type], n, norm, name)
