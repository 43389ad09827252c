# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow's layers add as objects that are called several times, layers that a program writes itself, and custom
getters; test/unit/Train/LayerObjectsTest.cpp builds the same graphs. Run it with a Python that has TensorFlow and the package
tf_keras of the same version."""
import os
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ["TF_USE_LEGACY_KERAS"] = "1"
os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case
from tensorflow.python.keras import regularizers
from tensorflow.python.keras.legacy_tf_layers import base, convolutional, core


def waves(*shape):
    return np.sin(np.arange(np.prod(shape)) * 1.7).reshape(shape)


def objects():
    with Case("layer_objects", "layers that are called several times, in scopes and beside functions of their names", seed=3) as case:
        x, y = tf.placeholder(tf.float32, [None, 3], "x"), tf.placeholder(tf.float32, [2, 5, 3], "y")
        first, second = core.Dense(2), core.Dense(2, activation=tf.nn.relu, use_bias=False)
        all = [first(x), second(x), first(x), core.dense(x, 4)]
        named, again = core.Dense(4, name="foo"), core.Dense(4, name="foo")
        all += [named(x), named(x), again(x)]
        with tf.variable_scope("s") as scope:
            shared = core.Dense(4, name="foo")
            all += [shared(x), core.Dense(4, _scope="foo", _reuse=True)(x), core.Dense(4, name="foo", _reuse=True)(x), named(x)]
        all += [core.Dense(3)(y), core.Dense(2, _scope=scope)(x), core.Dense(2)(x, scope="given")]
        with tf.variable_scope("t", reuse=tf.AUTO_REUSE):
            all += [core.Dense(2, name="twice")(x), core.Dense(2, name="twice")(x)]
        case.init()
        case.run(all, {x: waves(4, 3), y: waves(2, 5, 3)})


class Scaled(base.Layer):
    """A layer of a program's own: a regularized weight, a counter, a loss."""

    def build(self, shape):
        self.scale = self.add_weight("scale", shape[1:], initializer=tf.ones_initializer(), regularizer=regularizers.l2(0.5))
        self.calls = self.add_variable("calls", [], dtype=tf.int32, initializer=tf.zeros_initializer(), trainable=False)
        self.built = True

    def call(self, inputs):
        self.add_update(tf.assign_add(self.calls, 1))
        result = inputs * self.scale
        self.add_loss(tf.reduce_sum(result))
        return result


def of_programs():
    with Case("layer_of_programs", "a layer that a program wrote, twice called, and losses of results", seed=4) as case:
        x = tf.placeholder(tf.float32, [None, 3], "x")
        layer = Scaled()
        all = [layer(x), layer(x)]
        dense = core.Dense(2, activity_regularizer=lambda y: tf.reduce_sum(tf.square(y)), kernel_regularizer=regularizers.l1(0.25))
        all.append(dense(layer(x)))
        case.init()
        terms = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
        case.run(all + terms, {x: waves(4, 3)})
        case.run(tf.get_collection(tf.GraphKeys.UPDATE_OPS), {x: waves(4, 3)})
        case.run(["scaled/calls:0"])


def getters():
    with Case("layer_getters", "variables that custom getters make, scope in scope, as variables and as tensors", seed=5) as case:
        x = tf.placeholder(tf.float32, [None, 3], "x")

        def halved(getter, name, *args, **kwargs):
            return tf.multiply(getter(name, *args, **kwargs), 0.5, name="half")

        def renamed(getter, name, *args, **kwargs):
            return getter(name + "_own", *args, **kwargs)

        def fixed(getter, name, *args, **kwargs):
            kwargs["trainable"] = False
            return getter(name, *args, **kwargs)

        with tf.variable_scope("outer", custom_getter=halved):
            all = [tf.get_variable("a", [3], initializer=tf.ones_initializer()), core.dense(x, 2)]
            with tf.variable_scope("inner", custom_getter=renamed):
                all += [core.dense(x, 2), tf.get_variable("b", [2], initializer=tf.ones_initializer())]
                all.append(tf.get_variable("c", [2], initializer=tf.ones_initializer(), custom_getter=fixed))
        with tf.variable_scope("fixed", custom_getter=fixed):
            all.append(core.dense(x, 2))
        with tf.variable_scope("cut", custom_getter=fixed, partitioner=tf.fixed_size_partitioner(2)):
            all.append(core.dense(x, 4))
        case.init()
        case.run([each for each in all if isinstance(each, tf.Tensor)] + ["outer/inner/c:0"], {x: waves(4, 3)})


def renormalization():
    from tf_keras.src.legacy_tf_layers import normalization

    with Case("layer_renormalization", "batch renormalization, batches in parts, and adjustments in training", rtol=1e-5, atol=1e-5) as case:
        x, image = tf.placeholder(tf.float32, [None, 3], "x"), tf.placeholder(tf.float32, [4, 2, 2, 2], "image")
        training = tf.placeholder(tf.bool, [], "training")
        bn, limits = normalization.batch_normalization, dict(rmin=0.5, rmax=2.0, dmax=1.5)
        all = [bn(x, renorm=True, training=True), bn(x, renorm=True, renorm_clipping=limits, renorm_momentum=0.5, training=training)]
        all += [bn(image, renorm=True, axis=1, training=training), bn(image, renorm=True)]
        all += [bn(image, virtual_batch_size=2, training=True), bn(image, virtual_batch_size=2, training=training)]

        def adjustment(shape):
            return tf.fill([shape[0], 1], 1.5), tf.ones([shape[0], 1])

        all += [bn(x, adjustment=adjustment, training=True), bn(x, adjustment=adjustment, training=training)]
        updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
        case.init()
        for i in (True, False, True):
            feed = {x: waves(5, 3) + 2, image: waves(4, 2, 2, 2) * 2, training: i}
            case.run(all, feed)
            case.run(updates, feed)
            case.run([v.name for v in tf.global_variables()])


def sequences():
    with Case("layer_sequences", "convolutions of sequences that do not look ahead, with the channels first, and flattened images", seed=6) as case:
        c = convolutional
        line, first = tf.placeholder(tf.float32, [None, 7, 2], "line"), tf.placeholder(tf.float32, [2, 2, 7], "first")
        image = tf.placeholder(tf.float32, [None, 2, 3, 4], "image")
        all = [c.conv1d(line, 3, 3, padding="causal"), c.conv1d(line, 2, 2, padding="causal", strides=2, use_bias=False, name="steps"), c.separable_conv1d(line, 2, 3, padding="causal")]
        all += [core.flatten(image, data_format="channels_first")]
        case.init()
        case.run(all, {line: waves(3, 7, 2), first: waves(2, 2, 7), image: waves(2, 2, 3, 4)})


objects()
of_programs()
getters()
renormalization()
sequences()
