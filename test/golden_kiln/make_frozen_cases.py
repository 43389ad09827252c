# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow computes of frozen networks: all weights and statistics are constants. Run it with a Python that has
TensorFlow. Folding normalizations into weights changes last bits, so the tolerance is that of other orders of summation."""
import os
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

rng = np.random.RandomState(5)


def numbers(*shape):
    shape = [int(n) for n in shape]
    return tf.constant((rng.standard_normal(shape) / np.sqrt(max(np.prod(shape[:-1]), 1))).astype(np.float32))


def around_one(n):
    return tf.constant(rng.uniform(0.5, 1.5, n).astype(np.float32))


def normalized(x, n):
    """As Keras writes it: the scale may be negative."""
    gamma = around_one(n) * tf.constant(np.where(np.arange(n) % 5 == 2, -1, 1).astype(np.float32))
    scale = tf.math.rsqrt(around_one(n) + 1e-3) * gamma
    return x * scale + (numbers(n) - numbers(n) * scale)


def fused(x, n):
    return tf.nn.fused_batch_norm(x, around_one(n), numbers(n), numbers(n), around_one(n), is_training=False)[0]


def conv(x, size, n, stride=1, padding="SAME"):
    return tf.nn.conv2d(x, numbers(size, size, x.shape[-1], n), [1, stride, stride, 1], padding)


def depthwise(x, stride=1, padding="SAME", multiples=1):
    return tf.nn.depthwise_conv2d(x, numbers(3, 3, x.shape[-1], multiples), [1, stride, stride, 1], padding)


def images():
    with Case("frozen_images", "a small MobileNet: convolutions, depthwise ones, normalizations, residuals", rtol=1e-4, atol=1e-5) as case:
        x = tf.placeholder(tf.float32, [None, 15, 17, 3], "x")
        y = tf.nn.relu6(normalized(conv(tf.pad(x, [[0, 0], [0, 1], [0, 1], [0, 0]]), 3, 20, 2, "VALID"), 20))
        y = tf.nn.relu6(normalized(depthwise(y), 20))
        y = normalized(tf.nn.bias_add(conv(y, 1, 24), numbers(24)), 24)
        z = tf.nn.relu6(fused(conv(y, 1, 72), 72))
        z = normalized(depthwise(z), 72)
        y = y + fused(conv(z, 1, 24), 24)
        z = normalized(conv(tf.nn.relu(y), 1, 136), 136)
        z = z * tf.sigmoid(z)
        z = tf.nn.relu(normalized(depthwise(z, 2, "VALID", 2), 272))
        gate = tf.sigmoid(conv(tf.reduce_mean(z, [1, 2], keepdims=True), 1, 272))
        y = tf.nn.relu(fused(conv(z * gate, 1, 48), 48) / around_one(48) - numbers(48))
        pooled = tf.reduce_mean(tf.nn.max_pool2d(y, 2, 1, "SAME"), [1, 2])
        logits = tf.nn.bias_add(tf.matmul(pooled, numbers(48, 100)), numbers(100))
        for batch in (1, 3, 0, 2):
            case.run([logits, tf.nn.softmax(logits), z], {x: rng.standard_normal((batch, 15, 17, 3)).astype(np.float32)})


def encoder():
    with Case("frozen_encoder", "one layer of an encoder, and dense layers with normalizations", rtol=1e-4, atol=1e-5) as case:
        ids = tf.placeholder(tf.int32, [None, 7], "ids")
        x = tf.gather(numbers(50, 72), ids) + numbers(7, 72)

        def dense(x, n, **kwargs):
            flat = tf.matmul(tf.reshape(x, [-1, x.shape[-1]]), numbers(x.shape[-1], n), **kwargs)
            return tf.reshape(flat + numbers(n), [-1, *x.shape[1:-1], n])

        def heads(x):
            return tf.transpose(tf.reshape(x, [-1, 7, 4, 18]), [0, 2, 1, 3])

        q, k, v = (heads(dense(x, 72)) for _ in range(3))
        scores = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / np.sqrt(18).astype(np.float32))
        attended = tf.reshape(tf.transpose(tf.matmul(scores, v), [0, 2, 1, 3]), [-1, 7, 72])
        x = x + dense(attended, 72)
        mean, variance = tf.nn.moments(x, [-1], keepdims=True)
        x = (x - mean) * tf.math.rsqrt(variance + 1e-6) * around_one(72) + numbers(72)
        wide = dense(x, 200)
        x = x + dense(0.5 * wide * tf.math.erfc(-wide / np.sqrt(2).astype(np.float32)), 72)
        y = tf.matmul(x[:, 0], numbers(130, 72), transpose_b=True)
        y = tf.tanh(normalized(y, 130))
        for batch in (1, 3):
            case.run([x, y], {ids: rng.randint(0, 50, (batch, 7)).astype(np.int32)})


def rows():
    with Case("frozen_rows", "batches of rows times one matrix, and what follows element by element", rtol=1e-5, atol=1e-5) as case:
        raw = tf.raw_ops
        x = tf.placeholder(tf.float32, [None, None, 5], "x")
        wide = tf.placeholder(tf.float32, [2, None, 3, 5], "wide")
        count = tf.placeholder(tf.int32, [None, 3, 2], "count")
        w = numbers(5, 36)
        product = raw.BatchMatMulV2(x=x, y=w) + numbers(36)
        gelu = 0.5 * product * tf.math.erfc(-product / np.sqrt(2).astype(np.float32))
        residual = tf.reshape(raw.BatchMatMulV2(x=gelu, y=numbers(5, 36), adj_y=True), tf.shape(x)) + x
        fetches = [product, gelu, residual, tf.reshape(gelu, [-1, 18]) * numbers(18), raw.BatchMatMulV2(x=wide, y=numbers(1, 1, 1, 1, 5, 4)),
                   raw.BatchMatMulV2(x=wide, y=numbers(1, 6, 5), adj_y=True), raw.BatchMatMulV2(x=wide, y=numbers(3, 4), adj_x=True),
                   raw.BatchMatMulV2(x=count, y=tf.constant([[3, -1], [2**31 - 1, 5]])),
                   raw.BatchMatMulV3(x=tf.cast(count, tf.int8), y=tf.constant([[3, -1], [100, 5]], tf.int8), Tout=tf.int32),
                   raw.BatchMatMulV2(x=x[:, :, :0], y=numbers(0, 3))]
        for batch, length in ((2, 7), (1, 1), (0, 3), (3, 0)):
            case.run(fetches, {x: rng.standard_normal((batch, length, 5)).astype(np.float32),
                               wide: rng.standard_normal((2, batch, 3, 5)).astype(np.float32),
                               count: rng.randint(-9, 9, (batch, 3, 2)).astype(np.int32)})


def parts():
    with Case("frozen_parts", "products that are concatenated: all of them, some, one twice, with others' rows", rtol=1e-5, atol=1e-5) as case:
        raw = tf.raw_ops
        image = tf.placeholder(tf.float32, [None, 5, 6, 3], "image")
        x = tf.placeholder(tf.float32, [None, 300], "x")
        several = tf.placeholder(tf.float32, [2, None, 4], "several")
        branches = [tf.nn.relu(tf.nn.conv2d(image, numbers(k, k, 3, n), 1, "SAME") + numbers(n)) for k, n in ((1, 16), (3, 5), (1, 70), (2, 33))]
        pooled = tf.nn.max_pool2d(image, 3, 1, "SAME")
        products = [tf.matmul(x, numbers(300, n)) for n in (7, 64, 20)]
        needed = tf.matmul(x, numbers(300, 9))
        batches = [tf.matmul(several, tf.matmul(several, several, transpose_a=True)), tf.tanh(tf.matmul(several, numbers(2, 4, 19)))]
        whole = tf.concat(branches, 3)
        fetches = [tf.concat([branches[0] * 2.0, pooled, branches[3] - 1.0], 3), tf.reduce_mean(tf.nn.conv2d(whole, numbers(1, 1, 124, 8), 1, "SAME"), [1, 2]),
                   tf.concat(products, 1), tf.tanh(tf.concat([needed, tf.matmul(x, numbers(300, 3)) + needed[:, :3], needed], 1)), needed,
                   tf.concat(batches, 2), tf.concat([tf.matmul(x, numbers(300, 4)), tf.matmul(x[:, :9], numbers(9, 4))], 0)]
        for rows in (3, 1, 0, 200):
            case.run(fetches, {image: rng.standard_normal((rows % 7, 5, 6, 3)).astype(np.float32), x: rng.standard_normal((rows, 300)).astype(np.float32),
                               several: rng.standard_normal((2, rows % 9, 4)).astype(np.float32)})


def pools():
    with Case("frozen_pools", "averages before pointwise convolutions, as in an Inception block", rtol=1e-4, atol=1e-5) as case:
        image = tf.placeholder(tf.float32, [None, None, 7, 40], "image")
        volume = tf.placeholder(tf.float32, [2, 3, 4, 5, 9], "volume")

        def average(x, size, stride=1, padding="SAME"):
            return tf.nn.avg_pool2d(x, size, stride, padding)

        branches = [tf.nn.relu(normalized(conv(average(image, 3), 1, 17), 17)), tf.nn.relu(conv(image, 1, 20)), conv(average(image, [2, 5]), 1, 8)]
        pooled = average(image, 3)
        twice = conv(average(average(image, 3), 2) * 0.5, 1, 6)
        needed = average(image, [4, 1])
        deep = tf.nn.conv3d(tf.nn.avg_pool3d(volume, 3, 1, "SAME"), numbers(1, 1, 1, 9, 4), [1] * 5, "SAME")
        fetches = [tf.concat(branches, 3), conv(pooled, 1, 40), conv(pooled, 3, 5), twice, needed, conv(needed, 1, 3), conv(average(image, [1, 7]), 1, 5),
                   conv(average(image, 3, 2), 1, 4), conv(average(image, 7), 1, 3), conv(tf.nn.max_pool2d(image, 3, 1, "SAME"), 1, 4),
                   conv(average(image, 3), 1, 4, 2), deep]
        for batch, height in ((2, 6), (1, 1), (0, 3), (3, 9)):
            case.run(fetches, {image: rng.standard_normal((batch, height, 7, 40)).astype(np.float32), volume: rng.standard_normal((2, 3, 4, 5, 9)).astype(np.float32)})


if __name__ == "__main__":
    images()
    encoder()
    rows()
    parts()
    pools()
