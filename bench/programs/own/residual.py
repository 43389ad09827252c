"""A residual network of nine convolutions on images of 32 x 32 x 3: 60 steps of 32."""

import numpy as np
import tensorflow as tf

random = np.random.RandomState(0)
images = random.rand(500, 32, 32, 3).astype("float32")
classes = (images[:, :, :, 0].mean((1, 2)) * 1000).astype("int32") % 10

x, y = tf.placeholder(tf.float32, [None, 32, 32, 3]), tf.placeholder(tf.int32, [None])


def convolution(value, filters, stride=1):
    return tf.layers.conv2d(value, filters, 3, stride, "same", kernel_initializer=tf.glorot_uniform_initializer(seed=1))


def normalized(value):
    return tf.layers.batch_normalization(value, training=True)


value = tf.nn.relu(normalized(convolution(x, 16)))
for filters, stride in ((16, 1), (16, 1), (32, 2), (64, 2)):
    inner = normalized(convolution(tf.nn.relu(normalized(convolution(value, filters, stride))), filters))
    if stride != 1:
        value = tf.layers.conv2d(value, filters, 1, stride)
    value = tf.nn.relu(value + inner)
logits = tf.layers.dense(tf.reduce_mean(value, [1, 2]), 10)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(60):
        chosen = random.randint(0, 500, 32)
        _, value = session.run([train, loss], {x: images[chosen], y: classes[chosen]})
        if step % 15 == 14:
            print(step, value)
