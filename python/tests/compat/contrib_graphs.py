"""Graphs of contrib's functions, as texts that two builders of them can be compared by.

contrib_graphs.py MODULE...: records what TensorFlow (with tf_slim) makes of the cases of
contrib_cases/MODULE.py into contrib_cases/MODULE.json.xz; test_contrib_graphs.py compares what
Kiln makes of them. A case is a function of `tf` and of the namespace of contrib's functions; it
gives tensors to fetch, and may give a feed_dict too. What it raises is recorded as well. Of a case
with a true attribute `values_only`, the nodes are not compared.
"""

import hashlib
import importlib
import json
import lzma
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE / "contrib_cases"
# Whether of large graphs a digest is kept.
SHORTEN = True


def cases_of(module):
    """The cases of a module: its functions without an underscore, in order."""
    found = importlib.import_module(f"contrib_cases.{module}")
    return {
        name: value
        for name, value in vars(found).items()
        if callable(value) and not name.startswith("_") and value.__module__ == found.__name__
    }


def node_lines(graph):
    """A line for each node: name, op, inputs, device, attributes."""
    from google.protobuf import text_format

    lines = []
    for node in graph.as_graph_def().node:
        attrs = " ".join(
            f"{name}={text_format.MessageToString(node.attr[name], as_one_line=True)}"
            for name in sorted(node.attr)
        )
        attrs = re.sub("hash_table_[-0-9a-f]{36}", "hash_table_UUID", attrs)
        attrs = re.sub("CustomGradient-[0-9]+", "CustomGradient-N", attrs)
        attrs = re.sub("pyfunc_[0-9]+", "pyfunc_0", attrs)
        place = f" on {node.device}" if node.device else ""
        lines.append(f"{node.name} = {node.op}({', '.join(node.input)}){place} {attrs}")
    return lines


def collection_lines(tf, graph):
    """A line for each collection: the names of what is in it."""
    lines = {}
    for key in graph.get_all_collection_keys():
        if isinstance(key, str) and not key.startswith(("__", "while_context", "cond_context")):
            names = [str(getattr(item, "name", type(item).__name__)) for item in tf.get_collection(key)]
            lines[key] = names
    return [f"{key}: {' '.join(names)}" for key, names in sorted(lines.items()) if names]


def values_of(tf, graph, fetches, feed_dict):
    """The values of the fetches, after the variables were initialized."""
    with tf.Session(graph=graph) as session:
        with graph.as_default():
            start = [tf.global_variables_initializer(), tf.local_variables_initializer(), tf.tables_initializer()]
        session.run(start)
        return [shortened(value) for value in session.run(fetches, feed_dict)]


def digest(lines):
    """The number of lines, and a digest of them."""
    return [len(lines), hashlib.sha256("\n".join(lines).encode()).hexdigest()]


def shortened(value):
    """The shape of a value and its first elements, to five digits."""
    import numpy as np

    value = np.asarray(value)
    first = value.ravel()[:20].tolist()
    if value.dtype.kind == "f":
        first = [float(f"{each:.5g}") for each in first]
    elif value.dtype.kind in "OS":
        first = [each.decode() if isinstance(each, bytes) else each for each in first]
    return [list(value.shape), first]


def describe(tf, contrib, case, run=True, ordered=True):
    """What a case makes: the nodes, the collections, and values where it gives tensors to fetch.

    ordered: whether the order of the nodes counts.
    """
    graph = tf.Graph()
    with graph.as_default():
        tf.set_random_seed(7)
        try:
            made = case(tf, contrib)
        except Exception as error:  # noqa: BLE001, any error is compared
            return {"error": f"{type(error).__name__}: {error}"}
        fetches, feed_dict = made if isinstance(made, tuple) else (made, None)
        nodes = node_lines(graph)
        found = {"nodes": nodes if ordered else sorted(nodes), "collections": collection_lines(tf, graph)}
        if getattr(case, "values_only", False):
            found = {"nodes": [], "collections": []}
        if SHORTEN and len(found["nodes"]) > 300:
            found = {kind: digest(lines) for kind, lines in found.items()}
        if fetches is not None and run:
            fetches = fetches if isinstance(fetches, list) else [fetches]
            found["values"] = values_of(tf, graph, fetches, feed_dict)
    return found


def recorded(module):
    return json.loads(lzma.decompress((FOLDER / f"{module}.json.xz").read_bytes()))


def differences(wanted, got):
    """What differs between two descriptions, in words."""
    import numpy as np

    if "error" in wanted or "error" in got:
        if wanted.get("error") != got.get("error"):
            yield f"expected {wanted.get('error', 'no error')!r}, got {got.get('error', 'no error')!r}"
        return
    for kind in ("nodes", "collections"):
        if wanted[kind] == got[kind]:
            continue
        if isinstance(wanted[kind][0], int):
            yield f"{kind}: expected {wanted[kind]}, got {got[kind]}"
            continue
        expected, found = set(wanted[kind]), set(got[kind])
        yield from (f"missing: {line}" for line in wanted[kind] if line not in found)
        yield from (f"too much: {line}" for line in got[kind] if line not in expected)
        if expected == found:
            yield f"the {kind} are in another order"
    for (shape, expected), (other_shape, value) in zip(wanted.get("values", ()), got.get("values", ())):
        if shape != other_shape:
            yield f"expected shape {shape}, got {other_shape}"
        elif expected and isinstance(expected[0], float):
            if not np.allclose(expected, value, rtol=1e-4, atol=1e-5, equal_nan=True):
                yield f"expected {expected[:8]}, got {value[:8]}"
        elif expected != value:
            yield f"expected {expected[:8]}, got {value[:8]}"


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    from contrib_cases import core_oracle, tensorflow_oracle

    for module in sys.argv[1:]:
        is_core = module in ("rnn", "seq2seq") or module.startswith("core_")
        tf, contrib = (core_oracle if is_core else tensorflow_oracle).namespaces()
        found = {name: describe(tf, contrib, case, ordered=not is_core) for name, case in cases_of(module).items()}
        for name, each in found.items():
            print(name, each.get("error") or f"{len(each['nodes'])} nodes")
        text = json.dumps(found, separators=(",", ":")).encode()
        (FOLDER / f"{module}.json.xz").write_bytes(lzma.compress(text, preset=9))
