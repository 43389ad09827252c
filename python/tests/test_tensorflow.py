"""kiln.tensorflow: tf.Session's own interface, beside TensorFlow."""

import collections
import threading
import time

import numpy as np
import pytest

from processes import resident
from tensorflow_beside import on_kiln, same_as_tensorflow, tf

import kiln.tensorflow

Pair = collections.namedtuple("Pair", "a b")
ROWS = np.arange(12, dtype="f4").reshape(4, 3)


def test_nested_fetches_and_targets():
    def program():
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        y = x * 2 + 1
        sparse = tf.SparseTensor([[0, 1]], tf.reduce_sum(y, keepdims=True)[0], [2, 3])
        nothing = tf.no_op()
        with tf.Session() as session:
            fetches = {"y": y, "l": [y, (y.name, nothing)], "p": Pair(y, [])}
            values = [session.run(fetches, {x: ROWS}) for _ in range(3)]
            return values + [list(session.run(sparse, {x: ROWS})) for _ in range(2)]

    same_as_tensorflow(program)


@pytest.mark.parametrize("value", [ROWS, ROWS.tolist(), ROWS.astype("f8"), ROWS.astype("i4"), ROWS[::2], [[1, 2, 3]]])
def test_feeds_of_any_convertible_value(value):
    def program():
        x = tf.placeholder(tf.float32, [None, 3])
        y = tf.reduce_sum(x, 0)
        with tf.Session() as session:
            return [session.run(y, {x: value}) for _ in range(3)]

    same_as_tensorflow(program)


def test_strings_and_every_number():
    def program():
        values = []
        with tf.Session() as session:
            for dtype in (tf.float64, tf.float16, tf.bfloat16, tf.int8, tf.int64, tf.uint16, tf.bool):
                x = tf.placeholder(dtype, [2])
                for _ in range(2):
                    values.append(session.run(tf.identity(x), {x: [0, 1]}))
            text = tf.placeholder(tf.string, [None])
            joined = tf.string_join([text, "!"])
            return values + [session.run(joined, {text: ["a", b"\xff"]}), session.run(text[0] + "b", {text: ["c"]})]

    same_as_tensorflow(program)


def test_a_growing_graph(on_kiln):
    with tf.Session() as session:
        total = tf.constant(0.0)
        for i in range(50):
            total = total + i
            assert session.run(total) == sum(range(i + 1))
        assert session._kiln.mirror.version == session.graph.version


def test_a_node_that_cannot_run_fails_its_own_runs(on_kiln):
    x = tf.placeholder(tf.float32, [1, 2, 2, 1])
    feeds = {x: np.ones([1, 2, 2, 1], "f4")}
    with tf.Session() as session, tf.Session() as other:
        bad = tf.raw_ops.ResizeBilinear(images=x, size=[3, 3], align_corners=True, half_pixel_centers=True, name="bad")
        for _ in range(2):
            with pytest.raises(tf.errors.InvalidArgumentError, match="half_pixel_centers") as raised:
                session.run(bad, feeds)
            assert raised.value.op is bad.op
            assert session.run(x + 1.0, feeds).sum() == 8
            assert other.run(tf.reduce_sum(x) * 2.0, feeds) == 8


def test_functions_are_handed_over_once(on_kiln, monkeypatch):
    handed = []
    copied = kiln.tensorflow._functions.copied
    monkeypatch.setattr(kiln.tensorflow._functions, "copied", lambda functions, rest: (handed.append(len(functions)), copied(functions, rest)))
    before = tf.control_flow_v2_enabled()
    tf.enable_control_flow_v2()
    try:
        x = tf.placeholder(tf.float32, [None])
        with tf.Session() as session:
            for i in range(4):
                y = tf.cond(tf.size(x) > 2, lambda: x * float(i), lambda: x + 1.0)
                assert session.run(y, {x: [1, 2, 3]}).tolist() == [i, 2 * i, 3 * i]
    finally:
        (tf.enable_control_flow_v2 if before else tf.disable_control_flow_v2)()
    assert len(handed) == 4 and max(handed) == min(handed)


def test_a_large_constant_is_copied_once(on_kiln):
    with tf.Session() as session:
        session.run(tf.constant(1.0) + 1)
        values = np.random.rand(16 << 20).astype("f4")
        total = tf.reduce_sum(tf.constant(values))
        before = resident()
        for _ in range(3):
            total = total + 1
            session.run(total)
            assert resident() - before < 1.2 * values.nbytes


def test_nodes_that_tensorflow_refused(on_kiln):
    vector = tf.constant([1.0, 2.0])
    with tf.Session() as session:
        for _ in range(3):
            with pytest.raises(ValueError):
                tf.raw_ops.MatMul(a=vector, b=vector)
            assert session.run(vector * 2).tolist() == [2, 4]


def test_a_graph_that_grows_in_another_thread(on_kiln):
    graph = tf.get_default_graph()
    with tf.Session() as session:
        fixed = tf.constant(2.0) * 3

        def grow():
            with graph.as_default():
                for i in range(200):
                    tf.constant(float(i)) + 1

        thread = threading.Thread(target=grow)
        thread.start()
        while thread.is_alive():
            assert session.run(fixed) == 6
        thread.join()
        assert session.run(fixed + 1) == 7


def test_sessions_share_their_graph(on_kiln):
    counter = tf.get_variable("counter", [], tf.int64, tf.zeros_initializer())
    step = tf.assign_add(counter, 1)
    with tf.Session() as a, tf.Session() as b:
        for session in (a, b):
            session.run(counter.initializer)
        assert [a.run(step), a.run(step), b.run(step)] == [1, 2, 1]
        assert a._kiln.mirror is b._kiln.mirror


def test_make_callable():
    def program():
        x, y = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [])
        v = tf.get_variable("v", [], initializer=tf.zeros_initializer())
        with tf.Session() as session:
            session.make_callable(v.initializer)()
            scale = session.make_callable({"z": x * y, "v": v}, [x, y])
            add = session.make_callable(tf.assign_add(v, 1.5))
            options = session.make_callable(x + 1, [x], accept_options=True)
            return [
                scale(np.ones(3, "f4"), 2), add(), add(), scale([1, 2], 3), options([1], options=tf.RunOptions()),
                session.make_callable([tf.no_op(), v])(),
            ]

    same_as_tensorflow(program)


def test_partial_runs():
    def program():
        a, b = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
        first = a + 1
        second = first * b
        with tf.Session() as session:
            handle = session.partial_run_setup([first, second], [a, b])
            return [session.partial_run(handle, first, {a: 2}), session.partial_run(handle, second, {b: 5})]

    same_as_tensorflow(program)


def test_interactive_sessions():
    def program():
        session = tf.InteractiveSession()
        v = tf.get_variable("v", initializer=[1.0, 2.0])
        v.initializer.run()
        values = [v.eval(), (v * 2).eval()]
        session.close()
        return values

    same_as_tensorflow(program)


def test_installations_nest_and_end():
    from tensorflow.python.client.session import BaseSession

    before = BaseSession.run
    with kiln.tensorflow.install():
        with kiln.tensorflow.install():
            pass
        assert BaseSession.run is not before
    assert BaseSession.run is before
    with pytest.raises(RuntimeError):
        kiln.tensorflow.uninstall()


def test_options_of_an_installation():
    with kiln.tensorflow.install(mode="evaluator"), tf.Graph().as_default(), tf.Session() as session:
        assert session.run(tf.constant(1) + 1) == 2
        assert session._kiln.session.stats.native_compilations == 0
    with kiln.tensorflow.install(mode="native"), tf.Graph().as_default(), tf.Session() as session:
        assert session.run(tf.constant(1) + 1) == 2
        assert session._kiln.session.stats.native_compilations == 1
    with pytest.raises(TypeError, match="warp"):
        with kiln.tensorflow.install(warp=9), tf.Graph().as_default(), tf.Session() as session:
            session.run(tf.constant(1) + 1)


def test_threads(on_kiln):
    v = tf.get_variable("v", [], tf.int64, tf.zeros_initializer())
    step = tf.assign_add(v, 1)
    with tf.Session() as session:
        session.run(v.initializer)
        threads = [threading.Thread(target=lambda: [session.run(step) for _ in range(50)]) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert session.run(v) == 800


def test_a_batch_of_a_priority_queue_is_in_order(on_kiln):
    queue = tf.PriorityQueue(10, tf.float32, shapes=[[]])
    number = tf.placeholder(tf.int64, [])
    put, batch = queue.enqueue((number, tf.cast(number, tf.float32))), queue.dequeue_many(4)
    with tf.Session() as session:
        got = []
        taking = threading.Thread(target=lambda: got.append(session.run(batch)))
        taking.start()
        for value in (3, 1, 4, 2):
            time.sleep(0.02)  # time for the batch to take what it must leave
            session.run(put, {number: value})
        taking.join()
        assert got[0][0].tolist() == [1, 2, 3, 4] and got[0][1].tolist() == [1, 2, 3, 4]


def test_graphs_and_sessions_go(on_kiln):
    import gc
    import weakref

    gone = []
    for _ in range(3):
        with tf.Graph().as_default() as graph:
            with tf.Session() as session:
                one = tf.constant(1) + 1
                for _ in range(3):
                    session.run(one)
        gone += [weakref.ref(graph), weakref.ref(session)]
        del graph, session, one
    gc.collect()
    assert [reference for reference in gone if reference() is not None] == []


def test_ragged_tensors_stay_ragged():
    def program():
        ragged = tf.ragged.constant([[1, 2], [3]])
        key = tf.ragged.placeholder(tf.int32, 1)
        total = tf.reduce_sum(key)
        value = tf.ragged.constant_value([[1, 2], [3]], dtype="int32")
        with tf.Session() as session:
            runs = [session.run(ragged) for _ in range(3)] + [session.run({"r": [ragged]})["r"][0] for _ in range(3)]
            runs.append(session.make_callable(ragged)())
            fed = [session.run(total, {key: value}) for _ in range(3)]
            with pytest.raises((AttributeError, TypeError, ValueError)):
                session.run(total, {key: [1, 2, 3]})
        return [(type(run).__name__, run.to_list()) for run in runs] + fed

    same_as_tensorflow(program)


def test_a_callable_has_the_time_limit_of_its_session(on_kiln):
    queue = tf.FIFOQueue(1, tf.int32, shapes=[[]])
    with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=100)) as session:
        take = session.make_callable(queue.dequeue())
        with pytest.raises(tf.errors.DeadlineExceededError):
            take()
