"""tf.test.TestCase."""

import contextlib
import os
import random
import tempfile
import threading
import unittest

import numpy as np

from kiln.compat.v1._graph import get_default_graph, reset_default_graph
from kiln.compat.v1._session import Session
from kiln.compat.v1.test._assertions import Assertions
from kiln.compat.v1.test._tools import get_temp_dir

RANDOM_SEED = 87654321


class TestCase(Assertions, unittest.TestCase):
    """A test that has a new default graph and the seeds of TensorFlow's tests. Source: tf.test.TestCase."""

    def __init__(self, methodName="runTest"):  # noqa: N803, unittest's name
        super().__init__(methodName)
        self._threads, self._own_folder, self._cached_session = [], None, None

    def setUp(self):
        random.seed(RANDOM_SEED)
        np.random.seed(RANDOM_SEED)
        reset_default_graph()
        get_default_graph().seed = RANDOM_SEED
        self._tempdir = None

    def tearDown(self):
        for thread in self._threads:
            thread.check_termination()
        self._close_cached_session()

    def _close_cached_session(self):
        if self._cached_session is not None:
            session, self._cached_session = self._cached_session, None
            session.close()

    def get_temp_dir(self):
        """A folder of this test's own."""
        if self._own_folder is None:
            self._own_folder = tempfile.mkdtemp(dir=get_temp_dir())
        return self._own_folder

    @contextlib.contextmanager
    def session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        """A default session of a graph, which ends with the block."""
        with Session(graph=graph, config=config) as session:
            yield session

    @contextlib.contextmanager
    def cached_session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        """A default session that stays as it is from block to block of one test."""
        if self._cached_session is None:
            self._cached_session = Session(graph=graph, config=config)
            self._cached_graph = graph
        elif graph is not None and graph is not self._cached_graph:
            raise ValueError("The graph used to get the cached session is different than the one that was used before.")
        session = self._cached_session
        with session.graph.as_default(), session.as_default():
            yield session

    @contextlib.contextmanager
    def test_session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        """session() of a graph that is given, otherwise cached_session()."""
        context = self.cached_session if graph is None else self.session
        with context(graph, config, use_gpu, force_gpu) as session:
            yield session

    def evaluate(self, tensors):
        """The values of tensors in the default session."""
        from kiln.compat.v1._session import get_default_session

        session = get_default_session()
        if session is not None:
            return session.run(tensors)
        with self.cached_session() as own:
            return own.run(tensors)

    def checkedThread(self, target, args=None, kwargs=None):  # noqa: N802, TensorFlow's name
        """A thread whose exceptions are the test's."""
        thread = _CheckedThread(self, target, args, kwargs)
        self._threads.append(thread)
        return thread

    def captureWritesToStream(self, stream):  # noqa: N802
        return _captured(stream)


@contextlib.contextmanager
def _captured(stream):
    """What is written to a file descriptor while the block lasts."""
    descriptor = stream.fileno()
    with tempfile.NamedTemporaryFile() as file:
        kept = os.dup(descriptor)
        os.dup2(file.fileno(), descriptor)

        class Captured:
            def contents(self):
                with open(file.name) as written:
                    return written.read()

        try:
            yield Captured()
        finally:
            os.dup2(kept, descriptor)
            os.close(kept)


class _CheckedThread:
    """A thread of TestCase.checkedThread()."""

    def __init__(self, test, target, args, kwargs):
        self._test, self._target = test, target
        self._args, self._kwargs = args or (), kwargs or {}
        self._thread = threading.Thread(target=self._protected)
        self._error, self._is_ended = None, False

    def _protected(self):
        try:
            self._target(*self._args, **self._kwargs)
        except Exception as error:  # noqa: BLE001, it becomes the test's
            self._error = error

    def start(self):
        self._thread.start()

    def join(self):
        self._is_ended = True
        self._thread.join()
        if self._error is not None:
            self._test.fail(f"Error in checkedThread: {self._error}")

    def is_alive(self):
        return self._thread.is_alive()

    def check_termination(self):
        if not self._is_ended:
            if self.is_alive():
                self._test.fail("Checked thread was not joined before the test ended.")
            elif self._error is not None:
                self._test.fail(f"Checked thread raised an exception: {self._error}")


