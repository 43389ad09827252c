"""tensorflow.python.tools: graphs with constants for variables, checkpoints shown, graphs cut."""

import numpy as np
import pytest

import kiln.compat.v1 as tf
from kiln.compat._python.tools import freeze_graph, inspect_checkpoint, strip_unused_lib


@pytest.fixture
def saved(tmp_path):
    """A folder with a checkpoint of two variables, and the graph as text."""
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        weight = tf.get_variable("weight", initializer=[[2.0], [3.0]])
        with tf.device("/cpu:0"):
            y = tf.matmul(x, weight, name="y")
        tf.get_variable("other", [4], initializer=tf.zeros_initializer())
        tf.identity(y, name="unused")
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, str(tmp_path / "model"))
        tf.train.write_graph(graph, str(tmp_path), "graph.pbtxt")
        tf.saved_model.simple_save(session, str(tmp_path / "saved_model"), {"x": x}, {"y": y})
    return tmp_path


def computed(graph_def):
    with tf.Graph().as_default(), tf.Session() as session:
        (y,) = tf.import_graph_def(graph_def, return_elements=["y:0"], name="")
        return session.run(y, {"x:0": [[1, 1]]})


@pytest.mark.parametrize("source", ["graph", "meta_graph", "saved_model"])
def test_variables_become_constants(saved, source):
    path, frozen = str(saved / "model"), str(saved / "frozen.pb")
    given = dict.fromkeys(("input_graph", "input_meta_graph", "input_saved_model_dir"))
    name, value = {
        "graph": ("input_graph", str(saved / "graph.pbtxt")),
        "meta_graph": ("input_meta_graph", path + ".meta"),
        "saved_model": ("input_saved_model_dir", str(saved / "saved_model")),
    }[source]
    given[name] = value
    with tf.Graph().as_default():
        freeze_graph.freeze_graph(
            input_saver="", input_binary=source == "meta_graph", input_checkpoint=path,
            output_node_names="y", restore_op_name="save/restore_all",
            filename_tensor_name="save/Const:0", output_graph=frozen, clear_devices=True,
            initializer_nodes="", **given,
        )  # fmt: skip
    graph_def = tf.GraphDef()
    graph_def.ParseFromString((saved / "frozen.pb").read_bytes())
    assert {node.name: node.op for node in graph_def.node} == {
        "x": "Placeholder", "weight": "Const", "weight/read": "Identity", "y": "MatMul",
    }  # fmt: skip
    assert not any(node.device for node in graph_def.node)
    assert computed(graph_def) == [[5.0]]


def test_mistakes_of_freezing(saved):
    def freeze(graph="graph.pbtxt", checkpoint="model", outputs="y"):
        with tf.Graph().as_default():
            freeze_graph.freeze_graph(
                str(saved / graph), "", False, str(saved / checkpoint), outputs, "", "", "", False, ""
            )

    with pytest.raises(IOError, match="none' does not exist!"):
        freeze(graph="none")
    with pytest.raises(ValueError, match="none' doesn't exist!"):
        freeze(checkpoint="none")
    with pytest.raises(ValueError, match="You need to supply the name of a node"):
        freeze(outputs="")
    (saved / "empty.pbtxt").write_text("")
    with pytest.raises(ValueError, match="No variables were found in this model."):
        freeze(graph="empty.pbtxt")


def test_checkpoints_are_shown(saved, capsys):
    show, path = inspect_checkpoint.print_tensors_in_checkpoint_file, str(saved / "model")
    show(path, "", all_tensors=False, all_tensor_names=True, count_exclude_pattern="oth")
    assert capsys.readouterr().out.splitlines() == [
        "tensor: other (float32) [4]",
        "tensor: weight (float32) [2, 1]",
        "# Excluding 1 tensors (4 params) that match oth when counting.",
        "# Total number of params: 2",
    ]
    show(path, "weight", all_tensors=False)
    assert capsys.readouterr().out == (
        f"tensor: weight (float32) [2, 1]\n{np.array([[2.0], [3.0]])}\n# Total number of params: 6\n"
    )
    show(path, "none", all_tensors=False)
    assert capsys.readouterr().out == "Tensor none not found in checkpoint\n"
    show(str(saved / "none"), "", all_tensors=True)
    assert "none" in capsys.readouterr().out


def test_graphs_are_cut(saved):
    with tf.Graph().as_default() as graph:
        a = tf.placeholder(tf.float32, [2], name="a")
        tf.identity(tf.exp(a, name="b") + 1.0, name="c")
    cut = strip_unused_lib.strip_unused(graph.as_graph_def(), ["b"], ["c"], 1)
    assert [node.op for node in cut.node if node.name == "b"] == ["Placeholder"]
    assert "a" not in [node.name for node in cut.node]
    with pytest.raises(KeyError, match="The following input nodes were not found"):
        strip_unused_lib.strip_unused(graph.as_graph_def(), ["z"], ["c"], 1)
    with pytest.raises(ValueError, match="appears to refer to a Tensor"):
        strip_unused_lib.strip_unused(graph.as_graph_def(), ["b:0"], ["c"], 1)
