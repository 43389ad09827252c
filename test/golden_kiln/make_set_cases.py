# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's operations on sets. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops
OPERATIONS = ("a-b", "B-A", "intersection", "union")


def sparse(kind, name):
    return [tf.placeholder(t, None, f"{name}_{part}") for part, t in (("indices", tf.int64), ("values", kind), ("shape", tf.int64))]


def operations(kinds):
    return [part for operation in OPERATIONS for op, given in kinds for part in op(**given, set_operation=operation)]


with Case("set_operations", "unions, intersections and differences of dense and sparse sets; shapes and indices that do not fit", rtol=0, atol=0) as case:
    a, b = tf.placeholder(tf.int32, None, "a"), tf.placeholder(tf.int32, None, "b")
    i, v, s = sparse(tf.int32, "x")
    j, w, t = sparse(tf.int32, "y")
    dense = (raw.DenseToDenseSetOperation, dict(set1=a, set2=b))
    mixed = (raw.DenseToSparseSetOperation, dict(set1=a, set2_indices=j, set2_values=w, set2_shape=t))
    both = (raw.SparseToSparseSetOperation, dict(set1_indices=i, set1_values=v, set1_shape=s, set2_indices=j, set2_values=w, set2_shape=t))
    left = dict(zip((i, v, s), ([[0, 0], [0, 1], [0, 2], [2, 0]], [3, 1, 3, 7], [3, 4])))
    right = dict(zip((j, w, t), ([[0, 0], [0, 1], [1, 1], [2, 0]], [3, 9, 2, 8], [3, 2])))
    rows = np.array([[3, 1, 3, 3], [2, 2, -5, 9], [7, 7, 7, 7]], np.int32)
    case.run(operations([dense]), {a: rows, b: rows[::-1, :3]})
    case.run(operations([mixed]), {a: rows, **right})
    case.run(operations([both]), {**left, **right})
    case.run(operations([dense]), {a: np.zeros([2, 0, 3]), b: np.zeros([2, 0, 1])})
    case.run(operations([dense]), {a: np.arange(12).reshape(2, 2, 3) % 4, b: np.arange(8).reshape(2, 2, 2) % 3})
    nothing = dict(zip((j, w, t), (np.zeros([0, 2]), [], [3, 2])))
    case.run(operations([both]), {**left, **nothing})
    case.run(operations([mixed]), {a: rows, **nothing})
    one_dense, one_mixed, one_both = (list(op(**given, set_operation="union")) for op, given in (dense, mixed, both))
    for x, y in ((rows, rows[:2]), (rows[0], rows[0]), (rows, rows[0]), (3, 4)):
        case.run(one_dense, {a: x, b: y})
    for of in ([[0, 0], [0, 0], [1, 1], [2, 0]], [[0, 1], [0, 0], [1, 1], [2, 0]], [[0, 0], [0, 2], [1, 1], [2, 0]], [[0, 0], [0, -1], [1, 1], [2, 0]],
               [[0, 0], [1, 1], [2, 0]], [0, 1, 2, 3]):
        case.run(one_mixed, {a: rows, **right, j: of})
        case.run(one_both, {**left, **right, j: of})
    for shape in ([2, 2], [3], [3, 2, 1], [[3, 2]], [3, -2]):
        case.run(one_mixed, {a: rows, **right, t: shape})
        case.run(one_both, {**left, **right, t: shape})
    case.run(list(raw.DenseToDenseSetOperation(set1=a, set2=b, set_operation="product")), {a: rows, b: rows})
    loose = list(raw.SparseToSparseSetOperation(**both[1], set_operation="union", validate_indices=False))
    case.run(loose, {**left, **right, j: [[0, 1], [0, 0], [1, 1], [2, 0]]})
    case.run(loose, {**left, **right, j: [[0, 0], [0, 2], [1, 1], [2, 0]]})

with Case("set_types", "sets of each type, and their sizes", rtol=0, atol=0) as case:
    numbers = np.array([[3, 1, 3, 100], [2, 2, 127, 9]])
    texts = np.array([[b"b", b"", b"b", b"\xff"], [b"a\0", b"a", b"", b""]], object)
    i, s = [[0, 0], [0, 1], [0, 3], [1, 2]], [2, 4]
    for kind in (tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.uint16, tf.string):
        a, w = tf.placeholder(kind, None, f"a_{kind.name}"), tf.placeholder(kind, None, f"w_{kind.name}")
        fetches = [part for op in OPERATIONS for part in (
            *raw.DenseToDenseSetOperation(set1=a, set2=tf.reverse(a, [0]), set_operation=op),
            *raw.DenseToSparseSetOperation(set1=a, set2_indices=i, set2_values=w, set2_shape=s, set_operation=op),
            *raw.SparseToSparseSetOperation(set1_indices=i[1:], set1_values=w[1:], set1_shape=s, set2_indices=i, set2_values=w, set2_shape=s, set_operation=op))]
        values = texts if kind == tf.string else numbers
        case.run([*fetches, raw.SetSize(set_indices=i, set_values=w, set_shape=s)], {a: values, w: values[0]})
    j, w, t = sparse(tf.int64, "z")
    size = raw.SetSize(set_indices=j, set_values=w, set_shape=t)
    case.run(size, {j: [[0, 0, 1], [0, 0, 2], [1, 1, 0]], w: [5, 5, 5], t: [2, 3, 3]})
    case.run(size, {j: np.zeros([0, 2]), w: [], t: [2, 3]})
    case.run(size, {j: [[0, 0], [5, 0]], w: [5, 5], t: [2, 3]})
    case.run(size, {j: [[0], [1]], w: [5, 5], t: [2]})
