"""kiln.Graph: loading, and what it says of itself."""

import subprocess

import pytest

import graphs
import kiln


def test_path_and_bytes_give_the_same_graph():
    loaded = kiln.Graph.load(graphs.LINEAR_REGRESSION)
    same = kiln.Graph.load(graphs.LINEAR_REGRESSION.read_bytes())
    assert len(loaded) == len(same) == 57
    assert loaded.to_bytes() == same.to_bytes() == kiln.Graph.load(loaded.to_bytes()).to_bytes()
    assert loaded != same and loaded == loaded


def test_it_is_saved(tmp_path):
    graph = graphs.counter()
    graph.save(tmp_path / "graph.pb")
    assert kiln.Graph.load(str(tmp_path / "graph.pb")).to_bytes() == graph.to_bytes()


def test_what_cannot_be_loaded(tmp_path):
    with pytest.raises(kiln.errors.NotFoundError, match="missing.pb"):
        kiln.Graph.load(tmp_path / "missing.pb")
    with pytest.raises(kiln.errors.InvalidArgumentError):
        kiln.Graph.load(b"\xff\xff not a graph")
    with pytest.raises(TypeError):
        kiln.Graph.load(3)


def test_it_tells_what_is_in_it():
    text = str(kiln.Graph.load(graphs.LINEAR_REGRESSION))
    for line in ("57 nodes", "  X  float32 [?,11]", "  theta  float32 [11,1]", "  mse  float32 []", "  train_op  NoOp"):
        assert line in text


def test_notebooks_show_a_table():
    html = kiln.Graph.load(graphs.LINEAR_REGRESSION)._repr_html_()
    assert "<code>X:0</code></td><td>float32 [?, 11]" in html and "<code>theta</code>" in html
    name = "a" + "b" * 30
    assert name in graphs.load(graphs.placeholder(name, "DT_FLOAT"))._repr_html_()


def test_handles():
    graph = kiln.Graph.load(graphs.LINEAR_REGRESSION)
    x = graph.get_tensor_by_name("X:0")
    assert (x.name, x.dtype, x.shape, x.value_index, x.op.type) == ("X:0", "float32", (None, 11), 0, "Placeholder")
    assert [t.name for t in graph.placeholders] == ["X:0", "y:0"]
    assert [op.name for op in graph.variables] == ["theta"]
    assert [op.name for op in graph.initializers] == ["init"]
    assert x == graph.get_tensor_by_name("X:0") and hash(x) == hash(graph.get_tensor_by_name("X:0"))
    assert x.op == graph.get_operation_by_name("X") != graph.get_operation_by_name("y") and x != "X:0"
    assert len(graph.get_operations()) == 57
    with pytest.raises(kiln.errors.NotFoundError):
        graph.get_tensor_by_name("nope:0")


def test_edges():
    graph = graphs.double("DT_FLOAT")
    y = graph.get_operation_by_name("y")
    assert [t.name for t in y.inputs] == ["x:0", "x:0"] and y.control_inputs == [] and y.outputs[0].name == "y:0"
    body = graphs.loop().get_operation_by_name("one")
    assert [op.name for op in body.control_inputs] == ["body"]


def test_a_handle_keeps_its_graph():
    y = graphs.double("DT_FLOAT").get_tensor_by_name("y:0")
    assert y.op.inputs[0].op.name == "x"


def test_missing_ops():
    graph = graphs.load(graphs.placeholder("x", "DT_FLOAT"), graphs.node("q", "NoSuchOp", "x"))
    assert graph.missing_ops() == [{"op": "NoSuchOp", "lack": "", "node": "q", "nodes": 1}]
    assert graphs.double().missing_ops() == []
