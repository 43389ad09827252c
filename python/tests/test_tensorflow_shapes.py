"""kiln.tensorflow: shapes that TensorFlow has inferred, or a program has set, come along."""

import numpy as np
import pytest

from tensorflow_beside import on_kiln, same_as_tensorflow, tf


@pytest.fixture(params=["version 1", "functional"])
def control_flow(request):
    enabled = request.param == "functional"
    before = tf.control_flow_v2_enabled()
    (tf.enable_control_flow_v2 if enabled else tf.disable_control_flow_v2)()
    yield
    (tf.enable_control_flow_v2 if before else tf.disable_control_flow_v2)()


def with_shape(tensor, *dims):
    tensor.set_shape(dims)
    return tensor


def test_computed_shapes_in_a_loop(control_flow):
    def program():
        x, m = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.int32, [None])
        by_length = lambda: tf.reshape(x, with_shape(tf.boolean_mask(m, m > 0), 2))
        by_rank = lambda: with_shape(tf.reshape(x, tf.boolean_mask(m, m > 0)), None, None)
        body = lambda i, t: (i + 1, t + tf.reduce_sum(by_length()[0]) + tf.reduce_sum(by_rank()[-1]))
        loop = tf.while_loop(lambda i, t: i < 2, body, [0, 0.0])
        with tf.Session() as session:
            return [session.run(loop, {x: np.arange(6.0), m: extents}) for extents in ([0, 2, 3], [6, 0, 1, -1])]

    same_as_tensorflow(program)


def test_py_func_in_a_loop_and_a_branch(control_flow):
    def program():
        x = tf.placeholder(tf.float32, [])
        count = lambda n: with_shape(tf.py_func(lambda n: np.arange(n + 2, dtype="f4"), [n], tf.float32), None)
        loop = tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t + tf.reduce_sum(count(i))), [0, 0.0])
        branch = tf.cond(x > 0, lambda: tf.reduce_sum(count(x)), lambda: x)
        with tf.Session() as session:
            return [session.run([loop, branch], {x: value}) for value in (3.0, -3.0)]

    same_as_tensorflow(program)


def test_elements_of_arrays_and_lists(control_flow):
    def program():
        x = tf.placeholder(tf.float32)
        rows = tf.placeholder(tf.float32, [None, None])
        mapped = tf.map_fn(lambda row: row * 2.0, x)
        step = lambda total, row: with_shape(tf.py_func(lambda a, b: a + b, [total, row], tf.float32), None)
        scanned = tf.scan(step, rows)
        with tf.Session() as session:
            return session.run([mapped, scanned], {x: np.ones([2, 3]), rows: np.ones([3, 2])})

    same_as_tensorflow(program)


def test_a_fed_tensor_has_the_shape_that_was_set(on_kiln):
    x = tf.placeholder(tf.float32)
    x.set_shape([None, 3])
    total = tf.reduce_sum(x, 1)
    with tf.Session() as session:
        for _ in range(3):
            assert session.run(total, {x: np.ones([2, 3])}).tolist() == [3, 3]
        with pytest.raises(ValueError, match=r"Cannot feed value of shape \(2, 4\) .* which has shape \(\?, 3\)"):
            session.run(total, {x: np.ones([2, 4])})


def test_a_wrong_shape_is_an_error_where_a_rank_depends_on_it(on_kiln):
    x, m = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.int32, [None])
    shaped = with_shape(tf.reshape(x, tf.boolean_mask(m, m > 0), name="shaped"), None, None)
    total = tf.reduce_sum(shaped, 1)
    with tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match="Shape must be rank 2 but is rank 3") as raised:
            session.run(total, {x: np.ones(6), m: [1, 2, 3]})
        assert raised.value.op is shaped.op
        assert session.run(total, {x: np.ones(6), m: [2, 3]}).tolist() == [3, 3]
