# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow does with branches, loops and calls that hold queues, or ranks that they compute. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops
BOX = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def loop(condition, body, start, **options):
    """One turn after the other: TensorFlow's queues see another order otherwise."""
    return tf.while_loop(condition, body, start, parallel_iterations=1, **options)


def after(ops, value):
    with tf.control_dependencies(ops):
        return tf.identity(value)


def queues(case):
    q = tf.FIFOQueue(100, tf.int32, shapes=[[]], name="q")
    p = tf.placeholder(tf.int32, [], name="p")
    fill = loop(lambda i: i < p, lambda i: after([q.enqueue(i * i)], i + 1), [0])
    case.run(fill, {p: 6})
    case.run(q.size())
    # What a loop's condition takes is gone; what its body takes adds up.
    case.run(loop(lambda a: q.dequeue() < 4, lambda a: a + 10, [tf.constant(0)]))
    case.run(loop(lambda i, a: i < 2, lambda i, a: (i + 1, a * 2 + q.dequeue()), [0, 1]))
    case.run(q.size())
    case.run(fill, {p: 0})
    taken = tf.cond(p > 2, lambda: q.dequeue(), lambda: p * 7)
    case.run(taken, {p: 1})
    case.run(taken, {p: 3})
    put = tf.cond(p > 2, lambda: after([q.enqueue(p)], p * 2), lambda: p + 1)
    case.run([put, put * 3], {p: 2})
    case.run([put, put * 3], {p: 5})
    case.run([put], {put: 9, p: 5})
    case.run([q.size(), q.dequeue()])
    picked = tf.switch_case(p, [lambda: after([q.enqueue(10)], 1), lambda: after([q.enqueue(20)], 2), lambda: tf.constant(3)])
    for number in (0, 1, 2, 7, -1):
        case.run(picked, {p: number})
    case.run(q.dequeue_many(2))
    case.run(q.size())
    # Two loops that wait for each other, in one run.
    narrow = tf.FIFOQueue(2, tf.int32, shapes=[[]], name="narrow")
    giver = loop(lambda i: i < 9, lambda i: after([narrow.enqueue(i)], i + 1), [0])
    taker = loop(lambda i, a: i < 9, lambda i, a: (i + 1, a * 3 + narrow.dequeue()), [0, 0])
    case.run(tf.nest.flatten([giver, taker]))
    case.run(narrow.size())


def nested(case):
    q = tf.FIFOQueue(100, tf.float32, shapes=[[2]], name="q")
    w = tf.get_variable("w", initializer=5.0, use_resource=True)
    x = tf.placeholder(tf.float32, [None], name="x")
    case.init()

    def outer(i, a):
        def inner(j, b):
            def even():
                return after([q.enqueue(b), w.assign_add(1.0)], b + x)

            def odd():
                return b * w.read_value()
            return j + 1, tf.cond(tf.equal(j % 2, 0), even, odd)
        j, b = loop(lambda j, b: j < i, inner, [0, a])
        return i + 1, tf.tanh(b)
    result = loop(lambda i, a: i < 5, outer, [0, tf.zeros([2])])
    with tf.control_dependencies(result):
        grown = w.read_value()
    case.run([*result, grown], {x: np.array([0.5, -0.25], np.float32)})
    case.run([w.read_value(), q.size()])
    case.run(q.dequeue_many(6))
    # What is around is computed once, before what the loop assigns.
    scaled = tf.exp(x) * w
    turns = loop(lambda i, a: i < 3, lambda i, a: (i + 1, after([q.enqueue(a), w.assign(tf.reduce_sum(a))], a + scaled)), [0, scaled])
    case.run([scaled, *turns], {x: np.array([1.0, 2.0], np.float32)})
    case.run([q.dequeue_many(3), w])
    # The state of a random stream goes on from turn to turn and run to run.
    tf.set_random_seed(3)
    draw = loop(lambda i: i < 3, lambda i: after([q.enqueue(tf.random_uniform([2], seed=7))], i + 1), [0])
    case.run(draw)
    case.run(draw)
    case.run(q.dequeue_many(6))


def values(case):
    q = tf.FIFOQueue(10, [tf.string, tf.float32], shapes=[[], [3]], shared_name="given", name="q")
    p = tf.placeholder(tf.bool, [], name="p")
    x = tf.placeholder(tf.float32, [3], name="x")
    case.run(q.enqueue_many([["a", "b"], tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])]))
    taken = tf.cond(p, lambda: q.dequeue(), lambda: ["none", tf.zeros([3])])
    case.run(taken, {p: False})
    case.run(taken, {p: True})
    case.run(q.size())

    # A gradient looks at what the branch that is taken has computed.
    def yes():
        return tf.nn.relu(x) * x * tf.stop_gradient(q.dequeue()[1])
    y = tf.cond(p, yes, lambda: x * 2.0)
    gradient = tf.gradients(y, x)[0]
    case.run([y, gradient], {p: True, x: np.array([1.0, -2.0, 3.0], np.float32)})
    case.run([y, gradient], {p: False, x: np.array([1.0, -2.0, 3.0], np.float32)})
    case.run(q.close())
    case.run([y, gradient], {p: True, x: np.array([1.0, -2.0, 3.0], np.float32)})
    case.run([y, gradient], {p: False, x: np.array([1.0, -2.0, 3.0], np.float32)})


def ranks(case):
    x = tf.placeholder(tf.float32, [2, 3, 4], name="x")
    a = tf.placeholder(tf.float32, [], name="a")
    p = tf.placeholder(tf.float32, [None], name="p")
    # The axis is the loop's counter, or computed from it.
    case.run(loop(lambda i, t: i < 3, lambda i, t: (i + 1, t * 2.0 + tf.reduce_max(tf.reduce_sum(x, i))), [0, 0.0]), {x: BOX})

    def joined(i, t):
        axis = tf.cast(a * tf.cast(i, tf.float32), tf.int32)
        return i + 1, t + tf.reduce_max(tf.concat([x, x * 2.0], axis)[0])
    case.run(loop(lambda i, t: i < 3, joined, [0, 0.0]), {x: BOX, a: 1.0})
    branch = tf.cond(a > 0.5, lambda: tf.reduce_sum(tf.reduce_max(x, tf.cast(a * 1.2, tf.int32))), lambda: a * 3.0)
    for number in (0.0, 1.0, 2.0, 3.0):
        case.run(branch, {x: BOX, a: number})
    turned = loop(lambda i, y: i < 2, lambda i, y: (i + 1, tf.transpose(y, tf.cast(p, tf.int32))), [0, x],
                  shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, None, None])])[1]
    case.run(turned, {x: BOX, p: np.array([2.0, 0.0, 1.0], np.float32)})
    # What one turn finds out is the next one's axis.
    found = loop(lambda k, t: k < 2, lambda k, t: (k + tf.cast(tf.reduce_max(tf.reduce_sum(x * 0.0, k)), tf.int32) + 1, t + tf.reduce_sum(tf.reduce_max(x, k))), [0, 0.0])
    case.run(found, {x: BOX})


def arrays(case):
    """Arrays of each part of a run: before a queue, behind it, and gradients of both."""
    q = tf.FIFOQueue(100, tf.float32, shapes=[[2]], name="q")
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    put = q.enqueue_many(tf.map_fn(lambda row: row * row[::-1], x))
    case.run(put, {x: BOX[0, :, :2]})
    first = tf.map_fn(tf.reduce_sum, q.dequeue_many(tf.shape(x)[0]))
    with tf.control_dependencies([q.enqueue(first[:2])]):
        second = tf.map_fn(lambda row: row + first[0], q.dequeue_many(1) * x)
    case.run([first, second, *tf.gradients(second, [x, first])], {x: BOX[1, :2, :2]})
    case.run(q.size())
    case.run(put, {x: BOX[0, :2, :2]})
    case.run(first, {x: BOX[0, :2, :2]})


def record():
    for name, build, text in (("queues", queues, "queues in branches, loops and cases"),
                              ("nested", nested, "queues in conditionals in loops in loops, beside variables and random streams"),
                              ("values", values, "strings, gradients and a closed queue behind branches that take from it"),
                              ("arrays", arrays, "arrays of loops before, behind and between queue ops"),
                              ("ranks", ranks, "axes and permutations that branches and loops compute themselves")):
        for kind in ("v1", "v2"):
            with Case(f"driven_{name}_{kind}", f"{text}, control flow of version {kind[1]}") as case:
                (tf.enable_control_flow_v2 if kind == "v2" else tf.disable_control_flow_v2)()
                build(case)
                tf.disable_control_flow_v2()


def functions():
    from tensorflow.python.framework import function

    with Case("driven_calls", "functions that take from and give to queues, called twice and from each other") as case:
        q = tf.FIFOQueue(10, tf.float32, shapes=[[]], name="q")

        @function.Defun(tf.resource, tf.float32)
        def push(handle, v):
            with tf.control_dependencies([raw.QueueEnqueueV2(handle=handle, components=[v * 2.0])]):
                return v + 1.0

        @function.Defun(tf.resource, tf.float32)
        def both(handle, v):
            w = push(handle, v)
            return push(handle, w) * raw.QueueDequeueV2(handle=handle, component_types=[tf.float32])[0]
        handle = q.queue_ref
        x = tf.placeholder(tf.float32, [], name="x")
        call = raw.StatefulPartitionedCall(args=[handle, x], Tout=[tf.float32], f=push)[0]
        again = raw.StatefulPartitionedCall(args=[handle, call], Tout=[tf.float32], f=push)[0]
        case.run(again, {x: 3.0})
        case.run(q.dequeue_many(2))
        case.run(raw.StatefulPartitionedCall(args=[handle, x], Tout=[tf.float32], f=both)[0], {x: 5.0})
        case.run([q.size(), q.dequeue()])


record()
functions()
