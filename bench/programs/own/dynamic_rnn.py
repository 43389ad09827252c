"""Sequences of words of different lengths through an embedding and a GRU in a loop: 200 steps of 32."""

import numpy as np
import tensorflow as tf

random = np.random.RandomState(0)
words = random.randint(1, 2000, (1000, 40))
lengths = random.randint(5, 41, 1000)
labels = (words[:, 0] % 2).astype("float32")

x, n = tf.placeholder(tf.int32, [None, 40]), tf.placeholder(tf.int32, [None])
y = tf.placeholder(tf.float32, [None])
table = tf.get_variable("table", [2000, 64])
cell = tf.nn.rnn_cell.GRUCell(96)
_, state = tf.nn.dynamic_rnn(cell, tf.nn.embedding_lookup(table, x), n, dtype=tf.float32)
logits = tf.squeeze(tf.layers.dense(state, 1), 1)
loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
optimizer = tf.train.AdamOptimizer(2e-3)
gradients, variables = zip(*optimizer.compute_gradients(loss))
gradients, _ = tf.clip_by_global_norm(gradients, 5.0)
train = optimizer.apply_gradients(zip(gradients, variables))

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(200):
        chosen = random.randint(0, 1000, 32)
        _, value = session.run([train, loss], {x: words[chosen], n: lengths[chosen], y: labels[chosen]})
        if step % 40 == 39:
            print(step, value)
