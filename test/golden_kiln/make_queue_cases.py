# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow's queues of all kinds give back, and what they say. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

NUMBERS = np.arange(20, dtype=np.int32)
TEXTS = np.array([["a%d" % i, "b"] for i in NUMBERS], object)


def padding():
    with Case("queue_padding", "batches of elements of different shapes, of numbers and of strings") as case:
        for dtype in (tf.float32, tf.bool, tf.string):
            # A name, since TensorFlow counts the queues of a process that have none.
            queue = tf.PaddingFIFOQueue(100, [dtype, tf.int32], shapes=[[None, 2, None], [None]], shared_name="of_" + dtype.name)
            first, second = tf.placeholder(dtype, [None, 2, None]), tf.placeholder(tf.int32, [None])
            put, many = queue.enqueue([first, second]), queue.enqueue_many([tf.stack([first, first]), tf.stack([second, second])])
            count = tf.placeholder(tf.int32, [])
            take, batch, rest, size = queue.dequeue(), queue.dequeue_many(count), queue.dequeue_up_to(count), queue.size()

            def feeds(rows, columns, length):
                numbers = np.arange(1, 1 + rows * 2 * columns)
                values = np.array([b"%d" % n for n in numbers], object) if dtype == tf.string else numbers.astype(dtype.as_numpy_dtype)
                return {first: values.reshape(rows, 2, columns), second: np.arange(length, dtype=np.int32)}

            for extents in ((1, 2, 3), (2, 1, 0), (0, 3, 2), (3, 0, 1)):
                case.run(put, feeds(*extents))
            case.run(many, feeds(2, 2, 2))
            case.run([size, *batch], {count: 3})
            case.run(take)
            case.run(queue.close())
            case.run(batch, {count: 0})
            case.run(rest, {count: 5})
            for late, given in ((take, {}), (batch, {count: 2}), (rest, {count: 2}), (rest, {count: -1}), (put, feeds(1, 1, 1))):
                case.run(late, given)
        queue = tf.PaddingFIFOQueue(10, [tf.float32], shapes=[[None]], shared_name="behind")
        x = tf.placeholder(tf.float32)
        put = tf.raw_ops.QueueEnqueueV2(handle=queue.queue_ref, components=[x])
        many = tf.raw_ops.QueueEnqueueManyV2(handle=queue.queue_ref, components=[x])
        batch = queue.dequeue_many(2)
        width = tf.reduce_sum(batch * 2.0, 1) + tf.cast(tf.shape(batch)[1], tf.float32)
        for value in ([1.0, 2.0], [3.0]):
            case.run(put, {x: value})
        case.run([width, batch])
        for value in (1.0, [[1.0]]):
            case.run(put, {x: value})
        for value in ([1.0], [[[1.0]]]):
            case.run(many, {x: value})
        ops = tf.raw_ops
        for shapes in ([], [None], [[], []]):
            case.run(ops.QueueSizeV2(handle=ops.PaddingFIFOQueueV2(component_types=[tf.float32], shapes=shapes)))
        # Open dimensions fit any.
        for shapes in ([[2, None]], [[None, 3]], [[4, 3]], [[2]]):
            shared = ops.PaddingFIFOQueueV2(component_types=[tf.float32], shapes=shapes, shared_name="shared")
            case.run(ops.QueueSizeV2(handle=shared))


def shuffle():
    with Case("queue_shuffle", "the order in which elements come out for given seeds, and how many stay until a queue is closed") as case:
        for place, (of_graph, of_queue) in enumerate(((3, 7), (3, None), (None, 12345))):
            tf.set_random_seed(of_graph)
            queue = tf.RandomShuffleQueue(50, 2, [tf.int32, tf.string], shapes=[[], [2]], seed=of_queue, name="queue%d" % place,
                                          shared_name="shared%d" % place if of_queue else None)
            x = tf.placeholder(tf.int32, [])
            fill, put, take = queue.enqueue_many([NUMBERS, TEXTS]), queue.enqueue([x, ["p", "q"]]), queue.dequeue()
            five, rest, size = queue.dequeue_many(5), queue.dequeue_up_to(9), queue.size()
            case.run(fill)
            case.run(take)
            case.run(five)
            case.run(put, {x: 77})
            case.run(take)
            case.run(five)
            case.run(fill)
            case.run(five)
            case.run(size)
            case.run(queue.close())
            for _ in range(3):
                case.run(rest)
            if of_queue:
                for late, given in ((rest, {}), (five, {}), (take, {}), (put, {x: 1})):
                    case.run(late, given)
        ops = tf.raw_ops
        for attrs in (dict(min_after_dequeue=-1), dict(min_after_dequeue=5, capacity=5), dict(shapes=[[None]]), dict(shared_name="q"),
                      dict(shared_name="q", seed=1), dict(shared_name="q", min_after_dequeue=1), dict(shared_name="q", capacity=4)):
            case.run(ops.QueueSizeV2(handle=ops.RandomShuffleQueueV2(component_types=[tf.float32], **attrs)))
        case.run(ops.QueueDequeueManyV2(handle=ops.RandomShuffleQueueV2(component_types=[tf.float32]), n=1, component_types=[tf.float32]))


def priority():
    with Case("queue_priority", "elements by their priorities, and among those of one priority") as case:
        queue = tf.PriorityQueue(100, [tf.int32, tf.string], shapes=[[], [2]], shared_name="q")
        priorities = np.array([5, 1, 3, 1, 5, 5, -2, 1, 3, 3, 0, 2**40, 1, 5, 1, 1, 3, 5, 5, -(2**50)], np.int64)
        fill = queue.enqueue_many([priorities, NUMBERS, TEXTS])
        take, six, many, size = queue.dequeue(), queue.dequeue_many(6), queue.dequeue_many(20), queue.size()
        for step in (fill, take, six, fill, many, take, size):
            case.run(step)
        p, x = tf.placeholder(tf.int64), tf.placeholder(tf.int32)
        put = tf.raw_ops.QueueEnqueueV2(handle=queue.queue_ref, components=[p, x, ["a", "b"]])
        for priority, value in ((-7, 1), ([1], 1), (1, [1])):
            case.run(put, {p: priority, x: value})
        case.run(take)
        case.run(queue.close())
        case.run(many)
        case.run(put, {p: 1, x: 1})
        ops = tf.raw_ops
        for op, attrs in ((ops.PriorityQueueV2, dict(shapes=[[], []])), (ops.PriorityQueueV2, dict(shapes=[[]], shared_name="q")),
                          (ops.PriorityQueueV2, dict(shapes=[], shared_name="bare")), (ops.FIFOQueueV2, dict(shared_name="q"))):
            case.run(ops.QueueSizeV2(handle=op(component_types=[tf.float32], **attrs)))


if __name__ == "__main__":
    padding()
    shuffle()
    priority()
