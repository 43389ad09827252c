"""Q-learning with a target network that is copied now and then: 2,000 small runs, one row or 32."""

import numpy as np
import tensorflow as tf

random = np.random.RandomState(0)
state, action = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.int32, [None])
reward, later = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None, 4])


def network(name, value):
    with tf.variable_scope(name):
        return tf.layers.dense(tf.layers.dense(value, 20, tf.nn.relu), 2)


values, target = network("eval", state), network("target", later)
wanted = tf.stop_gradient(reward + 0.9 * tf.reduce_max(target, 1))
chosen = tf.gather_nd(values, tf.stack([tf.range(tf.shape(action)[0]), action], 1))
loss = tf.reduce_mean(tf.squared_difference(wanted, chosen))
train = tf.train.RMSPropOptimizer(0.01).minimize(loss, var_list=tf.trainable_variables("eval"))
copies = [tf.assign(to, of) for to, of in zip(tf.trainable_variables("target"), tf.trainable_variables("eval"))]

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(1000):
        session.run(values, {state: random.rand(1, 4)})
        if step % 200 == 0:
            session.run(copies)
        batch = {state: random.rand(32, 4), action: random.randint(0, 2, 32), reward: random.rand(32), later: random.rand(32, 4)}
        _, value = session.run([train, loss], batch)
        if step % 200 == 199:
            print(step, value)
