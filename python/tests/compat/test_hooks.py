"""Hooks of tf.train, run by monitored sessions."""

import json
import os

import numpy as np
import pytest

import kiln.compat.v1 as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made
    tf.summary.FileWriterCache.clear()


@pytest.fixture
def messages(caplog):
    """A function that gives the messages of the log so far."""
    caplog.set_level("INFO", tf.get_logger().name)
    return lambda: [record.getMessage() for record in caplog.records]


def counting_step():
    """The operation that counts a step."""
    return tf.assign_add(tf.train.get_or_create_global_step(), 1)


def events_of(folder):
    paths = sorted(os.path.join(folder, name) for name in os.listdir(folder) if "tfevents" in name)
    return [event for path in paths for event in tf.train.summary_iterator(path)]


def values_of(folder):
    return [(event.step, value) for event in events_of(folder) for value in event.summary.value]


def test_a_timer_triggers_by_steps_or_seconds(monkeypatch):
    timer = tf.train.SecondOrStepTimer(every_steps=3)
    assert timer.should_trigger_for_step(1)
    assert timer.update_last_triggered_step(1) == (None, None)
    assert [timer.should_trigger_for_step(step) for step in (1, 2, 3, 4)] == [False, False, False, True]
    monkeypatch.setattr("time.time", lambda: 100.0)
    timer = tf.train.SecondOrStepTimer(every_secs=2)
    timer.update_last_triggered_step(1)
    assert not timer.should_trigger_for_step(2)
    monkeypatch.setattr("time.time", lambda: 102.5)
    assert timer.should_trigger_for_step(2)
    assert timer.update_last_triggered_step(5) == (2.5, 4)
    with pytest.raises(ValueError, match="Either every_secs or every_steps should be provided"):
        tf.train.SecondOrStepTimer()
    with pytest.raises(ValueError, match="Can not provide both every_secs and every_steps"):
        tf.train.SecondOrStepTimer(1, 1)


@pytest.mark.parametrize("options", [{"num_steps": 3}, {"last_step": 5}])
def test_training_stops_at_a_step(options):
    train_op = counting_step()
    step, counted = tf.train.get_global_step(), 0
    scaffold = tf.train.Scaffold(init_fn=lambda scaffold, session: step.load(2, session))
    hook = tf.train.StopAtStepHook(**options)
    with tf.train.SingularMonitoredSession([hook], scaffold) as session:
        while not session.should_stop():
            session.run(train_op)
            counted += 1
        assert session.raw_session().run(step) == 5
    assert counted == 3


def test_a_hook_needs_a_global_step():
    tf.constant(1)
    with pytest.raises(RuntimeError, match="Global step should be created to use StopAtStepHook."):
        tf.train.MonitoredSession(hooks=[tf.train.StopAtStepHook(num_steps=1)])


def test_nan_stops_a_training():
    loss = tf.placeholder(tf.float32, [])
    with tf.train.MonitoredSession(hooks=[tf.train.NanTensorHook(loss, False)]) as session:
        session.run(loss, {loss: 1.0})
        assert not session.should_stop()
        session.run(loss, {loss: np.nan})
        assert session.should_stop()
    with pytest.raises(tf.train.NanLossDuringTrainingError, match="NaN loss during training."):
        with tf.train.MonitoredSession(hooks=[tf.train.NanTensorHook(loss)]) as session:
            session.run(loss, {loss: np.nan})


def test_tensors_are_logged(messages):
    x = tf.placeholder(tf.float32, [], name="x")
    hook = tf.train.LoggingTensorHook({"value": x * 2, "in": "x"}, every_n_iter=2)
    last = tf.train.LoggingTensorHook([tf.constant(7, name="c")], at_end=True, formatter=lambda values: "the end")
    with tf.train.MonitoredSession(hooks=[hook, last]) as session:
        for value in range(5):
            session.run(x, {x: value})
    shown = [text for text in messages() if text.startswith(("in = ", "the end"))]
    assert shown[0] == "in = 0.0, value = 0.0"
    assert [text.partition(" (")[0] for text in shown[1:]] == [
        "in = 2.0, value = 4.0", "in = 4.0, value = 8.0", "the end"
    ]  # fmt: skip
    with pytest.raises(ValueError, match="exactly one of every_n_iter and every_n_secs must be provided"):
        tf.train.LoggingTensorHook([x])


def test_steps_per_second_are_counted(tmp_path, messages):
    train_op = counting_step()
    hook = tf.train.StepCounterHook(every_n_steps=4, output_dir=str(tmp_path))
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        for _ in range(9):
            session.run(train_op)
    tf.summary.FileWriterCache.clear()
    found = values_of(tmp_path)
    assert [(step, value.tag) for step, value in found] == [(5, "global_step/sec"), (9, "global_step/sec")]
    assert all(value.simple_value > 0 for _, value in found)
    assert any(text.startswith("global_step/sec: ") for text in messages())


def test_a_step_that_does_not_grow_is_said(messages):
    tf.train.create_global_step()
    with tf.train.MonitoredSession(hooks=[tf.train.StepCounterHook(every_n_steps=1)]) as session:
        for _ in range(3):
            session.run(tf.get_default_graph().get_tensor_by_name("global_step:0"))
    assert any("has not been increased. Current value (could be stable): 0" in text for text in messages())


def test_summaries_are_saved(tmp_path):
    train_op = counting_step()
    tf.summary.scalar("step", tf.train.get_global_step())
    hook = tf.train.SummarySaverHook(save_steps=3, output_dir=str(tmp_path), summary_op=tf.summary.merge_all())
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        for _ in range(8):
            session.run(train_op)
    tf.summary.FileWriterCache.clear()
    assert [step for step, value in values_of(tmp_path) if value.tag == "step"] == [1, 4, 7]
    logs = [event.session_log.status for event in events_of(tmp_path) if event.HasField("session_log")]
    assert logs == [tf.SessionLog.START]
    with pytest.raises(ValueError, match="Exactly one of scaffold or summary_op must be provided"):
        tf.train.SummarySaverHook(save_steps=1)


def test_checkpoints_are_saved_and_listeners_told(tmp_path):
    train_op, told = counting_step(), []

    class Listener(tf.train.CheckpointSaverListener):
        def begin(self):
            told.append("begin")

        def before_save(self, session, global_step_value):
            told.append(("before", global_step_value))

        def after_save(self, session, global_step_value):
            told.append(("after", global_step_value))
            return global_step_value >= 5

        def end(self, session, global_step_value):
            told.append(("end", global_step_value))

    scaffold = tf.train.Scaffold()
    hook = tf.train.CheckpointSaverHook(
        str(tmp_path), save_steps=2, scaffold=scaffold, listeners=[Listener()]
    )
    creator = tf.train.ChiefSessionCreator(scaffold)
    with tf.train.MonitoredSession(creator, [hook]) as session:
        while not session.should_stop():
            session.run(train_op)
    saves = [(when, step) for step in (0, 2, 4, 6) for when in ("before", "after")]
    assert told == ["begin", *saves, ("end", 6)]
    assert tf.train.latest_checkpoint(str(tmp_path)) == str(tmp_path / "model.ckpt-6")
    assert (tmp_path / "graph.pbtxt").exists() and (tmp_path / "model.ckpt-6.meta").exists()


def test_the_end_is_saved_once(tmp_path):
    train_op = counting_step()
    with tf.train.MonitoredTrainingSession(
        checkpoint_dir=str(tmp_path), save_checkpoint_steps=100, log_step_count_steps=None
    ) as session:
        for _ in range(3):
            session.run(train_op)
    state = tf.train.get_checkpoint_state(str(tmp_path))
    assert [os.path.basename(path) for path in state.all_model_checkpoint_paths] == [
        "model.ckpt-0", "model.ckpt-3"
    ]  # fmt: skip


def test_values_at_the_end():
    variable = tf.Variable(1.0)
    update = tf.assign_add(variable, 2.0)
    hook = tf.train.FinalOpsHook({"value": variable})
    assert hook.final_ops_values is None
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        session.run(update)
    assert hook.final_ops_values == {"value": 3.0}


def test_a_function_feeds_each_run():
    x, values = tf.placeholder(tf.float32, []), iter([1.0, 2.0])
    y = x * 3
    with tf.train.MonitoredSession(hooks=[tf.train.FeedFnHook(lambda: {x: next(values)})]) as session:
        assert [session.run(y), session.run(y)] == [3.0, 6.0]


def test_a_worker_waits_for_a_step(monkeypatch):
    step = tf.train.get_or_create_global_step()
    grow, slept = tf.assign_add(step, 1), []
    hook = tf.train.GlobalStepWaiterHook(2)
    with tf.train.SingularMonitoredSession([hook]) as session:
        monkeypatch.setattr("time.sleep", lambda seconds: slept.append(session.raw_session().run(grow)))
        assert session.run(step) == 2
    assert slept == [1, 2]


def test_a_trace_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where nothing is said, traces are in the current folder
    train_op = counting_step()
    hook = tf.train.ProfilerHook(save_steps=2)
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        for _ in range(4):
            session.run(train_op)
    names = sorted(path.name for path in tmp_path.glob("timeline-*.json"))
    assert names == ["timeline-2.json", "timeline-4.json"]
    assert json.loads((tmp_path / names[0]).read_text())["traceEvents"]
