"""Functions in a graph's library: Defun and tf.function."""

import numpy as np
import pytest

import kiln.compat.v1 as tf
from kiln.compat.v1._functions import Defun


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def run(*fetches, feeds=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(list(fetches), feeds)


def test_calls_are_nodes_whose_op_is_the_function():
    @Defun(tf.float32, tf.float32)
    def f(x, y):
        return x * y + 1.0, x - y

    a = tf.placeholder(tf.float32, [2])
    u, v = f(a, [1.0, 2.0], name="call")
    assert u.op.name == "call" and u.op.type == f.name
    u, v, du = run(u, v, tf.gradients(u, a)[0], feeds={a: [3, 4]})
    assert u.tolist() == [4, 9] and v.tolist() == [2, 2] and du.tolist() == [1, 2]
    assert f.definition.signature.name == f.name


def test_gradients_of_a_programs_own():
    @Defun(tf.float32, tf.float32)
    def gradient(x, dy):
        return dy * 7.0

    @Defun(tf.float32, grad_func=gradient)
    def one(x):
        return x * x

    @Defun(tf.float32, python_grad_func=lambda op, dy: dy * 9.0)
    def other(x):
        return x * x + 0.0

    x = tf.constant(3.0)
    assert run(*tf.gradients(one(x), x), *tf.gradients(other(x), x)) == [7, 9]


def test_types_of_arguments_choose_a_function():
    @Defun()
    def twice(x):
        return x + x

    assert run(twice(1), twice(2.0)) == [2, 4]
    with pytest.raises(ValueError, match="Expected 1 arguments, got 2"):
        Defun(tf.float32)(lambda x: x)(1.0, 2.0)
    with pytest.raises(ValueError, match="not compatible with the allowed arguments"):
        Defun(tf.float32)(lambda x, y: x)


def test_functions_of_tensors_and_structures():
    calls = []
    w = tf.Variable(3.0, use_resource=True)

    @tf.function
    def f(x, y=2.0, flag=True):
        calls.append(flag)
        return {"product": x * w, "others": (x + y if flag else x, None)}

    a = tf.placeholder(tf.float32, [2])
    first, second, third = f(a), f(a), f(a, flag=False)
    assert calls == [True, True, False]
    assert first["product"].op.type == "StatefulPartitionedCall"  # it reads a variable
    assert first["product"].shape.as_list() == [2] and first["others"][1] is None
    values = run(
        first["product"], second["others"][0], third["others"][0], *tf.gradients(first["product"], [a, w]),
        feeds={a: [3, 4]},
    )  # fmt: skip
    expected = [[9, 12], [5, 6], [3, 4], [3, 3], 7]
    for value, right in zip(values, expected):
        np.testing.assert_array_equal(value, right)


def test_effects_and_methods():
    v = tf.Variable(1.0, use_resource=True)

    class Counter:
        @tf.function
        def add(self, x):
            return v.assign_add(x)

    counter = Counter()
    result = counter.add(tf.constant(2.0))
    assert result.op.type == "StatefulPartitionedCall"
    assert run(result) == [3]


def test_functions_of_one_name_do_not_share_gradients():
    def square(x):
        return x * x

    def tenfold(operation, gradient):
        return 10.0 * gradient

    def sevenfold(operation, gradient):
        return 7.0 * gradient

    x = tf.constant(3.0)
    options = ({}, {"python_grad_func": tenfold}, {"python_grad_func": sevenfold}, {})
    calls = [Defun(tf.float32, **each)(square)(x) for each in options]
    assert run(*(tf.gradients(call, x)[0] for call in calls)) == [6, 10, 7, 6]


def test_functions_that_differ_in_attributes_alone_are_others():
    def f(dtype, axis):
        return Defun(tf.float32, func_name="f")(lambda x: tf.cast(tf.split(x, 2, axis)[1], dtype))

    x = tf.constant([[1.5, 2.5], [3.5, 4.5]])
    results = run(f(tf.int32, 0)(x), f(tf.float64, 0)(x), f(tf.float64, 1)(x))
    assert [each.tolist() for each in results] == [[[3, 4]], [[3.5, 4.5]], [[2.5], [4.5]]]
