# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's pools whose windows are of two sizes in a random order, with seeds, and their gradients. Run it with a Python
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
random = np.random.default_rng(39)
POOLS = {"max": raw.FractionalMaxPool, "avg": raw.FractionalAvgPool}

for kind, pool in POOLS.items():
    with Case(f"fractional_{kind}_pools", "pools with windows of two sizes", rtol=1e-6, atol=1e-6) as c:
        for t in ("float32", "float64", "int32", "int64"):
            x = tf.placeholder(t, None, "x_" + t)
            for i, ratio in enumerate(([1, 1.44, 1.73, 1], [1, 1, 2.5, 1], [1, 2, 3, 1], [1, 1.9, 1.1, 1])):
                for pseudo, overlaps in ((False, False), (True, False), (False, True), (True, True)):
                    op = pool(value=x, pooling_ratio=ratio, pseudo_random=pseudo, overlapping=overlaps, deterministic=True, seed=5 + i, seed2=7)
                    c.run(list(op), {x: random.normal(size=[2, 11, 13, 3]) * 10})
                    if not i:
                        c.run(list(op), {x: random.normal(size=[1, 30, 7, 1]) * 10})
        known = tf.placeholder("float32", [None, 9, 10, 2], "known")
        op = pool(value=known, pooling_ratio=[1, 1.5, 1.6, 1], deterministic=True, seed=1, seed2=2)
        c.run([tf.reduce_sum(op[0], [1, 2]), op[1] + 1], {known: random.normal(size=[3, 9, 10, 2])})
        x = tf.placeholder("float32", None, "x")
        some = random.normal(size=[1, 7, 6, 1])
        c.run(list(pool(value=x, pooling_ratio=[1, 1.4, 1.3, 1], seed=5)), {x: some})
        c.run(list(pool(value=x, pooling_ratio=[2, 1.4, 1.3, 1])), {x: np.ones([2, 7, 6, 1])})
        op = pool(value=x, pooling_ratio=[1, 3, 2, 1], deterministic=True)
        for dims in ([1, 2, 6, 1], [1, 7, 1, 1], [0, 7, 6, 1], [1, 7, 6, 0], [7, 6, 1]):
            c.run(list(op), {x: np.ones(dims)})

    with Case(f"fractional_{kind}_gradients", "what flows back through pools with windows of two sizes", rtol=1e-5, atol=1e-5) as c:
        for t in ("float32", "float64"):
            for shape in ((None, [2, 11, 13, 3]) if kind == "max" else ([2, 11, 13, 3],)):  # TensorFlow asks the graph for it
                x = tf.placeholder(t, shape if shape else [None] * 4, f"x_{t}_{shape is None}")
                for overlaps in (False, True):
                    op = pool(value=x, pooling_ratio=[1, 1.44, 1.73, 1], overlapping=overlaps, deterministic=True, seed=3, seed2=4)
                    c.run(tf.gradients(op[0] ** 2, x), {x: random.normal(size=[2, 11, 13, 3])})
        rows, columns = tf.placeholder("int64", None, "rows"), tf.placeholder("int64", None, "columns")
        x, y, grad = (tf.placeholder("int32", None, name) for name in ("image", "pooled", "grad"))
        image = random.integers(0, 9, [1, 4, 5, 1])
        windows = {rows: [0, 2, 4], columns: [0, 2, 3, 5]}
        if kind == "max":
            pooled = np.array([[[[image[0, a:b, l:r].max()] for l, r in ((0, 2), (2, 3), (3, 5))] for a, b in ((0, 2), (2, 4))]])
            op = raw.FractionalMaxPoolGrad(orig_input=x, orig_output=y, out_backprop=grad, row_pooling_sequence=rows, col_pooling_sequence=columns)
            feeds = {x: image, y: pooled, grad: random.integers(0, 9, [1, 2, 3, 1]), **windows}
            c.run(op, feeds)
            c.run(op, {**feeds, x: np.zeros([1, 4, 5, 1]), y: np.zeros([1, 2, 3, 1])})
            c.run(op, {**feeds, y: pooled + 1})
        else:
            sizes = tf.placeholder("int64", None, "sizes")
            op = raw.FractionalAvgPoolGrad(orig_input_tensor_shape=sizes, out_backprop=grad, row_pooling_sequence=rows, col_pooling_sequence=columns)
            feeds = {sizes: [1, 4, 5, 1], grad: random.integers(0, 90, [1, 2, 3, 1]), **windows}
            c.run(op, feeds)
            c.run(op, {**feeds, grad: np.ones([2, 3])})
            op = raw.FractionalAvgPoolGrad(orig_input_tensor_shape=sizes, out_backprop=grad, row_pooling_sequence=rows, col_pooling_sequence=columns, overlapping=True)
            c.run(op, feeds)
