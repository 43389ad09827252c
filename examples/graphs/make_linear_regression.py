# Writes linear_regression.pb beside it with TensorFlow: the graph that tools/demo trains.
#   python make_linear_regression.py     (TensorFlow 2.x with its version 1 interface)
import os

import tensorflow.compat.v1 as tf

FEATURES = 11  # a bias column, then ten standardized ones
LEARNING_RATE = 0.05  # within 1 % of the exact least-squares loss after 100 epochs

tf.disable_v2_behavior()
X = tf.placeholder(tf.float32, [None, FEATURES], name="X")
y = tf.placeholder(tf.float32, [None, 1], name="y")
theta = tf.Variable(tf.random_uniform([FEATURES, 1], -1.0, 1.0, seed=42), name="theta")
predictions = tf.matmul(X, theta, name="predictions")
error = tf.subtract(predictions, y, name="error")
mse = tf.reduce_mean(tf.square(error), name="mse")
optimizer = tf.train.GradientDescentOptimizer(LEARNING_RATE)
train_op = optimizer.minimize(mse, name="train_op")
init = tf.variables_initializer([theta], name="init")

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "linear_regression.pb")
graph = tf.get_default_graph().as_graph_def()
graph.ClearField("library")
with open(path, "wb") as file:
    file.write(graph.SerializeToString(deterministic=True))
print(f"{path}: {len(graph.node)} nodes")
