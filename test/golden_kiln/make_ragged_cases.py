# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's ops on rows of several lengths. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops
TEXTS = np.array([b"a", b"", b"ccc", b"d", b"\xff\0"], object)

with Case("ragged_to_sparse", "RaggedTensorToSparse: ranks, types, empty rows, wrong splits", rtol=0, atol=0) as case:
    for splits in (tf.int32, tf.int64):
        outer, inner = (tf.placeholder(splits, None, f"{n}_{splits.name}") for n in ("outer", "inner"))
        values, texts = tf.placeholder(tf.float32, None, f"values_{splits.name}"), tf.placeholder(tf.string, None, f"texts_{splits.name}")
        one = list(raw.RaggedTensorToSparse(rt_nested_splits=[inner], rt_dense_values=values))
        two = list(raw.RaggedTensorToSparse(rt_nested_splits=[outer, inner], rt_dense_values=values))
        words = list(raw.RaggedTensorToSparse(rt_nested_splits=[outer, inner], rt_dense_values=texts))
        for of in ([0, 2, 2, 5], [0, 5], [0, 0, 5, 5], [0, 1, 2, 3, 4, 5]):
            case.run(one, {inner: of, values: np.arange(5)})
            case.run(one, {inner: of, values: np.arange(20).reshape(5, 2, 2)})
        case.run(one, {inner: [0], values: []})
        case.run(one, {inner: [0, 0], values: np.zeros([0, 3])})
        case.run(two + words, {outer: [0, 1, 1, 3], inner: [0, 2, 2, 5], values: np.arange(10).reshape(5, 2), texts: TEXTS})
        case.run(two, {outer: [0, 0], inner: [0], values: []})
        for of in ([1, 5], [0, 6], [0, 3, 2, 5], [0, 4], []):
            case.run(one, {inner: of, values: np.arange(5)})
        case.run(two, {outer: [0, 2], inner: [0, 2, 2, 5], values: np.arange(5)})

with Case("ragged_ranges", "RaggedRange: types, directions, broadcasting, steps that do not fit", rtol=0, atol=0) as case:
    for kind in (tf.float32, tf.float64, tf.int32, tf.int64):
        start, limit, delta = (tf.placeholder(kind, None, f"{n}_{kind.name}") for n in ("start", "limit", "delta"))
        both = [part for splits in (tf.int32, tf.int64) for part in raw.RaggedRange(starts=start, limits=limit, deltas=delta, Tsplits=splits)]
        for given in (([0, 5, 8], [3, 5, 12], 1), ([0, 5, 8], [3, 5, 12], 2), ([5, 0, 2], [0, 3, 2], [-2, 1, 1]), (0, [2, 3], 1), (3, 9, 4), ([], 5, 1),
                      (0, 0, 1), (-3, 4, 3), (4, -3, -3)):
            case.run(both, dict(zip((start, limit, delta), given)))
        for given in (([0, 5], [3, 5], [1, 0]), ([0, 5], [3, 5, 12], 1), ([[0]], 3, 1), (0, [[3]], 1), (0, 3, [[1]])):
            case.run(both[:2], dict(zip((start, limit, delta), given)))
        if kind.is_floating:
            case.run(both, {start: [0, 0.1], limit: [1, 0.7], delta: 0.3})
            for limits in (np.inf, np.nan):
                case.run(both[:2], {start: 0, limit: limits, delta: 1})
        else:
            case.run(both[:2], {start: [-2**31, 0], limit: [-2**31 + 3, 2**31 - 1], delta: [1, 2**30]})

with Case("ragged_to_tensor", "RaggedTensorToTensor: row splits, row ids, shapes that cut off and fill up, defaults", rtol=0, atol=0) as case:
    shape, values, default = tf.placeholder(tf.int64, None, "shape"), tf.placeholder(tf.float32, None, "values"), tf.placeholder(tf.float32, None, "default")
    first, second, third = (tf.placeholder(tf.int64, None, n) for n in ("first", "second", "third"))

    def dense(types, parts, shape=shape, values=values, default=default):
        return raw.RaggedTensorToTensor(shape=shape, values=values, default_value=default, row_partition_tensors=parts, row_partition_types=types)

    one = dense(["ROW_SPLITS"], [first])
    for of in (-1, [-1, -1], [2, 2], [5, 4], [3, -1], [-1, 1], [0, 3], [3, 0]):
        case.run(one, {shape: of, values: np.arange(1, 6), default: -1, first: [0, 2, 2, 5]})
    for fill in (9, [7], [[7, 8]], [[7], [8]]):
        case.run(one, {shape: -1, values: np.arange(20).reshape(5, 2, 2), default: fill, first: [0, 2, 2, 5]})
    case.run(one, {shape: -1, values: [], default: 9, first: [0, 0, 0]})
    two = dense(["ROW_SPLITS", "ROW_SPLITS"], [first, second])
    for of in (-1, [2, 2, 2], [4, 1, 3], [-1, 3, -1]):
        case.run(two, {shape: of, values: np.arange(1, 8), default: 0, first: [0, 2, 2, 3], second: [0, 3, 4, 7]})
    ids = dense(["FIRST_DIM_SIZE", "VALUE_ROWIDS", "VALUE_ROWIDS"], [third, first, second])
    for of in (-1, [2, 2, 2], [5, 3, 1]):
        case.run(ids, {shape: of, values: np.arange(1, 6), default: 0, third: 4, first: [0, 0, 2, 3], second: [0, 0, 1, 2, 3]})
    mixed = dense(["FIRST_DIM_SIZE", "VALUE_ROWIDS", "ROW_SPLITS"], [third, first, second])
    case.run(mixed, {shape: -1, values: np.arange(1, 6), default: 0, third: 4, first: [0, 0, 2, 3], second: [0, 1, 1, 4, 5]})
    narrow = dense(["ROW_SPLITS"], [tf.cast(first, tf.int32)], tf.cast(shape, tf.int32), tf.as_string(tf.cast(values, tf.int32)), "?")
    case.run([narrow, dense(["ROW_SPLITS"], [first], values=values > 2, default=True)], {shape: [-1, 4], values: np.arange(5), first: [0, 2, 2, 5]})
    usual = {shape: -1, values: np.arange(5), default: 0, first: [0, 2, 2, 5]}
    for wrong in ({shape: [2]}, {shape: [2, 2, 2]}, {shape: [2, -2]}, {shape: 3}, {default: [1, 2]}, {first: []}, {first: [0, 3, 2, 5]}, {values: 4}):
        case.run(one, {**usual, **wrong})
    case.run(one, {shape: [-1, -1, 3], values: np.zeros([5, 2]), default: 0, first: [0, 5]})
    case.run(one, {shape: -1, values: np.zeros([5, 2]), default: [1, 2, 3], first: [0, 5]})
    case.run(ids, {shape: -1, values: np.arange(3), default: 0, third: 2, first: [0, 2, 2], second: [0, 0, 1]})
    case.run(ids, {shape: -1, values: np.arange(3), default: 0, third: 2, first: [5, 6], second: [0, 0, 1]})
    case.run(mixed, {shape: -1, values: np.arange(3), default: 0, third: 2, first: [0, 1], second: [0, 0, 1, 2]})

with Case("ragged_rows", "RaggedFillEmptyRows with its gradient, RaggedGather, RaggedBincount", rtol=0, atol=0) as case:
    ids, rows, default = tf.placeholder(tf.int64, None, "ids"), tf.placeholder(tf.int64, None, "rows"), tf.placeholder(tf.float32, None, "default")
    values = tf.placeholder(tf.float32, None, "values")
    filled = list(raw.RaggedFillEmptyRows(value_rowids=ids, values=values, nrows=rows, default_value=default))
    texts = list(raw.RaggedFillEmptyRows(value_rowids=ids, values=tf.as_string(tf.cast(values, tf.int32)), nrows=rows, default_value="none"))
    usual = {ids: [0, 0, 2], values: [1, 2, 3], rows: 5, default: -1}
    for given in ({}, {ids: [2, 0, 2]}, {rows: 3}, {ids: [0, 1, 2], rows: 3}, {ids: [], values: []}, {ids: [], values: [], rows: 0}):
        case.run(filled + texts, {**usual, **given})
    for given in ({rows: 2}, {ids: [0, -1, 2]}, {rows: 0}, {rows: [5]}, {ids: [0, 1]}, {ids: [[0, 1, 2]]}, {values: [[1, 2, 3]]}, {default: [1]}, {rows: -1}):
        case.run(filled, {**usual, **given})
    back = list(raw.RaggedFillEmptyRowsGrad(reverse_index_map=ids, grad_values=values))
    halves = list(raw.RaggedFillEmptyRowsGrad(reverse_index_map=ids, grad_values=tf.cast(values, tf.float16)))
    case.run(back + halves, {ids: [0, 3, 1], values: [0.1, 0.2, 0.3, 0.4, 0.5, 1e-3]})
    case.run(back, {ids: [], values: [1, 2]})
    case.run(back, {ids: [], values: []})
    for given in ([0, 6], [-1], [[0]]):
        case.run(back, {ids: given, values: np.ones(6)})
    for splits, index in ((tf.int32, tf.int64), (tf.int64, tf.int32)):
        outer, inner = (tf.placeholder(splits, None, f"{n}_{splits.name}") for n in ("outer", "inner"))
        at = {n: tf.placeholder(index, [None] * n, f"at{n}_{splits.name}") for n in (0, 1, 2)}
        words = tf.placeholder(tf.string, None, f"words_{splits.name}")

        def gathered(n, params, of):
            return list(raw.RaggedGather(params_nested_splits=params, params_dense_values=of, indices=at[n], OUTPUT_RAGGED_RANK=len(params) + n - 1))

        def flat(results):
            return [x for part in results for x in (part if isinstance(part, list) else [part])]

        usual = {outer: [0, 2, 2, 3], inner: [0, 3, 3, 5], values: np.arange(10).reshape(5, 2), words: TEXTS}
        for n, where in ((1, [2, 0, 0]), (1, []), (2, [[0, 1], [2, 2]]), (0, 0)):
            case.run(flat(gathered(n, [outer, inner], words)) + flat(gathered(n, [inner], values)), {**usual, at[n]: where})
        bad = flat(gathered(1, [outer, inner], words))
        for given in ({at[1]: [3]}, {at[1]: [0, -1]}, {outer: [0, 2, 1, 3]}, {inner: [0, 3, 3, 6]}, {outer: [-1, 2, 2, 3]}, {outer: []}):
            case.run(bad, {**usual, at[1]: [0], **given})
    for index in (tf.int32, tf.int64):
        splits, bins, size, weights = (tf.placeholder(t, None, f"{n}_{index.name}") for n, t in (("splits", tf.int64), ("bins", index), ("size", index), ("weights", tf.float64)))
        counts = [raw.RaggedBincount(splits=splits, values=bins, size=size, weights=tf.cast(weights, t), binary_output=binary)
                  for t in (tf.int32, tf.int64, tf.float32, tf.float64) for binary in (False, True)]
        usual = {splits: [0, 2, 2, 5], bins: [1, 1, 0, 4, 9], size: 5, weights: []}
        for given in ({}, {weights: [1, 2, 3, 4, 5]}, {size: 0}, {splits: [0], bins: []}):
            case.run(counts, {**usual, **given})
        for given in ({size: -1}, {size: [5]}, {splits: []}, {splits: [1, 5]}, {splits: [0, 4]}, {bins: [1, -1, 0, 4, 9]}):
            case.run(counts[0], {**usual, **given})
