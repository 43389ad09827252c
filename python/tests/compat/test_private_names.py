"""Names of TensorFlow's private modules that its own tests use, and what they give."""

import importlib

import pytest

import kiln.compat
import kiln.compat.v1 as tf


def module(name):
    kiln.compat.install()
    return importlib.import_module(f"tensorflow.python.{name}")


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def test_names_stand_for_what_kiln_has():
    assert issubclass(module("client.session").Session, module("client.session").BaseSession)
    assert module("framework.versions").__version__ == tf.VERSION
    assert module("framework.random_seed").DEFAULT_GRAPH_SEED == 87654321
    assert module("framework.indexed_slices").IndexedSlicesValue._fields == ("values", "indices", "dense_shape")
    assert module("ops.init_ops")._compute_fans([3, 3, 4, 5]) == (36, 45)
    error = module("framework.errors_impl")._make_specific_exception(None, None, "no", 5)
    assert isinstance(error, tf.errors.NotFoundError)


def test_resource_variables_are_variables():
    resource_variables = module("ops.resource_variable_ops")
    made = resource_variables.ResourceVariable(1.0, name="v")
    assert isinstance(made, tf.Variable) and isinstance(made, resource_variables.ResourceVariable)
    assert not resource_variables.is_resource_variable(tf.Variable(1.0))


def test_variables_by_ops():
    state = module("ops.state_ops")
    reference = state.variable_op([1, 2], tf.float32)
    assert reference.op.type == "Variable" and reference.shape.as_list() == [1, 2]
    assert state.variable_op([1, 2], tf.float32, set_shape=False).shape.ndims is None
    assert state.variable_op_v2([2], tf.int32, name="w").op.name == "w"


def test_predicates_that_are_known_decide_at_once():
    smart = module("framework.smart_cond")
    is_training = tf.placeholder(tf.bool, [])
    one, two = tf.constant(1), tf.constant(2)
    assert smart.smart_case([(False, lambda: two), (True, lambda: one)]) is one
    assert smart.smart_case({False: lambda: two}, default=lambda: one) is one
    chosen = smart.smart_case([(False, lambda: one), (is_training, lambda: one), (True, lambda: two)])
    with tf.Session() as session:
        assert [session.run(chosen, {is_training: value}) for value in (True, False)] == [1, 2]
