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
    def of(dtype, axis):
        @Defun(tf.float32)
        def f(x):
            return tf.cast(tf.split(x, 2, axis)[1], dtype)

        return f

    x = tf.constant([[1.5, 2.5], [3.5, 4.5]])
    results = run(of(tf.int32, 0)(x), of(tf.float64, 0)(x), of(tf.float64, 1)(x))
    assert [each.tolist() for each in results] == [[[3, 4]], [[3.5, 4.5]], [[2.5], [4.5]]]


def test_a_name_of_the_programs_own_is_the_whole_name():
    @Defun(tf.float32, func_name="Twice", noinline=True, experimental_tag="tag")
    def twice(x):
        return x + x

    assert twice(1.0).op.name == "Twice" and twice(2.0).op.type == "Twice"
    assert twice.definition.attr["_noinline"].b and twice.definition.attr["experimental_tag"].s == b"tag"
    with pytest.raises(tf.errors.InvalidArgumentError, match="a different function with the same name already exists"):
        Defun(tf.float32, func_name="Twice")(lambda x: x * 3.0)(tf.constant(1.0))
    with pytest.raises(ValueError, match="Unknown keyword arguments"):
        twice(1.0, device="/cpu:0")


def test_what_a_function_takes_from_outside_is_passed_or_copied():
    w, state = tf.constant(3.0), tf.random_uniform([], 2, 4, tf.int32)

    @Defun(tf.float32)
    def passes(x):
        return x * w

    @Defun(tf.float32, capture_by_value=True)
    def copies(x):
        return x * w

    assert passes.captured_inputs == [w] and copies.captured_inputs == []
    assert run(passes(2.0), copies(2.0)) == [6, 6]
    with pytest.raises(ValueError, match="Cannot capture a stateful node"):
        Defun(func_name="refused", capture_by_value=True)(lambda: state + 1)()
    draws = Defun(func_name="draws", capture_by_value=True, allowlisted_stateful_ops={state.op})(lambda: state + 1)
    assert [kind for _, kind in draws.stateful_ops] == ["RandomUniformInt"] and run(draws())[0] in (3, 4)


def test_arguments_without_effect_have_zeros_as_gradients():
    @Defun(tf.float32, tf.float32)
    def first(x, y):
        return 2.0 * x

    x, y = tf.constant(1.0), tf.constant(2.0)
    assert run(*tf.gradients(first(x, y), [x, y])) == [2, 0]


def test_gradients_of_calls_of_calls():
    @Defun(tf.float32)
    def inner(x):
        return x * x

    outer = Defun(tf.float32, func_name="outer")(lambda x: inner(x))
    x = tf.constant(3.0)
    assert run(*tf.gradients(outer(x), x)) == [6]


def test_a_gradient_of_the_programs_own_gets_zeros_for_unused_results():
    @Defun(tf.float32, tf.float32, tf.float32)
    def gradient(x, dy, dz):
        return dy + 10.0 * dz

    pair = Defun(tf.float32, func_name="pair", grad_func=gradient)(lambda x: (x, x * 2.0))
    x = tf.constant(3.0)
    assert run(*tf.gradients(pair(x)[0], x)) == [1]
