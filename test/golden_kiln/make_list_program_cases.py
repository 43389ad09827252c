# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records programs of control flow version 2 whose TensorArrays are lists: a recurrent network, a loop that fills an array, a map;
test/unit/Build/ListProgramsTest.cpp builds the same graphs. Run it with a Python that has TensorFlow."""
import os
import sys
import warnings

warnings.simplefilter("ignore")
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ["GOLDEN_MODE"] = "resource"
os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case
from tensorflow.python.keras.layers.legacy_rnn import rnn_cell_impl as cells


def waves(*shape):
    return np.sin(np.arange(np.prod(shape)) * 1.7).reshape(shape).astype(np.float32)


def recurrent():
    for trains in (False, True):
        about = "a recurrent network whose arrays are lists" + (", in training, of sequences of several lengths" if trains else "")
        with Case("lists_recurrent" + ("_steps" if trains else ""), about, seed=3, rtol=1e-4, atol=1e-5) as case:
            x = tf.placeholder(tf.float32, [None, None, 2], "x")
            lengths = tf.placeholder(tf.int32, [None], "lengths")
            outputs, state = tf.nn.dynamic_rnn(cells.BasicLSTMCell(3), x, lengths if trains else None, dtype=tf.float32)
            shown, steps = [outputs, state.c], []
            if trains:
                shown.append(tf.reduce_sum(tf.square(outputs), name="loss"))
                steps = [tf.train.GradientDescentOptimizer(0.3).minimize(shown[-1])] * 3
            case.init()
            feed = {x: waves(2, 4, 2), lengths: [2, 4]}
            case.run(shown, feed)
            for step in steps:
                case.run([step], feed)
                case.run(shown, feed)


def arrays():
    with Case("lists_arrays", "an array that a loop reads, fills and enlarges; all of its functions") as case:
        x = tf.placeholder(tf.float32, [None, 2], "x")
        n = tf.placeholder(tf.int32, [], "n")
        rows = tf.TensorArray(tf.float32, n, element_shape=[2]).unstack(x)
        out = tf.TensorArray(tf.float32, 1, dynamic_size=True, infer_shape=False, name="out")
        out = tf.while_loop(lambda i, o: i < n, lambda i, o: (i + 1, o.write(i, tf.square(rows.read(i)))), [0, out])[1]
        numbers = tf.TensorArray(tf.int32, 3, element_shape=[]).scatter([2, 0], [5, 7])
        parts = tf.TensorArray(tf.float32, 2, infer_shape=False).split(x, [1, 2])
        shown = [
            out.stack(name="all"), out.size(), rows.gather([1, 0]), rows.size(), numbers.read(2), numbers.write(1, 3).stack(), parts.concat(),
            parts.read(1), tf.gradients(tf.reduce_sum(out.stack()), x)[0],
        ]
        shown = [tf.identity(each, "shown") for each in shown]
        case.run(shown, {x: waves(3, 2), n: 3})


def mapped():
    with Case("lists_mapped", "functions of rows in loops of version 2", rtol=1e-4, atol=1e-5) as case:
        x = tf.placeholder(tf.float32, [None, 2], "x")
        w = tf.get_variable("w", [2], initializer=tf.constant_initializer([0.5, -1.5]))
        a = tf.map_fn(lambda row: tf.reduce_sum(row * w), x)
        b = tf.scan(lambda value, row: value * 0.5 + row, x)
        loss = tf.reduce_sum(tf.square(a)) + tf.reduce_sum(tf.square(b))
        step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
        case.init()
        for _ in range(2):
            case.run([a, b, loss], {x: waves(3, 2)})
            case.run([step], {x: waves(3, 2)})


recurrent()
arrays()
mapped()
