"""Small graphs as GraphDef text, and where the tree's own graphs lie."""

import pathlib

import kiln

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINEAR_REGRESSION = ROOT / "examples/graphs/linear_regression.pb"
OVERHEAD = ROOT / "bench/graphs/overhead.pb"


def node(name, op, *inputs, **attrs):
    """A node: attributes are the text of their values, types by name ("DT_FLOAT")."""

    def value(text):
        return f"type: {text}" if text.startswith("DT_") else text

    lines = [f'name: "{name}" op: "{op}"']
    lines += [f'input: "{source}"' for source in inputs]
    lines += [f'attr {{ key: "{key}" value {{ {value(text)} }} }}' for key, text in attrs.items()]
    return f"node {{ {' '.join(lines)} }}\n"


def load(*nodes):
    return kiln.Graph.load("".join(nodes).encode())


def placeholder(name, dtype, *dims):
    shape = "".join(f"dim {{ size: {dim} }} " for dim in dims)
    return node(name, "Placeholder", dtype=dtype, shape=f"shape {{ {shape} }}")


def const(name, dtype, value, field):
    tensor = f"tensor {{ dtype: {dtype} tensor_shape {{ }} {field}: {value} }}"
    return node(name, "Const", dtype=dtype, value=tensor)


def identity(dtype, *dims):
    """x -> y = identity(x)"""
    return load(placeholder("x", dtype, *dims), node("y", "Identity", "x", T=dtype))


def double(dtype="DT_FLOAT", *dims):
    """x -> y = x + x"""
    return load(placeholder("x", dtype, *dims), node("y", "AddV2", "x", "x", T=dtype))


def counter():
    """step = (v += 1), of an int64 variable."""
    return load(
        node("v", "VariableV2", dtype="DT_INT64", shape="shape { }"),
        const("zero", "DT_INT64", 0, "int64_val"),
        const("one", "DT_INT64", 1, "int64_val"),
        node("v/Assign", "Assign", "v", "zero", T="DT_INT64"),
        node("step", "AssignAdd", "v", "one", T="DT_INT64"),
    )


def loop():
    """n -> done: counts to n, one iteration of a loop at a time."""
    frame = {"T": "DT_INT64", "frame_name": 's: "count"'}
    return load(
        placeholder("n", "DT_INT64"),
        const("zero", "DT_INT64", 0, "int64_val"),
        node("limit", "Enter", "n", **frame, is_constant="b: true"),
        node("enter", "Enter", "zero", **frame),
        node("merge", "Merge", "enter", "next", T="DT_INT64", N="i: 2"),
        node("less", "Less", "merge", "limit", T="DT_INT64"),
        node("cond", "LoopCond", "less"),
        node("switch", "Switch", "merge", "cond", T="DT_INT64"),
        node("done", "Exit", "switch", T="DT_INT64"),
        node("body", "Identity", "switch:1", T="DT_INT64"),
        node(
            "one", "Const", "^body", dtype="DT_INT64",
            value="tensor { dtype: DT_INT64 tensor_shape { } int64_val: 1 }",
        ),
        node("add", "AddV2", "body", "one", T="DT_INT64"),
        node("next", "NextIteration", "add", T="DT_INT64"),
    )


def queue(capacity=1):
    """x -> enqueue; take"""
    return load(
        placeholder("x", "DT_FLOAT", 3),
        node(
            "queue", "FIFOQueueV2", component_types="list { type: DT_FLOAT }",
            shapes="list { shape { dim { size: 3 } } }", capacity=f"i: {capacity}",
        ),
        node("enqueue", "QueueEnqueueV2", "queue", "x", Tcomponents="list { type: DT_FLOAT }"),
        node("take", "QueueDequeueV2", "queue", component_types="list { type: DT_FLOAT }"),
    )
