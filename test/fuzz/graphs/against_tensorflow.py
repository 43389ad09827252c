"""Random graphs that kiln-fuzz-graphs --write left in folders, in TensorFlow and in Kiln.

    kiln-fuzz-graphs --write FOLDER --graphs 2000
    PYTHONPATH=build/python PYTHON against_tensorflow.py FOLDER [--limit 20] [--only 17,23] [--again]

Each graph has a process of its own, which is killed when it takes longer than the limit: one
that is lost is said to be, with whose run it was. What came of each is appended to
FOLDER/results.jsonl, and a later call goes on behind it; --again takes those anew that
differ and are not explained, --only these graphs. Prints differences that explained.txt does
not explain, then all of them by reason, op and kind; the exit status is 1 where there are any.

Integers, bools, strings, dtypes, shapes and codes of errors are compared exactly, run by run,
floats as README.md says. INTERNAL is a fault of Kiln whatever TensorFlow says.
"""

import argparse
import collections
import json
import os
import re
import select
import signal
import sys
import time
from pathlib import Path

# Before TensorFlow: it sets what that looks for in the environment.
from run_in_both import NOT_FETCHED, import_graph, in_kiln, in_tensorflow, read_feeds, read_graph, requests_of

import numpy as np
import tensorflow.compat.v1 as tf

# Units in the last place of the type, times what a graph of some ops may add up; and relative to the largest
# element: sums in another order.
BOUNDS = {"float16": 2e-2, "bfloat16": 1e-1, "float32": 1e-4, "float64": 1e-9}


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


# What is the same error.
SAME = {"Value": "InvalidArgument"}


def error_difference(error, own, run):
    """(node, what, text) where two runs do not fail with the same code; either may be None."""
    if own and own[0] == "Internal":
        return own[1], f"{error[0] if error else 'no error'} against Internal", own[2]
    if error and own:
        if SAME.get(error[0], error[0]) == own[0]:
            return None
        return own[1], f"{error[0]} against {own[0]}", f"run {run}: {error[2]}\nKILN: {own[2]}"
    which, side = (error, "TensorFlow") if error else (own, "Kiln")
    return which[1], f"{which[0]} in {side} alone", f"run {run}: {which[2]}"


def first_difference(request, feeds, expected, got):
    """(node or tensor, what, text) of the first run that differs, or None."""
    for run, (asked, left, right) in enumerate(zip(requests_of(request, feeds), expected, got)):
        error, own = [side if isinstance(side, tuple) else None for side in (left, right)]
        if error or own:
            if found := error_difference(error, own, run):
                return found
            continue
        for name, a, b in zip(asked[0], left, right):
            if what := differs(a, b):
                return name, what, f"run {run}, {name}: {a} against {b}"
    return None


def origin(graph_def, request, feeds, name):
    """As first_difference, with everything fetched that the named output is made of; None where that finds nothing."""
    graph = import_graph(graph_def)
    needed, rest = set(), [graph.get_tensor_by_name(name).op]
    while rest:
        op = rest.pop()
        if op not in needed:
            needed.add(op)
            rest += [tensor.op for tensor in op.inputs] + list(op.control_inputs)
    fetches = [
        tensor.name
        for op in graph.get_operations()  # each behind its inputs
        if op in needed and op.type != "Placeholder"
        for tensor in op.outputs
        if not tensor.dtype._is_ref_dtype and tensor.dtype not in NOT_FETCHED
    ]
    wide = dict(request, fetches=fetches, asks=[])
    found = first_difference(wide, feeds, in_tensorflow(graph_def, wide, feeds), in_kiln(graph_def, wide, feeds))
    return found if found and found[0] in fetches else None


def made_of(graph, name):
    """The ops of a node's inputs and of the functions that it calls."""
    ops = {node.name: node.op for node in graph.node}
    bodies = {function.signature.name: function.node_def for function in graph.library.function}
    node = next(node for node in graph.node if node.name == name)
    called = [value.func.name for value in node.attr.values() if value.HasField("func")]
    names = [re.sub(r"^\^|:\d+$", "", text) for text in node.input]
    return sorted({ops[name] for name in names} | {inner.op for name in called for inner in bodies.get(name, [])})


def compare(folder, stage):
    """None, or (op, what, text). Tells where it is by stage()."""
    request = json.loads((folder / "request.json").read_text())
    feeds = [read_feeds(folder / f"feeds{i}.pb") for i in range(request["sets"])]
    stage("TensorFlow")
    graph = read_graph(folder)
    ops = {node.name: node.op for function in graph.library.function for node in function.node_def}
    ops |= {node.name: node.op for node in graph.node}
    expected = in_tensorflow(graph, request, feeds)
    stage("Kiln")
    got = in_kiln(graph, request, feeds)
    stage("comparison")
    found = first_difference(request, feeds, expected, got)
    if not found:
        return None
    if ":" not in found[0]:
        return ops.get(found[0].split("/")[-1], found[0]), *found[1:]
    found = origin(graph, request, feeds, found[0]) or found
    name = found[0].split(":")[0]
    return ops[name], found[1], f"{found[2]}\nOF: {' '.join(made_of(graph, name))}"


def in_child(folder, limit):
    """What compare() says of the graph, from a process that is killed after limit seconds."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        tell = lambda value: os.write(writing, json.dumps(value).encode() + b"\n")
        tell(compare(folder, tell))
        os._exit(0)
    os.close(writing)
    end, text = time.monotonic() + limit, b""
    while select.select([reading], [], [], max(0, end - time.monotonic()))[0]:
        if not (more := os.read(reading, 1 << 16)):
            break
        text += more
    else:
        os.kill(child, signal.SIGKILL)
    os.close(reading)
    status = os.waitpid(child, 0)[1]
    lines = text.decode().splitlines()
    last = json.loads(lines[-1]) if lines and text.endswith(b"\n") else "reading"
    if not isinstance(last, str):
        return last
    graph = tf.GraphDef.FromString((folder / "graph.pb").read_bytes())
    ops = " ".join(sorted({node.op for node in graph.node}))
    if time.monotonic() >= end:
        return ["", f"no end in {last}", f"after {limit} s: {ops}"]
    return ["", f"crash in {last}", f"status {status}: {ops}"]


def read_table(path):
    """Rows of explained.txt: patterns of op, kind and text, and the reason."""
    rows = [line.split(" | ") for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return [tuple(re.compile(cell.strip(), re.S) for cell in row[:3]) + (row[3].strip(),) for row in rows]


def reason(found, table):
    """Why it is no fault of Kiln; empty where nothing says so, and for what nothing excuses."""
    if found[1].endswith(("against Internal", "in Kiln", "Unimplemented in Kiln alone")):
        return ""
    for op, what, text, why in table:
        if op.fullmatch(found[0]) and what.fullmatch(found[1]) and text.search(found[2]):
            return why
    return ""


def report(results, table):
    """Prints a summary; how many differences have no reason."""
    kinds = collections.defaultdict(list)
    for name, found in results.items():
        if found:
            kinds[reason(found, table), found[0], found[1]].append(name)
    for (why, op, what), names in sorted(kinds.items(), key=lambda item: (item[0][0], -len(item[1]))):
        print(f"{len(names):5d}  {why or 'NOT EXPLAINED'}: {op}: {what} ({', '.join(names[:4])})")
    explained = sum(len(names) for key, names in kinds.items() if key[0])
    rest = sum(len(names) for names in kinds.values()) - explained
    print(f"{len(results)} graphs: {len(results) - explained - rest} agree, {explained} differ as explained, {rest} differ")
    return rest


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=float, default=20, help="seconds a graph")
    parser.add_argument("--only", help="these graphs, separated by commas")
    parser.add_argument("--again", action="store_true", help="those that differ without a reason anew")
    parser.add_argument("--report", action="store_true", help="run nothing")
    options = parser.parse_args()
    table = read_table(Path(__file__).with_name("explained.txt"))
    log = options.folder / "results.jsonl"
    results = dict(json.loads(line) for line in log.read_text().splitlines()) if log.exists() else {}
    names = sorted((path.name for path in options.folder.iterdir() if path.name.isdigit()), key=int)
    if options.only:
        names = options.only.split(",")
    elif options.again:
        names = [name for name in names if results.get(name) and not reason(results[name], table)]
    else:
        names = [name for name in names if name not in results]
    with log.open("a") as out:
        for at, name in enumerate([] if options.report else names):
            found = in_child(options.folder / name, options.limit)
            if found and found[1].startswith("no end"):
                # The machine may have stood still.
                found = in_child(options.folder / name, options.limit)
            results[name] = found
            print(json.dumps([name, found]), file=out, flush=True)
            if found and not reason(found, table):
                print(name, *found[:2], found[2][:600], sep=" | ", flush=True)
            if at % 100 == 99:
                print(f"{at + 1} of {len(names)}", file=sys.stderr, flush=True)
    sys.exit(1 if report(results, table) else 0)


if __name__ == "__main__":
    main()
