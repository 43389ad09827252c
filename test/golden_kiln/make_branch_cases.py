# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records branches and loops whose results are fed, predicates that variables give, one predicate at several depths, references in loops, gradients of nested branches. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case
from tensorflow.python.framework import function

raw = tf.raw_ops
BOTH = (True, False)


def control_flow(v2):
    (tf.enable_control_flow_v2 if v2 else tf.disable_control_flow_v2)()


def fed(v2):
    with Case("branches_fed" + ("_v2" if v2 else ""), "results of branches, loops and calls that are fed, though they run: another result, an effect or a control edge needs them") as case:
        control_flow(v2)
        p, n, x = tf.placeholder(tf.bool, [], "p"), tf.placeholder(tf.int32, [], "n"), tf.placeholder(tf.float32, [None], "x")
        v = tf.get_variable("v", [], tf.float32, tf.zeros_initializer(), use_resource=True)

        def add():
            with tf.control_dependencies([v.assign_add(1.0, read_value=False)]):
                return x + 1.0, tf.reduce_sum(x)

        @function.Defun(tf.float32, func_name="pair" + ("_v2" if v2 else ""))
        def pair(a):
            return a[1:] * 2.0, tf.reduce_sum(a)

        some = tf.cond(p, lambda: x[:1] * 2.0, lambda: x + 1.0)
        same = tf.cond(p, lambda: tf.constant(3.0), lambda: tf.constant(3.0))
        two = tf.cond(p, add, lambda: (x[:1], tf.constant(7.0)))
        loop = tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, tf.concat([a, a[:1]], 0)), [0, x], [tf.TensorShape([]), tf.TensorShape([None])])
        called = pair(x)
        more = tf.cond(p, lambda: tf.cond(n > 1, lambda: x * 5.0, lambda: x[:2]), lambda: x[:1])
        case.init()
        feeds = {x: [1.0, 2.0, 3.0], n: 2}
        for result in (some, two[0], loop[1], called[0], more):
            with tf.control_dependencies([result]):
                behind = tf.constant(3.0) * 2.0
            for take in BOTH:
                case.run([behind, result * 10.0], {**feeds, p: take, result: np.arange(5.0)})
                case.run([behind, result * 10.0], {**feeds, p: take})
        with tf.control_dependencies([same]):
            behind = same + 1.0 + 0.0 * same
        for take in BOTH:
            case.run([behind, tf.identity(same)], {p: take, same: 10.0})
            case.run([two[0] * 2.0, two[1]], {**feeds, p: take, two[1]: -4.0})
            case.run([two[0] * 2.0, two[1]], {**feeds, p: take, two[0]: [9.0]})
            case.run(v.value())
        for number in (0, 2):
            case.run([loop[0] * 2, loop[1]], {x: [1.0], n: number, loop[0]: 40})
            case.run([loop[0] * 2, loop[1]], {x: [1.0], n: number, loop[1]: [4.0, 5.0]})
        case.run([called[0], called[1] * 2.0], {x: [1.0, 2.0], called[1]: 100.0})


def chosen():
    with Case("branches_fed_choice", "a reference that a branch chose, fed, beside what it is of") as case:
        control_flow(False)
        p = tf.placeholder(tf.bool, [], "p")
        v = tf.get_variable("v", initializer=tf.constant([1.0, 2.0]), use_resource=False)
        w = tf.get_variable("w", initializer=tf.constant([10.0, 20.0]), use_resource=False)
        ref = raw.RefMerge(inputs=[raw.RefSwitch(data=v._ref(), pred=p)[0], raw.RefSwitch(data=w._ref(), pred=p)[1]])
        add = tf.assign_add(ref.output, [1.0, 1.0])
        with tf.control_dependencies([add.op]):
            behind = tf.constant(2.0) * 2.0
        case.init()
        for take in BOTH:
            case.run([behind, add * 2.0], {p: take})
            case.run([behind, add * 2.0], {p: take, add: [5.0, 5.0]})
            case.run([v, w])


def predicates():
    with Case("branches_predicates", "a variable's reads as predicates, before and behind what changes it, in branches and loops") as case:
        control_flow(False)
        p, n, x = tf.placeholder(tf.bool, [], "p"), tf.placeholder(tf.int32, [], "n"), tf.placeholder(tf.float32, [], "x")
        v = tf.get_variable("v", initializer=tf.constant(True), use_resource=True)
        set_false = v.assign(False, read_value=False)
        both = tf.cond(p, lambda: tf.cond(v, lambda: x + 1.0, lambda: x + 2.0), lambda: tf.cond(v, lambda: x + 3.0, lambda: x + 4.0))
        one = tf.cond(p, lambda: tf.cond(v, lambda: x + 1.0, lambda: x + 2.0), lambda: x)
        behind_one = tf.cond(v, lambda: x * 10.0, lambda: one * 100.0)
        first = tf.cond(v, lambda: x * 10.0, lambda: x * 100.0)
        with tf.control_dependencies([first]):
            q = tf.identity(p)

        def change():
            with tf.control_dependencies([v.assign(False, read_value=False)]):
                w, read = tf.identity(x), v.read_value()
            return tf.cond(tf.logical_and(w > -9.0, read), lambda: w + 1.0, lambda: w + 2.0)

        changed = tf.cond(q, change, lambda: tf.cond(v, lambda: x + 3.0, lambda: x + 4.0))

        def body(i, a):
            y = tf.cond(v, lambda: a + 1.0, lambda: a * 2.0)
            with tf.control_dependencies([y]), tf.control_dependencies([v.assign(tf.equal(i % 3, 0), read_value=False)]):
                return i + 1, tf.identity(y)

        loop = tf.while_loop(lambda i, a: i < n, body, [0, 1.0], parallel_iterations=1)
        twice = tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, tf.cond(v, lambda: a + 1.0, lambda: a * 2.0) + tf.cond(v, lambda: a, lambda: -a)), [0, 1.0])
        case.init()
        for value in BOTH:
            for take in BOTH:
                case.run(v.initializer if value else set_false)
                case.run(both, {p: take, x: 1.0})
                case.run([one, behind_one], {p: take, x: 1.0})
                case.run(twice, {n: 3})
                case.run([changed, first], {p: take, x: 1.0})
                case.run(v.value())
        for number in (0, 1, 3, 7):
            case.run(v.initializer)
            case.run(loop, {n: number})
            case.run(v.value())


def nested():
    with Case("branches_nested", "one predicate at several depths, with variables in the branches") as case:
        control_flow(False)
        p, q, x = tf.placeholder(tf.bool, [], "p"), tf.placeholder(tf.bool, [], "q"), tf.placeholder(tf.float32, [], "x")
        for resource in (False, True):
            v = tf.get_variable("v%d" % resource, initializer=tf.constant(1.0), use_resource=resource)
            early = tf.cond(p, lambda: x + 1.0, lambda: x - 1.0)
            reads = tf.cond(q, lambda: early, lambda: tf.cond(p, lambda: v * 10.0, lambda: v * 3.0))

            def write():
                with tf.control_dependencies([tf.assign(v, x).op]):
                    again = tf.identity(p)
                return tf.cond(again, lambda: v * 10.0, lambda: x * 3.0)

            writes = tf.cond(q, lambda: early, write)
            deep = tf.cond(q, lambda: tf.cond(p, lambda: tf.cond(q, lambda: v + x, lambda: v - x), lambda: v * x), lambda: tf.cond(p, lambda: v, lambda: x))
            # Behind a branch, more of the same predicate.
            with tf.control_dependencies([early]):
                late = tf.cond(p, lambda: early * v, lambda: early + tf.assign_add(v, 1.0))
            case.run(v.initializer)
            for take in BOTH:
                for other in BOTH:
                    feeds = {p: take, q: other, x: 5.0}
                    for result in (reads, writes, deep, late):
                        case.run(result, feeds)
                        case.run(v.value())
                    case.run([reads, deep, early], feeds)


def merged():
    with Case("branches_merged", "what runs under a predicate and takes the Merge of that predicate") as case:
        p, x = tf.placeholder(tf.bool, [], "p"), tf.placeholder(tf.float32, [], "x")
        off, on = raw.Switch(data=x, pred=p)
        first = raw.Merge(inputs=[off * 2.0, on * 3.0]).output
        with tf.control_dependencies([tf.identity(on)]):
            direct = first + 1.0
        sums = on + first
        second = raw.Merge(inputs=[tf.negative(off), sums * 10.0])
        third = raw.Merge(inputs=[off + second.output, direct * second.output])
        for take in BOTH:
            case.run([first, second.output, second.value_index, third.output, third.value_index], {p: take, x: 2.0})
            case.run(third.output, {p: take, x: 2.0})
        case.run([direct, sums], {p: True, x: 2.0})


def references():
    with Case("branches_references", "references to a variable that loops take from around, in loops and branches") as case:
        control_flow(False)
        n, p = tf.placeholder(tf.int32, [], "n"), tf.placeholder(tf.bool, [], "p")
        v = tf.get_variable("v", initializer=tf.constant([1.0, 2.0]), use_resource=False)

        def inner(i, a):
            with tf.control_dependencies([tf.assign_add(v, [1.0, 10.0]).op]):
                return i + 1, a + tf.identity(v)

        def outer(i, a):
            return i + 1, tf.while_loop(lambda k, b: k < n, inner, [0, a], parallel_iterations=1)[1]

        def reading(i, a):
            with tf.control_dependencies([tf.assign_add(v, [1.0, 10.0]).op]):
                k = tf.identity(i)
            return i + 1, tf.while_loop(lambda k, b: k < n, lambda k, b: (k + 1, b + v), [tf.minimum(k, 0), a], parallel_iterations=1)[1]

        loops = [tf.while_loop(lambda i, a: i < n, body, [0, tf.zeros([2])], parallel_iterations=1) for body in (inner, outer, reading)]
        for loop in loops:
            for number in (0, 1, 3):
                case.run(v.initializer)
                case.run(loop, {n: number})
                case.run(v)


def driven():
    with Case("branches_driven", "references to a variable in branches and loops with queue ops, which read and change it") as case:
        control_flow(False)
        q = tf.FIFOQueue(99, [tf.float32], [[]], name="q")
        p, n = tf.placeholder(tf.bool, [], "p"), tf.placeholder(tf.int32, [], "n")
        v = tf.get_variable("v", initializer=tf.constant(1.0), use_resource=False)

        def change():
            x = q.dequeue()
            with tf.control_dependencies([x]):
                added = v.assign_add(5.0)
            with tf.control_dependencies([added]):
                return added, tf.identity(v), v * 10.0, x

        def read():
            return v * 1.0, v * 2.0, tf.identity(v), tf.constant(0.0)

        def body(i, s):
            x = q.dequeue()
            with tf.control_dependencies([x]):
                added = v.assign_add(1.0)
            with tf.control_dependencies([added]):
                return i + 1, s + tf.identity(v) * 100.0

        def inner(i, s):
            return i + 1, tf.while_loop(lambda k, a: k < n, body, [0, s], parallel_iterations=1)[1]

        branch = tf.cond(p, change, read)
        nested = tf.cond(p, lambda: tf.cond(n > 1, change, read), read)
        loops = [tf.while_loop(lambda i, s: i < n, f, [0, 0.0], parallel_iterations=1) for f in (body, inner)]
        from_view = tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + q.dequeue()), [0, v], parallel_iterations=1)
        with tf.control_dependencies([branch[0]]):
            behind = tf.identity(v) * 1.0
        case.init()
        case.run(q.enqueue_many([[float(i) for i in range(60)]]))
        for take in BOTH:
            for number in (0, 2):
                feeds = {p: take, n: number}
                case.run(branch, feeds)
                case.run(branch[1], feeds)
                case.run([branch[0], behind], feeds)
                case.run(nested, feeds)
                for loop in (*loops, from_view):
                    case.run(loop, feeds)
                    case.run(v)


def unused():
    with Case("branches_unused_v2", "effects and errors in branches and loops, of results that are not fetched") as case:
        control_flow(True)
        p, n, x = tf.placeholder(tf.bool, [], "p"), tf.placeholder(tf.int32, [], "n"), tf.placeholder(tf.float32, [], "x")
        v = tf.get_variable("v", initializer=tf.constant(1.0), use_resource=True)

        less = lambda i, *rest: i < n
        rotate = lambda i, a, b, c: (i + 1, b, c, v.assign_add(10.0) * a)
        fail = lambda i, a, b: (i + 1, a * 2.0, tf.gather([1.0], i + 5) + b)
        steps = [
            tf.cond(p, lambda: (x + 1.0, v.assign_add(100.0) + 0.0), lambda: (x, x)),
            tf.while_loop(less, lambda i, a: (i + 1, v.assign_add(1000.0) * 1.0), [0, x], parallel_iterations=1),
            tf.while_loop(less, rotate, [0, x, x, x], parallel_iterations=1),
            tf.while_loop(less, fail, [0, x, x], parallel_iterations=1),
            tf.while_loop(lambda i, a: a < 3.0, lambda i, a: (i + 1, v.assign_add(1.0) * 1.0), [0, x], parallel_iterations=1),
        ]
        case.init()
        for step in steps:
            for result in (*step, step[0].op, step):
                case.run(v.initializer)
                case.run(result, {p: True, n: 2, x: 2.0})
                case.run(v.value())


def gradients():
    with Case("branches_gradients", "gradients of nested branches that gather") as case:
        control_flow(False)
        p, q = tf.placeholder(tf.bool, [], "p"), tf.placeholder(tf.bool, [], "q")
        fixed, open_ = tf.placeholder(tf.float32, [3], "fixed"), tf.placeholder(tf.float32, [None], "open")
        w = tf.get_variable("w", initializer=tf.constant([1.0, 2.0, 3.0]), use_resource=True)
        for x in (fixed, open_, w):
            ys = [
                tf.cond(p, lambda: tf.gather(x, [0, 0, 1]), lambda: tf.gather(x, [2, 2, 1])),
                tf.cond(p, lambda: x * 2.0, lambda: tf.cond(q, lambda: tf.gather(x, [0, 0, 1]) * x, lambda: x * 3.0)),
                tf.cond(p, lambda: x * 2.0, lambda: tf.cond(q, lambda: tf.gather(x, [0, 0, 1]), lambda: tf.gather(x, [2, 2, 1]))),
                tf.cond(p, lambda: x[:1], lambda: tf.cond(q, lambda: x * 3.0, lambda: tf.gather(x, [0, 0, 1]))),
                tf.cond(p, lambda: tf.gather(x, [0, 0, 1]), lambda: tf.cond(q, lambda: x * 3.0, lambda: x + 0.0)),
                tf.case([(p, lambda: tf.gather(x, [0])), (q, lambda: tf.gather(x, [1]))], default=lambda: tf.gather(x, [2])),
            ]
            case.run(w.initializer)
            for y in ys:
                slope = tf.convert_to_tensor(tf.gradients(y, x)[0])
                for take in BOTH:
                    for other in BOTH:
                        feeds = {p: take, q: other}
                        if x is not w:
                            feeds[x] = [1.0, 2.0, 3.0]
                        case.run([y, slope], feeds)


if __name__ == "__main__":
    fed(False)
    fed(True)
    chosen()
    predicates()
    nested()
    merged()
    references()
    driven()
    unused()
    gradients()
