"""Makes sessions whose variables have values: initialized, restored, or those of another process."""

import time

import numpy as np

from kiln.compat.v1 import errors, logging
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1._session import Session


def _maybe_name(obj):
    """A name for an error's text."""
    if obj is None:
        return "None"
    return obj.name if hasattr(obj, "name") else f"<no name for {type(obj)}>"


class SessionManager:
    """Makes sessions that are ready to run.

    local_init_op: runs in each new session, when ready_for_local_init_op gives no names. ready_op: a tensor of the
    names of what is not initialized; None where nothing is to be checked. recovery_wait_secs: from one try to the
    next. local_init_run_options, local_init_feed_dict: RunOptions and feeds of local_init_op. Errors: ValueError.
    Source: tf.train.SessionManager.
    """

    def __init__(
        self,
        local_init_op=None,
        ready_op=None,
        ready_for_local_init_op=None,
        graph=None,
        recovery_wait_secs=30,
        local_init_run_options=None,
        local_init_feed_dict=None,
    ):
        self._local_init_op, self._ready_op = local_init_op, ready_op
        self._ready_for_local_init_op = ready_for_local_init_op
        self._graph = get_default_graph() if graph is None else graph
        self._recovery_wait_secs, self._target = recovery_wait_secs, None
        self._local_init_run_options = local_init_run_options
        self._local_init_feed_dict = local_init_feed_dict
        if ready_for_local_init_op is not None and local_init_op is None:
            raise ValueError(
                "If you pass a ready_for_local_init_op you must also pass a local_init_op , "
                f"ready_for_local_init_op [{ready_for_local_init_op}]"
            )

    def _restore_checkpoint(
        self, master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint, max_wait_secs, config
    ):
        """A new session, and whether a checkpoint gave it its values."""
        from kiln.compat.v1.train._checkpoint_management import get_checkpoint_state

        self._target = master
        session = Session(self._target, graph=self._graph, config=config)
        if checkpoint_dir and checkpoint_filename_with_path:
            raise ValueError("Can not provide both checkpoint_dir and checkpoint_filename_with_path.")
        if not saver or not (checkpoint_dir or checkpoint_filename_with_path):
            return session, False
        if checkpoint_filename_with_path:
            self._restore(session, saver, checkpoint_filename_with_path)
            return session, True
        waited, state = 0, get_checkpoint_state(checkpoint_dir)
        while not state or not state.model_checkpoint_path:
            if not wait_for_checkpoint or waited >= max_wait_secs:
                return session, False
            logging.info("Waiting for checkpoint to be available.")
            time.sleep(self._recovery_wait_secs)
            waited += self._recovery_wait_secs
            state = get_checkpoint_state(checkpoint_dir)
        self._restore(session, saver, state.model_checkpoint_path)
        saver.recover_last_checkpoints(state.all_model_checkpoint_paths)
        return session, True

    @staticmethod
    def _restore(session, saver, path):
        # What a SavedModel brings along is not in the checkpoint.
        initializers = get_default_graph().get_collection("saved_model_initializers")
        if initializers:
            session.run(initializers)
        saver.restore(session, path)

    def prepare_session(
        self,
        master,
        init_op=None,
        saver=None,
        checkpoint_dir=None,
        checkpoint_filename_with_path=None,
        wait_for_checkpoint=False,
        max_wait_secs=7200,
        config=None,
        init_feed_dict=None,
        init_fn=None,
    ):
        """A session that is restored from a checkpoint, or else initialized by init_op and init_fn(session).

        master: of the session. checkpoint_dir: where the last checkpoint is looked for, and waited for where
        wait_for_checkpoint says so. Errors: RuntimeError where it is not ready then; ValueError; as Session.run().
        """
        session, is_restored = self._restore_checkpoint(
            master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint, max_wait_secs, config
        )
        if not is_restored:
            if init_op is None and not init_fn and self._local_init_op is None:
                raise RuntimeError(
                    "Model is not initialized and no init_op or init_fn or local_init_op was given"
                )
            if init_op is not None:
                session.run(init_op, feed_dict=init_feed_dict)
            if init_fn:
                init_fn(session)
        is_done, reason = self._try_run_local_init_op(session)
        if not is_done:
            raise RuntimeError(
                "Init operations did not make model ready for local_init.  "
                f"Init op: {_maybe_name(init_op)}, init fn: {init_fn}, error: {reason}"
            )
        is_ready, reason = self._model_ready(session)
        if not is_ready:
            raise RuntimeError(
                f"Init operations did not make model ready.  Init op: {_maybe_name(init_op)}, "
                f"init fn: {init_fn}, local_init_op: {self._local_init_op}, error: {reason}"
            )
        return session

    def recover_session(
        self,
        master,
        saver=None,
        checkpoint_dir=None,
        checkpoint_filename_with_path=None,
        wait_for_checkpoint=False,
        max_wait_secs=7200,
        config=None,
    ):
        """A session, and whether it is restored from a checkpoint and ready. Errors: ValueError."""
        session, is_restored = self._restore_checkpoint(
            master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint, max_wait_secs, config
        )
        is_done, reason = self._try_run_local_init_op(session)
        if not is_restored:
            return session, False
        source = checkpoint_dir or checkpoint_filename_with_path
        if not is_done:
            logging.info(
                "Restoring model from %s did not make model ready for local init: %s", source, reason
            )
            return session, False
        is_ready, reason = self._model_ready(session)
        if not is_ready:
            logging.info("Restoring model from %s did not make model ready: %s", source, reason)
            return session, False
        logging.info("Restored model from %s", source)
        return session, is_restored

    def wait_for_session(self, master, config=None, max_wait_secs=float("inf")):
        """A session whose variables another process has initialized.

        Errors: DeadlineExceededError where it is not ready after so many seconds.
        """
        self._target = master
        limit = float("inf") if max_wait_secs is None else max_wait_secs
        timer = _CountDownTimer(limit)
        while True:
            session = Session(self._target, graph=self._graph, config=config)
            reason = None
            is_done, local_reason = self._try_run_local_init_op(session)
            if is_done:
                is_ready, reason = self._model_ready(session)
                if is_ready:
                    return session
            self._safe_close(session)
            if timer.secs_remaining() - self._recovery_wait_secs < 0:
                raise errors.DeadlineExceededError(
                    None, None, f"Session was not ready after waiting {limit:.0f} secs."
                )
            logging.info(
                "Waiting for model to be ready.  Ready_for_local_init_op:  %s, ready: %s",
                local_reason,
                reason,
            )
            time.sleep(self._recovery_wait_secs)

    def _safe_close(self, session):
        try:
            session.close()
        except Exception:  # a session that nobody uses: how it ends does not matter
            pass

    def _model_ready(self, session):
        """Whether all is initialized, and else why not."""
        return _ready(self._ready_op, session, "Model not ready")

    def _model_ready_for_local_init(self, session):
        return _ready(self._ready_for_local_init_op, session, "Model not ready for local init")

    def _try_run_local_init_op(self, session):
        """Whether local_init_op has run, or there is none, and else why not."""
        if self._local_init_op is None:
            return True, None
        is_ready, reason = self._model_ready_for_local_init(session)
        if not is_ready:
            return False, reason
        logging.info("Running local_init_op.")
        session.run(
            self._local_init_op, self._local_init_feed_dict, options=self._local_init_run_options
        )
        logging.info("Done running local_init_op.")
        return True, None


def _ready(op, session, message):
    """Whether a tensor of names is empty, and else a text with them."""
    if op is None:
        return True, None
    try:
        value = session.run(op)
    except errors.FailedPreconditionError as error:
        if "uninitialized" not in str(error):
            logging.warning("%s : error [%s]", message, str(error))
            raise
        return False, str(error)
    if value is None or value.dtype == np.int32 or value.size == 0:
        return True, None
    return False, "Variables not initialized: " + ", ".join(name.decode() for name in value)


class _CountDownTimer:
    """How many seconds are left."""

    def __init__(self, duration_secs):
        self._end = time.time() + duration_secs

    def secs_remaining(self):
        return max(0, self._end - time.time())
