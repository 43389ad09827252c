"""Signals: tf.signal."""

from kiln.compat.v1.signal._cosine import dct, idct
from kiln.compat.v1.signal._fourier import (
    fft, fft2d, fft3d, fftshift, ifft, ifft2d, ifft3d, ifftshift, irfft, irfft2d, irfft3d, rfft, rfft2d, rfft3d,
)  # fmt: skip
from kiln.compat.v1.signal._frames import frame, overlap_and_add
from kiln.compat.v1.signal._mel import linear_to_mel_weight_matrix, mfccs_from_log_mel_spectrograms
from kiln.compat.v1.signal._spectra import (
    inverse_mdct, inverse_stft, inverse_stft_window_fn, mdct, stft,
)  # fmt: skip
from kiln.compat.v1.signal._windows import (
    hamming_window, hann_window, kaiser_bessel_derived_window, kaiser_window, vorbis_window,
)  # fmt: skip

__all__ = [
    "dct", "fft", "fft2d", "fft3d", "fftshift", "frame", "hamming_window", "hann_window", "idct",
    "ifft", "ifft2d", "ifft3d", "ifftshift", "inverse_mdct", "inverse_stft",
    "inverse_stft_window_fn", "irfft", "irfft2d", "irfft3d", "kaiser_bessel_derived_window",
    "kaiser_window", "linear_to_mel_weight_matrix", "mdct", "mfccs_from_log_mel_spectrograms",
    "overlap_and_add", "rfft", "rfft2d", "rfft3d", "stft", "vorbis_window",
]  # fmt: skip
