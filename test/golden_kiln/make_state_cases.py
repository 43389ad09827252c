# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records staging areas, slices of variables that are assigned, and variables that live for one run. Run it with a Python that
has TensorFlow."""
import os
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops



def of_key(key):
    return tf.constant(key, tf.int64)


def staging():
    with Case("state_staging", "tuples that runs leave for others, in their order and by keys") as case:
        x, text = tf.placeholder(tf.float32, None), tf.placeholder(tf.string, None)
        types, name = [tf.float32, tf.string], dict(shared_name="area")
        put = raw.Stage(values=[x * 2, text], **name)
        take, first, second = raw.Unstage(dtypes=types, **name), raw.StagePeek(index=0, dtypes=types, **name), raw.StagePeek(index=1, dtypes=types, **name)
        size, clear = raw.StageSize(dtypes=types, **name), raw.StageClear(dtypes=types, **name)
        for i in range(3):
            case.run(put, {x: np.arange(i + 1.0), text: [b"a"] * i})
            case.run([size, *first])
        case.run(second)
        case.run([take[0] + 1, take[1]])
        case.run([*take])
        case.run(put, {x: [[1.0]], text: b"b"})
        case.run(size)
        case.run(raw.StagePeek(index=[0], dtypes=types, **name))
        case.run(put, {x: 1, text: b"b"})
        case.run(clear)
        case.run(size)
        bounded = dict(shared_name="bounded", memory_limit=20)
        case.run(raw.Stage(values=[x], **bounded), {x: np.zeros(6)})
        case.run(raw.Stage(values=[x], **bounded), {x: np.zeros(5)})
        case.run(raw.StageSize(dtypes=[tf.float32], **bounded))
        # In the order in which the nodes are made that a dequeue depends on.
        with tf.control_dependencies([raw.Stage(values=[x], shared_name="in")]):
            case.run(raw.Unstage(dtypes=[tf.float32], shared_name="in")[0] * 3, {x: [1, 2]})

    with Case("state_staging_maps", "tuples under keys, whole and in pieces") as case:
        x, key, places = tf.placeholder(tf.float32, None), tf.placeholder(tf.int64, None), tf.placeholder(tf.int32, None)
        types = [tf.float32, tf.float32]
        for kind in ("", "Ordered"):
            op = lambda what, **inputs: getattr(raw, kind + what)(shared_name="map" + kind, **inputs)
            puts = {n: op("MapStage", key=key, indices=places, values=[x, x + 1][:n], dtypes=types) for n in (1, 2)}
            takes = {n: op("MapUnstage", key=key, indices=places, dtypes=types[:n]) for n in (1, 2)}
            look = op("MapPeek", key=key, indices=places, dtypes=types)
            any_one = op("MapUnstageNoKey", indices=places, dtypes=types)
            sizes = [op("MapSize", dtypes=types), op("MapIncompleteSize", dtypes=types)]
            for value, of in ((10, 3), (20, 1), (30, 2)):
                case.run(puts[2], {x: [value, value], key: of, places: [0, 1]})
            case.run([*look, *sizes], {key: 2, places: [0, 1]})
            case.run(takes[1], {key: 3, places: [1]})
            case.run(takes[1], {key: 3, places: [1]})
            case.run(takes[1], {key: 3, places: [0]})
            case.run(sizes)
            if kind:
                case.run([any_one.key, *any_one.values], {places: [0, 1]})
            case.run([*takes[2]], {key: 2, places: [0, 1]})
            for piece in (1, 0):
                case.run(puts[1], {x: piece, key: 7, places: [piece]})
                case.run(sizes)
            case.run(puts[1], {x: 5, key: 8, places: [1]})
            case.run(puts[1], {x: 5, key: 8, places: [1]})
            case.run(puts[2], {x: 6, key: 7, places: [0, 1]})
            case.run([*takes[2]], {key: 7, places: [0, 1]})
            for wrong in ({places: [1, 0]}, {places: [0, 0]}, {places: []}, {places: [2]}, {places: [-1]}, {key: [1, 2]}, {key: []}):
                case.run(puts[2], {x: 1, key: 9, places: [0, 1], **wrong})
            case.run(puts[2], {x: 1, key: 9, places: [0, 1]})
            case.run(op("MapClear", dtypes=types))
            case.run(sizes)


def slices():
    for is_resource in (False, True):
        with Case("state_slices" + ("_v2" if is_resource else "_v1"), "slices of variables that are assigned") as case:
            begin, end, step = (tf.placeholder(tf.int32, None, n) for n in ("begin", "end", "step"))
            value = tf.placeholder(tf.float32, None, "value")
            variables = []

            def assign(shape, spec, given, dtype=tf.float32, **masks):
                initial = tf.reshape(tf.cast(tf.range(int(np.prod(shape))), dtype), shape)
                v = tf.get_variable("v%d" % len(variables), initializer=initial, use_resource=is_resource)
                variables.append(v)
                op = raw.ResourceStridedSliceAssign if is_resource else raw.StridedSliceAssign
                inputs = dict(zip(("begin", "end", "strides"), spec))
                return op(ref=v.handle if is_resource else v._ref(), value=given, **inputs, **masks)

            fixed = [assign([3, 4], ([0, 1], [1, 3], [1, 1]), [[7.0, 8]]), assign([3, 4], ([0, 1], [2, 3], [1, 1]), 7.0),
                     assign([3, 4], ([0, 1], [2, 3], [1, 1]), [7.0, 8]), assign([3, 4], ([0, 1], [2, 3], [1, 1]), [[[[7.0, 8], [9, 10]]]]),
                     assign([3, 4], ([0, 1], [0, 3], [1, 1]), np.zeros([0, 2], np.float32)),
                     assign([3, 4], ([-1, -1], [-4, -5], [-1, -1]), np.arange(12, dtype=np.float32).reshape(3, 4)),
                     assign([5, 4], ([4, 0], [0, 4], [-2, 3]), [[-1.0, -2], [-3, -4]]),
                     assign([3, 4], ([1], [2], [1]), [1.0, 2, 3, 4], shrink_axis_mask=1),
                     assign([3, 4], ([0, 0], [1, 3], [1, 1]), np.ones([1, 3, 4], np.float32), new_axis_mask=1),
                     assign([2, 3, 4], ([0, 1], [9, 2], [1, 1]), 5.0, ellipsis_mask=1), assign([2, 3, 4], ([1, 0], [1, 0], [1, 1]), 6.0, begin_mask=3, end_mask=3),
                     assign([4], ([0], [4], [1]), [5.0, 6, 7, 8]), assign([4], ([2], [3], [1]), 9.0, shrink_axis_mask=1)]
            fixed += [assign([3, 4], ([0, 1], [2, 3], [1, 1]), tf.cast([1, 0], t), t) for t in (tf.float64, tf.float16, tf.bfloat16, tf.int8, tf.uint16, tf.int64, tf.bool)]
            strings = tf.get_variable("strings", initializer=tf.constant([["a", "b"], ["c", "d"]]), use_resource=is_resource)
            fixed.append(strings[:, 1].assign(["x", "y"]))
            variables.append(strings)
            fed = assign([5, 6], (begin, end, step), value)
            case.run(tf.global_variables_initializer())
            case.run(fixed)
            case.run([v.read_value() for v in variables])
            last = variables[-1]
            for b, e, s, given in (([0, 0], [2, 2], [1, 1], [[1, 2], [3, 4]]), ([1, 5], [5, 0], [2, -2], 7), ([2], [3], [1], np.arange(6)), ([4, 4], [2, 2], [1, 1], 0)):
                case.run(fed, {begin: b, end: e, step: s, value: given})
                case.run(last.read_value())
            for b, e, s, given in (([0, 0], [2, 2], [1, 1], [1, 2, 3]), ([0], [2, 2], [1], 0), ([0, 0], [2, 2], [0, 1], 0), ([[0]], [[1]], [[1]], 0)):
                case.run(fed, {begin: b, end: e, step: s, value: given})
            case.run(last.read_value())
            case.run(fixed[0], session="other")


def said(case, message, nodes=None):
    """Of an error the part that is not the run's: TensorFlow names a resource by the run, its frame and its C++ type."""
    error = case.spec["steps"][-1]["error"]
    error.update(message=message, nodes=nodes or error["nodes"])


def temporaries():
    with Case("state_temporaries", "variables that live for one run, and values that are taken away") as case:
        x = tf.placeholder(tf.float32, [2])
        made = raw.TemporaryVariable(shape=[2], dtype=tf.float32, var_name="t")
        total = tf.assign_add(tf.assign(made, x), x * 10)
        case.run(raw.DestroyTemporaryVariable(ref=total, var_name="t"), {x: [1, 2]}, repeat=2)
        case.run(raw.DestroyTemporaryVariable(ref=total, var_name="other"), {x: [1, 2]})
        said(case, "Resource other does not exist.")
        twins = [tf.assign(raw.TemporaryVariable(shape=[], dtype=tf.int32, var_name="twin"), i) for i in range(2)]
        case.run(twins[0] + twins[1])
        said(case, "Resource twin", [twin.op.inputs[0].op.name for twin in twins])
        unnamed = raw.TemporaryVariable(shape=[3], dtype=tf.int64, name="unnamed")
        case.run(raw.DestroyTemporaryVariable(ref=tf.assign(unnamed, [1, 2, 3]), var_name="unnamed"))
        v = tf.get_variable("v", initializer=[1.0, 2], use_resource=True)
        there, destroy = raw.VarIsInitializedOp(resource=v.handle), raw.DestroyResourceOp(resource=v.handle)
        case.run(v.initializer)
        case.run([v.read_value(), there])
        case.run(destroy)
        case.run(there)
        case.run(v.read_value())
        case.run(destroy)
        case.run(raw.DestroyResourceOp(resource=v.handle, ignore_lookup_error=False))
        said(case, "Resource v does not exist.")
        case.run(v.initializer)
        case.run(v.read_value())


staging()
slices()
temporaries()
