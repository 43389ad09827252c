"""What only TensorFlow's private modules have of state: areas by keys, variables that start from a checkpoint."""

import importlib

import pytest

import kiln.compat
import kiln.compat.v1 as tf


def module(name):
    kiln.compat.install()
    return importlib.import_module(f"tensorflow.python.{name}")


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


def area(**options):
    return module("ops.data_flow_ops").MapStagingArea(
        [tf.float32, tf.int32], shapes=[[], [2]], names=["x", "v"], **options
    )


def test_an_area_gives_the_tuple_of_a_key():
    stage, key = area(ordered=True), tf.placeholder(tf.int64, [])
    put = stage.put(key, {"x": tf.cast(key, tf.float32), "v": tf.constant([1, 2])})
    first, values = stage.get()
    _, seen = stage.get(key, ["x"])
    assert values["v"].shape.as_list() == [2] and list(seen) == ["x"]
    with tf.Session() as session:
        for each in (7, 3, 5):
            session.run(put, {key: each})
        assert session.run([first, values["x"]]) == [3, 3.0]
        assert session.run(seen["x"], {key: 7}) == 7.0
        assert session.run([stage.size(), stage.incomplete_size()]) == [2, 0]
        session.run(stage.clear())
        assert session.run(stage.size()) == 0


def test_an_area_takes_components_one_by_one():
    stage = area()
    halves = [stage.put(1, {"x": tf.constant(2.5)}), stage.put(1, {"v": tf.constant([3, 4])})]
    key, values = stage.get(1)
    assert key == 1
    with tf.Session() as session:
        session.run(halves[0])
        assert session.run([stage.size(), stage.incomplete_size()]) == [0, 1]
        session.run(halves[1])
        assert session.run(values["v"]).tolist() == [3, 4]
    with pytest.raises(ValueError, match="with names"):
        stage.put(1, [tf.constant(1.0)], [0])
    with pytest.raises(ValueError, match="Named index not in Staging Area names"):
        stage.get(1, ["w"])


@pytest.mark.parametrize("is_partitioned", [False, True])
def test_a_variable_starts_from_the_rows_of_its_words(tmp_path, is_partitioned):
    start = module("training.warm_starting_util")
    for name, words in (("old", "apple banana guava"), ("new", "guava kiwi apple")):
        (tmp_path / name).write_text("\n".join(words.split()))
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("w", initializer=[[1.0], [2.0], [3.0]])
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(session, str(tmp_path / "model"))
    options = {"partitioner": tf.fixed_size_partitioner(2)} if is_partitioned else {}
    variable = tf.get_variable("w", [4, 1], initializer=tf.zeros_initializer(), **options)
    name, parts = start._get_var_info(variable)
    assert name == "w" and start._infer_var_name([variable]) == "w"
    assert isinstance(parts, list) == is_partitioned
    start._warm_start_var_with_vocab(
        variable, str(tmp_path / "new"), 3, path, str(tmp_path / "old"), current_oov_buckets=1
    )
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(tf.convert_to_tensor(variable)).tolist() == [[3], [0], [1], [0]]
    with pytest.raises(TypeError, match="var MUST be one of the following"):
        start._get_var_info("w")


def test_names_of_files_of_graphs():
    management = module("checkpoint.checkpoint_management")
    assert management.meta_graph_filename("model-7") == "model-7.meta"
    assert management.latest_checkpoint is tf.train.latest_checkpoint
