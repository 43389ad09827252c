"""Variables as messages, and checks of variables. What is expected are TensorFlow's results."""

import pytest

import kiln.compat.v1 as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


@pytest.mark.parametrize("is_resource", [False, True])
def test_a_variable_comes_back_from_its_message(is_resource):
    with tf.name_scope("s"):
        variable = tf.Variable([1.0, 2.0], name="v", use_resource=is_resource)
    message = variable.to_proto()
    read = "s/v/Read/ReadVariableOp:0" if is_resource else "s/v/read:0"
    assert (message.variable_name, message.snapshot_name) == ("s/v:0", read)
    again = tf.Variable.from_proto(variable.to_proto("s"), import_scope="s")
    assert (again.name, again.initializer) == ("s/v:0", variable.initializer)
    assert again._is_resource() == is_resource and again.shape.as_list() == [2]
    assert variable.to_proto("elsewhere") is None
    with pytest.raises(KeyError):
        tf.Variable.from_proto(message, import_scope="elsewhere")
    with tf.Session() as session:
        session.run(again.initializer)
        assert session.run(variable).tolist() == [1.0, 2.0]


def test_variables_without_values_end_a_run():
    assert tf.assert_variables_initialized() is None
    variable = tf.Variable(1.0)
    tf.Variable(2.0)
    check = tf.assert_variables_initialized([variable])
    assert tf.assert_variables_initialized().op.type == "Pack"
    with tf.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(check)
        session.run(variable.initializer)
        session.run(check)


def test_a_variable_has_the_constraint_that_it_was_given():
    constraint = lambda value: value  # noqa: E731
    assert tf.get_variable("v", [], constraint=constraint).constraint is constraint
    assert tf.get_variable("w", []).constraint is None


def test_a_regularizer_may_give_no_loss():
    tf.get_variable("v", [], regularizer=tf.no_regularizer)
    assert tf.losses.get_regularization_losses() == []


def test_what_replicas_write_is_not_trained():
    tf.get_variable("v", [], synchronization=tf.VariableSynchronization.ON_READ)
    assert tf.trainable_variables() == []
    with pytest.raises(ValueError, match="only for non-trainable"):
        tf.Variable(1.0, trainable=True, synchronization=tf.VariableSynchronization.ON_READ)


def test_a_custom_getter_is_a_function():
    with pytest.raises(ValueError, match="not callable: 3"):
        tf.get_variable("v", [], custom_getter=3)
