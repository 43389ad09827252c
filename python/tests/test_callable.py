"""Session.make_callable."""

import gc
import weakref

import numpy as np
import pytest

import graphs
import kiln


def test_a_callable_takes_values_in_order():
    graph = kiln.Graph.load(graphs.LINEAR_REGRESSION)
    with kiln.Session(graph) as session:
        session.run(graph.initializers)
        step = session.make_callable({"loss": "mse:0", "op": "train_op"}, ["X:0", "y:0"])
        losses = [step(np.ones((50, 11), "f4"), np.ones((50, 1), "f4"))["loss"] for _ in range(5)]
        assert losses == sorted(losses, reverse=True) and losses[0] > losses[-1]


def test_without_feeds():
    graph = graphs.counter()
    with kiln.Session(graph) as session:
        session.make_callable(graph.initializers)()
        step = session.make_callable("step:0")
        assert [step() for _ in range(3)] == [1, 2, 3]


@pytest.mark.parametrize("arguments, names", [((), {}), ((1, 2), {}), ((1,), {"x": 2})])
def test_another_number_of_values_is_a_type_error(arguments, names):
    with kiln.Session(graphs.double("DT_FLOAT")) as session:
        double = session.make_callable("y:0", ["x:0"])
        with pytest.raises(TypeError, match="expected 1 values .* got"):
            double(*arguments, **names)


def test_names_are_looked_up_when_it_is_made():
    with kiln.Session(graphs.double("DT_FLOAT")) as session:
        with pytest.raises(kiln.errors.NotFoundError):
            session.make_callable("nope:0", ["x:0"])
        with pytest.raises(kiln.errors.InvalidArgumentError, match="placeholder"):
            session.make_callable("y:0")
        with pytest.raises(TypeError, match="to feed, got int"):
            session.make_callable("y:0", [3])


def test_errors_of_a_call():
    with kiln.Session(graphs.double("DT_FLOAT", 3)) as session:
        double = session.make_callable("y:0", ["x:0"])
        with pytest.raises(kiln.errors.InvalidArgumentError, match=r"\(4,\)"):
            double(np.ones(4, "f4"))
        with pytest.raises(ValueError):
            double("no number")
        assert double(np.ones(3, "f4")).tolist() == [2, 2, 2]


def test_it_keeps_its_session_and_ends_with_it():
    session = kiln.Session(graphs.double("DT_FLOAT"))
    double = session.make_callable("y:0", ["x:0"])
    del session
    gc.collect()
    assert double(2) == 4
    with kiln.Session(graphs.double("DT_FLOAT")) as session:
        double = session.make_callable("y:0", ["x:0"])
    with pytest.raises(kiln.errors.FailedPreconditionError):
        double(2)


def test_arguments_and_results_are_let_go():
    class Watched(np.ndarray):
        pass

    with kiln.Session(graphs.double("DT_FLOAT", -1)) as session:
        double = session.make_callable("y:0", ["x:0"])
        x = np.ones(3, "f4").view(Watched)
        gone = weakref.ref(x)
        double(x)
        del x
        assert gone() is None


def test_it_cannot_be_made_by_hand():
    with pytest.raises(TypeError):
        kiln.Callable()
