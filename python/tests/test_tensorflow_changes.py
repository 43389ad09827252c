"""kiln.tensorflow: operations that change after a session has run them."""

import contextlib

import pytest

from tensorflow_beside import on_kiln, same_as_tensorflow, tf

from tensorflow.core.framework import attr_value_pb2
from tensorflow.python.framework import ops

import kiln.tensorflow
from kiln.tensorflow import _graph


@contextlib.contextmanager
def functional_control_flow():
    before = tf.control_flow_v2_enabled()
    tf.enable_control_flow_v2()
    try:
        yield
    finally:
        (tf.enable_control_flow_v2 if before else tf.disable_control_flow_v2)()


def values_of(session, *requests):
    """What the requests give, or that they are errors."""
    seen = []
    for request in requests:
        try:
            seen.append(session.run(request))
        except tf.errors.InvalidArgumentError as error:
            seen.append("Connecting to invalid output" in error.message)
    return seen


def test_gradients_of_functional_control_flow_that_has_run():
    """They give the branches and the loop more outputs, which sessions that have run do not see."""

    def program():
        w = tf.Variable(3.0, use_resource=True)
        with functional_control_flow():
            y = tf.cond(w > 0, lambda: w * w, lambda: w + 1) + tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v * w), [0, w])[1]
            with tf.Session() as before:
                before.run(w.initializer)
                seen = values_of(before, y)
                train = tf.train.GradientDescentOptimizer(0.001).minimize(y)
                seen += values_of(before, train, y + 1)
        for _ in range(2):
            with tf.Session() as session:
                session.run(w.initializer)
                seen += values_of(session, y, train, y, [train, y], w)
        return seen

    assert same_as_tensorflow(program)[1:3] == [True, True]


def a_sum():
    a, b = tf.constant(1.0), tf.constant(2.0)
    total = tf.add(a, b)
    return a, total, total * 10


def an_input():
    a, total, result = a_sum()
    return result, lambda: total.op._update_input(1, a), []


def control_inputs():
    _, total, result = a_sum()
    counter = tf.Variable(1.0)
    more = counter.assign_add(1.0)
    return [result, counter], lambda: total.op._add_control_input(more.op), [counter.initializer]


def fewer_control_inputs():
    counter = tf.Variable(1.0)
    with tf.control_dependencies([counter.assign_add(1.0)]):
        _, total, result = a_sum()
    return [result, counter], lambda: total.op._remove_all_control_inputs(), [counter.initializer]


def an_attribute():
    total = tf.raw_ops.Sum(input=tf.fill([2, 3], 2.0), axis=[0], keep_dims=False)
    return total * 2, lambda: total.op._set_attr("keep_dims", attr_value_pb2.AttrValue(b=True)), []


@pytest.mark.parametrize("make", [an_input, control_inputs, fewer_control_inputs, an_attribute])
def test_a_changed_operation(make):
    """Whoever ran it keeps it as it was; whoever comes later sees the new form."""

    def program():
        fetches, change, initializers = make()
        seen = []
        with tf.Session() as before:
            before.run(initializers)
            seen += [before.run(fetches)]
            change()
            seen += [before.run(fetches), before.run([fetches, tf.constant(1.0)])]
            for _ in range(2):
                with tf.Session() as after:
                    after.run(initializers)
                    seen += [after.run(fetches), after.run([fetches])]
            return seen + [before.run(fetches)]

    same_as_tensorflow(program)


def test_a_changed_device():
    def program():
        _, total, result = a_sum()
        with tf.Session() as session:
            session.run(result)
            total.op._set_device("/cpu:7")
            seen = [session.run([result])]
        with tf.Session() as session:
            try:
                session.run(result)
            except tf.errors.InvalidArgumentError:
                seen.append("no such device")
        return seen

    same_as_tensorflow(program)


def test_a_change_between_two_installations():
    with tf.Graph().as_default():
        a, total, result = a_sum()
        with kiln.tensorflow.install(), tf.Session() as session:
            assert session.run(result) == 30
        total.op._update_input(1, a)
        with kiln.tensorflow.install(), tf.Session() as session:
            assert session.run(result) == 20


def test_the_methods_of_operations_come_back():
    before = dict(vars(ops.Operation))
    with kiln.tensorflow.install():
        assert dict(vars(ops.Operation)) != before
    assert dict(vars(ops.Operation)) == before


def test_a_session_that_goes_on_is_warned_once(on_kiln, monkeypatch):
    said = []
    monkeypatch.setattr(_graph.tf_logging, "warning", lambda text, *values: said.append(text % values))
    a, total, result = a_sum()
    with tf.Session() as session:
        session.run(result)
        total.op._update_input(1, a)
        assert said == []
        session.run([result])
        session.run([[result]])
    assert len(said) == 1 and f"'{total.op.name}' was changed by replacing an input" in said[0]
