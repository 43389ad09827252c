# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records variables that are used in several branches of one predicate, and branches and loops of version 2 that only a control edge asks for. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import tensorflow.compat.v1 as tf
from recorder import Case

BOTH = (True, False)


def crossing():
    with Case("branches_crossing", "a handle that is used in two branches of one predicate, of which the other branches have none") as case:
        tf.disable_control_flow_v2()
        p, q = tf.placeholder(tf.bool, [], "p"), tf.placeholder(tf.bool, [], "q")
        n, x = tf.placeholder(tf.int32, [], "n"), tf.placeholder(tf.float32, [], "x")
        v = tf.get_variable("v", initializer=tf.constant([1.0, 2.0, 3.0]), use_resource=True)
        first = tf.cond(p, lambda: n + 0, lambda: n + 0)

        def change(s):
            with tf.control_dependencies([v.assign_sub([1.0, 1.0, 1.0], read_value=False)]):
                return tf.identity(s)

        def inner():
            s = tf.while_loop(lambda i, a: i < n % 3, lambda i, a: (i + 1, a * 2.0), [0, x])[1]
            with tf.control_dependencies([s]):
                which = tf.identity(n)
            w = tf.switch_case(which, [lambda: s + 0.0, lambda: change(s), lambda: s + 1.0])
            with tf.control_dependencies([w]):
                return tf.identity(s)

        y = tf.cond(q, lambda: tf.cond(p, inner, lambda: x * 1.0), lambda: x * 3.0)
        case.init()
        for take in BOTH:
            for other in BOTH:
                for number in (1, 3, 5):
                    case.run([y, first], {p: take, q: other, n: number, x: 0.5})
                    case.run(v.value())


def asked():
    with Case("branches_asked_v2", "branches and loops whose results nothing takes, behind control edges") as case:
        tf.enable_control_flow_v2()
        p, n = tf.placeholder(tf.bool, [], "p"), tf.placeholder(tf.int32, [], "n")
        v = tf.get_variable("v", initializer=tf.constant(0.5), use_resource=True)

        def change():
            with tf.control_dependencies([v.assign_sub(-1.5, read_value=False)]):
                return tf.constant(1.0) + 0.0

        def body(i):
            with tf.control_dependencies([v.assign_sub(-10.0, read_value=False)]):
                return i + 1

        def caller(tensor, *types):
            op = tensor.op
            while op.type not in types:
                op = op.inputs[0].op
            return op

        results = [tf.cond(p, change, lambda: tf.constant(2.0)), tf.while_loop(lambda i: i < n, body, [0], parallel_iterations=1), tf.switch_case(n, [change, lambda: tf.constant(3.0)])]
        case.init()
        for result, kind in zip(results, ("If", "While", "Case")):
            op = caller(result, kind, "Stateless" + kind)
            with tf.control_dependencies([op]):
                behind = tf.constant(1.0) * 2.0
            for asks in (tf.group(op), behind, [behind, result]):
                for take in BOTH:
                    for number in (0, 2):
                        case.run(asks, {p: take, n: number})
                        case.run(v.value())


if __name__ == "__main__":
    crossing()
    asked()
