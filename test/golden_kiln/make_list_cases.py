# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow does with TensorArrays and TensorLists whose elements have sizes that the run finds out, and
what their ops refuse. Run it with a Python that has TensorFlow; NAMES of cases as arguments record those alone."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case
from tensorflow.python.ops import data_flow_ops, gen_data_flow_ops, gen_list_ops, list_ops


def data(*shape):
    return (np.arange(np.prod(shape)).reshape(shape) % 7 * 0.25 - 0.5).astype(np.float32)


def empty(shape=None, limit=None):
    return list_ops.empty_tensor_list(shape, tf.float32, limit)


def reserve(shape, n):
    return list_ops.tensor_list_reserve(shape, n, tf.float32)


def push(handle, *values):
    for value in values:
        handle = list_ops.tensor_list_push_back(handle, value)
    return handle


def stack(handle, shape=-1, n=-1):
    return gen_list_ops.tensor_list_stack(handle, shape, tf.float32, n)


def gather(handle, indices, shape=-1):
    return gen_list_ops.tensor_list_gather(handle, indices, shape, tf.float32)


def get(handle, i, shape=-1):
    return gen_list_ops.tensor_list_get_item(handle, i, shape, tf.float32)


def pop(handle, shape=-1):
    handle, value = gen_list_ops.tensor_list_pop_back(handle, shape, tf.float32)
    return handle, value


def concat(handle, shape=-1, rows=()):
    made = gen_list_ops.tensor_list_concat_v2(handle, shape, np.array(rows, np.int64), tf.float32)
    return [made[0], made[1]]


def nest(handle):
    return list_ops.tensor_list_push_back(list_ops.empty_tensor_list([], tf.variant), handle)


def loop(turns, body, handle):
    return tf.while_loop(lambda i, a: i < turns, lambda i, a: (i + 1, body(i, a)), [0, handle])[1]


def list_sizes():
    with Case("lists_sizes", "lists whose number and shapes of elements the run finds out, and what follows from them") as case:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        n = tf.placeholder(tf.int32, [], name="n")
        i = tf.placeholder(tf.int32, [], name="i")
        w = tf.constant(data(3, 2))
        chosen = tf.gather(x, tf.where(x[:, 0] > 0.0)[:, 0])
        equal = loop(n, lambda k, a: push(a, chosen * tf.cast(k, tf.float32)), empty([None, 3]))
        growing = loop(n, lambda k, a: push(a, tf.tile(chosen, [k, 1])), empty([None, 3]))
        stacked = stack(equal)
        rows, lengths = concat(growing)
        last = pop(growing)[1]
        some = gather(growing, [n - 1, n - 1])
        item = get(growing, i)
        parts = list_ops.tensor_list_split(x, [-1, 3], tf.cast([i, tf.shape(x)[0] - i], tf.int64))
        filled = list_ops.tensor_list_set_item(reserve([None, 3], n), i, chosen)
        scattered = list_ops.tensor_list_scatter(chosen, tf.range(tf.shape(chosen)[0]) * 2, [3])
        resized = list_ops.tensor_list_resize(scattered, n)
        joined = gen_list_ops.tensor_list_concat_lists(equal, growing, tf.float32)
        ranks = push(empty(), [4.0, 5.0], 1.0, [[2.0, 3.0]], chosen)
        fetches = [stacked, tf.reduce_sum(stacked, 0), tf.matmul(rows, w), lengths, tf.reduce_sum(last, 1), some, tf.matmul(item, w),
                   *concat(parts), get(parts, 1), *concat(filled), stack(filled), stack(scattered), stack(resized),
                   list_ops.tensor_list_length(joined), get(joined, n + i),
                   get(ranks, i), gather(ranks, [i, i]), pop(ranks)[1]]
        for m, turns, place in ((4, 3, 1), (6, 2, 1), (9, 4, 3), (4, 5, 0)):
            case.run(fetches, {x: data(m, 3), n: turns, i: place})


def array_sizes():
    with Case("arrays_sizes_v1", "arrays and stacks whose elements have sizes that the run finds out, and gradients of them") as case:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        n = tf.placeholder(tf.int32, [], name="n")
        i = tf.placeholder(tf.int32, [], name="i")
        w = tf.constant(data(3, 2))
        chosen = tf.gather(x, tf.where(x[:, 0] > 0.0)[:, 0])

        def array(size, **more):
            return tf.TensorArray(tf.float32, size, infer_shape=False, **more)
        growing = loop(n, lambda k, a: a.write(k, tf.tile(chosen, [k, 1])), array(n, clear_after_read=False, element_shape=[None, 3]))
        equal = loop(n, lambda k, a: a.write(k, chosen), array(0, dynamic_size=True))
        parts = array(2, clear_after_read=False).split(x, tf.cast([i, tf.shape(x)[0] - i], tf.int64))
        rows = growing.concat()
        mixed = array(3).write(0, [[4.0, 5.0]]).write(1, [1.0]).write(2, -3.0)
        source = array(2, element_shape=[2])
        handle, flow = data_flow_ops.tensor_array_grad_with_shape(source.handle, source.flow, tf.shape(x)[:1], "source")
        wider = tf.TensorArray(tf.float32, handle=handle, flow=flow)
        wider = wider.write(0, x[:, :2]).write(0, x[:, 1:])
        pieces = gen_data_flow_ops.stack_v2(-1, elem_type=tf.float32)
        pushed = tf.while_loop(lambda k, a: k < n, lambda k, a: (k + 1, a + tf.reduce_sum(gen_data_flow_ops.stack_push_v2(pieces, tf.tile(chosen, [k, 1]) + 0.0 * a))),
                               [0, 0.0])[1]
        with tf.control_dependencies([pushed]):
            popped = gen_data_flow_ops.stack_pop_v2(pieces, elem_type=tf.float32)
        joined = array(2).split(x, tf.cast([i, tf.shape(x)[0] - i], tf.int64)).concat()
        grads = tf.gradients(tf.reduce_sum(joined * joined), [x])
        split = array(1, dynamic_size=True).split(x, tf.cast([i, tf.shape(x)[0] - i], tf.int64)).write(2, tf.ones([2, 3]))
        grads += tf.gradients(tf.reduce_sum(tf.square(split.concat())), [x])
        fetches = [tf.matmul(rows, w), growing.read(i), tf.reduce_sum(growing.gather([n - 1, n - 1]), 1), tf.matmul(equal.concat(), w),
                   parts.read(0), parts.read(1), parts.concat(), mixed.read(0), mixed.read(1), mixed.read(2), array(4).write(0, 1.0).write(1, x).write(3, [2.0]).read(tf.minimum(i, 1)), wider.read(0), wider.read(1),
                   popped, *grads]
        for m, turns, place in ((4, 3, 1), (6, 2, 1), (9, 4, 3), (4, 5, 0)):
            case.run(fetches, {x: data(m, 3), n: turns, i: place})


def list_vectors():
    with Case("lists_vectors", "vectors of lists: stacked, unstacked, joined and pushed to, in loops too") as case:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        n = tf.placeholder(tf.int32, [], name="n")
        i = tf.placeholder(tf.int32, [], name="i")
        chosen = tf.gather(x, tf.where(x[:, 0] > 0.0)[:, 0])
        first = list_ops.tensor_list_from_tensor(x, [3])
        second = push(empty([3]), x[0] * 2.0)
        both = tf.stack([first, second])
        swapped = tf.stack([second, first])
        pushed = list_ops.tensor_list_push_back_batch(both, x[:2] + 1.0)
        grown = loop(n, lambda k, a: list_ops.tensor_list_push_back_batch(a, x[:2] * tf.cast(k, tf.float32)), both)
        open_lists = tf.stack([empty([None, 3]), empty([None, 3])])
        sized = list_ops.tensor_list_push_back_batch(open_lists, tf.stack([chosen, chosen * 2.0]))
        lists = [both, pushed, grown, sized, list_ops.tensor_list_concat_lists(both, swapped, tf.float32),
                 list_ops.tensor_list_concat_lists(swapped, swapped, tf.float32)]
        inner = [gen_list_ops.tensor_list_get_item(list_ops.tensor_list_concat_lists(nest(first), nest(second), tf.variant), k, [], tf.variant)
                 for k in (i, i + 1)]
        fetches = [stack(one) for one in inner] + [stack(one) for vector in lists for one in tf.unstack(vector)] + [tf.shape(both)]
        for m, turns in ((4, 3), (6, 0), (3, 1)):
            case.run(fetches, {x: data(m, 3), n: turns, i: 0})
        case.run(list_ops.tensor_list_push_back_batch(both, tf.ones([2, i])), {x: data(4, 3), n: 0, i: 2})
        case.run(list_ops.tensor_list_push_back_batch(both, tf.ones([i, 3])), {x: data(4, 3), n: 0, i: 3})
        case.run(list_ops.tensor_list_concat_lists(both, tf.stack([empty(tf.stack([i])), second]), tf.float32), {x: data(4, 3), n: 0, i: 2})


def pads():
    with Case("size_pads", "paddings and slices before a place that the run finds out, and their gradients") as case:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        i = tf.placeholder(tf.int32, [], name="i")
        count = tf.shape(tf.where(x[:, 0] > 0.0))[0]
        padded = tf.pad(x, [[count, i], [1, count]], constant_values=0.5)
        part = tf.slice(x, [tf.minimum(count, 1), 0], [1, -1])
        ints = tf.pad(tf.cast(x * 4.0, tf.int32), tf.stack([[i, count], [0, i]]))
        grads = tf.gradients(tf.reduce_sum(part * part), [x])
        fetches = [padded, tf.reduce_sum(padded, 0), part, ints, *grads]
        for m, place in ((4, 0), (6, 2), (9, 1), (2, 3)):
            case.run(fetches, {x: data(m, 3), i: place})


def list_errors():
    with Case("lists_errors", "what lists refuse") as case:
        i = tf.placeholder(tf.int32, [], name="i")
        shape = tf.placeholder(tf.int32, [None], name="shape")
        value = tf.placeholder(tf.float32, None, name="value")
        none = tf.zeros([0], tf.int32)
        one, two = tf.constant([1.0]), tf.constant([1.0, 2.0])
        written = list_ops.tensor_list_set_item(reserve(None, 3), 1, [[2.0, 3.0], [4.0, 5.0], [6.0, 7.0]])
        uneven = list_ops.tensor_list_set_item(written, 2, [[2.0, 3.0]])
        n = {i: 1, shape: [1], value: one_row()}
        for fetch in (push(empty([], 1), 1.0, 2.0), push(empty(shape), two), pop(empty([]))[1], pop(reserve(None, 3))[1],
                      pop(reserve([None, 2], 3), shape)[1], get(empty([]), i), get(reserve(None, 3), i), get(reserve([None, 2], 3), i, shape),
                      get(list_ops.tensor_list_set_item(push(empty(), one), 0, two), 0),
                      list_ops.tensor_list_set_item(reserve(shape, 3), i, two), list_ops.tensor_list_set_item(reserve([], 1), i, 1.0),
                      stack(empty()), stack(empty([None, 2])), stack(reserve(None, 3)), stack(push(empty([]), 1.0), n=3),
                      stack(push(empty(), one, two)), stack(push(empty(), one, [two])), stack(push(empty(), two), shape),
                      gather(empty(), [i]), gather(empty(), none), gather(reserve(None, 3), [i]),
                      gather(push(empty(), one, two), [0, i]), gather(push(empty(), one, [two]), [0, i]),
                      concat(empty()), concat(empty([2, None])), concat(empty([None, 2])), concat(reserve(shape[:0], 2)), concat(push(empty(), 1.0)),
                      concat(push(empty(), one, 1.0)), concat(push(empty(), [one], [two])), concat(push(empty(), one, [two])),
                      concat(push(empty([None]), two), shape), concat(reserve(None, 3)), concat(reserve(None, 3), [-1, 3], [2]),
                      concat(reserve([None, 3], 3)), concat(written), concat(written, [-1, 2], [2, 3, 4]), concat(uneven),
                      concat(uneven, [-1, 2], [7, 8, 9]), concat(written, [2, 2]), concat(reserve(None, 3), [-1, 3], [2, 3, 5]),
                      list_ops.tensor_list_split(two, None, tf.cast([i, -1], tf.int64)), list_ops.tensor_list_split(two, None, tf.cast([i, 3], tf.int64)),
                      list_ops.tensor_list_split(two, None, tf.cast([i], tf.int64)), list_ops.tensor_list_split(two, shape[:0], tf.cast([i, 1], tf.int64)),
                      list_ops.tensor_list_split(value, shape, tf.cast([i], tf.int64)), list_ops.tensor_list_resize(empty([]), -i),
                      gen_list_ops.tensor_list_scatter_v2(two, [i, 3], none, 3), gen_list_ops.tensor_list_scatter_v2(two, [i, 3], none, -2),
                      list_ops.tensor_list_scatter(two, [i, 0, 2], []), list_ops.tensor_list_scatter(two, [-i, 0], []),
                      reserve([2], -i), list_ops.tensor_list_from_tensor(two, shape),
                      stack(tf.add_n([reserve([], 2), reserve([], 3)]), []), stack(tf.add_n([reserve(shape, 3), reserve([2], 3)])),
                      stack(tf.add_n([push(empty(), 1.0), push(empty(), one)]))):
            case.run(fetch, n)


def one_row():
    return np.ones([1, 2], np.float32)


def array_errors():
    with Case("arrays_errors_v1", "what arrays whose elements differ refuse") as case:
        i = tf.placeholder(tf.int32, [], name="i")

        def array(size=2, **more):
            return tf.TensorArray(tf.float32, size, infer_shape=False, **more)

        def joined(a, except0):
            made = gen_data_flow_ops.tensor_array_concat_v3(a.handle, a.flow, tf.float32, except0)
            return [made[0], made[1]]

        def gathered(a, indices, shape):
            return gen_data_flow_ops.tensor_array_gather_v3(a.handle, indices, a.flow, tf.float32, shape)

        def columns():
            return array().write(0, [[1.0]]).write(1, [[2.0]])
        none = tf.zeros([0], tf.int32)
        summed = array(3).grad("g")
        scalar = tf.placeholder(tf.float32, None, name="scalar")
        for fetch in (array(0).stack(), array(0, element_shape=[None, 2]).stack(), array(0).concat(), array(0, element_shape=[None, None]).concat(),
                      array(0, element_shape=[None, 3]).concat(), array(element_shape=[None, 2]).gather(none), array(element_shape=[1, 2]).gather(none),
                      array().stack(), array().gather([1, 0]), array().read(i), array().write(0, [1.0]).write(1, [1.0, 2.0]).stack(),
                      array().write(0, [1.0]).write(1, [[1.0, 2.0]]).stack(), array().write(0, [1.0]).write(1, [1.0, 2.0]).gather([i, 0]),
                      array().write(0, [[1.0]]).write(1, [[1.0, 2.0]]).concat(), array().write(0, [1.0]).write(1, [[1.0, 2.0]]).concat(),
                      array().write(0, 1.0).write(1, [[1.0, 2.0]]).concat(), array().write(1, 1.0).write(0, [[1.0, 2.0]]).concat(),
                      array().write(1, [1.0]).concat(), joined(columns(), [3]), gathered(columns(), [0, 1], [3]), gathered(array(), [0, 1], [3]),
                      summed.write(i, 1.0).write(i, [1.0]).flow, array().split([1.0, 2.0, 3.0], tf.cast([i, 1], tf.int64)).flow,
                      array().split([1.0, 2.0], tf.cast([i, i, 0], tf.int64)).flow, array().scatter([i, 5], [1.0, 2.0]).flow,
                      array().scatter([i], scalar).flow):
            case.run(fetch, {i: 1, scalar: 2.0})


for record in (list_sizes, list_vectors, array_sizes, pads, list_errors, array_errors):
    if len(sys.argv) == 1 or record.__name__ in sys.argv[1:]:
        if record.__name__.startswith("array"):
            tf.disable_control_flow_v2()
        else:
            tf.enable_control_flow_v2()
        record()
