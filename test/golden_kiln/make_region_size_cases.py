# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow does with sizes that branches and turns of loops change. Run it with a Python that has
TensorFlow, once with GOLDEN_MODE=resource, which writes If and While, and once without, for Switch and Merge (_v1)."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

V2 = os.environ.get("GOLDEN_MODE") == "resource"
SUFFIX = "" if V2 else "_v1"


def floats(*numbers):
    return np.array(numbers, np.float32)


def branches():
    with Case("size_branches" + SUFFIX, "branches of different sizes, masks and checks in one of them") as case:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        y = tf.placeholder(tf.float32, [None, 2], name="y")
        p = tf.placeholder(tf.bool, [], name="p")
        longer = tf.cond(p, lambda: tf.concat([x, y], 0), lambda: x, name="longer")
        masked = tf.cond(p, lambda: tf.boolean_mask(x, x[:, 0] > 0.0), lambda: y * 2.0, name="masked")
        total = tf.cond(p, lambda: tf.reduce_sum(tf.boolean_mask(x, x[:, 0] > 0.0)), lambda: tf.constant(-1.0), name="total")
        # Of two sizes that need not fit where the branch is not taken.
        added = tf.cond(p, lambda: x + y, lambda: x, name="added")
        distinct = tf.cond(p, lambda: tf.unique(tf.reshape(x, [-1]))[0], lambda: tf.zeros([0]), name="distinct")
        fetches = [longer, tf.shape(longer), masked, tf.reduce_sum(masked, 0), total, distinct,
                   tf.matmul(masked, tf.constant([[1.0], [2.0]])), tf.concat([longer, masked], 0)]
        for rows, others in ((3, 2), (1, 1), (0, 4), (5, 3)):
            a = (np.arange(2 * rows, dtype=np.float32).reshape(-1, 2) - 2.0) % 5.0 - 1.0
            b = np.ones((others, 2), np.float32)
            for taken in (True, False):
                case.run(fetches, {x: a, y: b, p: taken})
        case.run(added, {x: np.ones((2, 2), np.float32), y: np.ones((2, 2), np.float32), p: True})
        case.run(added, {x: np.ones((2, 2), np.float32), y: np.ones((3, 2), np.float32), p: False})
        case.run(added, {x: np.ones((2, 2), np.float32), y: np.ones((3, 2), np.float32), p: True})


def loops():
    with Case("size_loops" + SUFFIX, "carried values that grow, shrink and change places; masks in turns; nested") as case:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        n = tf.placeholder(tf.int32, [], name="n")
        any_rows = tf.TensorShape([None, 2])
        scalar = tf.TensorShape([])
        grown = tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, tf.concat([a, tf.fill([1, 2], tf.cast(i, tf.float32))], 0)),
                              [0, x], shape_invariants=[scalar, any_rows], name="grown")
        sieved = tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, tf.boolean_mask(a, a[:, 0] > tf.cast(i, tf.float32))),
                               [0, x], shape_invariants=[scalar, any_rows], name="sieved")
        # The sum of the rows of all turns needs the sizes of this turn alone.
        counted = tf.while_loop(lambda i, s: i < n, lambda i, s: (
            i + 1, s + tf.reduce_sum(tf.boolean_mask(x, x[:, 1] > tf.cast(i, tf.float32)))), [0, 0.0], name="counted")
        swapped = tf.while_loop(lambda i, a, b: i < n, lambda i, a, b: (i + 1, b, tf.concat([a, b], 0)), [0, x, x[:1]],
                                shape_invariants=[scalar, any_rows, any_rows], name="swapped")

        def outer(i, a):
            inner = tf.while_loop(lambda j, b: j < i, lambda j, b: (j + 1, tf.concat([b, b[:1] + 1.0], 0)), [0, a],
                                  shape_invariants=[scalar, any_rows])
            return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: inner[1][1:], lambda: inner[1])
        nested = tf.while_loop(lambda i, a: i < n, outer, [0, tf.concat([x, x], 0)], shape_invariants=[scalar, any_rows],
                               name="nested")
        fetches = [*grown, *sieved, *counted, *swapped, tf.reduce_sum(grown[1], 0), tf.shape(sieved[1]),
                   tf.matmul(grown[1], sieved[1], transpose_b=True)]
        for rows, turns in ((3, 2), (1, 0), (4, 5), (3, 7)):
            a = np.arange(2 * rows, dtype=np.float32).reshape(-1, 2)
            case.run(fetches, {x: a, n: turns})
            case.run(nested, {x: a, n: min(turns, 4)})


def gradients():
    with Case("size_loop_gradients" + SUFFIX, "gradients of masks in turns, of which only the run knows which operand is broadcast") as case:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        masks = [tf.placeholder(tf.bool, [None, 3], name=f"mask{i}") for i in range(2)]

        def product(a):
            row, mask, other = a
            return tf.reduce_sum(tf.boolean_mask(row, mask) * tf.boolean_mask(row * 2.0, other))
        by_one = tf.map_fn(product, (x, masks[0], masks[0]), dtype=tf.float32)
        by_two = tf.map_fn(product, (x, *masks), dtype=tf.float32)
        fetches = [by_one, *tf.gradients(by_one, x), by_two, *tf.gradients(by_two, x)]
        rows = np.array([[1, 0, 1], [1, 1, 0], [0, 1, 0], [0, 0, 0], [1, 1, 1]], bool)
        others = np.array([[1, 1, 0], [0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 1, 1]], bool)
        for count in (5, 2, 0):
            case.run(fetches if count else fetches[:2], {x: np.arange(3 * count, dtype=np.float32).reshape(-1, 3), masks[0]: rows[:count],
                               masks[1]: others[:count]})


branches()
loops()
gradients()
