"""Threads, fork(), Ctrl-C, the end of Python and leaks, of programs on the front end."""

import gc
import multiprocessing
import weakref

import numpy as np

import kiln.compat.v1 as tf
from processes import MIB, grown_by, python, together


def regression():
    """The placeholder, the loss and the training op of one weight."""
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    with tf.variable_scope("model"):
        weight = tf.get_variable("weight", [3, 1], initializer=tf.zeros_initializer())
    loss = tf.reduce_mean(tf.square(tf.matmul(x, weight) - 1.0))
    return x, loss, tf.train.GradientDescentOptimizer(0.1).minimize(loss)


def test_threads_build_graphs_of_their_own():
    values = [None] * 8

    def work(i):
        with tf.Graph().as_default(), tf.Session() as session:
            x, loss, train = regression()
            session.run(tf.global_variables_initializer())
            data = np.full([4, 3], 1 + i % 2, "f4")
            for _ in range(20):
                session.run(train, {x: data})
            values[i] = session.run(loss, {x: data}).item()

    together(8, work)
    assert values[0] == values[2] == values[6] and values[1] == values[7] and values[0] != values[1]


def test_threads_in_scopes_of_one_graph():
    graph = tf.Graph()
    with graph.as_default():
        waited = tf.no_op(name="waited")

    def work(i):
        with graph.as_default(), tf.name_scope(f"thread{i}"), tf.variable_scope(f"scope{i}"):
            for j in range(100):
                with tf.name_scope("inner"), tf.control_dependencies([waited]):
                    assert tf.constant(j, name="c").op.name.startswith(f"thread{i}/scope{i}/inner")
                assert tf.get_variable(f"v{j}", []).op.name == f"scope{i}/v{j}"
                assert tf.constant(j, name="free").op.control_inputs == []

    together(4, work)


def test_threads_train_one_model():
    with tf.Graph().as_default(), tf.Session() as session:
        x, loss, train = regression()
        step = tf.assign_add(tf.train.get_or_create_global_step(), 1)
        session.run(tf.global_variables_initializer())
        together(8, lambda i: [session.run([train, step], {x: np.eye(3)}) for _ in range(50)])
        assert session.run(tf.train.get_global_step()) == 400
        assert session.run(loss, {x: np.eye(3)}) < 1e-6


def in_child(connection, session, x, loss):
    before = session.run(loss, {x: np.eye(3)})
    with tf.Graph().as_default(), tf.Session() as own:
        y, other, train = regression()
        own.run(tf.global_variables_initializer())
        own.run(train, {y: np.eye(3)})
        connection.send([before.item(), own.run(other, {y: np.eye(3)}).item()])


def test_fork():
    context = multiprocessing.get_context("fork")
    with tf.Graph().as_default(), tf.Session() as session:
        x, loss, train = regression()
        session.run(tf.global_variables_initializer())
        session.run(train, {x: np.eye(3)})
        ours, theirs = context.Pipe()
        child = context.Process(target=in_child, args=(theirs, session, x, loss))
        child.start()
        value = session.run(loss, {x: np.eye(3)}).item()
        assert ours.recv() == [value, value]
        child.join()
        assert child.exitcode == 0


def test_interrupted_while_a_run_lasts():
    python("""
import os, signal, threading, time
import kiln.compat.v1 as tf
forever = tf.while_loop(lambda i: i < 10**15, lambda i: i + 1, [tf.constant(0, tf.int64)])
with tf.Session() as session:
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        session.run(forever)
    except KeyboardInterrupt:
        pass
    else:
        raise SystemExit("no KeyboardInterrupt")
    assert session.run(tf.constant(3)) == 3
""")


def test_daemon_threads_when_python_ends():
    python("""
import threading, time
import kiln.compat.v1 as tf
value = tf.train.string_input_producer(["a", "b"]).dequeue()
calls = tf.py_func(lambda: 1.0, [], tf.float32)
session = tf.Session()
tf.train.start_queue_runners(session)
def forever(work):
    while True:
        work()
def build():
    with tf.Graph().as_default(), tf.Session() as own:
        own.run(tf.constant(1) + 1)
for work in (lambda: session.run(value), lambda: session.run(calls), build):
    threading.Thread(target=forever, args=(work,), daemon=True).start()
time.sleep(0.5)
""")


def model():
    """Builds and drops a graph with all kinds of objects."""
    graph = tf.Graph()
    with graph.as_default(), tf.Session() as session:
        x, loss, train = regression()
        tf.summary.scalar("loss", loss)
        tf.train.Saver()
        tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])
        tf.cond(tf.constant(True), lambda: tf.constant(1), lambda: tf.constant(2))
        called = tf.py_func(lambda value: value, [x], tf.float32)
        session.run(called, {x: np.eye(3)})
        loss.attribute = [loss]  # a cycle
        graph.attribute = {loss.op: train}
    return weakref.ref(graph)


def test_graphs_go_with_their_last_reference():
    gone = model()
    gc.collect()
    assert gone() is None


def test_dropped_graphs_leak_nothing():
    model()
    gc.collect()
    objects = len(gc.get_objects())
    assert grown_by(model, 300) < 4 * MIB
    assert len(gc.get_objects()) - objects < 300
