"""Event files, which TensorBoard reads while they grow."""

import os
import threading
import time
import warnings

from kiln._kiln import front as _c
from kiln.compat.v1 import _messages, logging
from kiln.compat.v1._graph import Graph


class FileWriter:
    """Writes an event file, LOGDIR/events.out.tfevents.TIME.HOST.

    graph: is written at once. max_queue: events that wait before they are written; flush_secs: seconds that they wait.
    filename_suffix: of the file. session: writes through C++, as all do here. Any thread may call anything. As a
    context manager it is closed at the end. Source: tf.summary.FileWriter.
    """

    def __init__(
        self, logdir, graph=None, max_queue=10, flush_secs=120, graph_def=None, filename_suffix=None, session=None
    ):
        self._logdir = os.fspath(logdir)
        if isinstance(self._logdir, bytes):
            self._logdir = self._logdir.decode()
        self._closed = False
        self._warned = False
        self._run_tags = set()
        self._writer = _c.open_event_writer(self._logdir or ".", max_queue, int(flush_secs), filename_suffix or "")
        self.event_writer = self
        if graph is not None or graph_def is not None:
            self._add_graph(graph, graph_def, None, True)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def get_logdir(self):
        return self._logdir

    def _is_open(self):
        if self._closed and not self._warned:
            self._warned = True
            warnings.warn(
                "Attempting to use a closed FileWriter. The operation will be a noop unless the FileWriter is "
                "explicitly reopened.",
                stacklevel=3,
            )
        return not self._closed

    def add_summary(self, summary, global_step=None):
        """A Summary message, as it is or serialized, as a run gives it. Descriptions of tags are written once."""
        if self._is_open():
            data = summary if isinstance(summary, bytes) else summary.SerializeToString()
            self._writer.add_summary(data, 0 if global_step is None else int(global_step))

    def add_session_log(self, session_log, global_step=None):
        self._add(_messages.Event(session_log=session_log), global_step)

    def add_graph(self, graph, global_step=None, graph_def=None):
        """A Graph, or a GraphDef. Errors: ValueError for both, TypeError."""
        self._add_graph(graph, graph_def, global_step, False)

    def _add_graph(self, graph, graph_def, global_step, has_meta_graph):
        if not self._is_open():
            return
        if graph is not None and graph_def is not None:
            raise ValueError("Please pass only graph, or graph_def (deprecated), but not both.")
        if isinstance(graph_def, Graph):
            logging.warning(
                "When passing a `Graph` object, please use the `graph` named argument instead of `graph_def`."
            )
            graph = graph_def
        if isinstance(graph, Graph):
            self._writer.add_graph(graph, 0 if global_step is None else int(global_step), has_meta_graph)
            return
        given = graph if graph is not None else graph_def
        if type(given).__name__ != "GraphDef":
            raise TypeError("The passed graph must be an instance of `Graph` or the deprecated `GraphDef`")
        logging.warning(
            "Passing a `GraphDef` to the SummaryWriter is deprecated. "
            "Pass a `Graph` object instead, such as `sess.graph`."
        )
        self._add(_messages.Event(graph_def=given.SerializeToString()), global_step)
        if has_meta_graph:
            self.add_meta_graph(_messages.MetaGraphDef(graph_def=given))

    def add_meta_graph(self, meta_graph_def, global_step=None):
        """Errors: TypeError for what is no MetaGraphDef."""
        if type(meta_graph_def).__name__ != "MetaGraphDef":
            raise TypeError(f"meta_graph_def must be type MetaGraphDef, saw type: {type(meta_graph_def)}")
        self._add(_messages.Event(meta_graph_def=meta_graph_def.SerializeToString()), global_step)

    def add_run_metadata(self, run_metadata, tag, global_step=None):
        """What a run did, under a tag of its own. Errors: ValueError for a tag that was there."""
        if tag in self._run_tags:
            raise ValueError("The provided tag was already used for this event type")
        self._run_tags.add(tag)
        tagged = _messages.TaggedRunMetadata(tag=tag, run_metadata=run_metadata.SerializeToString())
        self._add(_messages.Event(tagged_run_metadata=tagged), global_step)

    def _add(self, event, global_step):
        event.wall_time = time.time()
        if global_step is not None:
            event.step = int(global_step)
        self.add_event(event)

    def add_event(self, event):
        """An Event message as it is."""
        if self._is_open():
            self._writer.add_event(event.SerializeToString())

    def flush(self):
        """Brings what waits into the file."""
        if self._is_open():
            self._writer.flush()

    def close(self):
        """What is written later is dropped, with a warning."""
        if not self._closed:
            self._writer.close()
            self._closed = True

    def reopen(self):
        """Goes on in a new file, if it is closed."""
        if self._closed:
            self._writer.reopen()
            self._closed = self._warned = False


class FileWriterCache:
    """One writer for each folder. Source: tf.summary.FileWriterCache."""

    _cache = {}
    _lock = threading.RLock()

    @staticmethod
    def clear():
        """Closes all."""
        with FileWriterCache._lock:
            for writer in FileWriterCache._cache.values():
                writer.close()
            FileWriterCache._cache = {}

    @staticmethod
    def get(logdir):
        """The folder's writer, made where there is none."""
        with FileWriterCache._lock:
            if logdir not in FileWriterCache._cache:
                from kiln.compat.v1._graph import get_default_graph

                FileWriterCache._cache[logdir] = FileWriter(logdir, graph=get_default_graph())
            return FileWriterCache._cache[logdir]


def summary_iterator(path):
    """The Event messages of an event file, one after the other. Source: tf.train.summary_iterator."""
    from kiln.compat.v1._io import tf_record

    for record in tf_record._records(os.fspath(path), ""):
        yield _messages.Event.FromString(record)
