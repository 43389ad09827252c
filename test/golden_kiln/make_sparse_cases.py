# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's SparseTensorDenseMatMul and SparseSlice, with gradients and errors. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops

with Case("sparse_product", "SparseTensorDenseMatMul, as it stands and transposed; indices and shapes that do not fit", rtol=1e-6, atol=1e-6) as case:
    i, v = tf.placeholder(tf.int64, None, "i"), tf.placeholder(tf.float32, None, "v")
    s, b = tf.placeholder(tf.int64, None, "s"), tf.placeholder(tf.float32, None, "b")

    def product(of=lambda x: x, index=lambda x: x, **options):
        return raw.SparseTensorDenseMatMul(a_indices=index(i), a_values=of(v), a_shape=s, b=of(b), **options)

    plain, by_a, by_b, by_both = (product(adjoint_a=x, adjoint_b=y) for x, y in ((False, False), (True, False), (False, True), (True, True)))
    others = [product(lambda x: tf.cast(x, dtype)) for dtype in (tf.float64, tf.int32)] + [product(index=lambda x: tf.cast(x, tf.int32))]
    halves = [product(lambda x: tf.cast(x, dtype)) for dtype in (tf.float16, tf.bfloat16)]
    pairs, numbers = [[0, 1], [1, 2], [0, 1], [0, 0]], [1, 2, 3, -4]
    rows = np.arange(6.0).reshape(3, 2)
    case.run([plain, *others, *tf.gradients(plain * plain, [v, b])], {i: pairs, v: numbers, s: [2, 3], b: rows})
    case.run(halves, {i: pairs, v: numbers, s: [2, 3], b: rows}, rtol=1e-2)
    case.run(by_b, {i: pairs, v: numbers, s: [2, 3], b: rows.T})
    case.run([by_a, *tf.gradients(by_a * by_a, [v, b])], {i: np.array(pairs)[:, ::-1], v: numbers, s: [3, 2], b: rows})
    case.run(by_both, {i: np.array(pairs)[:, ::-1], v: numbers, s: [3, 2], b: rows.T})
    for m, k, n in ((2, 3, 2), (2, 0, 2), (0, 3, 2), (2, 3, 0)):
        case.run(plain, {i: np.zeros([0, 2]), v: [], s: [m, k], b: np.ones([k, n])})
    for bad in ([0, 3], [0, -1], [2, 0], [-1, 0]):
        case.run(plain, {i: [[0, 0], bad], v: [1, 1], s: [2, 3], b: rows})
        case.run(by_a, {i: [[0, 0], bad[::-1]], v: [1, 1], s: [3, 2], b: rows})
    one = [[0, 1]]
    for given in ((one, [1], [2, 4], rows), (one, [1], [2, 3], rows[0]), (one, [1], [[2, 3]], rows), (one, [1], [2, 3, 1], rows), (one, [[1]], [2, 3], rows),
                  ([0, 1], [1], [2, 3], rows), (one, [1, 2], [2, 3], rows), ([[0, 1, 2]], [1], [2, 3], rows)):
        case.run(plain, dict(zip((i, v, s, b), given)))
    case.run(by_b, {i: one, v: [1], s: [2, 4], b: rows})
    x = tf.placeholder(tf.int64, [None, 2], "x")
    case.run(raw.SparseTensorDenseMatMul(a_indices=x, a_values=tf.ones([tf.shape(x)[0]]), a_shape=[2, 3], b=tf.ones([3, 4])), {x: pairs})

with Case("sparse_slice", "SparseSlice: blocks inside, beyond and before the tensor; shapes that do not fit", rtol=0, atol=0) as case:
    i, v = tf.placeholder(tf.int64, None, "i"), tf.placeholder(tf.float32, None, "v")
    s, start, size = (tf.placeholder(tf.int64, None, n) for n in ("s", "start", "size"))

    def sliced(values):
        return list(raw.SparseSlice(indices=i, values=values, shape=s, start=start, size=size))

    part, texts, flags = sliced(v), sliced(tf.as_string(v)), sliced(v > 2.0)
    places, numbers = [[0, 1], [1, 2], [2, 0], [3, 3]], [1, 2, 3, 4]
    for begin, extent in (([1, 0], [2, 3]), ([1, 0], [20, 30]), ([9, 0], [2, 3]), ([-1, 0], [2, 3]), ([1, 0], [0, 3]), ([0, 0], [2**63 - 1, 3]), ([1, 0], [-1, 3])):
        given = {i: places, v: numbers, s: [4, 5], start: begin, size: extent}
        case.run(part, given)
        if min(extent) >= 0:
            case.run([*texts, *flags, tf.reduce_sum(part[1] * 2.0)], given)
    case.run(part, {i: np.zeros([0, 2]), v: [], s: [4, 5], start: [0, 0], size: [2, 3]})
    case.run(part, {i: [[7, 1], [3, 3], [0, 1]], v: [1, 2, 3], s: [4, 5], start: [0, 0], size: [9, 9]})
    case.run(part, {i: [[3], [1], [2]], v: [1, 2, 3], s: [4], start: [2], size: [9]})
    for given in ((places, numbers, [4, 5], [1], [2, 3]), (places, numbers, [4, 5], [1, 0], [2]), (places, [[1]], [4, 5], [1, 0], [2, 3]), (places, [1], [4, 5], [1, 0], [2, 3]),
                  ([0, 1], numbers, [4, 5], [1, 0], [2, 3]), (places, numbers, [4, 5, 6], [1, 0, 0], [2, 3, 4]), (places, numbers, [[4, 5]], [1, 0], [2, 3]),
                  (places, numbers, [4, 5], [[1, 0]], [2, 3]), (places, numbers, [-4, 5], [1, 0], [2, 3])):
        case.run(part, dict(zip((i, v, s, start, size), given)))
    known = raw.SparseSlice(indices=tf.reshape(i, [-1, 2]), values=v, shape=[4, 5], start=[1, 0], size=[2, 9])
    case.run([raw.SparseTensorDenseMatMul(a_indices=known[0], a_values=known[1], a_shape=known[2], b=tf.ones([5, 2]))], {i: places, v: numbers})
    case.run([raw.SparseTensorDenseMatMul(a_indices=part[0], a_values=part[1], a_shape=part[2], b=tf.ones([3, 2]))],
             {i: places, v: numbers, s: [4, 5], start: [0, 0], size: [3, 3]})
