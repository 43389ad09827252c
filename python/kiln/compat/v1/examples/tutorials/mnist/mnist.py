"""A network of two hidden layers for MNIST, in four steps.

inference() builds it, loss() compares what it gives with labels, training() makes it
better by a step, evaluation() counts the right answers.
"""

import math

NUM_CLASSES = 10
IMAGE_SIZE = 28
IMAGE_PIXELS = IMAGE_SIZE * IMAGE_SIZE


def _linear(tf, inputs, inputs_size, units):
    """Returns inputs times weights plus biases, which are variables."""
    start = tf.truncated_normal([inputs_size, units], stddev=1.0 / math.sqrt(float(inputs_size)))
    weights = tf.Variable(start, name="weights")
    biases = tf.Variable(tf.zeros([units]), name="biases")
    return tf.matmul(inputs, weights) + biases


def inference(images, hidden1_units, hidden2_units):
    """Returns the logits of images.

    Shapes: images: [N, IMAGE_PIXELS]; the result: [N, NUM_CLASSES]. hidden1_units,
    hidden2_units: how large the hidden layers are. Source: mnist.inference.
    """
    import kiln.compat.v1 as tf

    with tf.name_scope("hidden1"):
        hidden1 = tf.nn.relu(_linear(tf, images, IMAGE_PIXELS, hidden1_units))
    with tf.name_scope("hidden2"):
        hidden2 = tf.nn.relu(_linear(tf, hidden1, hidden1_units, hidden2_units))
    with tf.name_scope("softmax_linear"):
        return _linear(tf, hidden2, hidden2_units, NUM_CLASSES)


def loss(logits, labels):
    """Returns the mean cross entropy of logits and labels.

    Shapes: logits: [N, NUM_CLASSES]; labels: [N], integers. Source: mnist.loss.
    """
    import kiln.compat.v1 as tf

    labels = tf.cast(labels, tf.int64)
    return tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)


def training(loss, learning_rate):
    """Returns the operation of one step of gradient descent; adds a summary of the loss.

    It counts the steps in a variable, global_step. Source: mnist.training.
    """
    import kiln.compat.v1 as tf

    tf.summary.scalar("loss", loss)
    optimizer = tf.train.GradientDescentOptimizer(learning_rate)
    global_step = tf.Variable(0, name="global_step", trainable=False)
    return optimizer.minimize(loss, global_step=global_step)


def evaluation(logits, labels):
    """Returns how many of the logits are largest at the label, as an int32.

    Shapes: logits: [N, NUM_CLASSES]; labels: [N], int32. Source: mnist.evaluation.
    """
    import kiln.compat.v1 as tf

    correct = tf.nn.in_top_k(logits, labels, 1)
    return tf.reduce_sum(tf.cast(correct, tf.int32))
