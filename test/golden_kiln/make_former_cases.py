# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's ops of former names, which its Python functions do not add any more: in a graph of an old version, for
newer ones may not hold them. Run it with a Python that has TensorFlow.
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


def set_version(producer):
    """Makes the graph, which is empty, one of an older version."""
    graph_def = tf.GraphDef()
    graph_def.versions.producer = producer
    tf.import_graph_def(graph_def)


def positive(*dims):
    x = random.normal(size=dims)
    return x @ np.swapaxes(x, -1, -2) + np.eye(dims[-1])


for t, unit in (("float32", 1e-4), ("float64", 1e-10)):
    with Case("former_matrices_" + t, "factors and systems of matrices by their former names", rtol=unit, atol=unit) as c:
        set_version(10)
        x, y = tf.placeholder(t, None, "x"), tf.placeholder(t, None, "y")
        s, u, v = raw.BatchSvd(input=x, compute_uv=True, full_matrices=False)
        e, w = raw.BatchSelfAdjointEigV2(input=x, compute_v=True)
        rows = [raw.SelfAdjointEig(input=x), raw.BatchSelfAdjointEig(input=x)]
        parts = [[r[..., 0, :], tf.matmul(r[..., 1:, :] * r[..., :1, :], r[..., 1:, :], transpose_b=True)] for r in rows]
        again = [s, tf.matmul(u * tf.expand_dims(s, -2), v, transpose_b=True), e, tf.matmul(w * tf.expand_dims(e, -2), w, transpose_b=True)]
        ops = [raw.BatchCholesky(input=x), raw.BatchMatrixDeterminant(input=x), raw.BatchMatrixInverse(input=x, adjoint=True)]
        solved = [raw.BatchMatrixSolve(matrix=x, rhs=y), raw.BatchMatrixSolveLs(matrix=x, rhs=y, l2_regularizer=0.5), raw.BatchMatrixTriangularSolve(matrix=x, rhs=y, lower=False)]
        slope = raw.BatchCholeskyGrad(l=x, grad=y)
        for dims in ([3, 3], [2, 4, 4], [1, 1], [0, 2, 2]):
            value, right = positive(*dims), random.normal(size=dims[:-1] + [2])
            c.run(ops + again, {x: value})
            c.run(solved, {x: value, y: right})
            c.run(slope, {x: np.linalg.cholesky(value), y: random.normal(size=dims)})
            for pair in parts:
                c.run(pair, {x: value})
        c.run(rows, {x: np.zeros([0, 0])})
        for value in (np.ones([2, 3]), np.ones([3]), -np.eye(2)):
            for op in ops + rows:
                c.run(op, {x: value})

with Case("former_diagonals", "bands and diagonals by their former names", rtol=0, atol=0) as c:
    set_version(10)
    for t in ("float32", "int32", "uint8", "float16", "int64"):
        x, y = tf.placeholder(t, None, "x_" + t), tf.placeholder(t, None, "y_" + t)
        square = [raw.BatchMatrixDiagPart(input=x), raw.BatchMatrixBandPart(input=x, num_lower=1, num_upper=0), raw.BatchMatrixSetDiag(input=x, diagonal=y)]
        for dims in ([3, 3], [2, 3, 4], [0, 2, 2]):
            c.run(square, {x: random.integers(0, 2, dims), y: random.integers(0, 2, dims[:-2] + [min(dims[-2:])])})
        for dims in ([3], [2, 3], [0, 2]):
            c.run(raw.BatchMatrixDiag(diagonal=y), {y: random.integers(0, 2, dims)})
        for op in square[:2]:
            c.run(op, {x: np.ones([2])})
        c.run(square[2], {x: np.ones([2, 2]), y: np.ones([3])})
