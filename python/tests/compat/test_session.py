"""Sessions, variables and variable scopes of kiln.compat.v1."""

import collections
import gc
import weakref

import numpy as np
import pytest

import kiln
import kiln.compat.v1 as tf
from kiln._kiln import front as _c
from kiln.compat.v1 import _session


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


def placeholder(shape=(), dtype=tf.float32, name="x"):
    return _c.placeholder(dtype, shape, name)


def test_results_have_the_structure_of_the_fetches():
    x = placeholder()
    y, pair = x * 2, collections.namedtuple("Pair", "a b")
    with tf.Session() as session:
        for _ in range(3):  # the second run is remembered
            result = session.run({"a": [x, y], "b": pair(y, (y.op, "x:0"))}, {x: 3})
            assert result == {"a": [3, 6], "b": pair(6, (None, 3))}
            assert isinstance(result["b"], pair)
        ordered = session.run(collections.OrderedDict([("z", y), ("a", x)]), {x: 1})
        assert type(ordered) is collections.OrderedDict and list(ordered) == ["z", "a"]


def test_feeds_are_checked_with_tensorflows_words():
    x, n = placeholder((2,)), placeholder(dtype=tf.int32, name="n")
    with tf.Session() as session:
        with pytest.raises(ValueError, match=r"Cannot feed value of shape \(3,\) for Tensor x:0, which has shape \(2,\)"):
            session.run(x + 1, {x: [1, 2, 3]})
        with pytest.raises(TypeError, match="is not compatible with Tensor type"):
            session.run(n + 1, {n: 2**40})
        with pytest.raises(TypeError, match="Cannot interpret feed_dict key as Tensor"):
            session.run(x + 1, {"nope:0": 1})
        with pytest.raises(TypeError, match="cannot be a tf.Tensor object"):
            session.run(x + 1, {x: x})
        with pytest.raises(ValueError, match="cannot be interpreted as a Tensor"):
            session.run("nope:0")
        y = x + 1
        assert list(session.run(y, {x: [1, 2]})) == [2, 3]
        with pytest.raises(ValueError, match="Cannot feed value of shape"):
            session.run(y, {x: np.zeros((3, 3), "f4")})  # the remembered request, too


def test_errors_of_runs_name_the_operation():
    x = placeholder()
    with tf.Session() as session:
        with pytest.raises(kiln.errors.InvalidArgumentError, match="You must feed a value") as caught:
            session.run(x + 1)
        assert "x" in str(caught.value)
        session.close()
        with pytest.raises(RuntimeError, match="Attempted to use a closed Session"):
            session.run(x, {x: 1})


def test_variables_live_in_the_session():
    v = tf.Variable(3.0, name="v")
    step = v.assign_add(1.0)
    with tf.Session() as first, tf.Session() as second:
        with pytest.raises(kiln.errors.FailedPreconditionError, match="uninitialized"):
            first.run(v)
        for session in (first, second):
            session.run(tf.global_variables_initializer())
        assert first.run(step) == 4 and first.run(v) == 4 and second.run(v) == 3
        v.load(7.0, first)
        assert v.eval(first) == 7
    assert repr(v) == "<tf.Variable 'v:0' shape=() dtype=float32_ref>"
    assert tf.global_variables() == [v] and tf.trainable_variables() == [v]


def test_variable_scopes_share_by_name():
    with tf.variable_scope("a"):
        v = tf.get_variable("v", [2], initializer=lambda shape, dtype, partition_info: np.ones(shape, "f4"))
    with tf.variable_scope("a", reuse=True) as scope:
        assert tf.get_variable("v", [2]) is v and scope.reuse and scope.name == "a"
    with pytest.raises(ValueError, match="Variable a/v already exists"):
        with tf.variable_scope("a"):
            tf.get_variable("v", [2])
    with pytest.raises(ValueError, match="does not exist"):
        with tf.variable_scope("a", reuse=True):
            tf.get_variable("w", [2])
    with tf.variable_scope("b", reuse=tf.AUTO_REUSE):
        assert tf.get_variable("w", [2]) is tf.get_variable("w", [2])
    with tf.variable_scope(None, default_name="a") as scope:
        assert scope.name == "a_1"
    with tf.variable_scope(scope, initializer=5.0):
        assert tf.get_variable_scope().initializer == 5.0
        assert tf.get_variable("q").name == "a_1/q:0"


def test_custom_getters_and_creators():
    names = []

    def getter(getter, name, **arguments):
        names.append(name)
        return getter(name, **arguments)

    with tf.variable_scope("s", custom_getter=getter):
        tf.get_variable("v", [1])
    assert names == ["s/v"]

    def creator(next_creator, **arguments):
        arguments["name"] = "made"
        return next_creator(**arguments)

    with tf.variable_creator_scope(creator):
        assert tf.Variable(1.0).name == "made:0"


def test_exceptions_of_callbacks_come_through():
    def fails(shape, dtype=None, partition_info=None):
        raise ZeroDivisionError("here")

    with pytest.raises(ZeroDivisionError, match="here"):
        tf.get_variable("v", [1], initializer=fails)
    assert tf.get_variable("w", [1]).name == "w:0"


def test_callables_partial_runs_and_default_sessions():
    x = placeholder()
    y, z = x + 1, x * 3
    with tf.Session() as session:
        call = session.make_callable([y, z], [x])
        assert call(2) == [3, 6]
        handle = session.partial_run_setup([y, z], [x])
        assert session.partial_run(handle, y, {x: 1}) == 2 and session.partial_run(handle, z) == 3
        assert y.eval({x: 4}) == 5 and tf.get_default_session() is session
    with pytest.raises(ValueError, match="No default session is registered"):
        y.eval({x: 1})


def test_callables_that_cannot_run():
    x = placeholder()
    checked = tf.check_numerics(tf.log(x), "of x", name="checked")
    with tf.Session() as session:
        call = session.make_callable(checked, [x])
        assert call(1) == 0 == call(np.float32(1)) == call(np.ones([], "f4"))
        with pytest.raises(tf.errors.InvalidArgumentError, match="of x.*\n.*node checked") as raised:
            call(-1)
        assert raised.value.op is checked.op
        with pytest.raises(ValueError, match="Cannot feed value of shape"):
            call([1.0, 2.0])
        with pytest.raises(ValueError, match="could not convert string to float"):
            call("one")
        with pytest.raises(tf.errors.InvalidArgumentError, match="must feed a value"):
            call()
        with pytest.raises(TypeError, match="unexpected keyword"):
            call(1, other=2)
        assert call(1) == 0
        session.call = call  # a cycle
    with pytest.raises(RuntimeError, match="closed Session"):
        call(1)
    gone = weakref.ref(session)
    del session, call, raised
    gc.collect()
    assert gone() is None


def test_sparse_values():
    sparse = tf.SparseTensor([[0, 1]], [2.0], [2, 3])
    with tf.Session() as session:
        value = session.run(sparse)
        assert isinstance(value, tf.SparseTensorValue) and value.values[0] == 2
        fed = tf.SparseTensorValue(np.array([[1, 1]]), np.array([5.0], "f4"), np.array([2, 3]))
        assert session.run(sparse, {sparse: fed}).values[0] == 5


def test_partial_runs_refuse_with_tensorflows_words():
    x, y = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    total, double = x + y, x * 2
    with tf.Session() as session:
        handle = session.partial_run_setup([total, double], [x, y])
        assert session.partial_run(handle, total, {x: 1, y: 2}) == 3
        with pytest.raises(tf.errors.InvalidArgumentError, match="has already been fed.$"):
            session.partial_run(handle, double, {x: 1})
        with pytest.raises(TypeError, match="Cannot interpret argument `feed` key as Tensor"):
            session.partial_run_setup([total], ["nothing:0"])


def test_objects_that_programs_register_are_fetched_and_fed():
    class Squared:
        def __init__(self, tensor):
            self.sq = tf.square(tensor)

    register = _session.register_session_run_conversion_functions
    register(
        Squared,
        lambda squared: ([squared.sq], lambda values: values[0]),
        lambda squared, value: [(squared.sq, value)],
        lambda squared: [squared.sq],
    )
    squared = Squared([1.0, 3.0])
    with tf.Session() as session:
        assert session.run(squared).tolist() == [1, 9]
        assert session.run(squared, {squared: [4.0, 5.0]}).tolist() == [4, 5]
        handle = session.partial_run_setup([squared], [squared])
        assert session.partial_run(handle, squared, {squared: [2.0, 7.0]}).tolist() == [2, 7]


def test_a_session_is_entered_once():
    session = tf.Session()
    with pytest.raises(RuntimeError, match="not re-entrant"), session, session:
        pass
    assert tf.get_default_session() is None


def test_arguments_of_sessions_are_checked():
    with pytest.raises(TypeError, match="Argument `target` must be a string"):
        tf.Session(37)
    with pytest.raises(TypeError, match='instead of "Session\\(config=config\\)"'):
        tf.Session(tf.ConfigProto())
    with pytest.raises(TypeError, match="Argument `config` must be a tf.ConfigProto"):
        tf.Session(config=37)
    with pytest.raises(TypeError, match="Argument `graph` must be a tf.Graph"):
        tf.Session(graph=37)


def test_a_second_interactive_session_is_logged(caplog):
    first = tf.InteractiveSession()
    assert not caplog.records
    second = tf.InteractiveSession()
    assert "An interactive session is already active." in caplog.text
    second.close()
    first.close()


def test_a_function_without_results_is_an_operation():
    seen = []
    with tf.Session() as session:
        noted = tf.py_func(seen.append, [tf.constant(3)], [])
        assert session.run(noted) is None and seen == [3]
        wrong = tf.py_func(lambda: {"a": 1}, [], tf.int64)
        with pytest.raises(tf.errors.InternalError, match="Unsupported object type dict"):
            session.run(wrong)
