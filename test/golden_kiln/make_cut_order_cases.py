# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what comes before what in runs with queue ops: what is fed, control edges into calls, branches and loops, fetches without a value. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import tensorflow as tf2
import tensorflow.compat.v1 as tf
from recorder import Case
from tensorflow.core.framework import attr_value_pb2
from tensorflow.python.framework import function

raw = tf.raw_ops


def fed():
    with Case("cut_fed", "outputs of queue ops, branches and loops that are fed, beside others that are not") as case:
        q = tf.FIFOQueue(9, [tf.float32, tf.float32], [[], []], name="q")
        put = q.enqueue_many([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0]])
        a, b = q.dequeue()
        both = a * 100.0 + b
        with tf.control_dependencies([a.op]):
            behind = tf.constant(3.0) * 2.0
        take = tf.placeholder(tf.bool, [], "take")
        branch = tf.cond(take, q.dequeue, lambda: [tf.constant(-1.0), tf.constant(-2.0)])
        branches = branch[0] * 100.0 + branch[1]
        loop = tf.while_loop(lambda i, x: i < 2, lambda i, x: [i + 1, x + q.dequeue()[0]], [0, 0.5])
        loops = tf.cast(loop[0], tf.float32) * 100.0 + loop[1]
        case.run(put)
        case.run([both, a, b, behind], {a: 5.0})
        case.run([both, a], {b: 5.0})
        case.run([both, behind], {a: 1.0, b: 2.0})
        case.run(behind, {a: 1.0})
        case.run(q.size())
        case.run([branches, branch[0]], {take: True, branch[0]: 5.0})
        case.run([branches, branch[1]], {take: False, branch[1]: 5.0})
        case.run([loops, loop[0]], {loop[0]: 7})
        case.run(q.size())


def controls(v2):
    with Case("cut_controls" + ("_v2" if v2 else ""), "control edges from queue ops into branches, loops and calls") as case:
        (tf.enable_control_flow_v2 if v2 else tf.disable_control_flow_v2)()
        q = tf.FIFOQueue(9, [tf.int32], [[]], shared_name="q")
        v = tf.get_variable("v", [], tf.int32, tf.zeros_initializer(), use_resource=True)
        put, close, p, n = q.enqueue(8), q.close(), tf.placeholder(tf.bool, [], "p"), tf.placeholder(tf.int32, [], "n")
        k = tf.placeholder_with_default(0, [], "k")
        add = lambda: v.assign_add(1, read_value=True)
        none = lambda: tf.constant(0)
        bump = tf2.function(lambda: v.assign_add(1) + 0)

        @function.Defun(tf.resource, func_name="alone" + ("_v2" if v2 else ""))
        def alone(handle):
            raw.AssignAddVariableOp(resource=handle, value=1)

        def call():
            return raw.StatefulPartitionedCall(args=[v.handle], Tout=[], f=alone)

        with tf.control_dependencies([put]):
            steps = [tf.cond(p, add, none), tf.while_loop(lambda i: i < n, lambda i: i + 1 + 0 * add(), [0]),
                     tf.while_loop(lambda i: i < n, lambda i: i + 1 + 0 * add(), [k]), tf.case([(p, add)], default=none),
                     tf.switch_case(tf.cast(p, tf.int32), [none, add]), bump(), call()]
        # A call without outputs, between a queue op that fails and one that would not.
        with tf.control_dependencies([put]):
            between = call()
        other = tf.FIFOQueue(9, [tf.int32], [[]], shared_name="other")
        with tf.control_dependencies([between]):
            behind = other.enqueue(1)
        case.init()
        steps = [getattr(step, "op", step) for step in steps]
        for step in steps:
            case.run(step, {p: True, n: 2})
            case.run([v.value(), q.size()])
        case.run(close)
        for step in steps:
            case.run(step, {p: True, n: 2})
            case.run(v.value())
        case.run(behind)
        case.run([v.value(), other.size()])


def calls():
    with Case("cut_calls", "two calls of one function whose ops wait for each other's") as case:
        first, second, third = (tf.FIFOQueue(3, [tf.int32], [[]], name="q%d" % i) for i in range(3))

        @function.Defun(tf.resource, tf.resource, func_name="move")
        def move(a, b):
            x = raw.QueueDequeueV2(handle=a, component_types=[tf.int32])
            with tf.control_dependencies(x):
                y = tf.constant(1) + 1
            with tf.control_dependencies([raw.QueueEnqueueV2(handle=b, components=[x[0] + y])]):
                return tf.identity(x[0])

        late, early = move(second.queue_ref, third.queue_ref), move(first.queue_ref, second.queue_ref)
        case.run(first.enqueue(5))
        case.run([late, early])
        case.run([third.dequeue(), first.size(), second.size()])


def dead():
    with Case("cut_dead", "a fetch without a value, found when all else is done") as case:
        q = tf.FIFOQueue(9, [tf.float32], [[]], name="q")
        p, x = tf.placeholder(tf.bool, [], "p"), tf.placeholder(tf.float32, [], "x")
        taken = tf.identity(raw.Switch(data=x, pred=p)[1])
        v = tf.get_variable("v", [], tf.int32, tf.zeros_initializer(), use_resource=True)
        with tf.control_dependencies([q.size()]):
            mark = v.assign(5, read_value=False)
        case.init()
        case.run([taken, q.size(), mark], {p: True, x: 2.0})
        case.run(v.initializer)
        case.run([taken, q.size(), mark], {p: False, x: 2.0})
        case.run(v.value())

        # A call of what may have no value, which others wait for.
        @function.Defun(tf.float32, tf.bool, func_name="maybe")
        def maybe(x, p):
            return tf.identity(raw.Switch(data=x, pred=p)[1])

        put = q.enqueue(maybe(x, p))
        case.run(put, {p: True, x: 2.0})
        case.run(q.dequeue())
        # Predicates that a queue gives, in a branch, and that the run computes.
        bools = tf.FIFOQueue(99, [tf.bool], [[]], name="bools")
        n = tf.placeholder(tf.int32, [], "n")
        case.run(bools.enqueue_many([[True] * 90]))
        for outer in (p, n > 0):
            with tf.control_dependencies([raw.Switch(data=x, pred=outer)[1]]):
                inner = bools.dequeue()
            sides = raw.Switch(data=raw.Switch(data=x, pred=outer)[1], pred=inner)
            t, u = tf.identity(sides[1]), tf.identity(sides[0])
            case.run([t, q.size()], {p: True, n: 1, x: 3.0})
            case.run([t, u], {p: True, n: 1, x: 3.0})


def effects():
    with Case("function_effects", "effects in functions that no output needs, in calls, branches and loops") as case:
        v = tf.get_variable("v", [], tf.int32, tf.zeros_initializer(), use_resource=True)
        q = tf.FIFOQueue(99, [tf.int32], [[]], shared_name="effects")

        def add(handle, number=1):
            raw.AssignAddVariableOp(resource=handle, value=number)

        @function.Defun(tf.resource, func_name="quiet")
        def quiet(handle):
            add(handle)

        @function.Defun(tf.resource, func_name="beside")
        def beside(handle):
            add(handle)
            return tf.constant(2) + 1

        @function.Defun(tf.resource, func_name="outer")
        def outer(handle):
            raw.StatefulPartitionedCall(args=[handle], Tout=[], f=quiet)

        @function.Defun(tf.resource, func_name="put")
        def put(handle):
            raw.QueueEnqueueV2(handle=handle, components=[tf.constant(1)])

        @function.Defun(tf.resource, func_name="outer_put")
        def outer_put(handle):
            raw.StatefulPartitionedCall(args=[handle], Tout=[], f=put)

        @function.Defun(tf.resource, tf.int32, func_name="body")
        def body(handle, i):
            add(handle)
            return handle, i + 1

        @function.Defun(tf.resource, tf.int32, func_name="cond")
        def cond(handle, i):
            add(handle, 10)
            return i < 2

        def call(f, count=0, handle=v.handle):
            return raw.StatefulPartitionedCall(args=[handle], Tout=[tf.int32] * count, f=f)

        def ops():
            yield raw.If(cond=True, input=[v.handle], Tout=[], then_branch=quiet, else_branch=quiet)
            yield raw.If(cond=True, input=[v.handle], Tout=[tf.int32], then_branch=beside, else_branch=beside)[0].op
            yield raw.StatelessIf(cond=True, input=[v.handle], Tout=[tf.int32], then_branch=beside, else_branch=beside)[0].op
            yield raw.While(input=[v.handle, tf.constant(0)], cond=cond, body=body)[1].op

        case.init()
        steps = [call(quiet), call(beside, 1)[0], call(outer), call(put, 0, q.queue_ref), call(outer_put, 0, q.queue_ref),
                 raw.Case(branch_index=0, input=[v.handle], Tout=[], branches=[quiet, quiet]), *ops()]
        for op in ops():  # as tf.cond and tf.while_loop make them
            op._set_attr("_lower_using_switch_merge", attr_value_pb2.AttrValue(b=True))
            steps.append(op)
        for step in steps:
            case.run(step)
            case.run([v.value(), q.size()])


if __name__ == "__main__":
    fed()
    controls(False)
    controls(True)
    calls()
    dead()
    effects()
