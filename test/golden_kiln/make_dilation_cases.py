# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow does with morphological dilations. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case
from tensorflow.python.ops import cond_v2

raw = tf.raw_ops
rng = np.random.RandomState(5)


def numbers(*shape, dtype=np.float32):
    return (rng.standard_normal(shape) * 2).astype(dtype)


def dilations():
    with Case("window_dilations", "morphological dilation with gradients", rtol=1e-5, atol=1e-5) as case:
        x = tf.placeholder(tf.float32, [None, None, None, 3], "x")
        for t, tolerance in ((tf.float32, 1e-5), (tf.float64, 1e-5), (tf.float16, 2e-2), (tf.bfloat16, 1e-1), (tf.int32, 0), (tf.int8, 0), (tf.uint8, 0), (tf.int64, 0)):
            given, fetches = tf.cast(x, t), []
            for (rows, columns), stride, rate, padding in [((2, 2), 1, 1, "VALID"), ((3, 2), 2, 1, "SAME"), ((2, 3), 1, 2, "SAME"), ((3, 3), 2, 3, "VALID"), ((1, 1), 2, 1, "SAME")]:
                w = tf.cast(tf.constant(np.abs(np.round(numbers(rows, columns, 3)))), t)
                how = dict(strides=[1, stride, stride, 1], rates=[1, rate, rate, 1], padding=padding)
                y = raw.Dilation2D(input=given, filter=w, **how)
                fetches += [y, raw.Dilation2DBackpropInput(input=given, filter=w, out_backprop=y, **how),
                            raw.Dilation2DBackpropFilter(input=given, filter=w, out_backprop=y, **how)]
            fetches = [tf.cast(f, tf.float64) for f in fetches]
            for rows in (9, 8):
                case.run(fetches, {x: np.abs(np.round(numbers(2, rows, 7, 3)))}, rtol=tolerance, atol=tolerance)
        y = raw.Dilation2D(input=x, filter=np.zeros((2, 2, 3), np.float32), strides=[1, 1, 1, 1], rates=[1, 1, 1, 1], padding="SAME")
        case.run(y, {x: np.full((1, 3, 3, 3), -np.inf)})
        case.run(y, {x: np.where(numbers(1, 4, 4, 3) > 1, np.nan, -3)})
        shape, w = tf.placeholder(tf.float32, None), tf.placeholder(tf.float32, [2, 2, None])
        y = raw.Dilation2D(input=shape, filter=w, strides=[1, 1, 1, 1], rates=[1, 2, 2, 1], padding="VALID")
        for image, of in (((1, 5, 5, 2), (2, 2, 3)), ((1, 5, 5), (2, 2, 3)), ((1, 2, 5, 2), (2, 2, 2)), ((2, 4, 5, 2), (2, 2, 2))):
            case.run(y, {shape: np.zeros(image), w: np.zeros(of)})


def dilations_apart():
    with Case("window_dilations_apart", "gradients of a dilation in a branch, whose extents have other names than the windows") as case:
        x, back, which = tf.placeholder(tf.float32, [1, 5, None, 2]), tf.placeholder(tf.float32, [1, 2, None, 2]), tf.placeholder(tf.bool, [])
        w = tf.constant(np.round(numbers(2, 2, 2)))
        how = dict(strides=[1, 2, 2, 1], rates=[1, 1, 1, 1], padding="VALID")
        fetches = [cond_v2.cond_v2(which, lambda of=of: of(input=x, filter=w, out_backprop=back, **how), lambda: tf.identity(other))
                   for of, other in [(raw.Dilation2DBackpropInput, x), (raw.Dilation2DBackpropFilter, w)]]
        for places, first in [(4, True), (7, True), (6, False)]:
            case.run(fetches, {x: np.round(numbers(1, 5, places, 2)), back: np.round(numbers(1, 2, places // 2, 2)), which: first})
        case.run(fetches[1], {x: np.zeros((1, 5, 4, 2)), back: np.zeros((1, 2, 3, 2)), which: True})


only = set(sys.argv[1:])
for make in (dilations, dilations_apart):
    if not only or make.__name__ in only:
        make()
