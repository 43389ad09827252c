# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what TensorFlow's recurrent networks compute, for test/unit/Train/RnnTest.cpp. Run it with a Python that has TensorFlow
2.21 and tf_keras 2.21, which has the cells of TensorFlow 1."""
import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow.compat.v1 as tf
from tf_keras.src.layers.rnn import legacy_cell_wrappers, legacy_cells as cells

INPUT = np.array([[[0.1, -0.2], [0.3, 0.4], [-0.5, 0.6]], [[0.7, 0.8], [-0.9, 1.0], [0.2, -0.3]]], np.float32)
CELLS = {"BasicRNNCell": lambda: cells.BasicRNNCell(2),
         "BasicLSTMCell": lambda: cells.BasicLSTMCell(2),
         "LSTMCell": lambda: cells.LSTMCell(2, use_peepholes=True, cell_clip=0.3, num_proj=3, proj_clip=0.15, forget_bias=0.5),
         "LSTMCell of another activation": lambda: cells.LSTMCell(3, activation=tf.nn.relu),
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
            print(" ", ", ".join("%.9g" % value for value in values))


def values(name, session, tensors):
    print(name, [each.name for each in tf.global_variables()])
    for value in session.run([tf.reshape(each, [-1]) for each in tensors]):
        print(" ", ", ".join("%.9g" % each for each in value))


def start(session):
    session.run([tf.assign(each, weights(i, each.shape.as_list())) for i, each in enumerate(tf.global_variables())])


for lengths in (None, [2, 3]):
    tf.reset_default_graph()
    both, state = tf.nn.bidirectional_dynamic_rnn(cells.LSTMCell(2), cells.GRUCell(2), tf.constant(INPUT), sequence_length=lengths, dtype=tf.float32)
    with tf.Session() as session:
        start(session)
        values("bidirectional, lengths %s" % lengths, session, [*both, state[0].h, state[1]])

# The graph's seed; the variables draw nothing, so that the first numbers are the input's, the state's and the output's.
tf.reset_default_graph()
tf.set_random_seed(5)
with tf.variable_scope("net", initializer=tf.zeros_initializer()):
    cell = legacy_cell_wrappers.DropoutWrapper(cells.LSTMCell(2), input_keep_prob=0.75, output_keep_prob=0.5, state_keep_prob=tf.constant(0.5))
    outputs, state = tf.nn.dynamic_rnn(cell, tf.constant(INPUT), dtype=tf.float32)
with tf.Session() as session:
    start(session)
    values("dropout", session, [outputs, state.c, state.h])

for name, make in (("descent", lambda: tf.train.GradientDescentOptimizer(0.5)), ("Adam", lambda: tf.train.AdamOptimizer(0.1))):
    tf.reset_default_graph()
    outputs, _ = tf.nn.dynamic_rnn(cells.BasicLSTMCell(2), tf.constant(INPUT), dtype=tf.float32)
    loss = tf.reduce_mean(tf.square(outputs[:, -1] - tf.constant([[0.5, -0.5], [-0.25, 0.25]])))
    trained = tf.trainable_variables()
    step = make().minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run([tf.assign(each, weights(i, each.shape.as_list())) for i, each in enumerate(trained)])
        losses = []
        for _ in range(20):
            losses.append(session.run(loss))
            session.run(step)
        print(name, ", ".join("%.9g" % losses[i] for i in (0, 1, 2, 10, 19)))
        values("  trained", session, trained[1:2])
