#!/usr/bin/env python3
"""What a C program takes from its start to the first answer of a frozen network: on Kiln and on TensorFlow's library, in turns.

    PYTHON_WITH_TENSORFLOW bench/capi/first_picture.py BUILD [--size 224] [--width 1.0] [--rounds 5] [--runs 1]

The program is first_picture.c, compiled once against each library; the network is MobileNet of bench/quantized_calls.py with
random weights. A figure is the median of the rounds: wall time of the whole process, time to the first answer in it, the least
of later runs where --runs asks for some, peak memory. `cold` is Kiln with an empty cache of code, `warm` with what an earlier
process left there. It does not measure reading the file from a disk.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def write_network(path, size, width):
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import numpy as np
    import tensorflow.compat.v1 as tf
    tf.disable_v2_behavior()
    rng = np.random.RandomState(1)
    blocks = [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)] + [(512, 1)] * 5 + [(1024, 2), (1024, 1)]

    def weights(*shape):
        return (rng.randn(*shape) * np.sqrt(2 / np.prod(shape[:-1]))).astype(np.float32)

    def convolve(x, filters, window, stride):
        w = weights(window, window, int(x.shape[3]), filters)
        bias = rng.randn(filters).astype(np.float32) * 0.1
        return tf.nn.relu6(tf.nn.bias_add(tf.nn.conv2d(x, w, [1, stride, stride, 1], "SAME"), bias))

    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [1, size, size, 3], "image")
        y = convolve(x, int(32 * width), 3, 2)
        for filters, stride in blocks:
            w = rng.randn(3, 3, int(y.shape[3]), 1).astype(np.float32) / 2
            y = tf.nn.relu6(tf.nn.depthwise_conv2d(y, w, [1, stride, stride, 1], "SAME"))
            y = convolve(y, int(filters * width), 1, 1)
        y = tf.reduce_mean(y, [1, 2])
        tf.nn.softmax(tf.matmul(y, weights(int(y.shape[1]), 1000)), name="answer")
    with open(path, "wb") as file:
        file.write(graph.as_graph_def().SerializeToString())


def compile_program(output, *flags):
    subprocess.run(["cc", "-O2", os.path.join(HERE, "first_picture.c"), "-o", output, *flags], check=True)


def run(program, network, size, runs, environment):
    start = time.perf_counter()
    line = subprocess.run([program, network, "image", "answer", str(size), str(runs)], check=True, capture_output=True, text=True,
                          env={**os.environ, **environment}).stdout
    wall = (time.perf_counter() - start) * 1e3
    _, first, later, memory, largest = line.split()
    return wall, float(first), float(later), float(memory), float(largest)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--size", type=int, default=224)
    parser.add_argument("--width", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=1)
    arguments = parser.parse_args()
    source = os.path.dirname(os.path.dirname(HERE))
    library = os.path.join(os.path.abspath(arguments.build), "lib")
    with tempfile.TemporaryDirectory() as folder:
        network = os.path.join(folder, "network.pb")
        write = [sys.executable, os.path.abspath(__file__), "--write", network, str(arguments.size), str(arguments.width)]
        subprocess.run(write, check=True, stderr=subprocess.DEVNULL)
        find = "import importlib.util as u; print(u.find_spec('tensorflow').submodule_search_locations[0])"
        wheel = subprocess.run([sys.executable, "-c", find], check=True, capture_output=True, text=True).stdout.strip()
        kiln, tensorflow = os.path.join(folder, "kiln"), os.path.join(folder, "tensorflow")
        headers = "-I" + os.path.join(source, "capi/include")
        compile_program(kiln, headers, "-L" + library, "-Wl,-rpath," + library, "-ltensorflow")
        compile_program(tensorflow, headers, "-L" + wheel, "-Wl,-rpath," + wheel, "-l:libtensorflow_cc.so.2",
                        "-l:libtensorflow_framework.so.2")
        ways = {
            "tensorflow": (tensorflow, {"TF_CPP_MIN_LOG_LEVEL": "3"}),
            "kiln cold": (kiln, {"KILN_CACHE": "off"}),
            "kiln warm": (kiln, {"KILN_CACHE": os.path.join(folder, "cache")}),
        }
        figures = {name: [] for name in ways}
        for turn in range(arguments.rounds + 1):  # the first one fills caches
            for name, (program, environment) in ways.items():
                figure = run(program, network, arguments.size, arguments.runs, environment)
                if turn:
                    figures[name].append(figure)
    print(f"{'':12} {'process ms':>11} {'first ms':>9} {'later ms':>9} {'memory MB':>10}  largest")
    for name, rows in figures.items():
        wall, first, later, memory, largest = (statistics.median(column) for column in zip(*rows))
        print(f"{name:12} {wall:11.1f} {first:9.1f} {later:9.2f} {memory:10.1f}  {largest:.6g}")


if sys.argv[1:2] == ["--write"]:
    write_network(sys.argv[2], int(sys.argv[3]), float(sys.argv[4]))
else:
    main()
