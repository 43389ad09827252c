"""Looking into the compiler and into runs."""

import json

import numpy as np
import pytest

import graphs
import kiln


@pytest.fixture
def regression():
    graph = kiln.Graph.load(graphs.LINEAR_REGRESSION)
    with kiln.Session(graph, regions=True) as session:
        session.run(graph.initializers)
        yield session


FEEDS = {"X:0": np.ones((10, 11), "f4"), "y:0": np.ones((10, 1), "f4")}


def test_explain_shows_every_stage(regression):
    assert kiln.Session.compile_stages()[:2] == ["plan", "import"]
    assert "kiln.variable @theta" in regression.explain("train_op", stage="import")
    assert "kiln_entry" in regression.explain("train_op")
    assert "kiln." in regression.explain("mse:0", {"X:0": (10, 11), "y:0": [None, 1]}, stage="import")
    with pytest.raises(kiln.errors.InvalidArgumentError, match="equal rank, but are 2 and 3"):
        regression.explain("mse:0", {"X:0": (10, 11, 1), "y:0": None})
    with pytest.raises(kiln.errors.InvalidArgumentError, match="melt"):
        regression.explain("mse:0", stage="melt")


def test_explain_writes_the_stages(regression, tmp_path):
    regression.explain("mse:0", dump_directory=tmp_path / "ir")
    assert len(list((tmp_path / "ir").iterdir())) >= len(kiln.Session.compile_stages())


def test_prepare_compiles(regression):
    stats = kiln.RunStats()
    regression.prepare(["mse:0", "train_op"], FEEDS, stats=stats)
    assert stats.llvm_ns > 0
    regression.run(["mse:0", "train_op"], FEEDS, stats=stats)
    assert stats.cache_hit and stats.executor == "native"


def test_regions_reports_and_traces(regression, tmp_path):
    runs = [kiln.RunStats() for _ in range(3)]
    for stats in runs:
        regression.run(["mse:0", "train_op"], FEEDS, stats=stats)
    assert any("mse" in node for region in runs[0].regions for node in region.nodes)
    assert "mse" in kiln.cost_report(runs, flops_per_second=1e11, bytes_per_second=1e10)
    events = json.loads(kiln.chrome_trace(runs))
    assert events
    kiln.save_chrome_trace(runs, tmp_path / "run.json")
    assert json.loads((tmp_path / "run.json").read_text()) == events


def test_session_stats(regression):
    regression.run("mse:0", FEEDS)
    assert regression.stats.variable_bytes >= 44 and regression.stats.compilations >= 1


def test_the_disk_cache(tmp_path):
    folder = tmp_path / "cache"
    for hits in (0, 1):
        with kiln.Session(graphs.double("DT_FLOAT", -1), mode="native", disk_cache=folder) as session:
            session.run("y:0", {"x:0": [1.0]})
            assert session.stats.disk_hits == hits


def test_the_users_disk_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("KILN_CACHE", str(tmp_path / "cache"))
    for options, hits in (({}, 0), ({}, 1), ({"disk_cache": None}, 0)):
        with kiln.Session(graphs.double("DT_FLOAT", -1), mode="native", **options) as session:
            session.run("y:0", {"x:0": [1.0]})
            assert session.stats.disk_hits == hits
