"""Two dense networks against each other, a step of each in turn: 200 steps of 64."""

import numpy as np
import tensorflow as tf

random = np.random.RandomState(0)
rows = random.rand(2000, 784).astype("float32")


def generator(noise):
    with tf.variable_scope("generator", reuse=tf.AUTO_REUSE):
        return tf.layers.dense(tf.layers.dense(noise, 128, tf.nn.relu, name="a"), 784, tf.nn.sigmoid, name="b")


def discriminator(value):
    with tf.variable_scope("discriminator", reuse=tf.AUTO_REUSE):
        return tf.layers.dense(tf.layers.dense(value, 128, tf.nn.leaky_relu, name="a"), 1, name="b")


def entropy(logits, label):
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.fill(tf.shape(logits), label), logits=logits))


x, z = tf.placeholder(tf.float32, [None, 784]), tf.placeholder(tf.float32, [None, 100])
fake = generator(z)
real_logits, fake_logits = discriminator(x), discriminator(fake)
losses = {"discriminator": entropy(real_logits, 1.0) + entropy(fake_logits, 0.0), "generator": entropy(fake_logits, 1.0)}
trains = {name: tf.train.AdamOptimizer(1e-3).minimize(loss, var_list=tf.trainable_variables(name)) for name, loss in losses.items()}

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(200):
        feeds = {x: rows[random.randint(0, 2000, 64)], z: random.uniform(-1, 1, (64, 100))}
        found = [session.run([trains[name], losses[name]], feeds)[1] for name in losses]
        if step % 50 == 49:
            print(step, found, session.run(fake, {z: random.uniform(-1, 1, (16, 100))}).mean())
