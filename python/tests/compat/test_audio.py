"""tf.audio, and what tf.contrib has of sounds."""

import numpy as np
import pytest

import kiln.compat.v1 as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


def value(tensors):
    with tf.Session() as session:
        return session.run(tensors)


def test_sounds_are_written_and_read():
    sound = np.array([[0.5, -0.5], [1, 0]], "f4")
    samples, rate = value(tf.audio.decode_wav(tf.audio.encode_wav(sound, 8000), desired_samples=3))
    assert rate == 8000 and samples.shape == (3, 2)
    np.testing.assert_allclose(samples, [[0.5, -0.5], [1, 0], [0, 0]], atol=1 / 32768)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Header mismatch: Expected RIFF but found RIFX"):
        value(tf.audio.decode_wav(b"RIFX\0\0\0\0"))


def test_spectra_tell_a_pitch():
    from kiln.compat.v1.contrib.framework import audio_ops

    sound = np.sin(2 * np.pi * 1000 * np.arange(1600) / 16000).astype("f4").reshape(-1, 1)
    spectrogram = audio_ops.audio_spectrogram(sound, window_size=480, stride=160, magnitude_squared=True)
    found, coefficients = value([spectrogram, audio_ops.mfcc(spectrogram, 16000, dct_coefficient_count=40)])
    assert found.shape == (1, 8, 257) and (found[0].argmax(1) == 1000 * 512 // 16000).all()
    assert coefficients.shape == (1, 8, 40)
