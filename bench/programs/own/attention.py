"""Two layers of self attention over 32 words, written with tf.matmul as people write them: 120 steps of 16."""

import numpy as np
import tensorflow as tf

random = np.random.RandomState(0)
words = random.randint(0, 500, (800, 33))
HEADS, WIDTH, LENGTH = 4, 128, 32


def heads(value):
    return tf.transpose(tf.reshape(value, [-1, LENGTH, HEADS, WIDTH // HEADS]), [0, 2, 1, 3])


def normalized(value, name):
    mean, variance = tf.nn.moments(value, [-1], keep_dims=True)
    scale = tf.get_variable(name + "_scale", [WIDTH], initializer=tf.ones_initializer())
    return (value - mean) * tf.rsqrt(variance + 1e-5) * scale


def layer(value, name):
    with tf.variable_scope(name):
        query, key, content = (heads(part) for part in tf.split(tf.layers.dense(value, 3 * WIDTH), 3, 2))
        weights = tf.matmul(query, key, transpose_b=True) / np.sqrt(WIDTH / HEADS).astype("float32")
        mask = tf.matrix_band_part(tf.ones([LENGTH, LENGTH]), -1, 0)
        mixed = tf.matmul(tf.nn.softmax(weights * mask - 1e9 * (1 - mask)), content)
        mixed = tf.reshape(tf.transpose(mixed, [0, 2, 1, 3]), [-1, LENGTH, WIDTH])
        value = normalized(value + tf.layers.dense(mixed, WIDTH), "mixed")
        return normalized(value + tf.layers.dense(tf.layers.dense(value, 4 * WIDTH, tf.nn.relu), WIDTH), "out")


x = tf.placeholder(tf.int32, [None, LENGTH + 1])
table = tf.get_variable("table", [500, WIDTH])
value = tf.nn.embedding_lookup(table, x[:, :-1]) + tf.get_variable("places", [LENGTH, WIDTH])
for name in ("first", "second"):
    value = layer(value, name)
logits = tf.tensordot(value, table, [[2], [1]])
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=x[:, 1:], logits=logits))
train = tf.train.AdamOptimizer(1e-3).minimize(loss)

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(120):
        _, value = session.run([train, loss], {x: words[random.randint(0, 800, 16)]})
        if step % 30 == 29:
            print(step, value)
