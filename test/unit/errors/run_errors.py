# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Default graphs and sessions, fetches, feeds, and what runs say."""
import numpy as np
from error_cases import case, free, run, tf

# Default graphs and sessions.

@case("graphs/scopes_out_of_order")
def _():
    first, second = tf.Graph().as_default(), tf.Graph().as_default()
    first.__enter__()
    second.__enter__()
    try:
        first.__exit__(None, None, None)
    finally:
        tf.get_default_graph()


@case("graphs/reset_inside_of_one")
def _():
    with tf.Graph().as_default():
        tf.reset_default_graph()


@case("graphs/finalized")
def _():
    tf.get_default_graph().finalize()
    tf.constant(1)


@case("sessions/eval_without_one")
def _():
    tf.constant(1).eval()


@case("sessions/run_without_one")
def _():
    tf.no_op().run()


@case("sessions/eval_in_another_graphs")
def _():
    c = tf.constant(1)
    with tf.Session(graph=tf.Graph()).as_default():
        c.eval()


@case("sessions/run_in_another_graphs")
def _():
    op = tf.no_op()
    with tf.Session(graph=tf.Graph()).as_default():
        op.run()


@case("sessions/empty_graph")
def _():
    tf.Session().run("c:0")


@case("sessions/closed")
def _():
    c = tf.constant(1)
    session = tf.Session()
    session.close()
    session.close()
    session.run(c)


# Fetches and feeds.

def fetch(what, feeds=None):
    def program():
        tf.constant(1.0, name="c")
        tf.Session().run(what, feeds)
    return program


case("fetches/tensor_of_no_operation")(fetch("nope:0"))
case("fetches/output_that_is_not_there")(fetch("c:1"))
case("fetches/operation_that_is_not_there")(fetch("nope"))
case("fetches/output_that_is_no_number")(fetch("c:x"))


@case("fetches/tensor_of_another_graph")
def _():
    tf.constant(1.0, name="c")
    with tf.Graph().as_default():
        other = tf.constant(1.0, name="c2")
    tf.Session().run(other)


@case("fetches/operation_of_another_graph")
def _():
    tf.constant(1.0, name="c")
    with tf.Graph().as_default():
        other = tf.no_op(name="n2")
    tf.Session().run(other)


def feed(key, value=1.0, fetches="c:0"):
    def program():
        tf.constant(1.0, name="c")
        tf.placeholder(tf.float32, [None, 3], name="x")
        tf.placeholder(tf.int32, [], name="i")
        tf.placeholder(tf.uint8, [], name="u")
        tf.placeholder(tf.bool, [], name="b")
        tf.placeholder(tf.string, [], name="s")
        tf.Session().run(fetches, {key: value})
    return program


case("feeds/tensor_of_no_operation")(feed("nope:0"))
case("feeds/output_that_is_not_there")(feed("c:1"))
case("feeds/operation")(feed("c"))
case("feeds/output_that_is_no_number")(feed("c:x"))
case("feeds/before_fetches")(feed("nope:0", fetches="nope:1"))
case("feeds/other_shape")(feed("x:0", np.zeros([2, 4])))
case("feeds/other_rank")(feed("x:0", np.zeros([3])))
case("feeds/constant_of_another_shape")(feed("c:0", np.zeros([2])))
case("feeds/integer_that_does_not_fit")(feed("i:0", 1099511627776))
case("feeds/negative_without_a_sign")(feed("u:0", -1))
case("feeds/integer_for_a_bool")(feed("b:0", 3))
case("feeds/integer_for_a_text")(feed("s:0", 3))
case("feeds/ragged")(feed("x:0", [[1, 2], [3]]))


@case("feeds/tensor_as_a_value")
def _():
    c = tf.constant(1.0, name="c")
    tf.Session().run(c, {c: c})


@case("feeds/tensor_of_another_graph")
def _():
    c = tf.constant(1.0, name="c")
    with tf.Graph().as_default():
        other = tf.constant(1.0, name="c2")
    tf.Session().run(c, {other: 1.0})


def missing(dtype, shape):
    def program():
        x = tf.placeholder(dtype, shape, name="x")
        tf.Session().run(tf.identity(x))
    return program


case("feeds/missing")(missing(tf.float32, [None, 3]))
case("feeds/missing_of_unknown_rank")(missing(tf.float32, None))
case("feeds/missing_scalar")(missing(tf.int32, []))


@case("callables/too_few")
def _():
    x, y = tf.placeholder(tf.float32, [], name="x"), tf.placeholder(tf.float32, [], name="y")
    tf.Session()._make_callable_from_options(options("x:0", "y:0", fetch=(x + y).name))(1.0)


@case("callables/other_dtype")
def _():
    x = tf.placeholder(tf.float32, [], name="x")
    tf.Session()._make_callable_from_options(options("x:0", fetch=(x + 1).name))(np.float64(1))


def options(*feeds, fetch):
    from tensorflow.core.protobuf import config_pb2
    return config_pb2.CallableOptions(feed=feeds, fetch=[fetch])


def partial(program):
    def run():
        a = tf.placeholder(tf.float32, [], name="a")
        b = tf.placeholder(tf.float32, [], name="b")
        c = tf.add(a, b, name="sum")
        program(tf.Session(), a, b, c)
    return run


@case("partial_runs/operation")
@partial
def _(session, a, b, c):
    handle = session.partial_run_setup([c, c.op], [a, b])
    session.partial_run(handle, c.op, {a: 1, b: 2})


@case("partial_runs/over")
@partial
def _(session, a, b, c):
    handle = session.partial_run_setup([c], [a, b])
    session.partial_run(handle, c, {a: 1, b: 2})
    session.partial_run(handle, c, {a: 1, b: 2})


@case("partial_runs/fed_before_it_is_set_up")
@partial
def _(session, a, b, c):
    handle = session.partial_run_setup([c], [a])
    session.partial_run(handle, c, {a: 1, b: 2})


@case("partial_runs/fetched_before_it_is_set_up")
@partial
def _(session, a, b, c):
    handle = session.partial_run_setup([c], [a, b])
    session.partial_run(handle, b, {a: 1})


@case("partial_runs/feed_twice")
@partial
def _(session, a, b, c):
    d = tf.identity(a, name="d")
    handle = session.partial_run_setup([c, d], [a, b])
    session.partial_run(handle, d, {a: 1})
    session.partial_run(handle, c, {a: 1, b: 2})


@case("partial_runs/nothing")
@partial
def _(session, a, b, c):
    session.partial_run_setup([], [a])


# What runs say.

case("runs/uninitialized")(run(lambda: tf.Variable(1.0, name="v") + 1.0))
case("runs/uninitialized_resource")(run(lambda: tf.Variable(1.0, name="vr", use_resource=True) + 1.0))


@case("runs/closed_queue")
@run
def _():
    queue = tf.FIFOQueue(3, tf.float32, [[]])
    with tf.control_dependencies([queue.close()]):
        return queue.dequeue()


case("runs/incompatible_shapes")(run(lambda: tf.add(
    free(np.zeros([4, 5])), free(np.zeros([2, 3])))))
case("runs/matrices")(run(lambda: tf.matmul(
    tf.placeholder_with_default(np.zeros([2, 5]), [None, None]),
    tf.placeholder_with_default(np.zeros([3, 4]), [None, None]))))
case("runs/division_by_zero")(run(lambda: free(np.int32(1)) // free(np.int32(0))))
case("runs/index")(run(lambda: tf.gather(free([1.0, 2.0]), free(np.int32([5])))))
case("runs/numerics")(run(lambda: tf.check_numerics(free([np.nan]), "here")))
case("runs/assertion")(run(lambda: tf.Assert(free(False), [free(np.int32([1, 2, 3]))])))
case("runs/tags")(run(lambda: tf.raw_ops.ScalarSummary(tags="q", values=free(np.float32([1, 2, 3])))))
case("runs/histogram")(run(lambda: tf.raw_ops.HistogramSummary(tag="q2", values=free(np.float32([np.nan])))))
case("runs/sampler")(run(lambda: tf.nn.uniform_candidate_sampler(
    tf.constant([[1]], tf.int64), 1, 6, True, 5)[0]))
case("runs/reshape")(run(lambda: tf.reshape(free(np.zeros([2, 3])), [4, 2])))
case("runs/concat")(run(lambda: tf.concat([free(np.zeros([2, 3])), free(np.zeros([3, 3]))], 1)))
case("runs/slice")(run(lambda: tf.slice(free(np.zeros([2])), free(np.int32([1])), [2])))
case("runs/labels")(run(lambda: tf.nn.sparse_softmax_cross_entropy_with_logits(
    labels=tf.constant([5]), logits=tf.zeros([1, 3]))))


@case("runs/assign_another_shape")
def _():
    v = tf.Variable(np.zeros([3], np.float32), name="v")
    session = tf.Session()
    session.run(v.initializer)
    session.run(tf.assign(v, free(np.zeros([2], np.float32))))
