"""Complex numbers, and tf.signal against NumPy."""

import numpy as np
import pytest

import kiln.compat.v1 as tf

RANDOM = np.random.RandomState(3)


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


def run(fetches, feeds=None):
    with tf.Session() as session:
        return session.run(fetches, feeds)


def close(got, wanted, atol=1e-4):
    np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=atol)
    assert got.shape == np.shape(wanted)


def test_parts():
    z = tf.constant([1 + 2j, -3.5j], tf.complex64)
    assert z.dtype == tf.complex64
    real, imag = tf.real(z), tf.math.imag(z)
    assert (real.op.type, imag.op.type, real.dtype) == ("Real", "Imag", tf.float32)
    assert run([real, imag, tf.conj(z)])[2].tolist() == [1 - 2j, 3.5j]
    whole = tf.complex(tf.constant([1.0, 2.0], tf.float64), tf.constant([3.0, 4.0], tf.float64))
    assert whole.dtype == tf.complex128 and run(whole).tolist() == [1 + 3j, 2 + 4j]
    close(run(tf.abs(z)), [np.sqrt(5), 3.5])
    assert tf.abs(z).op.type == "ComplexAbs"
    close(run(tf.angle(z)), np.angle([1 + 2j, -3.5j]))


def test_parts_of_real_numbers():
    x = tf.constant([1.0, -2.0])
    assert tf.real(x) is not None and tf.real(x).op is x.op
    assert tf.conj(x).op is x.op
    assert run([tf.imag(x), tf.angle(x)])[0].tolist() == [0, 0]
    close(run(tf.angle(x)), [0, np.pi])
    with pytest.raises(TypeError, match="must be consistent"):
        tf.complex(x, tf.constant([1, 2]))


def test_arithmetic():
    a = (RANDOM.randn(3, 4) + 1j * RANDOM.randn(3, 4)).astype(np.complex64)
    z = tf.placeholder(tf.complex64, [3, 4])
    feeds = {z: a}
    close(run(z * z + 2.0 / z - tf.exp(z), feeds), a * a + 2 / a - np.exp(a))
    close(run(tf.matmul(z, z, adjoint_b=True), feeds), a @ a.conj().T)
    close(run(tf.matmul(z, z, adjoint_a=True), feeds), a.conj().T @ a)
    close(run(tf.linalg.adjoint(z), feeds), a.conj().T)
    close(run(tf.transpose(z, conjugate=True), feeds), a.conj().T)
    gradient = tf.gradients(tf.reduce_sum(tf.abs(z) ** 2), z)[0]
    close(run(gradient, feeds), 2 * a)
    with pytest.raises(TypeError, match="Gradients of complex tensors"):
        tf.gradients(z * z, z)


def test_transforms():
    a = RANDOM.randn(2, 3, 8)
    z = a + 1j * RANDOM.randn(2, 3, 8)
    close(run(tf.fft(z)), np.fft.fft(z))
    close(run(tf.signal.ifft2d(z)), np.fft.ifft2(z))
    close(run(tf.spectral.fft3d(z)), np.fft.fftn(z))
    close(run(tf.signal.rfft(a)), np.fft.rfft(a))
    close(run(tf.signal.rfft(a, [11])), np.fft.rfft(a, 11))
    close(run(tf.signal.rfft(a, [5])), np.fft.rfft(a, 5))
    close(run(tf.signal.rfft2d(a)), np.fft.rfft2(a))
    close(run(tf.signal.irfft(z)), np.fft.irfft(z))
    close(run(tf.signal.irfft(z, [9])), np.fft.irfft(z, 9))
    close(run(tf.signal.irfft(tf.signal.rfft(a), [8])), a)
    open_shape = tf.placeholder(tf.float32, [None, None])
    got = run(tf.signal.rfft(open_shape, [10]), {open_shape: a[0]})
    close(got, np.fft.rfft(a[0], 10))
    close(run(tf.signal.fftshift(a, axes=[1, 2])), np.fft.fftshift(a, axes=[1, 2]))
    close(run(tf.signal.ifftshift(a[0])), np.fft.ifftshift(a[0]))
    with pytest.raises(ValueError, match="RFFT requires"):
        tf.signal.rfft(z)


def frames_of(x, length, step):
    count = max(0, 1 + (x.shape[-1] - length) // step)
    return np.stack([x[..., i * step : i * step + length] for i in range(count)], axis=-2)


def test_frames():
    x = RANDOM.randn(2, 20).astype(np.float32)
    frames = tf.signal.frame(x, 6, 4)
    assert frames.shape.as_list() == [2, 4, 6]
    close(run(frames), frames_of(x, 6, 4))
    padded = run(tf.signal.frame(x, 6, 4, pad_end=True, pad_value=7.0))
    close(padded, frames_of(np.pad(x, [(0, 0), (0, 2)], constant_values=7), 6, 4))
    open_shape = tf.placeholder(tf.float32, [None])
    close(run(tf.signal.frame(open_shape, 5, 3), {open_shape: x[0]}), frames_of(x[0], 5, 3))
    whole = np.zeros([2, 18], np.float32)
    cut = frames_of(x, 6, 4)
    for i in range(4):
        whole[:, 4 * i : 4 * i + 6] += cut[:, i]
    close(run(tf.signal.overlap_and_add(frames, 4)), whole)
    close(run(tf.signal.overlap_and_add(frames, 6)), cut.reshape(2, 24))


def test_windows():
    close(run(tf.signal.hann_window(8)), 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(8) / 8))
    close(run(tf.signal.hann_window(8, periodic=False)), np.hanning(8))
    close(run(tf.signal.hamming_window(9, periodic=False)), np.hamming(9))
    close(run(tf.signal.kaiser_window(9, 6.0)), np.kaiser(9, 6.0))
    close(run(tf.signal.hann_window(1)), [1])
    with pytest.raises(ValueError, match="must be a floating point type"):
        tf.signal.hann_window(8, dtype=tf.int32)


def test_spectra():
    x = RANDOM.randn(200).astype(np.float32)
    spectra = tf.signal.stft(x, 32, 8)
    assert spectra.shape.as_list() == [22, 17]
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(32) / 32)
    close(run(spectra), np.fft.rfft(frames_of(x, 32, 8) * window))
    back = tf.signal.inverse_stft(spectra, 32, 8, window_fn=tf.signal.inverse_stft_window_fn(8))
    close(run(back)[32:168], x[32:168])
    lines = tf.signal.inverse_mdct(tf.signal.mdct(x, 16, norm="ortho"), norm="ortho")
    close(run(lines)[8:192], x[8:192])


def test_cosines():
    x = RANDOM.randn(3, 8)
    k = np.arange(8)
    second = 2 * (x @ np.cos(np.pi * np.outer(2 * k + 1, k) / 16))
    close(run(tf.signal.dct(x, 2)), second)
    scale = np.where(k == 0, np.sqrt(1 / 32), np.sqrt(1 / 16))
    close(run(tf.signal.dct(x, 2, norm="ortho")), second * scale)
    for kind in (2, 3, 4):
        again = tf.signal.idct(tf.signal.dct(x, kind, norm="ortho"), kind, norm="ortho")
        close(run(again), x)
    close(run(tf.signal.idct(tf.signal.dct(x, 1), 1)), x * 14)
    close(run(tf.signal.dct(x, 2, n=5)), run(tf.signal.dct(x[:, :5], 2)))
    with pytest.raises(ValueError, match="Types I, II"):
        tf.signal.dct(x, 5)


def test_mel():
    weights = run(tf.signal.linear_to_mel_weight_matrix(6, 33, 8000))
    assert weights.shape == (33, 6) and weights.min() == 0 and 0.5 < weights.max() <= 1
    assert (weights[0] == 0).all() and (weights.sum(0) > 0).all()
    logs = RANDOM.randn(4, 6).astype(np.float32)
    close(run(tf.signal.mfccs_from_log_mel_spectrograms(logs)), run(tf.signal.dct(logs, 2)) / np.sqrt(12))


def test_constants_of_complex_numbers_move():
    for dtype in ("complex64", "complex128"):
        value = np.array([[1 + 2j, -3e30 + 1j], [np.nan, 4j]], dtype)
        constant = tf.constant(value)
        moved = [
            tf.squeeze(constant[None, :1, :1]), tf.transpose(constant), tf.concat([constant, constant[::-1]], 0),
            tf.pad(constant, [[1, 0], [0, 0]]), tf.gather(constant, [1, 0]), tf.tile(constant, [1, 2]), constant * 1, constant + 0,
        ]  # fmt: skip
        expected = [
            value[0, 0], value.T, np.concatenate([value, value[::-1]]), np.pad(value, [[1, 0], [0, 0]]), value[::-1],
            np.tile(value, [1, 2]), value, value,
        ]  # fmt: skip
        with tf.Session() as session:
            for given, wanted in zip(session.run(moved), expected):
                np.testing.assert_array_equal(given, wanted)
