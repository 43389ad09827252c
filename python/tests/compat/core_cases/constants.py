"""Constants and what becomes one."""

import numpy as np


def of_python_values(tf):
    return [
        tf.constant(1), tf.constant(1.5), tf.constant("a"), tf.constant(True), tf.constant([1, 2]),
        tf.constant([[1.0], [2]], name="c"), tf.constant(3, shape=[2, 2]), tf.constant([1, 2], tf.float32),
        tf.constant(2**40), tf.constant([b"x", "y"]), tf.constant([]), tf.constant([], tf.string),
        tf.constant([1, 2, 3], shape=[3, 1], dtype=tf.int64), tf.constant(0, shape=[0]),
    ]  # fmt: skip


def of_arrays(tf):
    return [
        tf.constant(np.arange(4)), tf.constant(np.float64(2)), tf.constant(np.ones([2, 2], np.float32)),
        tf.constant(np.array(["a", "bc"])), tf.constant(np.array([True])), tf.constant(np.int16(3)),
        tf.constant(np.zeros([0, 2])), tf.constant(np.arange(4), dtype=tf.float32),
        tf.constant([np.float32(1), 2.0]),
    ]  # fmt: skip


def too_large_for_uint8(tf):
    tf.constant(300, tf.uint8)


def negative_of_uint8(tf):
    tf.constant(-1, tf.uint8)


def large_list_of_uint8(tf):
    tf.constant([1, 256], tf.uint8)


def float_as_int(tf):
    tf.constant(1.5, tf.int32)


def text_as_float(tf):
    tf.constant("a", tf.float32)


def number_as_text(tf):
    tf.constant(1, tf.string)


def none(tf):
    tf.constant(None)


def ragged(tf):
    tf.constant([[1, 2], [3]])


def mixed(tf):
    tf.constant([1, "a"])


def too_small_for_the_shape(tf):
    return [tf.constant([1, 2, 3], shape=[2, 2]), tf.constant([1.0, 2.0], shape=[3])]


too_small_for_the_shape.values_only = True


def too_large_for_the_shape(tf):
    tf.constant([1, 2, 3], shape=[2])


def bools_as_numbers(tf):
    return [tf.constant(True, tf.float32), tf.constant([True, 1.5]), tf.constant([True, 1]), tf.constant([False], tf.int64)]


def bool_as_int(tf):
    tf.constant(True, tf.int32)


def int_as_bool(tf):
    tf.constant(1, tf.bool)


def list_with_none(tf):
    tf.constant([1, None])


def zeros_and_ones(tf):
    x = tf.placeholder_with_default([[1.0, 2.0]], [None, 2])
    return [
        tf.zeros([2]), tf.zeros([2, 3], tf.int32, name="z"), tf.ones([]), tf.ones([1]),
        tf.zeros(tf.constant([2, 1])), tf.zeros(tf.shape(x)), tf.zeros_like(x), tf.ones_like(x, dtype=tf.int32),
        tf.zeros_like([1, 2]), tf.zeros_like(x, optimize=False), tf.ones_like([[True]]), tf.fill([2, 2], 3.0),
        tf.fill(tf.constant([2]), "a", name="f"), tf.zeros([2], tf.string), tf.zeros([1000]), tf.ones([30, 40]),
        tf.zeros([2], tf.bool), tf.ones([2], tf.bool), tf.eye(2), tf.eye(2, 3, dtype=tf.int32), tf.eye(2, batch_shape=[2]),
    ]  # fmt: skip


def converted(tf):
    v = tf.Variable([1.0, 2.0], name="v")
    x = tf.constant(3.0)
    return [
        tf.convert_to_tensor([1, 2]), tf.convert_to_tensor(v), tf.convert_to_tensor([x, 1.0]),
        tf.convert_to_tensor([[x, 1.0], [2.0, x]], name="m"), tf.convert_to_tensor(2, preferred_dtype=tf.float32),
        tf.convert_to_tensor(2.5, dtype_hint=tf.int32), tf.convert_to_tensor(tf.TensorShape([2, 3])),
        tf.convert_to_tensor(tf.Dimension(3)), tf.convert_to_tensor((1, 2), tf.int64), tf.convert_to_tensor(v.value()),
        tf.convert_to_tensor(np.float32(3)), tf.identity([v, v]), tf.stack([v[0], x]),
    ]  # fmt: skip


def converted_to_another_type(tf):
    tf.convert_to_tensor(tf.constant(1.0), tf.int32)


def converted_unknown_shape(tf):
    tf.convert_to_tensor(tf.TensorShape([None, 2]))


def placeholders(tf):
    a = tf.placeholder(tf.float32)
    b = tf.placeholder(tf.int32, [None, 2], name="b")
    c = tf.placeholder_with_default([1.0], [None])
    s = tf.sparse_placeholder(tf.float32, [None, 3], name="s")
    t = tf.sparse_placeholder(tf.int64)
    tf.placeholder(tf.string, [])
    tf.placeholder(dtype="float64", shape=(3,), name="d")
    assert t.graph is a.graph
    return [a, b, c, s.values, s.dense_shape], {a: 1.0, b: [[1, 2]], s: ([[0, 1]], [2.0], [2, 3])}


def ranges(tf):
    return [
        tf.range(3), tf.range(1, 5), tf.range(1, 9, 2), tf.range(3.0), tf.range(0, 1, 0.25), tf.range(5, 1, -2, name="r"),
        tf.range(tf.constant(3)), tf.range(2, dtype=tf.int64), tf.linspace(0.0, 1.0, 5), tf.lin_space(1.0, 2.0, 3, name="l"),
        tf.range(3, dtype=tf.float32), tf.range(1, limit=4),
    ]  # fmt: skip


def linspace_of_ints(tf):
    tf.linspace(0, 1, 5)
