"""Sounds and their spectra, as programs import them from tensorflow.contrib.framework.python.ops."""

from kiln._generated.raw_ops import audio_spectrogram, mfcc
from kiln.compat.v1.audio import decode_wav, encode_wav

__all__ = ["audio_spectrogram", "decode_wav", "encode_wav", "mfcc"]
