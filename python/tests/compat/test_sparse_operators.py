"""Operators of sparse tensors with dense ones."""

import numpy as np
import pytest

import kiln.compat.v1 as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


def sparse(dtype=np.float32):
    return tf.SparseTensor([[0, 1], [1, 2]], np.array([3, 4], dtype), [2, 3])


def values(result):
    assert isinstance(result, tf.SparseTensor)
    with tf.Session() as session:
        found = session.run(result)
    assert found.indices.tolist() == [[0, 1], [1, 2]] and found.dense_shape.tolist() == [2, 3]
    return found.values.tolist()


def test_products():
    row = tf.constant([[1.0, 2.0, 3.0]])
    product = sparse() * row
    assert product.values.op.name == "mul" and product.values.op.type == "SparseDenseCwiseMul"
    assert values(product) == values(row * sparse()) == [6, 12]
    assert values(sparse() * 2) == [6, 8]
    with pytest.raises(TypeError, match="unsupported operand"):
        2 * sparse()


def test_quotients():
    quotient = sparse() / [[1.0, 2.0, 4.0]]
    assert quotient.values.op.name == "truediv" and values(quotient) == [1.5, 1]
    quotient = sparse(np.int32) / [2, 2, 2]
    assert quotient.dtype == tf.float64 and values(quotient) == [1.5, 2]
    assert values(sparse(np.int32).__div__([2, 2, 2])) == [1, 2]


def test_gradients_of_a_product():
    given, row = sparse(), tf.constant([[1.0, 2.0, 3.0]])
    gradients = tf.gradients((given * row).values, [given.values, row])
    with tf.Session() as session:
        of_values, of_row = session.run(gradients)
    assert of_values.tolist() == [2, 3] and of_row.tolist() == [[0, 3, 4]]


@pytest.mark.parametrize(
    "one, other, expected",
    [
        ([[0, 0], [1, 0]], [[0, 0], [1, 1]], [[1, 2], [1, 3]]),
        ([[2, 0], [0, 1], [1, 0]], [[2, 0], [0, 1], [1, 0]], [[1, 2, 3], [1, 2, 3]]),
        ([[2, 0], [0, 1], [1, 0]], [[0, 1], [2, 0]], [[2, 3, 4], [1, 2]]),
        ([[0, 0], [0, 0], [1, 1]], [[0, 0], [1, 1]], [[1, 2, 3], [1, 3]]),
        ([[0, 0], [0, 0]], [[1, 0], [1, 0], [0, 0]], [[1, 2], [3, 4, 5]]),
        ([[1, 1]], [], [[1], []]),
        ([[3, 3], [0, 0]], [[1, 0], [0, 2], [2, 1]], [[4, 5], [1, 2, 3]]),
    ],
)
def test_gradients_of_sums_of_indices_in_any_order(one, other, expected):
    def operand(places):
        values = tf.constant(np.arange(len(places)), tf.float32)
        return values, tf.SparseTensor(np.array(places, "i8").reshape(-1, 2), values, [4, 4])

    (x, a), (y, b) = operand(one), operand(other)
    total = tf.sparse_add(a, b).values
    weighted = total * (tf.cast(tf.range(tf.size(total)), tf.float32) + 1)
    with tf.Session() as session:
        found = session.run(tf.gradients(tf.reduce_sum(weighted), [x, y]))
    assert [each.tolist() for each in found] == expected  # TensorFlow 2.21's
