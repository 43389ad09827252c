"""tf.make_template: what is expected are TensorFlow's names and errors."""

import pytest

import kiln.compat.v1 as tf


def scaled(x, extent=1):
    return x * tf.get_variable("w", [extent], initializer=tf.ones_initializer())


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def test_calls_share_their_variables():
    first, second = tf.make_template("s", scaled), tf.make_template("s", scaled, extent=2)
    x = tf.constant([2.0])
    first(x), first(x), second(x)
    assert [variable.name for variable in tf.global_variables()] == ["s/w:0", "s_1/w:0"]
    assert first.variables == [tf.global_variables()[0]]
    assert first.variable_scope_name == "s/"
    assert second.trainable_variables[0].shape.as_list() == [2]


def test_the_scope_may_be_opened_at_once():
    template = tf.make_template("s", scaled, create_scope_now_=True)
    with tf.variable_scope("other"):
        template(tf.constant([1.0]))
    assert [variable.name for variable in tf.global_variables()] == ["s/w:0"]
    twice = tf.make_template("ignored", scaled, unique_name_="s2")
    twice(tf.constant([1.0]))
    assert twice.var_scope.name == "s2"


def test_a_later_call_may_not_make_variables_that_are_trained():
    template = tf.make_template("s", lambda: tf.Variable(1.0))
    template()
    with pytest.raises(ValueError, match="(?s)when you meant tf.get_variable.*originally defined at"):
        template()
    with pytest.raises(ValueError, match="name cannot be None"):
        tf.make_template(None, scaled)
