"""tf.contrib.slim.queues: the threads of queues, in a context."""

import contextlib
import threading

from kiln.compat import v1 as tf

__all__ = ["NestedQueueRunnerError", "QueueRunners"]

_lock = threading.Lock()


class NestedQueueRunnerError(Exception):
    """QueueRunners within QueueRunners."""


@contextlib.contextmanager
def QueueRunners(session):  # noqa: N802, TensorFlow's name
    """A context in which the queue runners of the graph run. Errors: NestedQueueRunnerError.

    Source: tf.contrib.slim.queues.QueueRunners.
    """
    if not _lock.acquire(False):
        raise NestedQueueRunnerError("QueueRunners cannot be nested")
    coordinator, threads = tf.train.Coordinator(), []
    for runner in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS):
        threads += runner.create_threads(session, coord=coordinator, daemon=True, start=True)
    try:
        yield
    finally:
        coordinator.request_stop()
        try:
            coordinator.join(threads, stop_grace_period_secs=120)
        except RuntimeError:
            session.close()
        _lock.release()
