"""tf.train.Supervisor and the loops on it."""

import os
import threading

import pytest

import kiln.compat.v1 as tf
from kiln.compat.v1.contrib import slim


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made
    tf.summary.FileWriterCache.clear()


def events_of(folder):
    paths = sorted(os.path.join(folder, name) for name in os.listdir(folder) if "tfevents" in name)
    return [event for path in paths for event in tf.train.summary_iterator(path)]


def test_a_managed_session_is_initialized_and_restored(tmp_path, graph):
    step = tf.train.get_or_create_global_step()
    grow = tf.assign_add(step, 1)
    # Without the thread that saves, whose first checkpoint could come after the last one here.
    supervisor = tf.train.Supervisor(logdir=str(tmp_path), save_model_secs=0)
    assert graph.finalized and supervisor.global_step is step and supervisor.is_chief
    assert supervisor.save_path == str(tmp_path / "model.ckpt")
    with supervisor.managed_session() as session:
        while not supervisor.should_stop():
            if session.run(grow) == 3:
                supervisor.request_stop()
        supervisor.saver.save(session, supervisor.save_path, global_step=step)
    with supervisor.managed_session("") as session:
        assert session.run(step) == 3
    statuses = [event.session_log.status for event in events_of(tmp_path) if event.HasField("session_log")]
    assert statuses.count(tf.SessionLog.START) == 2 and statuses[-1] == tf.SessionLog.STOP
    assert (tmp_path / "graph.pbtxt").exists()


def test_threads_write_summaries_and_save(tmp_path):
    step = tf.train.get_or_create_global_step()
    tf.summary.scalar("constant", 3.0)
    grow = tf.assign_add(step, 1)
    supervisor = tf.train.Supervisor(logdir=str(tmp_path), save_summaries_secs=0.05, save_model_secs=0.05)

    def is_done():
        tags = {value.tag for event in events_of(tmp_path) for value in event.summary.value}
        return {"constant", "global_step/sec"} <= tags and tf.train.latest_checkpoint(str(tmp_path))

    with supervisor.managed_session() as session:
        for _ in range(600):
            session.run(grow)
            supervisor.summary_writer.flush()
            if is_done() or supervisor.coord.wait_for_stop(0.05):
                break
    assert is_done()


def test_what_a_block_raises_comes_through():
    tf.constant(1)
    supervisor = tf.train.Supervisor(logdir=None)
    with pytest.raises(KeyError):
        with supervisor.managed_session():
            raise KeyError("x")
    with supervisor.managed_session():
        raise tf.errors.OutOfRangeError(None, None, "the end of the input")
    assert supervisor.should_stop()


def test_a_thread_loops_until_the_supervisor_stops():
    x, calls, called = tf.constant(1), [], threading.Event()
    supervisor = tf.train.Supervisor(logdir=None)
    with supervisor.managed_session() as session:

        def call(what):
            calls.append(session.run(x))
            if len(calls) == 3:
                called.set()
                supervisor.request_stop()

        supervisor.loop(None, call, args=("x",))
        assert called.wait(60)
    assert calls[:3] == [1, 1, 1]


def test_operations_are_taken_from_collections():
    init, ready = tf.no_op(), tf.constant([], tf.string)
    tf.add_to_collection(tf.GraphKeys.INIT_OP, init)
    supervisor = tf.train.Supervisor(ready_op=ready, saver=None, summary_op=None, local_init_op=None)
    assert supervisor.init_op is init and supervisor.ready_op is ready
    assert supervisor.saver is None and supervisor.summary_writer is None
    with pytest.raises(RuntimeError, match="Writing a summary requires a summary writer."):
        supervisor.summary_computed(None, b"")


def test_only_the_chief_starts_services():
    with tf.device("/job:ps"):
        tf.Variable(1.0)
    supervisor = tf.train.Supervisor(is_chief=False, logdir="/nowhere")
    assert supervisor.save_path is None
    with pytest.raises(RuntimeError, match="Only chief supervisor can start standard services."):
        supervisor.start_standard_services(None)
    with tf.Graph().as_default():
        tf.Variable(1.0)
        with pytest.raises(ValueError, match="When using replicas, all Variables must have their device set"):
            tf.train.Supervisor(is_chief=False)


def test_a_loop_makes_lost_sessions_again():
    grow, seen = tf.assign_add(tf.Variable(0), 1), []
    supervisor = tf.train.Supervisor(logdir=None)

    def step(session, limit):
        seen.append(int(session.run(grow)))
        if seen == [1, 2]:
            raise tf.errors.AbortedError(None, None, "lost")
        if len(seen) == limit:
            supervisor.request_stop()

    tf.train.basic_train_loop(supervisor, step, kwargs={"limit": 4})
    assert seen == [1, 2, 1, 2]


def linear_loss():
    x = tf.constant([[1.0], [2.0], [3.0]])
    weight = tf.get_variable("w", [1, 1], initializer=tf.zeros_initializer())
    return tf.losses.mean_squared_error(2.0 * x, tf.matmul(x, weight))


def test_slim_trains_with_a_supervisor(tmp_path):
    loss = linear_loss()
    tf.summary.scalar("loss", loss)
    train_op = slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.05))
    last = slim.learning.train(
        train_op, str(tmp_path), number_of_steps=60, log_every_n_steps=20, save_summaries_secs=60
    )
    assert last < 1e-3
    assert tf.train.latest_checkpoint(str(tmp_path)).endswith("model.ckpt-60")


def test_slim_ends_its_threads_where_the_input_ends(tmp_path, monkeypatch):
    asked, join = [], tf.train.LooperThread.join

    def join_asked(thread, timeout=None):
        asked.append(thread._coord.should_stop())
        if asked[-1]:
            join(thread, timeout)

    monkeypatch.setattr(tf.train.LooperThread, "join", join_asked)
    loss = tf.reduce_sum(tf.train.limit_epochs(tf.constant([[1.0]]), num_epochs=2)) * linear_loss()
    train_op = slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.05))
    slim.learning.train(train_op, str(tmp_path), log_every_n_steps=0)
    assert tf.train.latest_checkpoint(str(tmp_path)).endswith("model.ckpt-2")
    assert asked and all(asked)


def test_slim_evaluates_checkpoints(tmp_path):
    loss = linear_loss()
    train_op = slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.05))
    slim.learning.train(train_op, str(tmp_path / "train"), number_of_steps=3, log_every_n_steps=0)
    with tf.Graph().as_default():
        value, update = slim.metrics.streaming_mean(linear_loss())
        tf.summary.scalar("value", value)
        found = slim.evaluation.evaluate_once(
            master="",
            checkpoint_path=tf.train.latest_checkpoint(str(tmp_path / "train")),
            logdir=str(tmp_path / "eval"),
            num_evals=3,
            eval_op=update,
            final_op=value,
        )
    tf.summary.FileWriterCache.clear()
    assert 0.42 < found < 0.44
    tags = [value.tag for event in events_of(tmp_path / "eval") for value in event.summary.value]
    assert tags == ["value"]
