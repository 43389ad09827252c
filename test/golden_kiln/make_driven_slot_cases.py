# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow does with arrays, stacks and lists of a run with queue ops between. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops
BOX = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def loop(condition, body, start, **options):
    """One turn after the other: TensorFlow's queues see another order otherwise."""
    return tf.while_loop(condition, body, start, parallel_iterations=1, **options)


def kept():
    with Case("driven_kept", "arrays and stacks that a run keeps from one queue op to the next: in loops, gradients, of strings") as case:
        q = tf.FIFOQueue(100, tf.float32, shapes=[[2]], name="q")
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        put = q.enqueue_many(x)
        w = tf.get_variable("w", initializer=tf.constant([0.5, 2.0]))
        case.init()
        case.run(put, {x: BOX[0, :, :2]})
        # Elements from before and behind the queue, of all ways to read and write.
        arrays = tf.TensorArray(tf.float32, 2, dynamic_size=True, clear_after_read=False, infer_shape=False, name="arrays")
        arrays = arrays.write(0, x[0])
        taken = q.dequeue()
        arrays = arrays.write(2, taken * w).write(1, tf.zeros([2]))
        with tf.control_dependencies([taken]):
            again = q.dequeue()
        with tf.control_dependencies([again]):
            fetches = [arrays.stack(), arrays.size(), arrays.gather([2, 0]), arrays.read(2) * again]
        case.run(fetches, {x: BOX[1, :, :2]})
        case.run(put, {x: np.tile(BOX[0, :, :2], [4, 1])})
        # A queue op in every turn, and the gradient of the loop.
        mapped = tf.map_fn(lambda row: tf.reduce_sum(tf.square(row * w) * q.dequeue()), x, parallel_iterations=1)
        case.run([mapped, *tf.gradients(mapped, [x, w])], {x: BOX[1, :2, :2]})
        case.run(mapped, {x: BOX[1, :1, :2]})
        case.run([mapped], {x: np.zeros([0, 2], np.float32)})
        split = tf.TensorArray(tf.float32, 2, infer_shape=False, name="split").split(x, [1, 2])
        before = split.read(0)
        with tf.control_dependencies([q.enqueue(before[0])]):
            rest = tf.identity(q.size())
        with tf.control_dependencies([rest]):
            joined = split.write(0, x[:1] * 2.0).concat()
        case.run([rest, before], {x: BOX[0, :3, :2]})
        case.run([joined, rest], {x: BOX[0, :3, :2]})
        words = tf.FIFOQueue(9, tf.string, shapes=[[]], name="words")
        text = tf.placeholder(tf.string, [None], name="text")
        listed = tf.TensorArray(tf.string, 2, name="listed").write(0, tf.string_join([text[0], "!"]))
        with tf.control_dependencies([words.enqueue(text[1])]):
            spoken = words.dequeue()
        case.run(listed.write(1, spoken).stack(), {text: np.array([b"a word", b"another one, a longer one"], object)})
        stack = raw.StackV2(max_size=3, elem_type=tf.float32, stack_name="stack")
        pushed = raw.StackPushV2(handle=stack, elem=x)
        with tf.control_dependencies([pushed]):
            behind = raw.StackPushV2(handle=stack, elem=q.dequeue())
        with tf.control_dependencies([behind]):
            last = raw.StackPopV2(handle=stack, elem_type=tf.float32)
        with tf.control_dependencies([last]):
            first = raw.StackPopV2(handle=stack, elem_type=tf.float32)
        with tf.control_dependencies([first]):
            none = raw.StackPopV2(handle=stack, elem_type=tf.float32)
        case.run([last, first], {x: BOX[0, :, :2]})
        case.run(none, {x: BOX[0, :, :2]})


def lists():
    """Lists are values: who still has the old one sees nothing of what becomes of it."""
    tf.enable_control_flow_v2()
    with Case("driven_lists_v2", "lists that a run keeps from one queue op to the next: in loops, branches, gradients, of lists") as case:
        q = tf.FIFOQueue(100, tf.float32, shapes=[[2]], name="q")
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        p = tf.placeholder(tf.int32, [], name="p")
        w = tf.get_variable("w", initializer=tf.constant([0.5, 2.0]))
        put = q.enqueue_many(x)
        case.init()
        case.run(put, {x: np.tile(BOX[0, :, :2], [4, 1])})
        mapped = tf.map_fn(lambda row: tf.reduce_sum(tf.square(row * w) * q.dequeue()), x, parallel_iterations=1)
        case.run([mapped, *tf.gradients(mapped, [x, w])], {x: BOX[1, :2, :2]})
        case.run(mapped, {x: BOX[1, :1, :2]})
        case.run([mapped], {x: np.zeros([0, 2], np.float32)})
        case.run(tf.scan(lambda a, row: a * 0.5 + row * q.dequeue(), x, parallel_iterations=1), {x: BOX[1, :3, :2]})
        case.run(put, {x: np.tile(BOX[0, :, :2], [4, 1])})
        shape = tf.constant([2])
        empty = raw.EmptyTensorList(element_shape=shape, max_num_elements=-1, element_dtype=tf.float32)

        def push(values, value):
            return raw.TensorListPushBack(input_handle=values, tensor=value)

        def stack(values):
            return raw.TensorListStack(input_handle=values, element_shape=shape, element_dtype=tf.float32)
        one = push(empty, x[0])
        taken = q.dequeue()
        two, other = push(one, taken), push(one, taken * 2.0)
        with tf.control_dependencies([taken]):
            again = q.dequeue()
        three = push(two, again)
        case.run([stack(one), stack(two), stack(other), stack(three), raw.TensorListLength(input_handle=three)], {x: BOX[1, :2, :2]})
        # A branch in a loop gives another list, or the one that it is given; the one from around the loop stays.
        def turn(i, values):
            return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: push(values, q.dequeue()), lambda: values)
        turned = loop(lambda i, values: i < p, turn, [0, one])[1]
        case.run([stack(turned), stack(one)], {x: BOX[1, :2, :2], p: 4})
        case.run(stack(turned), {x: BOX[1, :2, :2], p: 0})
        outer = raw.EmptyTensorList(element_shape=tf.constant([], tf.int32), max_num_elements=-1, element_dtype=tf.variant)
        nested = loop(lambda i, values: i < p, lambda i, values: (i + 1, push(values, push(one, q.dequeue()))), [0, outer])[1]
        popped = raw.TensorListPopBack(input_handle=nested, element_shape=tf.constant([], tf.int32), element_dtype=tf.variant)
        case.run([stack(popped.tensor), raw.TensorListLength(input_handle=popped.output_handle)], {x: BOX[1, :2, :2], p: 2})
    tf.disable_control_flow_v2()


def picked():
    from tensorflow.python.framework import function

    with Case("driven_picked_v1", "arrays that functions make, and that data picks, in a run with queue ops between") as case:
        q = tf.FIFOQueue(100, tf.float32, shapes=[[2]], name="q")
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        p = tf.placeholder(tf.bool, [], name="p")

        @function.Defun(tf.resource, tf.float32)
        def joined(handle, v):
            array = tf.TensorArray(tf.float32, 2, name="inside").write(0, v)
            taken = raw.QueueDequeueV2(handle=handle, component_types=[tf.float32])[0]
            with tf.control_dependencies([taken]):
                return array.write(1, taken * v).stack()
        case.run(q.enqueue_many(x), {x: np.tile(BOX[0, :, :2], [4, 1])})
        first, second = joined(q.queue_ref, x[0]), joined(q.queue_ref, x[1])
        case.run([first], {x: BOX[1, :2, :2]})
        case.run([second], {x: BOX[1, :2, :2]})
        a = tf.TensorArray(tf.float32, 1, name="a").write(0, x[0])
        b = tf.TensorArray(tf.float32, 1, name="b").write(0, x[1] * 2.0)
        taken = q.dequeue()
        with tf.control_dependencies([taken]):
            handle, flow = tf.cond(p, lambda: (tf.identity(a.handle), tf.identity(a.flow)), lambda: (tf.identity(b.handle), tf.identity(b.flow)))
        element = raw.TensorArrayReadV3(handle=handle, index=0, flow_in=flow, dtype=tf.float32)
        case.run(element, {x: BOX[1, :2, :2], p: True})
        case.run(element, {x: BOX[1, :2, :2], p: False})


kept()
lists()
picked()
