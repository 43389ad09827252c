"""A variational autoencoder of dense layers: 300 steps of 100 rows of 784, samples every 100."""

import numpy as np
import tensorflow as tf

random = np.random.RandomState(0)
rows = (random.rand(3000, 784) > 0.7).astype("float32")


def network(name, value, widths):
    with tf.variable_scope(name, reuse=tf.AUTO_REUSE):
        for i, width in enumerate(widths[:-1]):
            value = tf.layers.dense(value, width, tf.nn.tanh, name=f"layer{i}")
        return tf.layers.dense(value, widths[-1], name="last")


x = tf.placeholder(tf.float32, [None, 784])
mean, log_variance = tf.split(network("encoder", x, (400, 200, 40)), 2, 1)
code = mean + tf.exp(0.5 * log_variance) * tf.random_normal(tf.shape(mean), seed=1)
logits = network("decoder", code, (200, 400, 784))
error = tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=logits), 1)
divergence = 0.5 * tf.reduce_sum(tf.exp(log_variance) + mean**2 - 1.0 - log_variance, 1)
loss = tf.reduce_mean(error + divergence)
train = tf.train.AdamOptimizer(1e-3).minimize(loss)
given = tf.placeholder(tf.float32, [None, 20])
samples = tf.sigmoid(network("decoder", given, (200, 400, 784)))

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(300):
        _, value = session.run([train, loss], {x: rows[random.randint(0, 3000, 100)]})
        if step % 100 == 99:
            print(step, value, session.run(samples, {given: np.zeros((16, 20))}).mean())
