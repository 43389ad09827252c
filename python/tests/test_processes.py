"""fork(), leaks, other allocators, and what an import costs."""

import ctypes.util
import multiprocessing
import os
import subprocess
import sys

import numpy as np
import pytest

import graphs
import kiln
from processes import MIB, grown_by, python


def in_child(connection, session):
    double = kiln.Session(graphs.double("DT_FLOAT", -1), mode="native")
    connection.send([session.run("y:0", {"x:0": [3.0]}).tolist(), double.run("y:0", {"x:0": [4.0]}).tolist()])


def test_fork():
    context = multiprocessing.get_context("fork")
    with kiln.Session(graphs.double("DT_FLOAT", -1), mode="native") as session:
        session.run("y:0", {"x:0": [1.0]})
        ours, theirs = context.Pipe()
        children = [context.Process(target=in_child, args=(theirs, session)) for _ in range(2)]
        for child in children:
            child.start()
        assert [ours.recv() for _ in children] == [[[6], [8]]] * 2
        for child in children:
            child.join()
            assert child.exitcode == 0
        assert session.run("y:0", {"x:0": [1.0]}).tolist() == [2]


def test_a_million_calls_leak_nothing():
    with kiln.Session(graphs.double("DT_FLOAT", -1), mode="native") as session:
        double = session.make_callable(["y:0", {"again": "y:0"}], ["x:0"])
        x = np.ones(64, "f4")
        count = sys.getrefcount(x)
        assert grown_by(lambda: double(x), 10**6) < 2 * MIB
        assert sys.getrefcount(x) == count


def test_a_million_runs_leak_nothing():
    with kiln.Session(graphs.double("DT_FLOAT", -1), mode="native") as session:
        x = np.ones(64, "f4")
        assert grown_by(lambda: session.run(["y:0"], {"x:0": x}), 10**6) < 2 * MIB


def failing(session):
    with pytest.raises(kiln.errors.InvalidArgumentError):
        session.run("y:0")


@pytest.mark.parametrize("work", [
    lambda session: session.run({"a": ("y:0", "y")}, {"x:0": [1, 2]}),
    lambda session: session.make_callable("y:0", ["x:0"])(np.ones(3, "f4")),
    lambda session: session.run({str(session.run("x:0", {"x:0": np.random.rand(1)})): "y:0"}, {"x:0": [1.0]}),
    failing,
    lambda session: kiln.Graph.load(session.graph.to_bytes()).get_tensor_by_name("y:0").op.inputs,
], ids=["conversions", "callables", "requests", "errors", "graphs"])
def test_other_work_leaks_nothing(work):
    with kiln.Session(graphs.double("DT_FLOAT", -1), mode="native") as session:
        assert grown_by(lambda: work(session), 5000) < 2 * MIB


def test_sessions_leak_nothing():
    def work():
        with kiln.Session(graphs.double("DT_FLOAT", -1), mode="evaluator") as session:
            session.run("y:0", {"x:0": [1.0]})

    assert grown_by(work, 500) < 4 * MIB


def test_nothing_is_left_at_exit():
    """nanobind says at exit which of its objects are still there."""
    program = "import kiln, graphs; s = kiln.Session(graphs.double()); f = s.make_callable('y:0', ['x:0']); f(1)"
    assert python(program).stderr == ""


def test_daemon_threads_in_runs_when_python_ends():
    """Python stops them where they ask for the GIL."""
    program = """
import threading, time
import kiln, graphs
session = kiln.Session(graphs.double())
double = session.make_callable("y:0", ["x:0"])
def forever(work):
    while True:
        work()
for work in (lambda: session.run("y:0", {"x:0": 1}), lambda: double(1), lambda: kiln.Session(graphs.double()).run("y:0", {"x:0": 1})):
    threading.Thread(target=forever, args=(work,), daemon=True).start()
time.sleep(0.1)
"""
    for _ in range(5):
        python(program)


@pytest.mark.parametrize("allocator", ["tcmalloc_minimal", "jemalloc"])
def test_preloaded_allocators(allocator):
    library = ctypes.util.find_library(allocator)
    if not library:
        pytest.skip(f"lib{allocator} is not installed: tools/test installs it")
    program = f"""
import gc, threading
import numpy as np
import kiln, graphs
assert any("lib{allocator}" in line for line in open("/proc/self/maps"))
session = kiln.Session(graphs.double("DT_FLOAT", -1), mode="native")
text = kiln.Session(graphs.identity("DT_STRING", -1))
kept = []

def work(i):
    double = session.make_callable("y:0", ["x:0"])
    for size in (1, 1000, 1000000):
        x = np.full(size, i, "f4")
        y = double(x)
        kept.append((y, 2 * i))
        del x
        assert session.run("y:0", {{"x:0": y}})[0] == 4 * i
    kept.append((text.run("y:0", {{"x:0": [b"long" * 100 * i]}}), b"long" * 100 * i))

threads = [threading.Thread(target=work, args=(i,)) for i in range(1, 9)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
# Freed by other threads than made them, after their session.
session.close()
text.close()
del session, text
gc.collect()
assert len(kept) == 32 and all((array == value).all() for array, value in kept)
kept.clear()
gc.collect()
"""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path), LD_PRELOAD=library)
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_import_needs_less_than_40_mb():
    program = """
import numpy
def resident():
    return int(open('/proc/self/statm').read().split()[1]) * 4096
before = resident()
import kiln
print(resident() - before)
"""
    assert int(python(program).stdout) < 40e6
