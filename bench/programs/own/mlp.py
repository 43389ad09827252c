"""A network of three dense layers with dropout, trained by Adam: 600 steps of 100 rows, an evaluation every 100."""

import numpy as np
import tensorflow as tf

random = np.random.RandomState(0)
rows = random.rand(6000, 784).astype("float32")
classes = np.eye(10, dtype="float32")[(rows[:, :10] + 0.1 * random.rand(6000, 10)).argmax(1)]

x, y = tf.placeholder(tf.float32, [None, 784]), tf.placeholder(tf.float32, [None, 10])
keep = tf.placeholder(tf.float32)
hidden = x
for width in (256, 128):
    hidden = tf.nn.dropout(tf.layers.dense(hidden, width, tf.nn.relu), keep_prob=keep)
logits = tf.layers.dense(hidden, 10)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits))
train = tf.train.AdamOptimizer(1e-3).minimize(loss)
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1)), tf.float32))

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(600):
        chosen = random.randint(0, 5000, 100)
        session.run(train, {x: rows[chosen], y: classes[chosen], keep: 0.8})
        if step % 100 == 99:
            print(step, session.run([loss, accuracy], {x: rows[5000:], y: classes[5000:], keep: 1.0}))
