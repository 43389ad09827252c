"""Several threads, the GIL, and what outlives what."""

import gc
import sys
import threading
import time

import numpy as np
import pytest

import graphs
import kiln
from processes import together


def test_64_threads_in_run():
    graph = graphs.counter()
    with kiln.Session(graph) as session:
        session.run(graph.initializers)
        seen = [[] for _ in range(64)]
        together(64, lambda i: seen[i].extend(session.run("step:0") for _ in range(50)))
        assert sorted(sum(seen, [])) == list(range(1, 64 * 50 + 1))
        assert all(mine == sorted(mine) for mine in seen)


def test_64_threads_in_one_callable():
    with kiln.Session(graphs.double("DT_FLOAT", -1)) as session:
        double = session.make_callable("y:0", ["x:0"])

        def work(i):
            for size in (3, 1000, 7):
                assert (double(np.full(size, i, "f4")) == 2 * i).all()

        together(64, work)


def test_64_threads_with_requests_that_are_forgotten():
    with kiln.Session(graphs.double("DT_FLOAT")) as session:
        together(64, lambda i: [session.run({f"{i}": "y:0"}, {"x:0": i}) for _ in range(20)])


def wait_until(condition):
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("nothing happened for half a minute")


def in_background(work):
    """Starts work and returns what it raised, in a list, with its thread."""
    raised = []

    def guarded():
        try:
            raised.append(work())
        except Exception as error:
            raised.append(error)

    thread = threading.Thread(target=guarded)
    thread.start()
    return thread, raised


def test_other_threads_run_python_during_a_run():
    with kiln.Session(graphs.queue()) as session:
        thread, got = in_background(lambda: session.run("take:0"))
        session.run("enqueue", {"x:0": [1, 2, 3]})
        thread.join()
        assert got[0].tolist() == [1, 2, 3]


def test_close_ends_a_run():
    session = kiln.Session(graphs.loop())
    assert session.run("done:0", {"n:0": 3}) == 3
    started = threading.Event()
    thread, raised = in_background(lambda: (started.set(), session.run("done:0", {"n:0": 10**15})))
    started.wait()
    session.close()
    thread.join()
    assert isinstance(raised[0], (kiln.errors.CancelledError, kiln.errors.FailedPreconditionError))


def test_a_run_outlives_its_session_object():
    holder = [kiln.Session(graphs.queue(1))]
    # The method holds the session: what the run needs stays until it ends.
    enqueue = holder[0].make_callable("enqueue", ["x:0"])
    thread, got = in_background(lambda take=holder[0].make_callable("take:0"): take())
    holder.clear()
    gc.collect()
    enqueue(np.ones(3, "f4"))
    thread.join()
    assert got[0].tolist() == [1, 1, 1]


def test_a_session_that_is_dropped_waits_for_no_one():
    for _ in range(20):
        kiln.Session(graphs.double("DT_FLOAT")).run("y:0", {"x:0": 1})


def test_runs_that_wait_let_their_feeds_go():
    with kiln.Session(graphs.queue(1)) as session:
        session.run("enqueue", {"x:0": np.zeros(3, "f4")})
        arrays = [np.full(3, i, "f4") for i in range(8)]
        counts = [sys.getrefcount(x) for x in arrays]
        threads = [in_background(lambda x=x: session.run("enqueue", {"x:0": x}))[0] for x in arrays]
        taken = [session.run("take:0").tolist() for _ in range(9)]
        for thread in threads:
            thread.join()
        assert sorted(taken) == [[0, 0, 0]] + [[i, i, i] for i in range(8)]
        wait_until(lambda: [sys.getrefcount(x) for x in arrays] == counts)


@pytest.mark.parametrize("with_gil", [False, True])
def test_borrows_are_dropped_by_threads_without_an_interpreter(with_gil):
    import borrow_module

    class Watched:
        alive = 0

        def __del__(self):
            assert threading.current_thread() is threading.main_thread()
            Watched.alive -= 1

    for _ in range(20):
        Watched.alive = 1000
        borrow_module.drop_elsewhere([Watched() for _ in range(Watched.alive)], with_gil)
        wait_until(lambda: Watched.alive == 0)


@pytest.mark.parametrize("many", [1, 8])
def test_sessions_in_threads(many):
    def work(i):
        graph = graphs.counter()
        with kiln.Session(graph) as session:
            session.run(graph.initializers)
            assert [session.run("step:0") for _ in range(10)][-1] == 10

    together(many, work)
