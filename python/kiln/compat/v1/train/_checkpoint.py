"""Checkpoints of objects, whose variables have the names on the way to them."""

import os

from kiln.compat import v1 as tf
from kiln.compat.v1.keras._saving import _trackable, weights
from kiln.compat.v1.train import _checkpoint_management


def _session():
    """The default session, or the one that Keras keeps."""
    from kiln.compat.v1.keras.backend import get_session

    return tf.get_default_session() or get_session()


class Checkpoint:
    """Variables, layers, models, optimizers, and lists and dicts of them, that are saved together.

    Each stands under the name of the argument, or of the attribute that a program sets. Errors: ValueError for what
    keeps no variables. Source: tf.train.Checkpoint.
    **Difference**: variables that are made after restore() get their values when the status restores once more.
    """

    _OWN = ("_save_counter", "_count")

    def __init__(self, **kwargs):
        self._save_counter = self._count = None
        for name, value in sorted(kwargs.items()):
            if not _trackable.may_be_saved(value):
                raise ValueError(
                    "`Checkpoint` was expecting a trackable object (an object derived from `TrackableBase`), got "
                    f"{value}. If you believe this object should be trackable (i.e. it is part of the TensorFlow "
                    "Python API and manages state), please open an issue."
                )
            setattr(self, name, value)

    def _checkpoint_children(self):
        """Pairs of names and objects."""
        found = [(name, each) for name, each in vars(self).items() if name not in self._OWN]
        if self._save_counter is not None:
            found.append(("save_counter", self._save_counter))
        return [(name, each) for name, each in found if _trackable.may_be_saved(each)]

    @property
    def save_counter(self):
        """A variable: how often save() has been called."""
        if self._save_counter is None:
            with tf.device("/cpu:0"):
                self._save_counter = tf.Variable(
                    0, trainable=False, dtype=tf.int64, name="save_counter", use_resource=True
                )
        return self._save_counter

    def _count_up(self, session):
        """Raises the counter, which begins at 0."""
        if self._save_counter is None:
            session.run(self.save_counter.initializer)
        if self._count is None:
            self._count = self.save_counter.assign_add(1)
        return session.run(self._count)

    def write(self, file_prefix, session=None):
        """Writes a checkpoint, and gives its prefix. session: None: the default one, or Keras's.

        Errors: as Session.run().
        """
        session, prefix = session or _session(), os.fspath(file_prefix)
        weights.write_checkpoint(self, prefix, session.run)
        return prefix

    def save(self, file_prefix, session=None):
        """Writes a checkpoint PREFIX-NUMBER, which latest_checkpoint() finds, and gives its prefix.

        Errors: as Session.run().
        """
        session, prefix = session or _session(), os.fspath(file_prefix)
        path = self.write(f"{prefix}-{self._count_up(session)}", session)
        _checkpoint_management.update_checkpoint_state_internal(
            save_dir=os.path.dirname(prefix),
            model_checkpoint_path=path,
            all_model_checkpoint_paths=[path],
            save_relative_paths=True,
        )
        return path

    def restore(self, save_path):
        """The status of a checkpoint, of an object's or of a tf.train.Saver's; its methods restore the variables.

        save_path: None: nothing is restored. Errors: NotFoundError.
        """
        if save_path is None:
            status = NothingRestored(self)
        else:
            status = RestoreStatus(self, tf.train.NewCheckpointReader(os.fspath(save_path)))
        self.save_counter  # is one of the variables from now on
        return status


def _variables_of(root):
    return [each for each in _trackable.ObjectGraph(root).objects if isinstance(each, tf.Variable)]


class RestoreStatus(weights.LoadStatus):
    """What of a checkpoint was found in an object; what Checkpoint.restore() gives."""

    def _own_weights(self):
        return _variables_of(self._model)

    def _restore(self, pairs, session=None):
        session = session or _session()
        for variable, key in pairs:
            variable.load(self._reader.get_tensor(key), session)

    def run_restore_ops(self, session=None):
        """Gives the variables that were matched their values."""
        self._restore(self._matches()[0], session)

    def initialize_or_restore(self, session=None):
        """The same; the others get their first values."""
        session, found = session or _session(), self._matches()[0]
        known = {id(variable) for variable, _ in found}
        session.run([each.initializer for each in self._own_weights() if id(each) not in known])
        self._restore(found, session)


class NothingRestored:
    """The status where there is no checkpoint."""

    def __init__(self, root):
        self._root = root

    def initialize_or_restore(self, session=None):
        """Gives all variables their first values."""
        (session or _session()).run([each.initializer for each in _variables_of(self._root)])

    def run_restore_ops(self, session=None):
        """Errors: AssertionError."""
        raise AssertionError("No checkpoint specified, so no restore ops are available (save_path=None to restore()).")

    def assert_consumed(self):
        """Errors: AssertionError."""
        raise AssertionError("No checkpoint specified (save_path=None); nothing is being restored.")

    assert_existing_objects_matched = assert_nontrivial_match = assert_consumed

    def expect_partial(self):
        return self
