# Writes with TensorFlow the graph that examples/readme.cpp and the tests of the tools train: linear_regression.pb.
#   python make_linear_regression.py     (TensorFlow 2.x with its version 1 interface)
import os

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


def write(name, features, learning_rate):
    """A linear model of `features` columns, the first of which is the bias."""
    tf.reset_default_graph()
    X = tf.placeholder(tf.float32, [None, features], name="X")
    y = tf.placeholder(tf.float32, [None, 1], name="y")
    theta = tf.Variable(tf.random_uniform([features, 1], -1.0, 1.0, seed=42), name="theta")
    predictions = tf.matmul(X, theta, name="predictions")
    error = tf.subtract(predictions, y, name="error")
    mse = tf.reduce_mean(tf.square(error), name="mse")
    optimizer = tf.train.GradientDescentOptimizer(learning_rate)
    optimizer.minimize(mse, name="train_op")
    tf.variables_initializer([theta], name="init")

    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    graph = tf.get_default_graph().as_graph_def()
    graph.ClearField("library")
    with open(path, "wb") as file:
        file.write(graph.SerializeToString(deterministic=True))
    print(f"{path}: {len(graph.node)} nodes")


write("linear_regression.pb", features=1 + 10, learning_rate=0.05)
