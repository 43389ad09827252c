# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow does at the edges of branches and loops: references in branches, constants beside them, frames
without a condition, ranks that differ, variables that loops take along. Run it with a Python that has TensorFlow, once with
GOLDEN_MODE=resource, which writes If and While, and once without, for Switch and Merge (_v1)."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case
from tensorflow.python.framework import function
from tensorflow.python.ops import functional_ops

V2 = os.environ.get("GOLDEN_MODE") == "resource"
SUFFIX = "" if V2 else "_v1"
raw = tf.raw_ops
X = np.array([1.0, -2.0], np.float32)


def references():
    with Case("frame_references_v1", "references of a variable without a value in branches, read there and outside") as case:
        v = raw.VariableV2(shape=[2], dtype=tf.float32, shared_name="v", container="", name="v")
        w = raw.VariableV2(shape=[2], dtype=tf.float32, shared_name="w", container="", name="w")
        p = tf.placeholder(tf.bool, [], name="p")
        ready = raw.IsVariableInitialized(ref=v)
        off, on = raw.RefSwitch(data=v, pred=ready)
        with tf.control_dependencies([raw.RefIdentity(input=off)]):
            assigned = tf.assign(v, tf.constant([1.0, 2.0]))
        with tf.control_dependencies([raw.RefIdentity(input=on)]):
            kept = tf.identity(v)
        filled = raw.Merge(inputs=[assigned, kept], name="filled")[0]
        # Read in the branch, where it may not be needed; and outside of it, where it is.
        inside_off, inside_on = raw.RefSwitch(data=w, pred=p)
        inside = raw.Merge(inputs=[tf.identity(inside_on) * 2.0, raw.Switch(data=tf.constant(X), pred=p)[0]], name="inside")[0]
        outside_off, outside_on = raw.Switch(data=w, pred=p)
        outside = raw.Merge(inputs=[outside_on * 2.0, raw.Switch(data=tf.constant(X), pred=p)[0]], name="outside")[0]
        case.run(inside, {p: False})
        case.run(outside, {p: False})
        case.run(filled)
        case.run(v)
        case.run(tf.assign(v, tf.constant([5.0, 6.0])))
        case.run(filled)
        case.run(tf.assign(w, tf.constant([7.0, 8.0])))
        case.run([inside, outside], {p: True})
        case.run([inside, outside], {p: False})


def merges():
    with Case("frame_merges_v1", "a constant beside what a branch gives: it comes first whatever is taken") as case:
        x = tf.placeholder(tf.float32, [2], name="x")
        p = tf.placeholder(tf.bool, [], name="p")
        off, on = raw.Switch(data=x, pred=p)
        first = raw.Merge(inputs=[tf.constant([3.0, 4.0]), tf.exp(on)], name="first")
        last = raw.Merge(inputs=[tf.exp(off) + 1.0, tf.constant([5.0, 6.0])], name="last")
        v = tf.get_variable("v", initializer=tf.constant([1.0, 42.0]), use_resource=True)
        r = tf.cond(p, lambda: tf.identity(v), lambda: tf.gather(v, [1, 1]))
        slices = tf.gradients(r, [v])[0]
        case.init()
        for taken in (True, False):
            case.run([*first, *last], {x: X, p: taken})
            case.run(slices, {p: taken})


def once():
    with Case("frame_once_v1", "a frame whose Switches need an Enter of the first turn") as case:
        n = tf.placeholder(tf.int32, [], name="n")
        for value in (False, True):
            name = "frame_%s" % value
            gate = raw.Enter(data=tf.constant(value), frame_name=name)
            entered = raw.Enter(data=n, frame_name=name)
            merged = raw.Merge(inputs=[entered, entered], name="merged_%s" % value)[0]
            off, on = raw.Switch(data=merged, pred=gate)
            out = raw.Exit(data=-off, name="out_%s" % value)
            merged.op._update_input(1, raw.NextIteration(data=tf.abs(off)))
            case.run(out, {n: 10})


def twice():
    with Case("frame_twice_v1", "gradients of gradients of branches, which ask each Merge what it took") as case:
        x = tf.placeholder(tf.float32, [3], name="x")
        p = tf.placeholder(tf.bool, [], name="p")
        q = tf.placeholder(tf.bool, [], name="q")
        one = tf.cond(p, lambda: x * x * 0.25 - 0.5, lambda: tf.sin(x) * x)
        nested = tf.cond(p, lambda: tf.cond(q, lambda: tf.exp(x) * x, lambda: tf.square(x)) * x, lambda: tf.tanh(x))
        fetches = []
        for y in (one, nested):
            first = tf.gradients(y, x)[0]
            fetches += [y, first, tf.gradients(first, x)[0]]
        merged, which = raw.Merge(inputs=raw.Switch(data=x, pred=p), name="merged")
        asked = raw.Merge(inputs=[-raw.Switch(data=merged, pred=tf.equal(which, 0))[1],
                                  tf.exp(raw.Switch(data=merged, pred=tf.equal(which, 1))[1])], name="asked")
        fetches += [*asked]
        for a in (True, False):
            for b in (True, False):
                case.run(fetches, {x: np.array([0.3, -1.2, 0.7], np.float32), p: a, q: b})


def inside():
    with Case("frame_inside_v1", "branches by what a branch computes, and gradients of the loops in them") as case:
        x = tf.placeholder(tf.float32, [3], name="x")
        p = tf.placeholder(tf.bool, [], name="p")
        k = tf.placeholder(tf.int32, [], name="k")

        def choice(count):
            return tf.cond(tf.equal(k % 2, 0), lambda: tf.map_fn(lambda e: tf.sin(e) * e, x),
                           lambda: tf.while_loop(lambda i, a: i < count, lambda i, a: (i + 1, tf.tanh(a + tf.gather(tf.cos(a), 0))), [0, x])[1])
        y = tf.cond(p, lambda: choice(2), lambda: choice(k + 1) * 2.0)
        fetches = [y, tf.gradients(y, x)[0]]
        for a in (True, False):
            for which in (0, 1, 2):
                case.run(fetches, {x: np.array([0.3, -1.2, 0.7], np.float32), p: a, k: which})


def picked():
    with Case("frame_picked_v1", "references and handles of which a branch picks the variable: assigned, read, passed on") as case:
        p, q = tf.placeholder(tf.bool, [], name="p"), tf.placeholder(tf.bool, [], name="q")
        x = tf.placeholder(tf.float32, [2], name="x")
        names = ("u", "v", "w")
        u, v, w = (raw.VariableV2(shape=[2], dtype=tf.float32, shared_name=n, container="", name=n) for n in names)
        starts = [raw.Assign(ref=r, value=tf.constant([k, -k]), validate_shape=True, use_locking=True) for r, k in ((u, 1.0), (v, 10.0), (w, 100.0))]
        case.run([s.op for s in starts])

        def pick(a, b, which):
            return raw.RefMerge(inputs=[raw.RefSwitch(data=a, pred=which).output_false, raw.RefSwitch(data=b, pred=which).output_true])
        one = pick(u, v, p)
        add = raw.AssignAdd(ref=one.output, value=x, use_locking=False)
        two = pick(one.output, w, q)
        sub = raw.AssignSub(ref=two.output, value=x * 3.0, use_locking=False)
        for a in (True, False):
            case.run([add, one.value_index], {p: a, x: X})
            case.run([u, v, w])
            for b in (True, False):
                case.run([tf.identity(one.output) * 2.0], {p: a})
                case.run(sub, {p: a, q: b, x: X})
                case.run([u, v, w])
        r, t = (tf.get_variable(n, initializer=tf.constant([k, k]), use_resource=True) for n, k in (("r", 1.0), ("t", 5.0)))
        case.run([r.initializer, t.initializer])
        handle = tf.identity(raw.Merge(inputs=[raw.Switch(data=r.handle, pred=p).output_false, raw.Switch(data=t.handle, pred=p).output_true]).output)
        with tf.control_dependencies([raw.AssignAddVariableOp(resource=handle, value=x)]):
            after = raw.ReadVariableOp(resource=handle, dtype=tf.float32) * 2.0
        for a in (True, False, True):
            case.run(after, {p: a, x: X})
            case.run([r.read_value(), t.read_value()])


def ranks():
    with Case("frame_ranks" + SUFFIX, "branches of other ranks, of which a comparison of constants takes one") as case:
        x = tf.placeholder(tf.float32, [None], name="x")
        age = tf.constant(3.0)
        tiny = tf.constant(1e-40)
        outs = []
        for pred in (age > 4.0, age < 4.0, tf.not_equal(tiny, tf.constant(0.0)), tf.constant(2.5, tf.float64) >= 2.5):
            y = tf.cond(pred, lambda: age, lambda: x * 2.0)
            outs += [y, tf.gradients(y, x)[0]]
        for size in (2, 3):
            case.run(outs, {x: np.arange(size, dtype=np.float32)})


def counted():
    with Case("frame_for" + SUFFIX, "For with a variable that its body looks at, and counters that are no scalars") as case:
        v = tf.get_variable("v", initializer=tf.constant(1.5), use_resource=True)
        n = tf.placeholder(tf.int32, [], name="n")

        @function.Defun(tf.int32, tf.float32, tf.float32, func_name="Captures")
        def captures(i, a, b):
            return a + tf.cast(i, tf.float32) + v, b * v

        @function.Defun(tf.int32, tf.float32, func_name="Plain")
        def plain(i, a):
            return tf.cast(i, tf.float32) + a
        results = functional_ops.For(1, n, 1, [0.0, 1.0], captures, rewrite_with_while=V2, name="captured")
        wrong = functional_ops.For([0], 10, 1, [0.0], plain, name="wrong")
        case.init()
        for limit in (1, 2, 6):
            case.run(list(results), {n: limit})
        case.run(list(wrong))


def optional_forms():
    with Case("frame_optional_forms", "branches that keep other tensors each for their gradients") as case:
        x = tf.placeholder(tf.float32, [3], name="x")
        p = tf.placeholder(tf.bool, [], name="p")
        k = tf.placeholder(tf.int32, [], name="k")
        one = tf.cond(p, lambda: tf.sin(x) * tf.reduce_sum(tf.exp(x)), lambda: tf.reduce_sum(tf.exp(x)) * tf.gather(tf.cos(x), k) * x)
        several = tf.switch_case(k, [lambda: tf.matmul(tf.reshape(x, [3, 1]), tf.reshape(tf.exp(x), [1, 3])), lambda: tf.tanh(tf.stack([x, x * x, x * x * x])),
                                     lambda: tf.cond(p, lambda: tf.ones([3, 3]), lambda: tf.exp(tf.reshape(x, [3, 1])) * tf.square(x))])
        fetches = []
        for y in (one, several):
            first = tf.gradients(y, x)[0]
            fetches += [y, first, tf.gradients(first, x)[0]]
        for a in (True, False):
            for which in (0, 1, 2):
                case.run(fetches, {x: np.array([0.5, -1.0, 0.25], np.float32), p: a, k: which})

        def value(optional, shape, dtype=tf.float32):
            return raw.OptionalGetValue(optional=optional, output_types=[dtype], output_shapes=[shape])[0]
        mixed = tf.cond(p, lambda: raw.OptionalFromValue(components=[x * 2.0]), lambda: raw.OptionalFromValue(components=[tf.reduce_sum(x)]))
        for a in (True, False):
            case.run(value(mixed, [3]), {x: np.ones(3, np.float32), p: a})
            case.run(value(mixed, []), {x: np.ones(3, np.float32), p: a})
            case.run(value(mixed, [], tf.int32), {x: np.ones(3, np.float32), p: a})


def optional_loops():
    with Case("frame_optional_loops", "loops in some branches, whose lists the gradients of gradients change and need again") as case:
        x = tf.placeholder(tf.float32, [3], name="x")
        p = tf.placeholder(tf.bool, [], name="p")
        k = tf.placeholder(tf.int32, [], name="k")

        def turns(count, body, a):
            return tf.while_loop(lambda i, b: i < count, lambda i, b: (i + 1, tf.tanh(body(b))), [0, a])[1]
        mapped = tf.cond(p, lambda: x * x, lambda: tf.map_fn(lambda e: tf.sin(e) * e, x))
        picked = turns(k, lambda a: tf.switch_case(k, [
            lambda: turns(2, lambda b: tf.exp(-tf.abs(b)) + b, a), lambda: turns(k, lambda b: b + tf.gather(tf.cos(b), 0), a),
            lambda: tf.cond(p, lambda: a * tf.reduce_sum(tf.tanh(a)), lambda: tf.sin(a))]), x)
        gradients = []
        for y in (mapped, picked):
            first = tf.gradients(y, x)[0]
            gradients.append([y, first, tf.gradients(first, x)[0]])
        for fetches in gradients:
            for a in (True, False, True):
                for which in (1, 2, 0):
                    case.run(fetches, {x: np.array([0.3, -1.2, 0.7], np.float32), p: a, k: which}, rtol=1e-4, atol=1e-5)


def optional_lists():
    with Case("frame_optional_lists", "lists of optionals, as loops make them of branches inside for their gradients") as case:
        x = tf.placeholder(tf.float32, [2], name="x")
        p = tf.placeholder(tf.bool, [], name="p")
        n = tf.placeholder(tf.int32, [], name="n")
        turns = tf.while_loop(lambda i, a: i < n, lambda i, a: (
            i + 1, tf.cond(tf.equal(i % 3, 1), lambda: tf.sin(a) * a, lambda: tf.cond(p, lambda: a * 2.0, lambda: tf.exp(-a) * x))), [0, x])[1]
        slope = tf.gradients(turns, x)[0]
        bend = tf.gradients(slope, x)[0]

        def inner(a):
            return tf.while_loop(lambda j, b: j < 3, lambda j, b: (j + 1, b * tf.cos(b)), [0, a])[1]
        nested = tf.while_loop(lambda i, a: i < n, lambda i, a: (
            i + 1, tf.cond(tf.equal(i % 2, 0), lambda: tf.square(inner(a)), lambda: a + 1.0)), [0, x])[1]
        nested_slope = tf.gradients(nested, x)[0]
        for a in (True, False):
            for count in (0, 1, 4):
                case.run([turns, slope, bend, nested, nested_slope], {x: [0.5, -1.25], p: a, n: count})

        def value(optional):
            return raw.OptionalGetValue(optional=optional, output_types=[tf.float32], output_shapes=[[2]])[0]

        def pop(handle, dtype=tf.variant):
            return raw.TensorListPopBack(input_handle=handle, element_shape=-1, element_dtype=dtype)
        some = tf.cond(p, lambda: raw.OptionalFromValue(components=[x * 2.0]), lambda: raw.OptionalNone(), name="some")
        always = raw.OptionalFromValue(components=[x + 1.0])
        with tf.control_dependencies([p]):
            handle = raw.EmptyTensorList(element_shape=tf.constant([], tf.int32), max_num_elements=n, element_dtype=tf.variant)
        handle = raw.TensorListPushBack(input_handle=handle, tensor=always)
        one = raw.TensorListPushBack(input_handle=handle, tensor=some)
        left, last = pop(one)
        left, first = pop(left)
        empty = pop(left)[1]
        total = value(raw.AddN(inputs=[some, always, some]))
        zeros = value(raw.ZerosLike(x=some))
        both = raw.AddN(inputs=[some, raw.ZerosLike(x=some)])
        for a in (True, False):
            case.run(value(first), {x: X, p: a, n: 2})
            case.run(value(last), {x: X, p: a, n: 2})
            case.run(value(empty), {x: X, p: a, n: 2})
            case.run(value(last), {x: X, p: a, n: 1})
            case.run(total, {x: X, p: a})
            case.run(zeros, {x: X, p: a})
            case.run(value(both), {x: X, p: a})


ranks()
counted()
if V2:
    optional_forms()
    optional_loops()
    optional_lists()
else:
    references()
    merges()
    once()
    twice()
    inside()
    picked()
