#!/usr/bin/env python3
"""Writes the loops that bench/compare runs beside TensorFlow's executor; needs tensorflow-cpu 2.21.

make_graphs.py [DIR]: graphs and workloads.json, and the same as workloads.tsv for tf_capi.cc, in the
form of ../graphs. Names end in the kind of control flow: v1 has Switch and Merge, v2 has While.
"""
import json
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow.compat.v1 as tf  # noqa: E402
from tensorflow.python.framework.graph_util_impl import extract_sub_graph  # noqa: E402


def lstm(batch, inputs, units, steps):
    """An LSTM over time-major rows, written out as dynamic_rnn was: every extent but two is open."""
    x = tf.placeholder(tf.float32, [None, None, inputs], name="x")
    weights = tf.get_variable("weights", [inputs + units, 4 * units],
                              initializer=tf.random_normal_initializer(stddev=0.1, seed=1))
    bias = tf.get_variable("bias", [4 * units], initializer=tf.zeros_initializer())
    length, rows = tf.shape(x)[0], tf.shape(x)[1]
    taken = tf.TensorArray(tf.float32, length).unstack(x)
    state = tf.zeros([rows, units])

    def step(i, h, c, given):
        joined = tf.concat([tf.reshape(taken.read(i), [rows, inputs]), h], 1)
        enter, fresh, forget, leave = tf.split(tf.matmul(joined, weights) + bias, 4, axis=1)
        c = tf.sigmoid(forget + 1.0) * c + tf.sigmoid(enter) * tf.tanh(fresh)
        h = tf.sigmoid(leave) * tf.tanh(c)
        return i + 1, h, c, given.write(i, h)

    given = tf.while_loop(lambda i, *_: i < length, step,
                          [0, state, state, tf.TensorArray(tf.float32, length)])[3]
    loss = tf.reduce_mean(tf.square(given.stack()), name="loss")
    for variable, gradient in zip((weights, bias), tf.gradients(loss, [weights, bias])):
        tf.identity(gradient, name="gradient_" + variable.op.name)
    tf.group(tf.global_variables_initializer(), name="init")
    return {"": ["loss:0"], "_grad": ["loss:0", "gradient_weights:0", "gradient_bias:0"]}, \
        {"x:0": [steps, batch, inputs]}


def array(iterations):
    """Each iteration reads an element of one TensorArray and writes one of another."""
    x = tf.placeholder(tf.float32, [iterations], name="x")
    taken = tf.TensorArray(tf.float32, iterations).unstack(x)
    _, total, given = tf.while_loop(
        lambda i, *_: i < iterations,
        lambda i, total, given: (i + 1, total + 1.0, given.write(i, taken.read(i) * 2.0 + total)),
        [0, 0.0, tf.TensorArray(tf.float32, iterations)])
    tf.add(total, tf.reduce_sum(given.stack()), name="given")
    tf.no_op(name="init")
    return {"": ["given:0"]}, {"x:0": [iterations]}


def counter(iterations):
    """Iterations that do nothing but count."""
    x = tf.placeholder(tf.float32, [], name="x")
    _, total = tf.while_loop(lambda i, _: i < iterations, lambda i, total: (i + 1, total + x), [0, 0.0])
    tf.identity(total, name="total")
    tf.no_op(name="init")
    return {"": ["total:0"]}, {"x:0": []}


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    tf.disable_v2_behavior()
    workloads = {}
    for kind in ("v1", "v2"):
        if kind == "v1":
            tf.disable_control_flow_v2()
        else:
            tf.enable_control_flow_v2()
        for name, make in (("lstm1", lambda: lstm(1, 32, 32, 20)),
                           ("lstm32", lambda: lstm(32, 64, 128, 20)),
                           ("array", lambda: array(100000)),
                           ("counter", lambda: counter(100000))):
            with tf.Graph().as_default() as graph, tf.variable_scope("", use_resource=kind == "v2"):
                fetches, feeds = make()
            for part, names in fetches.items():
                full = f"{name}{part}_{kind}"
                keep = ["init"] + [fetch.split(":")[0] for fetch in names]
                with open(os.path.join(folder, full + ".pb"), "wb") as file:
                    file.write(extract_sub_graph(graph.as_graph_def(), keep).SerializeToString())
                workloads[full] = {
                    "init": "init", "fetches": names, "targets": [], "bytes": None, "flops": None,
                    "feeds": {f: {"shape": s, "dtype": "float32"} for f, s in feeds.items()}}
    with open(os.path.join(folder, "workloads.json"), "w") as file:
        json.dump(workloads, file, indent=1)
        file.write("\n")
    with open(os.path.join(folder, "workloads.tsv"), "w") as file:
        for name, work in workloads.items():
            feeds = ";".join(f"{feed}|{spec['dtype']}|{'x'.join(map(str, spec['shape'])) or 'scalar'}|0"
                             for feed, spec in work["feeds"].items())
            file.write("\t".join([name, work["init"], ",".join(work["fetches"]), "", feeds]) + "\n")


if __name__ == "__main__":
    main()
