"""kiln.tensorflow: checkpoints that TensorFlow's Saver writes and reads with Kiln's ops, and TensorFlow's own."""

import glob
import os

import numpy as np
import pytest

from tensorflow_beside import outcome, same_as_tensorflow, tf

import kiln.tensorflow


def model(use_resource):
    """Variables of several types, one of them in parts; reading them; changing them."""
    values = [np.arange(6, dtype="f4").reshape(2, 3), np.int64(7), np.array([1 + 2j], "c8"), np.zeros([0, 3], "f8"), np.array([True, False])]
    variables = [tf.Variable(value, name=f"v{i}", use_resource=use_resource) for i, value in enumerate(values)]
    with tf.variable_scope("parts", use_resource=use_resource):
        part = tf.get_variable("p", [7, 2], initializer=tf.ones_initializer(), partitioner=tf.fixed_size_partitioner(3))
    variables.append(tf.Variable(tf.cast([1.5, -2.0], tf.bfloat16), name="narrow", use_resource=use_resource))
    variables.append(tf.Variable(["a\0b", "", "xyz" * 100], name="text", use_resource=False))
    changes = [tf.assign_add(variables[0], tf.ones([2, 3])), *[tf.assign(each, each * 3) for each in part]]
    return variables[:-2] + [tf.cast(variables[-2], tf.float32), variables[-1], part.as_tensor()], changes


def save(path, use_resource, sharded=False):
    fetches, changes = model(use_resource)
    saver = tf.train.Saver(sharded=sharded)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(changes)
        saver.save(session, path)
        return session.run(fetches)


def restore(path, use_resource):
    fetches, _ = model(use_resource)
    with tf.Session() as session:
        tf.train.Saver().restore(session, path)
        return session.run(fetches)


@pytest.mark.parametrize("sharded", [False, True], ids=["one", "sharded"])
@pytest.mark.parametrize("use_resource", [False, True], ids=["reference", "resource"])
def test_each_reads_what_the_other_writes(tmp_path, use_resource, sharded):
    def program_of(function, name, *arguments):
        return lambda: function(str(tmp_path / name), use_resource, *arguments)

    saved = outcome(program_of(save, "tensorflow", sharded))
    with kiln.tensorflow.install(foreign=False):
        kept = outcome(program_of(save, "kiln", sharded))
    for end in ["index", "data-00000-of-00001"]:
        assert (tmp_path / f"kiln.{end}").read_bytes() == (tmp_path / f"tensorflow.{end}").read_bytes()
    restored = [outcome(program_of(restore, "kiln"))]
    with kiln.tensorflow.install(foreign=False):
        restored += [outcome(program_of(restore, name)) for name in ["kiln", "tensorflow"]]
    for values in [kept, *restored]:
        for value, expected in zip(values, saved, strict=True):
            np.testing.assert_array_equal(value, expected)


def test_checkpoints_that_are_not_there(tmp_path):
    def program():
        x = tf.Variable([1.0], name="x")
        saver = tf.train.Saver()
        with tf.Session() as session:
            session.run(x.initializer)
            errors = []
            path = saver.save(session, str(tmp_path / "a"), write_meta_graph=False)
            # Kiln's data have a name of their own where the prefix is written again.
            for data in glob.glob(path + ".data-*"):
                os.remove(data)
            for bad in [path, str(tmp_path / "none" / "b")]:
                for step in [lambda: saver.restore(session, bad), lambda: session.run("save/control_dependency:0", {"save/Const:0": bad + "/c/d"})]:
                    try:
                        step()
                    except Exception as error:
                        errors.append((type(error).__name__, str(error).splitlines()[-1][:20]))
            return errors

    same_as_tensorflow(program)


def test_a_restore_of_another_shape_changes_nothing(tmp_path):
    def program():
        with tf.Graph().as_default(), tf.Session() as session:
            variables = [tf.Variable(tf.zeros(shape), name=name) for name, shape in [("a", [2]), ("b", [3])]]
            session.run(tf.global_variables_initializer())
            tf.train.Saver(variables).save(session, str(tmp_path / "a"))
        with tf.Graph().as_default(), tf.Session() as session:
            variables = [tf.Variable(tf.ones(shape), name=name) for name, shape in [("a", [2]), ("b", [4])]]
            session.run(tf.global_variables_initializer())
            try:
                tf.train.Saver(variables).restore(session, str(tmp_path / "a"))
            except tf.errors.InvalidArgumentError:
                return session.run(variables[1])

    same_as_tensorflow(program)
