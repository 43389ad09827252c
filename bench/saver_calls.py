#!/usr/bin/env python3
"""How fast a graph's saver writes and restores its variables: TensorFlow's sessions and Kiln's, taking turns.

    PYTHONPATH=build/python PYTHON_WITH_TENSORFLOW bench/saver_calls.py [--folder F] [--mib 1024] [--rounds 3]

Both run the saver's nodes of one graph, 16 float32 variables, in one process, whole runs from the call to its return.
TensorFlow leaves what it wrote to the system's cache; Kiln's files are on the disk when the call returns, so on a disk
the writes are compared with a plain write and fsync(), and beside TensorFlow's only in memory (--folder /dev/shm).
A figure is the best of the rounds, in 1e9 bytes a second.
"""
import argparse
import os
import tempfile
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ["KILN_CACHE"] = "off"
import kiln
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
VARIABLES = 16


def make_graph(elements):
    with tf.Graph().as_default() as graph:
        for i in range(VARIABLES):
            tf.get_variable("part%d" % i, initializer=tf.cast(tf.range(i, i + elements), tf.float32))
        init = tf.global_variables_initializer()
        return graph, init.name, tf.train.Saver().saver_def


def plain_write(path, data):
    with open(path, "wb", buffering=0) as file:
        for _ in range(VARIABLES):
            file.write(data)
        os.fsync(file.fileno())
    os.remove(path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", default=".")
    parser.add_argument("--mib", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    elements = (options.mib << 20) // VARIABLES // 4
    graph, init, saver = make_graph(elements)
    ours = kiln.Session(kiln.Graph.load(graph.as_graph_def().SerializeToString()))
    theirs = tf.Session(graph=graph)
    best = {}
    with tempfile.TemporaryDirectory(dir=options.folder) as folder, theirs:
        data = bytes(elements * 4)
        runs = {"kiln": ours.run, "tensorflow": theirs.run}
        for run in runs.values():
            run(init)

        def measure(name, call):
            start = time.perf_counter()
            call()
            rate = VARIABLES * elements * 4 / (time.perf_counter() - start) / 1e9
            best[name] = max(best.get(name, 0), rate)

        for turn in range(options.rounds + 1):
            measure("plain write and fsync", lambda: plain_write(os.path.join(folder, "plain"), data))
            for system, run in runs.items():
                feed = {saver.filename_tensor_name: os.path.join(folder, system)}
                measure(f"{system} writes", lambda: run(saver.save_tensor_name, feed))
                measure(f"{system} restores", lambda: run(saver.restore_op_name, feed))
            if turn == 0:
                best.clear()  # the first runs compile
    for name, rate in sorted(best.items()):
        print(f"{name:24} {rate:.2f} GB/s")


if __name__ == "__main__":
    main()
