"""Graphs and values of the core's functions, compared with what TensorFlow made of them.

core_graphs.py MODULE...: records, with TensorFlow, the cases of core_cases/MODULE.py into
core_cases/MODULE.json.xz; test_core_functions.py compares what Kiln makes of them. A case is a
function of `tf`, as those of contrib_graphs.py are.
"""

import importlib
import json
import lzma
import pathlib
import sys

import contrib_graphs

FOLDER = pathlib.Path(__file__).resolve().parent / "core_cases"


def cases_of(module):
    """The cases of a module: its functions without an underscore, in order."""
    found = importlib.import_module(f"core_cases.{module}")
    return {
        name: value
        for name, value in vars(found).items()
        if callable(value) and not name.startswith("_") and value.__module__ == found.__name__
    }


def describe(tf, case):
    """What a case makes: the nodes, the collections, values or the error."""
    called = lambda tf, _: case(tf)  # noqa: E731
    called.values_only = getattr(case, "values_only", False)
    contrib_graphs.SHORTEN, shortens = False, contrib_graphs.SHORTEN
    try:
        return contrib_graphs.describe(tf, None, called)
    finally:
        contrib_graphs.SHORTEN = shortens


def recorded(module):
    return json.loads(lzma.decompress((FOLDER / f"{module}.json.xz").read_bytes()))


def record(module):
    """Writes what TensorFlow makes of the cases."""
    import tensorflow.compat.v1 as tf

    tf.disable_v2_behavior()
    found = {name: describe(tf, case) for name, case in cases_of(module).items()}
    for name, each in found.items():
        print(name, each.get("error") or f"{len(each['nodes'])} nodes")
    text = json.dumps(found, separators=(",", ":")).encode()
    (FOLDER / f"{module}.json.xz").write_bytes(lzma.compress(text, preset=9))


if __name__ == "__main__":
    for module in sys.argv[1:]:
        record(module)
