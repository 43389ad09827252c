# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records gradients of conditionals and loops that call functions, as make_gradient_cases.py does for ops. Run it with a Python that has TensorFlow."""
import os

os.environ["GOLDEN_MODE"] = "resource"
import make_gradient_cases
import numpy as np
import tensorflow.compat.v1 as tf
from make_gradient_cases import numbers


def record(name, about, build, values, **options):
    make_gradient_cases.record("function_" + name, about, build, values, rtol=1e-9, **options)


def branches():
    a, b = numbers(3), numbers(3)

    def cond(x, w):
        positive = tf.reduce_sum(w) > 0.0
        first = tf.cond(positive, lambda: tf.sin(x * w) * x, lambda: x - w * 2.0)
        inner = lambda: tf.cond(w[0] > 1.0, lambda: tf.exp(x * 0.1) * w, lambda: tf.square(x * w))
        return [first, tf.cond(w[1] > 0.0, inner, lambda: tf.identity(w))]

    turns = [[a, np.array(w)] for w in ([2.0, 1.0, 0.5], [0.5, 1.0, 0.25], [0.5, -1.0, 3.0], [-2.0, 0.5, -1.0])]
    record("cond", "a conditional, and one in a branch of another", cond, turns[0], more=turns[1:])

    def case(x, which):
        index = tf.cast(which[0], tf.int32)
        return [tf.switch_case(index, [lambda: tf.exp(x), lambda: x * x * x, lambda: tf.sin(x) * tf.cos(x)])]

    record("case", "three branches", case, [a, np.array([0.0])], more=[[a, np.array([k])] for k in (1.0, 2.0, 7.0)])

    def rows(x, which):
        table = x * 1.0
        return [tf.cond(which[0] > 0.0, lambda: tf.gather(table, [0, 2, 0]) * 2.0, lambda: tf.gather(table, [1]) + tf.gather(table, [1, 1, 2]))]

    record("rows", "rows that a branch gathers", rows, [numbers(4, 2), np.array([1.0])], more=[[numbers(4, 2), np.array([-1.0])]])


def loops():
    def counted(x, n):
        count = tf.cast(n[0], tf.int32)
        return [tf.while_loop(lambda i, v: i < count, lambda i, v: (i + 1, tf.sin(v * x) + v), [0, x])[1]]

    record("while", "as many turns as a feed says", counted, [numbers(3), np.array([3.0])], more=[[numbers(3), np.array([n])] for n in (0.0, 1.0, 6.0)])

    def nested(x, w):
        def turn(i, v):
            inner = tf.while_loop(lambda k, u: k <= i, lambda k, u: (k + 1, tf.tanh(u * w) + x), [0, v])[1]
            return i + 1, inner * 0.5 + v
        return [tf.while_loop(lambda i, v: i < 3, turn, [0, x])[1]]

    record("nested", "a loop in a loop, which takes from outside of both", nested, [numbers(2), numbers(2)])

    def choosing(x, w):
        def turn(i, v):
            return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: tf.sin(v) * w, lambda: v * v * x)
        return [tf.while_loop(lambda i, v: i < 4, turn, [0, x])[1]]

    record("choosing", "a conditional in a loop", choosing, [numbers(2), numbers(2)])

    def chosen(x, w):
        loop = lambda: tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, tf.cos(v * w)), [0, x])[1]
        return [tf.cond(w[0] > 0.0, loop, lambda: w * 3.0)]

    record("chosen", "a loop in a branch", chosen, [numbers(2), np.array([0.5, -1.0])], more=[[numbers(2), np.array([-0.5, 1.0])]])

    def bounded(x):
        return [tf.while_loop(lambda i, v: tf.reduce_sum(v) < 100.0, lambda i, v: (i + 1, v * x), [0, tf.abs(x) + 1.0], maximum_iterations=4)[1]]

    record("bounded", "a loop with a most of turns", bounded, [numbers(2) + 3.0])

    def twice(x):
        value = tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v * x), [0, x])[1]
        return [tf.gradients(value, x)[0]]

    record("twice", "the gradient of a loop's gradient", twice, [numbers(2)])


def calls():
    scaled = tf.function(lambda x, y: (tf.exp(x * y), tf.square(y)))
    record("partitioned", "a call of a function", lambda x, y: list(scaled(x, y)), [numbers(3), numbers(3)])


if __name__ == "__main__":
    branches()
    loops()
    calls()
