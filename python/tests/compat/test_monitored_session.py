"""tf.train.MonitoredSession, and what makes its sessions."""

import os
import signal
import subprocess
import sys
import textwrap
import threading

import pytest

import kiln.compat.v1 as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made
    tf.summary.FileWriterCache.clear()


class Recorder(tf.train.SessionRunHook):
    """Notes what it is called for; wants what it is given."""

    def __init__(self, wanted=None):
        self.calls, self.wanted, self.values = [], wanted, []

    def begin(self):
        self.calls.append("begin")

    def after_create_session(self, session, coord):
        assert isinstance(session, tf.Session) and isinstance(coord, tf.train.Coordinator)
        self.calls.append("after_create_session")

    def before_run(self, run_context):
        self.calls.append("before_run")
        self.context = run_context
        return self.wanted

    def after_run(self, run_context, run_values):
        assert run_context is self.context
        self.calls.append("after_run")
        self.values.append(run_values)

    def end(self, session):
        self.calls.append("end")


def test_hooks_are_called_in_order():
    x, hook = tf.constant(5), Recorder()
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        assert session.run({"x": [x]}) == {"x": [5]}
        assert session.graph is tf.get_default_graph()
    assert hook.calls == ["begin", "after_create_session", "before_run", "after_run", "end"]
    assert hook.context.original_args == tf.train.SessionRunArgs({"x": [x]})
    assert hook.values[0].results is None
    assert session.should_stop() and session.graph is None
    with pytest.raises(RuntimeError, match="Session is already closed."):
        session.close()


def test_hooks_add_fetches_feeds_and_options():
    x, y = tf.placeholder(tf.float32, [], name="x"), tf.placeholder(tf.float32, [], name="y")
    total = x + y
    traced = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    first, second = Recorder(tf.train.SessionRunArgs([x, {"sum": total}], {x: 2.0})), Recorder()
    with tf.train.MonitoredSession(hooks=[first, second]) as session:
        for _ in range(3):
            assert session.run(total, {y: 3.0}) == 5.0
        assert first.values[-1].results == [2.0, {"sum": 5.0}]
        assert not first.values[-1].run_metadata.step_stats.dev_stats
        second.wanted = tf.train.SessionRunArgs(None, options=traced)
        session.run(total, {y: 3.0})
        assert first.values[-1].options.trace_level == tf.RunOptions.FULL_TRACE
        assert first.values[-1].run_metadata.step_stats.dev_stats
        with pytest.raises(RuntimeError, match="Same tensor is fed by a SessionRunHook and user."):
            session.run(total, {x: 1.0, y: 3.0})
        second.wanted = tf.train.SessionRunArgs(None, {x: 2.0})
        with pytest.raises(RuntimeError, match="Same tensor is fed by two hooks."):
            session.run(total, {y: 3.0})


def test_the_graph_is_final_as_long_as_the_session_lives(graph):
    x = tf.constant(1)
    with tf.train.MonitoredSession() as session:
        assert graph.finalized
        with pytest.raises(RuntimeError, match="Graph is finalized and cannot be modified."):
            tf.constant(2)
        session.run(x)
    assert not graph.finalized
    tf.constant(2)
    graph.finalize()
    tf.train.MonitoredSession().close()
    assert graph.finalized


@pytest.mark.parametrize("error", [tf.errors.OutOfRangeError(None, None, "end"), StopIteration()])
def test_the_end_of_the_input_is_a_clean_end(error):
    hook = Recorder()
    tf.constant(0)
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        raise error
    assert hook.calls[-1] == "end" and session.should_stop()


def test_other_errors_come_through_and_hooks_do_not_end():
    hook = Recorder()
    tf.constant(0)
    with pytest.raises(KeyError):
        with tf.train.MonitoredSession(hooks=[hook]):
            raise KeyError("x")
    assert "end" not in hook.calls


def test_a_hook_stops_the_loop():
    x = tf.constant(1)

    class Stop(tf.train.SessionRunHook):
        def after_run(self, run_context, run_values):
            run_context.request_stop()

    with tf.train.MonitoredSession(hooks=[Stop()]) as session:
        session.run(x)
        assert session.should_stop()
        with pytest.raises(RuntimeError, match="Run called even after should_stop requested."):
            session.run(x)


def test_a_lost_session_is_made_again():
    x, losses = tf.Variable(1), [tf.errors.AbortedError, tf.errors.UnavailableError]
    grow = tf.assign_add(x, 1)

    class Lose(tf.train.SessionRunHook):
        made = 0

        def after_create_session(self, session, coord):
            self.made += 1

        def before_run(self, run_context):
            if losses:
                raise losses.pop()(None, None, "lost")

    hook = Lose()
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        assert session.run(grow) == 2  # in a session of its own, initialized again
    assert hook.made == 3
    losses.append(tf.errors.AbortedError)
    with pytest.raises(tf.errors.AbortedError):
        with tf.train.SingularMonitoredSession([hook]) as session:
            session.run(grow)


def test_a_step_function_runs_with_and_without_hooks():
    x, hook = tf.placeholder(tf.float32, []), Recorder()
    y = x + 1

    def step(step_context):
        before = step_context.session.run(y, {x: 1.0})
        assert hook.calls.count("before_run") == 0
        return before, step_context.run_with_hooks(y, feed_dict={x: 2.0})

    def last(step_context):
        step_context.request_stop()

    with tf.train.MonitoredSession(hooks=[hook]) as session:
        assert session.run_step_fn(step) == (2.0, 3.0)
        assert hook.calls.count("after_run") == 1
        with pytest.raises(ValueError, match="`step_fn` may either have one `step_context` argument"):
            session.run_step_fn(lambda context: None)
        session.run_step_fn(last)
        raise AssertionError("StopIteration ends the block")


def test_a_thread_ends_the_session_by_its_error():
    x = tf.constant(1)

    class Failing(tf.train.SessionRunHook):
        def after_create_session(self, session, coord):
            def fail():
                with coord.stop_on_exception():
                    raise ValueError("in a thread")

            thread = threading.Thread(target=fail)
            coord.register_thread(thread)
            thread.start()
            thread.join()

    with pytest.raises(ValueError, match="in a thread"):
        with tf.train.MonitoredSession(hooks=[Failing()]) as session:
            session.run(x)


def test_queue_runners_start_and_the_end_of_the_input_ends_the_loop():
    queue = tf.train.input_producer(tf.constant([1, 2, 3]), num_epochs=1, shuffle=False)
    value, seen = queue.dequeue(), []
    with tf.train.MonitoredSession() as session:
        while not session.should_stop():
            seen.append(session.run(value))
    assert seen == [1, 2, 3]


def test_a_scaffold_makes_what_is_not_given(graph):
    variable = tf.Variable(2.0)
    tf.get_variable("local", initializer=1.0, collections=["local_variables"])
    tf.summary.scalar("value", variable)
    scaffold = tf.train.Scaffold()
    assert scaffold.init_op is None and scaffold.saver is None
    assert scaffold.finalize() is scaffold
    for key in ("init_op", "ready_op", "ready_for_local_init_op", "local_init_op", "summary_op"):
        assert graph.get_collection(key) == [getattr(scaffold, key)]
    assert graph.get_collection("savers") == [scaffold.saver] and graph.finalized
    with tf.Session() as session:
        assert session.run(scaffold.ready_op).tolist() == [b"Variable", b"local"]
        assert session.run(scaffold.ready_for_local_init_op).tolist() == [b"Variable"]
        session.run([scaffold.init_op, scaffold.local_init_op])
        assert session.run(scaffold.ready_op).size == 0
    copy = tf.train.Scaffold(copy_from_scaffold=scaffold)
    assert copy.init_op is scaffold.init_op and copy.saver is scaffold.saver
    with pytest.raises(TypeError, match="copy_from_scaffold is not a Scaffold instance."):
        tf.train.Scaffold(copy_from_scaffold=1)


def test_several_items_of_a_collection_are_refused():
    for _ in range(2):
        tf.add_to_collection("summary_op", tf.constant(""))
    with pytest.raises(RuntimeError, match='More than one item in the collection "summary_op"'):
        tf.train.Scaffold().finalize()


def test_a_checkpoint_is_restored(tmp_path):
    folder = str(tmp_path)
    grow = tf.assign_add(tf.train.get_or_create_global_step(), 1)
    for last in (2, 4):
        with tf.train.MonitoredTrainingSession(
            checkpoint_dir=folder, hooks=[tf.train.StopAtStepHook(num_steps=2)]
        ) as session:
            while not session.should_stop():
                step = session.run(grow)
        assert step == last
    path = tf.train.latest_checkpoint(folder)
    with tf.train.SingularMonitoredSession(checkpoint_filename_with_path=path) as session:
        assert session.run(tf.train.get_global_step()) == 4


def test_an_uninitialized_model_is_an_error():
    tf.Variable(1.0, name="v")
    manager = tf.train.SessionManager(ready_op=tf.report_uninitialized_variables())
    with pytest.raises(RuntimeError, match="Model is not initialized and no init_op or init_fn"):
        manager.prepare_session("")
    with pytest.raises(
        RuntimeError, match="Init operations did not make model ready.*Variables not initialized: v"
    ):
        manager.prepare_session("", init_op=tf.no_op())
    session = manager.prepare_session("", init_op=tf.global_variables_initializer())
    assert session.run("v:0") == 1.0
    manager = tf.train.SessionManager(
        ready_op=tf.report_uninitialized_variables(), recovery_wait_secs=1
    )
    with pytest.raises(tf.errors.DeadlineExceededError, match="Session was not ready after waiting 0 secs."):
        manager.wait_for_session("", max_wait_secs=0)


def test_recovery_says_whether_there_was_a_checkpoint(tmp_path):
    variable = tf.Variable(1.0, name="v")
    saver, init = tf.train.Saver(), variable.initializer
    manager = tf.train.SessionManager(ready_op=tf.report_uninitialized_variables())
    session, is_restored = manager.recover_session("", saver, str(tmp_path))
    assert not is_restored
    session.run(init)
    saver.save(session, str(tmp_path / "model"))
    session, is_restored = manager.recover_session("", saver, str(tmp_path))
    assert is_restored and session.run(variable) == 1.0


INTERRUPTED = """
    import os, signal, sys
    import kiln.compat.v1 as tf
    grow = tf.assign_add(tf.train.get_or_create_global_step(), 1)
    with tf.train.MonitoredTrainingSession(checkpoint_dir=sys.argv[1]) as session:
        while not session.should_stop():
            if session.run(grow) == 7:
                os.kill(os.getpid(), signal.SIGINT)
"""


def test_an_interrupt_saves(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(INTERRUPTED), str(tmp_path)], capture_output=True, text=True
    )
    assert done.returncode == -signal.SIGINT, done.stderr
    assert "Training was interrupted; saving a checkpoint." in done.stderr
    assert int(tf.train.latest_checkpoint(str(tmp_path)).rpartition("-")[2]) >= 7
    assert os.path.basename(tf.train.latest_checkpoint(str(tmp_path))).startswith("model.ckpt-")


def test_checkpoints_without_their_graph(tmp_path):
    with tf.Graph().as_default():
        tf.train.get_or_create_global_step()
        with tf.train.MonitoredTrainingSession(
            checkpoint_dir=str(tmp_path), save_checkpoint_steps=1, save_graph_def=False
        ):
            pass
    names = {path.name for path in tmp_path.iterdir()}
    assert "model.ckpt-0.index" in names and not {"graph.pbtxt", "model.ckpt-0.meta"} & names


def test_feeds_of_the_local_initialization():
    with tf.Graph().as_default():
        fed = tf.placeholder(tf.float32, [])
        local = tf.Variable(0.0, trainable=False, collections=["local_variables"])
        scaffold = tf.train.Scaffold(local_init_op=local.assign(fed), local_init_feed_dict={fed: 3.0})
        assert tf.train.Scaffold(copy_from_scaffold=scaffold).local_init_feed_dict == {fed: 3.0}
        with tf.train.MonitoredSession(tf.train.ChiefSessionCreator(scaffold)) as session:
            assert session.run(local) == 3
