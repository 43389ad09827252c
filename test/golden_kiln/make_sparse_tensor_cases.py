# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's ops on sparse tensors. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops

def sparse(kind, name):
    return [tf.placeholder(t, None, f"{name}_{part}") for part, t in (("indices", tf.int64), ("values", kind), ("shape", tf.int64))]


PLACES = [[0, 1], [0, 3], [1, 0], [2, 2], [2, 3]]
NUMBERS = [4, -1, 2.5, 0.25, 3]

with Case("sparse_order", "SparseReorder, SparseReshape, SparseFillEmptyRows and its gradient", rtol=0, atol=0) as case:
    i, v, s = sparse(tf.float32, "x")
    to, fill = tf.placeholder(tf.int64, None, "to"), tf.placeholder(tf.float32, None, "fill")
    usual = {i: PLACES, v: NUMBERS, s: [3, 4], to: [2, -1], fill: -7}
    texts = tf.as_string(tf.cast(v * 4, tf.int32))
    ordered = [*raw.SparseReorder(input_indices=i, input_values=v, input_shape=s), *raw.SparseReorder(input_indices=i, input_values=texts, input_shape=s)]
    for given in ({}, {i: PLACES[::-1]}, {i: [[1, 1], [0, 9], [-1, 0], [1, 0], [0, 0]]}, {i: np.zeros([0, 2]), v: []}, {i: [[5], [1], [3], [0], [2]], s: [6]},
                  {i: np.array(PLACES)[::-1, [0, 1, 0]], s: [3, 4, 3]}):
        case.run(ordered, {**usual, **given})
    for given in ({i: PLACES[:4]}, {s: [3]}, {i: [0, 1, 2, 3, 4]}, {v: [NUMBERS]}, {s: [[3, 4]]}):
        case.run(ordered[:2], {**usual, **given})
    shaped = list(raw.SparseReshape(input_indices=i, input_shape=s, new_shape=to))
    for of in ([2, -1], [12], [3, 4], [2, 1, 6], [-1, 3, 1], [1, 12, 1]):
        case.run(shaped, {**usual, to: of})
    case.run(shaped, {i: np.zeros([0, 2]), s: [0, 4], to: [4, 0, 2]})
    for given in ({to: [-1, -1]}, {to: [5, -1]}, {to: [5, 2]}, {to: [-2, 6]}, {to: [[12]]}, {i: [0, 1]}, {s: [[3, 4]]}, {s: [3, 4, 1]}, {s: [0, 4], to: [0, 1]},
                  {s: [0, 4], to: [-1, 0]}, {s: [3, -4]}):
        case.run(shaped, {**usual, **given})
    filled = list(raw.SparseFillEmptyRows(indices=i, values=v, dense_shape=s, default_value=fill))
    words = list(raw.SparseFillEmptyRows(indices=i, values=texts, dense_shape=s, default_value="none"))
    for given in ({}, {s: [6, 4]}, {i: PLACES[::-1], s: [4, 4]}, {i: np.zeros([0, 2]), v: []}, {i: np.zeros([0, 2]), v: [], s: [0, 4]}, {i: [[4], [1], [1], [0], [2]], s: [6]}):
        case.run(filled + words, {**usual, **given})
    for given in ({s: [2, 4]}, {i: [[0, 0], [-1, 0], [1, 0], [2, 0], [2, 1]]}, {s: [0, 4]}, {s: [[3, 4]]}, {i: [0, 1, 2, 3, 4]}, {v: NUMBERS[:3]}, {s: [3, 4, 5]}, {fill: [1]},
                  {i: np.zeros([5, 0]), s: []}, {s: [-1, 4]}):
        case.run(filled, {**usual, **given})
    back = [part for kind in (tf.float32, tf.float64, tf.int32, tf.float16) for part in raw.SparseFillEmptyRowsGrad(reverse_index_map=to, grad_values=tf.cast(v, kind))]
    for given in ([0, 2], [], [4, 4, 1], [5], [-1], [[0]]):
        case.run(back if np.ndim(given) == 1 and all(0 <= n < 5 for n in given) else back[:2], {**usual, to: given})

with Case("sparse_pieces", "SparseConcat, SparseSplit, SparseSliceGrad", rtol=0, atol=0) as case:
    i, v, s = sparse(tf.float32, "x")
    j, w, t = sparse(tf.float32, "y")
    usual = {i: PLACES, v: NUMBERS, s: [3, 4], j: [[0, 0], [2, 1]], w: [7, 8], t: [3, 4]}

    def joined(axis, of=lambda x: x):
        return list(raw.SparseConcat(indices=[i, j, i], values=[of(v), of(w), of(v)], shapes=[s, t, s], concat_dim=axis))

    several = [part for axis in (0, 1, -1, -2) for part in joined(axis)] + joined(1, lambda x: tf.as_string(tf.cast(x, tf.int32))) + joined(0, lambda x: x > 2)
    for given in ({}, {i: np.zeros([0, 2]), v: []}, {i: np.zeros([0, 2]), v: [], j: np.zeros([0, 2]), w: []}, {i: PLACES[::-1]}):
        case.run(several, {**usual, **given})
    case.run(joined(1), {**usual, t: [3, 9]})
    plain = joined(0)
    for given in ({t: [3, 5]}, {t: [3, 4, 5], j: [[0, 0, 0], [1, 1, 1]]}, {j: [0, 1]}, {w: [[7, 8]]}, {t: [[3, 4]]}, {w: [7]}):
        case.run(plain, {**usual, **given})
    case.run(joined(2), usual)
    axis = tf.placeholder(tf.int64, None, "axis")
    parts = {n: [x for part in raw.SparseSplit(split_dim=axis, indices=i, values=v, shape=s, num_split=n) for x in part] for n in (1, 2, 3)}
    for n, fetches in parts.items():
        for of in (0, 1, -1):
            case.run(fetches, {**usual, axis: of})
    case.run(parts[2], {i: np.zeros([0, 2]), v: [], s: [5, 4], axis: 0})
    for given in ({axis: 2}, {axis: -3}, {s: [2, 4]}, {axis: [0]}, {i: [0, 1]}, {v: NUMBERS[:3]}, {s: [1, 4], i: np.zeros([0, 2]), v: []}, {s: [3, 4, 5]}):
        case.run(parts[2], {**usual, axis: 0, **given})
    start = tf.placeholder(tf.int64, None, "start")
    back = raw.SparseSliceGrad(backprop_val_grad=w, input_indices=i, input_start=start, output_indices=j)
    usual = {i: PLACES, w: [7, 8], start: [1, 0], j: [[0, 0], [1, 3]]}
    for given in ({}, {j: np.zeros([0, 2]), w: []}, {i: np.zeros([0, 2]), j: np.zeros([0, 2]), w: []}, {j: [[0, 0], [1, 1]]}, {start: [1]}, {start: [[1, 0]]}, {w: [7]},
                  {w: [[7, 8]]}, {i: [0, 1]}, {j: [[0, 0, 0], [1, 1, 1]]}, {i: PLACES[:1]}):
        case.run(back, {**usual, **given})

with Case("sparse_reductions", "SparseReduceSum, SparseReduceMax, both as sparse tensors, SparseSoftmax", rtol=1e-6, atol=1e-6) as case:
    i, v, s = sparse(tf.float32, "x")
    axes = tf.placeholder(tf.int32, None, "axes")
    ops = raw.SparseReduceSum, raw.SparseReduceMax, raw.SparseReduceSumSparse, raw.SparseReduceMaxSparse

    def flat(results):
        return [x for part in results for x in (part if isinstance(part, tuple) else [part])]

    def reduced(kinds, keeps=(False, True)):
        return flat(op(input_indices=i, input_values=tf.cast(v, kind), input_shape=s, reduction_axes=axes, keep_dims=keep) for op in ops for kind in kinds for keep in keeps)

    every = reduced([tf.float32, tf.float64, tf.int32, tf.int8, tf.uint16, tf.float16, tf.bfloat16])
    usual = {i: PLACES, v: [4, 1, 2, 6, 3], s: [3, 4], axes: [0]}
    case.run(every, usual)
    few = reduced([tf.float32])
    for of in ([1], [-1], [0, 1], [], 0, [0, 0], [1, -2]):
        case.run(few, {**usual, axes: of})
    for given in ({i: PLACES[::-1], v: NUMBERS, axes: [0]}, {i: np.zeros([0, 2]), v: []}, {i: [[0, 1, 1], [0, 1, 0], [2, 0, 1]], v: [1, 2, 3], s: [3, 2, 2], axes: [1, 2]},
                  {i: [[0, 1], [0, 1], [1, 1]], v: [1, 2, 3]}):
        case.run(few, {**usual, **given})
    for given in ({axes: [2]}, {axes: [-3]}, {axes: [[0]]}, {s: [[3, 4]]}, {v: [1]}, {s: [3]}, {i: [[0, 1], [0, 3], [9, 0], [2, 2], [2, 3]], axes: [1]}):
        case.run(few[0], {**usual, **given})
    soft = [raw.SparseSoftmax(sp_indices=i, sp_values=tf.cast(v, kind), sp_shape=s) for kind in (tf.float32, tf.float64)]
    half = raw.SparseSoftmax(sp_indices=i, sp_values=tf.cast(v, tf.float16), sp_shape=s)
    for given in ({}, {v: NUMBERS}, {v: [1e4, -1e4, 88, 0.5, 0.25]}, {i: np.zeros([0, 2]), v: []}, {i: [[0, 1, 1], [0, 1, 0], [2, 0, 1]], v: [1, 2, 3], s: [3, 2, 2]}):
        case.run(soft, {**usual, **given})
        case.run(half, {**usual, **given}, rtol=2e-3, atol=1e-3)
    for given in ({i: [0, 1]}, {v: [[1]]}, {s: [12], i: [[0]], v: [1]}, {v: [1]}):
        case.run(soft[0], {**usual, **given})

with Case("sparse_arithmetic", "SparseDenseCwise*, SparseSparseMinimum and Maximum, SparseAdd with its gradient, SparseTensorDenseAdd", rtol=1e-6, atol=0) as case:
    i, v, s = sparse(tf.float32, "x")
    j, w, t = sparse(tf.float32, "y")
    dense, least = tf.placeholder(tf.float32, None, "dense"), tf.placeholder(tf.float32, None, "least")
    KINDS = tf.float32, tf.float64, tf.int32, tf.int64, tf.int8, tf.uint8, tf.uint16, tf.float16, tf.bfloat16
    rows = np.arange(12).reshape(3, 4) + 1
    usual = {i: PLACES, v: [4, 1, 2, 6, 3], s: [3, 4], dense: rows, j: [[0, 0], [0, 1], [2, 3]], w: [5, 2, -3], t: [3, 4], least: 0}
    cwise = [op(sp_indices=i, sp_values=tf.cast(v, kind), sp_shape=s, dense=tf.cast(dense, kind))
             for kind in KINDS for op in (raw.SparseDenseCwiseAdd, raw.SparseDenseCwiseMul, raw.SparseDenseCwiseDiv)]
    for of in (rows, rows[:1], rows[:, :1], rows[0], 3, [[3]]):
        case.run(cwise, {**usual, dense: of})
    case.run(cwise, {**usual, v: [100, 120, 7, 7, 7]}, rtol=1e-2)
    case.run(cwise[:3], {**usual, i: np.zeros([0, 2]), v: []})
    for given in ({dense: rows[:2]}, {dense: [rows]}, {i: [[0, 0], [0, 1], [0, 2], [3, 0], [0, -1]]}, {i: [0, 1]}, {v: [1]}, {s: [3]}, {v: [[1]]}):
        case.run(cwise[0], {**usual, **given})
    case.run(cwise[2], {**usual, dense: np.zeros([3, 4])})
    extremes = [x for kind in KINDS for op in (raw.SparseSparseMinimum, raw.SparseSparseMaximum)
                for x in op(a_indices=i, a_values=tf.cast(v, kind), a_shape=s, b_indices=j, b_values=tf.cast(tf.abs(w), kind), b_shape=t)]
    case.run(extremes, usual)
    lower = list(raw.SparseSparseMinimum(a_indices=i, a_values=v, a_shape=s, b_indices=j, b_values=w, b_shape=t))
    for given in ({}, {i: np.zeros([0, 2]), v: []}, {j: np.zeros([0, 2]), w: []}, {t: [3, 5]}, {t: [3, 4, 1], j: np.zeros([3, 3])}, {j: [[0, 0], [0, 1], [2, 4]]}, {w: [1]}):
        case.run(lower, {**usual, **given})
    sums = [x for kind in (tf.float32, tf.float64, tf.int32, tf.int64, tf.int16, tf.int8)
            for x in raw.SparseAdd(a_indices=i, a_values=tf.cast(v, kind), a_shape=s, b_indices=j, b_values=tf.cast(w, kind), b_shape=t, thresh=tf.cast(least, kind))]
    for given in ({}, {least: 1}, {least: 4}, {i: np.zeros([0, 2]), v: []}):
        case.run(sums, {**usual, **given})
    for given in ({t: [3, 5]}, {t: [3]}, {j: [[0], [1], [2]]}, {i: [0]}, {w: [[1]]}, {w: [1]}, {least: [1]}, {s: [3, 4, 5]}):
        case.run(sums[:3], {**usual, **given})
    k, g = tf.placeholder(tf.int64, None, "k"), tf.placeholder(tf.float32, None, "g")
    back = list(raw.SparseAddGrad(backprop_val_grad=g, a_indices=i, b_indices=j, sum_indices=k))
    whole = sorted(PLACES + [[0, 0]])
    for given in ({}, {k: whole[:1] + whole[2:], g: [1, 2, 3, 4, 5]}, {i: np.zeros([0, 2])}, {g: [1]}, {g: [[1]]}, {i: [0]}, {k: [[0], [1], [2], [3], [4], [5]]}):
        case.run(back, {**usual, k: whole, g: [1, 2, 3, 4, 5, 6], **given})
    onto = [raw.SparseTensorDenseAdd(a_indices=tf.cast(i, index), a_values=tf.cast(v, kind), a_shape=tf.cast(s, index), b=tf.cast(dense, kind))
            for index in (tf.int32, tf.int64) for kind in KINDS]
    for given in ({}, {i: [PLACES[0]] * 5}, {i: np.zeros([0, 2]), v: []}):
        case.run(onto, {**usual, **given})
    for given in ({i: [[0, 0], [0, 1], [0, 2], [3, 0], [0, 1]]}, {i: [[0, 0], [0, 1], [0, -2], [2, 0], [0, 1]]}, {s: [3, 5]}, {dense: rows[0]}, {i: [0]}, {v: [1]}, {s: [3]}):
        case.run(onto[0], {**usual, **given})

with Case("sparse_counts", "SparseBincount, counts as sparse tensors", rtol=0, atol=0) as case:
    for kind in (tf.int32, tf.int64):
        i, v, s = sparse(kind, f"x_{kind.name}")
        size, weights, splits = (tf.placeholder(t, None, f"{n}_{kind.name}") for n, t in (("size", kind), ("weights", tf.float64), ("splits", tf.int64)))
        usual = {i: PLACES, v: [4, 1, 1, 6, 6], s: [3, 4], size: 7, weights: [], splits: [0, 2, 2, 5]}
        bins = [raw.SparseBincount(indices=i, values=v, dense_shape=s, size=size, weights=tf.cast(weights, t), binary_output=binary)
                for t in (tf.int32, tf.int64, tf.float32, tf.float64) for binary in (False, True)]
        one = {i: [[0], [1], [2], [3], [5]], s: [6]}
        for given in ({}, {weights: [1, 2, 3, 4, 5]}, {size: 5}, one, {**one, weights: [1, 2, 3, 4, 5]}, {i: np.zeros([0, 2]), v: []}, {v: [4, 1, -1, 6, 6]}):
            case.run(bins, {**usual, **given})
        for given in ({size: -1}, {size: [7]}, {i: [[3, 0]] * 5}, {i: [0]}, {v: [[1]]}, {**one, v: [4, 1, -1, 6, 6]}):
            case.run(bins[0], {**usual, **given})

        def counts(op, given, settings):
            return [x for options, t, binary in settings
                    for x in op(**given, weights=tf.cast(weights, t), binary_output=binary, **options)]

        settings = [({}, tf.float32, False), ({}, tf.int32, True), (dict(minlength=9), tf.int64, False), (dict(maxlength=5), tf.float64, False), (dict(minlength=2, maxlength=3), tf.int64, True)]
        sparse_counts = counts(raw.SparseCountSparseOutput, dict(indices=i, values=v, dense_shape=s), settings)
        dense_counts = counts(raw.DenseCountSparseOutput, dict(values=v), settings)
        ragged_counts = counts(raw.RaggedCountSparseOutput, dict(splits=splits, values=v), settings)
        for given in ({}, {weights: [1, 2, 3, 4, 5]}):
            case.run(sparse_counts + dense_counts + ragged_counts, {**usual, **given})
        case.run(sparse_counts, {**usual, **one})
        case.run(dense_counts, {**usual, v: [[4, 1, 1], [6, 6, 0]]})
        case.run(dense_counts, {**usual, v: [[4, 1, 1], [6, 6, 0]], weights: [[1, 2, 3], [4, 5, 6]]})
        case.run(dense_counts, {**usual, v: []})
        for given in ({v: [4, 1, -1, 6, 6]}, {weights: [1, 2]}, {i: [0]}, {s: [3]}, {i: [[0, 1]]}, {i: [[0, 9]] * 5}, {i: np.zeros([5, 0]), s: []}):
            case.run(sparse_counts[:3], {**usual, **given})
        for given in ({v: [4, 1, -1, 6, 6]}, {weights: [1, 2]}, {v: 3}, {v: np.zeros([0, 3])}):
            case.run(dense_counts[:3], {**usual, **given})
        for given in ({v: [4, 1, -1, 6, 6]}, {weights: [1, 2]}, {splits: [0]}, {splits: [1, 5]}, {splits: [0, 4]}):
            case.run(ragged_counts[:3], {**usual, **given})

with Case("sparse_distance", "EditDistance of numbers and texts, normalized and not", rtol=0, atol=0) as case:
    i, v, s = sparse(tf.int64, "x")
    j, w, t = sparse(tf.int64, "y")
    usual = {i: [[0, 0], [0, 1], [2, 0], [3, 0]], v: [1, 2, 3, 4], s: [4, 2], j: [[0, 0], [0, 1], [0, 2], [1, 0], [3, 0]], w: [2, 2, 1, 5, 4], t: [4, 3]}

    def distances(of, normalizes=(True, False)):
        return [raw.EditDistance(hypothesis_indices=i, hypothesis_values=of(v), hypothesis_shape=s, truth_indices=j, truth_values=of(w), truth_shape=t, normalize=n)
                for n in normalizes]

    every = [x for kind in (tf.int64, tf.int32, tf.int8, tf.uint8, tf.float32, tf.float64, tf.float16) for x in distances(lambda x: tf.cast(x, kind))] + distances(tf.as_string)
    for given in ({}, {i: np.zeros([0, 2]), v: []}, {j: np.zeros([0, 2]), w: []}, {s: [6, 2], t: [5, 3]},
                  {i: [[0, 1, 0], [0, 1, 1]], v: [1, 2], s: [1, 2, 2], j: [[0, 0, 0], [0, 1, 0]], w: [1, 2], t: [1, 2, 1]}):
        case.run(every, {**usual, **given})
    plain = every[0]
    for given in ({i: [0]}, {j: [0]}, {v: [[1]]}, {w: [[1]]}, {s: [[4, 2]]}, {t: [[4, 3]]}, {v: [1]}, {w: [1]}, {s: [4]}, {t: [4, 3, 1]}, {i: [[0], [1], [2], [3]], s: [4]},
                  {s: [0, 2], t: [0, 3], i: np.zeros([0, 2]), v: [], j: np.zeros([0, 2]), w: []}, {i: [[0, 0], [0, 1], [2, 0], [9, 0]]}, {j: [[0, 0], [0, 1], [0, 2], [1, 0], [9, 0]]}):
        case.run(plain, {**usual, **given})

with Case("sparse_matrices", "SparseMatMul: both types, transposed, with gradients and factors that do not fit", rtol=1e-5, atol=1e-5) as case:
    a, b = tf.placeholder(tf.float32, None, "a"), tf.placeholder(tf.float32, None, "b")
    x, y = np.arange(6.0).reshape(2, 3) - 2, np.arange(12.0).reshape(3, 4) / 4 - 1

    def product(turn_a, turn_b, of_a=tf.float32, of_b=tf.float32, **options):
        return raw.SparseMatMul(a=tf.cast(a, of_a), b=tf.cast(b, of_b), transpose_a=turn_a, transpose_b=turn_b, **options)

    for turn_a, turn_b in ((False, False), (True, False), (False, True), (True, True)):
        plain = product(turn_a, turn_b, a_is_sparse=True)
        narrow = [product(turn_a, turn_b, *kinds, b_is_sparse=True) for kinds in ((tf.bfloat16, tf.float32), (tf.float32, tf.bfloat16), (tf.bfloat16, tf.bfloat16))]
        given = {a: x.T if turn_a else x, b: y.T if turn_b else y}
        case.run([plain, *narrow, *tf.gradients(plain * plain, [a, b])], given)
    plain = product(False, False)
    for m, k, n in ((0, 3, 2), (2, 0, 2), (2, 3, 0)):
        case.run(plain, {a: np.ones([m, k]), b: np.ones([k, n])})
    for wrong in ({a: x.T}, {a: x[0]}, {b: y[None]}):
        case.run(plain, {a: x, b: y, **wrong})
