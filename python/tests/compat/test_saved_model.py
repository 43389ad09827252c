"""SavedModels: what two builders write, and what the loader makes of it."""

import importlib
import os

import numpy as np
import pytest

import kiln.compat
import kiln.compat.v1 as tf


def module(name):
    kiln.compat.install()
    return importlib.import_module(f"tensorflow.python.saved_model.{name}")


def builders():
    return [module("builder")._SavedModelBuilder, tf.saved_model.builder.SavedModelBuilder]


@pytest.fixture(params=[0, 1], ids=["list", "collection"])
def builder(request, tmp_path):
    with tf.Graph().as_default():
        yield builders()[request.param](str(tmp_path / "model"))


def asset(tmp_path, name="words.txt"):
    (tmp_path / name).write_text("one\ntwo\n")
    return tf.constant(str(tmp_path / name), name="asset")


def add(builder, session, **options):
    """A graph of two variables, x and y, and their sum z."""
    x, y = tf.Variable(5, name="x"), tf.Variable(11, name="y")
    tf.add(x, y, name="z")
    session.run(tf.global_variables_initializer())
    builder.add_meta_graph_and_variables(session, ["tag"], **options)
    builder.save()


def test_assets_stand_where_tensorflow_has_them(tmp_path):
    for i, kind in enumerate(builders()):
        folder = str(tmp_path / f"model{i}")
        with tf.Session(graph=tf.Graph()) as session:
            key = "assets_collection" if i else "assets_list"
            add(kind(folder), session, **{key: [asset(tmp_path)]})
        assert os.path.exists(os.path.join(folder, "assets", "words.txt"))
        with tf.Session(graph=tf.Graph()) as session:
            loaded = tf.saved_model.loader.load(session, ["tag"], folder)
        packed = loaded.collection_def["saved_model_assets"].any_list.value
        assert (len(loaded.asset_file_def), len(packed)) == ((0, 1) if i else (1, 0))
        if i:
            file = type(loaded.asset_file_def.add())()
            assert packed[0].Unpack(file) and file.filename == "words.txt"


def test_operation_that_runs_after_loading(builder, tmp_path):
    with tf.Session() as session:
        y = tf.Variable(1, name="v")
        run = tf.group(tf.assign(y, 7))
        is_list = type(builder) is builders()[0]
        add(builder, session, **({"init_op": run} if is_list else {"main_op": run}))
    with tf.Session(graph=tf.Graph()) as session:
        tf.saved_model.loader.load(session, ["tag"], str(tmp_path / "model"), import_scope="s")
        assert session.run(["s/v:0", "s/z:0"]) == [7, 16]


def test_operation_that_trains_is_found_again(tmp_path):
    path = str(tmp_path / "model")
    with tf.Session(graph=tf.Graph()) as session:
        step = tf.Variable(0, name="step")
        add(builders()[0](path), session, train_op=tf.assign_add(step, 1))
    with tf.Session(graph=tf.Graph()) as session:
        loaded = tf.saved_model.loader.load(session, ["tag"], path)
        train = module("loader_impl").get_train_op(loaded)
        assert isinstance(train, tf.Tensor) and session.run(train) == 1


def test_names_of_signatures_that_are_reserved(builder):
    with tf.Session() as session, pytest.raises(KeyError, match="reserved for initialization"):
        add(builder, session, signature_def_map={"__saved_model_init_op": tf.saved_model.build_signature_def()})


def test_elements_of_a_loaded_graph(tmp_path):
    path = str(tmp_path / "model")
    with tf.Session(graph=tf.Graph()) as session:
        add(tf.saved_model.Builder(path), session)
    loader, graph = module("loader_impl").SavedModelLoader(path), tf.Graph()
    with pytest.raises(ValueError, match="'w:0' not found in graph"):
        loader.load_graph(graph, ["tag"], return_elements=["w:0"])
    saver, (total, x) = loader.load_graph(graph, ["tag"], import_scope="s", return_elements=["z:0", "x"])
    assert total.name == "s/z:0" and x.type == "VariableV2"
    with tf.Session(graph=graph) as session:
        loader.restore_variables(session, saver, "s")
        assert session.run(total) == 16


def test_meta_graph_goes_into_the_current_name_scope(tmp_path):
    with tf.Session(graph=tf.Graph()) as session:
        tf.Variable(np.float32(3), name="w")
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(session, str(tmp_path / "ckpt"))
    with tf.Session(graph=tf.Graph()) as session:
        with tf.name_scope("new"):
            saver = tf.train.import_meta_graph(path + ".meta")
        saver.restore(session, path)
        assert session.run("new/w:0") == 3


def test_nodes_have_their_shapes_once_however_often_they_are_imported():
    with tf.Graph().as_default():
        tf.placeholder(tf.float32, [2, 3], name="x")
        exported = tf.train.export_meta_graph()
    for _ in range(2):
        with tf.Graph().as_default():
            tf.train.import_meta_graph(exported)
            exported = tf.train.export_meta_graph()
    assert len(exported.graph_def.node[0].attr["_output_shapes"].list.shape) == 1
