# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow does with variables that have no static shape. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case, RESOURCE

SUFFIX = "" if RESOURCE else "_v1"


def variable(value, name, shape=None):
    """Of any shape, or of a partial one."""
    if RESOURCE:
        return tf.Variable(value, shape=tf.TensorShape(shape), name=name, use_resource=True)
    return tf.Variable(value, validate_shape=False, name=name, use_resource=False)


def assign(v, value):
    return v.assign(value, read_value=False) if RESOURCE else tf.assign(v, value, validate_shape=False).op


def read(v):
    return v.read_value()


def values():
    with Case("open_values" + SUFFIX, "shapes from run to run: reads, updates, shapes, gradients, errors") as case:
        v = variable([1.0, 2.0, 3.0], "v")
        x = tf.placeholder(tf.float32, name="x")
        set_v = assign(v, x)
        add = v.assign_add(x) if RESOURCE else tf.assign_add(v, x)
        now = read(v)
        facts = [now, now * 2.0, tf.shape(now), tf.size(now), tf.rank(now), tf.reduce_sum(now)]
        slope = tf.gradients(tf.reduce_sum(now * now * now), now)[0]
        ready = tf.is_variable_initialized(v)
        case.run(ready)
        case.run(now)
        case.init()
        case.run([*facts, slope, ready])
        for value in ([4.0, 5.0], [[1.0, 2.0], [3.0, 4.0]], 7.0, [[8.0]], np.zeros([0, 3]), [[[1.0], [2.0]]], [9.0, 1.0]):
            case.run([set_v], {x: value})
            case.run([*facts, slope])
            case.run(add, {x: np.ones(np.shape(value))})
        case.run(add, {x: [1.0, 2.0, 3.0]})
        case.run(now)
        half = variable(np.ones([2, 3], np.float32), "half", [None, 3])
        rows = tf.placeholder(tf.float32, [None, 3], name="rows")
        set_half = assign(half, rows)
        product = tf.matmul(read(half), tf.constant(np.arange(6, dtype=np.float32).reshape(3, 2)))
        case.init()
        for count in (5, 1, 0):
            case.run(product)
            case.run([set_half], {rows: np.full([count, 3], 0.5)})
        case.run(product)


def beside():
    with Case("open_beside" + SUFFIX, "another shape in the middle of a run; one variable from another; growing") as case:
        v = variable([1.0], "v")
        w = variable([[2.0, 3.0]], "w")
        x = tf.placeholder(tf.float32, name="x")
        with tf.control_dependencies([assign(v, x)]):
            after = tf.tanh(read(v)) + 1.0
            extents = tf.shape(read(v))
        with tf.control_dependencies([after]):
            again = assign(v, tf.reshape(after, [-1]))
        with tf.control_dependencies([again]):
            last = read(v) * 2.0
        grow = assign(v, tf.concat([tf.reshape(read(v), [-1]), [5.0, 6.0]], 0))
        with tf.control_dependencies([grow]):
            grown = read(v) + 0.0
        case.init()
        case.run([after, extents], {x: [[1.0, 2.0]]})
        case.run([after, extents], {x: 3.0})
        case.run(last, {x: [[1.0], [2.0]]})
        case.run(grown)
        case.run(grown)
        swap = assign(w, read(v))
        with tf.control_dependencies([swap]):
            other = read(w) + 0.0
        case.run(other)
        unique = assign(v, tf.unique(read(v))[0])
        with tf.control_dependencies([unique]):
            found = read(v) + 0.0
        case.run(found)
        case.run([read(v), read(w)])


def regions():
    with Case("open_regions" + SUFFIX, "shapes that branches and loops read, change and leave behind") as case:
        v = variable([1.0, 2.0], "v")
        p = tf.placeholder(tf.bool, [], name="p")
        x = tf.placeholder(tf.float32, [None], name="x")
        n = tf.placeholder(tf.int32, [], name="n")

        def change():
            with tf.control_dependencies([assign(v, x)]):
                return tf.constant(-1.0)
        branch = tf.cond(p, change, lambda: tf.reduce_sum(read(v)), name="branch")
        with tf.control_dependencies([branch]):
            behind = read(v) * 10.0
        looped = tf.while_loop(lambda i, t: i < n, lambda i, t: (i + 1, t + tf.reduce_max(read(v))), [0, 0.0], name="looped")[1]

        def turn(i):
            with tf.control_dependencies([assign(v, tf.concat([read(v), [tf.cast(i, tf.float32)]], 0))]):
                return i + 1
        longer = tf.while_loop(lambda i: i < n, turn, [0], parallel_iterations=1, name="longer")

        def begin():
            with tf.control_dependencies([assign(v, [3.0, 4.0])]):
                return tf.constant(2)
        ready = tf.cond(tf.is_variable_initialized(v), lambda: tf.constant(1), begin, name="ready")
        known = tf.cond(tf.is_variable_initialized(v), lambda: read(v), lambda: tf.constant([0.5]), name="known")
        case.run(known)
        case.run(ready)
        case.run(known)
        case.init()
        for taken, length in ((False, 1), (True, 3), (False, 3), (True, 1), (False, 2)):
            case.run([branch, behind], {p: taken, x: np.arange(length) + 1.0})
        for turns in (0, 3, 1):
            case.run(looped, {n: turns})
            case.run(longer, {n: turns})
            case.run(read(v))


def dtypes():
    with Case("open_dtypes" + SUFFIX, "strings and other elements, of one shape and another") as case:
        for dtype, some in ((tf.string, [b"a", b"long" * 9]), (tf.int64, [1, 2]), (tf.bool, [True, False]),
                            (tf.float16, [1.0, 2.0])):
            v = variable(tf.constant(some, dtype), dtype.name)
            x = tf.placeholder(dtype, name="x_" + dtype.name)
            set_v = assign(v, x)
            case.init()
            value = np.array(some, dtype.as_numpy_dtype)
            for shaped in (value, value.reshape(2, 1), np.concatenate([value, value, value]), value[:0], value.reshape(1, 2)[0, 0]):
                case.run([set_v], {x: shaped})
                case.run([read(v), tf.shape(read(v))])


def unchecked():
    """One declared with a shape, and assigned to without a check of it: from a feed, from sizes that the run finds out, in a branch, in a loop."""
    with Case("open_unchecked" + SUFFIX, "variables of a static shape that assignments give another") as case:
        x = tf.placeholder(tf.float32, name="x")
        rows = tf.placeholder(tf.float32, [None, None], name="rows")
        v, w = (tf.Variable(value, name=name, use_resource=RESOURCE) for value, name in (([1.0, 2.0], "v"), ([1.0, 1.0], "w")))

        def put(value):
            return tf.raw_ops.AssignVariableOp(resource=v.handle, value=value) if RESOURCE else tf.assign(v, value, validate_shape=False).op
        fed, flat, found = put(x), put(tf.reshape(rows, [-1])), put(tf.boolean_mask(rows, rows > 0.0))
        now = read(v)
        facts = [now * 2.0 + 1.0, tf.shape(now), tf.reduce_sum(now)]
        add = w.assign_add(now * 1.0)
        with tf.control_dependencies([put(x)]):
            behind = [read(v) + 1.0, tf.size(read(v))]
        p, n = tf.placeholder(tf.bool, [], name="p"), tf.placeholder(tf.int32, [], name="n")

        def change():
            with tf.control_dependencies([put(x)]):
                return tf.constant(1)
        branch = tf.cond(p, change, lambda: tf.constant(0), name="branch")

        def turn(i):
            with tf.control_dependencies([put(x * tf.cast(i, tf.float32))]):
                return i + 1
        loop = tf.while_loop(lambda i: i < n, turn, [0], parallel_iterations=1, name="loop")
        for key in ("first", "second"):
            case.init(key)
        for value in ([3.0, 4.0], [5.0, 6.0, 7.0], [[1.0], [2.0]], 9.0, np.zeros([0, 2]), [8.0, 1.0]):
            case.run([fed], {x: value}, session="first")
            case.run(facts, session="first")
            case.run(add, session="first")
            case.run(facts, session="second")
        case.run(behind, {x: [1.0, 2.0, 3.0]}, session="first")
        for key in ("first", "second"):
            for value in ([[1.0, 2.0]], [[1.0, -2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0]]):
                for op in (flat, found):
                    case.run([op], {rows: value}, session=key)
                    case.run(facts, session=key)
        case.run(tf.global_variables_initializer(), session="second")
        case.run(facts, session="second")
        for taken, value in ((False, [1.0]), (True, [1.0]), (True, [2.0, 3.0])):
            case.run(branch, {p: taken, x: value}, session="second")
            case.run(facts, session="second")
        for turns, value in ((0, [1.0]), (3, [1.0, 2.0, 3.0]), (2, [1.0])):
            case.run(loop, {n: turns, x: value}, session="second")
            case.run(facts, session="second")


values()
beside()
regions()
dtypes()
unchecked()
