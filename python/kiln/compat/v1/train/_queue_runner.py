"""Threads that fill queues."""

import threading
import weakref

from kiln._kiln import front as _c
from kiln.compat.v1 import _messages, errors, logging
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1._queues import queue_of
from kiln.compat.v1._session import SessionInterface, get_default_session
from kiln.compat.v1._util.deprecation import deprecated

_INSTEAD = "To construct input pipelines, use the `tf.data` module."


class QueueRunner(_c.QueueRunner):
    """Operations that enqueue, each of which a thread runs until there is nothing more or all is asked to stop.

    queue: which they fill; enqueue_ops: one for each thread. close_op: runs when all is enqueued, cancel_op: when all
    stops; operations that close the queue are added where they are None. queue_closed_exception_types: exceptions
    that mean that nothing more comes, (OutOfRangeError,) where it is None. queue_runner_def: a QueueRunnerDef in place
    of all of this. Errors: ValueError, TypeError. Source: tf.train.QueueRunner.
    """

    def __init__(
        self,
        queue=None,
        enqueue_ops=None,
        close_op=None,
        cancel_op=None,
        queue_closed_exception_types=None,
        queue_runner_def=None,
        import_scope=None,
    ):
        super().__init__()
        if queue_runner_def is not None:
            if queue or enqueue_ops:
                raise ValueError("queue_runner_def and queue are mutually exclusive.")
            queue, enqueue_ops, close_op, cancel_op, queue_closed_exception_types = _from_def(
                queue_runner_def, import_scope
            )
        types = queue_closed_exception_types
        if types is None:
            types = (errors.OutOfRangeError,)
        if not (isinstance(types, tuple) and types and all(issubclass(each, errors.OpError) for each in types)):
            raise TypeError(
                "queue_closed_exception_types, when provided, must be a tuple of tf.error types, "
                f"but saw: {queue_closed_exception_types}"
            )
        if queue is None or not enqueue_ops:
            raise ValueError("Must provide queue and enqueue_ops.")
        codes = [errors.error_code_from_exception_type(each) for each in types]
        _c.make_queue_runner(
            self, getattr(queue, "queue_ref", queue), enqueue_ops, close_op, cancel_op, codes
        )
        self._init_members()
        self._queue = queue if hasattr(queue, "queue_ref") else self._queue
        self._enqueue_ops, self._queue_closed_exception_types = enqueue_ops, types

    def _init_members(self):
        """What Python alone keeps; C++ calls it for the runners that it makes."""
        self._lock = threading.Lock()
        # How many threads each session has.
        self._runs_per_session = weakref.WeakKeyDictionary()
        self._exceptions_raised = []
        self._queue = queue_of(_c.queue_runner_queue(self))
        self._enqueue_ops = _c.queue_runner_enqueue_ops(self)
        self._queue_closed_exception_types = tuple(
            errors.exception_type_from_error_code(code) for code in _c.queue_runner_closed_codes(self)
        )

    queue = property(lambda self: self._queue)
    enqueue_ops = property(lambda self: self._enqueue_ops)
    close_op = property(_c.queue_runner_close_op)
    cancel_op = property(_c.queue_runner_cancel_op)
    queue_closed_exception_types = property(lambda self: self._queue_closed_exception_types)

    @property
    def exceptions_raised(self):
        """The exceptions of threads that had no coordinator, since they were made."""
        return self._exceptions_raised

    @property
    def name(self):
        """The queue's."""
        return self._queue.name

    def _run(self, sess, enqueue_op, coord=None):
        """A thread: enqueues until it is told to stop, or nothing more comes."""
        is_counted = True
        try:
            enqueue = sess.make_callable(enqueue_op)
            while not (coord and coord.should_stop()):
                try:
                    enqueue()
                except self._queue_closed_exception_types:
                    is_last, is_counted = self._leave(sess), False
                    if is_last:
                        self._close(sess)
                    return
        except Exception as error:
            if coord and coord.joined and isinstance(error, errors.CancelledError):
                return  # the session is closed, and nobody waits for this thread
            if coord:
                coord.request_stop(error)
                return
            logging.error("Exception in QueueRunner: %s", error)
            with self._lock:
                self._exceptions_raised.append(error)
            raise
        finally:
            if is_counted:
                self._leave(sess)

    def _leave(self, sess):
        """Whether the session has no thread any more."""
        with self._lock:
            self._runs_per_session[sess] -= 1
            return self._runs_per_session[sess] == 0

    def _close(self, sess):
        try:
            sess.run(self.close_op)
        except Exception as error:  # others may have closed it
            logging.vlog(1, "Ignored exception: %s", error)

    def _close_on_stop(self, sess, cancel_op, coord):
        """A thread: cancels what waits when all is asked to stop."""
        coord.wait_for_stop()
        try:
            sess.run(cancel_op)
        except Exception as error:
            logging.vlog(1, "Ignored exception: %s", error)

    def create_threads(self, sess, coord=None, daemon=False, start=False):
        """The threads, and with a coordinator one that cancels; none where they run in this session already.

        daemon: the program may end before them; start: starts them.
        """
        with self._lock:
            if self._runs_per_session.get(sess, 0) > 0:
                return []
            self._runs_per_session[sess] = len(self._enqueue_ops)
            self._exceptions_raised = []
        threads = [
            threading.Thread(
                target=self._run, args=(sess, op, coord), name=f"QueueRunnerThread-{self.name}-{op.name}"
            )
            for op in self._enqueue_ops
        ]
        if coord:
            threads.append(
                threading.Thread(
                    target=self._close_on_stop,
                    args=(sess, self.cancel_op, coord),
                    name=f"QueueRunnerThread-{self.name}-close_on_stop",
                )
            )
        for thread in threads:
            if coord:
                coord.register_thread(thread)
            if daemon:
                thread.daemon = True
            if start:
                thread.start()
        return threads

    def to_proto(self, export_scope=None):
        """A QueueRunnerDef, without the scope that is exported; None where it is not in the scope."""
        if export_scope is not None and not self.queue.name.startswith(export_scope):
            return None
        prefix = len(export_scope.rstrip("/")) + 1 if export_scope else 0
        return _messages.QueueRunnerDef(
            queue_name=self.queue.name[prefix:],
            enqueue_op_name=[op.name[prefix:] for op in self.enqueue_ops],
            close_op_name=self.close_op.name[prefix:],
            cancel_op_name=self.cancel_op.name[prefix:],
            queue_closed_exception_types=[
                errors.error_code_from_exception_type(each) for each in self._queue_closed_exception_types
            ],
        )

    @staticmethod
    def from_proto(queue_runner_def, import_scope=None):
        return QueueRunner(queue_runner_def=queue_runner_def, import_scope=import_scope)


def _from_def(queue_runner_def, import_scope):
    graph, scope = get_default_graph(), f"{import_scope.rstrip('/')}/" if import_scope else ""

    def element(name):
        return graph.as_graph_element(scope + name)

    queue = element(queue_runner_def.queue_name)
    types = tuple(
        errors.exception_type_from_error_code(code) for code in queue_runner_def.queue_closed_exception_types
    )
    return (
        queue if isinstance(queue, _c.Tensor) else queue.outputs[0],
        [element(name) for name in queue_runner_def.enqueue_op_name],
        element(queue_runner_def.close_op_name),
        element(queue_runner_def.cancel_op_name),
        types or None,
    )


@deprecated(None, _INSTEAD, module="tensorflow.python.training.queue_runner_impl")
def add_queue_runner(qr, collection="queue_runners"):
    """Puts a runner into a collection of the current graph. Source: tf.train.add_queue_runner."""
    get_default_graph().add_to_collection(collection, qr)


@deprecated(None, _INSTEAD, module="tensorflow.python.training.queue_runner_impl")
def start_queue_runners(sess=None, coord=None, daemon=True, start=True, collection="queue_runners"):
    """Starts all runners of the current graph, and gives the threads.

    sess: the default session where it is None. Errors: ValueError without one, TypeError. Source:
    tf.train.start_queue_runners.
    """
    if sess is None:
        sess = get_default_session()
        if not sess:
            raise ValueError(
                "Cannot start queue runners: No default session is registered. Use `with sess.as_default()` or pass "
                "an explicit session to tf.start_queue_runners(sess=sess)"
            )
    if not isinstance(sess, SessionInterface):
        if type(sess).__name__ in ("MonitoredSession", "SingularMonitoredSession"):
            return []  # which have started them
        raise TypeError(f"sess must be a `tf.Session` object. Given class: {type(sess)}")
    runners = get_default_graph().get_collection(collection)
    if not runners:
        logging.warning(
            "`tf.train.start_queue_runners()` was called when no queue runners were defined. "
            "You can safely remove the call to this deprecated function."
        )
    return _started(sess, coord, daemon, start, collection)


def _started(sess, coord, daemon=True, start=True, collection="queue_runners"):
    """The threads of all runners of the session's graph."""
    threads = []
    with sess.graph.as_default():
        for runner in sess.graph.get_collection(collection):
            threads.extend(runner.create_threads(sess, coord=coord, daemon=daemon, start=start))
    return threads


_c.set_classes(queue_runner=QueueRunner)
