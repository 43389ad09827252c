"""Quantized numbers: in constants, fed and fetched, and the functions of tf.nn and tf.quantization on them."""

import numpy as np

import kiln.compat.v1 as tf


def run(fetches, feeds=None):
    with tf.Session() as session:
        return session.run(fetches, feeds)


def as_bytes(values, dtype=tf.quint8):
    return np.array(values, np.uint8 if dtype == tf.quint8 else np.int8).astype(dtype.as_numpy_dtype)


def test_numbers_are_fed_and_fetched():
    for dtype in (tf.quint8, tf.qint8):
        fed = tf.placeholder(dtype, [3])
        constant = tf.constant(as_bytes([1, 100, 3], dtype), dtype)
        given = as_bytes([0, 127, 5], dtype)
        first, second = run([tf.identity(fed), tf.identity(constant)], {fed: given})
        assert first.dtype == second.dtype == (np.uint8 if dtype == tf.quint8 else np.int8)
        assert first.tolist() == [0, 127, 5] and second.tolist() == [1, 100, 3]


def test_convolution_through_ranges():
    image = tf.quantization.quantize(tf.constant([[[[-1.0], [1.0]], [[0.5], [0.0]]]]), -1.0, 1.0, tf.quint8, mode="MIN_FIRST")
    weights = tf.quantization.quantize(tf.constant([[[[2.0]]]]), -2.0, 2.0, tf.quint8, mode="MIN_FIRST")
    output, low, high = tf.nn.quantized_conv2d(
        image[0], weights[0], image[1], image[2], weights[1], weights[2], [1, 1, 1, 1], "SAME"
    )
    assert output.dtype == tf.qint32 and output.shape.as_list() == [1, 2, 2, 1]
    floats = run(tf.quantization.dequantize(output, low, high, mode="MIN_FIRST"))
    assert np.allclose(floats.ravel(), [-2, 2, 1, 0], atol=0.02)


def test_pools_and_activations_keep_the_range():
    x = tf.constant(as_bytes([[[[10], [20]], [[30], [41]]]]), tf.quint8)
    window = {"ksize": [1, 2, 2, 1], "strides": [1, 1, 1, 1], "padding": "VALID"}
    mean, largest = tf.nn.quantized_avg_pool(x, -1.0, 1.0, **window), tf.nn.quantized_max_pool(x, -1.0, 1.0, **window)
    bounded = tf.nn.quantized_relu_x(x, 0.0, -1.0, 1.0)
    values = run([tf.cast(y[0], tf.int32) for y in (mean, largest, bounded)] + [mean[1], largest[2]])
    assert values[0].ravel() == [25] and values[1].ravel() == [41] and values[3:] == [-1, 1]
    assert (values[2] == 128).all()


def test_concat_takes_the_wider_range():
    x, y = (tf.constant(as_bytes(v), tf.quint8) for v in ([0, 255], [255]))
    joined, low, high = tf.quantization.quantized_concat(0, [x, y], [-1.0, -2.0], [1.0, 3.0])
    assert tf.quantized_concat is tf.quantization.quantized_concat
    values, low, high = run([tf.cast(joined, tf.int32), low, high])
    assert values.tolist() == [51, 153, 255] and (low, high) == (-2, 3)
