"""tf.train.MonitoredSession: sessions that initialize or restore themselves, and call hooks."""

import inspect

from kiln.compat.v1 import errors, logging
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1.train._checkpoint_hooks import CheckpointSaverHook
from kiln.compat.v1.train._coordinator import Coordinator
from kiln.compat.v1.train._logging_hooks import StepCounterHook, SummarySaverHook
from kiln.compat.v1.train._scaffold import Scaffold
from kiln.compat.v1.train._session_creators import (
    ChiefSessionCreator,
    SessionCreator,
    WorkerSessionCreator,
)
from kiln.compat.v1.train._wrapped_sessions import (
    StepContext,
    _CoordinatedSession,
    _HookedSession,
    _RecoverableSession,
)

# Stands for what the program has not said.
USE_DEFAULT = object()


class _CoordinatedSessionCreator(SessionCreator):
    """Makes sessions with hooks, and with a coordinator of their queue runners."""

    def __init__(self, session_creator, hooks, stop_grace_period_secs):
        self._session_creator, self._hooks = session_creator, hooks
        self._stop_grace_period_secs = stop_grace_period_secs
        self.coord = self.tf_sess = None

    def create_session(self):
        from kiln.compat.v1.train._queue_runner import _started

        self.tf_sess = self._session_creator.create_session()
        # Its threads' OutOfRangeError is raised by the run that waits for them, so none is a clean stop.
        self.coord = Coordinator(clean_stop_exception_types=[])
        _started(self.tf_sess, self.coord)
        for hook in self._hooks:
            hook.after_create_session(self.tf_sess, self.coord)
        hooked = _HookedSession(self.tf_sess, self._hooks)
        return _CoordinatedSession(hooked, self.coord, self._stop_grace_period_secs)


class _MonitoredSession:
    """What MonitoredSession and SingularMonitoredSession have in common."""

    StepContext = StepContext
    _CoordinatedSessionCreator = _CoordinatedSessionCreator

    def __init__(self, session_creator, hooks, should_recover, stop_grace_period_secs=120):
        self._graph_was_finalized = get_default_graph().finalized
        self._hooks = hooks or []
        for hook in self._hooks:
            hook.begin()
        self._coordinated_creator = _CoordinatedSessionCreator(
            session_creator=session_creator or ChiefSessionCreator(),
            hooks=self._hooks,
            stop_grace_period_secs=stop_grace_period_secs,
        )
        if should_recover:
            self._sess = _RecoverableSession(self._coordinated_creator)
        else:
            self._sess = self._coordinated_creator.create_session()

    @property
    def graph(self):
        """The session's; None when it is closed."""
        session = self._tf_sess()
        return None if session is None else session.graph

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        """As Session.run(), with hooks around it. Errors: RuntimeError where should_stop() is True."""
        return self._sess.run(
            fetches, feed_dict=feed_dict, options=options, run_metadata=run_metadata
        )

    def run_step_fn(self, step_fn):
        """Calls a function of a StepContext, and gives what it gives.

        Its step_context.session runs without hooks, step_context.run_with_hooks() with them, and
        step_context.request_stop() raises StopIteration, by which `with` ends the loop. Errors: ValueError for a
        function of other arguments.
        """
        names = tuple(inspect.signature(step_fn).parameters)
        if inspect.ismethod(step_fn):
            names = ("self", *names)
        if names not in (("step_context",), ("self", "step_context")):
            raise ValueError(
                "`step_fn` may either have one `step_context` argument, or `self` and `step_context` arguments if "
                f"it's an instance method. Got {names} instead."
            )
        return self._sess.run_step_fn(step_fn, self._tf_sess(), run_with_hooks=None)

    def should_stop(self):
        """Whether the loop is to end: a hook or a thread has asked for it, or it is closed."""
        return self._sess is None or self._sess.should_stop()

    def close(self):
        """Lets the hooks end, joins the threads and closes the session."""
        self._close_internal()

    def __enter__(self):
        return self

    def __exit__(self, exception_type, exception_value, traceback):
        if exception_type in (errors.OutOfRangeError, StopIteration):
            exception_type = None
        elif exception_type is KeyboardInterrupt:
            self._save_interrupted()
        self._close_internal(exception_type)
        return exception_type is None

    def _save_interrupted(self):
        """Saves what was trained when the user ends the training, by the hooks that save."""
        session = self._tf_sess()
        savers = [hook for hook in self._hooks if isinstance(hook, CheckpointSaverHook)]
        if session is None or not savers:
            return
        logging.warning("Training was interrupted; saving a checkpoint.")
        for hook in savers:
            try:
                hook._save_unless_saved(session)
            except Exception as error:  # the interrupt itself goes on
                logging.error("The training was interrupted and cannot be saved: %s", error)

    def _close_internal(self, exception_type=None):
        try:
            if not exception_type:
                for hook in self._hooks:
                    hook.end(self._coordinated_creator.tf_sess)
        finally:
            try:
                if self._sess is None:
                    raise RuntimeError("Session is already closed.")
                self._sess.close()
            finally:
                self._sess = None
                self._coordinated_creator.tf_sess = self._coordinated_creator.coord = None
                if not self._graph_was_finalized:
                    get_default_graph()._unsafe_unfinalize()

    def _is_closed(self):
        return self._coordinated_creator.tf_sess is None

    def _tf_sess(self):
        """The tf.Session inside."""
        return self._coordinated_creator.tf_sess


class MonitoredSession(_MonitoredSession):
    """A session for training loops: initializes or restores itself, starts queue runners, calls hooks.

        with tf.train.MonitoredSession(hooks=[tf.train.StopAtStepHook(100)]) as session:
            while not session.should_stop():
                session.run(train_op)

    session_creator: makes the session, a ChiefSessionCreator where it is None. hooks: SessionRunHooks. A run that
    raises AbortedError or UnavailableError is done again in a new session. As a context manager it takes
    OutOfRangeError and StopIteration for the end of the input; on Ctrl-C its CheckpointSaverHooks save. The graph is
    finalized as long as it lives. It is no tf.Session: it cannot be a default session. Source:
    tf.train.MonitoredSession; saving on Ctrl-C is Kiln's.
    """

    def __init__(self, session_creator=None, hooks=None, stop_grace_period_secs=120):
        super().__init__(
            session_creator,
            hooks,
            should_recover=True,
            stop_grace_period_secs=stop_grace_period_secs,
        )


class SingularMonitoredSession(_MonitoredSession):
    """A MonitoredSession that makes no lost session again, and shows the session inside.

    Source: tf.train.SingularMonitoredSession.
    """

    def __init__(
        self,
        hooks=None,
        scaffold=None,
        master="",
        config=None,
        checkpoint_dir=None,
        stop_grace_period_secs=120,
        checkpoint_filename_with_path=None,
    ):
        creator = ChiefSessionCreator(
            scaffold=scaffold,
            master=master,
            config=config,
            checkpoint_dir=checkpoint_dir,
            checkpoint_filename_with_path=checkpoint_filename_with_path,
        )
        super().__init__(
            creator,
            hooks,
            should_recover=False,
            stop_grace_period_secs=stop_grace_period_secs,
        )

    def raw_session(self):
        """The tf.Session inside, whose runs call no hooks."""
        return self._tf_sess()


def _intervals(secs, steps, default_secs, default_steps):
    """Seconds and steps, where USE_DEFAULT stands for what is not said."""
    if secs is USE_DEFAULT and steps is USE_DEFAULT:
        return default_secs, default_steps
    return (None if secs is USE_DEFAULT else secs), (None if steps is USE_DEFAULT else steps)


def _is_positive(interval):
    return bool(interval and interval > 0)


def MonitoredTrainingSession(
    master="",
    is_chief=True,
    checkpoint_dir=None,
    scaffold=None,
    hooks=None,
    chief_only_hooks=None,
    save_checkpoint_secs=USE_DEFAULT,
    save_summaries_steps=USE_DEFAULT,
    save_summaries_secs=USE_DEFAULT,
    config=None,
    stop_grace_period_secs=120,
    log_step_count_steps=100,
    max_wait_secs=7200,
    save_checkpoint_steps=USE_DEFAULT,
    summary_dir=None,
    save_graph_def=True,
):
    """A MonitoredSession with the hooks of a training: checkpoints, summaries, steps per second.

    is_chief: False where another process initializes. checkpoint_dir: where the last checkpoint is restored from, and
    checkpoints are saved to. chief_only_hooks: hooks of the chief alone. save_checkpoint_secs, save_checkpoint_steps:
    every how many, 600 seconds where nothing is said, never where it is None or 0; save_summaries_steps,
    save_summaries_secs: the same, 100 steps. max_wait_secs: how long others wait for the chief. summary_dir: the
    folder of summaries, checkpoint_dir where it is None. save_graph_def: whether checkpoints have the graph.
    Source: tf.train.MonitoredTrainingSession.
    """
    summary_secs, summary_steps = _intervals(save_summaries_secs, save_summaries_steps, None, 100)
    saver_secs, saver_steps = _intervals(save_checkpoint_secs, save_checkpoint_steps, 600, None)
    scaffold = scaffold or Scaffold()
    if not is_chief:
        creator = WorkerSessionCreator(
            scaffold=scaffold, master=master, config=config, max_wait_secs=max_wait_secs
        )
        return MonitoredSession(creator, hooks or [], stop_grace_period_secs)
    all_hooks = list(chief_only_hooks or ())
    creator = ChiefSessionCreator(
        scaffold=scaffold, checkpoint_dir=checkpoint_dir, master=master, config=config
    )
    summary_dir = summary_dir or checkpoint_dir
    if summary_dir and _is_positive(log_step_count_steps):
        all_hooks.append(
            StepCounterHook(output_dir=summary_dir, every_n_steps=log_step_count_steps)
        )
    if summary_dir and (_is_positive(summary_steps) or _is_positive(summary_secs)):
        all_hooks.append(
            SummarySaverHook(
                scaffold=scaffold,
                save_steps=summary_steps,
                save_secs=summary_secs,
                output_dir=summary_dir,
            )
        )
    if checkpoint_dir and (_is_positive(saver_secs) or _is_positive(saver_steps)):
        all_hooks.append(
            CheckpointSaverHook(
                checkpoint_dir,
                save_steps=saver_steps,
                save_secs=saver_secs,
                scaffold=scaffold,
                save_graph_def=save_graph_def,
            )
        )
    return MonitoredSession(creator, [*all_hooks, *(hooks or ())], stop_grace_period_secs)
