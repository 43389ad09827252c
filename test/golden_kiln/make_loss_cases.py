# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's cross entropies and its precision in the first k, with their errors. Run it with a Python that has
TensorFlow, with the names of cases or for all of them.
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
CLOSENESS = {"float16": 4e-3, "bfloat16": 3e-2, "float32": 1e-5, "float64": 1e-12}


def matrix(rows, columns, seed=1):
    return np.random.default_rng(seed).normal(size=[rows, columns]) * 3


def specials(columns):
    """Rows with what is no number, or too large for exp."""
    rows = matrix(7, columns, 2)
    for i, v in enumerate([np.nan, np.inf, -np.inf, 500, -500]):
        rows[i, i % columns] = v
    return rows


def entropies():
    for t, close in CLOSENESS.items():
        with Case("loss_" + t, "cross entropies of " + t, rtol=close, atol=close) as c:
            a, b, labels, longs = (tf.placeholder(k, None, n) for k, n in ((t, "a"), (t, "b"), ("int32", "labels"), ("int64", "longs")))
            dense = list(raw.SoftmaxCrossEntropyWithLogits(features=a, labels=b))
            sparse = list(raw.SparseSoftmaxCrossEntropyWithLogits(features=a, labels=labels))
            wide = list(raw.SparseSoftmaxCrossEntropyWithLogits(features=a, labels=longs))
            for rows, columns in ((5, 3), (2, 41), (33, 16), (1, 1), (0, 4)):
                x, y = matrix(rows, columns), np.abs(matrix(rows, columns, 3))
                c.run(dense, {a: x, b: y})
                c.run(sparse, {a: x, labels: np.arange(rows) % columns})
                c.run(wide, {a: x, longs: np.arange(rows) * 2 % columns})
            c.run(dense, {a: specials(6), b: np.abs(matrix(7, 6))})
            c.run(sparse, {a: specials(6), labels: np.arange(7) % 6})
            for x, y in (([4, 3], [3]), ([4, 3], [1, 3]), ([4, 3], [4, 1]), ([1, 3], [4, 3]), ([3], [4, 3]), ([3, 0], [3, 0])):
                c.run(dense, {a: np.full(x, 0.5), b: np.full(y, 0.25)})
            known = tf.placeholder(t, [None, 3], "known")
            c.run(tf.gradients(tf.nn.softmax_cross_entropy_with_logits_v2(logits=known, labels=b), [known, b]), {known: matrix(4, 3), b: np.full([4, 3], 0.25)})
            mean = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(logits=known, labels=labels))
            c.run([mean, *tf.gradients(mean, known)], {known: matrix(4, 3), labels: [2, 0, 1, 1]})


def first():
    with Case("loss_in_top_k", "the precision in the first k", rtol=0, atol=0) as c:
        p = tf.placeholder("float32", None, "p")
        x = matrix(9, 5)
        x[3] = x[3, 0]
        for i, v in enumerate([np.nan, np.inf, -np.inf]):
            x[i, 2] = v
        for t in ("int32", "int64"):
            targets, k = tf.placeholder(t, None, "targets_" + t), tf.placeholder(t, None, "k_" + t)
            ops = [raw.InTopKV2(predictions=p, targets=targets, k=k), raw.InTopK(predictions=p, targets=targets, k=2)]
            for number in (1, 3, 0, -1, 9):
                c.run(ops, {p: x, targets: [0, 1, 2, 3, 4, 5, -1, 1, 2], k: number})
            c.run(ops, {p: np.zeros([0, 3]), targets: [], k: 1})
            c.run(ops, {p: np.zeros([2, 0]), targets: [0, 0], k: 1})
            c.run(ops[0], {p: x, targets: np.arange(9), k: [1]})
            c.run(ops[1], {p: x[0], targets: [1], k: 1})
            c.run(ops[1], {p: x, targets: np.zeros([9, 1]), k: 1})
            c.run(ops[1], {p: x, targets: [1, 2], k: 1})


def errors():
    with Case("loss_errors", "what cross entropies refuse", rtol=1e-6, atol=0) as c:
        a, b, labels = (tf.placeholder(k, None, n) for k, n in (("float32", "a"), ("float32", "b"), ("int32", "labels")))
        dense = raw.SoftmaxCrossEntropyWithLogits(features=a, labels=b, name="dense").loss
        sparse = raw.SparseSoftmaxCrossEntropyWithLogits(features=a, labels=labels, name="sparse")
        for x, y in (([3, 4], [0, 1, 4]), ([3, 4], [0, -1, 7]), ([3, 4], [0, 1]), ([3, 4], [[0], [1], [1]]), ([4], [0]),
                     ([3, 4, 2], [0, 1, 1]), ([3, 0], [0, 1, 1]), ([2, 4], [2**31 - 1, -2**31]), ([0, 0], [])):
            c.run(sparse.backprop, {a: np.ones(x), labels: y})
            c.run(sparse.loss, {a: np.ones(x), labels: y})
        for x, y in (([3, 4], [3, 3]), ([3, 4, 1], [3, 4, 1]), ([3], [3]), ([], []), ([3, 4], [2, 4])):
            c.run(dense, {a: np.ones(x), b: np.ones(y)})
        # A step behind a loss that fails is not taken.
        v = tf.get_variable("v", initializer=np.ones([2, 4], np.float32), use_resource=True)
        c.init()
        loss = tf.nn.sparse_softmax_cross_entropy_with_logits(logits=v, labels=labels)
        step = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
        for y in ([1, 4], [1, 2]):
            c.run(step, {labels: y})
            c.run(v.value())


if __name__ == "__main__":
    for record in (entropies, first, errors):
        if len(sys.argv) == 1 or record.__name__ in sys.argv[1:]:
            record()
