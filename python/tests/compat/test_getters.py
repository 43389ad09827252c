"""Custom getters, partitioned variables, and initializers. Names and texts are TensorFlow's."""

import numpy as np
import pytest

import kiln.compat.v1 as tf
from kiln._kiln import front as _c


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


def run(fetches):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches)


def test_a_custom_getter_is_called_with_keywords():
    seen = {}

    def getter(getter, name, *args, **kwargs):
        seen.update(kwargs, name=name, args=args)
        return getter(name, *args, **kwargs)

    with tf.variable_scope("s", custom_getter=getter) as scope:
        variable = tf.get_variable("v", [2, 3], trainable=False)
        assert scope.custom_getter is getter
    assert variable.name == "s/v:0" and not variable.trainable
    assert seen["name"] == "s/v" and seen["args"] == () and seen["shape"] == [2, 3]
    assert seen["trainable"] is False and seen["reuse"] is False and seen["dtype"] == tf.float32
    assert set(seen) == {
        "name", "args", "shape", "dtype", "initializer", "regularizer", "reuse", "trainable", "collections",
        "caching_device", "partitioner", "validate_shape", "use_resource", "constraint", "synchronization",
        "aggregation",
    }  # fmt: skip


def test_getters_stand_around_each_other():
    order = []

    def named(text):
        def getter(getter, name, **kwargs):
            order.append(text)
            return getter(name + text, **kwargs)

        return getter

    with tf.variable_scope("a", custom_getter=named("_outer")):
        with tf.variable_scope("b", custom_getter=named("_inner")) as scope:
            assert tf.get_variable("v", [1]).name == "a/b/v_inner_outer:0"
            composed = scope.custom_getter
    assert order == ["_inner", "_outer"]
    with tf.variable_scope("c", custom_getter=composed):
        assert tf.get_variable("w", [1]).name == "c/w_inner_outer:0"
    with tf.variable_scope("a", custom_getter=named("_outer")):
        assert tf.get_variable("x", [1], custom_getter=named("_own")).name == "a/x_own:0"


def test_a_tensor_stands_for_the_variable_also_in_layers():
    def halved(getter, *args, **kwargs):
        return getter(*args, **kwargs) * 0.5

    with tf.variable_scope("s", custom_getter=halved):
        half = tf.get_variable("v", [2], initializer=tf.ones_initializer())
        x = _c.constant([[1.0, 1.0]])
        layer = tf.layers.Dense(1, kernel_initializer=tf.ones_initializer())
        y = layer(x)
    assert isinstance(half, tf.Tensor) and isinstance(layer.kernel, tf.Tensor)
    np.testing.assert_array_equal(run(half), [0.5, 0.5])
    np.testing.assert_array_equal(run(y), [[1.0]])


def test_an_error_of_a_getter_passes_through():
    def failing(getter, name, **kwargs):
        raise KeyError(name)

    with pytest.raises(KeyError, match="s/v"):
        with tf.variable_scope("s", custom_getter=failing):
            tf.get_variable("v", [1])
    assert tf.get_variable("v", [1]).name == "v:0"


def test_getters_without_a_constraint_are_not_given_one():
    def getter(
        getter, name, shape, dtype, initializer, regularizer, reuse, trainable, collections, caching_device,
        partitioner, validate_shape, use_resource, synchronization, aggregation,
    ):  # fmt: skip
        return getter(name, shape, dtype, initializer)

    with tf.variable_scope("s", custom_getter=getter):
        assert tf.get_variable("v", [1]).name == "s/v:0"


def test_scopes_say_what_variables_get():
    ones = tf.ones_initializer()
    with tf.variable_scope("s", initializer=ones, dtype=tf.float64) as scope:
        assert scope.initializer is ones and scope.dtype == tf.float64
        scope.set_initializer(tf.zeros_initializer())
        scope.set_dtype(tf.float32)
        variable = tf.get_variable("v", [2])
        assert tf.get_variable_scope() == scope
    np.testing.assert_array_equal(run(variable), np.zeros(2, "float32"))


def test_partitioned_variables():
    with tf.variable_scope("s", partitioner=tf.fixed_size_partitioner(2)):
        whole = tf.get_variable("v", [5, 2], initializer=tf.ones_initializer())
        scalar = tf.get_variable("scalar", [], initializer=tf.zeros_initializer())
    assert scalar.name == "s/scalar:0"
    assert whole.name == "s/v" and len(whole) == 2 and whole.shape.as_list() == [5, 2]
    assert [part.name for part in whole] == ["s/v/part_0:0", "s/v/part_1:0"]
    assert [part.shape.as_list() for part in whole] == [[3, 2], [2, 2]]
    assert whole._get_partitions() == [2, 1] and list(whole)[1]._save_slice_info.var_offset == [3, 0]
    with tf.variable_scope("s", reuse=True):
        assert tf.get_variable("v", [5, 2], partitioner=tf.fixed_size_partitioner(2)) is whole
        assert tf.get_variable("v", [5, 2]) is whole
    doubled = _c.multiply(whole, 2.0)
    np.testing.assert_array_equal(run(doubled), np.full((5, 2), 2.0))
    with tf.get_default_graph().control_dependencies(whole.assign(np.arange(10.0).reshape(5, 2))):
        read = [part.read_value() for part in whole]
    np.testing.assert_array_equal(np.concatenate(run(read)), np.arange(10.0).reshape(5, 2))


def test_errors_of_partitioned_variables():
    with pytest.raises(ValueError, match="Partitioner must be callable"):
        tf.get_variable("a", [2], partitioner=3)
    with pytest.raises(ValueError, match="Partitioner returned a partition list that does not match"):
        tf.get_variable("b", [2], partitioner=lambda shape, dtype: [1, 1])
    tf.get_variable("c", [2])
    with tf.variable_scope(tf.get_variable_scope(), reuse=True):
        with pytest.raises(ValueError, match="an unpartitioned version of the variable was found: c"):
            tf.get_variable("c", [2], partitioner=tf.fixed_size_partitioner(2))


def test_partitioners():
    shape = tf.TensorShape([10, 4])
    assert tf.fixed_size_partitioner(3)(shape, dtype=tf.float32) == [3, 1]
    assert tf.variable_axis_size_partitioner(64)(shape=shape, dtype=tf.float32) == [3, 1]
    assert tf.min_max_variable_partitioner(8, min_slice_size=40)(shape=shape, dtype=tf.float32) == [4, 1]


@pytest.mark.parametrize(
    "initializer, expected",
    [
        (tf.initializers.identity(2.0), [[2, 0, 0], [0, 2, 0]]),
        (tf.initializers.constant([1, 2]), [[1, 2, 2], [2, 2, 2]]),
        (tf.initializers.ones(), np.ones((2, 3))),
    ],
)
def test_initializers(initializer, expected):
    np.testing.assert_array_equal(run(tf.get_variable("v", [2, 3], initializer=initializer)), expected)


def test_random_initializers_have_their_scale():
    def deviation(initializer, shape=(400, 100)):
        return np.std(run(tf.get_variable(f"v{len(tf.global_variables())}", shape, initializer=initializer)))

    assert deviation(tf.initializers.he_normal(seed=1)) == pytest.approx(np.sqrt(2 / 400), rel=0.02)
    assert deviation(tf.initializers.lecun_uniform(seed=1)) == pytest.approx(np.sqrt(1 / 400), rel=0.02)
    assert deviation(tf.uniform_unit_scaling_initializer(seed=1)) == pytest.approx(np.sqrt(1 / 400), rel=0.02)
    assert deviation(tf.random_uniform_initializer(0, 10, dtype=tf.int32)) == pytest.approx(np.sqrt(99 / 12), rel=0.02)
    rows = run(tf.get_variable("q", [3, 5], initializer=tf.orthogonal_initializer(seed=1)))
    np.testing.assert_allclose(rows @ rows.T, np.eye(3), atol=1e-5)


def test_parts_are_scaled_as_the_whole():
    initializer = tf.glorot_uniform_initializer(seed=3)
    parts = tf.get_variable("v", [200, 100], initializer=initializer, partitioner=tf.fixed_size_partitioner(50))
    first = run(list(parts)[0])
    assert first.shape == (4, 100)
    assert np.abs(first).max() <= np.sqrt(6 / 300) + 1e-6


def test_errors_of_initializers():
    with pytest.raises(ValueError, match="can only be used for 2D matrices"):
        tf.get_variable("v", [2], initializer=tf.initializers.identity())
    with pytest.raises(ValueError, match="Expected floating point type"):
        tf.orthogonal_initializer(dtype=tf.int32)
