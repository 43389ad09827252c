# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow does where elements move by batches, as bools and in parts that a feed decides. Run it with a
Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops


def gathers():
    with Case("array_gather_batches", "GatherV2 with leading dimensions that params and indices share", rtol=0, atol=0) as case:
        x = tf.placeholder(tf.float32, [None, 3, 4, 5], "x")
        one = tf.placeholder(tf.int32, [None, 2], "one")
        two = tf.placeholder(tf.int64, [None, 3, 2], "two")
        three = tf.placeholder(tf.int32, [None, 3, 4], "three")

        def gather(indices, axis, batch_dims):
            return raw.GatherV2(params=x, indices=indices, axis=axis, batch_dims=batch_dims)

        fetches = [gather(one, axis, 1) for axis in (1, 2, 3, -1)] + [gather(one, 1, -1)]
        fetches += [gather(two, axis, 2) for axis in (2, 3, -2)] + [gather(two, 2, -1), gather(two, 1, 1), gather(two, 3, -2)]
        fetches += [gather(three, 3, 3), gather(three, -1, -1), gather(three, -1, 2)]
        fetches += [tf.gather(x, one, batch_dims=1), tf.reduce_sum(gather(two, 2, 2) * 2.0, [0, 3])]
        for rows in (2, 1, 7):
            rng = np.random.RandomState(rows)
            feeds = {x: rng.rand(rows, 3, 4, 5).astype(np.float32), one: rng.randint(0, 3, [rows, 2]),
                     two: rng.randint(0, 3, [rows, 3, 2]), three: rng.randint(0, 4, [rows, 3, 4])}
            case.run(fetches, feeds, rtol=1e-6)  # the sum's order is Kiln's own
        each = tf.placeholder(tf.int32, [None], "each")
        single = gather(each, 1, 1)
        case.run(single, {x: feeds[x], each: [0, 2, 1, 0, 2, 1, 0]})
        case.run(single, {x: feeds[x], each: [0, 2, 1, 0, 2, 3, 0]})
        case.run(single, {x: feeds[x], each: [0, 2, 1]})


def gather_errors():
    with Case("array_gather_batch_errors", "what GatherV2 says where batch_dims, axis and shapes do not fit") as case:
        x = tf.placeholder(tf.float32, None, "x")
        i = tf.placeholder(tf.int32, None, "i")
        axis = tf.placeholder(tf.int32, [], "axis")
        by = {n: raw.GatherV2(params=x, indices=i, axis=axis, batch_dims=n) for n in (-3, -2, 1, 2, 3)}
        square, rows = np.arange(12, dtype=np.float32).reshape(3, 4), np.zeros([3, 2], np.int32)
        for n, where in ((1, 1), (1, -1), (1, 0), (2, 1), (3, 1), (-3, 1), (-2, 0), (-2, 1), (1, 2), (1, -3)):
            case.run(by[n], {x: square, i: rows, axis: where})
        case.run(by[1], {x: square, i: rows[:2], axis: 1})
        case.run(by[1], {x: np.float32(1), i: rows, axis: 0})


def bools():
    with Case("array_bool_joins", "ConcatV2, Pack and Split of bools, constants and feeds", rtol=0, atol=0) as case:
        b = tf.placeholder(tf.bool, [None, 3], "b")
        c = tf.constant([[True, False, True]])
        n = tf.placeholder(tf.float32, [None, 3], "n")
        positive = n > 0.0
        fetches = [tf.concat([b, positive], 1), tf.concat([b, c, positive], 0), tf.stack([b, positive, tf.logical_not(b)], 1),
                   tf.stack([b[0], c[0]]), tf.concat([c, c], 1), tf.stack([c, tf.zeros_like(c)]), *tf.split(b, 3, 1), *tf.unstack(c),
                   tf.cast(tf.concat([b, positive], 0), tf.int32), tf.reduce_any(tf.stack([b, positive]), 0),
                   tf.concat([tf.constant([True]), tf.fill([17], False), b[:, 0]], 0), tf.tile(b, [2, 1]), tf.pad(b, [[1, 0], [0, 2]])]
        for rows in (1, 4, 33):
            case.run(fetches, {b: np.arange(3 * rows).reshape(rows, 3) % 2 == 0, n: np.arange(3.0 * rows).reshape(rows, 3) % 5 - 2})


def splits():
    with Case("array_split_sizes", "Split and SplitV whose extents or sizes a feed decides", rtol=0, atol=0) as case:
        x = tf.placeholder(tf.float32, [None, None], "x")
        sizes = tf.placeholder(tf.int32, [3], "sizes")
        half = tf.shape(x)[0] // 2
        even = tf.split(x, 2, 0)
        parts = tf.split(x, [half, -1, 1], 0)
        equal = raw.SplitV(value=x, size_splits=tf.stack([half, half]), axis=0, num_split=2)
        fed = raw.SplitV(value=x, size_splits=sizes, axis=-1, num_split=3)
        fetches = [*even, *parts, *equal, even[0] + even[1], tf.reduce_sum(equal[1] * 2.0, 0)]
        for rows, columns in ((2, 3), (6, 1), (40, 17)):
            case.run(fetches, {x: np.arange(float(rows * columns)).reshape(rows, columns)})
        wide = {x: np.arange(24.0).reshape(2, 12)}
        for given in ([3, 4, 5], [0, 12, 0], [-1, 5, 5], [12, -1, 0], [3, 4, 4], [-1, -1, 2], [-2, 10, 4], [20, -1, 0]):
            case.run(fed, {**wide, sizes: given})
        case.run(even, {x: np.zeros([3, 2])})
        case.run(parts, {x: np.zeros([0, 2])})
        rank = tf.placeholder(tf.float32, None, "rank")
        open_rank = tf.split(rank, 2, -1)
        case.run(open_rank, {rank: np.arange(8.0)})
        case.run(open_rank, {rank: np.arange(16.0).reshape(2, 2, 4)})
        # The number of rows is known to the run alone, the sizes are not data.
        counts = tf.placeholder(tf.int32, [2], "counts")
        chosen = raw.SplitV(value=x, size_splits=counts * 2 + 1, axis=0, num_split=2)
        case.run(chosen, {x: np.arange(16.0).reshape(8, 2), counts: [1, 2]})


def many_splits():
    with Case("array_split_many", "SplitV into more parts than a shape follows numbers", rtol=0, atol=0) as case:
        x = tf.placeholder(tf.float32, [None, None], "x")
        numbers = [i % 3 for i in range(80)]
        fixed = raw.SplitV(value=x, size_splits=numbers, axis=1, num_split=80)
        sizes = tf.placeholder(tf.int32, [None], "sizes")
        fed = raw.SplitV(value=x, size_splits=sizes, axis=-1, num_split=80)
        picked = [fixed[0], fixed[5], fed[79], tf.concat(fed[40:], 1), tf.reduce_sum(fed[44] * 2.0)]
        wide = {x: np.arange(2.0 * sum(numbers)).reshape(2, -1)}
        case.run(picked, {**wide, sizes: numbers})
        open_at = [-1 if i == 44 else n for i, n in enumerate(numbers)]
        case.run(picked, {**wide, sizes: open_at})
        case.run(picked, {x: np.zeros([0, sum(numbers)]), sizes: open_at})
        wide_list = [1 + i % 2 for i in range(1000)]
        long = raw.SplitV(value=tf.reshape(x, [3, -1, 2]), size_splits=wide_list, axis=1, num_split=1000)
        case.run([long[0], long[999], tf.add_n(long[1::2]), tf.concat(long, 1)], {x: np.arange(9000.0).reshape(9, 1000)})
        for wrong in ([1] * 80, [-1, -1] + numbers[2:], [-2, 3] + numbers[2:], [9] + open_at[1:], [-3] + open_at[1:], numbers[:-1]):
            case.run(fed[3], {**wide, sizes: wrong})
        case.run(fixed[1], {x: np.zeros([2, 3])})


def slice_gradients():
    with Case("array_slice_gradients", "StridedSliceGrad: backwards, with gaps, empty, at places that the run finds", rtol=0, atol=0) as case:
        x = tf.placeholder(tf.float32, [None, 7], "x")
        i = tf.placeholder(tf.int32, [], "i")
        count = tf.size(tf.boolean_mask(x[:, 0], x[:, 0] > 0.0))
        slices = [x[1:], x[:, 2:5], x[::2, 1::3], x[::-1], x[:, 5:1:-2], x[0], x[..., tf.newaxis, 3], x[-1, ::-3], x[:, 4:2], x[:, :1],
                  x[i], x[:, i:], x[1:i], x[count - 1], x[:count], x[count:, ::2]]
        # Squares, so that what comes back depends on the place.
        fetches = [tf.gradients(tf.square(part), x)[0] for part in slices]
        for rows, where in ((3, 2), (4, 1), (7, 5)):
            feed = (np.arange(rows * 7, dtype=np.float32).reshape(rows, 7) * 37.0) % 11.0 - 3.0
            feed[0, 0] = 1.0
            case.run(fetches, {x: feed, i: min(where, rows - 1)})
        shape = tf.placeholder(tf.int32, [1], "shape")
        dy = tf.placeholder(tf.float32, [None], "dy")
        raws = [raw.StridedSliceGrad(shape=shape, begin=[1], end=[6], strides=[s], dy=dy) for s in (1, 2)]
        case.run(raws[0], {shape: [6], dy: np.ones(5)})
        case.run(raws[0], {shape: [6], dy: np.ones(4)})
        case.run(raws[1], {shape: [9], dy: np.ones(3)})
        case.run(raws[1], {shape: [2], dy: np.ones(1)})
        case.run(raws[0], {shape: [1], dy: np.ones(0)})


def segments():
    with Case("array_segments", "UnsortedSegmentSum with ids of every type and rank, and numbers of segments that do not fit the ids' type") as case:
        x = tf.placeholder(tf.float32, [None, None, 2], "x")
        ids = {dtype: tf.placeholder(dtype, [None, None], "ids_" + dtype.name) for dtype in (tf.int16, tf.int32, tf.int64)}
        box = np.arange(12, dtype=np.float32).reshape(2, 3, 2)
        for dtype, fed in ids.items():
            total = raw.UnsortedSegmentSum(data=x, segment_ids=fed, num_segments=4)
            for numbers in ([[0, 3, 1], [-1, 3, 0]], [[0, 3, 1], [2, 4, 9]], [[-5, -1, -1], [-1, -1, -1]]):
                case.run(total, {x: box, fed: numbers})
        row = tf.placeholder(tf.float32, [None], "row")
        one = tf.placeholder(tf.int32, [], "one")
        for number in (1, 2, -1):
            case.run(raw.UnsortedSegmentSum(data=row, segment_ids=one, num_segments=2), {row: [1.0, 2.0], one: number})
        for many in (8327099846119777499, 2**60, 2**32 + 3):
            case.run(raw.UnsortedSegmentSum(data=row, segment_ids=[0, 2], num_segments=tf.constant(many, tf.int64)), {row: [1.0, 2.0]})


def old_arrays():
    """As graphs of before version 26 hold them, which TensorFlow runs but does not build."""
    graph = tf.GraphDef()
    graph.versions.producer = 20

    def node(name, op, *inputs, **attrs):
        made = graph.node.add(name=name, op=op, input=inputs)
        for key, value in attrs.items():
            if isinstance(value, tf.DType):
                made.attr[key].type = value.as_datatype_enum
            elif isinstance(value, bytes):
                made.attr[key].s = value
            else:
                made.attr[key].tensor.CopyFrom(tf.make_tensor_proto(value))
        return name

    def const(name, value, dtype=np.int32):
        return node(name, "Const", dtype=tf.as_dtype(dtype), value=np.array(value, dtype))

    float32 = {"T": tf.float32}
    x = node("x", "Placeholder", dtype=tf.float32)
    one, two, three, all_of = const("one", 1), const("two", 2), const("three", 3), const("all_of", [0, 1, 2])
    flow = const("flow", 0, np.float32)
    node("rows", "TensorArrayV2", three, dtype=tf.float32)
    scattered = node("scattered", "TensorArrayScatterV2", "rows", all_of, x, flow, **float32)
    node("read", "TensorArrayReadV2", "rows", one, scattered, dtype=tf.float32)
    node("size", "TensorArraySizeV2", "rows", scattered)
    node("gathered", "TensorArrayGatherV2", "rows", all_of, scattered, dtype=tf.float32)
    node("slope", "TensorArrayGradV2", "rows", scattered, source=b"gradients")
    written = node("written", "TensorArrayWriteV2", "slope", two, "read", scattered, **float32)
    again = node("again", "TensorArrayWriteV2", "slope", two, "read", written, **float32)
    node("summed", "TensorArrayReadV2", "slope", two, again, dtype=tf.float32)
    node("parts", "TensorArrayV2", two, dtype=tf.float32)
    split = node("split", "TensorArraySplitV2", "parts", x, const("lengths", [1, 2], np.int64), flow, **float32)
    node("joined", "TensorArrayConcatV2", "parts", split, dtype=tf.float32)
    node("beyond", "TensorArrayReadV2", "parts", three, split, dtype=tf.float32)
    node("close", "TensorArrayCloseV2", "parts", "^joined")
    node("stack", "Stack", elem_type=tf.float32, stack_name=b"stack")
    node("push", "StackPush", "stack", x, **float32)
    node("more", "StackPush", "stack", const("row", [[7, 8]], np.float32), "^push", **float32)
    node("pop", "StackPop", "stack", "^more", elem_type=tf.float32)
    node("below", "StackPop", "stack", "^pop", elem_type=tf.float32)
    node("empty", "StackPop", "stack", "^below", elem_type=tf.float32)
    node("close_stack", "StackClose", "stack", "^below")
    with Case("array_old", "arrays of version 2, whose handles are strings, and stacks by reference") as case:
        tf.import_graph_def(graph, name="")
        feeds = {"x:0": np.arange(6).reshape(3, 2)}
        for fetches in (["size:0", "summed:0"], ["joined:0", "joined:1"], ["joined:0", "close"], ["read:0"], ["beyond:0"], ["gathered:0"],
                        ["pop:0", "below:0"], ["below:0", "close_stack"], ["pop:0"], ["empty:0"]):
            case.run(fetches, feeds)
        case.run("read:0", {"x:0": np.ones((2, 2))})


gathers()
old_arrays()
gather_errors()
bools()
splits()
many_splits()
slice_gradients()
segments()
