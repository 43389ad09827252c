"""Runs a program in TensorFlow and in Kiln, each in a process of its own, and says what differs."""

import os
import pickle
import select
import signal
import time

import numpy as np
import tensorflow.compat.v1 as tf

import kiln.tensorflow
from build import Builder

LIMIT = 60  # seconds of a process
LOST = ("no end", "crash")
# What Kiln refuses to import, and says so: a Merge of which two inputs may be alive, or that no predicate decides.
REFUSED = ("got two that may both be", "inputs of other predicates")
AGAIN = 3  # how often TensorFlow must give the same before a difference counts


class Requests:
    """What a program's sessions run: the initializers, then each run and the variables behind it."""

    def __init__(self, program, builder):
        values = builder.scope.values
        self.initializers = [builder.variables[variable.name].initializer for variable in program.variables if variable.initialized]
        self.states = [variable.read_value() for variable in builder.variables.values()]
        self.runs = []
        for run in program.runs:
            feeds = {values[name]: value for name, value in run.feeds.items() if name in values}
            fetches = [values[name] for name in run.fetches if name in values and name not in run.feeds]
            self.runs.append((fetches + (builder.scope.order.ends() if run.last else []), feeds))


def outcome(session, fetches, feeds):
    try:
        return "ok", session.run(fetches, feeds, options=tf.RunOptions(timeout_in_ms=20000))
    except Exception as error:  # of any kind: it is what is compared
        return type(error).__name__, str(error)


def results(requests, graph):
    """What each run and each variable behind it gives. A run that fails is the last one of its session."""
    config = tf.ConfigProto(intra_op_parallelism_threads=1)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
    given, session = [], None
    for fetches, feeds in requests.runs:
        if session is None:
            session = tf.Session(graph=graph, config=config)
            session.run(requests.initializers)
        given.append(outcome(session, fetches, feeds))
        if given[-1][0] == "ok":
            given += [outcome(session, state, {}) for state in requests.states]
        else:
            session = None
            given += [("not asked", None)] * len(requests.states)
    return given


def in_kiln(requests, graph):
    with kiln.tensorflow.install(mode="native"):
        return results(requests, graph)


def apart(compute, requests, graph):
    """compute(requests, graph) in a process of its own, which is killed when it takes too long."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            answer = pickle.dumps(compute(requests, graph))
        except BaseException as error:
            answer = pickle.dumps([("harness", repr(error))])
        with os.fdopen(writer, "wb") as file:
            file.write(answer)
        os._exit(0)
    os.close(writer)
    data, end, lost = b"", time.monotonic() + LIMIT, None
    while True:
        if not select.select([reader], [], [], max(0, end - time.monotonic()))[0]:
            os.kill(child, signal.SIGKILL)
            lost = ("no end", f"after {LIMIT} s")
            break
        part = os.read(reader, 1 << 20)
        if not part:
            break
        data += part
    os.close(reader)
    _, status = os.waitpid(child, 0)
    if not lost and status:
        lost = ("crash", f"signal {os.WTERMSIG(status)}")
    return [lost] if lost else pickle.loads(data)


def same_value(a, b):
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(same_value(x, y) for x, y in zip(a, b))
    if a is None or b is None:
        return a is b
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype.kind == "f":
        return np.allclose(a, b, rtol=1e-4, atol=1e-5, equal_nan=True)
    return np.array_equal(a, b)


def same(a, b):
    return a[0] == b[0] and (a[0] != "ok" or same_value(a[1], b[1]))


class Difference:
    """Where the two part: the index of a request, and what each gave."""

    def __init__(self, index, expected, got, states):
        self.run, self.part = divmod(index, 1 + states)
        self.expected, self.got = expected, got

    @property
    def kind(self):
        return self.expected[0], self.got[0]

    def __str__(self):
        where = f"run {self.run}" if self.part == 0 else f"variable {self.part - 1} behind run {self.run}"
        return f"{where}\n  TensorFlow: {shortened(self.expected)}\n  Kiln:       {shortened(self.got)}"


def shortened(given):
    """A value, or the type of an error with the line that says what was wrong."""
    text = str(given[1])
    if given[0] == "ok":
        return text[:1000]
    lines = [line.strip() for line in text.splitlines() if line.strip() and "most recent call" not in line and "File \"" not in line]
    return f"{given[0]}: {' '.join(lines)[:600]}"


def build(program):
    """The program's graph and requests; raises what TensorFlow raises."""
    graph = tf.Graph()
    (tf.enable_control_flow_v2 if program.control_flow_v2 else tf.disable_control_flow_v2)()
    with graph.as_default():
        return graph, Requests(program, Builder(program))


def compare(program):
    """A Difference, or how it went: "same", "unstable" (TensorFlow's own answers differ), "refused" (by Kiln)."""
    graph, requests = build(program)
    expected = apart(results, requests, graph)
    if expected[0][0] in (*LOST, "harness"):
        return "unstable"
    got = apart(in_kiln, requests, graph)
    for index, (a, b) in enumerate(zip(expected, got)):
        if same(a, b):
            continue
        if b[0] != "ok" and any(text in b[1] for text in REFUSED):
            return "refused"
        again = [apart(results, requests, graph) for _ in range(AGAIN)]
        if not all(index < len(other) and same(a, other[index]) for other in again):
            return "unstable"
        return Difference(index, a, b, len(requests.states))
    return "same, with errors" if any(a[0] not in ("ok", "not asked") for a in expected) else "same"
