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



def uninitialized():
    with Case("flow_uninitialized" + SUFFIX, "variables without a value in branches that are taken and not") as case:
        v = tf.get_variable("v", initializer=tf.constant(3.0), use_resource=V2)
        p = tf.placeholder(tf.bool, [], name="p")
        got = tf.cond(p, lambda: read(v) + 1.0, lambda: tf.constant(-1.0), name="got")

        def assign():
            with tf.control_dependencies([v.assign(5.0)]):
                return tf.constant(0)
        ready = tf.cond(tf.is_variable_initialized(v), lambda: tf.constant(1), assign, name="ready")
        with tf.control_dependencies([ready]):
            after = read(v)
        n = tf.placeholder(tf.int32, [], name="n")
        loop = tf.while_loop(lambda i, t: i < n, lambda i, t: (i + 1, t + read(v)), [0, 0.0], name="loop")
        case.run(got, {p: False})
        case.run(got, {p: True})
        case.run(loop, {n: 0})
        case.run(loop, {n: 2})
        # References: TensorFlow reads at once, whether the assignment has been or not.
        case.run([ready, after] if V2 else ready)
        case.run([ready, after])
        case.run(got, {p: True})
        case.run(loop, {n: 2})


def assertions():
    with Case("flow_assertions" + SUFFIX, "Assert at the top, in branches and loops; tensors as text") as case:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        k = tf.placeholder(tf.int32, [], name="k")
        v = tf.get_variable("v", initializer=tf.constant(0), use_resource=V2)
        raw = tf.raw_ops.Assert
        with tf.control_dependencies([raw(condition=k > 0, data=["k must be positive", k, x], summarize=3)]):
            checked = x * 2.0

        def guarded():
            with tf.control_dependencies([raw(condition=k < 3, data=[x, [True, False]], summarize=-1)]):
                return x + 1.0
        branch = tf.cond(k > 1, guarded, lambda: x - 1.0, name="branch")

        def body(i):
            with tf.control_dependencies([raw(condition=i < 4, data=["turn", i, k], summarize=0)]):
                with tf.control_dependencies([v.assign(i + 1)]):
                    return i + 1
        loop = tf.while_loop(lambda i: i < k, body, [0], name="loop")
        texts = [tf.strings.format("k {} x {} {}", [k, x, ["a", "b\n\"c\"", "\u00e9"]], summarize=2),
                 tf.strings.format("{}{}", [tf.cast(x, tf.float16), tf.cast(x, tf.float64) / 3.0], summarize=-1)]
        numbers = tf.constant(np.arange(60).reshape(3, 4, 5))
        texts += [tf.strings.format("<{}>", numbers, summarize=n) for n in (0, 1, 2, -1)]
        texts += [tf.strings.format("{} {} {}", [tf.zeros([0, 3]), tf.zeros([2, 0]), tf.constant([0.1, 1e-7, 1e20, np.nan, -np.inf])])]
        several = [raw(condition=k > 9, data=[numbers, tf.constant([0.1, 1 / 3], tf.float64), tf.constant(200, tf.uint8)], summarize=n)
                   for n in (0, 4, 5, 20, 40, 100)]
        case.init()
        for turns in (0, 1, 2, 3, 5):
            for rows in (3, 0):
                feeds = {x: X[:1, :2].repeat(rows, 0), k: turns}
                case.run(checked, feeds)
                case.run(branch, feeds)
                case.run([loop], feeds)
                case.run(read(v))
        case.run(texts, {x: X[:, :2], k: 7})
        for op in several:
            case.run(op, {k: 1})
        case.run(several, {k: 10})


def dead():
    with Case("flow_dead" + SUFFIX, "fetches that may be dead, a predicate inside of itself, frames without a loop") as case:
        from tensorflow.python.ops import control_flow_ops as flow
        x = tf.placeholder(tf.float32, [2], name="x")
        p = tf.placeholder(tf.bool, [], name="p")
        q = tf.placeholder(tf.bool, [], name="q")
        off, on = flow.switch(x, p, name="outer")
        doubled = tf.identity(on * 2.0, name="doubled")
        inner_off, inner_on = flow.switch(doubled, q, name="inner")
        both = tf.identity(inner_on + 1.0, name="both")
        merged, which = flow.merge([off, doubled], name="merged")
        never = tf.add(off, on, name="never")
        for fetches in ([doubled], [x, off], [both], [inner_off, doubled], [merged, which], [never]):
            for a, b in ((True, True), (True, False), (False, True)):
                case.run(fetches, {x: X[0, :2], p: a, q: b})
        same = tf.cond(p, lambda: tf.cond(p, lambda: x + 1.0, lambda: x + 2.0) * 10.0, lambda: x, name="same")
        case.run(same, {x: X[0, :2], p: True})
        case.run(same, {x: X[0, :2], p: False})
        inside = tf.raw_ops.Enter(data=x, frame_name="once", name="inside")
        never_taken = tf.raw_ops.Enter(data=p, frame_name="once")
        passed = tf.raw_ops.Exit(data=flow.switch(inside * inside, never_taken)[0], name="passed")
        case.run(passed, {x: X[0, :2], p: False})
        case.run(passed, {x: X[0, :2], p: True})
        truths = [tf.raw_ops.ToBool(input=v) for v in (x, x[0], tf.strings.as_string(x)[0], tf.strings.substr("", 0, 0), x[:0])]
        case.run(truths, {x: X[0, :2]})
        case.run(truths, {x: X[0, :2] * 0})


def gradients():
    with Case("flow_gradients" + SUFFIX, "gradients of branches, nested ones and ones of many branches") as case:
        x = tf.placeholder(tf.float32, [3], name="x")
        p = tf.placeholder(tf.bool, [], name="p")
        k = tf.placeholder(tf.int32, [], name="k")
        simple = tf.cond(p, lambda: tf.square(tf.sin(x)), lambda: tf.exp(x) * x, name="simple")
        nested = tf.cond(p, lambda: tf.cond(k > 0, lambda: tf.tanh(x) * tf.sin(x), lambda: x * 3.0) * tf.cos(x), lambda: tf.exp(x), name="nested")
        picked = tf.switch_case(k, [lambda: tf.sin(x) * x, lambda: tf.tanh(x), lambda: x * x * x], name="picked")
        fetches = []
        for y in (simple, nested, picked):
            fetches += [y, tf.gradients(y, x)[0]]
        for a, b in ((True, 1), (True, 0), (False, 2), (False, -1)):
            case.run(fetches, {x: X[0], p: a, k: b})


def counted():
    with Case("flow_for", "For: upwards, downwards, no turns, and limits that are never met") as case:
        from tensorflow.python.framework import function
        from tensorflow.python.ops import functional_ops
        x = tf.placeholder(tf.float32, [None], name="x")
        start, limit, delta = (tf.placeholder(tf.int32, [], name=n) for n in ("start", "limit", "delta"))

        @function.Defun(tf.int32, tf.float32, tf.int32, func_name="Turn")
        def turn(i, a, k):
            return a * 0.5 + tf.cast(i, tf.float32), k + 1
        y, turns = functional_ops.For(start, limit, delta, [x, tf.constant(0)], turn, name="for")
        for begin, end, step in ((0, 4, 1), (0, 7, 3), (5, -2, -2), (3, 3, 1), (3, 3, 0), (0, 4, -1), (4, 0, 1), (0, 1, 0)):
            for size in (2, 3):
                case.run([y, turns], {x: X[0, :size], start: begin, limit: end, delta: step})


def optionals():
    with Case("flow_optionals", "optionals out of branches, with a value, without one, and in one another") as case:
        raw = tf.raw_ops
        x = tf.placeholder(tf.float32, [2], name="x")
        p = tf.placeholder(tf.bool, [], name="p")
        q = tf.placeholder(tf.bool, [], name="q")

        def none():
            return raw.OptionalNone()

        def value(optional):
            return raw.OptionalGetValue(optional=optional, output_types=[tf.float32], output_shapes=[[2]])[0]
        some = tf.cond(p, lambda: raw.OptionalFromValue(components=[x * 2.0]), none, name="some")
        got = tf.add(value(some), 1.0, name="got")
        nested = tf.cond(q, lambda: raw.OptionalFromValue(components=[some]), none, name="nested")
        inner = raw.OptionalGetValue(optional=nested, output_types=[tf.variant], output_shapes=[[]])[0]
        deep = tf.cond(q, lambda: value(inner), lambda: x, name="deep")
        for a, b in ((True, True), (False, False), (True, False), (False, True)):
            case.run(got, {x: X[0, :2], p: a, q: b})
            case.run(deep, {x: X[0, :2], p: a, q: b})


branches()
loops()
state()
randoms()
uninitialized()
assertions()
gradients()
if V2:
    optionals()
else:
    dead()
    counted()
