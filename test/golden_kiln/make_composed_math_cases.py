# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow's functions that are made of several ops add to a graph: arithmetic, reductions, counts, sequences, matrices.
test/unit/Build/MathCompositionsTest.cpp builds the same graphs. Run it with a Python that has TensorFlow."""
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


def arithmetic():
    with Case("composed_arithmetic", "functions of elements that are made of several ops, or stand around one") as case:
        x, y = tf.placeholder(tf.float32, [None, 3], "x"), tf.placeholder(tf.float32, [3], "y")
        n, b = tf.placeholder(tf.int32, [3], "n"), tf.placeholder(tf.bool, [2], "b")
        w, s = tf.placeholder(tf.float64, None, "w"), tf.placeholder(tf.int16, [3], "s")
        all = [tf.scalar_mul(2, x), tf.scalar_mul(tf.constant(0.5), x, name="half"), tf.logical_xor(b, [True, False]), tf.logical_xor(b, b, name="never")]
        all += [tf.round(x), tf.round(n), tf.round(2.5, name="two"), tf.sign(x), tf.sign(-3.0), tf.log_sigmoid(x), tf.log_sigmoid(1.0, name="one")]
        all += [tf.math.divide_no_nan(x, y), tf.math.divide_no_nan(1.0, y, name="inverse"), tf.math.divide_no_nan(n, n), tf.math.divide_no_nan(s, 2)]
        all += [tf.math.multiply_no_nan(x, y), tf.math.multiply_no_nan(x, 0.0, name="gone"), tf.math.reciprocal_no_nan(y), tf.math.xdivy(x, y), tf.math.xdivy(x, 2.0, name="by_two")]
        all += [tf.math.xlog1py(x, 1.0), tf.math.erfinv(tf.tanh(x)), tf.math.ndtri(tf.sigmoid(w))]
        all += [tf.saturate_cast(x, tf.uint8), tf.saturate_cast(w, tf.int32, name="ints"), tf.saturate_cast(n, tf.float32), tf.saturate_cast(n, tf.int8), tf.saturate_cast(w, tf.float32)]
        all += [tf.accumulate_n([x, x, x]), tf.accumulate_n([x]), tf.accumulate_n([x], name="same"), tf.accumulate_n([y, [1.0, 2.0, 3.0]], shape=[3], tensor_dtype=tf.float32, name="sum")]
        all += [tf.math.polyval([1.0, x, 3.0], x), tf.math.polyval([2.0], w, name="constant"), tf.math.polyval([], x)]
        all += [tf.matmul(x, tf.transpose(x), a_is_sparse=True), tf.matmul(x, x, transpose_a=True, b_is_sparse=True, name="sparse"), tf.matmul(w, w, a_is_sparse=True)]
        feed = {x: waves(2, 3) * 3, y: [0, 1, -2], n: [-300, 0, 7], b: [True, True], w: waves(2, 2) * 2, s: [-4, 0, 9]}
        case.run([each for each in all if each is not x], feed)


def reductions():
    with Case("composed_reductions", "reductions that are made of several ops, over all axes and over some") as case:
        x, u = tf.placeholder(tf.float32, [2, None, 3], "x"), tf.placeholder(tf.float32, None, "u")
        d, n = tf.placeholder(tf.float64, [3, 4], "d"), tf.placeholder(tf.int32, [3, None], "n")
        t, b, i = tf.placeholder(tf.string, [3], "t"), tf.placeholder(tf.bool, [2, 2], "b"), tf.placeholder(tf.int32, [], "i")
        all = []
        for f in (tf.reduce_logsumexp, tf.math.reduce_variance, tf.math.reduce_std, tf.math.reduce_euclidean_norm):
            all += [f(x), f(x, axis=1), f(x, axis=[0, -1], keepdims=True), f(u), f(d, keepdims=True, name="whole"), f(d, axis=i, name="one")]
        all += [tf.reduce_logsumexp([1.0, 2.0]), tf.math.reduce_std(waves(2, 3), axis=0)]
        all += [tf.count_nonzero(x), tf.count_nonzero(n, axis=0, dtype=tf.int32), tf.count_nonzero(t), tf.count_nonzero(b, 1, keepdims=True, name="true"), tf.count_nonzero([1, 0, 2])]
        all += [tf.nn.zero_fraction(x), tf.nn.zero_fraction(n, name="zeros"), tf.nn.zero_fraction(d)]
        all += [tf.lbeta(d), tf.lbeta([1.0, 2.0], name="pair")]
        ids = tf.placeholder(tf.int32, [3], "ids")
        all += [tf.unsorted_segment_mean(d, ids, 3), tf.unsorted_segment_mean(d, ids, tf.constant(4), name="mean"), tf.unsorted_segment_sqrt_n(d, ids, 2), tf.unsorted_segment_mean(d[:, 0], [0, 1, 0], 2)]
        all += [tf.reduce_sum(u), tf.zeros([2]) + tf.reduce_max(u)]
        case.run(all, {x: waves(2, 2, 3), u: waves(2, 2), d: waves(3, 4) + 2, n: [[0, 1], [2, 0], [0, 0]], t: [b"a", b"", b"c"], b: [[1, 0], [1, 1]], i: 1, ids: [1, 0, 1]})


def counts():
    with Case("composed_counts", "confusion matrices, histograms, bincount") as case:
        x, y, p = tf.placeholder(tf.int32, [None], "x"), tf.placeholder(tf.int64, [4], "y"), tf.placeholder(tf.int32, [4, 1], "p")
        u, w, v = tf.placeholder(tf.int32, None, "u"), tf.placeholder(tf.float32, [4], "w"), tf.placeholder(tf.float32, [2, 3], "v")
        all = [tf.confusion_matrix(x, y), tf.confusion_matrix(y, p, num_classes=5), tf.confusion_matrix(y, x, tf.constant(6), tf.float32, "weighted", w), tf.confusion_matrix(x, u, 4), tf.confusion_matrix(u, y)]
        all += [tf.confusion_matrix([1, 2, 4], [2, 2, 4]), tf.confusion_matrix(y, [3, 0, 1, 2], num_classes=4, dtype=tf.int64)]
        all += [tf.histogram_fixed_width(v, [0.0, 2.0]), tf.histogram_fixed_width(v, [-1.0, 1.0], nbins=5, dtype=tf.int64, name="five")]
        all += [tf.histogram_fixed_width_bins(v, [0.0, 2.0]), tf.histogram_fixed_width_bins(v, [-1.0, 1.0], nbins=5, name="bins")]
        all += [tf.bincount(x), tf.bincount(y, minlength=6, dtype=tf.int64), tf.bincount(x, maxlength=2, minlength=1), tf.bincount(x, w), tf.bincount(v, dtype=tf.float32)]
        case.run(all, {x: [0, 1, 3, 1], y: [1, 1, 0, 3], p: [[1], [0], [2], [3]], u: [0, 2, 3, 1], w: [0.5, 1, 2, 0.25], v: [[0, 0.5, 1.5], [2, 0.1, 0.9]]})


def sequences():
    with Case("composed_sequences", "linspace, grids, masks of lengths, repetitions, sorting, searching") as case:
        x, u = tf.placeholder(tf.float32, [None, 3], "x"), tf.placeholder(tf.float32, None, "u")
        n, k = tf.placeholder(tf.int32, [3], "n"), tf.placeholder(tf.int32, [], "k")
        s, m = tf.placeholder(tf.uint8, [2, 4], "s"), tf.placeholder(tf.int64, [2, 2], "m")
        all = [tf.linspace(0.0, 1.0, 5), tf.linspace(x[0], 2.0, k, name="rows"), tf.linspace(tf.constant(1.0, tf.float64), 3, 1)]
        all += tf.meshgrid(n, [1, 2]) + tf.meshgrid([1.0, 2.0], x[0], x[:, 0], indexing="ij", name="three") + tf.meshgrid(n) + tf.meshgrid(n, n, [5, 6])
        all += [tf.sequence_mask(n), tf.sequence_mask(n, 5), tf.sequence_mask(n, k, tf.float32, "masks"), tf.sequence_mask([[1, 2], [0, 3]], dtype=tf.int32), tf.sequence_mask(m), tf.sequence_mask(tf.cast(u, tf.int32), 4), tf.sequence_mask(k)]
        all += [tf.repeat(n, 2), tf.repeat(x, [1, 0, 2], axis=1), tf.repeat(x, n, axis=-1, name="columns"), tf.repeat(m, 3), tf.repeat(m, [2, 1], axis=0), tf.repeat(3, 4)]
        all += [tf.sort(x), tf.sort(n, direction="DESCENDING"), tf.sort(x, axis=0), tf.sort(s), tf.sort(m, axis=0, name="rows_of_m"), tf.sort(u, axis=0), tf.sort(u, axis=-2, direction="DESCENDING")]
        all += [tf.argsort(x), tf.argsort(n, direction="DESCENDING", name="down"), tf.argsort(x, axis=0), tf.argsort(s, stable=True), tf.argsort([3, 1, 2])]
        all += [tf.searchsorted(tf.sort(x), x), tf.searchsorted([1, 3, 5], n, side="right", name="right"), tf.searchsorted([[1.0, 2.0]], [[0.0, 1.0]], out_type=tf.int64)]
        case.run(all, {x: waves(2, 3), u: np.array([[1.0, 3], [0, 2]]), n: [1, 0, 4], k: 4, s: [[3, 1, 2, 255], [0, 9, 8, 7]], m: [[5, 1], [2, 3]]})


def matrices():
    with Case("composed_matrices", "identities, diagonals, norms, solutions, factors", rtol=1e-4, atol=1e-5) as case:
        x, u = tf.placeholder(tf.float32, [3, 3], "x"), tf.placeholder(tf.float32, None, "u")
        t, h = tf.placeholder(tf.float64, [2, 3, 2], "t"), tf.placeholder(tf.float32, [None, 3], "h")
        k, b, v = tf.placeholder(tf.int32, [], "k"), tf.placeholder(tf.bool, [2], "b"), tf.placeholder(tf.float32, [3], "v")
        all = [tf.eye(3), tf.eye(2, 3), tf.eye(k), tf.eye(k, 3, name="wide"), tf.eye(2, batch_shape=[2], dtype=tf.float64), tf.eye(2, num_columns=4, batch_shape=[1, 2]), tf.eye(2, 3, batch_shape=tf.shape(t)[:1]), tf.eye(k, batch_shape=[3])]
        all += [tf.matrix_diag(v), tf.matrix_diag(b, name="bools"), tf.linalg.diag(v, k=1), tf.linalg.diag(v, num_rows=4, padding_value=7.0), tf.matrix_diag([1, 2])]
        all += [tf.matrix_diag_part(x), tf.matrix_diag_part(t, name="parts"), tf.linalg.diag_part(x, k=(-1, 1), padding_value=9.0), tf.matrix_set_diag(x, v), tf.linalg.set_diag(x, v[:2], k=1, name="above")]
        all += [tf.matrix_transpose(t), tf.matrix_transpose(u, name="turned"), tf.matrix_transpose([[1, 2], [3, 4]]), tf.linalg.adjoint(x), tf.trace(x), tf.trace(t, name="traces"), tf.linalg.matvec(x, v), tf.linalg.matvec(h, v, name="product"), tf.linalg.matvec(x, v, transpose_a=True)]
        all += [tf.norm(x), tf.norm(x, axis=1), tf.norm(u), tf.norm(x, 1), tf.norm(t, ord=np.inf, axis=-1, keepdims=True), tf.norm(t, ord=3, axis=1, name="cubes"), tf.norm(t, ord=1.5)]
        all += [tf.norm(t, "fro", axis=[-2, -1]), tf.norm(t, 1, axis=[1, 2]), tf.norm(t, np.inf, axis=(0, 1)), tf.norm(t, 2, axis=[-2, -1], name="spectral"), tf.norm(x, 2), tf.norm(t, 2, axis=[0, 2], keepdims=True)]
        all += list(tf.linalg.normalize(x)) + list(tf.linalg.normalize(x, 1, axis=0, name="columns"))
        spd = tf.matmul(x, x, transpose_b=True) + tf.eye(3)
        all += [tf.svd(x)[0], tf.svd(t, compute_uv=False, name="values"), tf.svd(h, full_matrices=True)[0], tf.self_adjoint_eig(spd)[0], tf.self_adjoint_eigvals(spd, name="eigen")]
        chol = tf.cholesky(spd)
        all += [tf.linalg.logdet(spd), tf.matrix_triangular_solve(chol, x), tf.matrix_triangular_solve(chol, x, lower=False, adjoint=True, name="upper"), tf.cholesky_solve(chol, x)]
        all += [tf.matrix_solve_ls(t, t), tf.matrix_solve_ls(h, h, l2_regularizer=0.5, name="ridge"), tf.matrix_solve_ls(tf.matrix_transpose(t), t[:, :2], 0.1), tf.matrix_solve_ls(x, x, fast=False)]
        case.run(all, {x: waves(3, 3), u: waves(2, 2, 3), t: waves(2, 3, 2), h: waves(2, 3), k: 2, b: [True, False], v: [1, 2, 3]})


def einsums():
    with Case("composed_einsums", "einsum of one, two and more tensors", rtol=1e-4) as case:
        a, b = tf.placeholder(tf.float32, [2, 3], "a"), tf.placeholder(tf.float32, [3, 4], "b")
        c, d = tf.placeholder(tf.float32, [4, 2, 5], "c"), tf.placeholder(tf.float32, [None, 3], "d")
        e, u = tf.placeholder(tf.float32, [4], "e"), tf.placeholder(tf.float32, None, "u")
        all = [tf.einsum("ij,jk->ik", a, b), tf.einsum("ij,jk", a, b, name="implied"), tf.einsum("ij->ji", a), tf.einsum("ij -> ", a), tf.einsum("ii->i", tf.matmul(a, a, transpose_b=True)), tf.einsum("...ij,...jk->...ik", a, b), tf.einsum("i,j->ij", e, e), tf.einsum("...j,kj", u, a)]
        all += [tf.einsum("ij,jk,kil->l", a, b, c), tf.einsum("ij,jk,kil->jl", a, b, c, name="three"), tf.einsum("ij,jk,k,mj->im", a, b, e, d), tf.einsum("i,i,i->i", e, e, e), tf.einsum("i,j,k->ijk", e, e, e), tf.einsum("ab,cb,de,e->ac", a, d, b, e), tf.einsum("ij,ij,kj->ik", a, a, d)]
        all += [tf.einsum("...ij,jk,k->...i", u, b, e), tf.einsum("bij,...b,ij->...", c, e, tf.matmul(a, tf.ones([3, 5])))]
        case.run(all, {a: waves(2, 3), b: waves(3, 4), c: waves(4, 2, 5), d: waves(2, 3), e: waves(4), u: waves(2, 2, 3)})


def checks():
    with Case("composed_checks", "assertions on values and ranks, and what waits for them") as case:
        x, y = tf.placeholder(tf.float32, [None, 2], "x"), tf.placeholder(tf.float32, [2], "y")
        n, u, r = tf.placeholder(tf.int32, [3], "n"), tf.placeholder(tf.float32, None, "u"), tf.placeholder(tf.int32, [], "r")
        t, z = tf.placeholder(tf.string, [None], "t"), tf.placeholder(tf.float64, [2], "z")
        all = [tf.assert_equal(n, n), tf.assert_equal(n, [1, 2, 3]), tf.assert_equal(x, y, message="equal"), tf.assert_equal(t, "a", data=["t is", t], summarize=5, name="texts"), tf.assert_none_equal(x, 9.0)]
        all += [tf.assert_less(n, 5), tf.assert_less_equal(x, y, data=[x]), tf.assert_greater(n, 0, message="above"), tf.assert_greater_equal(x, x + 0, summarize=-1)]
        all += [tf.assert_positive(n), tf.assert_negative(-n, name="below"), tf.assert_non_negative(x, message="sign"), tf.assert_non_positive(-x), tf.assert_non_negative(n, data=["n", n])]
        all += [tf.assert_near(z, [1.0, 2.0]), tf.assert_near(x, y, rtol=0.5, atol=1.0, message="near", name="about"), tf.assert_near(u, u, summarize=2)]
        all += [tf.assert_rank(x, 2), tf.assert_rank(u, 1), tf.assert_rank(x, r, message="rank"), tf.assert_rank_at_least(u, 1, data=["u", u], name="some"), tf.assert_rank_at_least(x, 1), tf.assert_rank_in(u, [1, 2]), tf.assert_rank_in(x, [2, 3]), tf.assert_rank_in(x, [r, 2])]
        all += [tf.assert_integer(n), tf.assert_type(x, tf.float32)]
        assert tf.assert_equal(2, 2) is not None and tf.assert_rank([1], 1) is not None
        with tf.control_dependencies(all):
            ok = tf.constant(1)
        scalars = [tf.assert_scalar(3), tf.assert_scalar(r, name="scalar")]
        orders = [tf.is_non_decreasing(n), tf.is_strictly_increasing(u, name="up"), tf.is_non_decreasing([1, 3, 2])]
        feed = {x: [[1, 2], [1, 2]], y: [1, 2], n: [1, 2, 3], u: [1, 2, 2], r: 2, t: [b"a", b"a"], z: [1, 2]}
        case.run([ok] + scalars + orders, feed)
        case.run(orders, {**feed, u: [5]})
        for wrong in ({n: [1, 2, 4]}, {y: [1, 2.5]}, {z: [1, 3]}, {t: [b"b"]}, {u: [[1, 2]]}, {r: 3}):
            case.run([ok], {**feed, **wrong})


for record in (arithmetic, reductions, counts, sequences, matrices, einsums, checks):
    if len(sys.argv) == 1 or record.__name__ in sys.argv[1:]:
        record()
