# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow does with TensorArrays and with gradients of loops. Run it with a Python that has TensorFlow,
once with GOLDEN_MODE=resource, which writes While and TensorLists, and once without, for Switch and Merge, TensorArrays
and stacks (_v1). NAMES of cases as arguments record those alone."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

V2 = os.environ.get("GOLDEN_MODE") == "resource"
SUFFIX = "" if V2 else "_v1"


def data(*shape):
    return (np.arange(np.prod(shape)).reshape(shape) % 7 * 0.25 - 0.5).astype(np.float32)


def arrays():
    with Case("loops_arrays" + SUFFIX, "TensorArrays: filled in loops, read, gathered, scattered; sizes of feeds") as case:
        x = tf.placeholder(tf.float32, [None, None, 3], name="x")
        k = tf.placeholder(tf.int32, [], name="k")
        n = tf.shape(x)[0]
        rows = tf.TensorArray(tf.float32, n, name="rows", clear_after_read=False).unstack(x)
        sums = tf.TensorArray(tf.float32, n, name="sums")
        _, sums = tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, a.write(i, tf.reduce_sum(rows.read(i), 1) * 2.0)), [0, sums])
        back = tf.TensorArray(tf.float32, n, name="back").scatter(tf.range(n), x[::-1])
        history = tf.TensorArray(tf.float32, n + 1, element_shape=[2], name="history", clear_after_read=False).write(0, [1.0, 2.0])
        _, history = tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, a.write(i + 1, a.read(i) * 1.5 + 1.0)), [0, history])
        ints = tf.TensorArray(tf.int64, 3, name="ints").unstack(tf.constant([5, 6, 7], tf.int64))
        mapped = tf.map_fn(lambda row: row * 2.0 + 1.0, x)
        total = tf.foldl(lambda a, b: a + b, x)
        scanned = tf.scan(lambda a, b: a * 0.5 + b, x)
        fetches = [sums.stack(), rows.gather([0, n - 1]), back.stack(), back.size(), history.stack(), ints.read(1), mapped, total, scanned]
        for shape in ((3, 2, 3), (1, 4, 3), (5, 1, 3)):
            case.run(fetches, {x: data(*shape), k: 0})


def array_errors():
    with Case("loops_array_errors" + SUFFIX, "what TensorArrays refuse") as case:
        i = tf.placeholder(tf.int32, [], name="i")
        value = tf.constant([1.0, 2.0])

        def array(**more):
            return tf.TensorArray(tf.float32, 3, **more)
        written = array().write(0, value)
        if not V2:
            twice = array().write(0, value)
            again = twice.write(i, value)
            case.run(again.flow, {i: 0})
            case.run(again.flow, {i: 1})
            once = array().write(0, value)
            first = once.read(0)
            with tf.control_dependencies([first]):
                second = once.read(i)
            case.run(second, {i: 0})
            case.run(array(infer_shape=False).write(1, value).write(2, [1.0, 2.0]).read(i), {i: 0})
            case.run(array(element_shape=[2]).read(i), {i: 0})
            case.run(array(element_shape=[2]).write(1, value).stack())
        case.run(written.read(i), {i: 3})
        case.run(written.read(i), {i: -1})
        case.run(array().write(i, value).stack() if V2 else array().write(i, value).flow, {i: 7})
        case.run(array().scatter([0, i], tf.ones([2, 2])).stack(), {i: 2})


def stacks():
    from tensorflow.python.ops import gen_data_flow_ops as ops
    with Case("loops_stacks", "stacks, filled in one loop and emptied in another") as case:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        n = tf.placeholder(tf.int32, [], name="n")
        m = tf.placeholder(tf.int32, [], name="m")
        stack = ops.stack_v2(-1, elem_type=tf.float32)
        bounded = ops.stack_v2(2, elem_type=tf.int32)

        def push(i, a):
            return i + 1, ops.stack_push_v2(stack, a * 2.0) + ops.stack_push_v2(stack, a + 1.0)
        pushed = tf.while_loop(lambda i, a: i < n, push, [0, x], shape_invariants=[tf.TensorShape([]), tf.TensorShape(None)])
        with tf.control_dependencies(pushed):
            popped = tf.while_loop(lambda i, a: i < m, lambda i, a: (i + 1, a - ops.stack_pop_v2(stack, elem_type=tf.float32)), [0, x],
                                   shape_invariants=[tf.TensorShape([]), tf.TensorShape(None)])
        counted = tf.while_loop(lambda i: i < n, lambda i: ops.stack_push_v2(bounded, i) + 1, [0])
        with tf.control_dependencies([counted]):
            last = ops.stack_pop_v2(bounded, elem_type=tf.int32)
        for rows, turns, back in ((2, 2, 3), (1, 1, 2), (3, 0, 0), (2, 4, 8), (2, 2, 5)):
            case.run([pushed[1], popped[1]], {x: data(rows, 2), n: turns, m: back})
        for turns in (1, 2, 3):
            case.run(last, {n: turns})


def gradients():
    with Case("loops_gradients" + SUFFIX, "gradients of loops, branches in them, nested ones, of what they capture") as case:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        n = tf.placeholder(tf.int32, [], name="n")
        w = tf.constant(data(3, 3))
        power = tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, tf.tanh(tf.matmul(a, w)) + x), [0, x], name="power")[1]

        def branchy(i, a):
            return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: a * x, lambda: tf.sin(a))
        branched = tf.while_loop(lambda i, a: i < n, branchy, [0, x], name="branched")[1]

        def outer(i, a):
            return i + 1, tf.while_loop(lambda j, b: j < i, lambda j, b: (j + 1, b * b * 0.5 + x), [0, a], name="inner")[1]
        nested = tf.while_loop(lambda i, a: i < n, outer, [0, x * 0.5], name="outer")[1]
        chosen = tf.cond(n > 1, lambda: x * x, lambda: tf.exp(x), name="chosen")
        array = tf.TensorArray(tf.float32, n).unstack(tf.tile(tf.expand_dims(x, 0), [n, 1, 1]))
        out = tf.TensorArray(tf.float32, n)
        out = tf.while_loop(lambda i, o: i < n, lambda i, o: (i + 1, o.write(i, tf.square(array.read(i)) * tf.cast(i, tf.float32))), [0, out])[1]
        values = [power, branched, nested, chosen, tf.reduce_sum(out.stack())]
        # All of the graph before the first run: a gradient changes the loop that it is of.
        grads = [tf.gradients(tf.reduce_sum(value), [x])[0] for value in values]
        mapped = tf.gradients(tf.reduce_sum(tf.map_fn(lambda row: row * row, x)), [x])[0]
        scanned = tf.gradients(tf.reduce_sum(tf.scan(lambda a, b: a * b + b, x)), [x])[0]
        for value, grad in zip(values, grads):
            for rows, turns in ((2, 3), (1, 1), (4, 2), (2, 0)):
                if turns or value is not values[-1]:
                    case.run([value, grad], {x: data(rows, 3), n: turns})
        for rows in (2, 5, 1):
            case.run([mapped, scanned], {x: data(rows, 3), n: 0})


def dynamic_rnn(x, lengths, weights, bias, units):
    """As tf.nn.dynamic_rnn with a BasicLSTMCell, which TensorFlow 2.21 does not have any more."""
    x = tf.transpose(x, [1, 0, 2])
    turns, batch = tf.shape(x)[0], tf.shape(x)[1]
    inputs = tf.TensorArray(tf.float32, turns, element_shape=x.shape[1:]).unstack(x)
    outputs = tf.TensorArray(tf.float32, turns, element_shape=[None, units])
    zeros = tf.zeros([batch, units])

    def step(t, outputs, c, h):
        i, j, f, o = tf.split(tf.nn.bias_add(tf.matmul(tf.concat([inputs.read(t), h], 1), weights), bias), 4, axis=1)
        new_c = c * tf.sigmoid(f + 1.0) + tf.sigmoid(i) * tf.tanh(j)
        new_h = tf.tanh(new_c) * tf.sigmoid(o)
        done = tf.tile(tf.expand_dims(t >= lengths, 1), [1, units])
        return t + 1, outputs.write(t, tf.where(done, zeros, new_h)), tf.where(done, c, new_c), tf.where(done, h, new_h)
    _, outputs, c, h = tf.while_loop(lambda t, *_: t < turns, step, [0, outputs, zeros, zeros])
    return tf.transpose(outputs.stack(), [1, 0, 2]), c, h


def recurrent():
    with Case("loops_recurrent" + SUFFIX, "an LSTM in a loop, forward and gradient, for lengths and batches", rtol=1e-4, atol=1e-5) as case:
        units = 5
        x = tf.placeholder(tf.float32, [None, None, 4], name="x")
        lengths = tf.placeholder(tf.int32, [None], name="lengths")
        weights = tf.get_variable("weights", initializer=tf.constant(data(4 + units, 4 * units)), use_resource=V2)
        bias = tf.get_variable("bias", initializer=tf.zeros([4 * units]), use_resource=V2)
        outputs, c, h = dynamic_rnn(x, lengths, weights, bias, units)
        loss = tf.reduce_sum(tf.square(outputs)) + tf.reduce_sum(c)
        grads = tf.gradients(loss, [x, weights, bias])
        train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
        case.init()
        for batch, turns in ((2, 3), (1, 5), (3, 1), (2, 4)):
            feeds = {x: data(batch, turns, 4), lengths: np.maximum(turns - np.arange(batch), 1)}
            case.run([outputs, c, h, loss, *grads], feeds)
            case.run(train, feeds)


def nested():
    with Case("loops_nested" + SUFFIX, "arrays that loops make in their turns, of sizes that change, and gradients of them", rtol=1e-4, atol=1e-5) as case:
        x = tf.placeholder(tf.float32, [None, None], name="x")
        lengths = tf.placeholder(tf.int32, [None], name="lengths")
        w = tf.get_variable("w", initializer=2.0, use_resource=True)
        case.init()
        feeds = [{x: data(3, 4), lengths: [2, 4, 1]}, {x: data(1, 5), lengths: [3]}, {x: data(2, 2), lengths: [0, 2]}]

        def each(step):
            return tf.map_fn(lambda row: step(row[0][:row[1]]), (x, lengths), dtype=tf.float32)

        mapped = each(lambda row: tf.reduce_sum(tf.map_fn(lambda a: tf.square(a * w), row)))
        deep = each(lambda row: tf.reduce_sum(tf.map_fn(lambda a: tf.reduce_sum(tf.map_fn(lambda b: tf.sin(a * b + w), row)), row)))
        scanned = each(lambda row: tf.reduce_sum(tf.scan(lambda a, b: tf.sin(a * w + b), row, initializer=1.0)[::2]))
        def turn(i, total):
            made = tf.TensorArray(tf.float32, i + 2, clear_after_read=False, infer_shape=False)
            made = made.write(i + 1, x[i] * total).write(0, x[0] + w)
            # Two ways out of one array, whose gradients meet in one.
            return i + 1, total + tf.reduce_sum(made.read(0) * 0.5) + tf.reduce_sum(made.gather([i + 1, 0])[0])

        loop = tf.while_loop(lambda i, total: i < tf.shape(x)[0], turn, [0, 1.0])[1]

        def branch(i, total):
            def inside():
                made = tf.TensorArray(tf.float32, 3).unstack(tf.stack([x[i, 0], total, w]))
                return tf.reduce_sum(made.stack() * w)
            return i + 1, total + tf.cond(tf.equal(i % 2, 0), inside, lambda: x[i, 1] * total)

        branches = tf.while_loop(lambda i, total: i < tf.shape(x)[0], branch, [0, 1.0])[1]
        for fetches in [[y, *tf.gradients(y, [x, w])] for y in (mapped, deep, scanned, branches, loop)]:
            for feed in feeds:
                case.run(fetches, feed)


def handles():
    raw = tf.raw_ops
    with Case("loops_handles_v1", "handles of arrays on stacks: in what order, with gradients, of none", rtol=0, atol=0) as case:
        n = tf.placeholder(tf.int32, [], name="n")
        stack = raw.StackV2(max_size=8, elem_type=tf.resource, stack_name="stack")

        def push(i, ordered):
            array = raw.TensorArrayV3(size=i + 1, dtype=tf.float32, element_shape=[], dynamic_size=True, clear_after_read=False, tensor_array_name="array")
            flow = raw.TensorArrayWriteV3(handle=array.handle, index=i, value=tf.cast(i, tf.float32) + 1.0, flow_in=array.flow + ordered)
            with tf.control_dependencies([flow]):
                pushed = raw.StackPushV2(handle=stack, elem=array.handle)
            with tf.control_dependencies([pushed]):
                return i + 1, tf.identity(flow) * 0.0

        _, filled = tf.while_loop(lambda i, _: i < n, push, [0, 0.0], parallel_iterations=1, shape_invariants=[tf.TensorShape(None)] * 2)

        def pop(i, total, ordered):
            with tf.control_dependencies([ordered]):
                array = raw.StackPopV2(handle=stack, elem_type=tf.resource)
            size = raw.TensorArraySizeV3(handle=array, flow_in=ordered)
            first = raw.TensorArrayReadV3(handle=array, index=size - 1, flow_in=ordered, dtype=tf.float32)
            # What is written here is this array's alone.
            flow = raw.TensorArrayWriteV3(handle=array, index=size, value=first * 10.0, flow_in=ordered + 0.0 * first)
            last = raw.TensorArrayReadV3(handle=array, index=size, flow_in=flow, dtype=tf.float32)
            gradient = raw.TensorArrayGradV3(handle=array, flow_in=flow + 0.0 * last, source="g")
            one = raw.TensorArrayWriteV3(handle=gradient.grad_handle, index=0, value=first, flow_in=gradient.flow_out)
            same = raw.TensorArrayGradV3(handle=array, flow_in=one, source="g")
            two = raw.TensorArrayWriteV3(handle=same.grad_handle, index=0, value=last, flow_in=same.flow_out)
            added = raw.TensorArrayReadV3(handle=gradient.grad_handle, index=0, flow_in=two, dtype=tf.float32)
            return i + 1, total * 0.5 + added, ordered + 0.0 * added

        _, total, _ = tf.while_loop(lambda i, *_: i < n, pop, [0, 0.0, filled], parallel_iterations=1, shape_invariants=[tf.TensorShape(None)] * 3)
        for turns in (1, 4, 2, 8, 0):
            case.run(total, {n: turns})
        case.run(total, {n: 9})
        with tf.control_dependencies([filled]):
            empty = raw.StackPopV2(handle=raw.StackV2(max_size=1, elem_type=tf.resource, stack_name="empty"), elem_type=tf.resource)
        case.run(raw.TensorArraySizeV3(handle=empty, flow_in=0.0), {n: 1})


def picked():
    raw = tf.raw_ops
    with Case("loops_picked_v1", "arrays that branches pick, in loops too, their gradients, and a stack of arrays that several nodes make", rtol=0, atol=0) as case:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        p = tf.placeholder(tf.bool, [], name="p")
        n = tf.placeholder(tf.int32, [], name="n")

        def make(name, rows):
            array = raw.TensorArrayV3(size=0, dtype=tf.float32, dynamic_size=True, clear_after_read=False, tensor_array_name=name)
            return array.handle, raw.TensorArrayScatterV3(handle=array.handle, indices=tf.range(tf.shape(rows)[0]), value=rows, flow_in=array.flow)

        def read_first(array, flow):
            return raw.TensorArrayReadV3(handle=array, index=0, flow_in=flow, dtype=tf.float32)

        def either(condition, a, b):
            return tf.cond(condition, lambda: [tf.identity(t) for t in a], lambda: [tf.identity(t) for t in b])
        a, b = make("a", x * 2.0), make("b", x[:, :1])
        handle, flow = either(p, a, b)
        size = raw.TensorArraySizeV3(handle=handle, flow_in=flow)
        # What is written to the one that is picked both names show.
        flow = raw.TensorArrayWriteV3(handle=handle, index=size, value=x[0] * 7.0, flow_in=flow)
        read = raw.TensorArrayReadV3(handle=handle, index=size, flow_in=flow, dtype=tf.float32)
        with tf.control_dependencies([read]):
            sizes = [raw.TensorArraySizeV3(handle=array, flow_in=f) for array, f in (a, b)]
        gradient = raw.TensorArrayGradV3(handle=handle, flow_in=flow, source="g")
        one = raw.TensorArrayWriteV3(handle=gradient.grad_handle, index=size, value=x[0], flow_in=gradient.flow_out)
        given = raw.TensorArrayReadV3(handle=gradient.grad_handle, index=size, flow_in=one, dtype=tf.float32)
        for truth in (True, False):
            case.run([size, read, *sizes], {x: data(3, 2), p: truth})
            case.run(given, {x: data(2, 2), p: truth})

        def turn(i, total):
            own = make("own", tf.fill([i + 1, 2], tf.cast(i, tf.float32)))
            handle, flow = either(tf.equal(i % 2, 0), own, (a[0], a[1] + 0.0 * total))
            return i + 1, total * 0.5 + tf.reduce_sum(read_first(handle, flow))
        _, total = tf.while_loop(lambda i, _: i < n, turn, [0, 0.0], parallel_iterations=1)
        case.run(total, {x: data(3, 2), n: 5})
        # Each turn swaps them, and a third loop's handle is what its last turn made.
        swapped = tf.while_loop(lambda i, *_: i < n, lambda i, first, second: (i + 1, second, first), [0, a[0], b[0]], parallel_iterations=1)
        case.run(read_first(swapped[1], a[1] + b[1]), {x: data(3, 2), n: 0})
        case.run([read_first(array, a[1] + b[1]) for array in swapped[1:]], {x: data(3, 2), n: 3})

        def replace(i, array, flow, total):
            # Made before the other is read.
            own, begin = make("next", tf.fill([2, 2], tf.cast(i, tf.float32)))
            return i + 1, own, begin, tf.reshape(total + read_first(array, flow + begin)[0], [])
        last = tf.while_loop(lambda i, *_: i < n, replace, [0, *a, 0.0], parallel_iterations=1)[1:]
        case.run([read_first(*last[:2]), last[2]], {x: data(3, 2), n: 3})
        stack = raw.StackV2(max_size=4, elem_type=tf.resource, stack_name="stack")
        ordered = a[1]
        for array, f in (a, b, a):
            with tf.control_dependencies([ordered, f]):
                ordered = raw.StackPushV2(handle=stack, elem=array)
        elements = []
        for _ in range(3):
            with tf.control_dependencies([ordered]):
                popped = raw.StackPopV2(handle=stack, elem_type=tf.resource)
            ordered = raw.TensorArrayReadV3(handle=popped, index=1, flow_in=0.0, dtype=tf.float32)
            elements.append(ordered)
        case.run(elements, {x: data(3, 2)})


cases = [arrays, array_errors, gradients, recurrent, nested] + ([] if V2 else [stacks, handles, picked])
for record in cases:
    if len(sys.argv) == 1 or record.__name__ in sys.argv[1:]:
        record()
