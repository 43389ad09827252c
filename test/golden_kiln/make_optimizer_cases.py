# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow's optimizers add to a graph, and what the steps compute; test/unit/Train/TrainingProgramsTest.cpp builds the
same graphs. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case


def ramp(*shape):
    return np.arange(np.prod(shape)).reshape(shape) / 8 - 0.5


def optimizers(step):
    t = tf.train
    return [
        t.GradientDescentOptimizer(0.1),
        t.MomentumOptimizer(0.1, 0.9),
        t.MomentumOptimizer(0.1, 0.9, use_nesterov=True, name="Nesterov"),
        t.AdamOptimizer(0.1),
        t.AdagradOptimizer(0.1),
        t.AdagradDAOptimizer(0.1, step, l1_regularization_strength=0.001),
        t.RMSPropOptimizer(0.1, momentum=0.5),
        t.RMSPropOptimizer(0.1, centered=True, name="Centered"),
        t.FtrlOptimizer(0.1, l1_regularization_strength=0.01),
        t.FtrlOptimizer(0.1, l2_shrinkage_regularization_strength=0.01, beta=0.5, name="Shrinkage"),
        t.AdadeltaOptimizer(1.0, use_locking=True),
        t.ProximalGradientDescentOptimizer(0.1, l2_regularization_strength=0.01),
        t.ProximalAdagradOptimizer(0.1, l1_regularization_strength=0.01),
    ]


def steps(kind):
    resource = kind == "handles"
    with Case("optimizer_steps_" + kind, "steps of each optimizer with gradients from outside, dense and of rows: " + kind, rtol=1e-5, atol=1e-6) as case:
        step = tf.Variable(0, trainable=False, name="global_step", dtype=tf.int64, use_resource=resource)
        with tf.name_scope("sc"):
            w = tf.Variable(ramp(4, 3).astype(np.float32), name="w", use_resource=resource)
            b = tf.Variable(ramp(3).astype(np.float32), name="b", use_resource=resource)
        gw = tf.placeholder(tf.float32, [4, 3], "gw")
        gb = tf.placeholder(tf.float32, [3], "gb")
        rows = tf.IndexedSlices(tf.placeholder(tf.float32, [None, 3], "values"), tf.placeholder(tf.int64, [None], "indices"), tf.constant([4, 3]))
        dense, sparse = [], []
        for each in optimizers(step):
            dense.append(each.apply_gradients([(gw, w), (None, step), (gb, b)], global_step=step))
            sparse.append(each.apply_gradients([(rows, w)], name="rows_" + each.get_name()))
        case.init()
        random = np.random.RandomState(5)
        for one, other in zip(dense, sparse):
            for _ in range(3):
                case.run([one], {gw: random.randn(4, 3), gb: random.randn(3)})
                case.run([other], {"values:0": random.randn(3, 3), "indices:0": [2, 0, 2]})
            case.run([v.read_value() for v in (w, b)])
        case.run([step.value()])


def others():
    with Case("optimizer_doubles", "Adam, Adagrad and RMSProp of doubles, with a learning rate from outside; slots of a partitioned variable; twice the same optimizer") as case:
        rate = tf.placeholder(tf.float32, [], "rate")
        d = tf.Variable(ramp(2, 2), name="d")
        with tf.variable_scope("layer"):
            part = tf.get_variable("part", [5, 2], initializer=tf.constant_initializer(0.25), partitioner=tf.fixed_size_partitioner(2))
        loss = tf.reduce_sum(tf.square(d - 0.25)) + tf.cast(tf.reduce_sum(tf.square(part.as_tensor() * 3)), tf.float64)
        trains = []
        for each in (tf.train.AdamOptimizer(rate), tf.train.AdagradOptimizer(rate), tf.train.RMSPropOptimizer(rate), tf.train.FtrlOptimizer(rate)):
            trains.append(each.minimize(loss, gate_gradients=tf.train.Optimizer.GATE_GRAPH))
        again = tf.train.MomentumOptimizer(0.1, 0.5)
        trains += [again.minimize(loss, var_list=[d], gate_gradients=tf.train.Optimizer.GATE_NONE), again.minimize(loss, grad_loss=tf.constant(2.0, tf.float64))]
        case.init()
        for each in trains:
            for _ in range(2):
                case.run([each], {rate: 0.125})
            case.run([d.read_value()] + [p.read_value() for p in part])


def rates():
    with Case("optimizer_rates", "learning rates that fall with the global step", rtol=1e-5, atol=1e-7) as case:
        t = tf.train
        step = t.get_or_create_global_step()
        past = tf.placeholder(tf.int32, [], "past")
        rate = tf.constant(0.5, name="rate")
        all = [
            t.exponential_decay(0.1, step, 10, 0.96),
            t.exponential_decay(rate, past, 10, 0.96, staircase=True, name="stairs"),
            t.natural_exp_decay(0.1, step, 10, 0.5),
            t.inverse_time_decay(0.1, past, 10, 0.5, staircase=True),
            t.inverse_time_decay(tf.constant(0.1, tf.float64), step, 10.0, 0.5, name="inverse"),
            t.polynomial_decay(0.1, step, 20, 0.01, power=0.5),
            t.polynomial_decay(0.1, past, 20, cycle=True, name="cycle"),
            t.cosine_decay(0.1, step, 20),
            t.cosine_decay(0.1, past, 20, alpha=0.25, name="cosine"),
            t.cosine_decay_restarts(0.1, past, 5, m_mul=0.5),
            t.linear_cosine_decay(0.1, past, 20),
            t.piecewise_constant(step, [10, 20], [1.0, 0.5, 0.25]),
            t.piecewise_constant(past, [5, 10, 20], [1.0, 0.5, 0.25, 0.125], name="pieces"),
        ]
        set_step = step.assign(tf.cast(past, tf.int64))
        case.init()
        for i in (0, 5, 6, 10, 17, 20, 21, 64):
            case.run([set_step.op], {past: i})
            case.run(all, {past: i})


def clipping():
    with Case("optimizer_clipping", "clipping by norms, of tensors and of rows") as case:
        x, y = tf.placeholder(tf.float32, [None, 3], "x"), tf.placeholder(tf.float64, [2], "y")
        limit = tf.placeholder(tf.float32, [], "limit")
        v = tf.Variable(ramp(2, 3).astype(np.float32), name="v")
        rows = tf.IndexedSlices(x, tf.constant([0, 3]), tf.constant([5, 3]))
        both, norm = tf.clip_by_global_norm([x, None, rows, v], 2.0)
        given, _ = tf.clip_by_global_norm([x, x], limit, use_norm=limit, name="given")
        all = [
            tf.clip_by_norm(x, 1.5), tf.clip_by_norm(x, limit, axes=[1], name="by_rows"), tf.clip_by_norm(y, -1.0), tf.clip_by_norm(rows, 2).values, tf.clip_by_average_norm(x, 0.5), tf.clip_by_average_norm(x, limit, name="average"),
            tf.global_norm([x, v]), both[0], both[2].values, both[3], norm, given[1],
        ]
        case.init()
        feed = {x: ramp(2, 3) * 4, y: [3.0, -4.0]}
        for each in (0.5, 0.0, 100.0):
            case.run(all, {**feed, limit: each})
        case.run(all, {x: np.full((2, 3), np.inf), y: [0.0, 0.0], limit: 1})
        case.run(all, {x: np.zeros((2, 3)), y: [0.0, 0.0], limit: 1})


def averages():
    with Case("optimizer_averages", "moving averages of variables and tensors") as case:
        w = tf.Variable([1.0, 2.0], name="w")
        d = tf.Variable(3.0, name="d", dtype=tf.float64)
        r = tf.Variable([[0.5]], name="r", use_resource=True)
        x = tf.placeholder(tf.float32, [2], "x")
        t = tf.identity(x * 2, name="t")
        count = tf.placeholder(tf.int32, [], "count")
        all = tf.train.ExponentialMovingAverage(0.9)
        op = all.apply()
        some = tf.train.ExponentialMovingAverage(0.99, num_updates=count, name="some")
        other = some.apply([w, t])
        free = tf.train.ExponentialMovingAverage(0.5, zero_debias=True, name="free")
        last = free.apply([t])
        change = [w.assign_add(x), d.assign_sub(tf.cast(tf.reduce_sum(x), tf.float64)), r.assign_add([[1.0]]).op]
        case.init()
        for i in range(3):
            feed = {x: [i + 0.5, -i], count: i}
            case.run([change[0].op, change[1].op, change[2]], feed)
            case.run([op, other, last], feed)
            case.run([all.average(w), all.average(d), some.average(w), some.average(t), free.average(t)], feed)
        case.run([all.average(r).read_value()])


def losses():
    with Case("optimizer_losses", "losses with weights and in all reductions; sampled classes", seed=3) as case:
        l, n, r = tf.losses, tf.nn, tf.losses.Reduction
        x, y, z = tf.placeholder(tf.float32, [None, 3], "x"), tf.placeholder(tf.int32, [None, 3], "y"), tf.placeholder(tf.float32, [2, 3], "z")
        u = tf.placeholder(tf.float64, [2, 3], "u")
        ids = tf.placeholder(tf.int64, [None], "ids")
        all = [
            l.absolute_difference(y, x), l.absolute_difference(z, x, weights=0.5, reduction=r.MEAN), l.mean_squared_error(y, x, scope="mse"), l.mean_squared_error(z, z * 2, weights=[[1.0], [0.0]]), l.cosine_distance(z, x, axis=1), l.hinge_loss(y, x, reduction=r.NONE), l.huber_loss(z, x, delta=0.5, reduction=r.SUM),
            l.log_loss(y, tf.sigmoid(x), reduction=r.SUM_OVER_BATCH_SIZE), l.sigmoid_cross_entropy(y, x), l.sigmoid_cross_entropy(u, u, label_smoothing=0.25), l.softmax_cross_entropy(y, x), l.softmax_cross_entropy(z, z, label_smoothing=0.1, weights=[1.0, 2.0]), l.sparse_softmax_cross_entropy(ids, x), l.sparse_softmax_cross_entropy(tf.expand_dims(ids, 1), x, weights=2.0),
            l.compute_weighted_loss(u, weights=3),
        ]
        w, b = tf.Variable(ramp(20, 3).astype(np.float32), name="w"), tf.Variable(ramp(20).astype(np.float32), name="b")
        target = tf.expand_dims(ids, 1)
        given = n.log_uniform_candidate_sampler(target, 1, 4, True, 20, seed=5)
        sampled = [n.nce_loss(w, b, target, x, 5, 20), n.sampled_softmax_loss(w, b, target, x, 5, 20), n.sampled_softmax_loss(w, b, target, x, 4, 20, sampled_values=given, remove_accidental_hits=False, name="given"), n.nce_loss(w, b, tf.concat([target, target + 1], 1), x, 6, 20, num_true=2, remove_accidental_hits=True, name="two")]
        case.init()
        feed = {x: ramp(2, 3), y: [[0, 1, 0], [1, 0, 0]], z: ramp(2, 3)[::-1], u: ramp(2, 3), ids: [2, 1]}
        case.run(all, feed)
        for _ in range(3):
            case.run(sampled, feed)


def pairs():
    with Case("optimizer_pair_losses", "the differences between the errors of each two elements", rtol=1e-5) as case:
        x, y, z = tf.placeholder(tf.float32, [None, 3], "x"), tf.placeholder(tf.int32, [None, 3], "y"), tf.placeholder(tf.float32, [2, 3, 2], "z")
        w, whole = tf.placeholder(tf.float32, [None, 1], "w"), tf.placeholder(tf.float32, None, "whole")
        pairs = tf.losses.mean_pairwise_squared_error
        all = [pairs(y, x), pairs(z, z * z, 0.5, "own"), pairs(y, x, w), pairs(z, z + 1.0, [[[1.0]], [[0.0]]], loss_collection=None), pairs(x, x * x, whole), tf.losses.get_total_loss()]
        feed = {x: ramp(2, 3), y: [[0, 1, 0], [1, 0, 0]], z: ramp(2, 3, 2), w: [[1.0], [3.0]], whole: [[0.0], [2.0]]}
        case.run(all, feed)
        case.run(all, {**feed, whole: 2.0})


def layers():
    from tensorflow.python.keras.legacy_tf_layers import convolutional, core, pooling

    with Case("optimizer_layers", "layers and their variables, by name, shared and in scopes", seed=11) as case:
        x, t = tf.placeholder(tf.float32, [None, 5], "x"), tf.placeholder(tf.float32, [None, 4, 5], "t")
        known = tf.placeholder(tf.float32, [2, 4, 5], "known")
        image = tf.placeholder(tf.float32, [None, 8, 8, 3], "image")
        any_size = tf.placeholder(tf.float32, [None, None, 3], "any_size")
        training = tf.placeholder(tf.bool, [], "training")
        a = core.dense(x, 4, activation=tf.nn.relu)
        all = [a, core.dense(t, 3, use_bias=False, name="d3"), core.dense(known, 3, name="d3_known"), core.dense(a, 2, kernel_initializer=tf.ones_initializer(), bias_initializer=tf.constant_initializer(0.5))]
        all.append(core.dense(t, 3, use_bias=False, name="d3", reuse=True))
        with tf.variable_scope("outer"):
            h = convolutional.conv2d(image, 4, 3, padding="same", activation=tf.nn.relu)
            h = convolutional.conv2d(h, 2, [3, 2], strides=2, dilation_rate=1, use_bias=False)
        all += [h, pooling.max_pooling2d(image, 2, 2), pooling.average_pooling2d(image, [3, 2], 2, padding="same", name="avg"), core.flatten(h), core.flatten(any_size)]
        all += [core.dropout(x, 0.25, training=True), core.dropout(x, training=training), core.dropout(x), convolutional.conv1d(t, 2, 3), convolutional.conv1d(t, 2, 2, strides=2, padding="same", activation=tf.nn.tanh)]
        case.init()
        for i in (True, False):
            case.run(all, {x: ramp(3, 5), t: ramp(2, 4, 5), known: ramp(2, 4, 5), image: ramp(2, 8, 8, 3) / 10, any_size: ramp(2, 2, 3), training: i})


def input_queues():
    with Case("optimizer_input", "queues of names, numbers and rows, and batches of them; nothing fills them but what is run here", seed=2) as case:
        t = tf.train
        names = t.string_input_producer(["a", "b", "c"], num_epochs=2, shuffle=False)
        numbers = t.range_input_producer(5, shuffle=False, capacity=8, name="numbers")
        features = tf.constant(ramp(4, 2).astype(np.float32), name="features")
        row, label = t.slice_input_producer([features, tf.constant([1, 2, 3, 4], name="labels")], num_epochs=1, seed=4)
        batches = t.batch([row, label], 2, num_threads=2, allow_smaller_final_batch=True)
        again = t.batch([features], 3, enqueue_many=True, name="again")
        case.init()
        case.run([tf.local_variables_initializer()])
        for runner in ("input_producer/input_producer_EnqueueMany", "numbers/numbers_EnqueueMany", "again/fifo_queue_EnqueueMany"):
            case.run([case.graph.get_operation_by_name(runner)])
        case.run(["input_producer/input_producer_Size:0", "numbers/numbers_Size:0", again])


def batches():
    with Case("optimizer_batches", "batches of one and of several lists, in order and shuffled, padded, smaller at the end, of what is to be kept; nothing fills them but what is run here", seed=4) as case:
        t = tf.train
        x, y = tf.placeholder(tf.float32, [2], "x"), tf.placeholder(tf.int64, [], "y")
        many, open_rows = tf.placeholder(tf.float32, [None, 2], "many"), tf.placeholder(tf.int32, [None, None], "open_rows")
        keep, which = tf.placeholder(tf.bool, [], "keep"), tf.placeholder(tf.bool, [None], "which")
        padded = t.batch([open_rows, y], 2, dynamic_pad=True, num_threads=3, capacity=5, shared_name="shared")
        shaped = t.batch([tf.placeholder(tf.float32, None, "unknown")], 2, shapes=[[3]], name="shaped")
        kept = t.maybe_batch([x, y], keep, 2, allow_smaller_final_batch=True)
        some = t.maybe_batch([many], which, 2, enqueue_many=True, name="some")
        joined = t.batch_join([[x, y], [x * 2, y + 1]], 2)
        of_kept = t.maybe_batch_join([[x], [x + 1]], keep, 2, dynamic_pad=True)
        of_some = t.maybe_batch_join([[many], [many * 2]], which, 2, enqueue_many=True, allow_smaller_final_batch=True, name="of_some")
        shuffled = t.shuffle_batch([x, y], 2, capacity=10, min_after_dequeue=3, num_threads=2)
        again = t.shuffle_batch([many], 3, capacity=8, min_after_dequeue=2, seed=6, enqueue_many=True, allow_smaller_final_batch=True, name="again")
        kept_shuffled = t.maybe_shuffle_batch([x], 1, capacity=4, min_after_dequeue=0, keep_input=keep)
        mixed = t.shuffle_batch_join([[x, y], [x * 3, y]], 2, capacity=12, min_after_dequeue=4, seed=9)
        mixed_kept = t.maybe_shuffle_batch_join([[many], [many]], 2, capacity=12, min_after_dequeue=4, keep_input=which, enqueue_many=True)

        def fill(scope, feed, times=1):
            for runner in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS):
                if runner.queue.name.startswith(scope + "/"):
                    for _ in range(times):
                        for op in dict.fromkeys(runner.enqueue_ops):
                            case.run([op.op if isinstance(op, tf.Tensor) else op], feed)

        feed = {x: [0.5, 1.0], y: 3, many: ramp(3, 2), keep: True, which: [True, False, True]}
        fill("batch", {open_rows: [[1, 2]], y: 1})
        fill("batch", {open_rows: [[3], [4]], y: 2})
        case.run(padded)
        fill("shaped", {"unknown:0": [1.0, 2.0, 3.0]}, 2)
        case.run([shaped])
        fill("batch_1", feed)
        fill("batch_1", {**feed, keep: False}, 2)
        fill("batch_1", {**feed, y: 4})
        case.run(kept)
        fill("some", feed)
        case.run([some])
        fill("batch_join", feed)
        case.run(joined)
        fill("batch_join_1", feed)
        case.run([of_kept])
        fill("of_some", feed)
        case.run([of_some])
        fill("shuffle_batch", feed, 2)
        fill("shuffle_batch", {**feed, y: 8, x: [2.0, 3.0]}, 3)
        fill("again", feed, 2)
        fill("shuffle_batch_1", feed, 3)
        fill("shuffle_batch_join", feed, 3)
        fill("shuffle_batch_join_1", feed, 2)
        case.run([again])
        case.run(mixed + shuffled + [kept_shuffled, mixed_kept])
        case.run([n.name + ":0" for n in tf.get_default_graph().as_graph_def().node if "fraction_over" in n.name and n.op == "ScalarSummary"])


if __name__ == "__main__":
    batches()
    input_queues()
    layers()
    losses()
    pairs()
    rates()
    clipping()
    averages()
    steps("references")
    steps("handles")
    others()
