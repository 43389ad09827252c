# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow does where indices pick, combine and drop rows and slices: scatters into tensors and variables,
gathers of tuples. Run it with a Python that has TensorFlow."""
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
KINDS = ["Update", "Add", "Sub", "Mul", "Div", "Min", "Max"]
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


def tensor_scatters():
    for case_ in case("indexing_tensor_scatters", "TensorScatter* and ScatterNd of every dtype", rtol=0, atol=0):
        with case_ as c:
            i, deep = int32([None, 1], "i"), int32([None, 2, 2], "deep")
            fetches = []
            for dtype in FLOATS + INTS:
                x, u = tf.constant(numbers([5, 3], dtype)), tf.constant(numbers([4, 3], dtype, 1))
                v = tf.constant(numbers([2, 2], dtype, 2))
                for kind in ("Update", "Add", "Sub", "Min", "Max"):
                    op = getattr(raw, "TensorScatter" + kind)
                    fetches += [op(tensor=x, indices=i, updates=u), op(tensor=x, indices=deep, updates=v)]
                fetches += [raw.ScatterNd(indices=i, updates=u, shape=[6, 3]),
                            raw.ScatterNd(indices=deep, updates=v, shape=[5, 3])]
            fetches += [raw.TensorScatterUpdate(tensor=[True, False, True], indices=i, updates=[False, True, False, True]),
                        raw.ScatterNd(indices=i, updates=[True, False, True, False], shape=[5])]
            good = {i: [[0], [2], [2], [1]], deep: [[[0, 0], [4, 2]], [[4, 2], [3, 1]]]}
            c.run(fetches, good)
            fetch = fetches[2]
            for bad in ([[0], [5], [2], [1]], [[0], [1], [-1], [1]], [[2 ** 31 - 1], [1], [1], [1]], [[-2 ** 31], [1], [1], [1]]):
                c.run(fetch, {i: bad})
            c.run(fetches[1], {deep: [[[0, 0], [4, 2]], [[4, 3], [3, 1]]]})
            c.run(fetch, {i: [[0], [5], [2]]})
            ignore = raw.TensorScatterAdd(tensor=tf.ones([5, 3]), indices=i, updates=tf.ones([4, 3]), bad_indices_policy="IGNORE")
            c.run(ignore, {i: [[0], [5], [-2], [0]]})


def scatter_nd_shapes():
    for case_ in case("indexing_scatter_nd_shapes", "ScatterNd and its gradient of fed shapes, empty and wrong ones"):
        with case_ as c:
            i = tf.placeholder(tf.int64, [None, None, 2], "i")
            u = tf.placeholder(tf.float32, [None, None, None], "u")
            shape = tf.placeholder(tf.int64, [3], "shape")
            y = tf.scatter_nd(i, u * 2.0, shape)
            loss = tf.reduce_sum(y * y)
            grad = tf.gradients(loss, u)[0]
            rng = np.random.RandomState(0)
            for a, b, w in ((2, 3, 4), (1, 1, 1), (0, 3, 2), (3, 40, 17), (2, 3, 0)):
                c.run([y, grad], {i: rng.randint(0, 5, [a, b, 2]), u: rng.rand(a, b, w), shape: [5, 6, w]})
            c.run(y, {i: [[[0, 6]]], u: np.ones([1, 1, 2]), shape: [5, 6, 2]})
            c.run(y, {i: [[[0, 1]]], u: np.ones([1, 1, 2]), shape: [5, 6, 3]})
            c.run(y, {i: [[[0, 1]]], u: np.ones([1, 2, 2]), shape: [5, 6, 2]})
            c.run(y, {i: [[[0, 0]]], u: np.ones([1, 1, 2]), shape: [0, 6, 2]})
            c.run(y, {i: np.zeros([0, 1, 2]), u: np.ones([0, 1, 2]), shape: [0, 6, 2]})


def empty_scatters():
    for case_ in case("indexing_empty_scatters", "ScatterNd* of nothing: without elements, without dimensions, into a variable of either kind", rtol=0, atol=0):
        with case_ as c:
            u = tf.placeholder(tf.float32, None, "u")
            i, shape = int32([0], "i"), int32([1], "shape")
            pairs = int32([None, 1], "pairs")
            none = np.zeros([0])
            c.run([tf.scatter_nd(i, u, shape), raw.TensorScatterAdd(tensor=u, indices=i, updates=u), raw.ScatterNdNonAliasingAdd(input=u, indices=i, updates=u)], {i: none, u: none, shape: [0]})
            for number, extent in ((0, 0), (3, 0), (0, 2)):
                c.run(tf.scatter_nd(pairs, u, shape), {pairs: np.zeros([number, 1]), u: np.ones([number]), shape: [extent]})
            for use_resource in (False, True):
                scalar, vector = tf.Variable(0.5, use_resource=use_resource), tf.Variable(np.zeros([0], "f4"), use_resource=use_resource)
                c.init()
                for op in (tf.scatter_nd_update, tf.scatter_nd_add):
                    c.run(op(scalar, pairs, u), {pairs: [[0]], u: [0.25]})
                    c.run(op(vector, i, u), {i: none, u: none})
                    c.run(op(vector, pairs, u), {pairs: np.zeros([0, 1]), u: none})
                    c.run(op(vector, pairs, u), {pairs: [[0]], u: [0.25]})


def gathers():
    for case_ in case("indexing_gather_nd", "GatherNd of tensors and variables, its gradient and errors", rtol=0, atol=0):
        with case_ as c:
            x = tf.placeholder(tf.float32, [None, 4, 3], "x")
            one, two = int32([None, 1], "one"), tf.placeholder(tf.int64, [None, 2, 2], "two")
            three, none = int32([None, 3], "three"), int32([2, 0], "none")
            short = tf.placeholder(tf.int16, [None, 3], "short")
            flags = x > 0.5
            fetches = [tf.gather_nd(x, each) for each in (one, two, three, none, short)]
            fetches += [tf.gather_nd(flags, two), tf.gather_nd(tf.as_string(x), one),
                        tf.gradients(tf.reduce_sum(tf.gather_nd(x, two) * 3.0), x)[0]]
            for use_resource in (False, True):
                v = tf.get_variable("v%d" % use_resource, initializer=np.arange(12, dtype=np.float32).reshape(2, 2, 3), use_resource=use_resource)
                fetches.append(tf.gather_nd(v, two))
            c.init()
            for rows in (3, 1):
                rng = np.random.RandomState(rows)
                feeds = {x: rng.randint(0, 9, [rows + 2, 4, 3]) / 8.0, one: rng.randint(0, rows, [rows, 1]), two: rng.randint(0, 2, [rows, 2, 2]),
                         three: rng.randint(0, 3, [rows, 3]), none: np.zeros([2, 0]), short: rng.randint(0, 3, [rows, 3])}
                c.run(fetches, feeds)
            feeds[two] = [[[0, 1], [2, 0]], [[1, 1], [0, 0]]]
            c.run(fetches[-1], feeds)
            c.run(fetches[-2], feeds)
            feeds[three] = [[0, 0, 0], [0, -1, 2]]
            c.run(fetches[2], feeds)
            feeds[x] = np.zeros([0, 4, 3])
            c.run(fetches[2], feeds)
            feeds[three] = np.zeros([0, 3])
            c.run(fetches[2], feeds)
            ignore = raw.GatherNd(params=x, indices=three, bad_indices_policy="IGNORE")
            c.run(ignore, {x: np.ones([2, 4, 3]), three: [[0, 0, 0], [7, 0, 0], [0, 0, -1]]})


def variables(name, use_resource):
    for case_ in case(name, "Scatter* of rows of a variable: every kind and dtype, loops, branches, errors", rtol=0, atol=0):
        with case_ as c:
            i, s = int32([None], "i"), tf.placeholder(tf.float32, [], "s")
            u = tf.placeholder(tf.float32, [None, 3], "u")

            def update(kind, v, indices, updates, nd=False):
                prefix = "Scatter" + ("Nd" if nd else "") + kind
                if not use_resource:
                    return getattr(raw, prefix)(ref=v._ref(), indices=indices, updates=updates)
                handle = {"ref" if nd else "resource": v.handle}
                with tf.control_dependencies([getattr(raw, "Resource" + prefix)(indices=indices, updates=updates, **handle)]):
                    return v.read_value()

            def make(label, value):
                return tf.get_variable(label, initializer=value, use_resource=use_resource)

            steps = []
            for dtype in FLOATS + INTS:
                for kind in KINDS:
                    if kind in ("Min", "Max") and not use_resource and dtype not in FLOATS + [tf.int32, tf.int64]:
                        continue
                    v = make("v_%s_%s" % (dtype.name, kind), numbers([4, 3], dtype))
                    steps.append(update(kind, v, i, tf.constant(numbers([3, 3], dtype, 1))))
            w = make("w", np.arange(12, dtype=np.float32).reshape(4, 3))
            text = make("text", np.array([b"a", b"bc", b"d"], object))
            flags = make("flags", np.array([True, False, True, False]))
            pairs = tf.placeholder(tf.int64, [None, 2], "pairs")
            adds = {kind: update(kind, w, i, u) for kind in KINDS}
            nds = [update(kind, w, pairs, tf.constant(np.float32([2, 3])), nd=True) for kind in ("Update", "Add", "Sub")]
            scalar = update("Add", w, i, s)
            whole = update("Update", w, tf.constant(1), tf.constant(np.float32([7, 8, 9])))
            square = update("Mul", w, tf.constant([[0, 1], [1, 0]]), tf.constant(numbers([2, 2, 3], tf.float32)))
            self_ = update("Sub", w, tf.constant([0, 1, 2, 3]), w.read_value() if use_resource else w)
            c.init()
            for fetch in steps:
                c.run(fetch, {i: [3, 1, 3]})
            feeds = {i: [0, 2, 0], u: numbers([3, 3], tf.float32)}
            for kind in KINDS:
                c.run(adds[kind], feeds)
            for fetch in nds:
                c.run(fetch, {pairs: [[0, 1], [3, 2]]})
            c.run(scalar, {i: [1, 1], s: 0.5})
            c.run([whole])
            c.run([square])
            c.run(update("Update", text, i, tf.constant([b"x", b"y"])), {i: [2, 0]})
            c.run(update("Update", flags, i, tf.constant([True, False])), {i: [1, 0]})
            c.run([self_])
            c.run(adds["Add"], {i: [], u: np.zeros([0, 3])})
            for bad in ([0, 4, 0], [0, -1, 0], [2 ** 31 - 1, 0, 0]):
                c.run(adds["Update"], {i: bad, u: feeds[u]})
            c.run(adds["Add"], {i: [0, 1], u: feeds[u]})
            c.run(nds[0], {pairs: [[0, 1], [4, 0]]})
            # Of an update that fails TensorFlow has made what stands before the bad index; Kiln makes none of it.
            c.run((w.read_value() if use_resource else w)[1:])


def bools():
    for each in case("indexing_bool_variables", "ResourceScatterNd* of bools: a sum is or, a difference is xor", rtol=0, atol=0):
        with each as c:
            i, u = int32([None, 1], "i"), tf.placeholder(tf.bool, [None], "u")
            flags = tf.get_variable("flags", initializer=np.array([False, False, True, True]), use_resource=True)
            updated = []
            for kind in ("Add", "Sub", "Update"):
                with tf.control_dependencies([getattr(raw, "ResourceScatterNd" + kind)(ref=flags.handle, indices=i, updates=u)]):
                    updated.append(flags.read_value())
            for fetch in updated:
                c.init()
                c.run(fetch, {i: [[0], [1], [2], [3]], u: [False, True, False, True]})
                c.run(fetch, {i: [[3], [3], [0], [3]], u: [True, True, True, True]})
                c.run(fetch, {i: np.zeros([0, 1]), u: np.zeros([0])})


def divisors():
    for each in case("indexing_divisors", "ResourceScatterDiv refuses zeros of any type, before it looks at the indices", rtol=0, atol=0):
        with each as c:
            i, reads = int32([None], "i"), []
            for dtype in (tf.float16, tf.float32, tf.float64, tf.int32, tf.int64):
                v = tf.get_variable("v_%s" % dtype.name, initializer=numbers([4], dtype), use_resource=True)
                u = tf.placeholder(dtype, None, "u_%s" % dtype.name)
                with tf.control_dependencies([raw.ResourceScatterDiv(resource=v.handle, indices=i, updates=u)]):
                    read = v.read_value()
                reads.append((read, u))
            c.init()
            for read, u in reads:
                c.run(read, {i: [1, 3], u: [2, 4]})
                c.run(read, {i: [1, 3], u: [2, 0]})
                c.run(read, {i: [1, 9], u: [2, 0]})
                c.run(read, {i: [9, 1], u: [2, 4]})
                c.run(read, {i: [0], u: 0})
                c.run(read, {i: [], u: []})
                c.run(read, {i: [1], u: [1]})


def regions():
    for case_ in case("indexing_regions", "scatters in branches and loops, of carried tensors and of variables"):
        with case_ as c:
            n, i = int32([], "n"), int32([None], "i")
            v = tf.get_variable("v", initializer=np.zeros([4, 2], np.float32), use_resource=True)

            def body(k, x):
                place = tf.reshape(k % 4, [1, 1])
                return k + 1, tf.tensor_scatter_nd_add(x, place, tf.ones([1, 2]) * tf.cast(k, tf.float32))

            grown = tf.while_loop(lambda k, x: k < n, body, [tf.constant(0), tf.zeros([4, 2])])[1]

            def turn(k):
                with tf.control_dependencies([raw.ResourceScatterAdd(resource=v.handle, indices=i, updates=tf.ones([1, 2]))]):
                    return k + 1

            turns = tf.while_loop(lambda k: k < n, turn, [tf.constant(0)])
            with tf.control_dependencies([turns]):
                after = v.read_value()
            picked = tf.cond(n > 2, lambda: tf.scatter_nd(i[:, None], tf.ones([1]), [4]), lambda: tf.math.unsorted_segment_sum(tf.ones([1]), i, 4))
            c.init()
            for turns_ in (0, 1, 9):
                c.run([grown, picked], {n: turns_, i: [3]})
                c.run(after, {n: turns_, i: [2]})
            c.run(after, {n: 3, i: [4]})
            c.run(picked, {n: 3, i: [4]})
            c.run(picked, {n: 1, i: [4]})
            c.run(picked, {n: 1, i: [-4]})


def tuples_without_elements():
    for c in case("indexing_empty_tuples", "tuples of no elements, and of more than TensorFlow's kernels take", rtol=0, atol=0):
        with c:
            i, u, shape = tf.placeholder(tf.int32, None, "i"), tf.placeholder(tf.float32, None, "u"), tf.placeholder(tf.int32, [None], "shape")
            x = tf.placeholder(tf.float32, None, "x")
            gathered = tf.gather_nd(x, i)
            ops = [raw.ScatterNd(indices=i, updates=u, shape=shape), raw.TensorScatterAdd(tensor=x, indices=i, updates=u),
                   raw.TensorScatterMax(tensor=x, indices=i, updates=u), raw.ScatterNdNonAliasingAdd(input=x, indices=i, updates=u)]
            for places, updates, extents in (((3, 0), (3, 4), (4,)), ((3, 0), (3, 2, 2), (2, 2)), ((2, 3, 0), (2, 3, 4), (4,)), ((0,), (4,), (4,)),
                                             ((0, 0), (0, 4), (4,)), ((3, 0), (3, 0), (0,)), ((2, 7), (2,), [1] * 7), ((2, 8), (2,), [1] * 8)):
                feeds = {i: np.zeros(places, np.int32), u: np.ones(updates), x: np.zeros(extents), shape: extents}
                for op in ops:
                    c.run(op, feeds)
                if places[-1] == 0 and extents != (0,):
                    c.run(gathered, feeds)
                    c.run(tf.gradients(gathered, x), feeds)


tensor_scatters()
scatter_nd_shapes()
tuples_without_elements()
empty_scatters()
gathers()
variables("indexing_variables_v1", False)
variables("indexing_variables_v2", True)
bools()
divisors()
regions()
