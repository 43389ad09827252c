# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's ops of former names, which its Python functions do not add any more: in a graph of an old version, for
newer ones may not hold them. Run it with a Python that has TensorFlow.
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


def set_version(producer):
    """Makes the graph, which is empty, one of an older version."""
    graph_def = tf.GraphDef()
    graph_def.versions.producer = producer
    tf.import_graph_def(graph_def)


def positive(*dims):
    x = random.normal(size=dims)
    return x @ np.swapaxes(x, -1, -2) + np.eye(dims[-1])


for t, unit in (("float32", 1e-4), ("float64", 1e-10)):
    with Case("former_matrices_" + t, "factors and systems of matrices by their former names", rtol=unit, atol=unit) as c:
        set_version(10)
        x, y = tf.placeholder(t, None, "x"), tf.placeholder(t, None, "y")
        s, u, v = raw.BatchSvd(input=x, compute_uv=True, full_matrices=False)
        e, w = raw.BatchSelfAdjointEigV2(input=x, compute_v=True)
        rows = [raw.SelfAdjointEig(input=x), raw.BatchSelfAdjointEig(input=x)]
        parts = [[r[..., 0, :], tf.matmul(r[..., 1:, :] * r[..., :1, :], r[..., 1:, :], transpose_b=True)] for r in rows]
        again = [s, tf.matmul(u * tf.expand_dims(s, -2), v, transpose_b=True), e, tf.matmul(w * tf.expand_dims(e, -2), w, transpose_b=True)]
        ops = [raw.BatchCholesky(input=x), raw.BatchMatrixDeterminant(input=x), raw.BatchMatrixInverse(input=x, adjoint=True)]
        solved = [raw.BatchMatrixSolve(matrix=x, rhs=y), raw.BatchMatrixSolveLs(matrix=x, rhs=y, l2_regularizer=0.5), raw.BatchMatrixTriangularSolve(matrix=x, rhs=y, lower=False)]
        slope = raw.BatchCholeskyGrad(l=x, grad=y)
        for dims in ([3, 3], [2, 4, 4], [1, 1], [0, 2, 2]):
            value, right = positive(*dims), random.normal(size=dims[:-1] + [2])
            c.run(ops + again, {x: value})
            c.run(solved, {x: value, y: right})
            c.run(slope, {x: np.linalg.cholesky(value), y: random.normal(size=dims)})
            for pair in parts:
                c.run(pair, {x: value})
        c.run(rows, {x: np.zeros([0, 0])})
        for value in (np.ones([2, 3]), np.ones([3])):
            for op in ops + rows:
                c.run(op, {x: value})
        # TensorFlow leaves the upper half of a factor that it does not find as it was.
        for op in [tf.matrix_band_part(ops[0], -1, 0), *ops[1:], *rows]:
            c.run(op, {x: -np.eye(2)})

with Case("former_diagonals", "bands and diagonals by their former names", rtol=0, atol=0) as c:
    set_version(10)
    for t in ("float32", "int32", "uint8", "float16", "int64"):
        x, y = tf.placeholder(t, None, "x_" + t), tf.placeholder(t, None, "y_" + t)
        square = [raw.BatchMatrixDiagPart(input=x), raw.BatchMatrixBandPart(input=x, num_lower=1, num_upper=0), raw.BatchMatrixSetDiag(input=x, diagonal=y)]
        for dims in ([3, 3], [2, 3, 4], [0, 2, 2]):
            c.run(square, {x: random.integers(0, 2, dims), y: random.integers(0, 2, dims[:-2] + [min(dims[-2:])])})
        for dims in ([3], [2, 3], [0, 2]):
            c.run(raw.BatchMatrixDiag(diagonal=y), {y: random.integers(0, 2, dims)})
        for op in square[:2]:
            c.run(op, {x: np.ones([2])})
        c.run(square[2], {x: np.ones([2, 2]), y: np.ones([3])})

with Case("former_checkpoints", "checkpoints of version 1, written and read op by op", rtol=0, atol=0) as c:
    root = "/tmp/kiln_golden/former"
    os.makedirs(root, exist_ok=True)

    def path(name):
        return os.path.join(root, name).encode()

    file = tf.placeholder("string", None, "file")
    name = tf.placeholder("string", None, "tensor_name")
    spec = tf.placeholder("string", None, "spec")
    names = tf.placeholder("string", None, "names")
    specs = tf.placeholder("string", None, "specs")
    contents = tf.placeholder("string", None, "contents")
    written = raw.WriteFile(filename=file, contents=contents)
    values = {t: random.integers(0, 2, [2, 3]).astype(t) * 3 for t in ("float32", "float64", "int32", "int64", "uint8", "int16", "int8", "uint16", "float16", "bool")}
    values["float32"] = np.array([[1.5, -2, np.inf], [1e-30, 0, -0.0]], "float32")
    values["int64"] = np.array([[-1, 2**62, 0], [5, -(2**63), 1]], "int64")
    values.update(scalar=np.float32(7.5), empty=np.zeros([0, 3], "float32"), texts=np.array([b"a", b"", b"b\0c"], object), equal=np.full([400], 3.0, "float32"))
    data = [tf.constant(v, tf.as_dtype(v.dtype)) for v in values.values()]
    listed = np.array([n.encode() for n in values], object)
    save = raw.Save(filename=file, tensor_names=names, data=data)
    c.run(written, {file: path("made/x"), contents: b"x"})
    restores = {t: (raw.Restore(file_pattern=file, tensor_name=name, dt=t), raw.RestoreSlice(file_pattern=file, tensor_name=name, shape_and_slice=spec, dt=t))
                for t in ("float32", "float64", "int32", "int64", "uint8", "int16", "int8", "uint16", "float16", "bool", "string")}
    of = {n: "string" if n == "texts" else str(v.dtype) for n, v in values.items()}

    def read_all(where):
        for n in values:
            c.run(list(restores[of[n]]), {file: path(where), name: n.encode(), spec: b""})

    c.run(save, {file: path("made/all"), names: listed})
    read_all("made/all")
    for text in (b"2 3 0,1:-", b"2 3 -:1,2", b"2 3 1,1:0,1", b"3 3 0,1:-", b"2 3 0,3:-", b"words"):
        c.run(restores["float32"][1], {file: path("made/all"), name: b"float32", spec: text})
    parts = raw.SaveSlices(filename=file, tensor_names=names, shapes_and_slices=specs, data=[tf.constant([[1.0, 2], [3, 4]]), tf.constant([[5.0, 6]]), tf.constant([1, 2])])
    pieces = {file: path("made/parts"), names: np.array([b"w", b"w", b"n"], object), specs: np.array([b"3 2 0,2:-", b"3 2 2,1:-", b""], object)}
    c.run(parts, pieces)
    for text in (b"", b"3 2 1,2:-", b"3 2 -:1,1", b"3 2 2,1:-"):
        c.run(restores["float32"][1], {file: path("made/parts"), name: b"w", spec: text})
    c.run(parts, {**pieces, file: path("made/lack"), specs: np.array([b"4 2 0,2:-", b"4 2 2,1:-", b""], object)})
    c.run(restores["float32"][0], {file: path("made/lack"), name: b"w"})
    c.run(restores["float32"][1], {file: path("made/lack"), name: b"w", spec: b"4 2 0,2:-"})
    # As TensorFlow wrote them.
    c.run(written, {file: path("made/tf"), contents: open(path("made/all"), "rb").read()})
    read_all("made/tf")
    # What is wrong.
    for wrong in ({names: listed[:-1]}, {names: np.array(b"one", object)}, {file: np.array([path("a"), path("b")], object), names: listed}):
        c.run(save, {file: path("made/wrong"), **wrong})
    for wrong in ({names: np.array([b"w", b"v", b"w"], object)}, {specs: np.array([b"", b""], object)}, {specs: np.array([b"3 2 0,1:-", b"", b""], object)}, {specs: np.array([b"3 2 0,2:-", b"5 2 2,1:-", b""], object)}):
        c.run(parts, {**pieces, file: path("made/wrong"), **wrong})
    for where, which, t in (("made/none", b"float32", "float32"), ("made/all", b"other", "float32"), ("made/all", b"float32", "int32"), ("made/x", b"float32", "float32")):
        c.run(restores[t][0], {file: path(where), name: which})
    c.run(restores["float32"][0], {file: np.array([path("a"), path("b")], object), name: b"x"})
    c.run(restores["float32"][0], {file: path("made/all"), name: np.zeros([0], object)})
    known = raw.RestoreSlice(file_pattern=file, tensor_name="float32", shape_and_slice="2 3 1,1:-", dt="float32")
    c.run(tf.reduce_sum(known * 0 + 1, 1), {file: path("made/all")})
