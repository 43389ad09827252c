"""Word vectors by noise-contrastive estimation, 5,000 words: 1,500 steps of 128 pairs."""

import numpy as np
import tensorflow as tf

random = np.random.RandomState(0)
words = np.minimum(random.pareto(1.0, 60000).astype("int32"), 4999)

x, y = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.int32, [None, 1])
table = tf.Variable(tf.random_uniform([5000, 128], -1.0, 1.0, seed=1))
weights = tf.Variable(tf.truncated_normal([5000, 128], stddev=0.09, seed=2))
biases = tf.Variable(tf.zeros([5000]))
vectors = tf.nn.embedding_lookup(table, x)
loss = tf.reduce_mean(tf.nn.nce_loss(weights, biases, y, vectors, num_sampled=64, num_classes=5000))
train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
norm = tf.sqrt(tf.reduce_sum(tf.square(table), 1, keep_dims=True))
nearest = tf.matmul(table / norm, tf.nn.embedding_lookup(table / norm, tf.constant([1, 2, 3])), transpose_b=True)

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(1500):
        begin = random.randint(0, 50000)
        _, value = session.run([train, loss], {x: words[begin:begin + 128], y: words[begin + 1:begin + 129, None]})
        if step % 300 == 299:
            print(step, session.run(nearest).shape)
