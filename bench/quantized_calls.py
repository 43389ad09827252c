#!/usr/bin/env python3
"""What a quantized MobileNet costs: Kiln with floats and with bytes, beside TensorFlow with both, taking turns.

    PYTHONPATH=build/python PYTHON_WITH_TENSORFLOW bench/quantized_calls.py [--size 224] [--width 1.0] [--rounds 9]

The network is MobileNet's first version, of 28 layers with random weights, batch norms folded into biases. Quantized, it is
what TensorFlow's graph transform quantize_nodes makes of it: pointwise convolutions, biases and activations of bytes,
depthwise convolutions of floats between Dequantize and QuantizeV2. `dynamic` finds every range out in the run, as that
transform leaves it; `frozen` has constants for them, as freeze_requantization_ranges does. TensorFlow runs without oneDNN,
which has no kernels for these graphs. A figure is the least of the rounds, in milliseconds, with their median; the last
line says how far the answers of both are apart. Compiling is not measured.
"""
import argparse
import os
import statistics
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ["KILN_CACHE"] = "off"
import kiln
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
raw = tf.raw_ops
# Channels of the pointwise convolution, and the stride of the depthwise one before it.
BLOCKS = [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)] + [(512, 1)] * 5 + [(1024, 2), (1024, 1)]


class Floats:
    def __init__(self, rng):
        self.rng = rng

    def weights(self, *shape):
        return (self.rng.randn(*shape) * np.sqrt(2 / np.prod(shape[:-1]))).astype(np.float32)

    def convolve(self, x, filters, window, stride):
        w, bias = self.weights(window, window, int(x.shape[3]), filters), self.rng.randn(filters).astype(np.float32) * 0.1
        return tf.nn.relu6(tf.nn.bias_add(tf.nn.conv2d(x, w, [1, stride, stride, 1], "SAME"), bias))

    def depthwise(self, x, stride):
        w = self.rng.randn(3, 3, int(x.shape[3]), 1).astype(np.float32) / 2
        bias = self.rng.randn(int(x.shape[3])).astype(np.float32) * 0.1
        return tf.nn.relu6(tf.nn.bias_add(tf.nn.depthwise_conv2d(x, w, [1, stride, stride, 1], "SAME"), bias))


class Bytes(Floats):
    """A range is what `ranges` has for a place, or found out in the run where that is None."""

    def __init__(self, rng, ranges=None):
        super().__init__(rng)
        self.ranges, self.found = ranges, []

    def constant(self, value):
        low, high = float(min(value.min(), 0)), float(max(value.max(), 0))
        step = (high - low) / 255
        low = round(low / step) * step
        integers = np.clip(np.round((value - low) / step), 0, 255).astype(np.uint8)
        return tf.constant(integers.astype(tf.quint8.as_numpy_dtype), tf.quint8), low, low + 255 * step

    def quantize(self, x):
        low, high = (f(tf.reshape(x, [-1]), axis=0) for f in (tf.reduce_min, tf.reduce_max))
        low, high = self.range_of(low, high)
        return raw.QuantizeV2(input=x, min_range=low, max_range=high, T=tf.quint8, mode="MIN_FIRST")

    def range_of(self, low, high):
        self.found += [low, high]
        place = len(self.found) // 2 - 1
        return (low, high) if self.ranges is None else [tf.constant(end) for end in self.ranges[2 * place:2 * place + 2]]

    def narrow(self, x, low, high):
        first, last = self.range_of(*raw.RequantizationRange(input=x, input_min=low, input_max=high))
        return raw.Requantize(input=x, input_min=low, input_max=high, requested_output_min=first, requested_output_max=last, out_type=tf.quint8)

    def convolve(self, x, filters, window, stride):
        w, w_low, w_high = self.constant(self.weights(window, window, int(x.shape[3]), filters))
        b, b_low, b_high = self.constant(self.rng.randn(filters).astype(np.float32) * 0.1)
        y, low, high = self.quantize(x)
        y, low, high = self.narrow(*raw.QuantizedConv2D(input=y, filter=w, min_input=low, max_input=high, min_filter=w_low, max_filter=w_high,
                                                        strides=[1, stride, stride, 1], padding="SAME"))
        y, low, high = self.narrow(*raw.QuantizedBiasAdd(input=y, bias=b, min_input=low, max_input=high, min_bias=b_low, max_bias=b_high, out_type=tf.qint32))
        y, low, high = raw.QuantizedRelu6(features=y, min_features=low, max_features=high)
        return raw.Dequantize(input=y, min_range=low, max_range=high, mode="MIN_FIRST")


def network(layers, size, width):
    x = tf.placeholder(tf.float32, [1, size, size, 3], "image")
    y = layers.convolve(x, int(32 * width), 3, 2)
    for filters, stride in BLOCKS:
        y = layers.convolve(layers.depthwise(y, stride), int(filters * width), 1, 1)
    y = tf.reduce_mean(y, [1, 2], keepdims=True)
    return tf.identity(layers.convolve(y, 1000, 1, 1), "answer")


def make_graph(size, width, layers):
    with tf.Graph().as_default() as graph:
        network(layers, size, width)
    return graph


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=224)
    parser.add_argument("--width", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--warm", type=float, default=20, help="seconds of runs before those that are measured")
    parser.add_argument("--threads", type=int, default=0, help="0: as many as there are CPUs")
    options = parser.parse_args()
    image = np.random.RandomState(2).rand(1, options.size, options.size, 3).astype(np.float32)
    feeds, config = {"image:0": image}, tf.ConfigProto(intra_op_parallelism_threads=options.threads, inter_op_parallelism_threads=1)

    def graph_of(make):
        return make_graph(options.size, options.width, make(np.random.RandomState(1)))

    dynamic = Bytes(np.random.RandomState(1))
    graphs = {"float": graph_of(Floats), "dynamic": make_graph(options.size, options.width, dynamic)}
    with tf.Session(graph=graphs["dynamic"], config=config) as session:
        ranges = session.run(dynamic.found, feeds)
    graphs["frozen"] = graph_of(lambda rng: Bytes(rng, ranges))
    runs, answers, times = {}, {}, {}
    for name, graph in graphs.items():
        theirs = tf.Session(graph=graph, config=config)
        ours = kiln.Session(kiln.Graph.load(graph.as_graph_def().SerializeToString()), threads=options.threads)
        runs["kiln", name] = lambda run=ours.run: run("answer:0", feeds)
        runs["tensorflow", name] = lambda run=theirs.run: run("answer:0", feeds)
    for key, run in runs.items():
        # Kiln's evaluator does the first runs, until the code is there.
        end = time.perf_counter() + options.warm
        answers[key] = run()
        while time.perf_counter() < end:
            run()
    for _ in range(options.rounds):
        for key, run in runs.items():
            start = time.perf_counter()
            run()
            times.setdefault(key, []).append(time.perf_counter() - start)
    for (system, name), taken in times.items():
        print("%-10s %-8s %8.2f ms  median %8.2f" % (system, name, 1e3 * min(taken), 1e3 * statistics.median(taken)))
    apart = {name: float(np.abs(answers["kiln", name] - answers["tensorflow", name]).max()) for name in graphs}
    print("answers apart:", ", ".join("%s %.2g" % item for item in apart.items()), "of", "%.3g" % answers["tensorflow", "float"].max())


if __name__ == "__main__":
    main()
