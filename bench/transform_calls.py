#!/usr/bin/env python3
"""What a Fourier transform and a factorization cost: TensorFlow's sessions and Kiln's, taking turns.

    PYTHONPATH=build/python PYTHON_WITH_TENSORFLOW bench/transform_calls.py [REGEX] [--threads 1] [--seconds 1]

Both run one graph in one process; a second in which native code is made comes first. A figure is the least time of a
call, in microseconds, with a feed and a fetch of the whole; "ratio" is Kiln's over TensorFlow's, "apart" the largest
difference of the results over the largest result (singular vectors are compared by what they make together).
"""
import argparse
import os
import re
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ["KILN_CACHE"] = "off"
import kiln
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
REAL = {"complex64": "float32", "complex128": "float64"}
TRANSFORMS = [
    ("fft", (64, 64)), ("fft", (4096, 16)), ("fft", (1024, 128)), ("fft", (256, 256)), ("fft", (64, 4096)),
    ("fft", (8, 1009)), ("fft", (1, 65537)), ("fft", (1, 1 << 20)), ("fft2d", (64, 64)), ("fft2d", (256, 256)),
    ("fft3d", (32, 32, 32)), ("rfft", (64, 1024)), ("rfft", (512, 400)), ("rfft", (1, 100000)),
]
FACTORIZATIONS = [
    ("svd", (16, 16)), ("svd", (100, 50)), ("svd", (256, 256)), ("svd", (64, 16, 16)), ("qr", (100, 50)),
    ("qr", (256, 256)), ("cholesky", (256, 256)), ("matrix_inverse", (256, 256)), ("self_adjoint_eig", (100, 100)),
]


def singular_values(x):
    s, u, v = tf.svd(x)
    return tf.matmul(u * tf.expand_dims(tf.cast(s, u.dtype), -2), v, adjoint_b=True)


def spectral(x):
    e, v = tf.self_adjoint_eig(tf.matmul(x, x, adjoint_b=True))
    return tf.matmul(v * tf.expand_dims(e, -2), v, adjoint_b=True)


def positive(x):
    return tf.cholesky(tf.matmul(x, x, adjoint_b=True) + 10 * tf.eye(int(x.shape[-1]), dtype=x.dtype))


CALLS = {
    "svd": singular_values,
    "qr": lambda x: tf.matmul(*tf.qr(x)),
    "cholesky": positive,
    "matrix_inverse": tf.matrix_inverse,
    "self_adjoint_eig": spectral,
    **{name: getattr(tf.signal, name) for name in ("fft", "fft2d", "fft3d", "rfft")},
}


def cases():
    for name, shape in TRANSFORMS:
        for dtype in REAL:
            yield name, shape, REAL[dtype] if name == "rfft" else dtype
    for name, shape in FACTORIZATIONS:
        for dtype in ("float32", "float64", "complex64"):
            if not (name == "self_adjoint_eig" and dtype == "complex64"):
                yield name, shape, dtype


def numbers(shape, dtype):
    rng = np.random.RandomState(0)
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if dtype in REAL else x).astype(dtype)


def measure(name, shape, dtype, options):
    with tf.Graph().as_default() as graph:
        result = CALLS[name](tf.placeholder(dtype, shape, name="x")).name
    config = tf.ConfigProto(intra_op_parallelism_threads=options.threads, inter_op_parallelism_threads=1)
    theirs = tf.Session(graph=graph, config=config).make_callable(result, ["x:0"])
    session = kiln.Session(kiln.Graph.load(graph.as_graph_def().SerializeToString()), threads=options.threads)
    x = numbers(shape, dtype)
    runs = {"tensorflow": lambda: theirs(x), "kiln": lambda: session.run(result, {"x:0": x})}
    answers = {system: run() for system, run in runs.items()}
    time.sleep(1)
    least = dict.fromkeys(runs, float("inf"))
    end = time.perf_counter() + options.seconds
    while time.perf_counter() < end:
        for system, run in runs.items():
            for _ in range(4):
                start = time.perf_counter()
                run()
                least[system] = min(least[system], time.perf_counter() - start)
    apart = np.abs(answers["kiln"] - answers["tensorflow"]).max() / np.abs(answers["tensorflow"]).max()
    return least["tensorflow"] * 1e6, least["kiln"] * 1e6, apart


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("only", nargs="?", default="", help="a regular expression of names")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1)
    options = parser.parse_args()
    print("%-16s %-14s %-10s %12s %9s %6s %8s" % ("what", "shape", "dtype", "TensorFlow", "Kiln", "ratio", "apart"))
    for name, shape, dtype in cases():
        if re.search(options.only, name):
            theirs, ours, apart = measure(name, shape, dtype, options)
            label = "x".join(map(str, shape))
            print("%-16s %-14s %-10s %12.1f %9.1f %6.2f %8.1e" % (name, label, dtype, theirs, ours, ours / theirs, apart), flush=True)


if __name__ == "__main__":
    main()
