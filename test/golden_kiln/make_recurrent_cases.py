# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records the graphs of recurrent networks, of branches and of loops of TensorFlow 1, with gradients through them, and what steps
with those gradients give; test/unit/Train/RecurrentProgramsTest.cpp and LoopProgramsTest.cpp build the same graphs. Run it with a Python
that has TensorFlow."""
import os
import sys
import warnings

warnings.simplefilter("ignore")
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case
from tensorflow.python.keras.layers.legacy_rnn import rnn_cell_impl as cells


def waves(*shape):
    return np.sin(np.arange(np.prod(shape)) * 1.7).reshape(shape).astype(np.float32)


def steps(case, x, outputs, feeds=None, rate=0.3):
    """Three steps of training with the mean of the squared outputs as a loss."""
    loss = tf.add_n([tf.reduce_mean(tf.square(each)) for each in outputs], name="loss")
    step = tf.train.GradientDescentOptimizer(rate).minimize(loss)
    case.init()
    feed = {x: waves(*(d or 2 for d in x.shape.as_list())), **(feeds or {})}
    for _ in range(3):
        case.run([loss, *outputs], feed)
        case.run([step], feed)
    case.run([v.name for v in tf.global_variables()])


def record(name, about):
    return Case("recurrent_" + name, about, seed=3, rtol=1e-4, atol=1e-5)


def of_a_cell(name, about, cell, batch=None, **options):
    with record(name, about) as case:
        x = tf.placeholder(tf.float32, [batch, 4, 3], "x")
        outputs, state = tf.nn.dynamic_rnn(cell(), x, dtype=tf.float32, **options)
        steps(case, x, [outputs])


def with_lengths():
    with record("lengths", "sequences of several lengths, time first, of a batch that is known") as case:
        x = tf.placeholder(tf.float32, [4, 2, 3], "x")
        lengths = tf.placeholder(tf.int64, [2], "lengths")
        outputs, state = tf.nn.dynamic_rnn(cells.GRUCell(2), x, lengths, dtype=tf.float32, time_major=True)
        steps(case, x, [outputs, state], {lengths: [1, 3]})
    with record("open_lengths", "sequences of several lengths in a batch of any size, from a state that is given") as case:
        x = tf.placeholder(tf.float32, [None, None, 3], "x")
        lengths = tf.placeholder(tf.int32, [None], "lengths")
        c, h = tf.placeholder(tf.float32, [None, 2], "c"), tf.placeholder(tf.float32, [None, 2], "h")
        outputs, state = tf.nn.dynamic_rnn(cells.BasicLSTMCell(2), x, lengths, cells.LSTMStateTuple(c, h), parallel_iterations=1, swap_memory=True)
        feeds = {x: waves(2, 4, 3), lengths: [2, 4], c: waves(2, 2), h: -waves(2, 2)}
        steps(case, x, [outputs, state.h], feeds)


def dropped():
    with record("dropped", "dropout of inputs, states and outputs with seeds of their own, of two layers") as case:
        x = tf.placeholder(tf.float32, [None, 3, 3], "x")
        keep = tf.placeholder(tf.float32, [], "keep")
        lower = cells.DropoutWrapper(cells.BasicLSTMCell(2), input_keep_prob=0.75, state_keep_prob=0.5, output_keep_prob=keep, seed=7)
        upper = cells.DropoutWrapper(cells.GRUCell(2), output_keep_prob=0.8)
        # One turn at a time: otherwise turns draw in any order.
        outputs, state = tf.nn.dynamic_rnn(cells.MultiRNNCell([lower, upper]), x, dtype=tf.float32, parallel_iterations=1)
        steps(case, x, [outputs], {keep: 0.6})


def dropped_alike():
    with record("variational", "the same elements dropped in all steps") as case:
        x = tf.placeholder(tf.float32, [None, 3, 3], "x")
        keep = tf.placeholder(tf.float32, [], "keep")
        cell = cells.DropoutWrapper(cells.BasicLSTMCell(2), input_keep_prob=0.75, state_keep_prob=0.5, output_keep_prob=keep, seed=7,
                                    variational_recurrent=True, input_size=tf.TensorShape([3]), dtype=tf.float32)
        outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
        steps(case, x, [outputs], {keep: 0.6})


def one_by_one():
    with record("static", "a network without a loop") as case:
        x = tf.placeholder(tf.float32, [2, 3, 3], "x")
        outputs, state = tf.nn.static_rnn(cells.LSTMCell(2), tf.unstack(x, axis=1), dtype=tf.float32)
        steps(case, x, outputs)


def both_ways():
    with record("both_ways", "one cell forward, one backward") as case:
        x = tf.placeholder(tf.float32, [None, 4, 3], "x")
        lengths = tf.placeholder(tf.int32, [None], "lengths")
        outputs, states = tf.nn.bidirectional_dynamic_rnn(cells.GRUCell(2), cells.BasicRNNCell(3), x, lengths, dtype=tf.float32)
        steps(case, x, list(outputs), {lengths: [3, 4]})


def raw():
    with record("raw", "a network whose next input is its output, with a state of the loop") as case:
        x = tf.placeholder(tf.float32, [2, 3], "x")
        lengths = tf.placeholder(tf.int32, [2], "lengths")
        cell = cells.BasicRNNCell(3)

        def next_step(time, output, state, loop_state):
            if output is None:
                return time >= lengths, x, cell.zero_state(2, tf.float32), None, tf.constant(0.0, name="sum")
            return time >= lengths, output * 2.0, state, output, loop_state + tf.reduce_sum(output)
        array, state, total = tf.nn.raw_rnn(cell, next_step)
        steps(case, x, [array.stack(), state, total], {lengths: [2, 3]})


class Program:
    """A program whose loss is minimized over what is trainable, and differentiated by x."""

    def __init__(self, name, about):
        self.case = Case("program_" + name, about, seed=3, rtol=1e-4, atol=1e-5)

    def __enter__(self):
        self.case.__enter__()
        self.x = tf.placeholder(tf.float32, [None, 2], "x")
        self.n = tf.placeholder(tf.int32, [], "n")
        self.w = tf.get_variable("w", [2], initializer=tf.constant_initializer([0.5, -1.5]))
        return self

    def ends(self, y):
        loss = tf.reduce_sum(tf.square(y), name="loss")
        dx = tf.identity(tf.gradients(loss, self.x)[0], name="dx")
        step = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
        self.case.init()
        for n in (0, 1, 3):
            feed = {self.x: waves(3, 2), self.n: n}
            self.case.run([y, loss, dx], feed)
            self.case.run([step], feed)
            self.case.run([self.w.name])

    def __exit__(self, *error):
        return self.case.__exit__(*error)


def programs():
    with Program("cond", "one branch or the other") as p:
        p.ends(tf.cond(p.n > 0, lambda: p.x * p.w, lambda: tf.sin(p.x) - p.w, name="chosen"))
    with Program("cond_nested", "a branch in a branch, with a variable that one of them changes") as p:
        count = tf.Variable(0.0, trainable=False, name="count")

        def inner():
            with tf.control_dependencies([tf.assign_add(count, 1.0)]):
                return tf.exp(p.x * p.w)
        p.ends(tf.cond(p.n > 0, lambda: tf.cond(p.n > 1, inner, lambda: p.x * 3.0), lambda: p.x + p.w))
        p.case.run([count.name])
    with Program("while", "a loop over values and a count") as p:
        p.ends(tf.while_loop(lambda i, a: i < p.n, lambda i, a: (i + 1, tf.tanh(a * p.w) + p.x), [0, p.x], name="turns")[1])
    with Program("while_at_most", "a loop that ends early, whose turns are differentiated one at a time") as p:
        p.ends(tf.while_loop(lambda a: tf.reduce_sum(a) < 100.0, lambda a: tf.square(a) * p.w + 1.0, [p.x], maximum_iterations=p.n,
                             parallel_iterations=1, swap_memory=True))
    with Program("branch_in_loop", "a branch in the body of a loop") as p:
        def body(i, a):
            return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: a * p.w, lambda: tf.sin(a))
        p.ends(tf.while_loop(lambda i, a: i < p.n, body, [0, p.x])[1])
    with Program("loop_in_branch", "a loop in a branch") as p:
        def branch():
            return tf.while_loop(lambda i, a: i < p.n, lambda i, a: (i + 1, a * p.w), [0, p.x])[1]
        p.ends(tf.cond(p.n > 1, branch, lambda: p.x - p.w))
    with Program("nested_loops", "a loop in a loop") as p:
        def outer(i, a):
            return i + 1, tf.while_loop(lambda j, b: j < i, lambda j, b: (j + 1, b * p.w + p.x), [0, a], name="inner")[1]
        p.ends(tf.while_loop(lambda i, a: i < p.n, outer, [0, p.x], name="outer")[1])
    with Program("arrays", "arrays that a loop reads and fills") as p:
        rows = tf.TensorArray(tf.float32, 4, name="rows").unstack(tf.tile(tf.expand_dims(p.x, 0), [4, 1, 1]))
        out = tf.TensorArray(tf.float32, 4, name="out")
        out = tf.while_loop(lambda i, o: i < 4, lambda i, o: (i + 1, o.write(i, tf.square(rows.read(i)) * p.w)), [0, out])[1]
        p.ends(out.stack(name="stacked"))
    with Program("descent_in_loop", "steps against a gradient inside of a loop, which is differentiated too") as p:
        def step(i, a):
            return i + 1, a - 0.1 * tf.gradients(tf.reduce_sum(tf.square(a * p.w)), a)[0]
        p.ends(tf.while_loop(lambda i, a: i < p.n, step, [0, p.x])[1])
    with Program("custom_gradient", "a function that reads variables and makes their gradients") as p:
        @tf.custom_gradient
        def scaled(x):
            u = tf.get_variable("u", [2], initializer=tf.constant_initializer([0.25, 0.5]), use_resource=True)
            v = tf.get_variable("v", [2], initializer=tf.constant_initializer([2.0, 3.0]), use_resource=True)

            def gradient(dy, variables=None):
                return dy * 3.0, [tf.reduce_sum(dy, 0) * factor for factor, _ in zip((2.0, 0.5), variables)]
            return x * v + tf.square(u), gradient
        p.ends(scaled(p.x) * p.w)
        p.case.run(["u/Read/ReadVariableOp:0", "v/Read/ReadVariableOp:0"])


def with_options():
    with record("options", "cells with activations, initializers and variables of others, and one whose input is added") as case:
        x = tf.placeholder(tf.float32, [None, 3], "x")
        state = tf.placeholder(tf.float32, [None, 3], "state")
        ones, small = tf.ones_initializer(), tf.constant_initializer(0.25)
        outputs = [
            cells.BasicRNNCell(3, activation=tf.nn.relu)(x, state)[0],
            cells.BasicLSTMCell(3, forget_bias=0.5, activation=tf.sigmoid, name="memory")(x, cells.LSTMStateTuple(state, x))[0],
            cells.GRUCell(3, activation=tf.sigmoid, kernel_initializer=tf.random_normal_initializer(stddev=0.5), bias_initializer=small)(x, state)[0],
            cells.GRUCell(3, reuse=True)(state, x)[0],
            cells.LSTMCell(3, initializer=ones, activation=tf.nn.relu, reuse=tf.AUTO_REUSE, name="memory")(x, cells.LSTMStateTuple(x, state))[0],
        ]
        residual = cells.ResidualWrapper(cells.GRUCell(3))
        outputs.append(residual(x, residual.zero_state(2, tf.float32))[0])
        other = cells.ResidualWrapper(cells.BasicRNNCell(3), residual_fn=lambda i, o: i * o)
        outputs.append(tf.nn.dynamic_rnn(other, tf.stack([x, state], 1, name="both"), dtype=tf.float32)[0])
        steps(case, x, outputs, {state: waves(2, 3) / 2})


def step_by_step_with_lengths():
    with record("static_lengths", "steps that are parts of the graph, each run for the sequences that go on") as case:
        x = tf.placeholder(tf.float32, [2, 3, 3], "x")
        lengths = tf.placeholder(tf.int64, [2], "lengths")
        outputs, state = tf.nn.static_rnn(cells.BasicLSTMCell(2), tf.unstack(x, axis=1), dtype=tf.float32, sequence_length=lengths)
        steps(case, x, [*outputs, state.h], {lengths: [1, 2]})


def rows():
    with Program("map", "functions of the rows of tensors") as p:
        def each(row):
            bias = tf.get_variable("bias", [2], initializer=tf.ones_initializer())
            return tf.tanh(row * p.w) + bias
        mapped = tf.map_fn(each, p.x)
        sums, halves = tf.map_fn(lambda r: (tf.reduce_sum(r[0] * r[1]), tf.cast(r[1] * 0.5, tf.float64)), (p.x, mapped),
                                 dtype=(tf.float32, tf.float64), parallel_iterations=3, name="pairs")
        known = tf.map_fn(lambda i: i * p.n, tf.constant([1, 2, 3]), swap_memory=True)
        p.ends(mapped * tf.expand_dims(sums, 1) + tf.cast(halves, tf.float32) * tf.cast(tf.reduce_sum(known), tf.float32))
    with Program("folds", "rows taken together one after the other, from either end") as p:
        left = tf.foldl(lambda a, r: a * 0.5 + r * p.w, p.x, name="left")
        right = tf.foldr(lambda a, r: a * p.w + r, p.x, initializer=tf.zeros([2]))
        three = tf.foldl(lambda a, r: a * 2.0 + r, tf.slice(p.x, [0, 0], [3, 2]), initializer=p.w)
        last = tf.foldr(lambda a, r: a - r, tf.slice(p.x, [0, 0], [3, 2]), name="last")
        p.ends(tf.stack([left, right, three, last]))
    with Program("scan", "what there is after each row") as p:
        plain = tf.scan(lambda a, r: a * p.w + r, p.x)
        backwards = tf.scan(lambda a, r: a * 0.5 + r, p.x, reverse=True)
        pair = tf.scan(lambda a, r: (a[0] + 1.0, a[1] * r), p.x, initializer=(tf.constant(0.0), p.w), name="pair")
        known = tf.scan(lambda a, r: a * r, tf.constant([[1.0, 2.0], [3.0, 4.0]]), initializer=p.w, reverse=True, infer_shape=False)
        p.ends(tf.concat([plain, backwards, pair[1] * tf.expand_dims(pair[0], 1), known], 0))


def both_ways_step_by_step():
    with record("static_both_ways", "steps that are parts of the graph, in both directions") as case:
        x = tf.placeholder(tf.float32, [2, 3, 3], "x")
        lengths = tf.placeholder(tf.int32, [2], "lengths")
        rows = tf.unstack(x, axis=1)
        outputs, forward, backward = tf.nn.static_bidirectional_rnn(cells.GRUCell(2), cells.BasicRNNCell(3), rows, dtype=tf.float32)
        ragged, _, last = tf.nn.static_bidirectional_rnn(
            cells.BasicRNNCell(2), cells.GRUCell(2), rows, initial_state_fw=x[:, 0, :2], dtype=tf.float32, sequence_length=lengths, scope="ragged")
        steps(case, x, [*outputs, forward, backward, *ragged, last], {lengths: [1, 2]})


class Pair(cells.RNNCell):
    """A cell of a program's own: two inputs and outputs, three tensors of a state, of several shapes."""
    output_size = (2, tf.TensorShape([2, 2]))
    state_size = (2, tf.TensorShape([2, 2]), tf.TensorShape([]))

    def call(self, inputs, state):
        (row, square), (h, m, count) = inputs, state
        h = tf.tanh(tf.matmul(row, tf.get_variable("w", [3, 2])) + h)
        m = m * 0.5 + square * tf.expand_dims(h, 1)
        return (h, m), (h, m, count + 1.0)


def several():
    with record("several", "cells of a program's own with several inputs, outputs and tensors of a state, of any rank, in all kinds of loops") as case:
        x = tf.placeholder(tf.float32, [None, 3, 3], "x")
        y = tf.placeholder(tf.float32, [2, 3, 2, 2], "y")
        lengths = tf.placeholder(tf.int32, [2], "lengths")
        first = (tf.zeros([2, 2], name="h"), tf.ones([2, 2, 2], name="m"), tf.constant(0.0, name="n"))
        xs, ys = tf.placeholder_with_default(x, [2, 3, 3], "xs"), tf.identity(y, "ys")
        both, state = tf.nn.dynamic_rnn(Pair(), (xs, ys), lengths, first, dtype=tf.float32)
        outputs = [*both, *state]
        forward, backward = tf.nn.bidirectional_dynamic_rnn(cells.GRUCell(2), cells.GRUCell(2), x, dtype=tf.float32, scope="ways")[0]
        outputs += [forward, backward]
        rows = list(zip(tf.unstack(xs, axis=1), tf.unstack(ys, axis=1)))
        listed, state = tf.nn.static_rnn(Pair(), rows, first, dtype=tf.float32, sequence_length=lengths, scope="listed")
        outputs += [*listed[0], *listed[2], *state]
        cell = Pair()

        def next_step(time, output, state, loop_state):
            if output is None:
                return time >= lengths, rows[0], first, (tf.zeros([2, 2]), tf.zeros([])), None
            return time >= lengths, (rows[1][0], output[1]), state, (output[1], tf.reduce_sum(output[0], 1)), None
        arrays, state, _ = tf.nn.raw_rnn(cell, next_step, scope="raw")
        steps(case, x, [*outputs, *(each.stack() for each in arrays), *state], {y: waves(2, 3, 2, 2), lengths: [1, 3]})


def joined():
    with record("joined", "memories whose c and h are one tensor, step by step") as case:
        x = tf.placeholder(tf.float32, [None, 3], "x")
        state = tf.placeholder(tf.float32, [None, 4], "state")
        output, after = cells.BasicLSTMCell(2, state_is_tuple=False)(x, state)
        other, last = cells.LSTMCell(2, use_peepholes=True, num_proj=2, state_is_tuple=False)(x, after)
        steps(case, x, [output, after, other, last], {state: waves(2, 4)})


programs()
rows()
several()
joined()
both_ways_step_by_step()
with_options()
step_by_step_with_lengths()
of_a_cell("basic", "a simple cell", lambda: cells.BasicRNNCell(5))
of_a_cell("lstm", "long short-term memory, without peepholes", lambda: cells.BasicLSTMCell(2, forget_bias=0.5))
of_a_cell("lstm_full", "peepholes, limits, a projection", lambda: cells.LSTMCell(
    3, use_peepholes=True, cell_clip=0.5, num_proj=2, proj_clip=0.25, initializer=tf.random_uniform_initializer(-1, 1)), batch=2)
of_a_cell("gru", "gated units", lambda: cells.GRUCell(3))
of_a_cell("stacked", "cells above one another", lambda: cells.MultiRNNCell([cells.GRUCell(3), cells.LSTMCell(2)]), scope="deep")
with_lengths()
dropped()
dropped_alike()
one_by_one()
both_ways()
raw()
