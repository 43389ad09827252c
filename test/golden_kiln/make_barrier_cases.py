# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's barriers, where elements wait until they have all of their components, and its critical sections. Run it with a
Python that has TensorFlow.

Left out is where TensorFlow's order is chance (elements whose keys were first seen in the same op), and where it takes values of
shapes that are not the barrier's, or waits for a number of elements below 0.
"""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops


def texts(*values):
    return np.array([v.encode() for v in values], object)


class Ops:
    """The ops on a barrier of float32 vectors of two and int64 scalars."""

    def __init__(self, name, **options):
        self.handle = raw.Barrier(component_types=["float32", "int64"], shapes=[[2], []], shared_name=name, **options)
        self.keys = tf.placeholder("string", None, name + "_keys")
        self.vectors = tf.placeholder("float32", None, name + "_vectors")
        self.numbers = tf.placeholder("int64", None, name + "_numbers")
        self.count = tf.placeholder("int32", None, name + "_count")
        self.put_vectors = raw.BarrierInsertMany(handle=self.handle, keys=self.keys, values=self.vectors, component_index=0)
        self.put_numbers = raw.BarrierInsertMany(handle=self.handle, keys=self.keys, values=self.numbers, component_index=1)
        self.ready = raw.BarrierReadySize(handle=self.handle)
        self.incomplete = raw.BarrierIncompleteSize(handle=self.handle)
        self.take = list(self.taken(False))
        self.take_some = list(self.taken(True))
        self.close = raw.BarrierClose(handle=self.handle)
        self.cancel = raw.BarrierClose(handle=self.handle, cancel_pending_enqueues=True)

    def taken(self, small):
        indices, keys, values = raw.BarrierTakeMany(handle=self.handle, num_elements=self.count, component_types=["float32", "int64"], allow_small_batch=small)
        return indices, keys, *values

    def vector(self, c, *keys):
        c.run(self.put_vectors, {self.keys: texts(*keys), self.vectors: [[len(k), ord(k[0])] for k in keys]})

    def number(self, c, *keys):
        c.run(self.put_numbers, {self.keys: texts(*keys), self.numbers: [ord(k[0]) for k in keys]})

    def sizes(self, c):
        c.run([self.ready, self.incomplete])


with Case("barrier_elements", "elements that wait for their components", rtol=0, atol=0) as c:
    b = Ops("elements")
    b.sizes(c)
    b.vector(c, "a")
    b.vector(c, "b")
    b.sizes(c)
    b.number(c, "c")
    b.number(c, "b", "a")
    b.sizes(c)
    c.run(b.take, {b.count: 1})
    c.run(b.take, {b.count: 1})
    c.run(b.take, {b.count: 0})
    b.vector(c, "c")
    b.vector(c, "a")
    b.vector(c, "a")  # has one
    b.number(c, "a")
    c.run(b.take, {b.count: 2})
    b.sizes(c)
    b.vector(c)
    c.run(b.put_vectors, {b.keys: texts("x"), b.vectors: np.zeros([1, 0])})
    c.run(b.put_vectors, {b.keys: texts(), b.vectors: np.zeros([0, 2])})
    b.sizes(c)

with Case("barrier_closed", "barriers that are closed", rtol=0, atol=0) as c:
    b = Ops("closed")
    b.vector(c, "a")
    b.number(c, "a")
    b.vector(c, "b")
    b.vector(c, "d")
    c.run(b.close)
    c.run(b.close)
    b.sizes(c)
    b.vector(c, "e")  # a new one
    c.run(b.take_some, {b.count: 5})
    c.run(b.take_some, {b.count: 5})
    c.run(b.take, {b.count: 3})
    b.number(c, "d")
    b.number(c, "b")
    b.sizes(c)
    b.number(c, "b")
    c.run(b.take, {b.count: 3})
    c.run(b.take_some, {b.count: 3})
    c.run(b.take, {b.count: 1})
    b.vector(c)
    x = Ops("cancelled")
    x.vector(c, "a")
    x.number(c, "a")
    x.vector(c, "b")
    c.run(x.cancel)
    c.run(x.cancel)
    c.run(x.close)
    x.sizes(c)
    x.number(c, "b")
    x.vector(c)
    c.run(x.take, {x.count: 2})
    c.run(x.take, {x.count: 1})
    y = Ops("twice")
    y.vector(c, "a")
    c.run(y.close)
    c.run(y.cancel)
    y.sizes(c)
    y.number(c, "a")
    c.run(y.take, {y.count: 1})

with Case("barrier_wrong", "barriers that cannot be", rtol=0, atol=0) as c:
    def size(**options):
        c.run(raw.BarrierReadySize(handle=raw.Barrier(**options)))

    size(component_types=["float32"], shapes=[])
    size(component_types=["float32"], shapes=[[2], []])
    size(component_types=["float32"], shapes=[[None]])
    size(component_types=["float32"], shapes=[None])
    size(component_types=["float32"], shapes=[[0]])
    size(component_types=["float32"], shapes=[[]], capacity=3)
    handle = raw.Barrier(component_types=["float32", "string"], shapes=[[], []], name="two")
    keys = tf.constant(["a"])
    c.run(raw.BarrierInsertMany(handle=handle, keys=keys, values=[1.0], component_index=2))
    c.run(raw.BarrierInsertMany(handle=handle, keys=keys, values=[1.0], component_index=1))
    for types in (["float32"], ["string", "float32"], ["float32", "string"]):
        for timeout in (-1, 5):
            if timeout == 5 or types != ["float32", "string"]:
                c.run(raw.BarrierTakeMany(handle=handle, num_elements=1, component_types=types, timeout_ms=timeout)[0])
    one = raw.Barrier(component_types=["float32"], shapes=[[]], shared_name="one")
    c.run(raw.BarrierReadySize(handle=one))
    c.run(raw.BarrierReadySize(handle=raw.Barrier(component_types=["int32"], shapes=[[]], shared_name="one")))

with Case("barrier_sections", "critical sections, whose locks are let go of where what is inside of them fails", rtol=0, atol=0) as c:
    section = tf.CriticalSection(name="section")
    counter = tf.get_variable("counter", [], initializer=tf.zeros_initializer(), use_resource=True)
    x = tf.placeholder("float32", None, "x")
    c.run(counter.initializer)

    def step():
        value = counter.assign_add(tf.reduce_sum(x), read_value=True)
        with tf.control_dependencies([value]):
            return tf.check_numerics(value, "inside"), tf.identity(value) * 2

    first = section.execute(step)
    with tf.control_dependencies([first[0]]):
        second = section.execute(step, name="again")
    other = tf.CriticalSection(shared_name="section_of_two")
    c.run(list(first), {x: [1, 2]})
    c.run(list(second), {x: [1, 2]})
    c.run(first[0], {x: np.inf})
    c.run(counter.initializer)
    c.run(list(second), {x: 4})
    c.run(other.execute(lambda: tf.constant(3)))
    lock = raw.MutexLock(mutex=raw.MutexV2(shared_name="alone"))
    c.run(raw.ConsumeMutexLock(mutex_lock=lock))
    c.run(raw.ConsumeMutexLock(mutex_lock=lock))
    c.run(lock.op)
    c.run(raw.ConsumeMutexLock(mutex_lock=lock))
