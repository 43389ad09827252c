"""tf.train.Supervisor: a session with checkpoints and summaries, written by threads."""

import contextlib
import os

from kiln.compat import v1 as tf
from kiln.compat.v1 import _messages, logging
from kiln.compat.v1._util.deprecation import deprecated
from kiln.compat.v1.train._coordinator import Coordinator, LooperThread
from kiln.compat.v1.train._session_manager import SessionManager
from kiln.compat.v1.train._supervisor_threads import (
    SVStepCounterThread,
    SVSummaryThread,
    SVTimerCheckpointThread,
)


def _first_of(key):
    """The first item of a collection, or None."""
    found = tf.get_collection(key)
    if len(found) > 1:
        logging.info("Found %d %s operations. Returning the first one.", len(found), key)
    return found[0] if found else None


def _chosen(given, key, make):
    """What is given, or the collection's first, or what the function makes, which is put there."""
    if given is not Supervisor.USE_DEFAULT:
        return given
    found = _first_of(key)
    if found is None:
        found = make()
        if found is not None:
            tf.add_to_collection(key, found)
    return found


class Supervisor:
    """A session that initializes or restores itself, and threads that save and write summaries.

        supervisor = tf.train.Supervisor(logdir="/tmp/model")
        with supervisor.managed_session() as session:
            while not supervisor.should_stop():
                session.run(train_op)

    The operations, the saver and the global step that are not given are taken from the graph's collections, or made;
    None: there is none. is_chief: False where another process initializes. logdir: where checkpoints and summaries
    are, None for nowhere. save_summaries_secs, save_model_secs: from one to the next, 0 for never.
    stop_grace_secs: how long threads may take to stop. session_manager: makes the sessions. init_fn: a function of
    the session, behind init_op. Finalizes the graph. Errors: ValueError. Source: tf.train.Supervisor.
    """

    # Stands for what the program has not said.
    USE_DEFAULT = 0

    @deprecated(
        None,
        "Please switch to tf.train.MonitoredTrainingSession",
        module="tensorflow.python.training.supervisor",
    )
    def __init__(
        self,
        graph=None,
        ready_op=USE_DEFAULT,
        ready_for_local_init_op=USE_DEFAULT,
        is_chief=True,
        init_op=USE_DEFAULT,
        init_feed_dict=None,
        local_init_op=USE_DEFAULT,
        logdir=None,
        summary_op=USE_DEFAULT,
        saver=USE_DEFAULT,
        global_step=USE_DEFAULT,
        save_summaries_secs=120,
        save_model_secs=600,
        recovery_wait_secs=30,
        stop_grace_secs=120,
        checkpoint_basename="model.ckpt",
        session_manager=None,
        summary_writer=USE_DEFAULT,
        init_fn=None,
        local_init_run_options=None,
    ):
        self._graph = graph = tf.get_default_graph() if graph is None else graph
        self._init_feed_dict, self._init_fn = init_feed_dict, init_fn
        with graph.as_default():
            self._choose_operations(ready_op, ready_for_local_init_op, init_op, local_init_op)
            self._saver = _chosen(saver, "savers", _new_saver)
            self._summary_op = _chosen(summary_op, "summary_op", tf.summary.merge_all)
            self._global_step = _chosen(global_step, "global_step", _default_global_step)
        self._meta_graph_def = self._meta_graph()
        self._is_chief, self._coord = is_chief, Coordinator()
        self._recovery_wait_secs, self._stop_grace_secs = recovery_wait_secs, stop_grace_secs
        self._local_init_run_options = local_init_run_options
        self._logdir = logdir if is_chief else None
        self._save_summaries_secs = save_summaries_secs if is_chief else None
        self._save_model_secs = save_model_secs if is_chief else None
        self._save_path = os.path.join(logdir, checkpoint_basename) if self._logdir else None
        self._summary_writer, self._graph_added_to_summary = None, False
        if is_chief and summary_writer is not Supervisor.USE_DEFAULT:
            self._summary_writer = summary_writer
        elif self._logdir:
            self._summary_writer = tf.summary.FileWriter(self._logdir)
        self._session_manager = session_manager or SessionManager(
            local_init_op=self._local_init_op,
            ready_op=self._ready_op,
            ready_for_local_init_op=self._ready_for_local_init_op,
            graph=graph,
            recovery_wait_secs=recovery_wait_secs,
            local_init_run_options=local_init_run_options,
        )
        self._verify_setup()
        graph.finalize()

    def _choose_operations(self, ready_op, ready_for_local_init_op, init_op, local_init_op):
        self._ready_op = _chosen(ready_op, "ready_op", tf.report_uninitialized_variables)
        self._ready_for_local_init_op = _chosen(
            ready_for_local_init_op, "ready_for_local_init_op", lambda: None
        )
        self._init_op = _chosen(init_op, "init_op", tf.global_variables_initializer)
        self._local_init_op = _chosen(
            local_init_op,
            "local_init_op",
            lambda: tf.group(tf.local_variables_initializer(), tf.tables_initializer()),
        )

    def _meta_graph(self):
        from kiln.compat.v1.train._meta_graph import create_meta_graph_def

        with self._graph.as_default():
            return create_meta_graph_def(
                graph_def=self._graph.as_graph_def(add_shapes=True),
                saver_def=self._saver.saver_def if self._saver else None,
            )

    def _verify_setup(self):
        if self._is_chief:
            return
        for op in self._graph.get_operations():
            if op.type in ("Variable", "VariableV2") and not op.device:
                raise ValueError(
                    f"When using replicas, all Variables must have their device set: {op}"
                )

    is_chief = property(lambda self: self._is_chief)
    session_manager = property(lambda self: self._session_manager)
    coord = property(lambda self: self._coord)
    init_op = property(lambda self: self._init_op)
    init_feed_dict = property(lambda self: self._init_feed_dict)
    ready_op = property(lambda self: self._ready_op)
    ready_for_local_init_op = property(lambda self: self._ready_for_local_init_op)
    summary_writer = property(lambda self: self._summary_writer)
    summary_op = property(lambda self: self._summary_op)
    save_summaries_secs = property(lambda self: self._save_summaries_secs)
    global_step = property(lambda self: self._global_step)
    saver = property(lambda self: self._saver)
    save_model_secs = property(lambda self: self._save_model_secs)
    save_path = property(lambda self: self._save_path)

    def _write_graph(self):
        """Writes the graph into logdir and to the summaries."""
        assert self._is_chief
        if self._logdir:
            tf.train.write_graph(
                self._graph.as_graph_def(add_shapes=True), self._logdir, "graph.pbtxt"
            )
        if self._summary_writer and not self._graph_added_to_summary:
            self._summary_writer.add_graph(self._graph)
            self._summary_writer.add_meta_graph(self._meta_graph_def)
            self._graph_added_to_summary = True

    def start_standard_services(self, sess):
        """Starts the threads that write summaries, count steps and save; gives them.

        Errors: RuntimeError where this is not the chief.
        """
        if not self._is_chief:
            raise RuntimeError(
                "Only chief supervisor can start standard services. Because only chief supervisors can write events."
            )
        if not self._logdir:
            logging.warning("Standard services need a 'logdir' passed to the SessionManager")
            return None
        threads, writer = [], self._summary_writer
        if self._global_step is not None and writer:
            started = _messages.SessionLog(status=_messages.SessionLog.START)
            writer.add_session_log(started, tf.train.global_step(sess, self._global_step))
        if self._save_summaries_secs and writer:
            if self._summary_op is not None:
                threads.append(SVSummaryThread(self, sess))
            if self._global_step is not None:
                threads.append(SVStepCounterThread(self, sess))
        if self._saver and self._save_model_secs:
            threads.append(SVTimerCheckpointThread(self, sess))
        for thread in threads:
            thread.start()
        return threads

    def prepare_or_wait_for_session(
        self,
        master="",
        config=None,
        wait_for_checkpoint=False,
        max_wait_secs=7200,
        start_standard_services=True,
    ):
        """A session that is ready, with its threads started. Errors: those of tf.train.SessionManager."""
        self._coord.clear_stop()
        if self._summary_writer:
            self._summary_writer.reopen()
        if self._is_chief:
            sess = self._session_manager.prepare_session(
                master,
                init_op=self._init_op,
                saver=self._saver,
                checkpoint_dir=self._logdir,
                wait_for_checkpoint=wait_for_checkpoint,
                max_wait_secs=max_wait_secs,
                config=config,
                init_feed_dict=self._init_feed_dict,
                init_fn=self._init_fn,
            )
            self._write_graph()
            if start_standard_services:
                logging.info("Starting standard services.")
                self.start_standard_services(sess)
        else:
            sess = self._session_manager.wait_for_session(
                master, config=config, max_wait_secs=max_wait_secs
            )
        if start_standard_services:
            logging.info("Starting queue runners.")
            self.start_queue_runners(sess)
        return sess

    def start_queue_runners(self, sess, queue_runners=None):
        """Starts queue runners, all of the graph where none are given; gives the threads."""
        if queue_runners is None:
            queue_runners = self._graph.get_collection("queue_runners")
        threads = []
        for runner in queue_runners:
            threads.extend(
                runner.create_threads(sess, coord=self._coord, daemon=True, start=True)
            )
        return threads

    def loop(self, timer_interval_secs, target, args=None, kwargs=None):
        """Starts a thread that calls a function at intervals, and gives it."""
        looper = LooperThread(
            self._coord, timer_interval_secs, target=target, args=args, kwargs=kwargs
        )
        looper.start()
        return looper

    def stop(self, threads=None, close_summary_writer=True, ignore_live_threads=False):
        """Stops the threads, and closes the summaries. Raises what a thread raised."""
        self._coord.request_stop()
        try:
            self._coord.join(
                threads,
                stop_grace_period_secs=self._stop_grace_secs,
                ignore_live_threads=ignore_live_threads,
            )
        finally:
            if close_summary_writer and self._summary_writer:
                stopped = _messages.SessionLog(status=_messages.SessionLog.STOP)
                self._summary_writer.add_session_log(stopped)
                self._summary_writer.close()
                self._graph_added_to_summary = False

    def request_stop(self, ex=None):
        """Asks all threads to stop; ex: an exception that stop() raises."""
        self._coord.request_stop(ex=ex)

    def should_stop(self):
        return self._coord.should_stop()

    def stop_on_exception(self):
        """A context whose exceptions stop all."""
        return self._coord.stop_on_exception()

    def wait_for_stop(self):
        self._coord.wait_for_stop()

    def summary_computed(self, sess, summary, global_step=None):
        """Writes a summary, at the present step where none is given. Errors: RuntimeError."""
        if not self._summary_writer:
            raise RuntimeError("Writing a summary requires a summary writer.")
        if global_step is None and self._global_step is not None:
            global_step = tf.train.global_step(sess, self._global_step)
        self._summary_writer.add_summary(summary, global_step)

    @contextlib.contextmanager
    def managed_session(
        self, master="", config=None, start_standard_services=True, close_summary_writer=True
    ):
        """A context with a session that is ready; stops the threads and closes it at the end.

        Raises what the block or a thread raised; OutOfRangeError is a clean stop. On Ctrl-C the chief saves.
        """
        sess = None
        try:
            sess = self.prepare_or_wait_for_session(
                master=master, config=config, start_standard_services=start_standard_services
            )
            yield sess
        except KeyboardInterrupt:
            self._save_interrupted(sess)
            raise
        except Exception as error:
            self.request_stop(error)
        finally:
            try:
                # What request_stop() was given is raised here.
                self.stop(close_summary_writer=close_summary_writer)
            finally:
                if sess is not None:
                    with contextlib.suppress(Exception):
                        sess.close()

    def _save_interrupted(self, sess):
        """Saves what was trained when the user ends the training, where it is saved at all."""
        if sess is None or not (self._saver and self._save_path and self._save_model_secs):
            return
        logging.warning("Training was interrupted; saving a checkpoint.")
        try:
            self._saver.save(sess, self._save_path, global_step=self._global_step)
        except Exception as error:  # the interrupt itself goes on
            logging.error("The training was interrupted and cannot be saved: %s", error)

    # The names of TensorFlow 0.x.
    PrepareSession = prepare_or_wait_for_session
    StartQueueRunners = start_queue_runners
    StartStandardServices = start_standard_services
    Stop = stop
    RequestStop = request_stop
    Loop = loop
    ShouldStop = should_stop
    StopOnException = stop_on_exception
    WaitForStop = wait_for_stop
    SummaryComputed = summary_computed


def _new_saver():
    return tf.train.Saver() if tf.global_variables() else None


def _default_global_step():
    """The graph's "global_step:0", if it is an integer."""
    try:
        step = tf.get_default_graph().get_tensor_by_name("global_step:0")
    except KeyError:
        return None
    if step.dtype.base_dtype in (tf.int32, tf.int64):
        return step
    logging.warning("Found 'global_step' is not an int type: %s", step.dtype)
    return None
