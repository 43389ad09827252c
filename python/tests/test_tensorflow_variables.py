"""kiln.tensorflow: variables without a static shape (test/golden_kiln/open_* has more), and without a value; constant ones."""

import threading

import numpy as np
import pytest

from tensorflow_beside import on_kiln, same_as_tensorflow, tf

import kiln.tensorflow


@pytest.fixture(params=[False, True], ids=["reference", "resource"])
def use_resource(request):
    return request.param


def variable(value, use_resource):
    if use_resource:
        return tf.Variable(value, shape=tf.TensorShape(None), use_resource=True)
    return tf.Variable(value, validate_shape=False, use_resource=False)


def assign(v, value):
    return v.assign(value) if v.dtype == v.dtype.base_dtype else tf.assign(v, value, validate_shape=False)


def test_callables_follow_the_shape(use_resource):
    def program():
        v = variable([1.0, 2.0], use_resource)
        x = tf.placeholder(tf.float32)
        with tf.Session() as session:
            session.run(v.initializer)
            total, change = session.make_callable(tf.reduce_sum(v * 2)), session.make_callable(assign(v, x), [x])
            return [(change(np.ones(extents, "f4")), total()) for extents in ([1], [2, 2], [], [3], [3], [2, 1], [0])]

    same_as_tensorflow(program)


def test_training(use_resource):
    def program():
        w = variable(np.ones([3, 2], "f4"), use_resource)
        x = tf.placeholder(tf.float32, [None, None])
        loss = tf.reduce_sum(tf.square(tf.matmul(x, w)))
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, var_list=[w])
        change = assign(w, tf.ones([2, 5]))
        with tf.Session() as session:
            session.run(w.initializer)
            history = [session.run([loss, train], {x: np.full([4, 3], 0.1)})[0] for _ in range(3)]
            session.run(change)
            history += [session.run([loss, train], {x: np.full([7, 2], 0.1)})[0] for _ in range(3)]
            return history + [session.run(w)]

    same_as_tensorflow(program)


def test_partial_runs_and_queues(use_resource):
    def program():
        v = variable([1.0, 2.0], use_resource)
        x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
        first = v * x
        second = first + y
        queue = tf.FIFOQueue(4, [tf.float32])
        # Not the read itself: TensorFlow's queues hold a reference variable's own memory.
        put, take = queue.enqueue([v.read_value() * 1]), assign(v, queue.dequeue())
        more = queue.enqueue([x])
        with tf.Session() as session:
            session.run(v.initializer)
            handle = session.partial_run_setup([first, second], [x, y])
            values = [session.partial_run(handle, first, {x: 2}), session.partial_run(handle, second, {y: 1})]
            session.run(more, {x: [[5, 6]]})
            session.run(put)
            return values + [session.run(take), session.run(v), session.run(take), session.run(v)]

    same_as_tensorflow(program)


@pytest.mark.parametrize("dtype", [tf.complex64, tf.qint8, tf.bfloat16, tf.string], ids=lambda dtype: dtype.name)
def test_dtypes(dtype, use_resource):
    def program():
        value = np.array([b"a", b"long" * 9] if dtype == tf.string else [1, 0], dtype.as_numpy_dtype)
        v = variable(tf.constant(value, dtype), use_resource)
        x = tf.placeholder(dtype)
        change, extents = assign(v, x), tf.shape(v.read_value())
        with tf.Session() as session:
            session.run(v.initializer)
            got = [session.run([v, extents])]
            for shaped in (value.reshape(2, 1), np.concatenate([value] * 3), value[:0], value[0]):
                session.run(change.op, {x: shaped})
                got.append(session.run([v, extents]))
        return [[leaf.tobytes() if leaf.dtype != object else leaf.tolist() for leaf in map(np.asarray, pair)] for pair in got]

    same_as_tensorflow(program)


def test_what_does_not_fit(on_kiln, use_resource):
    v = variable([1.0, 2.0, 3.0], use_resource)
    x = tf.placeholder(tf.float32)
    add = tf.assign_add(v, x).op
    with tf.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(v.read_value())
        session.run(v.initializer)
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            session.run(add, {x: [1, 2]})
        assert raised.value.op is add
        assert session.run(v).tolist() == [1, 2, 3]
        half = tf.Variable(np.ones([2, 3], "f4"), shape=[None, 3], use_resource=True)
        change = half.assign(x, read_value=False)
        session.run(half.initializer)
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"expected a value of shape \[\?,3\], got \[3\]"):
            session.run(change, {x: [1, 2, 3]})
        assert session.run(half).tolist() == [[1, 1, 1]] * 2


@pytest.mark.parametrize("mode", ["native", "evaluator", "auto"])
def test_runs_beside_changes_see_one_shape(mode, use_resource):
    with kiln.tensorflow.install(mode=mode), tf.Graph().as_default():
        v = variable(np.ones([1, 1], "f4"), use_resource)
        x = tf.placeholder(tf.float32, [None, None])
        change = assign(v, x).op
        now = v.read_value()
        facts = tf.stack([tf.reduce_min(now), tf.reduce_max(now), tf.cast(tf.size(now), tf.float32)])
        with tf.Session() as session:
            session.run(v.initializer)
            torn, ended = [], threading.Event()

            def write(i):
                for turn in range(200):
                    count = 1 + (7 * turn + i) % 9
                    session.run(change, {x: np.full([count, 1], count)})

            def read():
                while not ended.is_set():
                    low, high, size = session.run(facts)
                    if not low == high == size:
                        torn.append((low, high, size))

            readers = [threading.Thread(target=read) for _ in range(3)]
            writers = [threading.Thread(target=write, args=(i,)) for i in range(3)]
            for thread in readers + writers:
                thread.start()
            for thread in writers:
                thread.join()
            ended.set()
            for thread in readers:
                thread.join()
            assert torn == []
            # One extent is like another, as of a feed: no compilation a shape.
            assert session._kiln.session.stats.compilations < 20


def test_ops_that_take_a_resource_without_a_value():
    def program():
        v, w = (tf.Variable([1.0, 2.0], name=name, use_resource=True) for name in "vw")
        ops = [
            v.read_value(), v + 1.0, tf.raw_ops.VariableShape(input=v.handle), v.assign_add([1.0, 1.0]).op,
            tf.raw_ops.ResourceApplyGradientDescent(var=v.handle, alpha=0.1, delta=[1.0, 1.0]),
            tf.raw_ops.ResourceApplyMomentum(var=v.handle, accum=w.handle, lr=0.1, grad=[1.0, 1.0], momentum=0.9),
            tf.cond(w[0] > 0, lambda: tf.raw_ops.VariableShape(input=v.handle), lambda: tf.constant([0])),
        ]
        seen = []
        with tf.Session() as session:
            session.run(w.initializer)
            for op in ops:
                with pytest.raises(tf.errors.OpError) as raised:
                    session.run(op)
                seen.append((type(raised.value), raised.value.op.type))
        return seen

    same_as_tensorflow(program)


def test_a_variable_that_the_program_promises_to_leave(use_resource):
    def program():
        v = tf.get_variable("v", [3], initializer=tf.ones_initializer(), use_resource=use_resource)
        frozen = tf.guarantee_const(v * 2)
        with tf.Session() as session:
            session.run(v.initializer)
            return [session.run([frozen, tf.reduce_sum(tf.guarantee_const(v))]), session.run(frozen, {frozen: [1, 2, 3]})]

    same_as_tensorflow(program)
