#!/usr/bin/env python3
"""What a call costs from Python: Kiln, Kiln behind tf.Session, TensorFlow, JAX and PyTorch, taking turns.

    PYTHONPATH=build/python bench/python_calls.py --python kiln=build/venv/bin/python --python tf=PATH
        [--python jax=PATH] [--python torch=PATH] [--rounds 5]

A round runs each system once in a fresh process; a figure is its least over the rounds, in
microseconds. Arrays of zeros are fed where the graph has feeds: what a call costs hardly
depends on them. JAX and PyTorch run the same mathematics, by the peers' scripts (README.md).
Then what an import takes, in seconds and resident megabytes, above NumPy's own.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
WORKLOADS = ("overhead", "chain50", "minibatch")
SECONDS = 0.5  # for a way to call, in a round


def least(call):
    """The least of ten slices' means, in microseconds."""
    call(), call(), call()
    turns, took = 1, 0
    while took < SECONDS / 20:
        turns *= 2
        start = time.perf_counter()
        for _ in range(turns):
            call()
        took = time.perf_counter() - start
    means = []
    for _ in range(10):
        start = time.perf_counter()
        for _ in range(turns):
            call()
        means.append((time.perf_counter() - start) / turns)
    return min(means) * 1e6


def emit(workload, way, call):
    print(json.dumps({"workload": workload, "way": way, "us": least(call)}), flush=True)


def request(workload):
    """The graph's path, what is fetched, and the feeds."""
    import numpy

    spec = json.loads((HERE / "graphs/workloads.json").read_text())[workload]
    feeds = {name: numpy.zeros(feed["shape"], feed["dtype"]) for name, feed in spec["feeds"].items()}
    fetches = [*spec["fetches"], *spec["targets"]]
    return HERE / f"graphs/{workload}.pb", spec["init"], fetches[0] if len(fetches) == 1 else fetches, feeds


def run_kiln():
    import kiln

    for workload in WORKLOADS:
        path, init, fetches, feeds = request(workload)
        with kiln.Session(kiln.Graph.load(path), mode="native") as session:
            session.run(init)
            emit(workload, "session.run", lambda: session.run(fetches, feeds))
            bound, values = session.make_callable(fetches, list(feeds)), list(feeds.values())
            emit(workload, "callable", lambda: bound(*values))


def run_tf():
    import tensorflow.compat.v1 as tf

    tf.disable_v2_behavior()
    for workload in WORKLOADS:
        path, init, fetches, feeds = request(workload)
        with tf.Graph().as_default() as graph, tf.Session() as session:
            tf.import_graph_def(tf.GraphDef.FromString(path.read_bytes()), name="")
            element = graph.as_graph_element
            fetched = [element(name) for name in fetches] if isinstance(fetches, list) else element(fetches)
            fed = {element(name): value for name, value in feeds.items()}
            session.run(element(init))
            emit(workload, "session.run", lambda: session.run(fetched, fed))
            bound, values = session.make_callable(fetched, list(fed)), list(fed.values())
            emit(workload, "callable", lambda: bound(*values))


def run_kiln_tf():
    import kiln.tensorflow

    with kiln.tensorflow.install(mode="native"):
        run_tf()


# System: its environment and what runs in it.
SYSTEMS = {
    "kiln": ("kiln", None),
    "kiln_tf": ("tf", None),
    "tf": ("tf", None),
    "jax": ("jax", "peer_jax.py"),
    "torch": ("torch", "peer_torch.py"),
}
IMPORTS = {"kiln": "kiln", "tf": "tensorflow", "jax": "jax", "torch": "torch"}

IMPORT = """
import sys, time, numpy
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 / 1e6
before, start = resident(), time.perf_counter()
__import__(sys.argv[1])
print(time.perf_counter() - start, resident() - before)
"""


def output(command):
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", JAX_PLATFORMS="cpu")
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"python_calls: {' '.join(map(str, command))} failed:\n{done.stderr[-2000:]}")
    return done.stdout


def figures_of(system, python, scripts):
    """(workload, way): microseconds, of one round."""
    script = SYSTEMS[system][1]
    if not script:
        lines = map(json.loads, output([python, __file__, "--only", system]).splitlines())
        return {(line["workload"], line["way"]): line["us"] for line in lines}
    lines = output([python, scripts / script, *(f"w={name}" for name in WORKLOADS)]).splitlines()
    lines = [json.loads(line) for line in lines]
    return {(line["workload"], "call"): line["value"] * 1e6 for line in lines if line["metric"] == "run_s"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", action="append", default=[], metavar="ENVIRONMENT=PATH")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peer-scripts", type=pathlib.Path, default=HERE.parents[1] / "shared/bench", metavar="DIR")
    parser.add_argument("--only", choices=SYSTEMS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only:
        return globals()[f"run_{options.only}"]()
    pythons = dict(entry.split("=", 1) for entry in options.python)
    systems = [system for system, (environment, _) in SYSTEMS.items() if environment in pythons]
    best = {}
    for turn in range(options.rounds):
        for system in systems if turn % 2 == 0 else reversed(systems):
            figures = figures_of(system, pythons[SYSTEMS[system][0]], options.peer_scripts)
            for (workload, way), value in figures.items():
                key = system, way, workload
                best[key] = min(value, best.get(key, value))
    print(f"| system | way | {' | '.join(WORKLOADS)} |\n| --- | --- |{' --- |' * len(WORKLOADS)}")
    for system, way in dict.fromkeys(key[:2] for key in best):
        row = [f"{best[system, way, workload]:.2f}" for workload in WORKLOADS]
        print(f"| {system} | {way} | {' | '.join(row)} |")
    for environment, module in IMPORTS.items():
        if environment in pythons:
            rounds = [output([pythons[environment], "-c", IMPORT, module]).split() for _ in range(options.rounds)]
            seconds, megabytes = (min(float(figure) for figure in figures) for figures in zip(*rounds))
            print(f"import {module}: {seconds:.3f} s and {megabytes:.0f} MB above NumPy")


if __name__ == "__main__":
    main()
