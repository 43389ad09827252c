"""kiln.errors, and which error comes when."""

import pickle
import time

import numpy as np
import pytest

import graphs
import kiln
from kiln import errors


def test_every_code_has_its_class():
    assert sorted(errors.BY_CODE) == list(range(1, 17))
    for code, cls in errors.BY_CODE.items():
        name = cls.__name__.removesuffix("Error")
        constant = "".join("_" + c if c.isupper() else c for c in name).lstrip("_").upper()
        assert getattr(errors, constant) == code and cls("text").error_code == code


def test_an_error_says_node_and_code():
    with kiln.Session(graphs.double("DT_FLOAT", 3)) as session:
        with pytest.raises(errors.InvalidArgumentError) as caught:
            session.run("y:0")
        assert caught.value.node == "x" and caught.value.code == 3
        assert "placeholder" in caught.value.message and str(caught.value).endswith("[node x]")


def test_errors_can_be_pickled():
    error = pickle.loads(pickle.dumps(errors.NotFoundError("text", "node")))
    assert type(error) is errors.NotFoundError and (error.message, error.node) == ("text", "node")


def test_an_uninitialized_variable():
    with kiln.Session(graphs.counter()) as session:
        for _ in range(2):
            with pytest.raises(errors.FailedPreconditionError, match="v"):
                session.run("step:0")
        session.run(session.graph.initializers)
        assert session.run("step:0") == 1


def test_a_closed_session():
    session = kiln.Session(graphs.double("DT_FLOAT"))
    assert not session.closed
    session.close()
    session.close()
    assert session.closed
    with pytest.raises(errors.FailedPreconditionError):
        session.run("y:0", {"x:0": 1})


def test_a_time_limit():
    with kiln.Session(graphs.loop()) as session:
        assert session.run("done:0", {"n:0": 10}) == 10
        for _ in range(3):
            start = time.monotonic()
            with pytest.raises(errors.DeadlineExceededError):
                session.run("done:0", {"n:0": 10**15}, timeout=0.05)
            assert time.monotonic() - start < 30  # not the weeks that it would take
        assert session.run("done:0", {"n:0": 10}, timeout=60) == 10


def test_options_are_checked():
    graph = graphs.double("DT_FLOAT")
    with pytest.raises(TypeError, match="'speed'"):
        kiln.Session(graph, speed=9)
    with pytest.raises(TypeError, match="'threads' does not take a str"):
        kiln.Session(graph, threads="two")
    with pytest.raises(ValueError, match="warp"):
        kiln.Session(graph, mode="warp")
    with pytest.raises(errors.InvalidArgumentError):
        kiln.Session(graph, cpu="abacus")
    with pytest.raises(ValueError, match="century"):
        kiln.Session(graph).run("y:0", {"x:0": 1}, timeout=float("nan"))


def test_options_arrive():
    graph = graphs.double("DT_FLOAT")
    for mode, executor in (("native", "native"), ("evaluator", "evaluator")):
        with kiln.Session(graph, mode=mode, threads=1, tiering=False) as session:
            stats = kiln.RunStats()
            session.run("y:0", {"x:0": 1}, stats=stats)
            assert stats.executor == executor and stats.degraded == ""
    with kiln.Session(graphs.loop(), max_nodes=3) as session:
        with pytest.raises(errors.ResourceExhaustedError):
            session.run("done:0", {"n:0": 1})


def test_feeds_are_checked():
    with kiln.Session(graphs.double("DT_FLOAT", 2)) as session:
        for feeds, error in (
            ({"nope:0": 1}, errors.NotFoundError),
            ({"x:0": np.ones(3, "f4")}, errors.InvalidArgumentError),
            ({3: 1}, TypeError),
            ({"x:0": object()}, TypeError),
        ):
            for _ in range(2):
                with pytest.raises(error):
                    session.run("y:0", feeds)
        with pytest.raises(TypeError):
            session.run("y:0", 3)
