# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's ops of which there are too few for a recorder of their own: numbers at equal distances, bits that are
counted, fingerprints of rows, scripts of characters. Run it with a Python that has TensorFlow.
"""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops
random = np.random.default_rng(39)

with Case("remaining_linspace", "numbers at equal distances", rtol=0, atol=0) as c:
    for t in ("float32", "float64"):
        start, stop = tf.placeholder(t, None, "start_" + t), tf.placeholder(t, None, "stop_" + t)
        for index in ("int32", "int64"):
            num = tf.placeholder(index, None, f"num_{t}_{index}")
            op = raw.LinSpace(start=start, stop=stop, num=num)
            for a, b, n in ((0, 1, 5), (10, 12, 3), (-1, 1, 1), (3, 3, 4), (5, -5, 7), (0.1, 0.7, 50), (-1e30, 1e30, 3), (0, np.inf, 3), (np.nan, 1, 2),
                            (-3e38, 3e38, 4), (-3e38, 3e38, 1), (0, 1, 2), (1, 2, 0), (1, 2, -3), ([1], 2, 3), (1, [2, 3], 3), (1, 2, [3])):
                c.run(op, {start: a, stop: b, num: n})
    fixed = raw.LinSpace(start=-1.0, stop=1.0, num=6)
    c.run([fixed, fixed * tf.reshape(fixed, [6, 1])])
    size = tf.placeholder("float32", [None, 2], "size")
    grid = raw.LinSpace(start=0.0, stop=2.0, num=tf.shape(size)[0])
    for n in (1, 4, 9, 0):
        c.run([grid, tf.expand_dims(grid, 1) * size], {size: np.ones([n, 2])})

with Case("remaining_bits", "how many bits are set", rtol=0, atol=0) as c:
    for t in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"):
        x = tf.placeholder(t, None, "x_" + t)
        limits = np.iinfo(t)
        values = np.concatenate([random.integers(limits.min, limits.max, 40, t, endpoint=True), np.array([limits.min, limits.max, 0, 1], t)])
        for value in (values, values.reshape(4, 11), np.array(limits.max, t), np.zeros([0, 3], t)):
            c.run(raw.PopulationCount(x=x), {x: value})

with Case("remaining_fingerprints", "fingerprints of rows", rtol=0, atol=0) as c:
    method = tf.placeholder("string", None, "method")
    for t in ("float32", "float16", "bfloat16", "int8", "int64", "bool", "uint16", "string"):
        x = tf.placeholder(t, None, "x_" + t)
        op = raw.Fingerprint(data=x, method="farmhash64")
        for dims in ([5], [3, 4], [2, 3, 5], [0], [0, 3], [3, 0], [2, 1], []):
            values = random.integers(0, 100, dims)
            if t == "string" and dims == [3, 0]:
                continue  # memory that TensorFlow has not set
            if t == "string":
                values = np.array([b"x" * v for v in values.ravel()], object).reshape(dims) if dims else np.array(b"abc", object)
            c.run(op, {x: values})
        c.run(raw.Fingerprint(data=x, method=method), {x: np.full([2], b"a", object) if t == "string" else [0, 1], method: b"farmhash64"})
    for name in (b"sha1", b"", [b"farmhash64"]):
        c.run(raw.Fingerprint(data=x, method=method), {x: np.full([2], b"a", object), method: name})
    known = tf.placeholder("int32", [None, 2], "known")
    c.run(tf.cast(raw.Fingerprint(data=known, method="farmhash64"), "int32") + 1, {known: [[1, 2], [3, 4]]})

with Case("remaining_scripts", "scripts of characters", rtol=0, atol=0) as c:
    x = tf.placeholder("int32", None, "x")
    edges = [0, 64, 65, 0x370, 0x5D0, 0x627, 0x905, 0x4E00, 0xAC00, 0x1F600, 0x10FFFF, 0x110000, -1, -(2**31), 2**31 - 1, 0xD800, 0xE000]
    for value in (random.integers(0, 0x3000, 500), random.integers(0, 0x110000, [20, 30]), edges, 66, np.zeros([0, 2])):
        c.run(raw.UnicodeScript(input=x), {x: value})

with Case("remaining_neighbors", "the centers that are nearest to points", rtol=1e-5, atol=1e-5) as c:
    points, centers = tf.placeholder("float32", None, "points"), tf.placeholder("float32", None, "centers")
    k = tf.placeholder("int64", None, "k")
    op = raw.NearestNeighbors(points=points, centers=centers, k=k)
    for n, m, width in ((5, 4, 3), (300, 7, 2), (1, 1, 1), (700, 40, 5), (0, 4, 3)):
        for count in (1, 3, 100, 0):
            c.run(list(op), {points: random.normal(size=[n, width]), centers: random.normal(size=[m, width]), k: count})
    c.run(list(op), {points: np.zeros([2, 3]), centers: np.zeros([4, 3]), k: 3})
    some = {points: np.ones([5, 3]), centers: np.ones([4, 3]), k: 1}
    for wrong in ({centers: np.ones([4, 2])}, {points: np.ones([5])}, {centers: np.ones([4])}, {k: [1]}):
        c.run(list(op), {**some, **wrong})
    known = tf.placeholder("float32", [None, 2], "known")
    c.run(tf.reduce_sum(raw.NearestNeighbors(points=known, centers=[[0.0, 0], [3, 3]], k=1)[1]), {known: [[1, 1], [2, 5]]})

for t, unit in (("float32", 1e-5), ("float64", 1e-10)):
    with Case("remaining_matrix_functions_" + t, "exponentials and roots of matrices", rtol=unit, atol=unit) as c:
        # Newer graphs may not hold MatrixExponential.
        old = tf.GraphDef()
        old.versions.producer = 26
        tf.import_graph_def(old)
        x = tf.placeholder(t, None, "x")
        raised, root = raw.MatrixExponential(input=x), raw.MatrixSquareRoot(input=x)
        for dims in ([3, 3], [2, 4, 4], [1, 1], [0, 0], [0, 2, 2], [2, 1, 7, 7]):
            value = random.normal(size=dims)
            c.run(raised, {x: value})
            c.run(raised, {x: value * 5})
            if value.size:
                c.run([tf.matmul(root, root), root], {x: value @ np.swapaxes(value, -1, -2) + np.eye(dims[-1])})
                turned = np.eye(dims[-1]) * 2 + value * 0.2
                c.run(root, {x: turned})
        c.run(raised, {x: np.zeros([2, 2])})
        for value in (np.ones([2, 3]), np.ones([3])):
            c.run(raised, {x: value})
            c.run(root, {x: value})
        c.run([raised, root], {x: np.zeros([3, 0, 0])})
        known = tf.placeholder(t, [None, 3, 3], "known")
        value = random.normal(size=[2, 3, 3])
        c.run(tf.gradients(tf.linalg.sqrtm(known) ** 2, known), {known: value @ np.swapaxes(value, -1, -2) + np.eye(3)}, rtol=unit * 50, atol=unit * 50)

with Case("remaining_places", "what hangs on the device, stands for what is not there, or is watched", rtol=0, atol=0) as c:
    for names in (["CPU", "GPU"], ["GPU", "CPU"], ["GPU"], []):
        c.run(raw.DeviceIndex(device_names=names))
    x = tf.placeholder("float32", [None], "x")
    chosen = tf.raw_ops.DeviceIndex(device_names=["GPU", "CPU"])
    c.run([tf.switch_case(chosen, [lambda: x * 2, lambda: x + 1]), chosen + 1], {x: [1, 2]})
    for t, shape in (("float32", [2, 3]), ("float32", [None, 3]), ("string", None), ("bool", [0])):
        c.run(tf.shape(raw.FakeParam(dtype=t, shape=shape)))
    for t in ("float32", "string", "float16", "bool"):
        y = tf.placeholder(t, None, "y_" + t)
        c.run([raw.Copy(input=y, tensor_name="y:0"), raw.CopyHost(input=y, debug_ops_spec=["DebugIdentity;file:///tmp;0"])], {y: np.array([[b"a"]], object) if t == "string" else [[0, 1]]})
