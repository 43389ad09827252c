# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow does with ranks, axes and permutations that the run computes. Run it with a Python that has TensorFlow."""
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


def computed():
    with Case("rank_computed", "axes, permutations and shapes of any length out of floats, uniques and masks") as case:
        x = tf.placeholder(tf.float32, [2, 3, 4], name="x")
        a = tf.placeholder(tf.float32, [], name="a")
        p = tf.placeholder(tf.float32, [None], name="p")
        axis = tf.cast(a, tf.int32)
        some = tf.cast(tf.boolean_mask(p, p > -2.0), tf.int32)
        case.run([tf.reduce_sum(x, axis), tf.tanh(tf.reduce_mean(x, [axis])), tf.argmax(x, axis), tf.concat([x, x], axis),
                  tf.expand_dims(x, axis), tf.gather(x, [0], axis=axis), tf.reverse(x, [axis]), tf.stack([axis, axis])],
                 {x: BOX, a: 1.0})
        permuted = tf.transpose(x, tf.unique(some)[0])
        for order in ([2, 0, 1], [0, 1, 2], [1, 2, 0], [0, 0, 1], [3, 1, 0], [0, 1]):
            case.run(permuted, {x: BOX, p: np.array(order, np.float32)})
        shaped = tf.reshape(x, some)
        sums = tf.reduce_sum(shaped, -1) * 2.0
        for shape in ([24], [4, -1], [2, 2, 6], [-3, 6, 4], [1, 1, 1, 1, 24], [5, 5]):
            case.run([shaped, sums], {x: BOX, p: np.array(shape, np.float32)})
        total = tf.reduce_sum(x, axis)
        for number in (0.0, 2.0, -1.0, 3.0, -4.0):
            case.run(total, {x: BOX, a: number})
        case.run([tf.fill(some, 1.5), tf.broadcast_to(a, some)], {p: np.array([2, 3], np.float32), a: 7.0})
        case.run([tf.fill(some, 1.5), tf.broadcast_to(a, some)], {p: np.array([], np.float32), a: 7.0})


def chains():
    with Case("rank_chains", "one computed rank behind another, in branches and loops, beside assignments") as case:
        x = tf.placeholder(tf.float32, [2, 3, 4], name="x")
        a = tf.placeholder(tf.float32, [], name="a")
        w = tf.get_variable("w", initializer=tf.zeros([2, 3, 4]))
        n = tf.get_variable("n", initializer=tf.constant(1))
        case.init()
        first = tf.reduce_sum(x, tf.cast(a, tf.int32))
        second = tf.reduce_sum(first, tf.cast(tf.reduce_sum(first * 0.0) + 1.0, tf.int32))
        third = tf.expand_dims(second, tf.cast(tf.reduce_max(second) * 0.0, tf.int32))
        case.run([first, second, third], {x: BOX, a: 0.0})
        case.run([second, third], {x: BOX, a: 2.0})
        # The axis comes from outside of the branch and the loop.
        axis = tf.cast(a, tf.int32)
        branch = tf.cond(tf.reduce_sum(x) > 0.0, lambda: tf.reduce_sum(tf.reduce_sum(x, axis)), lambda: a)
        turns = tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t + tf.reduce_max(tf.reduce_sum(x, axis))), [0, 0.0])
        case.run([branch, *turns], {x: BOX, a: 1.0})
        case.run([branch, *turns], {x: -BOX, a: 2.0})
        # A loop says which axis, another of its results is used behind it.
        count, scale = tf.while_loop(lambda i, s: tf.cast(i, tf.float32) < a, lambda i, s: (i + 1, s * 2.0), [0, 1.0])
        case.run(tf.reduce_sum(x, count) * scale, {x: BOX, a: 2.0})
        case.run([tf.reduce_sum(x, count) * scale, scale], {x: BOX, a: 0.0})
        # One result of a branch says which axis, the other is used behind it.
        which, y = tf.cond(a > 0.5, lambda: (a, tf.tanh(a)), lambda: (a + 1.0, tf.constant(3.0)))
        summed = tf.reduce_sum(x, tf.cast(which, tf.int32)) + y
        case.run(summed, {x: BOX, a: 2.0})
        case.run(summed, {x: BOX, a: 0.25})
        # Assignments before and behind.
        add = tf.assign_add(w, x)
        with tf.control_dependencies([add]):
            after = tf.reduce_sum(w, axis)
        with tf.control_dependencies([after]):
            again = tf.assign_add(w, tf.ones_like(x))
        case.run([after, again], {x: BOX, a: 1.0})
        case.run(w)
        case.run(tf.reduce_sum(x, n), {x: BOX})
        bump = tf.assign_add(n, 1)
        with tf.control_dependencies([bump]):
            late = tf.reduce_sum(x, n.read_value())
        case.run(late, {x: BOX})
        case.run(n)


def queues():
    with Case("rank_queues", "an axis computed from what a queue gives, and a function called beside a queue") as case:
        x = tf.placeholder(tf.float32, [2, 3, 4], name="x")
        queue = tf.FIFOQueue(4, [tf.float32], shapes=[[]], name="q")
        put = queue.enqueue_many([tf.constant([0.5, 1.5, 0.25])])
        case.run(put)
        taken = queue.dequeue()
        case.run([tf.reduce_sum(x, tf.cast(taken * 2.0, tf.int32)), taken], {x: BOX})
        double = raw.StatefulPartitionedCall(args=[queue.dequeue()], Tout=[tf.float32], f=doubled())
        case.run(double)


def doubled():
    from tensorflow.python.framework import function

    @function.Defun(tf.float32)
    def double(v):
        return v * 2.0
    double.add_to_graph(tf.get_default_graph())
    return double


def functional():
    with Case("rank_functional", "axes from outside of functional branches and loops, and out of them") as case:
        tf.enable_control_flow_v2()
        x = tf.placeholder(tf.float32, [2, 3, 4], name="x")
        a = tf.placeholder(tf.float32, [], name="a")
        axis = tf.cast(a, tf.int32)
        branch = tf.cond(tf.reduce_sum(x) > 0.0, lambda: tf.reduce_sum(tf.reduce_sum(x, axis)), lambda: a)
        turns = tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t + tf.reduce_max(tf.reduce_sum(x, axis))), [0, 0.0])
        case.run([branch, *turns], {x: BOX, a: 1.0})
        case.run([branch, *turns], {x: -BOX, a: 2.0})
        count, scale = tf.while_loop(lambda i, s: tf.cast(i, tf.float32) < a, lambda i, s: (i + 1, s * 2.0), [0, 1.0])
        case.run(tf.reduce_sum(x, count) * scale, {x: BOX, a: 2.0})
        which, y = tf.cond(a > 0.5, lambda: (a, tf.tanh(a)), lambda: (a + 1.0, tf.constant(3.0)))
        case.run(tf.reduce_sum(x, tf.cast(which, tf.int32)) + y, {x: BOX, a: 0.25})
        tf.disable_control_flow_v2()


def declared(name):
    """Ranks in branches and loops that only Tensor.set_shape says: the graph has the shapes that TensorFlow knows."""
    with Case(name, "computed shapes in branches and loops, whose ranks the program has set", add_shapes=True) as case:
        x = tf.placeholder(tf.float32, [None], name="x")
        m = tf.placeholder(tf.int32, [None], name="m")

        def shape(length=None):
            values = tf.boolean_mask(m, m > 0)
            values.set_shape([length])
            return values

        def ranked(tensor, *dims):
            tensor.set_shape(dims)
            return tensor

        def turns(body):
            return tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t * 0.5 + body()), [0, 0.0])

        of_length = lambda: tf.reduce_sum(tf.reshape(x, shape(2))[0])
        of_rank = lambda: tf.reduce_sum(ranked(tf.reshape(x, shape()), None, None)[0])
        filled = lambda: tf.reduce_max(tf.reduce_sum(ranked(tf.fill(shape(), 2.0), None, None), 1))
        fetches = [turns(of_length), turns(of_rank), turns(filled), tf.reduce_sum(ranked(tf.reshape(x, shape()), None, None), 1)]
        fetches.append(tf.cond(tf.reduce_sum(x) > 0.0, lambda: tf.reduce_sum(ranked(tf.reshape(x, shape()), None, None), 1), lambda: x))
        fetches = tf.nest.flatten(fetches)
        for numbers, extents in (([1, 2, 3, 4, 5, 6], [0, 2, 3, -1]), ([-1, 2, -3, 4, -5, 6], [6, 1]), ([-1] * 6, [1, 0, 6])):
            case.run(fetches, {x: np.array(numbers, np.float32), m: np.array(extents, np.int32)})


def squeezed(name):
    with Case(name, "tensors without their dimensions of 1, which the run finds out; their uses and gradients, in branches and loops") as case:
        x = tf.placeholder(tf.float32, [None], name="x")
        m = tf.placeholder(tf.float32, [None, None], name="m")
        to = tf.placeholder(tf.int64, [None], name="to")
        n = tf.placeholder(tf.int32, [], name="n")
        above = tf.boolean_mask(x, x > 2.0)
        values = [tf.squeeze(above), tf.squeeze(tf.where(x > 2.0)), tf.squeeze(tf.reshape(x, to)), tf.squeeze(x[:n]), tf.squeeze(m[1:]),
                  tf.squeeze(tf.unique(x * 0.0)[0]), tf.squeeze(tf.boolean_mask(m, m[:, 0] > 2.0)), tf.squeeze(tf.nn.top_k(x, n)[0])]
        twice = tf.squeeze(tf.boolean_mask(m, m[:, 0] > 2.0)) * 2.0
        fetches = values + [tf.shape(v) for v in values] + [tf.rank(twice), tf.reduce_sum(twice), tf.expand_dims(twice, 0) + 1.0,
                            *tf.gradients(tf.reduce_sum(twice * twice), m), *tf.gradients(tf.squeeze(above) ** 2.0, x)]
        in_branch = tf.cond(n > 1, lambda: tf.reduce_sum(tf.squeeze(above)), lambda: tf.constant(-1.0))
        given = tf.cond(n > 1, lambda: tf.squeeze(above), lambda: x * 2.0)
        turns = tf.while_loop(lambda i, t: i < 4, lambda i, t: (i + 1, t + tf.cast(tf.rank(tf.squeeze(x[:i])), tf.float32)), [0, 0.0])
        picked = tf.gather_nd(m, tf.cast(tf.reshape(tf.where(x > 2.0), [1, -1]), tf.int32))
        fetches += [in_branch, given, tf.size(given), *turns]
        for count, rows, columns in ((1, 2, 2), (2, 3, 1), (3, 2, 3)):
            case.run(fetches, {x: np.arange(4.0), m: np.arange(rows * columns).reshape(rows, columns), to: [4, 1] if count == 1 else [2, 1, 2, 1], n: count})
        for numbers in ([3, 0, 0], [3, 3, 0], [0, 0, 0], [3, 3, 3]):
            case.run(picked, {x: np.array(numbers, np.float32), m: BOX[0]})


def differing(name):
    with Case(name, "branches and turns that give other ranks: fetched, read, differentiated, in functions and in one another") as case:
        x = tf.placeholder(tf.float32, [None], name="x")
        p = tf.placeholder(tf.bool, [], name="p")
        q = tf.placeholder(tf.bool, [], name="q")
        n = tf.placeholder(tf.int32, [], name="n")
        w = tf.get_variable("w", initializer=tf.zeros([]), use_resource=tf.control_flow_v2_enabled())
        case.init()
        column = tf.cond(p, lambda: tf.reshape(x, [-1, 1]), lambda: x * 2.0)
        total = tf.cond(p, lambda: tf.reduce_sum(x), lambda: x * 2.0)
        pair = tf.cond(p, lambda: (x[:1], tf.reduce_max(x)), lambda: (tf.reduce_min(x), x))
        nested = tf.cond(q, lambda: tf.cond(p, lambda: x[tf.newaxis], lambda: x) + 1.0, lambda: tf.reduce_sum(x))
        counted = tf.cond(p, lambda: tf.assign_add(w, tf.reduce_sum(x)) + x, lambda: w + 0.0)
        doubled = tf.cond(p, lambda: tf.boolean_mask(x, x > 1.5), lambda: tf.reduce_sum(x)) * 2.0
        grown = tf.while_loop(lambda i, t: i < n, lambda i, t: (i + 1, tf.expand_dims(t, 0)), [0, x],
                              shape_invariants=[tf.TensorShape([]), tf.TensorShape(None)])
        branched = tf.while_loop(lambda i, t: i < n, lambda i, t: (i + 1, t + tf.reduce_sum(tf.cond(i > 0, lambda: x[tf.newaxis], lambda: x[0]))), [0, 0.0])
        values = [column, total, *pair, nested, doubled, *grown, *branched]
        fetches = values + [tf.size(column), tf.shape(total), tf.rank(nested), tf.reduce_sum(column), total + 1.0, tf.reshape(nested, [-1]), tf.shape(grown[1]),
                            *tf.gradients(tf.reduce_sum(column * column), x), *tf.gradients(tf.reduce_sum(doubled), x)]
        for first, second, turns in ((True, True, 0), (False, True, 1), (True, False, 2), (False, False, 3)):
            case.run(fetches, {x: np.array([1.0, 2.0], np.float32), p: first, q: second, n: turns})
        # Without what the branches keep for the gradients.
        for first in (True, False):
            case.run([doubled, nested], {x: np.array([1.0, 2.0], np.float32), p: first, q: True})
        case.run(counted, {x: np.array([1.0, 2.0], np.float32), p: True})
        case.run(counted, {x: np.array([1.0, 2.0], np.float32), p: False})
        case.run(fetches, {x: np.zeros(0, np.float32), p: False, q: True, n: 0})


computed()
squeezed("rank_squeezed")
differing("rank_differing")
chains()
queues()
functional()
declared("rank_declared")
tf.enable_control_flow_v2()
declared("rank_declared_functional")
squeezed("rank_squeezed_functional")
differing("rank_differing_functional")
