"""tf.constant of lists: complex numbers, and which element is refused."""

import numpy as np
import pytest

import kiln.compat.v1 as tf


@pytest.mark.parametrize(
    ("value", "dtype", "wanted"),
    [
        ([1j, 2], None, np.array([1j, 2])),
        ([[1j], [2.5]], None, np.array([[1j], [2.5]])),
        ([1, 2 - 1j], tf.complex64, np.array([1, 2 - 1j], "c8")),
        ([np.complex64(1 + 2j)], None, np.array([1 + 2j], "c8")),
        (np.array([1, 2], "f4"), tf.complex128, np.array([1, 2], "c16")),
    ],
)
def test_complex_numbers(value, dtype, wanted):
    tensor = tf.constant(value, dtype)
    with tf.Session() as session:
        result = session.run(tensor)
    assert tensor.dtype == wanted.dtype and result.dtype == wanted.dtype
    assert np.array_equal(result, wanted)


@pytest.mark.parametrize(
    ("value", "dtype", "words"),
    [
        ([1, 1.5], tf.int32, "Expected int32, but got 1.5 of type 'float'."),
        ([["a"]], tf.float32, "Expected float32, but got a of type 'str'."),
        ([1, 2j], tf.float32, "Expected float32, but got 2j of type 'complex'."),
        (1 - 2j, tf.float32, "Expected float32, but got (1-2j) of type 'complex'."),
    ],
)
def test_the_first_value_that_does_not_fit_is_named(value, dtype, words):
    with pytest.raises(TypeError) as caught:
        tf.constant(value, dtype)
    assert str(caught.value).startswith(words)


def test_ranges_of_python_are_tensors():
    with tf.Graph().as_default(), tf.Session() as session:
        assert session.run(tf.constant(range(3))).tolist() == [0, 1, 2]
        assert session.run(tf.constant(range(0))).dtype == np.int32
        converted = tf.convert_to_tensor(range(1, 7, 2))
        assert converted.op.type == "Range" and session.run(converted).tolist() == [1, 3, 5]
        assert session.run(tf.reduce_sum(tf.ones([2, 3, 4]), range(1, 3))).tolist() == [12, 12]
        assert session.run(tf.add_n(x for x in (tf.constant(1), tf.constant(2)))) == 3


def test_numbers_become_quantized_types():
    with tf.Graph().as_default(), tf.Session() as session:
        for value in ([42], np.array([42])):
            tensor = tf.constant(value, tf.qint8)
            assert tensor.dtype == tf.qint8 and session.run(tf.identity(tensor)).tolist() == [42]
