# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's factorizations of matrices and systems of equations, with their errors. Run it with a Python that has
TensorFlow. What an op does not compute (vectors that nobody asked for) has no shape there, and here that of the shape function.
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
random = np.random.default_rng(3)


def positive(*dims):
    x = random.normal(size=dims)
    return x @ np.swapaxes(x, -1, -2) + np.eye(dims[-1])


def factors(c, t):
    """Of one matrix: what is unique, or is put together again."""
    x = tf.placeholder(t, None, "x")
    known = tf.placeholder(t, [None, 3, 3], "known")
    q, r = raw.Qr(input=x, full_matrices=True)
    thin, rest = raw.Qr(input=x, full_matrices=False)
    s, u, v = raw.Svd(input=x, compute_uv=True, full_matrices=False)
    full = raw.Svd(input=x, compute_uv=True, full_matrices=True)
    values, vectors = raw.SelfAdjointEigV2(input=x, compute_v=True)
    lu = raw.Lu(input=x)
    whole = {
        "q": [q @ r, thin @ rest, tf.matmul(q, q, transpose_a=True), r],
        "s": [s, tf.matmul(u * tf.expand_dims(s, -2), v, transpose_b=True), full[0], tf.matmul(full[1], full[1], transpose_a=True), raw.Svd(input=x, compute_uv=False)[0]],
        "e": [values, tf.matmul(vectors * tf.expand_dims(values, -2), vectors, transpose_b=True), raw.SelfAdjointEigV2(input=x, compute_v=False)[0]],
        "l": list(lu) + [raw.MatrixDeterminant(input=x)] + list(raw.LogMatrixDeterminant(input=x)),
        "c": [raw.Cholesky(input=x), raw.MatrixDeterminant(input=x)],
    }
    for dims in ([3, 3], [2, 4, 4], [1, 1], [0, 0], [3, 0, 0], [0, 2, 2], [2, 1, 9, 9]):
        value = positive(*dims) if dims[-1] else np.zeros(dims)
        for fetches in whole.values():
            c.run(fetches, {x: value})
    for dims in ([3, 2], [2, 3], [2, 5, 3], [0, 3], [2, 3, 0]):
        c.run(whole["q"][:3], {x: random.normal(size=dims)})
        c.run(whole["s"], {x: random.normal(size=dims)})
    c.run(whole["l"], {x: random.normal(size=[3, 4, 4])})
    bad = [np.ones((2, 2)), -np.eye(2), np.full((2, 2), np.nan), np.zeros((2, 3)), np.ones(3), np.zeros((2, 0, 3)), np.diag([1, np.inf])]
    for value in bad:
        c.run(whole["l"][2], {x: value})
        c.run(whole["l"][3:], {x: value})
        c.run(whole["l"][0], {x: value})
        c.run(whole["e"][0], {x: value})
        c.run(whole["s"][0], {x: value})
    c.run(tf.gradients([tf.linalg.cholesky(known), tf.linalg.det(known), tf.linalg.logdet(known)], known), {known: positive(2, 3, 3)})
    c.run(tf.gradients(tf.linalg.eigh(known)[0], known), {known: positive(2, 3, 3)})
    c.run(tf.gradients(tf.linalg.svd(known, compute_uv=False), known), {known: positive(2, 3, 3)})
    grad = tf.placeholder(t, None, "grad")
    slope = raw.CholeskyGrad(l=x, grad=grad)
    c.run(slope, {x: np.tril(positive(2, 3, 3)), grad: random.normal(size=[2, 3, 3])})
    for a, b in (([2, 2], [3, 2]), ([2, 3], [2, 3]), ([2, 2], [2]), ([1, 2, 2], [2, 2]), ([2, 2, 2], [3, 2, 2]), ([0, 0], [0, 0])):
        c.run(slope, {x: np.ones(a), grad: np.ones(b)})


def systems(c, t):
    a, b = tf.placeholder(t, None, "a"), tf.placeholder(t, None, "b")
    l2 = tf.placeholder("float64", None, "l2")
    exact = [raw.MatrixSolve(matrix=a, rhs=b, adjoint=adjoint) for adjoint in (False, True)]
    halves = [raw.MatrixTriangularSolve(matrix=a, rhs=b, lower=lower, adjoint=adjoint) for lower in (False, True) for adjoint in (False, True)]
    least = [raw.MatrixSolveLs(matrix=a, rhs=b, l2_regularizer=l2, fast=fast) for fast in (True, False)]
    for dims, columns in (([3, 3], 2), ([2, 4, 4], 1), ([1, 1], 3), ([0, 0], 3), ([3, 0, 0], 2), ([0, 2, 2], 2), ([2, 2], 0)):
        given = {a: random.normal(size=dims) + 3 * np.eye(dims[-1]), b: random.normal(size=dims[:-1] + [columns])}
        for fetches in (exact, halves):
            c.run(fetches, given)
        c.run(least, {**given, l2: 0.25})
    for dims in ([4, 2], [2, 4], [3, 5, 2]):
        c.run(least, {a: random.normal(size=dims), b: random.normal(size=dims[:-1] + [3]), l2: 0.5})
    c.run(least[1], {a: np.ones((3, 2)), b: np.ones((3, 1)), l2: 0})
    c.run(least[0], {a: np.zeros((3, 2)), b: np.ones((3, 1)), l2: 0})
    c.run(least[0], {a: np.ones((3, 2)), b: np.ones((3, 1)), l2: [0]})
    c.run(halves, {a: random.normal(size=[3, 1, 2, 2]) + 3 * np.eye(2), b: random.normal(size=[4, 2, 2])})
    c.run(halves, {a: np.zeros((2, 2)), b: np.ones((2, 1))})
    shapes = ([2, 2], [3, 2]), ([2, 3], [2, 2]), ([2, 2], [2]), ([2, 2, 2], [2, 2]), ([2, 2, 2], [3, 2, 2]), ([2], [2, 2])
    for x, y in (*shapes, ([2, 2], [2, 2])):
        given = {a: np.ones(x), b: np.ones(y)}
        for fetch in (exact[0], halves[0]):
            c.run(fetch, given)
        c.run(least[0], {**given, l2: 1})
    known, right = tf.placeholder(t, [None, 2, 2], "known"), tf.placeholder(t, [None, 2, 3], "right")
    for solve in (tf.linalg.solve, tf.linalg.triangular_solve, tf.linalg.lstsq):
        c.run(tf.gradients(solve(known, right), [known, right]), {known: positive(2, 2, 2), right: random.normal(size=[2, 2, 3])})


for t, close in (("float32", 2e-4), ("float64", 1e-9)):
    with Case("matrix_factors_" + t, "factorizations of matrices of " + t, rtol=close, atol=close) as case:
        factors(case, t)
    with Case("matrix_systems_" + t, "systems of equations of " + t, rtol=close, atol=close) as case:
        systems(case, t)
    with Case("matrix_banded_" + t, "systems of diagonals of triangular matrices of " + t, rtol=close, atol=close) as case:
        a, b = tf.placeholder(t, None, "a"), tf.placeholder(t, None, "b")
        solves = [raw.BandedTriangularSolve(matrix=a, rhs=b, lower=lower, adjoint=adjoint) for lower in (False, True) for adjoint in (False, True)]
        for dims, right in (([1, 4], [4, 2]), ([3, 5], [5, 2]), ([6, 4], [4, 1]), ([2, 3, 5], [2, 5, 1]), ([3, 5], [2, 5, 1]), ([3, 1, 2, 3], [2, 3, 2])):
            case.run(solves, {a: random.uniform(1, 2, size=dims), b: random.normal(size=right)})
        for dims, right in (([3], [3, 2]), ([2, 3], [3]), ([2, 3, 3], [3, 3, 1])):
            case.run(solves[0], {a: np.ones(dims), b: np.ones(right)})
        case.run(solves[2], {a: [[1, 0], [1, 1]], b: [[1], [1]]})
        case.run(solves[0], {a: [[1, 0], [1, 1]], b: [[1], [1]]})
    with Case("matrix_transposed_" + t, "the conjugate transpose of " + t, rtol=0, atol=0) as case:
        x = tf.placeholder(t, [None, 3, None], "x")
        case.run([raw.ConjugateTranspose(x=tf.cast(x, d), perm=[2, 0, 1]) for d in (t, "float16", "int64", "bool")], {x: random.normal(size=[2, 3, 4])})

with Case("matrix_halves", "matrices of float16, which TensorFlow inverts in that type and Kiln in float32", rtol=0.05, atol=0.05) as case:
    x = tf.placeholder("float16", None, "x")
    for adjoint in (False, True):
        case.run(raw.MatrixInverse(input=x, adjoint=adjoint), {x: positive(2, 3, 3)})
    q, r = raw.Qr(input=x)
    case.run([tf.matmul(q, r), tf.matmul(q, q, transpose_a=True)], {x: random.normal(size=[2, 4, 3])})
    case.run(raw.MatrixInverse(input=x), {x: np.zeros([2, 2])})
    case.run(raw.MatrixInverse(input=x), {x: np.zeros([0, 3, 3])})
