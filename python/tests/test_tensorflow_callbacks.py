"""kiln.tensorflow: py_func and its kin, in branches and loops too, and those that run the session."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from tensorflow_beside import foreign_square, on_kiln, same_as_tensorflow, tf


@pytest.mark.parametrize("stateful", [True, False])
def test_py_func(stateful):
    def program():
        x = tf.placeholder(tf.float32, [None])
        total, text = tf.py_func(lambda a: (a.sum(), b"n%d" % len(a)), [x * 2], [tf.float32, tf.string], stateful=stateful)
        y = total + 1
        y.set_shape([])
        with tf.Session() as session:
            return [session.run([y, text, tf.sqrt(y)], {x: np.arange(n)}) for n in (1, 2, 5, 2)]

    same_as_tensorflow(program)


def test_py_function_and_numpy_function():
    def program():
        x = tf.placeholder(tf.float32, [2])
        eager = tf.py_function(lambda a: a * a, [x], tf.float32)
        eager.set_shape([2])
        plain = tf.numpy_function(lambda a: a + 1, [x], tf.float32)
        with tf.Session() as session:
            return session.run([eager, plain, tf.gradients(eager, x)[0]], {x: [2, 3]})

    same_as_tensorflow(program)


def test_what_a_py_func_is_given_and_gives_may_be_written(on_kiln):
    """Without an effect on what anybody else has, where in TensorFlow it may be the fed array itself."""

    def double(a):
        a *= 2
        return a

    fed = np.arange(5000, dtype="f4")
    x = tf.placeholder(tf.float32, [None])
    v = tf.Variable(fed, use_resource=True)
    plain = tf.Variable(fed, use_resource=False)
    sources = [x, x + 0, tf.constant(fed), v.read_value(), plain, tf.identity(plain)]
    results = [make(double, [source], tf.float32) for source in sources for make in (tf.py_func, tf.numpy_function)]
    results += [tf.py_function(lambda a: a * 2, [x], tf.float32), foreign_square(x)]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            for result in results:
                value = session.run(result, {x: fed})
                assert value.flags.writeable
                np.testing.assert_array_equal(value, fed * fed if result is results[-1] else fed * 2)
                value[:] = -1
            for value in (fed, *session.run([v, plain, sources[2]])):
                np.testing.assert_array_equal(value, np.arange(5000))


def test_py_func_in_a_loop_and_a_branch():
    def program():
        def twice(a):
            return a * np.float32(2)

        def call(a):
            result = tf.py_func(twice, [a], tf.float32)
            result.set_shape([])
            return result

        n = tf.placeholder(tf.int32, [])
        looped = tf.while_loop(lambda i, x: i < n, lambda i, x: (i + 1, call(x)), [0, 1.0])[1]
        chosen = tf.cond(n > 2, lambda: call(looped), lambda: looped)
        mapped = tf.map_fn(call, tf.constant([1.0, 2.0, 3.0]))
        with tf.Session() as session:
            return [session.run([looped, chosen, mapped], {n: k}) for k in (0, 3, 5)]

    same_as_tensorflow(program)


def test_py_func_runs_once_a_run(on_kiln):
    calls = []
    called = tf.py_func(lambda: calls.append(1) or np.float32(len(calls)), [], tf.float32)
    called.set_shape([])
    y = called * 2 + called
    with tf.Session() as session:
        assert [session.run(y) for _ in range(4)] == [3, 6, 9, 12]
        session.run(tf.group(y.op))
        assert len(calls) == 5


@pytest.mark.parametrize(
    "raised, expected",
    [
        (ValueError("oh no"), tf.errors.InvalidArgumentError),
        (StopIteration(), tf.errors.OutOfRangeError),
        (MemoryError(), tf.errors.ResourceExhaustedError),
        (NotImplementedError("later"), tf.errors.UnimplementedError),
        (OSError("disk"), tf.errors.UnknownError),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_errors_of_a_py_func(raised, expected, on_kiln):
    def fail(x):
        if x:
            raise raised
        return x

    x = tf.placeholder(tf.bool, [])
    called = tf.py_func(fail, [x], tf.bool, name="called")
    with tf.Session() as session:
        for _ in range(2):
            with pytest.raises(expected, match=type(raised).__name__) as caught:
                session.run(called, {x: True})
            assert caught.value.op is called.op
            assert "test_tensorflow_callbacks.py" in caught.value.message
            assert not session.run(called, {x: False})


def test_a_py_func_that_runs_the_same_session(on_kiln):
    count = tf.get_variable("count", [], tf.int64, initializer=tf.zeros_initializer())
    more = tf.assign_add(count, 1)
    with tf.Session() as session:
        called = tf.py_func(lambda a: session.run(more) + a, [count], tf.int64)
        called.set_shape([])
        total = tf.assign_add(count, 10 * called)
        session.run(tf.global_variables_initializer())
        assert session.run(total) == 11  # the inner one's 1, and 10 (1 + 0)
        assert session.run(count) == 11
        threads = [threading.Thread(target=session.run, args=[called]) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
            assert not thread.is_alive()
        assert session.run(count) == 19


def around(place, call, v):
    """What a callback gives in a branch, or the sum of what it gives in two iterations of a loop."""
    if place == "branch":
        return tf.cond(v > 0, call, lambda: -1.0)
    if place == "loop":
        return tf.while_loop(lambda i, t: i < 2, lambda i, t: (i + 1, t + call()), [0, 0.0])[1]
    return tf.reduce_sum(tf.map_fn(lambda _: call(), tf.constant([0.0, 0.0])))


@pytest.mark.parametrize("place, expected", [("branch", [2, 13, 13, 14, 14]), ("loop", [5, 15, 15, 33, 17]), ("map", [5, 15, 15, 33, 17])])
def test_a_py_func_in_a_region_that_waits_for_a_run_of_another_thread(place, expected, on_kiln):
    v = tf.get_variable("v", initializer=1.0)
    raised = tf.assign_add(v, 1.0)

    def callback():
        got = []
        thread = threading.Thread(target=lambda: got.append(session.run(raised)))
        thread.start()
        thread.join(60)
        return got[0]

    def call():
        result = tf.py_func(callback, [], tf.float32)
        result.set_shape([])
        return result

    called = around(place, call, v)
    with tf.control_dependencies([called]):
        added = tf.assign_add(v, 10.0)
    with tf.Session() as session:
        session.run(v.initializer)
        assert [session.run(fetch) for fetch in (called, added, v, called, v)] == expected


def test_a_py_func_of_any_rank_in_a_branch_a_loop_and_a_function():
    def program():
        x = tf.placeholder(tf.float32, [])
        ones = lambda rank: tf.py_func(lambda n: np.ones([2] * int(n), "f4"), [rank], tf.float32)
        branch = tf.cond(x > 0, lambda: ones(x) * 2, lambda: tf.ones([1]))
        loop = tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t + tf.reduce_sum(ones(i))), [0, 0.0])[1]
        function = tf.function(lambda rank: tf.reduce_sum(ones(rank)) + 1, autograph=False)
        with tf.Session() as session:
            return [session.run([branch, loop, function(x)], {x: rank}) for rank in (1.0, 3.0, -1.0)[:2]] + [
                session.run(branch, {x: -1.0})
            ]

    same_as_tensorflow(program)


def test_a_py_func_beside_lists_that_runs_the_same_session(on_kiln):
    """The run holds no lock meanwhile, whatever the callback does to the variables of it."""
    v = tf.get_variable("v", initializer=1.0, use_resource=True)
    w = tf.get_variable("w", initializer=10.0)
    runs = {"write": tf.assign_add(v, 1.0), "read": v.read_value(), "other": tf.assign_add(w, 1.0)}
    which = "read"

    def call():
        result = tf.py_func(lambda: np.float32(session.run(runs[which])), [], tf.float32)
        result.set_shape([])
        return result

    total = tf.function(lambda: around("map", call, v), autograph=False)()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for i, fetches in enumerate([[total], [total, tf.assign_add(v, 0.0)]]):
            which = "read"
            assert session.run(fetches)[0] == 2 + 4 * i
            which = "other"
            assert session.run(fetches)[0] > 21
            which = "write"
            assert session.run(fetches)[0] == 5 + 4 * i
            assert session.run(v) == 3 + 2 * i


def test_daemon_threads_in_runs_when_python_ends():
    """Queue runners that nobody has stopped, callbacks, ops of TensorFlow's; its own session aborts here at times."""
    program = """
import threading, time
import numpy as np
import tensorflow.compat.v1 as tf
import kiln.tensorflow
tf.disable_v2_behavior()
kiln.tensorflow.install()
queue = tf.FIFOQueue(4, tf.float32, [[]])
tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(tf.py_func(lambda: np.float32(1), [], tf.float32))] * 3))
x = tf.placeholder(tf.float32, [None])
sorted_x = tf.nn.top_k(x, k=tf.size(x)).values + tf.math.multiply_no_nan(x, x)
dequeued, sleep = queue.dequeue(), tf.py_func(lambda: time.sleep(0.01), [], [])
session = tf.Session()
tf.train.start_queue_runners(session)
def forever(make):
    while True:
        make()
for work in (lambda: session.run(dequeued), lambda: session.run(sorted_x, {x: [1, 2]}), lambda: session.run(sleep)):
    threading.Thread(target=forever, args=(work,), daemon=True).start()
time.sleep(0.5)
"""
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120,
                              env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)))
        assert done.returncode == 0 and "terminate" not in done.stderr, done.stderr
