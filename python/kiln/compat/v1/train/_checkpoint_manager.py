"""The last checkpoints of an object, and those that stay."""

import os
import time

from kiln.compat import v1 as tf
from kiln.compat.v1.train import _checkpoint_management as _management


class CheckpointManager:
    """Saves a tf.train.Checkpoint in a folder and deletes what is old.

    max_to_keep: how many stay; None: all. keep_checkpoint_every_n_hours: of those that would go, one in that time
    stays for ever. checkpoint_name: begins the names of files. step_counter: a variable; save() does nothing before
    it has grown by checkpoint_interval since last_checkpoint_step. init_fn: what restore_or_initialize() calls where
    there is no checkpoint. Errors: ValueError. Source: tf.train.CheckpointManager.
    """

    def __init__(
        self,
        checkpoint,
        directory,
        max_to_keep,
        keep_checkpoint_every_n_hours=None,
        checkpoint_name="ckpt",
        step_counter=None,
        checkpoint_interval=None,
        init_fn=None,
        last_checkpoint_step=None,
    ):
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError(f"Expected a positive integer or `None` for `max_to_keep`, got {max_to_keep}.")
        if checkpoint_interval is not None and step_counter is None:
            raise ValueError("`step_counter` should be passed if `checkpoint_interval` is not None.")
        self._checkpoint, self._directory = checkpoint, os.fspath(directory)
        self._max_to_keep, self._hours = max_to_keep, keep_checkpoint_every_n_hours
        self._prefix = os.path.join(self._directory, checkpoint_name)
        self._step_counter, self._interval = step_counter, checkpoint_interval
        self._init_fn, self._last_step = init_fn, last_checkpoint_step
        # When each was written, the oldest first.
        self._times = {}
        self._latest, self._preserved = None, time.time() - 1.0
        self._recover()

    def _recover(self):
        """Goes on with the checkpoints that an earlier manager of the folder has left."""
        state, now = _management.get_checkpoint_state(self._directory), time.time()
        if state is None:
            return
        self._latest, self._preserved = state.model_checkpoint_path, state.last_preserved_timestamp
        if now < self._preserved:
            tf.logging.warning(
                "time.time() returned a value %f seconds behind the last preserved checkpoint timestamp.",
                self._preserved - now,
            )
            self._preserved = now
        paths = state.all_model_checkpoint_paths
        times = state.all_model_checkpoint_timestamps or [self._preserved] * len(paths)
        # Those that may have been meant to stay are left alone.
        self._times = {path: at for path, at in zip(paths, times) if min(at, now) > self._preserved}

    directory = property(lambda self: self._directory)
    checkpoint = property(lambda self: self._checkpoint)
    checkpoint_interval = property(lambda self: self._interval)
    latest_checkpoint = property(lambda self: self._latest, doc="The prefix of the newest one, or None.")

    @property
    def checkpoints(self):
        """The prefixes of those that may go, the oldest first."""
        return list(self._times)

    def _is_due(self, session, check_interval):
        if self._interval is None:
            return True
        step, last = session.run(self._step_counter), self._last_step
        if last is not None and (step == last or (check_interval and step < last + self._interval)):
            return False
        self._last_step = step
        return True

    def save(self, checkpoint_number=None, check_interval=True):
        """Writes a checkpoint and gives its prefix; None where it is not due.

        checkpoint_number: a number, a tensor or a variable; None: how many there have been. Errors: as Session.run().
        """
        from kiln.compat.v1.train._checkpoint import _session

        session = _session()
        if not self._is_due(session, check_interval):
            return None
        count = self._checkpoint._count_up(session)
        number = count if checkpoint_number is None else checkpoint_number
        if isinstance(number, (tf.Tensor, tf.Variable)):
            number = tf.train.global_step(session, number)
        path = self._checkpoint.write(f"{self._prefix}-{number}", session)
        self._times.pop(path, None)
        self._times[path], self._latest = time.time(), path
        self._record()
        self._sweep()
        self._record()
        return path

    def _sweep(self):
        """Deletes those that are too many."""
        while self._max_to_keep and len(self._times) > self._max_to_keep:
            path = next(iter(self._times))
            written = self._times.pop(path)
            if self._hours and written - self._hours * 3600.0 >= self._preserved:
                self._preserved = written
            else:
                _management.remove_checkpoint(path)

    def _record(self):
        _management.update_checkpoint_state_internal(
            self._directory,
            model_checkpoint_path=self._latest,
            all_model_checkpoint_paths=list(self._times),
            all_model_checkpoint_timestamps=list(self._times.values()),
            last_preserved_timestamp=self._preserved,
            save_relative_paths=True,
        )

    def restore_or_initialize(self):
        """The prefix of the newest checkpoint, which is restored; None where there is none, after init_fn().

        Errors: NotFoundError.
        """
        if self._latest is None:
            if self._init_fn is not None:
                self._init_fn()
                tf.logging.info("Customized initialization is done through the passed `init_fn`.")
            return None
        self._checkpoint.restore(self._latest)
        if self._interval is not None:
            from kiln.compat.v1.train._checkpoint import _session

            self._last_step = _session().run(self._step_counter)
        return self._latest
