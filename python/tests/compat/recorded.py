"""Runs the programs that recorded TensorFlow's golden cases, with kiln.compat.v1 as `tensorflow`.

recorded.py [--forward] SCRIPT...: the recorders test/golden*/make_*_cases.py. What
each writes is compared with the case that TensorFlow wrote: the GraphDef node by node,
and of each step the names that are fetched. (The values of these graphs are compared by
build/bin/kiln-golden-test.) Prints a line a case; ends with 1 where one differs.
--forward: without what stands in name scopes of gradients, which Kiln builds with other
nodes where they go through loops and branches.
"""

import json
import os
import pathlib
import re
import runpy
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools/golden"))


FORWARD = "--forward" in sys.argv[1:]


def compared_nodes(graph):
    """The nodes by their names: with --forward, those that no gradient has to do with."""

    def is_of_gradients(name):
        return any(part.startswith(("gradients", "GradientDescent")) for part in name.lstrip("^").split("/"))

    nodes = {node.name: node for node in graph.node}
    for node in nodes.values():
        if "_gradient_op_type" in node.attr:  # a number that counts what the process made
            node.attr["_gradient_op_type"].s = re.sub(rb"\d+$", b"N", node.attr["_gradient_op_type"].s)
    if FORWARD:
        nodes = {name: node for name, node in nodes.items() if not any(map(is_of_gradients, [name, *node.input]))}
    return nodes


def differences(wanted, got):
    """What differs between two GraphDefs: node by node in the order of their names."""
    from google.protobuf import text_format

    wanted_nodes, got_nodes = compared_nodes(wanted), compared_nodes(got)
    for name in wanted_nodes:
        if name not in got_nodes:
            yield f"{name} ({wanted_nodes[name].op}) is missing"
    for name, node in got_nodes.items():
        if name not in wanted_nodes:
            yield f"{name} ({node.op}) is too much"
            continue
        other = wanted_nodes[name]
        if node.SerializeToString(deterministic=True) == other.SerializeToString(deterministic=True):
            continue
        for field in ("op", "input", "device"):
            if getattr(node, field) != getattr(other, field):
                yield f"{name}.{field}: expected {getattr(other, field)}, got {getattr(node, field)}"
        for attr in sorted({*node.attr, *other.attr}):
            texts = [
                text_format.MessageToString(each.attr[attr], as_one_line=True) if attr in each.attr else "nothing"
                for each in (other, node)
            ]
            if texts[0] != texts[1]:
                yield f"{name}.{attr}: expected {texts[0][:120]}, got {texts[1][:120]}"


def compare(case, made, shown):
    """Compares the archive that was made with the recorded one; True where they say the same."""
    import cases
    from kiln.compat.v1 import _messages

    wanted, got = cases.read(case), cases.read(made)
    graphs = [_messages.GraphDef.FromString(files["graph.pb"]) for files in (wanted, got)]
    found = list(differences(*graphs))
    steps = [json.loads(files["case.json"])["steps"] for files in (wanted, got)]
    fetches = [[step["fetches"] for step in each] for each in steps]
    if fetches[0] != fetches[1]:
        found.append("other fetches")
    failed = [step["error"]["message"] for step, other in zip(steps[1], steps[0]) if "error" in step and "error" not in other]
    found += [f"a step failed: {message}" for message in failed]
    name = os.path.basename(case).removesuffix(".tar.xz")
    print(f"{name}: {len(graphs[0].node)} nodes, " + ("the same" if not found else f"{len(found)} differences"))
    for line in found[:int(os.environ.get("SHOWN", shown))]:
        print("   ", line)
    return not found


def provide_diabetes():
    """sklearn.datasets.load_diabetes(scaled=False) from the copy in examples/data, where scikit-learn is not there."""
    try:
        import sklearn.datasets  # noqa: F401
    except ModuleNotFoundError:
        import types

        import numpy as np

        rows = np.loadtxt(ROOT / "examples/data/diabetes.csv", delimiter=",", skiprows=1)
        datasets = types.ModuleType("sklearn.datasets")
        datasets.load_diabetes = lambda scaled: types.SimpleNamespace(data=rows[:, :-1], target=rows[:, -1])
        sys.modules["sklearn"] = types.ModuleType("sklearn")
        sys.modules["sklearn.datasets"] = datasets


def run(script, shown=6):
    """Runs one recorder; the number of its cases that differ or that it did not come to."""
    script = pathlib.Path(script).resolve()
    with tempfile.TemporaryDirectory() as out:
        os.environ["GOLDEN_OUT"] = out
        sys.path[:0] = [str(script.parent), str(ROOT / "test/golden")]
        error = None
        try:
            runpy.run_path(str(script), run_name="__main__")
        except Exception as raised:  # noqa: BLE001, what a program may raise is what is looked for
            import traceback

            error = raised
            traceback.print_exc(limit=-4)
        made = sorted(pathlib.Path(out).glob("*.tar.xz"))
        different = sum(not compare(script.parent / each.name, each, shown) for each in made)
    if error is not None:
        print(f"{script.name}: {type(error).__name__}: {error} (after {len(made)} cases)")
        different += 1
    return different


if __name__ == "__main__":
    import kiln.compat

    kiln.compat.install()
    provide_diabetes()
    sys.exit(1 if sum(run(script) for script in sys.argv[1:] if script != "--forward") else 0)
