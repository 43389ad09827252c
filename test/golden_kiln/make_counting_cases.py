# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's counts, buckets, casts of bytes and checks of shapes and numbers, with their errors. Run it with a Python
that has TensorFlow.
"""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops


def text(*values):
    return np.array(values, object)


with Case("counting_bins", "how often numbers occur, and between which boundaries they are", rtol=1e-6, atol=0) as c:
    size = tf.placeholder("int32", None, "size")
    long = tf.placeholder("int64", None, "long")
    for t in ("int32", "int64", "float32", "float64"):
        x = tf.placeholder("int32", None, "x_" + t)
        y = tf.placeholder("int64", None, "y_" + t)
        w = tf.placeholder(t, None, "w_" + t)
        plain = raw.Bincount(arr=x, size=size, weights=w)
        dense = [raw.DenseBincount(input=y, size=long, weights=w, binary_output=binary) for binary in (False, True)]
        for numbers, bins in (([1, 2, 2, 7], 5), ([], 3), ([0, 0], 0), ([[1, 2], [2, 0]], 3), (2, 3)):
            for weights in ([], np.arange(np.size(numbers)).reshape(np.shape(numbers))):
                c.run(plain, {x: numbers, size: bins, w: weights})
                c.run(dense, {y: numbers, long: bins, w: weights})
        c.run(dense, {y: np.zeros([0, 3]), long: 2, w: []})
        for numbers, bins, weights in (([1, -1], 5, []), ([1], -1, []), ([1, 2], 5, [1])):
            c.run(plain, {x: numbers, size: bins, w: weights})
            c.run(dense[0], {y: numbers, long: bins, w: weights})
        z = tf.placeholder(t, None, "z_" + t)
        buckets = [raw.Bucketize(input=z, boundaries=b) for b in ([0.0, 1, 5], [], [0.5], [2.0, 2, 16777217])]
        for numbers in ([-1, 0, 1, 2, 5, 7, 16777217], [[2], [0]], [], 3):
            c.run(buckets, {z: numbers})
    c.run(buckets, {z: [np.nan, np.inf, -np.inf, -0.0, 0.5]})
    c.run(raw.Bucketize(input=z, boundaries=[1.0, 0.0]), {z: [1]})

with Case("counting_bytes", "the bytes of numbers as others, strings as numbers", rtol=0, atol=0) as c:
    s = tf.placeholder("string", None, "s")
    for t in ("float16", "float32", "float64", "int32", "uint16", "uint8", "int16", "int8", "int64", "bfloat16"):
        ops = [raw.DecodeRaw(bytes=s, out_type=t, little_endian=little) for little in (True, False)]
        for value in (text(bytes(range(16)), bytes(range(100, 116))), text(b"12345678"), np.zeros([2, 0], object), text(b"", b"")):
            c.run(ops, {s: value})
    for value in (text(b"ab", b""), text(b"abc"), np.array(b"abcd", object), text([b"ab", b"cd"], [b"ef", b"g"])):
        c.run(raw.DecodeRaw(bytes=s, out_type="int16"), {s: value})
    x = tf.placeholder("float32", None, "x")
    for t in ("int32", "uint32", "int16", "float16", "uint8", "int64", "float64"):
        op = raw.Bitcast(input=x, type=t)
        for value in ([1, -2], [[1, 2], [3, 4]], 3.5, np.zeros([0, 2]), [[1, 2, 3]]):
            c.run(op, {x: value})
    known = tf.placeholder("float32", [None, 2], "known")
    c.run(raw.Bitcast(input=tf.exp(known), type="int64") + 1, {known: np.ones([3, 2])})

with Case("counting_checks", "shapes and numbers that must be", rtol=0, atol=0) as c:
    x = tf.placeholder("float32", None, "x")
    for i, shape in enumerate(([None, 3], [2, 3], None, [3], [None, None], [])):
        op = raw.EnsureShape(input=x, shape=shape, name=f"ensure{i}")
        for value in (np.ones([2, 3]), np.ones([3]), np.ones([2, 2])):
            c.run(op, {x: value})
    c.run(tf.reduce_sum(tf.ensure_shape(x, [None, 3]), 0), {x: np.ones([2, 3])})
    c.run(tf.gradients(tf.ensure_shape(x, [None, 3]) ** 2, x), {x: np.ones([2, 3])})
    for t in ("float16", "bfloat16", "float32", "float64"):
        y = tf.placeholder(t, None, "y_" + t)
        ops = raw.CheckNumerics(tensor=y, message="one"), raw.CheckNumericsV2(tensor=y, message="two")
        for value in ([1, 2], [], [np.nan], [1, np.inf], [-np.inf, 0], [np.nan, np.inf], [np.nan, np.inf, -np.inf], 3):
            for op in ops:
                c.run(op, {y: value})
