# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what TensorFlow's recurrent networks compute, for test/unit/RnnTest.cpp. Run it with a Python that has TensorFlow
2.21 and tf_keras 2.21, which has the cells of TensorFlow 1."""
import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow.compat.v1 as tf
from tf_keras.src.layers.rnn import legacy_cells as cells

INPUT = np.array([[[0.1, -0.2], [0.3, 0.4], [-0.5, 0.6]], [[0.7, 0.8], [-0.9, 1.0], [0.2, -0.3]]], np.float32)
CELLS = {"BasicRNNCell": lambda: cells.BasicRNNCell(2),
         "BasicLSTMCell": lambda: cells.BasicLSTMCell(2),
         "GRUCell": lambda: cells.GRUCell(2),
         "MultiRNNCell": lambda: cells.MultiRNNCell([cells.GRUCell(2), cells.BasicLSTMCell(2)])}


def weights(number, shape):
    """The value that variable `number` gets."""
    return ((np.arange(np.prod(shape)) + number) % 7 * 0.25 - 0.5).astype(np.float32).reshape(shape)


tf.disable_v2_behavior()
for name, make in CELLS.items():
    tf.reset_default_graph()
    outputs, _ = tf.nn.dynamic_rnn(make(), tf.constant(INPUT), sequence_length=[2, 3], dtype=tf.float32)
    variables = tf.global_variables()
    gradients = tf.gradients(tf.reduce_sum(outputs * outputs), variables)
    # One number of each gradient: its elements times 1, 2, 3 ...
    sums = [tf.reduce_sum(tf.reshape(each, [-1]) * tf.range(1.0, tf.cast(tf.size(each), tf.float32) + 1.0)) for each in gradients]
    assigns = [tf.assign(each, weights(i, each.shape.as_list())) for i, each in enumerate(variables)]
    with tf.Session() as session:
        session.run(assigns)
        print(name, [each.name for each in variables])
        for values in session.run([tf.reshape(outputs, [-1]), tf.stack(sums)]):
            print(" ", ", ".join("%.6g" % value for value in values))
