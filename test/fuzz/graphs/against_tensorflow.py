"""Random graphs that kiln-fuzz-graphs --write left in folders, in TensorFlow and in Kiln.

    kiln-fuzz-graphs --write FOLDER --graphs 2000
    TF_ENABLE_ONEDNN_OPTS=0 PYTHONPATH=build/python PYTHON against_tensorflow.py FOLDER [v]

Prints how many graphs agree, and for each that does not the first difference: "v" shows
all, otherwise they are counted by op and kind. Integers, bools, strings, dtypes, shapes and
codes of errors are compared exactly, floats as README.md says.
"""

import collections
import json
import os
import re
import sys
from pathlib import Path

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.core.protobuf import rewriter_config_pb2

import kiln

tf.disable_v2_behavior()

# Units in the last place of the type, times what a graph of some ops may add up; and relative to the largest
# element: sums in another order.
BOUNDS = {"float16": 2e-2, "bfloat16": 1e-1, "float32": 1e-4, "float64": 1e-9}


def plain_config():
    """No rewrites, one thread: what the kernels give, in order."""
    config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    config.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.global_jit_level = tf.OptimizerOptions.OFF
    return config


def read_feeds(path):
    graph = tf.GraphDef.FromString(path.read_bytes())
    return {node.name + ":0": tf.make_ndarray(node.attr["value"].tensor) for node in graph.node}


def in_tensorflow(folder, request, feeds):
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(tf.GraphDef.FromString((folder / "graph.pb").read_bytes()), name="")
    results = []
    with tf.Session(graph=graph, config=plain_config()) as session:
        if request["init"]:
            session.run([graph.get_operation_by_name(name) for name in request["init"]])
        targets = [graph.get_operation_by_name(name) for name in request["targets"]]
        for run in range(request["runs"]):
            values = session.run([request["fetches"], targets], feeds[run % len(feeds)])
            results.append(values[0])
    return results


def in_kiln(folder, request, feeds):
    graph = kiln.Graph.load(str(folder / "graph.pb"))
    results = []
    with kiln.Session(graph, mode="native", threads=1) as session:
        if request["init"]:
            session.run(request["init"])
        for run in range(request["runs"]):
            values = session.run([request["fetches"], request["targets"]], feeds[run % len(feeds)])
            results.append(values[0])
    return results


def outcome(run, *arguments):
    """The results, or the code and the text of the error."""
    try:
        return run(*arguments), None
    except Exception as error:  # of any kind: it is what is compared
        code = getattr(error, "error_code", getattr(error, "code", None))
        node = re.search(r"\{\{node ([^}]*)\}\}", str(error))
        return None, (type(error).__name__.removesuffix("Error"), code, node.group(1) if node else "", str(error))


def differs(expected, got):
    """What is different; None for nothing."""
    expected, got = np.asarray(expected), np.asarray(got)
    if expected.dtype == object or got.dtype == object:
        same = expected.shape == got.shape and all(a == b for a, b in zip(expected.ravel(), got.ravel()))
        return None if same else "strings"
    if expected.dtype != got.dtype:
        return f"dtype {expected.dtype} {got.dtype}"
    if expected.shape != got.shape:
        return f"shape {expected.shape} {got.shape}"
    bound = BOUNDS.get(str(expected.dtype))
    if bound is None:
        return None if expected.tobytes() == got.tobytes() else f"{expected.dtype} values"
    a, b = expected.astype(np.float64), got.astype(np.float64)
    if not np.array_equal(np.isnan(a), np.isnan(b)):
        return "NaN"
    a, b = np.nan_to_num(a, nan=0, posinf=np.inf, neginf=-np.inf), np.nan_to_num(b, nan=0, posinf=np.inf, neginf=-np.inf)
    same = a == b
    if np.any(np.isinf(a) != np.isinf(b)) or np.any(np.isinf(a) & ~same):
        return "infinity"
    finite = ~np.isinf(a)
    scale = np.abs(a) + np.max(np.abs(a[finite]), initial=0) * 0.01 + np.finfo(np.float32).tiny
    with np.errstate(invalid="ignore"):
        wrong = finite & ~same & (np.abs(a - b) > bound * scale)
    return f"{expected.dtype} values" if np.any(wrong) else None


def compare(folder):
    """None, or (op, what, text)."""
    request = json.loads((folder / "request.json").read_text())
    feeds = [read_feeds(folder / f"feeds{i}.pb") for i in range(request["sets"])]
    ops = {node.name: node.op for node in tf.GraphDef.FromString((folder / "graph.pb").read_bytes()).node}
    expected, error = outcome(in_tensorflow, folder, request, feeds)
    got, own = outcome(in_kiln, folder, request, feeds)
    if error or own:
        if error and own:
            names = {"ValueError": "InvalidArgument", "Value": "InvalidArgument"}
            same = names.get(error[0], error[0]) == own[0]
            return None if same else (ops.get(own[2], own[2]), f"{error[0]} against {own[0]}", error[3] + own[3])
        which, side = (error, "TensorFlow") if error else (own, "Kiln")
        return ops.get(which[2], which[2]), f"{which[0]} in {side} alone", which[3]
    for run, (left, right) in enumerate(zip(expected, got)):
        for name, a, b in zip(request["fetches"], left, right):
            if what := differs(a, b):
                return ops[name.split(":")[0]], what, f"run {run}, {name}: {a} against {b}"
    return None


def main():
    folders = sorted(Path(sys.argv[1]).iterdir(), key=lambda path: int(path.name))
    verbose = "v" in sys.argv[2:]
    kinds = collections.defaultdict(list)
    agreed = 0
    for folder in folders:
        found = compare(folder)
        if found is None:
            agreed += 1
            continue
        kinds[found[:2]].append(folder.name)
        if verbose:
            print(folder.name, *found[:2], found[2][:600], sep=" | ", flush=True)
    for (op, what), names in sorted(kinds.items(), key=lambda item: -len(item[1])):
        print(f"{len(names):5d}  {op}: {what} ({', '.join(names[:4])})")
    print(f"{len(folders)} graphs: {agreed} agree")


if __name__ == "__main__":
    main()
