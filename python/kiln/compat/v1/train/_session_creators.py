"""What makes the sessions of a monitored session."""

import abc

from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1.train._scaffold import Scaffold
from kiln.compat.v1.train._session_manager import SessionManager


class SessionCreator(metaclass=abc.ABCMeta):
    """Makes sessions; a subclass says how. Source: tf.train.SessionCreator."""

    @abc.abstractmethod
    def create_session(self):
        raise NotImplementedError(f"create_session is not implemented for {self}.")


class _ScaffoldedCreator(SessionCreator):
    """Finalizes the graph by a scaffold, whose operations make sessions ready."""

    def __init__(self, scaffold, master, config):
        self._scaffold = scaffold or Scaffold()
        self._session_manager, self._master, self._config = None, master, config

    def _get_session_manager(self):
        if self._session_manager is None:
            self._session_manager = SessionManager(
                local_init_op=self._scaffold.local_init_op,
                ready_op=self._scaffold.ready_op,
                ready_for_local_init_op=self._scaffold.ready_for_local_init_op,
                graph=get_default_graph(),
                local_init_feed_dict=self._scaffold.local_init_feed_dict,
            )
        return self._session_manager


class ChiefSessionCreator(_ScaffoldedCreator):
    """Makes sessions that are restored from a checkpoint, or initialized.

    scaffold: the operations for it. checkpoint_dir: a folder whose last checkpoint is taken;
    checkpoint_filename_with_path: a checkpoint's path. Source: tf.train.ChiefSessionCreator.
    """

    def __init__(
        self,
        scaffold=None,
        master="",
        config=None,
        checkpoint_dir=None,
        checkpoint_filename_with_path=None,
    ):
        super().__init__(scaffold, master, config)
        self._checkpoint_dir = checkpoint_dir
        self._checkpoint_filename_with_path = checkpoint_filename_with_path

    def create_session(self):
        self._scaffold.finalize()
        return self._get_session_manager().prepare_session(
            self._master,
            saver=self._scaffold.saver,
            checkpoint_dir=self._checkpoint_dir,
            checkpoint_filename_with_path=self._checkpoint_filename_with_path,
            config=self._config,
            init_op=self._scaffold.init_op,
            init_feed_dict=self._scaffold.init_feed_dict,
            init_fn=self._scaffold.init_fn,
        )


class WorkerSessionCreator(_ScaffoldedCreator):
    """Makes sessions that a chief has initialized, and waits max_wait_secs for that.

    Source: tf.train.WorkerSessionCreator.
    """

    def __init__(self, scaffold=None, master="", config=None, max_wait_secs=30 * 60):
        super().__init__(scaffold, master, config)
        self._max_wait_secs = max_wait_secs

    def create_session(self):
        self._scaffold.finalize()
        return self._get_session_manager().wait_for_session(
            self._master, config=self._config, max_wait_secs=self._max_wait_secs
        )
