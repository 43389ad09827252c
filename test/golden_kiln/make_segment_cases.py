# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow does to segments of rows: sums, products, least and largest ones. Run it with a Python that
has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops
FLOATS = [tf.float16, tf.bfloat16, tf.float32, tf.float64]
INTS = [tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.uint16, tf.uint32, tf.uint64]
wanted = sys.argv[1:]


def case(name, about, **options):
    """Whether the case is asked for: all are where none is named."""
    return [Case(name, about, **options)] if not wanted or name in wanted else []


def numbers(shape, dtype, seed=0):
    rng = np.random.RandomState(seed)
    values = rng.randint(1, 9, shape) if dtype.is_integer else np.round(rng.randn(*shape) * 8) / 4 + 0.125
    return values.astype(dtype.as_numpy_dtype)


def int32(shape, name):
    return tf.placeholder(tf.int32, shape, name)


def unsorted_segments():
    for case_ in case("indexing_unsorted_segments", "UnsortedSegment* of every dtype, dropped ids, gradients, errors", rtol=0, atol=0):
        with case_ as c:
            i, wide, count = int32([None], "i"), tf.placeholder(tf.int64, [None, 2], "wide"), int32([], "count")
            fetches = []
            for dtype in FLOATS + INTS:
                x = tf.constant(numbers([4, 3], dtype))
                for kind in ("Sum", "Prod", "Min", "Max"):
                    op = getattr(raw, "UnsortedSegment" + kind)
                    fetches.append(op(data=x, segment_ids=i, num_segments=5))
            x = tf.placeholder(tf.float32, [None, 2, 3], "x")
            by = [getattr(raw, "UnsortedSegment" + kind)(data=x, segment_ids=wide, num_segments=count) for kind in ("Sum", "Prod", "Min", "Max")]
            grads = [tf.gradients(tf.reduce_sum(y * y), x)[0] for y in by]
            c.run(fetches, {i: [3, 0, -1, 3]})
            for rows, segments in ((2, 3), (1, 1), (0, 2), (9, 4)):
                rng = np.random.RandomState(rows)
                feeds = {x: rng.randint(1, 5, [rows, 2, 3]), wide: rng.randint(-1, segments, [rows, 2]), count: segments}
                c.run(by, feeds)
                c.run(grads[0], feeds)
            feeds = {x: np.ones([2, 2, 3]), wide: [[0, 1], [3, 0]], count: 3}
            c.run(by[0], feeds)
            c.run(by[3], feeds)
            feeds[count] = -1
            c.run(by[0], feeds)
            c.run(by[0], {x: np.ones([3, 2, 3]), wide: [[0, 1], [3, 0]], count: 3})
            c.run(by[0], {x: np.ones([1, 2, 3]), wide: [[-1, -5]], count: 0})


def sorted_segments():
    for case_ in case("indexing_segments", "Segment* of sorted ids of every dtype, gaps, gradients, errors", rtol=1e-3, atol=0):
        with case_ as c:
            i = int32([None], "i")
            fetches = []
            for dtype in FLOATS + INTS:
                x = tf.constant(numbers([5, 3], dtype))
                for kind in ("Sum", "Prod", "Min", "Max", "Mean"):
                    fetches.append(getattr(raw, "Segment" + kind)(data=x, segment_ids=i))
            x = tf.placeholder(tf.float32, [None, 2], "x")
            by = [getattr(raw, "Segment" + kind)(data=x, segment_ids=i) for kind in ("Sum", "Prod", "Min", "Max", "Mean")]
            grads = [tf.gradients(tf.reduce_sum(y * y), x)[0] for y in (by[0], by[4])]
            c.run(fetches, {i: [0, 0, 2, 2, 3]})
            c.run(fetches, {i: [1, 1, 1, 1, 1]})
            for ids in ([0, 1, 1, 4], [2], [], [0] * 40):
                feeds = {i: ids, x: numbers([len(ids), 2], tf.float32)}
                c.run(by, feeds)
                c.run(grads, feeds)
            c.run([y * 2.0 for y in by] + [tf.shape(by[0])], {i: [0, 0, 3], x: np.ones([3, 2])})
            for ids in ([0, 2, 1], [-1, 0, 1], [0, 0, -1], [0, 1, -2], [-3, -2, -1], [0, 1], [1, 0, 0]):
                c.run(by[0], {i: ids, x: np.ones([3, 2])})


def sparse_segments():
    for case_ in case("indexing_sparse_segments", "SparseSegment* with their gradients and errors", rtol=2e-3, atol=1e-6):
        with case_ as c:
            at, ids = int32([None], "at"), tf.placeholder(tf.int64, [None], "ids")
            count = int32([], "count")
            x = tf.placeholder(tf.float32, [None, 3], "x")
            fetches, grads, told = [], [], []
            for kind in ("Sum", "Mean", "SqrtN"):
                y = getattr(raw, "SparseSegment" + kind)(data=x, indices=at, segment_ids=ids)
                fetches.append(y)
                op = getattr(raw, "SparseSegment" + kind + "Grad")
                grads.append(op(grad=x, indices=at, segment_ids=ids, output_dim0=count))
                told.append(getattr(raw, "SparseSegment" + kind + "WithNumSegments")(data=x, indices=at, segment_ids=ids, num_segments=count))
            halves = [getattr(raw, "SparseSegment" + kind)(data=tf.cast(x, dtype), indices=at, segment_ids=ids)
                      for kind in ("Sum", "Mean", "SqrtN") for dtype in (tf.float16, tf.bfloat16, tf.float64)]
            good = {x: numbers([6, 3], tf.float32), at: [5, 0, 0, 3], ids: [0, 0, 2, 2], count: 7}
            c.run(fetches + told + grads, good)
            c.run(halves, good, rtol=1e-2)
            c.run(fetches, {x: numbers([6, 3], tf.float32), at: [], ids: []})
            c.run(told, {x: numbers([6, 3], tf.float32), at: [], ids: [], count: 2})
            for places, segments, asked in (([0, 6], [0, 1], 3), ([0, -1], [0, 1], 3), ([0, 1], [1, 0], 3), ([0, 1], [-1, 0], 3), ([0, 1], [0, 3], 3),
                                            ([0], [0, 1], 3), ([0, 1], [0, 1], 1)):
                feeds = {x: numbers([6, 3], tf.float32), at: places, ids: segments, count: asked}
                c.run(fetches[0], feeds)
                c.run(told[1], feeds)
                c.run(grads[0], feeds)


def sparse_segment_gradients():
    for case_ in case("indexing_sparse_segment_gradients", "SparseSegment*GradV2: the rows that the indices name, errors of them and of the segments, and segments that are too many", rtol=2e-3, atol=1e-6):
        with case_ as c:
            at, ids, count = tf.placeholder(tf.int64, [None], "at"), int32([None], "ids"), int32(None, "count")
            x = tf.placeholder(tf.float32, None, "x")
            kinds = ("Sum", "Mean", "SqrtN")
            grads = [getattr(raw, "SparseSegment" + kind + "GradV2")(grad=x, indices=at, segment_ids=ids, dense_output_dim0=count) for kind in kinds]
            narrow = raw.SparseSegmentMeanGradV2(grad=x, indices=tf.cast(at, tf.int32), segment_ids=tf.cast(ids, tf.int64), dense_output_dim0=count)
            good = {x: numbers([4, 3], tf.float32), at: [8, 3, 0, 9, 3], ids: [0, 1, 2, 2, 2], count: 10}
            c.run([y for pair in grads for y in pair] + list(narrow), good)
            c.run([tf.shape(grads[0].output), tf.reduce_sum(grads[1].output * 2.0, 0), grads[2].sorted_unique_indices + 1], {**good, ids: [0, 2, 1, 3, 3]})
            for dtype in (tf.float16, tf.bfloat16, tf.float64):
                c.run(raw.SparseSegmentSqrtNGradV2(grad=tf.cast(x, dtype), indices=at, segment_ids=ids, dense_output_dim0=count).output, good, rtol=1e-2)
            c.run(list(grads[0]), {**good, at: [0] * 5, count: 1})
            c.run(list(grads[1]), {**good, at: [], ids: []})
            c.run(list(grads[1]), {**good, x: np.zeros([4, 0])})
            c.run(list(grads[1]), {**good, x: np.zeros([0, 3]), at: [], ids: []})
            for change in ({at: [8, 3, 0, 10, 3]}, {at: [8, -1, 0, 9, 3]}, {at: [2**40, 0, 0, 9, 3]}, {ids: [0, 1, 1, 1, 4]}, {ids: [-1, 0, 1, 1, 1]}, {ids: [0, 7, 1, 1, 1]}, {x: np.zeros([0, 3]), ids: [0, 1, 2, 2, -1]}, {count: -1}, {count: [10]}, {ids: [0, 1]}):
                c.run(list(grads[0]), {**good, **change})
            rows = tf.placeholder(tf.float32, [None, 4], "rows")
            far = tf.placeholder(tf.int64, [None], "far")
            for op in (raw.SparseSegmentSum, raw.SparseSegmentMean):
                c.run(op(data=rows, indices=at, segment_ids=far), {rows: np.ones([10, 4]), at: [2**62 - 1], far: [2**62 - 1]})
                c.run(op(data=rows, indices=at, segment_ids=far), {rows: np.ones([10, 4]), at: [1, 2], far: [0, -1]})
                c.run(op(data=rows, indices=at, segment_ids=far), {rows: np.ones([10, 4]), at: [1, 2], far: [0, -2]})
            told = raw.SparseSegmentSumWithNumSegments(data=rows, indices=at, segment_ids=far, num_segments=3)
            c.run(told, {rows: np.ones([10, 4]), at: [1, 2], far: [0, -1]})
            c.run(told, {rows: np.ones([10, 4]), at: [1, 2], far: [0, -2]})


def extremes():
    """Pairs of numbers, infinities, zeros of both signs and NaNs: what is there against what comes. Sorted segments in columns of their own:
    TensorFlow's vectors of eight columns choose otherwise than its rests."""
    for case_ in case("indexing_extremes", "least and largest of NaNs and zeros of both signs: scatters into variables and tensors, segments", rtol=0, atol=0):
        with case_ as c:
            some = [-np.inf, -1.0, -0.0, 0.0, 2.0, np.inf, np.nan]
            old, new = (x.ravel() for x in np.meshgrid(some, some, indexing="ij"))
            a, b, one = tf.placeholder(tf.float32, [None], "a"), tf.placeholder(tf.float32, [None], "b"), tf.placeholder(tf.float32, [], "one")
            at = tf.range(tf.size(a))
            tuples, both = tf.reshape(at, [-1, 1]), tf.reshape(tf.stack([a, b], 1), [-1])
            ids = tf.reshape(tf.stack([at, at], 1), [-1])
            fetches, starts = [], []
            for dtype in FLOATS:
                x, y, z = (tf.cast(number, dtype) for number in (a, b, one))
                x7, y7 = tf.reshape(x, [7, 7]), tf.reshape(y, [7, 7])
                for kind in ("Max", "Min"):
                    unsorted, in_order = getattr(raw, "UnsortedSegment" + kind), getattr(raw, "Segment" + kind)
                    found = [getattr(raw, "TensorScatter" + kind)(tensor=x, indices=tuples, updates=y), in_order(data=tf.cast(both, dtype), segment_ids=ids),
                             unsorted(data=tf.cast(both, dtype), segment_ids=ids, num_segments=tf.size(a)),
                             unsorted(data=tf.concat([x7, y7], 0), segment_ids=[0, 1, 2, 3, 4, 5, 6] * 2, num_segments=7)]
                    for op, start, indices, updates in (("Scatter", x, at, y), ("Scatter", x7, tf.range(7), y7), ("Scatter", x, at, z), ("ScatterNd", x, tuples, y)):
                        ref, handle = (tf.Variable(tf.zeros([7, 7] if start is x7 else [49], dtype), use_resource=kept) for kept in (False, True))
                        starts += [tf.assign(ref, start).op, handle.assign(start).op]
                        found.append(getattr(raw, op + kind)(ref=ref._ref(), indices=indices, updates=updates))
                        name = "ref" if op == "ScatterNd" else "resource"
                        with tf.control_dependencies([getattr(raw, "Resource" + op + kind)(**{name: handle.handle}, indices=indices, updates=updates)]):
                            found.append(handle.read_value())
                    fetches.append(tf.stack([tf.reshape(y, [49]) for y in found]))
            c.run(tf.global_variables_initializer())
            for number in (0.0, np.nan):
                feeds = {a: old, b: new, one: number}
                c.run(starts, feeds)
                c.run(fetches, feeds)


unsorted_segments()
extremes()
sparse_segment_gradients()
sorted_segments()
sparse_segments()
