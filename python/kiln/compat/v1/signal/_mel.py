"""Spectra on the mel scale."""

from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._array_ops import pad, split
from kiln.compat.v1._constant_value import constant_value
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1._elementwise_ops import cast, log, maximum, minimum, rsqrt
from kiln.compat.v1._graph_functions import name_scope
from kiln.compat.v1._selection_ops import linspace
from kiln.compat.v1._shape_ops import expand_dims, reshape, shape
from kiln.compat.v1.signal._cosine import dct
from kiln.compat.v1.signal._frames import frame

_BREAK_HERTZ, _HIGH_Q = 700.0, 1127.0


def _mel(hertz):
    with name_scope(None, "hertz_to_mel", [hertz]):
        return _HIGH_Q * log(1.0 + convert_to_tensor(hertz) / _BREAK_HERTZ)


def _check(num_mel_bins, sample_rate, lower, upper, dtype):
    if num_mel_bins <= 0:
        raise ValueError("num_mel_bins must be positive. Got: %s" % num_mel_bins)
    if lower < 0.0:
        raise ValueError("lower_edge_hertz must be non-negative. Got: %s" % lower)
    if lower >= upper:
        raise ValueError("lower_edge_hertz %.1f >= upper_edge_hertz %.1f" % (lower, upper))
    if not isinstance(sample_rate, _c.Tensor):
        if sample_rate <= 0.0:
            raise ValueError("sample_rate must be positive. Got: %s" % sample_rate)
        if upper > sample_rate / 2:
            raise ValueError(
                "upper_edge_hertz must not be larger than the Nyquist frequency (sample_rate / 2). Got %s for "
                "sample_rate: %s" % (upper, sample_rate)
            )
    if not dtype.is_floating:
        raise ValueError("dtype must be a floating point type. Got: %s" % dtype)


def linear_to_mel_weight_matrix(
    num_mel_bins=20, num_spectrogram_bins=129, sample_rate=8000, lower_edge_hertz=125.0, upper_edge_hertz=3800.0,
    dtype=dtypes.float32, name=None,
):  # fmt: skip
    """The matrix that takes spectra of linear bins to mel bins. Shapes: [num_spectrogram_bins, num_mel_bins].

    Errors: ValueError. Source: tf.signal.linear_to_mel_weight_matrix.
    """
    dtype = dtypes.as_dtype(dtype)
    with name_scope(name, "linear_to_mel_weight_matrix") as scope:
        if isinstance(sample_rate, _c.Tensor):
            known = constant_value(sample_rate)
            sample_rate = sample_rate if known is None else known
        _check(num_mel_bins, sample_rate, lower_edge_hertz, upper_edge_hertz, dtype)
        sample_rate = cast(sample_rate, dtype, name="sample_rate")
        lower = convert_to_tensor(lower_edge_hertz, dtype, name="lower_edge_hertz")
        upper = convert_to_tensor(upper_edge_hertz, dtype, name="upper_edge_hertz")
        zero = convert_to_tensor(0.0, dtype)
        # The first bin, of what is constant, has no weight.
        bins = linspace(zero, sample_rate / 2.0, num_spectrogram_bins)[1:]
        place = expand_dims(_mel(bins), 1)
        edges = frame(linspace(_mel(lower), _mel(upper), num_mel_bins + 2), frame_length=3, frame_step=1)
        low, center, high = (reshape(edge, [1, num_mel_bins]) for edge in split(edges, 3, axis=1))
        rising = (place - low) / (center - low)
        falling = (high - place) / (high - center)
        return pad(maximum(zero, minimum(rising, falling)), [[1, 0], [0, 0]], name=scope)


def mfccs_from_log_mel_spectrograms(log_mel_spectrograms, name=None):
    """The cosine transforms of logarithms of mel spectra. Errors: ValueError without bins.

    Source: tf.signal.mfccs_from_log_mel_spectrograms.
    """
    with name_scope(name, "mfccs_from_log_mel_spectrograms", [log_mel_spectrograms]):
        spectra = convert_to_tensor(log_mel_spectrograms)
        bins = spectra.shape.as_list()[-1] if spectra.shape.ndims else None
        if bins == 0:
            raise ValueError("num_mel_bins must be positive. Got: %s" % spectra)
        cosines = dct(spectra, type=2)
        bins = shape(spectra)[-1] if bins is None else bins
        return cosines * rsqrt(cast(bins, cosines.dtype) * 2.0)
