# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow's functions of neural networks add to a graph: activations, losses, statistics, dropout, convolutions, pooling.
test/unit/Build/NnCompositionsTest.cpp builds the same graphs. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case


def waves(*shape):
    return np.sin(np.arange(np.prod(shape)) * 1.7).reshape(shape)


def activations():
    with Case("composed_activations", "activations and losses that are made of several ops", rtol=1e-4) as case:
        nn = tf.nn
        x, n = tf.placeholder(tf.float32, [None, 3], "x"), tf.placeholder(tf.int32, [2], "n")
        t, h = tf.placeholder(tf.float32, [2, 3, 4], "t"), tf.placeholder(tf.float16, [2, 3], "h")
        w, b, u = tf.placeholder(tf.float32, [3, 4], "w"), tf.placeholder(tf.float32, [4], "b"), tf.placeholder(tf.float32, [None, None, 4], "u")
        all = [nn.crelu(x), nn.crelu(t, axis=1, name="parts"), nn.leaky_relu(x), nn.leaky_relu(n), nn.leaky_relu(-1.0, alpha=0.5, name="leaky")]
        all += [nn.xw_plus_b(x, w, b), nn.xw_plus_b(x, w, b, name="own"), nn.relu_layer(x, w, b), nn.relu_layer(x, w, [1.0, 2.0, 3.0, 4.0], name="layer")]
        all += [nn.bias_add(t, b), nn.bias_add(t, [1.0, 2.0, 3.0], data_format="NCW"), nn.bias_add(x, [1.0, 2.0, 3.0], data_format="NXC", name="bias")]
        all += [nn.softmax(t), nn.softmax(t, axis=1), nn.softmax(t, axis=-3, name="rows"), nn.log_softmax(t, axis=0), nn.softmax(x, 1)]
        all += [nn.softmax_cross_entropy_with_logits_v2(labels=t, logits=t), nn.softmax_cross_entropy_with_logits_v2(labels=t, logits=t, axis=1, name="middle"), nn.softmax_cross_entropy_with_logits(labels=x, logits=x, dim=0), nn.softmax_cross_entropy_with_logits_v2(h, h)]
        labels = tf.placeholder(tf.int32, [2, 3], "labels")
        all += [nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=t), nn.sparse_softmax_cross_entropy_with_logits(labels=n, logits=x), nn.sparse_softmax_cross_entropy_with_logits(labels=tf.constant(1), logits=tf.cast(h[0], tf.float16))]
        checked = nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=u, name="sparse")
        all += [checked, nn.weighted_cross_entropy_with_logits(labels=x, logits=x, pos_weight=2.0), nn.weighted_cross_entropy_with_logits(labels=t, logits=t, pos_weight=b, name="weighted")]
        all += [nn.log_poisson_loss(tf.abs(x), x), nn.log_poisson_loss(tf.exp(t), t, compute_full_loss=True, name="full")]
        feed = {x: waves(2, 3), n: [-1, 2], t: waves(2, 3, 4), h: waves(2, 3), w: waves(3, 4), b: waves(4) + 2, u: waves(2, 3, 4), labels: [[0, 1, 3], [2, 2, 0]]}
        case.run([each for each in all if each.dtype != tf.float16], feed)
        case.run([each for each in all if each.dtype == tf.float16], feed, rtol=5e-3, atol=5e-3)
        case.run(checked, {**feed, u: waves(3, 2, 4)})


def statistics():
    with Case("composed_statistics", "moments, normalization, dropout", seed=3, rtol=1e-4, atol=1e-5) as case:
        nn = tf.nn
        x, t = tf.placeholder(tf.float32, [None, 3], "x"), tf.placeholder(tf.float64, [2, 3, 4], "t")
        h, b, image = tf.placeholder(tf.float16, [2, 3], "h"), tf.placeholder(tf.float32, [3], "b"), tf.placeholder(tf.float32, [2, 2, 2, 3], "image")
        all = []
        for name, found in (("x", nn.sufficient_statistics(x, [0])), ("t", nn.sufficient_statistics(t, [0, -1], keep_dims=True)), ("s", nn.sufficient_statistics(x, [-2, 1, 1], shift=b, name="shifted"))):
            all += [each for each in found if each is not None and each is not b]
            all += nn.normalize_moments(*found, name=name)
        all += nn.normalize_moments(2.0, b, b, None)
        all += list(nn.weighted_moments(x, [0], b)) + list(nn.weighted_moments(t, [1, 2], [[[1.0]], [[3.0]]], keep_dims=True, name="weighed"))
        halves = list(nn.weighted_moments(h, [1], 0.5)) + list(nn.moments(h, [0]))
        all += nn.moments(t, [], name="none")
        all += [nn.batch_normalization(x, b, tf.abs(b), b, None, 0.1), nn.batch_norm_with_global_normalization(x, b, tf.abs(b), b, b, 0.01, True), nn.batch_norm_with_global_normalization(x, b, tf.abs(b), b, b, 0.01, False, name="global")]
        all += list(nn.fused_batch_norm(image, b, b)) + list(nn.fused_batch_norm(image, [1.0, 2.0, 3.0], b, b, tf.abs(b), epsilon=0.1, is_training=False, name="fused"))
        all += [nn.l2_normalize(x, 1), nn.l2_normalize(t, axis=[0, 1], epsilon=0.1, name="units")]
        rate = tf.placeholder(tf.float32, [], "rate")
        drawn = [nn.dropout(x, keep_prob=0.5), nn.dropout(x, rate=rate, seed=7), nn.dropout(x, keep_prob=rate, name="kept"), nn.dropout(image, noise_shape=tf.TensorShape([2, 1, 1, None]), rate=0.25), nn.dropout(t, 1.0), nn.dropout(x, rate=0.3, noise_shape=[2, 1], seed=1)]
        feed = {x: waves(2, 3), t: waves(2, 3, 4), h: waves(2, 3), b: [0.5, 1, 2], image: waves(2, 2, 2, 3), rate: 0.5}
        case.run(all, feed)
        case.run(halves, feed, rtol=5e-3, atol=5e-3)
        case.run([each for each in drawn if each is not t], feed)


def convolutions():
    with Case("composed_convolutions", "convolutions of one to three axes of space, dilated and not, and their gradients as functions", rtol=1e-4, atol=1e-5) as case:
        nn = tf.nn
        row, rows = tf.placeholder(tf.float32, [2, 6, 2], "row"), tf.placeholder(tf.float32, [None, None, 2], "rows")
        image, open_image = tf.placeholder(tf.float32, [2, 6, 5, 2], "image"), tf.placeholder(tf.float32, [None, None, None, 2], "open_image")
        volume, stack = tf.placeholder(tf.float32, [1, 4, 4, 4, 2], "volume"), tf.placeholder(tf.float32, [2, None, 6, 5, 2], "stack")
        f1, f2, f3 = tf.placeholder(tf.float32, [3, 2, 3], "f1"), tf.placeholder(tf.float32, [3, 2, 2, 3], "f2"), tf.placeholder(tf.float32, [2, 2, 2, 2, 3], "f3")
        d, p, shape = tf.placeholder(tf.float32, [2, 2, 2, 2], "d"), tf.placeholder(tf.float32, [1, 1, 4, 3], "p"), tf.placeholder(tf.int32, [4], "shape")
        all = [nn.conv1d(row, f1, 1, "SAME"), nn.conv1d(rows, f1, stride=2, padding="VALID", data_format="NWC", name="one"), nn.conv1d(row, f1, [1], "VALID", dilations=2)]
        all += [nn.conv2d(image, f2, 2, "SAME"), nn.conv2d(image, f2, [1, 1, 2, 1], [[0, 0], [1, 2], [0, 1], [0, 0]]), nn.conv2d(image, f2, [2, 1], "VALID", name="two"), nn.conv2d(stack, f2, 1, "SAME"), nn.conv2d(image, f2, 1, "VALID", dilations=[1, 2, 1, 1])]
        all += [nn.convolution(row, f1, "SAME"), nn.convolution(image, f2, "VALID", strides=[2, 1], name="over"), nn.convolution(volume, f3, "SAME"), nn.convolution(row, f1, "SAME", dilation_rate=[2]), nn.convolution(image, f2, "SAME", dilation_rate=[2, 1], name="wide"), nn.convolution(open_image, f2, "VALID", dilation_rate=[2, 2]), nn.convolution(volume, f3, "VALID", dilation_rate=[1, 2, 1]), nn.convolution(open_image, f2, "SAME", dilation_rate=[1, 2]), nn.convolution(image, waves(1, 1, 2, 2).astype(np.float32), "SAME")]
        all += [nn.atrous_conv2d(image, f2, 1, "SAME"), nn.atrous_conv2d(image, f2, rate=2, padding="SAME", name="atrous"), nn.atrous_conv2d(open_image, f2, 2, "VALID")]
        all += [nn.depthwise_conv2d(image, d, [1, 1, 1, 1], "SAME"), nn.depthwise_conv2d(image, d, [1, 2, 2, 1], "VALID", name="deep"), nn.depthwise_conv2d(image, d, [1, 1, 1, 1], "SAME", rate=[2, 2]), nn.depthwise_conv2d(open_image, d, [1, 1, 1, 1], "VALID", rate=[2, 1])]
        all += [nn.separable_conv2d(image, d, p, [1, 1, 1, 1], "SAME"), nn.separable_conv2d(image, d, p, [1, 1, 1, 1], "VALID", rate=[2, 2], name="apart")]
        back = nn.conv2d(image, f2, 2, "SAME")
        all += [nn.conv2d_transpose(back, f2, [2, 6, 5, 2], 2), nn.conv2d_transpose(back, f2, shape, [1, 2, 2, 1], "SAME", name="back"), nn.conv2d_transpose(back, f2, tf.stack([2, 6, 5, 2]), [2])]
        all += [nn.conv3d_transpose(nn.convolution(volume, f3, "SAME"), f3, [1, 4, 4, 4, 2], 1), nn.conv1d_transpose(nn.conv1d(row, f1, 2, "SAME"), f1, [2, 6, 2], 2), nn.conv1d_transpose(nn.conv1d(row, f1, 2, "SAME"), f1, tf.constant([2, 6, 2]), 2, name="line"), nn.conv_transpose(back, f2, [2, 6, 5, 2], 2), nn.conv_transpose(nn.conv1d(row, f1, 1, "SAME"), f1, [2, 6, 2], 1, name="any")]
        wide = nn.atrous_conv2d(image, f2, 2, "SAME")
        all += [nn.atrous_conv2d_transpose(wide, f2, [2, 6, 5, 2], 2, "SAME"), nn.atrous_conv2d_transpose(wide, f2, tf.constant([2, 6, 5, 2]), rate=2, padding="SAME", name="undone"), nn.atrous_conv2d_transpose(nn.atrous_conv2d(image, f2, 2, "VALID"), f2, [2, 6, 5, 2], 2, "VALID"), nn.atrous_conv2d_transpose(nn.atrous_conv2d(image, f2, 1, "SAME"), f2, [2, 6, 5, 2], 1, "SAME")]
        all += [nn.erosion2d(image, d[:, :, :, 0], [1, 1, 1, 1], [1, 1, 1, 1], "SAME"), tf.space_to_batch(image, [[0, 0], [0, 1]], 2), tf.batch_to_space(tf.space_to_batch(image, [[0, 0], [1, 0]], block_size=2, name="blocks"), [[0, 0], [1, 0]], 2, name="whole")]
        all += list(tf.required_space_to_batch_paddings([5, 6], [2, 4])) + list(tf.required_space_to_batch_paddings(shape[1:3], [2, 2], base_paddings=[[1, 0], [0, 2]], name="required"))
        all += [nn.with_space_to_batch(image, [2, 2], "VALID", lambda blocks, axes, padding: blocks * 2), nn.with_space_to_batch(image, [1, 1], "SAME", lambda blocks, axes, padding: blocks + float(axes))]
        feed = {row: waves(2, 6, 2), rows: waves(2, 7, 2), image: waves(2, 6, 5, 2), open_image: waves(2, 6, 6, 2), volume: waves(1, 4, 4, 4, 2), stack: waves(2, 3, 6, 5, 2), f1: waves(3, 2, 3), f2: waves(3, 2, 2, 3), f3: waves(2, 2, 2, 2, 3), d: waves(2, 2, 2, 2), p: waves(1, 1, 4, 3), shape: [2, 6, 5, 2]}
        case.run(all, feed)


def pooling():
    with Case("composed_pooling", "pooling of one to three axes of space") as case:
        nn = tf.nn
        row, image = tf.placeholder(tf.float32, [2, 6, 2], "row"), tf.placeholder(tf.float32, [2, 6, 5, 2], "image")
        volume, open_image = tf.placeholder(tf.float32, [1, 4, 4, 4, 2], "volume"), tf.placeholder(tf.float32, [None, None, None, 2], "open_image")
        all = [nn.max_pool(image, 2, 2, "SAME"), nn.max_pool(image, [2, 1], [1, 2, 1, 1], "VALID", name="most"), nn.max_pool(image, 2, 1, [[0, 0], [1, 0], [0, 1], [0, 0]]), nn.max_pool2d(image, 2, 2, "VALID"), nn.avg_pool(image, 2, [2, 2], "SAME"), nn.avg_pool2d(image, [1, 3, 3, 1], 1, "VALID", name="mean")]
        all += [nn.max_pool1d(row, 2, 2, "SAME"), nn.max_pool1d(row, 3, 1, [[0, 0], [1, 1], [0, 0]], name="line"), nn.avg_pool1d(row, [2], [1], "VALID"), nn.max_pool3d(volume, 2, 2, "SAME"), nn.avg_pool3d(volume, [2, 2, 1], 2, "VALID", name="volumes")]
        all += [nn.max_pool_v2(row, 2, 2, "SAME"), nn.max_pool_v2(image, 2, 2, "SAME"), nn.max_pool_v2(volume, 2, 2, "SAME", name="any"), nn.avg_pool_v2(row, 2, 2, "SAME"), nn.avg_pool_v2(image, 2, 2, "SAME"), nn.avg_pool_v2(volume, 2, 2, "VALID")]
        all += [nn.pool(row, [2], "MAX", "SAME"), nn.pool(image, [2, 2], "AVG", "VALID", strides=[2, 1], name="pooled"), nn.pool(volume, [2, 2, 2], "MAX", "SAME"), nn.pool(image, [2, 2], "MAX", "VALID", dilation_rate=[2, 1]), nn.pool(open_image, [2, 2], "AVG", "VALID", dilation_rate=[1, 2]), nn.pool(row, [2], "AVG", "VALID", dilation_rate=[2], name="apart"), nn.pool(volume, [1, 2, 2], "AVG", "SAME")]
        all += list(nn.max_pool_with_argmax(image, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")) + list(nn.max_pool_with_argmax(image, [1, 2, 2, 1], [1, 2, 2, 1], "SAME", Targmax=tf.int32, include_batch_in_index=True, name="places"))
        case.run(all, {row: waves(2, 6, 2), image: waves(2, 6, 5, 2), volume: waves(1, 4, 4, 4, 2), open_image: waves(2, 6, 6, 2)})


for record in (activations, statistics, convolutions, pooling):
    if len(sys.argv) == 1 or record.__name__ in sys.argv[1:]:
        record()
