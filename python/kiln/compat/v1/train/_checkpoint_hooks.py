"""The hook that saves checkpoints, and those that are told of it."""

import os

from kiln.compat.v1 import _messages, logging
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1.summary._writer import FileWriterCache
from kiln.compat.v1.train import _training_util
from kiln.compat.v1.train._hook_timers import SecondOrStepTimer
from kiln.compat.v1.train._hooks import step_read
from kiln.compat.v1.train._session_run_hook import SessionRunArgs, SessionRunHook


class CheckpointSaverListener:
    """What a CheckpointSaverHook calls around each checkpoint; a subclass overrides what it needs.

    Source: tf.train.CheckpointSaverListener.
    """

    def begin(self):
        """Called once, before the graph is finalized."""

    def before_save(self, session, global_step_value):
        pass

    def after_save(self, session, global_step_value):
        """Gives True where the training is to stop."""

    def end(self, session, global_step_value):
        """Called behind the last checkpoint."""


class CheckpointSaverHook(SessionRunHook):
    """Saves a checkpoint at the beginning, every so many seconds or steps, and at the end.

    checkpoint_dir: the folder. saver: what saves; that of the scaffold, or the one of the graph's collection, where
    it is None. listeners: CheckpointSaverListeners. save_graph_def: whether the graph is written, too. Errors:
    ValueError. Source: tf.train.CheckpointSaverHook.
    """

    def __init__(
        self,
        checkpoint_dir,
        save_secs=None,
        save_steps=None,
        saver=None,
        checkpoint_basename="model.ckpt",
        scaffold=None,
        listeners=None,
        save_graph_def=True,
    ):
        logging.info("Create CheckpointSaverHook.")
        if saver is not None and scaffold is not None:
            raise ValueError("You cannot provide both saver and scaffold.")
        self._saver, self._scaffold, self._checkpoint_dir = saver, scaffold, checkpoint_dir
        self._save_path = os.path.join(checkpoint_dir, checkpoint_basename)
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)
        self._listeners, self._save_graph_def = listeners or [], save_graph_def
        # So many that the step is always read, unless the program says how many a run makes.
        self._steps_per_run = 1000000

    def _set_steps_per_run(self, steps_per_run):
        self._steps_per_run = steps_per_run

    def begin(self):
        self._summary_writer = FileWriterCache.get(self._checkpoint_dir)
        self._global_step_tensor = step_read("CheckpointSaverHook")
        for listener in self._listeners:
            listener.begin()

    def after_create_session(self, session, coord):
        from kiln.compat.v1.train._meta_graph import create_meta_graph_def

        step, graph = session.run(self._global_step_tensor), get_default_graph()
        # Not in begin(): other hooks may add to the graph there.
        graph_def = graph.as_graph_def(add_shapes=True)
        if self._save_graph_def:
            _training_util.write_graph(graph_def, self._checkpoint_dir, "graph.pbtxt")
        saver = self._get_saver()
        meta_graph = create_meta_graph_def(
            graph_def=graph_def, saver_def=saver.saver_def if saver else None
        )
        self._summary_writer.add_graph(graph)
        self._summary_writer.add_meta_graph(meta_graph)
        self._save(session, step)
        self._timer.update_last_triggered_step(step)

    def before_run(self, run_context):
        return SessionRunArgs(self._global_step_tensor)

    def after_run(self, run_context, run_values):
        if not self._timer.should_trigger_for_step(run_values.results + self._steps_per_run):
            return
        step = run_context.session.run(self._global_step_tensor)
        if self._timer.should_trigger_for_step(step):
            self._timer.update_last_triggered_step(step)
            if self._save(run_context.session, step):
                run_context.request_stop()

    def end(self, session):
        step = self._save_unless_saved(session)
        for listener in self._listeners:
            listener.end(session, step)

    def _save_unless_saved(self, session):
        """Saves the present step unless it is saved already; gives the step."""
        step = session.run(self._global_step_tensor)
        if step != self._timer.last_triggered_step():
            self._timer.update_last_triggered_step(step)
            self._save(session, step)
        return step

    def _save(self, session, step):
        """Saves; gives whether a listener wants to stop."""
        logging.info("Calling checkpoint listeners before saving checkpoint %d...", step)
        for listener in self._listeners:
            listener.before_save(session, step)
        logging.info("Saving checkpoints for %d into %s.", step, self._save_path)
        self._get_saver().save(
            session, self._save_path, global_step=step, write_meta_graph=self._save_graph_def
        )
        saved = _messages.SessionLog(
            status=_messages.SessionLog.CHECKPOINT, checkpoint_path=self._save_path
        )
        self._summary_writer.add_session_log(saved, step)
        logging.info("Calling checkpoint listeners after saving checkpoint %d...", step)
        should_stop = False
        for listener in self._listeners:
            if listener.after_save(session, step):
                logging.info(
                    "A CheckpointSaverListener requested that training be stopped. listener: %s", listener
                )
                should_stop = True
        return should_stop

    def _get_saver(self):
        if self._saver is not None:
            return self._saver
        if self._scaffold is not None:
            return self._scaffold.saver
        savers = get_default_graph().get_collection("savers")
        if not savers:
            raise RuntimeError(
                "No items in collection savers. Please add a saver to the collection or provide a saver or scaffold."
            )
        if len(savers) > 1:
            raise RuntimeError(
                "More than one item in collection savers. Please indicate which one to use by passing it to the "
                "constructor."
            )
        self._saver = savers[0]
        return self._saver
