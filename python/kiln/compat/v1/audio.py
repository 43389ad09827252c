"""Sounds as WAV files: tf.audio."""

from kiln._generated import raw_ops as _raw


def decode_wav(contents, desired_channels=-1, desired_samples=-1, name=None):
    """The sound of a WAV file of 16 bits, from -1 to 1: [samples, channels], and its sample rate.

    desired_channels: the last one stands for those that the file lacks. desired_samples: silence does.
    Source: tf.audio.decode_wav.
    """
    return _raw.decode_wav(contents, desired_channels, desired_samples, name=name)


def encode_wav(audio, sample_rate, name=None):
    """A WAV file of 16 bits of a sound: [samples, channels]. Source: tf.audio.encode_wav."""
    return _raw.encode_wav(audio, sample_rate, name=name)


__all__ = ["decode_wav", "encode_wav"]
