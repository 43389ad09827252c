"""tf.train.Checkpoint and tf.train.CheckpointManager: names in files, statuses, what stays."""

import os

import numpy as np
import pytest

import kiln.compat.v1 as tf


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session() as made:
        yield made


def trained(session):
    """A checkpoint of an optimizer and what it has trained, and the slot of a variable."""
    w = tf.get_variable("w", [2], initializer=tf.zeros_initializer())
    b = tf.Variable(1.0, name="b")
    optimizer = tf.train.AdamOptimizer(0.1)
    train = optimizer.minimize(tf.reduce_sum(tf.square(w - 3.0)) + tf.square(b))
    session.run(tf.global_variables_initializer())
    return tf.train.Checkpoint(optimizer=optimizer, w=w, parts=[b]), train, optimizer.get_slot(w, "m")


def test_names_are_tensorflows(session, tmp_path):
    checkpoint, train, slot = trained(session)
    session.run(train)
    path = checkpoint.save(str(tmp_path / "model"))
    assert path == tf.train.latest_checkpoint(str(tmp_path)) == str(tmp_path / "model-1")
    names = {name.removesuffix("/.ATTRIBUTES/VARIABLE_VALUE") for name, _ in tf.train.list_variables(path)}
    assert names == {
        "w", "parts/0", "optimizer/beta1_power", "optimizer/beta2_power", "save_counter",
        "w/.OPTIMIZER_SLOT/optimizer/m", "w/.OPTIMIZER_SLOT/optimizer/v",
        "parts/0/.OPTIMIZER_SLOT/optimizer/m", "parts/0/.OPTIMIZER_SLOT/optimizer/v",
        "_CHECKPOINTABLE_OBJECT_GRAPH",
    }  # fmt: skip
    saved = session.run([checkpoint.w, slot])
    with tf.Graph().as_default(), tf.Session() as other:
        again, _, slot = trained(other)
        again.restore(path).assert_consumed().run_restore_ops()
        np.testing.assert_array_equal(other.run([again.w, slot]), saved)
        assert other.run(again.save_counter) == 1


def test_a_status_says_what_does_not_match(session, tmp_path):
    w = tf.Variable(2.0, name="w")
    session.run(w.initializer)
    path = tf.train.Checkpoint(w=w).save(str(tmp_path / "model"))
    v, w = tf.Variable(5.0, name="v"), tf.Variable(6.0, name="w")
    status = tf.train.Checkpoint(w=w, v=v).restore(path)
    with pytest.raises(AssertionError, match="1 Python objects that were not bound"):
        status.assert_existing_objects_matched()
    status.initialize_or_restore()
    assert session.run([w, v]) == [2, 5]
    with pytest.raises(AssertionError, match="Unresolved values in the checkpoint"):
        tf.train.Checkpoint().restore(path).assert_consumed()
    with pytest.raises(ValueError, match="was expecting a trackable object"):
        tf.train.Checkpoint(w=3)


def test_nothing_to_restore(session):
    v = tf.Variable(5.0)
    status = tf.train.Checkpoint(v=v).restore(None)
    with pytest.raises(AssertionError, match="nothing is being restored"):
        status.assert_consumed()
    status.initialize_or_restore()
    assert session.run(v) == 5


def test_a_checkpoint_of_a_saver_goes_by_names(session, tmp_path):
    v = tf.Variable(5.0, name="v")
    session.run(v.initializer)
    path = tf.train.Saver().save(session, str(tmp_path / "model"))
    v.load(1.0, session)
    tf.train.Checkpoint(any=v).restore(path).run_restore_ops()
    assert session.run(v) == 5


def test_a_manager_deletes_what_is_old(session, tmp_path):
    checkpoint = tf.train.Checkpoint()
    manager = tf.train.CheckpointManager(checkpoint, tmp_path, max_to_keep=2)
    paths = [manager.save() for _ in range(3)]
    assert manager.checkpoints == paths[1:] and manager.latest_checkpoint == paths[-1]
    assert [os.path.exists(path + ".index") for path in paths] == [False, True, True]
    other = tf.train.CheckpointManager(checkpoint, tmp_path, max_to_keep=2)
    assert other.checkpoints == paths[1:]
    assert other.save(checkpoint_number=32).endswith("ckpt-32") and session.run(checkpoint.save_counter) == 4
    with pytest.raises(ValueError, match="Expected a positive integer"):
        tf.train.CheckpointManager(checkpoint, tmp_path, max_to_keep=0)


def test_a_manager_waits_for_steps(session, tmp_path):
    step, called = tf.Variable(0), []
    session.run(step.initializer)
    manager = tf.train.CheckpointManager(
        tf.train.Checkpoint(), tmp_path, None, step_counter=step, checkpoint_interval=2,
        init_fn=lambda: called.append(1),
    )  # fmt: skip
    assert manager.restore_or_initialize() is None and called == [1]
    saved = []
    for _ in range(4):
        saved.append(manager.save() is not None)
        session.run(step.assign_add(1))
    assert saved == [True, False, True, False]
    assert manager.restore_or_initialize() == manager.latest_checkpoint
