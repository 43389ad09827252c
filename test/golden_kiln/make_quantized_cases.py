# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's arithmetic on quantized numbers, with its errors: products, sums, ranges, pools, moves. All bits
are demanded. Run it with a Python that has TensorFlow, with the names of cases or for all of them.
"""
import os
import subprocess
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
# Filters with a sign and depthwise convolutions have kernels of oneDNN alone.
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "1" if "symmetric" in sys.argv else "0"
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops
RANGES = [(-1, 1), (0, 6), (-0.1, 1.7), (-3.5, 0), (0.25, 2), (-4, -1), (-1e-3, 2e5)]


def number(name):
    return tf.placeholder(tf.float32, None, name)


def integers(dtype, name):
    """A placeholder of numbers, and those as a quantized type."""
    given = tf.placeholder(tf.int32, None, name)
    return given, tf.cast(given, dtype)


def seen(outputs):
    """What can be kept of an op's outputs: integers of a quantized type as int32."""
    return [tf.cast(y, tf.int32) if y.dtype.is_quantized else y for y in outputs]


def bytes_of(rng, *shape):
    return rng.randint(0, 256, shape)


def products():
    with Case("quantized_products", "products of matrices of bytes", rtol=0, atol=0) as c:
        rng = np.random.RandomState(1)
        (a, qa), (b, qb) = integers(tf.quint8, "a"), integers(tf.quint8, "b")
        ends = [number(n) for n in ("min_a", "max_a", "min_b", "max_b")]

        def product(**settings):
            return seen(raw.QuantizedMatMul(a=qa, b=qb, min_a=ends[0], max_a=ends[1], min_b=ends[2], max_b=ends[3], **settings))

        plain = product()
        for m, k, n in ((1, 1, 1), (3, 4, 16), (7, 5, 17), (6, 64, 64), (13, 67, 100), (1, 130, 33), (100, 3, 70)):
            for i, first in enumerate(RANGES):
                second = RANGES[(2 * i + 1) % len(RANGES)]
                c.run(plain, {a: bytes_of(rng, m, k), b: bytes_of(rng, k, n), **dict(zip(ends, first + second))})
        for settings in ({"transpose_a": True}, {"transpose_b": True}, {"transpose_a": True, "transpose_b": True}):
            x, y = bytes_of(rng, 9, 21), bytes_of(rng, 21, 35)
            c.run(product(**settings), {a: x.T if "transpose_a" in settings else x, b: y.T if "transpose_b" in settings else y,
                                        **dict(zip(ends, (-1, 2, -3, 1)))})
        x, y, range_ = bytes_of(rng, 2, 3), bytes_of(rng, 3, 2), (-1, 2, -3, 1)
        c.run(plain, {a: x[:0], b: y, **dict(zip(ends, range_))})
        c.run(plain, {a: np.full([1, 70000], 255), b: np.full([70000, 1], 255), **dict(zip(ends, (0, 1, 0, 1)))})
        feed = {a: x, b: y, **dict(zip(ends, range_))}
        for i, wrong in enumerate(([1], [1, 2], [], [[1]])):
            for end in ends:
                c.run(plain, {**feed, end: np.reshape(wrong, [0]) if i == 2 else wrong})
        for wrong in ({ends[0]: 2}, {ends[2]: 1}, {ends[2]: np.nan}, {a: x[:, :2]}, {a: x[0]}, {b: y[0]}):
            c.run(plain, {**feed, **wrong})


def convolutions():
    with Case("quantized_convolutions", "convolutions of bytes", rtol=0, atol=0) as c:
        rng = np.random.RandomState(2)
        (x, qx), (f, qf) = integers(tf.quint8, "x"), integers(tf.quint8, "f")
        ends = [number(n) for n in ("min_x", "max_x", "min_f", "max_f")]

        def convolve(stride, padding, **settings):
            return seen(raw.QuantizedConv2D(input=qx, filter=qf, min_input=ends[0], max_input=ends[1], min_filter=ends[2], max_filter=ends[3],
                                            strides=[1, stride, stride, 1], padding=padding, **settings))

        shapes = (([1, 1, 1, 1], [1, 1, 1, 1]), ([2, 5, 6, 3], [3, 3, 3, 8]), ([1, 9, 7, 4], [1, 1, 4, 20]), ([3, 8, 8, 5], [5, 3, 5, 17]),
                  ([1, 3, 3, 16], [3, 3, 16, 33]), ([1, 4, 4, 8], [7, 7, 8, 5]), ([1, 15, 14, 4], [1, 2, 4, 3]))
        for stride in (1, 2, 3, 5):
            for padding in ("SAME", "VALID"):
                y = convolve(stride, padding)
                for i, (image, window) in enumerate(shapes):
                    if padding == "VALID" and image[1] < window[0]:
                        continue
                    for first in (RANGES[i], (-1, 1), (0.25, 2), (-4, -1))[:4 if i < 3 else 2]:
                        # Where 0 is above the range TensorFlow's border is a number that wraps, as Kiln's.
                        c.run(y, {x: bytes_of(rng, *image), f: bytes_of(rng, *window), **dict(zip(ends, first + RANGES[(i + 2) % len(RANGES)]))})
        plain = convolve(1, "SAME")
        feed = {x: bytes_of(rng, 1, 3, 3, 2), f: bytes_of(rng, 2, 2, 2, 3), **dict(zip(ends, (-1, 2, -3, 1)))}
        for wrong in ([1], [1, 2], np.zeros([0])):
            for end in ends:
                c.run(plain, {**feed, end: wrong})
        c.run(plain, {**feed, ends[0]: 2})
        for wrong in ({x: bytes_of(rng, 3, 3, 2)}, {f: bytes_of(rng, 2, 2, 2)}, {f: bytes_of(rng, 2, 2, 1, 3)}):
            c.run(plain, {**feed, **wrong})
        for settings in ({"strides": [1, 2, 1, 1]}, {"strides": [2, 1, 1, 1]}, {"dilations": [1, 2, 2, 1]}, {"dilations": [1, 1, 1, 2]}):
            settings = {"strides": [1, 1, 1, 1], **settings}
            c.run(seen(raw.QuantizedConv2D(input=qx, filter=qf, min_input=ends[0], max_input=ends[1], min_filter=ends[2], max_filter=ends[3],
                                           padding="SAME", **settings)), feed)


def sums():
    with Case("quantized_sums", "sums and products of bytes, element by element", rtol=0, atol=0) as c:
        rng = np.random.RandomState(3)
        (x, qx), (y, qy) = integers(tf.quint8, "x"), integers(tf.quint8, "y")
        ends = [number(n) for n in ("min_x", "max_x", "min_y", "max_y")]
        named = dict(zip(("min_x", "max_x", "min_y", "max_y"), ends))
        both = [seen(f(x=qx, y=qy, **named)) for f in (raw.QuantizedAdd, raw.QuantizedMul)]
        shapes = (([7], [7]), ([3, 5], [5]), ([5], [3, 5]), ([2, 3, 4], []), ([], [2, 3]), ([1], [4]), ([], []), ([2, 1, 3], [1, 3]), ([0], [0]), ([2, 3, 4], [1, 3, 4]))
        for i, (first, second) in enumerate(shapes):
            for k in range(len(RANGES)):
                c.run(sum(both, []), {x: bytes_of(rng, *first), y: bytes_of(rng, *second), **dict(zip(ends, RANGES[k] + RANGES[(k + i) % len(RANGES)]))})
        feed = {x: bytes_of(rng, 2, 3), y: bytes_of(rng, 3), **dict(zip(ends, (-1, 2, -3, 1)))}
        for one in both:
            for wrong in ({ends[0]: [1]}, {ends[3]: [1, 2]}, {ends[1]: -1}, {ends[2]: 1}, {y: [1, 2]}, {x: np.zeros([0, 3])}):
                c.run(one, {**feed, **wrong})
            c.run(one, {**feed, x: bytes_of(rng, 2, 2, 3), y: bytes_of(rng, 2, 1, 3)})
        for t in (tf.quint8, tf.qint8):
            (v, qv), (b, qb) = integers(t, "v_" + t.name), integers(t, "b_" + t.name)
            add = seen(raw.QuantizedBiasAdd(input=qv, bias=qb, min_input=ends[0], max_input=ends[1], min_bias=ends[2], max_bias=ends[3], out_type=tf.qint32))
            low = 128 if t == tf.qint8 else 0
            for k, first in enumerate(RANGES + [(0, 0), (1, 1)]):
                c.run(add, {v: bytes_of(rng, 2, 3, 5) - low, b: bytes_of(rng, 5) - low, **dict(zip(ends, first + RANGES[(3 * k + 1) % len(RANGES)]))})
            c.run(add, {v: bytes_of(rng, 0, 5), b: bytes_of(rng, 5) - low, **dict(zip(ends, (-1, 1, -1, 1)))})
            feed = {v: bytes_of(rng, 2, 3) - low, b: bytes_of(rng, 3) - low, **dict(zip(ends, (-1, 1, -1, 1)))}
            for wrong in ({v: [1, 2, 3]}, {b: [[1, 2, 3]]}, {b: [1, 2]}, {ends[0]: [1]}, {ends[3]: [1, 2]}, {v: np.zeros([2, 0]), b: np.zeros([0])}):
                c.run(add, {**feed, **wrong})


def ranges():
    with Case("quantized_ranges", "integers of a range as those of another", rtol=0, atol=0) as c:
        rng = np.random.RandomState(4)
        x, q = integers(tf.qint32, "x")
        low, high, first, last = (number(n) for n in ("low", "high", "first", "last"))
        narrow = [seen(raw.Requantize(input=q, input_min=low, input_max=high, requested_output_min=first, requested_output_max=last, out_type=t))
                  for t in (tf.quint8, tf.qint8)]
        used = raw.RequantizationRange(input=q, input_min=low, input_max=high)
        shrunk = seen(raw.QuantizeDownAndShrinkRange(input=q, input_min=low, input_max=high, out_type=tf.quint8))
        wide = [(-2, 3), (-100, 100), (-131072, 131072), (-66051.02, 66051.02), (0, 0), (1, 1), (-1e-3, 1e-3), (-1e9, 1e9), (3, 7), (-9, -2)]
        asked = [(-1, 1), (0, 6), (-0.1, 1.7), (-3.5, 0), (0, 0), (-1, -0.5), (-1e-3, 2e5), (-1000, -999)]
        ends = [0, 1, -1, 2**31 - 1, -2**31, 2**30, -2**30, 255, -255, 65535, 65536, -65536]
        for size in (2**31 - 1, 1 << 24, 1 << 16, 300):
            values = np.concatenate([ends, rng.randint(-size, size, 100)]).reshape(4, -1)
            for a in wide:
                c.run(list(used) + shrunk, {x: values[1:] if size < 1 << 24 else values, low: a[0], high: a[1]})
                for b in asked:
                    c.run(sum(narrow, []), {x: values, low: a[0], high: a[1], first: b[0], last: b[1]})
        small = rng.randint(-500, 900, [3, 40])
        for a in wide:
            c.run(list(used) + shrunk, {x: small, low: a[0], high: a[1]})
        none = {x: np.zeros([0, 2]), low: -2, high: 3}
        c.run(list(used) + shrunk, none)
        c.run(sum(narrow, []), {**none, first: -1, last: 1})
        feed = {x: [[1, 2]], low: -2, high: 3, first: -1, last: 1}
        for wrong in ({first: 0.5}, {last: -2}, {first: np.nan}, {low: [1]}, {high: [1, 2]}, {first: [1]}, {last: np.zeros([0])}):
            c.run(sum(narrow, []), {**feed, **wrong})
        for wrong in ({low: [1]}, {high: [1, 2]}, {low: [[0.5], [2]]}, {high: np.zeros([0])}):
            c.run(list(used), {x: [[1, 2]], low: -2, high: 3, **wrong})
            c.run(shrunk, {x: [[1, 2]], low: -2, high: 3, **wrong})


def moves():
    with Case("quantized_moves", "activations, pools, concatenations and other shapes of quantized numbers", rtol=0, atol=0) as c:
        rng = np.random.RandomState(5)
        low, high = number("low"), number("high")
        spans = [(-1, 1), (-1, 10), (0, 6), (1, 2), (-3, -2), (0, 0)]
        for t, size in ((tf.quint8, None), (tf.qint32, 2**31 - 1)):
            x, q = integers(t, "x_" + t.name)
            values = bytes_of(rng, 3, 70) if size is None else np.concatenate([[[0, size, -size - 1]] * 3, rng.randint(-size, size, [3, 60]), rng.randint(-9, 9, [3, 9])], 1)
            activations = [seen(f(features=q, min_features=low, max_features=high, out_type=t)) for f in (raw.QuantizedRelu, raw.QuantizedRelu6)]
            for first, last in spans:
                c.run(sum(activations, []), {x: values, low: first, high: last})
            c.run(activations[0], {x: values, low: [1], high: 2})
            c.run(activations[1], {x: values, low: 1, high: [1, 2]})
            shape = tf.placeholder(tf.int32, None, "shape_" + t.name)
            reshaped = seen(raw.QuantizedReshape(tensor=q, shape=shape, input_min=low, input_max=high))
            c.run(reshaped, {x: values, shape: [2, -1, 3], low: -1, high: 2})
            c.run(reshaped, {x: values, shape: [-1], low: [-1], high: [2]})
            for wrong in ({low: [1, 2]}, {high: np.zeros([0])}, {low: [[1]]}, {shape: [7, 9]}):
                c.run(reshaped, {x: values, shape: [-1], low: -1, high: 2, **wrong})
            y, p = integers(t, "y_" + t.name)
            axis = tf.placeholder(tf.int32, None, "axis_" + t.name)
            first, last = number("first_" + t.name), number("last_" + t.name)
            joined = seen(raw.QuantizedConcat(concat_dim=axis, values=[q, p, q], input_mins=[low, first, low], input_maxes=[high, last, high]))
            spread = [((-1, 1), (-2, 3)), ((-1, 1), (-1, 1)), ((1, 1), (0, 2)), ((3, 4), (2, 5)), ((-3, -1), (-2, -0.5)), ((1, 1), (1, 1)), ((0, 6), (-1e4, 1e4))]
            for a, b in spread:
                c.run(joined, {axis: 1, x: values, y: values[:, :5], low: a[0], high: a[1], first: b[0], last: b[1]})
            feed = {axis: 0, x: values, y: values[:2], low: -1, high: 1, first: -2, last: 3}
            c.run(joined, feed)
            for wrong in ({axis: 2}, {axis: -1}, {axis: [0]}, {y: values[0]}, {low: [1]}, {first: [1, 2]}, {last: np.zeros([0])}):
                c.run(joined, {**feed, **wrong})
        for t in (tf.quint8, tf.qint8):
            x, q = integers(t, "image_" + t.name)
            start = 128 if t == tf.qint8 else 0
            for window, strides, padding in (([1, 2, 2, 1], [1, 1, 1, 1], "SAME"), ([1, 3, 2, 1], [1, 2, 2, 1], "VALID"), ([1, 3, 3, 1], [1, 2, 1, 1], "SAME"),
                                             ([1, 6, 7, 1], [1, 1, 1, 1], "VALID")):
                pools = [seen(f(input=q, min_input=low, max_input=high, ksize=window, strides=strides, padding=padding))
                         for f in (raw.QuantizedAvgPool, raw.QuantizedMaxPool)]
                c.run(sum(pools, []), {x: bytes_of(rng, 2, 6, 7, 3) - start, low: -1, high: 2})
                c.run(pools[0], {x: bytes_of(rng, 1, 8, 9, 17) - start, low: -1, high: 2})
            for pool in pools:
                for wrong in ({low: [1]}, {high: [1, 2]}, {x: bytes_of(rng, 6, 7, 3)}):
                    c.run(pool, {x: bytes_of(rng, 2, 6, 7, 3) - start, low: -1, high: 2, **wrong})
            for settings in ({"ksize": [2, 1, 1, 1]}, {"strides": [2, 1, 1, 1]}):
                settings = {"ksize": [1, 2, 2, 1], "strides": [1, 1, 1, 1], **settings}
                c.run(seen(raw.QuantizedMaxPool(input=q, min_input=low, max_input=high, padding="SAME", **settings)),
                      {x: bytes_of(rng, 2, 6, 7, 3) - start, low: -1, high: 2})


def channels():
    with Case("quantized_channels", "a range for each channel, and normalized channels", rtol=0, atol=0) as c:
        rng = np.random.RandomState(6)
        x, q = integers(tf.qint32, "x")
        low, high, first, last = (number(n) for n in ("low", "high", "first", "last"))
        narrow = [seen(raw.RequantizePerChannel(input=q, input_min=low, input_max=high, requested_output_min=first, requested_output_max=last, out_type=t))
                  for t in (tf.quint8, tf.qint8)]
        used = [raw.RequantizationRangePerChannel(input=q, input_min=low, input_max=high, clip_value_max=clip) for clip in (6.0, 1e9)]
        for size in (2**31 - 1, 1 << 24, 1 << 16, 300):
            values = np.concatenate([rng.randint(-size, size, [1, 3, 4, 5]), rng.randint(0, size, [1, 3, 4, 5])])
            ends = {low: [-1, -100, -1e5, -3, 0], high: [2, 70, 1e5, 0, 9]}
            c.run(list(used[0]) + list(used[1]), {x: values, **ends})
            c.run(list(used[0]) + list(used[1]), {x: np.abs(values), **ends})
            for a, b in ((-1, 1), (0, 6), (-0.3, 2e3)):
                c.run(narrow[0], {x: values, **ends, first: a, last: b})
            c.run(narrow[1], {x: values, **ends, first: -1, last: 2})
            c.run(narrow[0], {x: values, low: [-2], high: [500], first: -1, last: 2})
            c.run(narrow[0], {x: values, low: -2, high: 500, first: -1, last: 2})
        feed = {x: values, **ends, first: -1, last: 2}
        for wrong in ({x: values[0]}, {high: [1, 2]}, {first: 1}):
            c.run(narrow[1], {**feed, **wrong})
        for wrong in ({x: values[0]}, {low: [-1], high: [1]}):
            c.run(list(used[0]), {**feed, **wrong})
        names = ("t", "m", "v", "beta", "gamma")
        parts = [integers(tf.quint8, n) for n in names]
        ends = [(number(n + "_min"), number(n + "_max")) for n in names]
        named = {n: part[1] for n, part in zip(names, parts)}
        named.update({n + suffix: end for n, pair in zip(names, ends) for suffix, end in zip(("_min", "_max"), pair)})
        spans = ((-3, 4), (-1, 1), (0, 2), (-2, 1), (-1, 3))
        feed = {part[0]: bytes_of(rng, *([2, 3, 2, 5] if i == 0 else [5])) for i, part in enumerate(parts)}
        feed.update({end: value for pair, span in zip(ends, spans) for end, value in zip(pair, span)})
        norms = [seen(raw.QuantizedBatchNormWithGlobalNormalization(out_type=tf.qint32, variance_epsilon=0.01, scale_after_normalization=s, **named)) for s in (True, False)]
        for one in norms:
            c.run(one, feed)
            c.run(one, {**feed, ends[0][0]: 0.5, ends[4][1]: 5e5})
        for wrong in ({parts[0][0]: bytes_of(rng, 3, 2, 5)}, {parts[1][0]: bytes_of(rng, 1, 5)}, {parts[1][0]: bytes_of(rng, 4)}, {parts[3][0]: bytes_of(rng, 4)},
                      {ends[1][1]: [1, 2]}, {ends[0][0]: [-1]}):
            c.run(norms[0], {**feed, **wrong})
        y, p = integers(tf.quint8, "y")
        for settings in ({}, {"output_range_given": True, "given_y_min": -1.5, "given_y_max": 2.0}, {"variance_epsilon": 4.0}, {"min_separation": 20.0}):
            norm = seen(raw.QuantizedInstanceNorm(x=p, x_min=low, x_max=high, **settings))
            # An integer may be on the other side of a half where a sum of floats has another order.
            c.run(norm, {y: bytes_of(rng, 2, 4, 5, 3), low: -1, high: 2}, rtol=1e-6, atol=1)
            c.run(norm, {y: np.zeros([1, 2, 2, 2]), low: -1, high: 2}, rtol=1e-6, atol=1)
        for wrong in ({low: 2}, {high: [2]}):
            c.run(norm, {y: bytes_of(rng, 1, 2, 2, 2), low: -1, high: 2, **wrong})


def resizes():
    with Case("quantized_resizes", "images of quantized numbers of another size", rtol=0, atol=0) as c:
        rng = np.random.RandomState(7)
        low, high, size = number("low"), number("high"), tf.placeholder(tf.int32, None, "size")
        for t in (tf.quint8, tf.qint32, tf.float32):
            x, q = integers(t, "x_" + t.name)
            for settings in ({}, {"align_corners": True}, {"half_pixel_centers": True}):
                resized = seen(raw.QuantizedResizeBilinear(images=q, size=size, min=low, max=high, **settings))
                for channels in (1, 3, 2):
                    values = bytes_of(rng, 2, 4, 5, channels) if t == tf.quint8 else rng.randint(-2**31, 2**31 - 1, [2, 4, 5, channels])
                    for to in ([4, 5], [7, 11], [2, 3], [1, 9]):
                        c.run(resized, {x: values, size: to, low: -1, high: 2})
            for wrong in ({low: [1]}, {high: [1, 2]}, {size: [0, 3]}, {size: [1, 2, 3]}, {x: values[0]}):
                c.run(resized, {x: values, size: [2, 3], low: -1, high: 2, **wrong})


def symmetric():
    with Case("quantized_symmetric", "convolutions whose filters have a sign, and depthwise ones", rtol=0, atol=0) as c:
        rng = np.random.RandomState(8)
        x, q = integers(tf.quint8, "x")
        ends = [number(n) for n in ("min_x", "max_x", "min_f", "max_f")]
        named = dict(zip(("min_input", "max_input", "min_filter", "max_filter"), ends))
        spans = [(0, 2, -1, 1), (0, 6, -0.3, 0.5), (-1, 3, -2, 2)]
        for stride, padding, window in ((1, "SAME", [3, 3]), (2, "SAME", [3, 3]), (2, "VALID", [2, 3]), (1, "VALID", [1, 1])):
            settings = dict(strides=[1, stride, stride, 1], padding=padding, **named)
            for channels, filters in ((4, 1), (3, 2), (20, 1)):
                f = tf.constant((rng.randint(-127, 128, window + [channels, filters])).astype(tf.qint8.as_numpy_dtype), tf.qint8)
                bias = tf.constant(rng.randn(channels * filters), tf.float32)
                images = {x: bytes_of(rng, 2, 7, 6, channels)}
                for span in spans:
                    feed = {**images, **dict(zip(ends, span))}
                    c.run(seen(raw.QuantizedConv2D(input=q, filter=f, **settings)), feed)
                    c.run(seen(raw.QuantizedDepthwiseConv2D(input=q, filter=f, **settings)), feed)
                    # oneDNN adds the bias in floats of another unit: sums near a half go either way.
                    for biased in (raw.QuantizedDepthwiseConv2DWithBias, raw.QuantizedDepthwiseConv2DWithBiasAndRelu):
                        c.run(seen(biased(input=q, filter=f, bias=bias, **settings)), feed, rtol=1e-6, atol=1)


CASES = [products, convolutions, sums, ranges, moves, channels, resizes]

if __name__ == "__main__":
    if "symmetric" in sys.argv:
        symmetric()
        sys.exit()
    for case in CASES:
        if len(sys.argv) < 2 or case.__name__ in sys.argv[1:]:
            case()
    if len(sys.argv) < 2:
        subprocess.run([sys.executable, __file__, "symmetric"], check=True)
