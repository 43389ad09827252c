# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records edges of single ops: characters of a negative length, big-endian complex numbers, empty summaries, infinite arguments of special functions, NaN in sparse maxima, keys of dense tables. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops
INF, NAN = np.inf, np.nan


def strings():
    with Case("edge_strings", "substrings of negative lengths, complex numbers from bytes, summaries without elements") as case:
        pos, length = tf.placeholder(tf.int32, [], "pos"), tf.placeholder(tf.int32, [], "length")
        parts = [tf.strings.substr(["h\u00e9\u4e16"], pos, length, unit=unit) for unit in ("UTF8_CHAR", "BYTE")]
        for at in (1, -1, 5, 0):
            for count in (-1, 0, -5, 2):
                for part in parts:
                    case.run(part, {pos: at, length: count})
        text = tf.placeholder(tf.string, [None], "text")
        for dtype, seen_as in ((tf.complex64, tf.float32), (tf.complex128, tf.float64), (tf.int32, tf.int32), (tf.half, tf.half)):
            for little in (True, False):
                numbers = tf.decode_raw(text, dtype, little_endian=little)
                case.run(tf.bitcast(numbers, seen_as), {text: [b"abcdefghABCDEFGH"]})
        for dtype in (tf.bool, tf.int32, tf.float32, tf.string):
            for shape in ([0], [2, 0, 3], []):
                case.run(tf.strings.format("a{}b", tf.reshape(tf.fill([0 if shape else 1], tf.cast("x", dtype) if dtype is tf.string else tf.cast(1, dtype)), shape)))


def special():
    with Case("edge_special", "zeta and polygamma of infinite arguments") as case:
        for dtype in (tf.float32, tf.float64):
            x, q = tf.placeholder(dtype, [None], "x"), tf.placeholder(dtype, [None], "q")
            case.run(tf.zeta(x, q), {x: [2.0, 1.0, 0.5, 3.0, INF], q: [INF, INF, INF, -INF, INF]})
            case.run(tf.polygamma(x, q), {x: [0.0, 1.0, 2.0, 3.0, -1.0, 1.5], q: [INF] * 6})
            case.run(tf.polygamma(x, q), {x: [1.0, 2.0], q: [-INF, NAN]})


def sparse():
    with Case("edge_sparse_max", "sparse maxima of NaN") as case:
        values = tf.placeholder(tf.float32, [2], "values")
        for op in (raw.SparseReduceMax, raw.SparseReduceMaxSparse):
            largest = op(input_indices=[[0, 0], [0, 1]], input_values=values, input_shape=[1, 3], reduction_axes=[1])
            for pair in ([NAN, 1.0], [1.0, NAN], [NAN, INF], [INF, NAN], [1.0, 2.0]):
                case.run(largest, {values: pair})


def tables():
    with Case("edge_tables", "keys of dense tables in several shapes") as case:
        table = tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, -1, empty_key=-7, deleted_key=-8)
        pairs = tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, [-1, -2], empty_key=[-7, 0], deleted_key=[-8, 0])

        def numbers(value):
            return tf.constant(np.array(value, np.int64))

        case.run(table.insert(numbers([3, 5]), numbers([4, 0])))
        for keys in (3, [[3], [3]], [3], [[3, 5]], [[3, 5], [3, 5]], np.zeros([0, 1]), []):
            case.run(table.lookup(numbers(keys)))
        case.run(table.insert(numbers(8), numbers(9)))
        case.run(table.insert(numbers([[9], [10]]), numbers([[9], [1]])))
        case.run(table.insert(numbers([[9], [10]]), numbers([9, 1])))
        case.run(table.lookup(numbers([8, 9, 10])))
        case.run(table.erase(numbers([[9], [3]])))
        case.run(table.size())
        given = tf.placeholder(tf.int64, None, "given")
        found = pairs.lookup(given)
        for keys in ([3, 5], [[3, 5]], [[3], [5]], [[[3, 5]]], 3, [[[3], [5]]]):
            case.run(found, {given: np.array(keys, np.int64)})


if __name__ == "__main__":
    strings()
    special()
    sparse()
    tables()
