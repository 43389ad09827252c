# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow does with sizes that only the data knows. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops


def where():
    with Case("size_where", "Where of every type and rank: nothing, something, everything, NaN") as case:
        for dtype in (tf.bool, tf.float32, tf.float16, tf.int64):
            x = tf.placeholder(dtype, [None, 3], name=f"x_{dtype.name}")
            fetches = [raw.Where(condition=x), raw.Where(condition=tf.reshape(x, [-1])), raw.Where(condition=tf.expand_dims(x, 1))]
            kind = dtype.as_numpy_dtype
            if dtype == tf.float16:  # has no kernel
                case.run(fetches[0], {x: np.ones((2, 3), kind)})
                continue
            case.run(fetches, {x: (np.arange(12) % 3 == 0).reshape(4, 3).astype(kind)})
            case.run(fetches, {x: np.zeros((2, 3), kind)})
            case.run(fetches, {x: np.ones((5, 3), kind)})
            case.run(fetches, {x: np.zeros((0, 3), kind)})
        f = tf.placeholder(tf.float32, [None], name="f")
        case.run(raw.Where(condition=f), {f: np.array([0.0, -0.0, np.nan, np.inf, 1.0, 1e-45], np.float32)})
        case.run(raw.Where(condition=tf.constant([[True, False], [False, True]])))


def unique():
    with Case("size_unique", "Unique and its kin: all types, counts, axes, NaN, strings, nothing") as case:
        for dtype in (tf.float32, tf.int8, tf.int64, tf.string):
            x = tf.placeholder(dtype, [None], name=f"x_{dtype.name}")
            fetches = [*raw.UniqueWithCounts(x=x, out_idx=tf.int64), *raw.UniqueV2(x=x, axis=[0]),
                       tf.shape(raw.Unique(x=x)[0]), *raw.ListDiff(x=x, y=x[2:4])]
            for numbers in ([5, 1, 5, 2, 1, 5, 9], [7], [], list(range(100)) * 2, [i * i % 613 for i in range(3000)]):
                values = np.array([str(n).encode() for n in numbers], object) if dtype == tf.string \
                    else np.array(numbers).astype(dtype.as_numpy_dtype)
                case.run(fetches, {x: values})
        f = tf.placeholder(tf.float32, [None], name="f")
        case.run(raw.Unique(x=f), {f: np.array([0.0, -0.0, 1.0, np.inf, np.inf, -1.0], np.float32)})
        m = tf.placeholder(tf.int32, [None, None], name="m")
        rows = np.array([[1, 2, 1], [3, 4, 3], [1, 2, 1]], np.int32)
        case.run([*raw.UniqueV2(x=m, axis=[0]), *raw.UniqueV2(x=m, axis=[1]), *raw.UniqueWithCountsV2(x=m, axis=[-1])],
                 {m: rows})


def partition():
    with Case("size_partition", "DynamicPartition and DynamicStitch, forth and back; a partition that is none") as case:
        data = tf.placeholder(tf.float32, [None, 2], name="data")
        parts = tf.placeholder(tf.int32, [None], name="parts")
        rows = tf.dynamic_partition(data, parts, 3)
        places = tf.dynamic_partition(tf.range(tf.shape(data)[0]), parts, 3)
        back = tf.dynamic_stitch(places, [r * 2.0 for r in rows])
        sums = [tf.reduce_sum(r, 0) for r in rows]
        for ids in ([0, 2, 1, 0, 2], [1, 1, 1], [], [2]):
            case.run([*rows, *places, back, *sums],
                     {data: np.arange(2 * len(ids), dtype=np.float32).reshape(-1, 2), parts: np.array(ids, np.int32)})
        case.run(rows, {data: np.ones((2, 2), np.float32), parts: np.array([0, 3], np.int32)})
        s = tf.placeholder(tf.string, [None], name="s")
        case.run(tf.dynamic_partition(s, parts, 2),
                 {s: np.array([b"a", b"bb", b"", b"d"], object), parts: np.array([1, 0, 1, 1], np.int32)})
        grid = tf.placeholder(tf.int32, [None, 2], name="grid")
        case.run(tf.dynamic_partition(grid, grid % 2, 2), {grid: np.arange(6, dtype=np.int32).reshape(3, 2)})
        case.run(tf.dynamic_partition(grid, grid, 4), {grid: np.arange(6, dtype=np.int32).reshape(3, 2)})
        one = tf.placeholder(tf.int32, [], name="one")
        case.run(tf.dynamic_partition(one, one, 2), {one: 17})


def chains():
    with Case("size_chains", "masks and distinct rows followed by products, reductions, concatenation, assignment") as case:
        x = tf.placeholder(tf.float32, [None, 8], name="x")
        ids = tf.placeholder(tf.int32, [None], name="ids")
        w = tf.constant(np.linspace(-1, 1, 24, dtype=np.float32).reshape(8, 3))
        b = tf.get_variable("b", initializer=tf.constant([0.5, -0.25, 1.0]))
        kept = tf.boolean_mask(x, x[:, 0] > 0.0)
        h = tf.nn.relu(tf.matmul(kept, w) + b)
        distinct, _ = tf.unique(ids)
        both = tf.concat([kept, x], 0)
        update = tf.assign_add(b, tf.reduce_sum(h, 0))
        fetches = [kept, h, tf.reduce_sum(h), tf.reduce_max(both, 0), tf.shape(kept), tf.size(h),
                   tf.reshape(kept, [-1]), tf.zeros_like(kept), tf.ones_like(distinct) + distinct,
                   tf.gather(x, distinct % tf.shape(x)[0]), tf.expand_dims(kept, 1) * tf.constant([[1.0], [2.0]]),
                   tf.nn.softmax(tf.matmul(kept, w)), tf.reduce_mean(tf.matmul(kept, kept, transpose_b=True)),
                   tf.range(tf.size(distinct)), tf.fill([tf.size(distinct), 2], 3.0), tf.tile(kept[:, :1], [1, 2])]
        case.init()
        rng = np.random.RandomState(1)
        for rows in (5, 1, 17, 0, 40):
            case.run(fetches, {x: rng.randn(rows, 8).astype(np.float32), ids: rng.randint(0, 6, max(rows, 1)).astype(np.int32)})
        case.run(fetches, {x: -np.ones((4, 8), np.float32), ids: np.zeros(3, np.int32)})
        case.run(update, {x: rng.randn(9, 8).astype(np.float32)})
        case.run(b)


def masks():
    with Case("size_masks", "two masks whose results must fit, and one that does not") as case:
        x = tf.placeholder(tf.float32, [None], name="x")
        y = tf.placeholder(tf.float32, [None], name="y")
        a, b = tf.boolean_mask(x, x > 0.0), tf.boolean_mask(y, y > 0.0)
        total = a + b
        dot = tf.matmul(tf.expand_dims(a, 0), tf.expand_dims(b, 1))
        stacked = tf.stack([a, b])
        for left, right in (([1, -1, 2], [3, 4]), ([5], [6]), ([], []), ([1, 2, 3], [7])):
            case.run(total, {x: np.array(left, np.float32), y: np.array(right, np.float32)})
        case.run([total, dot, stacked], {x: np.array([1, 2, 0, 3], np.float32), y: np.array([4, 5, 6], np.float32)})
        case.run(dot, {x: np.array([1, 2], np.float32), y: np.array([4, 5, 6], np.float32)})
        case.run(total, {x: np.array([1, 2], np.float32), y: np.array([4, 5, 6], np.float32)})


def computed():
    with Case("size_computed", "shapes whose numbers are computed: reshape, fill, tile, range, broadcast") as case:
        n = tf.placeholder(tf.float32, [2], name="n")
        x = tf.placeholder(tf.float32, [None], name="x")
        k = tf.cast(tf.reduce_sum(n), tf.int32)
        rows = tf.cast(n[0], tf.int32)
        fetches = [tf.range(k), tf.range(1, k, 2), tf.fill([k, 2], 1.5), tf.tile([[1, 2]], [rows, 2]),
                   tf.reshape(x, [rows, -1]), tf.reduce_sum(tf.reshape(x, [rows, -1]), 1), tf.zeros([k]) + 1.0,
                   tf.broadcast_to(tf.constant([1, 2]), [k, 2]), tf.reduce_sum(tf.cast(tf.range(k), tf.float32))]
        case.run(fetches, {n: np.array([2, 3], np.float32), x: np.arange(6, dtype=np.float32)})
        case.run(fetches, {n: np.array([3, 1], np.float32), x: np.arange(12, dtype=np.float32)})
        case.run(tf.fill([k], 1.0), {n: np.array([2, -3], np.float32)})
        case.run(tf.reshape(x, [rows, 4]), {n: np.array([2, 0], np.float32), x: np.arange(6, dtype=np.float32)})


def means():
    with Case("size_means", "means over masks and their gradients: the number of elements is computed before and behind") as case:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        w = tf.get_variable("w", initializer=tf.constant([0.5, -1.5]))
        case.init()
        kept = tf.boolean_mask(x * w, x[:, 0] > 0.0)
        loss = tf.reduce_mean(tf.square(kept))
        both = tf.reduce_mean(tf.concat([kept, x], 0)) + loss
        fetches = [loss, both, tf.gradients(loss, w)[0], tf.gradients(both, [w, x])[1]]
        for rows in (6, 1, 4):
            case.run(fetches, {x: np.linspace(-4, 7, 2 * rows, dtype=np.float32).reshape(rows, 2)})


def float_ranges():
    with Case("size_float_ranges", "ranges of floats: of constants, cast ones, constants that are fed, numbers of the run, and their errors") as case:
        for dtype in (tf.float32, tf.float64, tf.bfloat16):
            ends = [tf.placeholder(dtype, [], name=f"{name}_{dtype.name}") for name in ("start", "limit", "delta")]
            length = tf.range(*ends)
            after = tf.reduce_max(length * 2) - tf.cast(tf.size(length), dtype)
            fixed = tf.constant(0.3, dtype)
            of_constants = tf.range(tf.constant(0, dtype), fixed, tf.constant(0.1, dtype))
            whole = tf.constant(2)
            cast = tf.range(0, tf.cast(whole, dtype), tf.constant(0.5, dtype), dtype=dtype)

            def feed(*numbers):
                return dict(zip(ends, (np.array(number, dtype.as_numpy_dtype) for number in numbers)))

            for numbers in ((0, 0.3, 0.1), (1, 0, -0.25), (0, 0, 1), (5, -3, -2), (0, 100, 1)):
                case.run([length, after], feed(*numbers))
            for numbers in ((0, 1, 0), (0, -1, 1), (0, 1, -1), (0, np.nan, 1), (0, 1e30, 1e-30)):
                case.run(length, feed(*numbers))
            case.run([of_constants, cast])
            case.run(of_constants, {fixed: np.array(1, dtype.as_numpy_dtype)})
            case.run(cast, {whole: np.array(4, np.int32)})
        limit = tf.placeholder(tf.float32, [])
        chosen = tf.cond(limit > 2, lambda: tf.reduce_sum(tf.range(0.0, limit, 0.5)), lambda: limit)
        for number in (3, 1):
            case.run(chosen, {limit: np.array(number, np.float32)})


def empty_ranges():
    with Case("size_random_ranges", "integers of ranges that hold none: an error where a number is asked for, and only there") as case:
        n = tf.placeholder(tf.int32, [], name="n")
        of_constants = tf.random_uniform([3, n], 5, 5, tf.int32, seed=1)
        of_the_run = tf.random_uniform([3, n], tf.constant(0, tf.int64), tf.cast(n - 1, tf.int64), tf.int64, seed=2)
        for number in (0, 1, 3):
            case.run(of_constants, {n: np.array(number, np.int32)})
            case.run(of_the_run, {n: np.array(number, np.int32)})
        case.run(tf.random_uniform([2, 0], 7, 7, tf.int64, seed=3))
        case.run(tf.random_uniform([2, 1], 7, 7, tf.int64, seed=3))


def gradients():
    with Case("size_gradients", "gradients of products of masks: which operand is summed over, only the run knows") as case:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        masks = [tf.placeholder(tf.bool, [None], name=f"mask{i}") for i in range(2)]
        w = tf.get_variable("w", initializer=tf.constant([0.5, -1.5, 2.0]))
        case.init()
        kept = [tf.boolean_mask(x * w, mask) for mask in masks]
        product = kept[0] * kept[1]
        together = tf.reduce_mean(tf.square(tf.boolean_mask(x * w, masks[0]) - tf.boolean_mask(x, masks[0])))
        chosen = tf.cond(masks[0][0], lambda: tf.reduce_sum(kept[0] + tf.boolean_mask(x, masks[1])), lambda: tf.reduce_sum(kept[1]))
        axes = raw.BroadcastGradientArgs(s0=tf.shape(kept[0])[:1], s1=tf.shape(kept[1]))
        fetches = [product, *tf.gradients(product, [x, w]), together, *tf.gradients(together, [x, w]), *axes]
        step = tf.assign_sub(w, 0.1 * tf.gradients(tf.reduce_sum(product), w)[0])
        of_branch = [chosen, *tf.gradients(chosen, [x, w])]
        data = np.linspace(-4, 7, 12, dtype=np.float32).reshape(4, 3)
        def fed(*bits):
            return {mask: np.array([bool(b >> i & 1) for i in range(4)]) for mask, b in zip(masks, bits)}

        for bits in ((0b1011, 0b1101), (0b0100, 0b1101), (0b1101, 0b0010), (0b0001, 0b1000), (0b0000, 0b0100), (0b1000, 0b0000),
                     (0b1111, 0b1111)):
            feed = fed(*bits)
            case.run(fetches, {x: data, **feed})
            case.run(step, {x: data, **feed})
            case.run(of_branch, {x: data, **feed})
        case.run(fetches, {x: np.ones((0, 3), np.float32), **{mask: np.ones(0, bool) for mask in masks}})
        case.run(product, {x: data, **fed(0b1100, 0b0111)})
        i, axes = (tf.placeholder(tf.int32, shape, name=name) for name, shape in (("i", [None, None]), ("axes", [None])))
        found = tf.boolean_mask(axes, axes < 9)
        sums = [tf.reduce_sum(i, found, keepdims=True), tf.reduce_sum(tf.cast(i, tf.float16), found, keepdims=True),
                tf.reduce_sum(tf.cast(i, tf.float64), found[0], keepdims=True)]
        for of in ([0], [1], [-1, 0], [1, 9, 0], [9, -2]):
            case.run(sums, {i: np.arange(1, 13, dtype=np.int32).reshape(3, 4) * 2**28, axes: np.array(of, np.int32)})
        case.run(sums[0], {i: np.ones((0, 2), np.int32), axes: np.array([0], np.int32)})
        case.run(sums[0], {i: np.ones((0, 2), np.int32), axes: np.array([1, 9], np.int32)})
        case.run(sums[0], {i: np.ones((1, 2), np.int32), axes: np.array([2], np.int32)})
        case.run(sums[0], {i: np.ones((1, 2), np.int32), axes: np.array([0, -2], np.int32)})


def shapes():
    with Case("size_shapes", "shapes that the run computes: where parts of a concatenation begin, and what shape a broadcast has") as case:
        for dtype in (tf.int32, tf.int64):
            s = [tf.placeholder(dtype, None, name=f"s{i}_{dtype.name}") for i in range(3)]
            axis = tf.placeholder(tf.int32, None, name=f"axis_{dtype.name}")
            # Sums of what is fed, which no shape function follows.
            computed = [tf.reduce_sum(tf.stack([x, tf.zeros_like(x)]), 0) for x in s]
            offsets = raw.ConcatOffset(concat_dim=axis, shape=computed)
            feeds = [[2, 3, 4], [2, 5, 4], [2, 0, 4]]
            for at, values in ((1, feeds), (-2, feeds), (0, feeds), (3, feeds), (-4, feeds), (1, [[2, 3, 4], [2, 5], [2, 0, 4]]), (0, [[7], [-3], [9]]), (0, [[], [], []])):
                case.run(offsets, {axis: at, **dict(zip(s, values))})
            case.run(raw.ConcatOffset(concat_dim=1, shape=[[2, 3, 4], computed[0], [2, 9, 4]]), {s[0]: [2, 5, 4]})
            both = raw.BroadcastArgs(s0=computed[0], s1=computed[1])
            for a, b in (([2, 3], [1, 3]), ([3], [4, 1]), ([], [2, 2]), ([1, 1], [5]), ([2, -1], [1, 1, 1]), ([2, 3], [4, 3]), ([0], [1]), ([0], [2])):
                case.run(both, {s[0]: a, s[1]: b})
            x = tf.placeholder(tf.float32, [None], name=f"x_{dtype.name}")
            case.run(tf.broadcast_to(x, both), {x: [1, 2], s[0]: [2], s[1]: [3, 1]})


where()
unique()
shapes()
partition()
chains()
masks()
computed()
means()
gradients()
float_ranges()
empty_ranges()
