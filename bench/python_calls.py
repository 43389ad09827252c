#!/usr/bin/env python3
"""What a call costs from Python: Kiln, Kiln behind tf.Session, TensorFlow, JAX and PyTorch, taking turns.

    PYTHONPATH=build/python bench/python_calls.py --python kiln=build/venv/bin/python --python tf=PATH
        [--python jax=PATH] [--python torch=PATH] [--rounds 5]

A round runs each system once in a fresh process; a figure is the least mean of many slices of
two milliseconds, in microseconds: on a busy machine, too, some of them are not disturbed, where
the work stays on one thread. What is fed is zeros: what a call costs hardly depends on it. JAX
(jitted, state donated) and PyTorch (eager) do the same mathematics.
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
SLICE, SLICES = 0.002, 200


def least(call):
    """The least of the slices' means, in microseconds."""
    call(), call(), call()
    turns, took = 1, 0
    while took < SLICE:
        turns *= 2
        start = time.perf_counter()
        for _ in range(turns):
            call()
        took = time.perf_counter() - start
    means = []
    for _ in range(SLICES):
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


def chain(x, tanh):
    for i in range(50):
        x = tanh(x * 1.01 + 0.5) if i % 2 else x * 0.99 - 0.1
    return x


def run_jax():
    import jax
    import jax.numpy as jnp
    import numpy

    def update(theta, x, y):
        return theta - 0.01 * jax.grad(lambda theta: jnp.mean(jnp.square(x @ theta - y)))(theta)

    ready = jax.block_until_ready
    one, numbers = numpy.float32(1), numpy.ones(16, "f4")
    add, links, step = jax.jit(lambda a: a + 1.0), jax.jit(lambda a: chain(a, jnp.tanh)), jax.jit(update, donate_argnums=0)
    emit("overhead", "jit", lambda: ready(add(one)))
    emit("chain50", "jit", lambda: ready(links(numbers)))
    theta = [jnp.ones((9, 1))]
    x, y = numpy.zeros((100, 9), "f4"), numpy.zeros((100, 1), "f4")

    def descend():
        theta[0] = ready(step(theta[0], x, y))

    emit("minibatch", "jit", descend)


def run_torch():
    import torch

    one, numbers = torch.tensor(1.0), torch.ones(16)
    emit("overhead", "eager", lambda: one + 1.0)
    emit("chain50", "eager", lambda: chain(numbers, torch.tanh))
    theta = torch.ones(9, 1).requires_grad_()
    x, y = torch.zeros(100, 9), torch.zeros(100, 1)

    def descend():
        (slope,) = torch.autograd.grad(((x @ theta - y) ** 2).mean(), theta)
        with torch.no_grad():
            theta.sub_(slope, alpha=0.01)

    emit("minibatch", "eager", descend)


# System: its environment.
SYSTEMS = {"kiln": "kiln", "kiln_tf": "tf", "tf": "tf", "jax": "jax", "torch": "torch"}
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
    environment = dict(os.environ, KILN_CACHE="off", TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="",
                       JAX_PLATFORMS="cpu")
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"python_calls: {' '.join(map(str, command))} failed:\n{done.stderr[-2000:]}")
    return done.stdout


def figures_of(system, python):
    """(workload, way): microseconds, of one round."""
    lines = map(json.loads, output([python, __file__, "--only", system]).splitlines())
    return {(line["workload"], line["way"]): line["us"] for line in lines}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", action="append", default=[], metavar="ENVIRONMENT=PATH")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=SYSTEMS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only:
        return globals()[f"run_{options.only}"]()
    pythons = dict(entry.split("=", 1) for entry in options.python)
    systems = [system for system, environment in SYSTEMS.items() if environment in pythons]
    best = {}
    for turn in range(options.rounds):
        for system in systems if turn % 2 == 0 else reversed(systems):
            figures = figures_of(system, pythons[SYSTEMS[system]])
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
