"""tf.GradientTape in graphs, and nodes that call functions."""

import pytest

import kiln.compat.v1 as tf
from kiln.compat._python.ops import functional_ops
from kiln.compat.v1._functions import Defun


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def run(*fetches):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(list(fetches))


def test_sources_are_variables_and_what_is_watched():
    x, v = tf.constant(3.0), tf.Variable(2.0, use_resource=True)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        z = y * v
    found = tape.gradient(z, {"x": x, "rest": [v, y], "other": tf.constant(1.0)})
    assert found["other"] is None
    assert run(found["x"], *found["rest"]) == [12, 9, 2]
    assert tape.watched_variables() == (v,)


def test_what_is_not_watched_has_no_gradient():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    assert tape.gradient(y, x) is None
    with pytest.raises(RuntimeError, match="non-persistent GradientTape"):
        tape.gradient(y, x)


def test_nodes_call_functions():
    @Defun(tf.int32)
    def is_small(x):
        return x < 10

    @Defun(tf.int32)
    def more(x):
        return x + 3

    @Defun(tf.int32)
    def triple(x):
        return x * 3

    @Defun(tf.int32, tf.float32)
    def add(i, x):
        return x + tf.cast(i, tf.float32)

    chosen = functional_ops.If(tf.constant(False), [5], more, triple)
    looped = functional_ops.While([1], is_small, more)
    counted = functional_ops.For(0, 4, 1, [1.0], add)
    assert run(chosen[0], looped[0], counted[0]) == [15, 10, 7]
    with pytest.raises(ValueError, match="do not have the same signature"):
        functional_ops.While([1], is_small, add)
