# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow does where parts of a tensor are replaced: slices, rows in place; and the early ops of arrays.
Run it with a Python that has TensorFlow."""
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


def in_place():
    with Case("indexing_in_place", "InplaceUpdate, InplaceAdd and InplaceSub, whose inputs nobody else reads", rtol=0, atol=0) as c:
        x, v = tf.placeholder(tf.float32, [None, 3], "x"), tf.placeholder(tf.float32, [None, 3], "v")
        i = tf.placeholder(tf.int32, [None], "i")
        ops = [raw.InplaceUpdate, raw.InplaceAdd, raw.InplaceSub]
        # TensorFlow writes into the input, and may share it: one op a run.
        fetches = [op(x=tf.cast(x + 1.0, dtype), i=i, v=tf.cast(v, dtype)) for op in ops for dtype in FLOATS + INTS]
        fetches.append(raw.InplaceUpdate(x=x > 1.0, i=i, v=v > 1.0))
        base = np.arange(15, dtype=np.float32).reshape(5, 3)

        def run(fetch, places, of=base):
            c.run(fetch, {x: of, i: places, v: np.arange(3.0 * len(places)).reshape(-1, 3) % 4})

        for fetch in fetches:
            run(fetch, [4, -1, 7, 0, 4])
        for fetch in (fetches[2], fetches[14], fetches[30]):
            for places in ([1], [7, -8], []):
                run(fetch, places)
            run(fetch, [], base[:0])
            run(fetch, [3], base[:0])
        a, at, b = tf.placeholder(tf.float32, None, "a"), tf.placeholder(tf.int32, None, "at"), tf.placeholder(tf.float32, None, "b")
        for op in ops[:2]:
            y = op(x=tf.identity(a), i=at, v=b)
            for feeds in ((base, [[0]], base[:1]), (base, [0], base[0]), (base, [0], base[:2]), (base, [0], base[:1, :2]), (1.0, [0], 2.0)):
                c.run(y, dict(zip((a, at, b), feeds)))
        c.run(raw.InplaceAdd(x=tf.identity(a) > 0.0, i=at, v=b > 0.0), {a: base, at: [0], b: base[:1]})


def updates():
    with Case("array_slice_updates", "TensorStridedSliceUpdate: all masks, backwards, with gaps, values that broadcast", rtol=0, atol=0) as case:
        x = tf.placeholder(tf.float32, [None, 6], "x")
        i = tf.placeholder(tf.int32, [], "i")
        v = tf.placeholder(tf.float32, None, "v")

        def update(value, begin, end, strides, of=x, **masks):
            return raw.TensorStridedSliceUpdate(input=of, begin=begin, end=end, strides=strides, value=value, **masks)

        row = tf.range(6.0) * 10
        fetches = [update(-1.0, [0, 1], [2, 6], [1, 2]), update([[7.0]], [1], [2], [1]), update(row, [-1, 0], [0, 6], [1, 1], shrink_axis_mask=1),
                   update(row[:3], [0, 5], [2, 0], [1, -2]), update(row, [0, 0], [0, 0], [1, 1], begin_mask=3, end_mask=3),
                   update(row[tf.newaxis, :2], [0, 0, 0], [0, 1, 2], [1, 1, 1], new_axis_mask=1), update(5.0, [0, 3], [0, 4], [1, 1], ellipsis_mask=1),
                   update(row[:4], [i, 1], [i + 1, 5], [1, 1]), update(-2.0, [2, 0], [2, 6], [1, 1]),
                   update("new", [0, 1], [1, 3], [1, 1], of=tf.as_string(x)), update(True, [0, 1], [1, 3], [1, 1], of=x > 3.0),
                   update(tf.cast(9, tf.int8), [0, 1], [1, 3], [1, 1], of=tf.cast(x, tf.int8))]
        for rows in (3, 5):
            case.run(fetches, {x: np.arange(6.0 * rows).reshape(rows, 6), i: rows - 2})
        fed = update(v, [0, 1], [2, 6], [1, 2])
        for shape in ([], [3], [1, 3], [2, 1], [2, 3], [1, 1, 2, 3], [2, 2], [4], [0], [2, 2, 3]):
            case.run(fed, {x: np.arange(24.0).reshape(4, 6), v: np.arange(float(np.prod(shape))).reshape(shape) - 9})
        case.run(update(v, [1, 0], [1, 6], [1, 1]), {x: np.arange(24.0).reshape(4, 6), v: np.ones(7)})


def others():
    with Case("array_early", "Reverse, Empty, DeepCopy and ParallelConcat", rtol=0, atol=0) as case:
        x = tf.placeholder(tf.float32, [None, 3], "x")
        fetches = [raw.Reverse(tensor=of, dims=[a, b]) for a, b in ((True, False), (False, True), (True, True), (False, False))
                   for of in (x, x > 2.0, tf.as_string(x))]
        fetches += [raw.Reverse(tensor=1.5, dims=np.zeros([0], bool)), raw.DeepCopy(x="text"),
                    raw.Empty(shape=[2, 0, 3], dtype=tf.float32), raw.Empty(shape=tf.shape(x), dtype=tf.int64, init=True),
                    raw.Empty(shape=tf.shape(x), dtype=tf.bool, init=True), raw.Empty(shape=[], dtype=tf.string, init=True)]
        c = tf.constant([[1.0, 2.0]])
        fetches += [raw.ParallelConcat(values=[c, c * 3, c + 5], shape=[3, 2]), raw.ParallelConcat(values=[c], shape=[1, 2]),
                    raw.ParallelConcat(values=[["a"], ["b"]], shape=[2])]
        for rows in (2, 1, 5):
            case.run(fetches, {x: np.arange(3.0 * rows).reshape(rows, 3)})
        case.run(fetches[0], {x: np.zeros([0, 3])})
        copy = raw.DeepCopy(x=x)
        for rows in (2, 0):
            case.run(copy, {x: np.arange(3.0 * rows).reshape(rows, 3)})
        t, flags = tf.placeholder(tf.float32, None, "t"), tf.placeholder(tf.bool, None, "flags")
        for given in ([True, False], [False, True], [True], [[True, False]], True):
            case.run(raw.Reverse(tensor=t, dims=flags), {t: np.arange(6.0).reshape(2, 3), flags: given})
        shape = tf.placeholder(tf.int32, None, "shape")
        for given in ([2, 1], [-1], [[1]], []):
            case.run(raw.Empty(shape=shape, dtype=tf.float32, init=True), {shape: given})


def legacy():
    """What kernels take for scalars and vectors; and what they say of other shapes, where the graph does not know them."""
    with Case("array_legacy_scalars", "Fill, Range, Reshape and others of fed shapes that are not as they should be", rtol=0, atol=0) as case:
        a, b, c, d = (tf.placeholder(tf.int32, None, n) for n in "abcd")
        fills = raw.Fill(dims=a, value=b)
        for x, y in ((2, 3), ([2], [3]), (2, [3]), ([], [3]), ([2], [3, 4]), ([2], [[3]]), ([[2]], 3)):
            case.run(fills, {a: x, b: y})
        ranges = raw.Range(start=a, limit=b, delta=c)
        for x, y, z in (([0], 3, 2), (0, [3], 2), (0, 3, [2]), ([1], [7], [2]), ([0, 1], 3, 2), ([[0]], 3, 2), (0, [], 2)):
            case.run(ranges, {a: x, b: y, c: z})
        for op, feeds in ((raw.Tile(input=a, multiples=b), (([7], 2), ([7], [[2]]), ([7], [2, 3]))), (raw.Reshape(tensor=a, shape=b), ((7, 1), (7, [[1]])))):
            for x, y in feeds:
                case.run(op, {a: x, b: y})
        for n in ([4], [4, 4], 4):
            case.run(raw.UnsortedSegmentSum(data=a, segment_ids=b, num_segments=c), {a: 7, b: 1, c: n})
        dense = raw.SparseToDense(sparse_indices=a, output_shape=b, sparse_values=c, default_value=d)
        for given in ((1, 4, 7, 0), ([1, 3], [5], [1, 2], [0]), ([1, 3], [5], [[5], [3]], -1), ([[1], [3]], [[5]], [5, 3], -1), ([1, 3], [5], [1, 2, 3], 0), (1, [5], [[1]], 0)):
            case.run(dense, dict(zip((a, b, c, d), given)))
        value = tf.placeholder(tf.float32, None, "value")
        for axis in ([0], [], [0, 1], [[0]], [5]):
            case.run(raw.Split(axis=a, value=value, num_split=3)[1], {a: axis, value: np.ones((3, 2))})
            case.run(raw.SplitV(axis=a, size_splits=[1, 2], value=value, num_split=2)[0], {a: axis, value: np.ones((3, 2))})
        name = tf.constant("name")
        for x, y in ((4, [100]), ([4], 100), (4, 100)):
            case.run(raw.ShardedFilename(basename=name, shard=a, num_shards=b), {a: x, b: y})
        case.run(raw.ShardedFilespec(basename=name, num_shards=b), {b: [100]})


in_place()
legacy()
updates()
others()
