"""kiln.tensorflow: errors and ends."""

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from tensorflow_beside import on_kiln, runs_of, same_as_tensorflow, tf

import kiln.tensorflow

ROWS = np.arange(12, dtype="f4").reshape(4, 3)


def test_errors_have_op_stack_and_type(on_kiln):
    x = tf.placeholder(tf.int32, [], name="divisor")
    quotient = tf.floordiv(7, x, name="quotient")
    with tf.Session() as session:
        assert session.run(quotient, {x: 2}) == 3
        for _ in range(3):
            with pytest.raises(tf.errors.InvalidArgumentError) as caught:
                session.run(quotient, {x: 0})
            assert caught.value.op is quotient.op and caught.value.node_def.op == "FloorDiv"
            assert "test_tensorflow_failures.py" in caught.value.message and "quotient" in caught.value.message
        with pytest.raises(tf.errors.InvalidArgumentError, match="divisor"):
            session.run(quotient)


def test_uninitialized_variables():
    def program():
        v = tf.get_variable("v", [2])
        with tf.Session() as session:
            session.run(tf.constant(1) + 1)
            session.run(v)

    assert same_as_tensorflow(program) is tf.errors.FailedPreconditionError


@pytest.mark.parametrize("use_resource", [False, True])
def test_asserting_that_variables_are_initialized(use_resource):
    def program():
        v = tf.Variable([1.0, 2.0], name="v", use_resource=use_resource)
        asserted = tf.assert_variables_initialized([v])
        shape = tf.shape(v.read_value() + 1)
        seen = []
        with tf.Session() as session:
            for _ in range(2):
                for fetch in (asserted, asserted.op, shape, tf.is_variable_initialized(v)):
                    try:
                        seen.append(session.run(fetch))
                    except tf.errors.FailedPreconditionError as error:
                        seen.append((error.op.name, error.message.splitlines()[0]))
                session.run(v.initializer)
        return seen

    same_as_tensorflow(program)


@pytest.mark.parametrize("use_resource", [False, True])
def test_targets_that_read_variables_without_a_value(use_resource):
    def program():
        v = tf.Variable([1.0, 2.0], name="v", use_resource=use_resource)
        read = v.read_value()
        with tf.control_dependencies([read]):
            behind = tf.constant(3.0) + 0
        targets = (read.op, tf.group(read), (read * 2).op, behind, tf.shape(read).op, tf.is_variable_initialized(v).op)
        seen = []
        with tf.Session() as session:
            for _ in range(2):
                for target in targets:
                    try:
                        seen.append(session.run(target))
                    except tf.errors.FailedPreconditionError as error:
                        seen.append(error.op.name)
                session.run(v.initializer)
        return seen

    same_as_tensorflow(program)


def test_shared_queues_are_made_alike():
    def program():
        made = [
            tf.FIFOQueue(capacity, [dtype], shapes=[shape], shared_name="shared")
            for capacity, dtype, shape in [(3, tf.float32, []), (4, tf.float32, []), (3, tf.int32, []), (3, tf.float32, [1])]
        ]
        seen = []
        with tf.Session() as session:
            for queue in made:
                try:
                    seen.append(session.run(queue.queue_ref.op))
                except tf.errors.InvalidArgumentError as error:
                    seen.append(error.op.name)
        return seen

    same_as_tensorflow(program)


def test_reset():
    def program():
        with tf.container("mine"):
            v = tf.Variable(1.0)
        w = tf.Variable(2.0, use_resource=True)
        init = tf.global_variables_initializer()
        seen = []
        for containers in (None, ["mine"], ["other"], "mine"):
            ran, idle = tf.Session(), tf.Session()
            idle.run(w.initializer)
            ran.run(init)
            bound = ran.make_callable(v + w)
            seen += [ran.run(v + w), bound()]
            tf.Session.reset("", containers)
            for work in (lambda: ran.run(v + w), lambda: ran.run(init), lambda: idle.run(w), bound):
                try:
                    seen.append(work())
                except tf.errors.CancelledError as error:
                    seen.append(error.message.splitlines()[-1])
            ran.close()
            idle.close()
        try:
            tf.Session.reset("nowhere://")
        except tf.errors.NotFoundError:
            seen.append("not found")
        return seen

    same_as_tensorflow(program)


def test_reset_of_shared_resources(on_kiln):
    manager = kiln.ResourceManager()
    with tf.container("mine"):
        v = tf.Variable(1.0)
    w = tf.Variable(2.0)
    with kiln.tensorflow.install(resources=manager):
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
        session = tf.Session()
        assert session.run([v, w]) == [1, 2]
        tf.Session.reset("", ["mine"])
        with pytest.raises(tf.errors.AbortedError, match="reset"):
            session.run(w)
        with tf.Session() as session:
            assert session.run(w) == 2
            with pytest.raises(tf.errors.FailedPreconditionError):
                session.run(v)


def test_a_closed_session(on_kiln):
    one = tf.constant(1) + 1
    session = tf.Session()
    call = session.make_callable(one)
    assert session.run(one) == session.run(one) == call() == 2
    session.close()
    session.close()
    with pytest.raises(RuntimeError, match="closed"):
        session.run(one)


def test_close_ends_a_run(on_kiln):
    n = tf.placeholder(tf.int64, [])
    count = tf.while_loop(lambda i: i < n, lambda i: i + 1, [tf.constant(0, tf.int64)])
    session = tf.Session()
    assert session.run(count, {n: 5}) == 5
    raised = []

    def work():
        try:
            session.run(count, {n: 10**15})
        except Exception as error:
            raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.05)  # before or in the run: both end
    session.close()
    thread.join()
    assert isinstance(raised[0], (tf.errors.CancelledError, tf.errors.FailedPreconditionError, RuntimeError))


def test_ctrl_c_and_other_handlers():
    program = """
import os, signal, sys, threading, time
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
heard = []
signal.signal(signal.SIGUSR1, lambda number, frame: heard.append(number))
handlers = lambda: [signal.getsignal(number) for number in signal.valid_signals()]
# What the system has: handlers that TensorFlow's C++ may have set, too.
actions = lambda: [line for line in open("/proc/self/status") if line.startswith(("SigIgn", "SigCgt"))]
before = handlers(), actions()
import kiln.tensorflow
kiln.tensorflow.install(mode="native")
n = tf.placeholder(tf.int64, [])
count = tf.while_loop(lambda i: i < n, lambda i: i + 1, [tf.constant(0, tf.int64)])

def send(*numbers):
    def later():
        global sent
        for number in numbers:
            time.sleep(0.3)
            sent = time.monotonic()
            os.kill(os.getpid(), number)
    threading.Thread(target=later, daemon=True).start()

with tf.Session() as session:
    assert session.run(count, {n: 5}) == 5
    for _ in range(2):
        send(signal.SIGUSR1, signal.SIGINT)
        try:
            session.run(count, {n: 10**15})
            sys.exit("it ended")
        except KeyboardInterrupt:
            assert time.monotonic() - sent < 5
    assert session.run(count, {n: 6}) == 6
    # A handler of the user's that returns lets the run go on.
    signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    send(signal.SIGINT)
    try:
        session.run(count, {n: 10**15}, options=tf.RunOptions(timeout_in_ms=1000))
        sys.exit("it ended")
    except tf.errors.DeadlineExceededError:
        pass
    signal.signal(signal.SIGINT, signal.default_int_handler)
assert heard == [signal.SIGUSR1] * 2 + [signal.SIGINT], heard
assert (handlers(), actions()) == before, (handlers(), actions(), before)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120,
                          env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)))
    assert done.returncode == 0, done.stderr


def test_time_limits(on_kiln):
    n = tf.placeholder(tf.int64, [])
    count = tf.while_loop(lambda i: i < n, lambda i: i + 1, [tf.constant(0, tf.int64)])
    with tf.Session() as session:
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(count, {n: 10**15}, options=tf.RunOptions(timeout_in_ms=50))
    with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=50)) as session:
        for _ in range(3):
            with pytest.raises(tf.errors.DeadlineExceededError):
                session.run(count, {n: 10**15})
        assert session.run(count, {n: 5}) == 5


@pytest.mark.parametrize("value", ["text", np.ones((2, 4)), object(), None, [[1], [2, 3]], 3])
def test_feeds_that_do_not_fit(value):
    def program():
        x = tf.placeholder(tf.float32, [None, 3])
        y = x + 1
        with tf.Session() as session:
            session.run(y, {x: ROWS})
            session.run(y, {x: ROWS})
            return session.run(y, {x: value})

    assert isinstance(same_as_tensorflow(program), type)


def test_integers_that_a_dtype_does_not_hold():
    def program():
        x = tf.placeholder(tf.int8, [])
        with tf.Session() as session:
            return [session.run(x + 1, {x: 3}), session.run(x + 1, {x: 300})]

    assert same_as_tensorflow(program) is TypeError


@pytest.mark.parametrize("fetch", [None, 3, "nope:0", "nope", object()])
def test_what_is_no_fetch(fetch):
    def program():
        one = tf.constant(1) + 1
        with tf.Session() as session:
            session.run(one)
            session.run(fetch)

    assert isinstance(same_as_tensorflow(program), type)


def test_errors_of_partial_runs(on_kiln):
    a, b = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    total, product = a + b, a * b
    with tf.Session() as session:
        handle = session.partial_run_setup([total], [a, b])
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"was not specified in partial_run_setup\.$"):
            session.partial_run(handle, product, {a: 1})
        assert session.partial_run(handle, total, {a: 1, b: 2}) == 3


def test_an_object_that_is_no_string(on_kiln):
    text = tf.placeholder(tf.string, [None])
    length = tf.strings.length(text)
    with tf.Session() as session:
        for _ in range(3):
            with pytest.raises(tf.errors.InternalError, match="Unsupported object type float"):
                session.run(length, {text: np.array(["a", np.nan], object)})
            assert session.run(length, {text: ["a", "bc"]}).tolist() == [1, 2]
