# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow does where begins, sizes, borders and shifts are fed or computed, and extents are open. Run it with a
Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

LOWEST, HIGHEST = -2**63, 2**63 - 1


def floats(*shape):
    return np.sin(np.arange(np.prod(shape))).astype(np.float32).reshape(shape)


def with_gradients(values, *sources):
    """Each value, and the gradients of its squares."""
    fetches = []
    for value in values:
        fetches += [value, *(g for g in tf.gradients(tf.reduce_sum(value * value), sources) if g is not None)]
    return fetches


def slices():
    with Case("amount_slices", "slices from fed and computed places on, their masks, uses and gradients") as case:
        x = tf.placeholder(tf.float32, [None, 4], name="x")
        i = tf.placeholder(tf.int32, [], name="i")
        j = tf.placeholder(tf.int64, [], name="j")
        a = tf.placeholder(tf.float32, [], name="a")
        k = tf.cast(a, tf.int32)
        parts = [tf.slice(x, [i, 1], [1, 2]), tf.slice(x, [i, 0], [-1, k]), x[i:], x[:i], x[i:i + 2], x[:, k:], x[:, -k:], x[i, :k], x[..., k],
                 x[tf.newaxis, i:, k - 1], x[j:], x[:j, ::2], x[::2][i:], x[:i] + x[:i] * 2.0, tf.matmul(x[:, :k], x[:, :k], transpose_b=True)]
        whole = x[i * 2:(i + 1) * 2]
        whole.set_shape([2, 4])
        parts += [whole, tf.matmul(whole, tf.constant(floats(4, 3))), tf.concat([whole, x[:1]], 0)]
        fetches = with_gradients(parts, x)
        for rows, first, second, third in ((5, 0, 1, 2.0), (4, 1, -2, 3.0)):
            case.run(fetches, {x: floats(rows, 4), i: first, j: second, a: third})
        case.run(whole, {x: floats(3, 4), i: 1})  # TensorFlow does not check what the program has set
        for number in (7, -1, 2**31 - 1, -2**31):
            case.run(parts[0], {x: floats(3, 4), i: number})
            case.run([x[i:], x[:i]], {x: floats(3, 4), i: number})
            case.run(x[i], {x: floats(3, 4), i: number})
        for number in (LOWEST, HIGHEST):
            case.run([x[j:], x[:j], x[:, j:]], {x: floats(3, 4), j: number})
            case.run(x[j], {x: floats(3, 4), j: number})
            case.run(tf.slice(x, [j, 0], [1, 1]), {x: floats(3, 4), j: number})
            case.run(tf.slice(x, [0, 0], [j, 1]), {x: floats(3, 4), j: number})


def backwards():
    with Case("amount_backwards", "slices backwards between places that are fed, of open extents, and their gradients") as case:
        x = tf.placeholder(tf.float32, [None, 4], name="x")
        b = tf.placeholder(tf.int32, [], name="b")
        e = tf.placeholder(tf.int32, [], name="e")
        n = tf.shape(x)[0]
        fetches = with_gradients([x[b:e:-1], x[b::-1], x[:e:-1], x[b:e:-2], x[b::-3], x[:, b:e:-1], x[:, b::-2], x[::-1], x[n - 2::-1], x[::-2, e:b]], x)
        for rows, first, last in ((5, 3, 0), (4, 0, 3), (2, -1, -9), (1, 9, -2), (3, -9, 0), (0, 2, 1)):
            case.run(fetches, {x: floats(rows, 4), b: first, e: last})


def borders():
    with Case("amount_borders", "paddings, mirrored ones, repetitions and shifts that are fed and computed, and their gradients") as case:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        i = tf.placeholder(tf.int32, [], name="i")
        j = tf.placeholder(tf.int32, [], name="j")
        p = tf.placeholder(tf.int32, [2, 2], name="p")
        a = tf.placeholder(tf.float32, [], name="a")
        k = tf.cast(a, tf.int32)
        values = [tf.pad(x, [[i, j], [0, 0]]), tf.pad(x, p, constant_values=1.5), tf.pad(x, [[tf.maximum(0, 6 - tf.shape(x)[0]), 0], [0, k]]),
                  tf.pad(x, [[i, j], [0, 1]], "REFLECT"), tf.pad(x, p, "SYMMETRIC"), tf.tile(x, [j, k]), tf.roll(x, [i, -k], [0, 1])]
        fetches = with_gradients(values, x)
        for rows, first, second, third in ((3, 0, 1, 2.0), (4, 2, 0, 1.0), (5, 1, 2, 0.0)):
            case.run(fetches, {x: floats(rows, 3), i: first, j: second, a: third, p: [[second, first], [0, 1]]})
        for amounts in ([[0, -1], [0, 0]], [[2, 0], [0, 0]], [[3, 0], [0, 0]], [[0, 0], [0, 4]]):
            case.run(tf.pad(x, p), {x: floats(2, 3), p: amounts})
            case.run(tf.pad(x, p, "REFLECT"), {x: floats(2, 3), p: amounts})
            case.run(tf.pad(x, p, "SYMMETRIC"), {x: floats(2, 3), p: amounts})
        case.run(tf.tile(x, [i, 1]), {x: floats(2, 3), i: -1})


def blocks():
    with Case("amount_blocks", "blocks of open space moved to the batch and back, with borders that are fed and computed, and their gradients") as case:
        x = tf.placeholder(tf.float32, [None, None, None, 2], name="x")
        p = tf.placeholder(tf.int32, [2, 2], name="p")
        i = tf.placeholder(tf.int32, [], name="i")
        rest = [[0, -tf.shape(x)[1] % 2], [0, -tf.shape(x)[2] % 3]]
        many = tf.tile(x, [6, 1, 1, 1])
        values = [tf.space_to_batch_nd(x, [2, 3], rest), tf.batch_to_space_nd(many, [2, 3], rest), tf.batch_to_space_nd(many, [2, 3], [[i, 1], [0, i]]),
                  tf.batch_to_space_nd(many, [3, 2], p), tf.space_to_batch_nd(x, [1, 1], p), tf.batch_to_space(many, p, block_size=1)]
        fetches = with_gradients(values, x)
        for height, width, before, pairs in ((3, 4, 0, [[0, 1], [1, 0]]), (2, 3, 1, [[2, 0], [0, 2]])):
            case.run(fetches, {x: floats(1, height, width, 2), i: before, p: pairs})
        fed = tf.space_to_batch_nd(x, [2, 2], p)
        for pairs in ([[0, 1], [1, 1]], [[1, 0], [0, 0]], [[-1, 2], [0, 0]], [[3, 0], [2, 2]]):
            case.run(fed, {x: floats(1, 3, 4, 2), p: pairs})
        back = tf.batch_to_space_nd(many, [2, 3], p)
        for pairs in ([[3, 3], [0, 0]], [[4, 3], [0, 0]], [[0, -1], [0, 0]]):
            case.run(back, {x: floats(1, 3, 1, 2), p: pairs})


def dilations():
    with Case("amount_dilations", "dilated convolutions and pools of open height and width, and their gradients", rtol=2e-5, atol=2e-6) as case:
        w = tf.constant(floats(3, 3, 2, 2))
        for name, shape in (("open", [None, None, None, 2]), ("height", [None, None, 5, 2])):
            x = tf.placeholder(tf.float32, shape, name=name)
            values = [tf.nn.atrous_conv2d(x, w, 2, "SAME"), tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "SAME", rate=[2, 2]),
                      tf.nn.separable_conv2d(x, w, tf.constant(floats(1, 1, 4, 1)), [1, 1, 1, 1], "SAME", rate=[2, 1]),
                      tf.nn.pool(x, [2, 2], "MAX", "VALID", dilations=[2, 2]), tf.nn.pool(x, [2, 2], "AVG", "VALID", dilations=[1, 2]),
                      tf.nn.convolution(x, w, "SAME", dilation_rate=[1, 2]), tf.nn.atrous_conv2d_transpose(
                          x, w, tf.concat([tf.shape(x)[:3], [2]], 0), 2, "SAME")]
            case.run(with_gradients(values, x, w), {x: floats(1, 4, 5, 2)})
            if name == "open":
                case.run(with_gradients([tf.nn.atrous_conv2d(x, w, 2, "VALID")], x, w), {x: floats(1, 5, 6, 2)})
                case.run(with_gradients(values[:2], x, w), {x: floats(1, 1, 3, 2)})


def sizes():
    with Case("amount_sizes", "images resized, cropped, padded and convolved backwards to sizes that are fed and computed", rtol=2e-5, atol=2e-6) as case:
        x = tf.placeholder(tf.float32, [None, None, None, 2], name="x")
        size = tf.placeholder(tf.int32, [2], name="size")
        i = tf.placeholder(tf.int32, [], name="i")
        a = tf.placeholder(tf.float32, [], name="a")
        k = tf.cast(a, tf.int32)
        w = tf.constant(floats(2, 2, 3, 2))
        values = []
        for to in (size, [i, 4], [k, tf.shape(x)[2] * 2]):
            values += [tf.image.resize_bilinear(x, to), tf.image.resize_nearest_neighbor(x, to)]
        values += [tf.image.crop_to_bounding_box(x, i - 3, 0, 1, k), tf.image.pad_to_bounding_box(x, i, 1, i + 5, 6)]
        values += [tf.nn.conv2d_transpose(x, w, [tf.shape(x)[0], tf.shape(x)[1] * 2 - i % 2, tf.shape(x)[2] * 2, 3], [1, 2, 2, 1], "SAME")]
        fetches = with_gradients(values, x)
        for height, width, first, second in ((3, 4, 3, 2.0), (2, 5, 4, 3.0)):
            case.run(fetches, {x: floats(1, height, width, 2), i: first, a: second, size: [first + 1, 1]})
        case.run(values[0], {x: floats(1, 2, 2, 2), size: [0, 3]})
        case.run(values[-1], {x: floats(1, 2, 2, 2), i: -1})


for make in (slices, backwards, borders, blocks, dilations, sizes):
    make()
