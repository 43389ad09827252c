# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow does with functions, branches and loops. Run it with a Python that has TensorFlow, once with
GOLDEN_MODE=resource, which writes If, While and a function library, and once without, for Switch and Merge (_v1)."""
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
X = np.array([[1.0, -2.0, 3.0], [0.5, 0.25, -4.0]], np.float32)


def read(variable):
    return variable.read_value() if V2 else tf.identity(variable)


def branches():
    with Case("flow_branches" + SUFFIX, "If, Case and chains of them: captured tensors, dead divisions, several results") as case:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        k = tf.placeholder(tf.int32, [], name="k")
        p = tf.placeholder(tf.bool, [], name="p")
        scale = tf.constant([1.0, 2.0, 3.0])
        one = tf.cond(p, lambda: x * scale, lambda: x - 1.0, name="one")
        two = tf.cond(p, lambda: (x, tf.reduce_sum(x)), lambda: (-x, tf.constant(7.0)), name="two")
        nested = tf.cond(k > 0, lambda: tf.cond(p, lambda: x + 1.0, lambda: x + 2.0), lambda: x + 3.0, name="nested")
        picked = tf.switch_case(k, [lambda: x, lambda: x * 10.0, lambda: tf.reverse(x, [1])], name="picked")
        single = tf.switch_case(k, [lambda: x * 5.0], name="single")
        dead = tf.cond(tf.not_equal(k, 0), lambda: tf.constant(12) // k, lambda: tf.constant(-1), name="dead")
        fetches = [one, *two, nested, picked, single, dead]
        for rows, which in ((2, -3), (1, 0), (2, 1), (2, 2), (1, 9)):
            case.run(fetches, {x: X[:rows], k: which, p: which % 2 == 0})


def loops():
    with Case("flow_loops" + SUFFIX, "While: counters, arrays, loops and branches inside of loops, no turns at all") as case:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        n = tf.placeholder(tf.int32, [], name="n")
        power = tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, a * x + 0.5), [0, x], name="power")

        def outer(i, total):
            inner = tf.while_loop(lambda j, t: j < i, lambda j, t: (j + 1, t + tf.cast(i * j, tf.float32)), [0, total])
            return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: inner[1] + 100.0, lambda: inner[1] * 0.5)
        triangle = tf.while_loop(lambda i, t: i < n, outer, [0, 0.0], name="triangle")
        collatz = tf.while_loop(lambda a, steps: a > 1, lambda a, steps: (
            tf.cond(tf.equal(a % 2, 0), lambda: a // 2, lambda: 3 * a + 1), steps + 1), [n, 0], name="collatz")
        bounded = tf.while_loop(lambda i: True, lambda i: i + 2, [n], maximum_iterations=4, name="bounded")
        swapped = tf.while_loop(lambda i, a, b: i < n, lambda i, a, b: (i + 1, b, a), [0, x, -x], name="swapped")
        fetches = [*power, *triangle, *collatz, bounded, *swapped]
        for rows, turns in ((2, 3), (1, 0), (2, 7)):
            case.run(fetches, {x: X[:rows], n: turns})


def state():
    with Case("flow_state" + SUFFIX, "variables assigned in branches, loops and functions; order of effects") as case:
        v = tf.get_variable("v", initializer=tf.constant([1.0, 2.0]), use_resource=V2)
        c = tf.get_variable("c", initializer=tf.constant(0), use_resource=V2)
        p = tf.placeholder(tf.bool, [], name="p")
        n = tf.placeholder(tf.int32, [], name="n")

        def add():
            with tf.control_dependencies([v.assign_add([1.0, 1.0])]):
                return read(v)
        branch = tf.cond(p, add, lambda: read(v) * 10.0, name="branch")

        def body(i):
            with tf.control_dependencies([c.assign_add(i), v.assign(v * 2.0)]):
                return i + 1
        loop = tf.while_loop(lambda i: i < n, body, [0], name="loop")
        with tf.control_dependencies([loop]):
            after = [read(v), read(c)]

        called = []
        if V2:  # a function does not take references
            @tf.function
            def twice(a):
                v.assign_add(a)
                first = read(v)
                v.assign_add(a)
                return first, read(v)
            called = twice(tf.constant([0.5, 0.25]))
        until = tf.while_loop(lambda i: c < 100, lambda i: i + c.assign_add(30) * 0 + 1, [0], name="until")
        case.init()
        case.run(branch, {p: True})
        case.run(branch, {p: False})
        case.run([v, c])
        case.run([loop, *after], {n: 4})
        case.run([loop, *after], {n: 0})
        if V2:
            case.run(list(called))
        # As resources, the condition's reads race with the turns before: TensorFlow takes 10, its parallel_iterations.
        if not V2:
            case.run(until)
            case.run([v, c])


def randoms():
    with Case("flow_random" + SUFFIX, "random ops in functions, branches and loops: a stream a call, a draw a turn") as case:
        tf.set_random_seed(4)
        p = tf.placeholder(tf.bool, [], name="p")
        n = tf.placeholder(tf.int32, [], name="n")

        @tf.function
        def draw(a):
            return a + tf.random.uniform([2], seed=7)

        @tf.function
        def both(a):
            return draw(a) * draw(a)
        a = tf.constant([1.0, 2.0])
        calls = [draw(a), draw(a), both(a)]
        branch = tf.cond(p, lambda: tf.random.uniform([2], seed=3), lambda: a, name="branch")
        loop = tf.while_loop(lambda i, t: i < n, lambda i, t: (i + 1, t + tf.random.uniform([2], seed=5)), [0, a])
        for taken, turns in ((True, 3), (False, 0), (True, 1), (True, 2)):
            case.run([*calls, branch, loop[1]], {p: taken, n: turns})


branches()
loops()
state()
randoms()
