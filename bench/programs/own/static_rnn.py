"""An LSTM of 28 unrolled steps over rows of images, trained by gradient descent: 200 steps of 128."""

import numpy as np
import tensorflow as tf

random = np.random.RandomState(0)
images = random.rand(2000, 28, 28).astype("float32")
classes = np.eye(10, dtype="float32")[images[:, -1, :10].argmax(1)]

x, y = tf.placeholder(tf.float32, [None, 28, 28]), tf.placeholder(tf.float32, [None, 10])
cell = tf.nn.rnn_cell.BasicLSTMCell(128, forget_bias=1.0)
outputs, _ = tf.nn.static_rnn(cell, tf.unstack(x, 28, 1), dtype=tf.float32)
logits = tf.layers.dense(outputs[-1], 10)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
correct = tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1))
accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(200):
        chosen = random.randint(0, 1800, 128)
        session.run(train, {x: images[chosen], y: classes[chosen]})
        if step % 40 == 39:
            print(step, session.run([loss, accuracy], {x: images[chosen], y: classes[chosen]}))
