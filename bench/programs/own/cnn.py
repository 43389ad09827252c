"""Two convolutions with batch normalization on images of 28 x 28, trained by momentum: 150 steps of 64."""

import numpy as np
import tensorflow as tf

random = np.random.RandomState(0)
images = random.rand(2000, 28, 28, 1).astype("float32")
classes = (images.mean((1, 2, 3)) * 1000).astype("int64") % 10

x, y = tf.placeholder(tf.float32, [None, 28, 28, 1]), tf.placeholder(tf.int64, [None])
training = tf.placeholder_with_default(False, [])
hidden = x
for filters in (32, 64):
    hidden = tf.layers.conv2d(hidden, filters, 5, padding="same")
    hidden = tf.nn.relu(tf.layers.batch_normalization(hidden, training=training))
    hidden = tf.layers.max_pooling2d(hidden, 2, 2)
hidden = tf.layers.dense(tf.layers.flatten(hidden), 256, tf.nn.relu)
logits = tf.layers.dense(hidden, 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    train = tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss)

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(150):
        chosen = random.randint(0, 1800, 64)
        _, value = session.run([train, loss], {x: images[chosen], y: classes[chosen], training: True})
        if step % 30 == 29:
            print(step, value, session.run(loss, {x: images[1800:], y: classes[1800:]}))
