"""Spectra of frames of signals."""

import math

from kiln.compat.v1 import dtypes
from kiln.compat.v1._array_ops import concat, pad, reverse, split, tile
from kiln.compat.v1._constant_ops import constant, zeros, zeros_like
from kiln.compat.v1._constant_value import constant_value
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1._elementwise_ops import cast, ceil, equal, log, maximum, square
from kiln.compat.v1._graph_functions import name_scope
from kiln.compat.v1._math_ops import pow
from kiln.compat.v1._reduction_ops import reduce_sum
from kiln.compat.v1._selection_ops import where
from kiln.compat.v1._shape_ops import rank, reshape, shape
from kiln.compat.v1.signal._cosine import dct
from kiln.compat.v1.signal._fourier import irfft, rfft
from kiln.compat.v1.signal._frames import frame, overlap_and_add
from kiln.compat.v1.signal._windows import hann_window, vorbis_window


def _scalar(value, name):
    tensor = convert_to_tensor(value, name=name)
    tensor.shape.assert_has_rank(0)
    return tensor


def _power_of_two(value):
    """The smallest power of two that is not below."""
    known = constant_value(value)
    if known is not None:
        return constant(int(2 ** math.ceil(math.log(known) / math.log(2.0))), value.dtype)
    exponent = ceil(log(cast(value, dtypes.float32)) / log(2.0))
    return cast(pow(2.0, exponent), value.dtype)


def stft(signals, frame_length, frame_step, fft_length=None, window_fn=hann_window, pad_end=False, name=None):
    """The Fourier transforms of windowed frames. Shapes: [..., samples] -> [..., frames, fft_length // 2 + 1].

    fft_length: by default the smallest power of two that holds a frame. window_fn: None for no window.
    Source: tf.signal.stft.
    """
    with name_scope(name, "stft", [signals, frame_length, frame_step]):
        signals = convert_to_tensor(signals, name="signals")
        signals.shape.with_rank_at_least(1)
        frame_length = _scalar(frame_length, "frame_length")
        frame_step = _scalar(frame_step, "frame_step")
        if fft_length is None:
            fft_length = _power_of_two(frame_length)
        else:
            fft_length = convert_to_tensor(fft_length, name="fft_length")
        frames = frame(signals, frame_length, frame_step, pad_end=pad_end)
        if window_fn is not None:
            frames *= window_fn(frame_length, dtype=frames.dtype)
        return rfft(frames, [fft_length])


def inverse_stft_window_fn(frame_step, forward_window_fn=hann_window, name=None):
    """The function of the window with which inverse_stft() gives back what stft() was given.

    Source: tf.signal.inverse_stft_window_fn.
    """

    def inverse_window(frame_length, dtype):
        with name_scope(name, "inverse_stft_window_fn"):
            step = _scalar(frame_step, "frame_step")
            length = _scalar(frame_length, "frame_length")
            window = forward_window_fn(length, dtype=dtype)
            overlaps = -(-length // step)
            sums = pad(square(window), [(0, overlaps * step - length)])
            sums = reduce_sum(reshape(sums, [overlaps, step]), 0, keepdims=True)
            sums = reshape(tile(sums, [overlaps, 1]), [overlaps * step])[:length]
            return where(equal(sums, 0.0), zeros_like(window), window / sums)

    return inverse_window


def inverse_stft(stfts, frame_length, frame_step, fft_length=None, window_fn=hann_window, name=None):
    """The signals of spectra of frames, whose overlaps are added. Source: tf.signal.inverse_stft."""
    with name_scope(name, "inverse_stft", [stfts]):
        stfts = convert_to_tensor(stfts, name="stfts")
        stfts.shape.with_rank_at_least(2)
        frame_length = _scalar(frame_length, "frame_length")
        frame_step = _scalar(frame_step, "frame_step")
        if fft_length is None:
            fft_length = _power_of_two(frame_length)
        else:
            fft_length = _scalar(fft_length, "fft_length")
        frames = irfft(stfts, [fft_length])
        known = constant_value(frame_length)
        ranks = frames.shape.ndims
        last = None if ranks is None else frames.shape.as_list()[-1]
        if known is None or last is None:
            frames = frames[..., :frame_length]
            missing = maximum(0, frame_length - shape(frames)[-1])
            frames = pad(frames, concat([zeros([rank(frames) - 1, 2], frame_length.dtype), [[0, missing]]], 0))
        elif last > known:
            frames = frames[..., : int(known)]
        elif last < known:
            frames = pad(frames, [[0, 0]] * (ranks - 1) + [[0, int(known) - last]])
        if known is not None and ranks is not None:
            frames.set_shape([None] * (ranks - 1) + [int(known)])
        if window_fn is not None:
            frames *= window_fn(frame_length, dtype=stfts.dtype.real_dtype)
        return overlap_and_add(frames, frame_step)


def mdct(signals, frame_length, window_fn=vorbis_window, pad_end=False, norm=None, name=None):
    """The modified cosine transforms of frames that overlap by half. Shapes: as stft(), of frame_length // 2.

    Errors: ValueError for a frame_length that is no multiple of 4. Source: tf.signal.mdct.
    """
    with name_scope(name, "mdct", [signals, frame_length]):
        signals = convert_to_tensor(signals, name="signals")
        signals.shape.with_rank_at_least(1)
        frame_length = _scalar(frame_length, "frame_length")
        known = constant_value(frame_length)
        if known is None:
            step = frame_length // 2
        elif known % 4 != 0:
            raise ValueError("The frame length must be a multiple of 4.")
        else:
            step = convert_to_tensor(int(known) // 2, dtype=frame_length.dtype)
        frames = frame(signals, frame_length, step, pad_end=pad_end)
        if window_fn is not None:
            frames *= window_fn(frame_length, dtype=frames.dtype)
        else:
            frames *= 1.0 / math.sqrt(2)
        a, b, c, d = split(frames, 4, axis=-1)
        folded = concat((-reverse(c, [-1]) - d, a - reverse(b, [-1])), axis=-1)
        return dct(folded, type=4, norm=norm)


def inverse_mdct(mdcts, window_fn=vorbis_window, norm=None, name=None):
    """The signals of mdct(). Source: tf.signal.inverse_mdct."""
    with name_scope(name, "inverse_mdct", [mdcts]):
        mdcts = convert_to_tensor(mdcts, name="mdcts")
        mdcts.shape.with_rank_at_least(2)
        half = mdcts.shape.as_list()[-1]
        half = shape(mdcts)[-1] if half is None else convert_to_tensor(half)
        if norm is None:
            result = (0.5 / cast(half, mdcts.dtype)) * dct(mdcts, type=4)
        elif norm == "ortho":
            result = dct(mdcts, type=4, norm="ortho")
        first, second = split(result, 2, axis=-1)
        frames = concat((second, -reverse(second, [-1]), -reverse(first, [-1]), -first), axis=-1)
        if window_fn is not None:
            frames *= window_fn(2 * half, dtype=mdcts.dtype)
        else:
            frames *= 1.0 / math.sqrt(2)
        return overlap_and_add(frames, half)
