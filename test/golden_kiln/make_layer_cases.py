# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow's layers, regularizers and products of several axes add to a graph; test/unit/Train/LayersTest.cpp builds the
same graphs. Run it with a Python that has TensorFlow and, for batch normalization, the package tf_keras of the same version, which
TensorFlow 2.21 has its tf.layers in."""
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
from tensorflow.python.keras.legacy_tf_layers import convolutional, core, pooling


def ramp(*shape):
    return np.arange(np.prod(shape)).reshape(shape) / 8 - 0.5


def waves(*shape):
    return np.sin(np.arange(np.prod(shape)) * 1.7).reshape(shape)


def batch_normalization(kind):
    from tf_keras.src.legacy_tf_layers import normalization

    with Case("layer_normalization_" + kind, "batch normalization, fused and not, by the batch and by moving averages: " + kind, rtol=1e-5, atol=1e-5) as case:
        x, t = tf.placeholder(tf.float32, [None, 3], "x"), tf.placeholder(tf.float32, [4, 3, 2], "t")
        image, volume = tf.placeholder(tf.float32, [None, 4, 4, 2], "image"), tf.placeholder(tf.float32, [2, 2, 2, 2, 3], "volume")
        wide, half = tf.placeholder(tf.float64, [2, 3, 3, 2], "wide"), tf.placeholder(tf.float16, [None, 2], "half")
        training = tf.placeholder(tf.bool, [], "training")
        bn = normalization.batch_normalization
        with tf.variable_scope("net", use_resource=kind == "handles"):
            all = [bn(x, training=True), bn(x, training=training), bn(x), bn(t, axis=1, training=True, momentum=0.5), bn(t, axis=1, center=False)]
            all += [bn(image, training=True, epsilon=0.01), bn(image, training=training), bn(image, axis=1, center=False, scale=False), bn(volume, training=True, momentum=0.75)]
            all += [bn(image, fused=False, training=training, name="plain"), bn(wide, training=True)]
            all.append(bn(half, training=True, scale=False))
            all += [bn(x, name="shared", training=tf.constant(True)), bn(x, name="shared", reuse=True, gamma_initializer=tf.zeros_initializer())]
        updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
        case.init()
        feed = {x: waves(5, 3), t: waves(4, 3, 2), image: waves(3, 4, 4, 2) * 2 + 1, volume: waves(2, 2, 2, 2, 3), wide: waves(2, 3, 3, 2) - 1, half: waves(4, 2)}
        for i in (True, False, True):
            case.run([each for each in all if each.dtype != tf.float16], {**feed, training: i})
            case.run([each for each in all if each.dtype == tf.float16], {**feed, training: i}, rtol=2e-3)
            case.run(updates, {**feed, training: i})
            case.run([v.op.name + "/Read/ReadVariableOp:0" if kind == "handles" else v.name for v in tf.global_variables()])


def training():
    from tf_keras.src.legacy_tf_layers import normalization

    with Case("layer_training", "steps through batch normalization, fused and not, behind what moves the averages; with losses of weights", seed=13, rtol=1e-4, atol=1e-5) as case:
        image, target = tf.placeholder(tf.float32, [None, 6, 6, 2], "image"), tf.placeholder(tf.float32, [None, 2], "target")
        learning = tf.placeholder(tf.bool, [], "learning")
        bn = normalization.batch_normalization
        h = tf.nn.relu(bn(convolutional.conv2d(image, 3, 3, kernel_regularizer=regularizers.l2(0.01)), training=True, momentum=0.5))
        h = bn(convolutional.conv2d_transpose(h, 2, 2, strides=2), training=learning, momentum=0.75)
        h = bn(core.dense(core.flatten(h), 4), training=learning, momentum=0.75)
        y = core.dense(h, 2, kernel_regularizer=regularizers.l1(0.001))
        tf.losses.mean_squared_error(target, y)
        loss = tf.losses.get_total_loss()
        with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
            step = tf.train.GradientDescentOptimizer(0.05).minimize(loss)
        case.init()
        feed = {image: waves(4, 6, 6, 2), target: ramp(4, 2)}
        for _ in range(4):
            case.run([loss], {**feed, learning: True})
            case.run([step], {**feed, learning: True})
        case.run([loss, y], {**feed, learning: False})
        case.run([v.name for v in tf.global_variables()])


def convolutions():
    with Case("layer_convolutions", "separable and transposed convolutions", seed=5) as case:
        c = convolutional
        image, open_image = tf.placeholder(tf.float32, [None, 5, 4, 2], "image"), tf.placeholder(tf.float32, [3, None, None, 2], "open_image")
        known = tf.placeholder(tf.float32, [2, 3, 3, 2], "known")
        all = [c.separable_conv2d(image, 5, 3, depth_multiplier=2, activation=tf.nn.relu), c.separable_conv2d(image, 3, [2, 3], padding="same", use_bias=False, name="same")]
        all += [c.conv2d_transpose(image, 3, 3, strides=2), c.conv2d_transpose(open_image, 3, [2, 3], strides=(1, 2), padding="same"), c.conv2d_transpose(open_image, 2, 3), c.conv2d_transpose(known, 2, [2, 1], strides=(1, 3), use_bias=False, activation=tf.nn.tanh)]
        f, d, p = tf.constant(ramp(2, 2, 4, 2).astype(np.float32), name="f"), tf.constant(ramp(2, 2, 2, 1).astype(np.float32), name="d"), tf.constant(ramp(1, 1, 2, 3).astype(np.float32), name="p")
        all += [tf.nn.conv2d_transpose(known, f, [2, 4, 4, 4], [1, 1, 1, 1], "VALID"), tf.nn.separable_conv2d(known, d, p, [1, 1, 1, 1], "SAME", name="own")]
        case.init()
        case.run(all, {image: waves(2, 5, 4, 2), open_image: waves(3, 4, 3, 2), known: waves(2, 3, 3, 2)})


def losses_of_weights():
    with Case("layer_regularizers", "layers with regularizers, and what the collection has of them", seed=7) as case:
        image, x = tf.placeholder(tf.float32, [None, 4, 4, 2], "image"), tf.placeholder(tf.float32, [None, 3], "x")
        r = regularizers
        all = [
            convolutional.conv2d(image, 3, 2, kernel_regularizer=r.l2(0.1), bias_regularizer=r.l1(0.5), name="c"),
            convolutional.conv2d(image, 3, 2, kernel_regularizer=r.l2(0.1), name="c", reuse=True),
            core.dense(x, 2, kernel_regularizer=r.l1_l2(0.1, 0.2), bias_initializer=tf.ones_initializer()),
        ]
        with tf.variable_scope("cut", partitioner=tf.fixed_size_partitioner(2)):
            all.append(core.dense(x, 3, kernel_regularizer=r.l2(0.25), activation=tf.nn.sigmoid))
            all.append(convolutional.conv2d(image, 2, 2))
        terms = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
        total = tf.losses.get_regularization_loss()
        case.init()
        case.run(all + terms + [total], {image: waves(2, 4, 4, 2), x: ramp(2, 3)})


def regularized_variables():
    with Case("layer_regularized_variables", "variables with regularizers of their own or of their scope; TensorFlow calls each regularizer twice more than here", seed=7) as case:
        r = regularizers
        with tf.variable_scope("s", regularizer=r.l2(0.5)):
            tf.get_variable("a", [3])
            tf.get_variable("b", [3], regularizer=tf.no_regularizer)
            tf.get_variable("c", [3], regularizer=r.l1(0.25))
            with tf.variable_scope("inner"):
                tf.get_variable("d", [2, 2], use_resource=True)
            with tf.variable_scope("without", regularizer=tf.no_regularizer):
                tf.get_variable("e", [2])
            tf.get_variable("p", [5], partitioner=tf.fixed_size_partitioner(2))
        names = [t.name for t in tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)]
        case.init()
        case.run(names)


def embeddings():
    with Case("layer_embeddings", "rows of parameters in several parts, by remainder and by quotient, and losses over them", seed=3) as case:
        n = tf.nn
        ids, more = tf.placeholder(tf.int64, [None, 2], "ids"), tf.placeholder(tf.int32, [None], "more")
        first, second = tf.placeholder(tf.float32, [None, 3], "first"), tf.placeholder(tf.float32, [None, None], "second")
        rows, row = tf.constant(ramp(7, 3), tf.float32, name="rows"), tf.constant(ramp(7), tf.float32, name="row")
        cut, all = tf.fixed_size_partitioner(3), []
        for kind in (False, True):
            with tf.variable_scope("handles" if kind else "references", use_resource=kind):
                w, b = tf.get_variable("w", initializer=rows, partitioner=cut), tf.get_variable("b", initializer=row, partitioner=cut)
                single = tf.get_variable("single", initializer=rows)
            all += [n.embedding_lookup(single, ids), n.embedding_lookup(w, ids, partition_strategy="div"), n.embedding_lookup(list(w), more, name="mod"), n.embedding_lookup(b, more, partition_strategy="div", name="ones")]
            labels = tf.expand_dims(tf.cast(more, tf.int64), 1)
            losses = [n.nce_loss(w, b, labels, first, 2, 7, partition_strategy="div"), n.sampled_softmax_loss(w, b, labels, first, 3, 7, partition_strategy="div", seed=4)]
        all += [n.embedding_lookup([first, second], more, name="of_tensors"), n.embedding_lookup([first, second], more, partition_strategy="div", name="open")]
        case.init()
        feed = {ids: [[0, 3], [6, 2], [5, 4]], more: [1, 0, 2, 3], first: ramp(4, 3), second: ramp(2, 3) * 2}
        case.run(all[:-2], {**feed, more: [1, 6, 0]})
        case.run(all[-2:], feed)
        case.run(losses, feed)


def sparse_embeddings():
    with Case("layer_sparse_embeddings", "rows of parameters put together by lists of ids, with weights and without") as case:
        lookup = tf.nn.embedding_lookup_sparse
        indices, values, dense_shape = tf.placeholder(tf.int64, [None, 2], "indices"), tf.placeholder(tf.int64, [None], "values"), tf.placeholder(tf.int64, [2], "dense_shape")
        numbers, half = tf.placeholder(tf.float32, [None], "numbers"), tf.placeholder(tf.float16, [7, 2], "half")
        ids, weights = tf.SparseTensor(indices, values, dense_shape), tf.SparseTensor(indices, numbers, dense_shape)
        rows = tf.constant(ramp(7, 3), tf.float32, name="rows")
        all = []
        for kind in (False, True):
            with tf.variable_scope("handles" if kind else "references", use_resource=kind):
                w = tf.get_variable("w", initializer=rows, partitioner=tf.fixed_size_partitioner(2))
                single = tf.get_variable("single", initializer=rows)
            all += [lookup(single, ids, None), lookup(single, ids, None, combiner="sqrtn"), lookup(w, ids, None, combiner="sum", partition_strategy="div")]
            all += [lookup(single, ids, weights, combiner="sum"), lookup(w, ids, weights, combiner="mean", name="mean"), lookup(single, ids, weights, combiner="sqrtn")]
        halves = [lookup(half, ids, weights), lookup(half, ids, None, combiner="sum", name="halves")]
        case.init()
        feed = {indices: [[0, 0], [0, 2], [1, 1], [2, 0], [2, 1], [2, 3]], values: [1, 3, 0, 6, 1, 6], dense_shape: [3, 4], numbers: [0.5, 2.0, 1.0, -1.0, 0.25, 3.0], half: ramp(7, 2)}
        case.run(all, feed)
        case.run(halves, feed, rtol=2e-3)


def functions():
    with Case("layer_functions", "moments, normalization, products over several axes") as case:
        n = tf.nn
        x, half, y = tf.placeholder(tf.float32, [None, 3, 4], "x"), tf.placeholder(tf.float16, [2, 3], "half"), tf.placeholder(tf.float64, [3, 2], "y")
        v, k, u = tf.placeholder(tf.float32, [4, 3, 5], "v"), tf.placeholder(tf.float32, [2, 3, 4], "k"), tf.placeholder(tf.float32, name="u")
        all = [*n.moments(x, [0]), *n.moments(x, [1, -1], keep_dims=True, name="kept"), *n.moments(half, [0, 1])]
        all += [n.batch_normalization(y, *n.moments(y, [0]), None, None, 0.01), n.batch_normalization(y, [1.0, 2.0], tf.constant([0.5, 2.0], tf.float64), tf.constant([0.0, 1.0], tf.float64), None, 1e-3, name="given")]
        all += [n.l2_normalize(x, 1), n.l2_normalize(y, [0, 1], epsilon=1e-3), n.l2_normalize(half, name="whole")]
        t = tf.tensordot
        all += [t(k, v, [[2, 1], [0, 1]]), t(x, v, [[1, 2], [1, 0]]), t(k, v, 0), t(y, y, [[0], [0]]), t(tf.transpose(y), y, 1), t(u, v, [[-1], [0]], name="rank"), t(u, v, 1), t(k, x, [[0, 1, 2], [0, 1, 2]])]
        feed = {x: waves(2, 3, 4), half: ramp(2, 3), y: ramp(3, 2), v: waves(4, 3, 5), k: waves(2, 3, 4), u: waves(2, 4)}
        case.run(all, feed, rtol=1e-3)
        case.run([a for a in all if a.dtype != tf.float16], feed)


def volumes():
    with Case("layer_volumes", "convolutions and pooling of sequences and volumes", seed=9) as case:
        c = convolutional
        line, volume = tf.placeholder(tf.float32, [None, 7, 2], "line"), tf.placeholder(tf.float32, [None, 4, 5, 3, 2], "volume")
        open_volume = tf.placeholder(tf.float32, [2, None, 3, None, 2], "open_volume")
        first = tf.placeholder(tf.float32, [2, 2, 4, 4, 4], "first")
        all = [c.conv3d(volume, 3, 2), c.conv3d(volume, 2, [1, 2, 3], strides=(1, 2, 1), padding="same", activation=tf.nn.relu, use_bias=False, name="same")]
        all += [c.conv3d_transpose(volume, 2, 2, strides=(2, 2, 2)), c.conv3d_transpose(open_volume, 3, [2, 1, 3], strides=(1, 2, 1), padding="same", activation=tf.nn.tanh)]
        all += [c.separable_conv1d(line, 4, 3, depth_multiplier=2), c.separable_conv1d(line, 3, 2, strides=2, padding="same", use_bias=False, activation=tf.nn.relu)]
        p = pooling
        all += [p.max_pooling1d(line, 2, 2), p.average_pooling1d(line, 3, 2, padding="same", name="means")]
        all += [p.max_pooling3d(volume, [2, 2, 1], 2), p.average_pooling3d(volume, 2, [1, 2, 1], padding="same"), p.max_pooling3d(first, 2, 2, data_format="channels_first")]
        loss = tf.add_n([tf.reduce_sum(tf.square(each)) for each in all], name="loss")
        step = tf.train.GradientDescentOptimizer(0.001).minimize(loss)
        case.init()
        feed = {line: waves(2, 7, 2), volume: waves(2, 4, 5, 3, 2), open_volume: waves(2, 2, 3, 4, 2), first: waves(2, 2, 4, 4, 4)}
        case.run(all + [loss], feed)
        case.run([step], feed)
        case.run([v.name for v in tf.global_variables()])


def several_axes():
    from tf_keras.src.legacy_tf_layers import normalization

    with Case("layer_normalization_axes", "batch normalization over several axes at once", rtol=1e-5, atol=1e-5) as case:
        x, image = tf.placeholder(tf.float32, [None, 3, 2], "x"), tf.placeholder(tf.float32, [2, 4, 3, 2], "image")
        training = tf.placeholder(tf.bool, [], "training")
        bn = normalization.batch_normalization
        all = [bn(x, axis=[1, 2], training=training), bn(x, axis=[1, -1], momentum=0.5, center=False), bn(image, axis=[1, 3], training=True, epsilon=0.01), bn(image, axis=[3], training=training)]
        updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
        case.init()
        feed = {x: waves(5, 3, 2), image: waves(2, 4, 3, 2) * 2 + 1}
        for i in (True, False):
            case.run(all, {**feed, training: i})
            case.run(updates, {**feed, training: i})
            case.run([v.name for v in tf.global_variables()])


if __name__ == "__main__":
    embeddings()
    sparse_embeddings()
    functions()
    training()
    convolutions()
    losses_of_weights()
    regularized_variables()
    batch_normalization("references")
    batch_normalization("handles")
    volumes()
    several_axes()
