"""Fourier transforms."""

from kiln._generated import raw_ops as _raw
from kiln.compat.v1 import dtypes
from kiln.compat.v1._array_ops import concat, pad, stack, unstack
from kiln.compat.v1._constant_ops import zeros, zeros_like
from kiln.compat.v1._constant_value import constant_value, constant_value_as_shape
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1._elementwise_ops import maximum
from kiln.compat.v1._graph_functions import name_scope
from kiln.compat.v1._shape_ops import rank, shape
from kiln.compat.v1.manip import roll

_WHOLES = {dtypes.float32: dtypes.complex64, dtypes.float64: dtypes.complex128}


def fft(input, name=None):
    """The Fourier transform along the last axis. Source: tf.signal.fft."""
    return _raw.fft(input, name)


def ifft(input, name=None):
    """The inverse of fft(). Source: tf.signal.ifft."""
    return _raw.ifft(input, name)


def fft2d(input, name=None):
    """The Fourier transform along the last two axes. Source: tf.signal.fft2d."""
    return _raw.fft2d(input, name)


def ifft2d(input, name=None):
    """The inverse of fft2d(). Source: tf.signal.ifft2d."""
    return _raw.ifft2d(input, name)


def fft3d(input, name=None):
    """The Fourier transform along the last three axes. Source: tf.signal.fft3d."""
    return _raw.fft3d(input, name)


def ifft3d(input, name=None):
    """The inverse of fft3d(). Source: tf.signal.ifft3d."""
    return _raw.ifft3d(input, name)


def _length(tensor, axes, is_back):
    """The lengths of transforms that take all of a tensor."""
    known = tensor.shape[-axes:]
    if known.is_fully_defined():
        lengths = known.as_list()
        if is_back:
            lengths[-1] = max(0, 2 * (lengths[-1] - 1))
        return convert_to_tensor(lengths, dtypes.int32)
    if not is_back:
        return shape(tensor)[-axes:]
    lengths = unstack(shape(tensor)[-axes:], axes)
    lengths[-1] = maximum(0, 2 * (lengths[-1] - 1))
    return stack(lengths)


def _padded(tensor, axes, lengths, is_back):
    """The tensor with zeros behind it, where it is shorter than the transforms are long."""
    wanted = constant_value_as_shape(lengths)
    if tensor.shape.ndims is not None and 0 in tensor.shape.as_list():
        return tensor
    if wanted.is_fully_defined() and tensor.shape.ndims is not None:
        wanted = wanted.as_list()
        had = tensor.shape[-len(wanted) :]
        if had.is_fully_defined():
            if is_back:
                wanted[-1] = wanted[-1] // 2 + 1
            rest = [[0, max(a - b, 0)] for a, b in zip(wanted, had.as_list())]
            if all(after == 0 for _, after in rest):
                return tensor
            return pad(tensor, [[0, 0]] * max(tensor.shape.ndims - len(wanted), 0) + rest)
    outer = zeros([maximum(0, rank(tensor) - axes)], lengths.dtype)
    if is_back:
        lengths = concat([lengths[:-1], lengths[-1:] // 2 + 1], 0)
    after = concat([outer, maximum(0, lengths - shape(tensor)[-axes:])], 0)
    return pad(tensor, stack([zeros_like(after), after], axis=1))


def _transform(op, axes, tensor, fft_length, name, is_back=False):
    default = op.__name__
    with name_scope(name, default, [tensor, fft_length]) as scope:
        preferred = dtypes.complex64 if is_back else dtypes.float32
        tensor = convert_to_tensor(tensor, preferred_dtype=preferred)
        takes = list(_WHOLES.values()) if is_back else list(_WHOLES)
        if tensor.dtype not in takes:
            kinds = "tf.complex64 or tf.complex128" if is_back else "tf.float32 or tf.float64"
            kind = "IRFFT" if is_back else "RFFT"
            raise ValueError(f"{kind} requires {kinds} inputs, got: {tensor}")
        tensor.shape.with_rank_at_least(axes)
        if fft_length is None:
            fft_length = _length(tensor, axes, is_back)
        else:
            fft_length = convert_to_tensor(fft_length, dtypes.int32)
        tensor = _padded(tensor, axes, fft_length, is_back)
        known = constant_value(fft_length)
        fft_length = fft_length if known is None else known
        if is_back:
            return op(tensor, fft_length, Treal=tensor.dtype.real_dtype, name=scope)
        return op(tensor, fft_length, Tcomplex=_WHOLES[tensor.dtype], name=scope)


def rfft(input_tensor, fft_length=None, name=None):
    """The half of the Fourier transform of real numbers that tells the other half.

    fft_length: how many are transformed; zeros follow where there are fewer. Errors: ValueError for
    numbers that are not real floats. Source: tf.signal.rfft.
    """
    return _transform(_raw.rfft, 1, input_tensor, fft_length, name)


def rfft2d(input_tensor, fft_length=None, name=None):
    """As rfft(), along the last two axes. Source: tf.signal.rfft2d."""
    return _transform(_raw.rfft2d, 2, input_tensor, fft_length, name)


def rfft3d(input_tensor, fft_length=None, name=None):
    """As rfft(), along the last three axes. Source: tf.signal.rfft3d."""
    return _transform(_raw.rfft3d, 3, input_tensor, fft_length, name)


def irfft(input_tensor, fft_length=None, name=None):
    """The inverse of rfft(), by default of an even length. Source: tf.signal.irfft."""
    return _transform(_raw.irfft, 1, input_tensor, fft_length, name, is_back=True)


def irfft2d(input_tensor, fft_length=None, name=None):
    """The inverse of rfft2d(). Source: tf.signal.irfft2d."""
    return _transform(_raw.irfft2d, 2, input_tensor, fft_length, name, is_back=True)


def irfft3d(input_tensor, fft_length=None, name=None):
    """The inverse of rfft3d(). Source: tf.signal.irfft3d."""
    return _transform(_raw.irfft3d, 3, input_tensor, fft_length, name, is_back=True)


def _shifted(default, x, axes, name, move):
    with name_scope(name, default):
        x = convert_to_tensor(x)
        if axes is None:
            known = x.shape.is_fully_defined()
            axes = tuple(range(x.shape.ndims))
            shifts = [move(dim) for dim in x.shape.as_list()] if known else move(shape(x))
        elif isinstance(axes, int):
            shifts = move(shape(x)[axes])
        else:
            shifts = [move(shape(x)[axis]) for axis in axes]
        return roll(x, shifts, axes)


def fftshift(x, axes=None, name=None):
    """Moves the first element of each axis to its middle. Source: tf.signal.fftshift."""
    return _shifted("fftshift", x, axes, name, lambda length: length // 2)


def ifftshift(x, axes=None, name=None):
    """The inverse of fftshift(). Source: tf.signal.ifftshift."""
    return _shifted("ifftshift", x, axes, name, lambda length: -(length // 2))
