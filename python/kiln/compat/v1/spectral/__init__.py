"""The former name of parts of tf.signal: tf.spectral."""

from kiln.compat.v1.signal import (
    dct, fft, fft2d, fft3d, idct, ifft, ifft2d, ifft3d, irfft, irfft2d, irfft3d, rfft, rfft2d, rfft3d,
)  # fmt: skip

__all__ = [
    "dct", "fft", "fft2d", "fft3d", "idct", "ifft", "ifft2d", "ifft3d", "irfft", "irfft2d",
    "irfft3d", "rfft", "rfft2d", "rfft3d",
]  # fmt: skip
