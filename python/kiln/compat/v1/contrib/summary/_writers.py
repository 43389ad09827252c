"""The writers of tf.contrib.summary: an event file that operations of a graph write to."""

import contextlib
import os
import threading

from kiln.compat import v1 as tf
from kiln.compat.v1._util.deprecation import deprecated

_INITIALIZERS = "_SUMMARY_WRITER_V2"

_open_files = {}  # by the name that writers share
_lock = threading.Lock()


class _Current(threading.local):
    """What holds in this thread: the writer, and whether summaries are recorded."""

    writer = None
    recording = None


current = _Current()


class SummaryWriter:
    """What summaries are written to. Source: tf.contrib.summary.SummaryWriter."""

    def set_as_default(self):
        """Makes it the writer of this thread."""

    @contextlib.contextmanager
    def as_default(self):
        """A context in which it is the writer of this thread."""
        yield

    def init(self):
        """An operation that opens it."""

    def flush(self):
        """An operation that brings what waits into the file."""

    def close(self):
        """An operation that closes it."""


class FileWriter(SummaryWriter):
    """An event file; the operations call Python.

    name: what writers share: of those with one name the first that is opened counts.
    """

    def __init__(self, logdir, max_queue, flush_millis, filename_suffix, name):
        self._options = (logdir, max_queue, flush_millis, filename_suffix)
        self._name = name
        tf.add_to_collection(_INITIALIZERS, self.init())

    def set_as_default(self):
        current.writer = self

    @contextlib.contextmanager
    def as_default(self):
        before = current.writer
        current.writer = self
        try:
            yield self
            self.flush()
        finally:
            current.writer = before

    def init(self):
        return call(self._open, self._options, "create_summary_file_writer")

    def flush(self):
        return flush(self)

    def close(self):
        with tf.control_dependencies([self.flush()]), tf.device("cpu:0"):
            return call(self._close, [], "close_summary_writer")

    def _open(self, logdir, max_queue, flush_millis, filename_suffix):
        with _lock:
            if self._name not in _open_files:
                _open_files[self._name] = tf.summary.FileWriter(
                    logdir.decode(),
                    max_queue=int(max_queue),
                    flush_secs=max(int(flush_millis) // 1000, 1),
                    filename_suffix=filename_suffix.decode(),
                )

    def file(self):
        """The file. Errors: FailedPreconditionError before it is open."""
        with _lock:
            found = _open_files.get(self._name)
        if found is None:
            raise ValueError(
                f"the summary writer {self._name!r} is not open: run "
                "tf.contrib.summary.summary_writer_initializer_op() first"
            )
        return found

    def _flush(self):
        self.file().flush()

    def _close(self):
        with _lock:
            found = _open_files.pop(self._name, None)
        if found is not None:
            found.close()


def call(function, inputs, name):
    """An operation that calls a Python function, which gives nothing."""

    def called(*values):
        function(*values)
        return True

    return tf.py_func(called, list(inputs), tf.bool, name=name).op


def create_file_writer(
    logdir, max_queue=None, flush_millis=None, filename_suffix=None, name=None
):
    """A writer of an event file in a folder; None: one that writes nothing.

    max_queue: how many summaries wait, 10 by default. flush_millis: how long, two minutes by
    default. filename_suffix: ".v2" by default. name: what writers share, by default of the folder.
    Source: tf.contrib.summary.create_file_writer. Difference: the operations are PyFuncs.
    """
    if logdir is None:
        return SummaryWriter()
    with tf.device("cpu:0"):
        return FileWriter(
            tf.convert_to_tensor(str(logdir)),
            tf.constant(10) if max_queue is None else max_queue,
            tf.constant(2 * 60 * 1000) if flush_millis is None else flush_millis,
            tf.constant(".v2") if filename_suffix is None else filename_suffix,
            "logdir:" + str(logdir) if name is None else name,
        )


def create_noop_writer():
    """A writer that writes nothing. Source: tf.contrib.summary.create_noop_writer."""
    return SummaryWriter()


@deprecated(None, "Renamed to create_file_writer().", module="tensorflow.python.ops.summary_ops_v2")
def create_summary_file_writer(*args, **kwargs):
    """The older name of create_file_writer()."""
    tf.logging.warning(
        "Deprecation Warning: create_summary_file_writer was renamed to create_file_writer"
    )
    return create_file_writer(*args, **kwargs)


def flush(writer=None, name=None):
    """An operation that brings what waits into the file of a writer, by default of this thread's.

    Source: tf.contrib.summary.flush.
    """
    writer = current.writer if writer is None else writer
    if not isinstance(writer, FileWriter):
        return tf.no_op()
    with tf.device("cpu:0"):
        return call(writer._flush, [], name or "flush_summary_writer")


def summary_writer_initializer_op():
    """The operations that open all writers of the graph.

    Source: tf.contrib.summary.summary_writer_initializer_op.
    """
    return list(tf.get_collection(_INITIALIZERS))


def flush_all_writers():
    """Operations that flush all writers of this process which are open."""

    def flush_all():
        with _lock:
            found = list(_open_files.values())
        for each in found:
            each.flush()

    return [call(flush_all, [], "flush_summary_writers")]


def eval_dir(model_dir, name=None):
    """The folder for the summaries of an evaluation. Source: tf.contrib.summary.eval_dir."""
    return os.path.join(model_dir, "eval" if not name else "eval_" + name)
