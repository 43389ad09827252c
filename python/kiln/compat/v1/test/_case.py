"""tf.test.TestCase."""

import contextlib
import os
import random
import tempfile
import threading

import numpy as np
from absl.testing import absltest

from kiln.compat.v1._graph import get_default_graph, reset_default_graph
from kiln.compat.v1._session import Session, get_default_session
from kiln.compat.v1._util import nest
from kiln.compat.v1.test._assertions import Assertions
from kiln.compat.v1.test._tools import get_temp_dir

RANDOM_SEED = 87654321


class TestCase(Assertions, absltest.TestCase):
    """A test that has a new default graph and the seeds of TensorFlow's tests. Source: tf.test.TestCase."""

    def __init__(self, methodName="runTest"):  # noqa: N803, unittest's name
        super().__init__(methodName)
        self._threads, self._own_folder, self._cached_session = [], None, None

    def setUp(self):
        super().setUp()
        self._close_cached_session()
        random.seed(RANDOM_SEED)
        np.random.seed(RANDOM_SEED)
        reset_default_graph()
        get_default_graph().seed = RANDOM_SEED
        self._tempdir = None
        self._skip_if_session()

    def _skip_if_session(self):
        """The method test_session() has a test's name."""
        if self.id().endswith(".test_session"):
            self.skipTest("Not a test.")

    def tearDown(self):
        for thread in self._threads:
            thread.check_termination()
        self._close_cached_session()
        super().tearDown()

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
        """A default session of a graph, which ends with the block. There are CPUs alone: use_gpu and
        force_gpu change nothing. config: devices that are not there do not matter where it is None.
        """
        with Session(graph=graph, config=_config(config, force_gpu)) as session:
            yield session

    @contextlib.contextmanager
    def cached_session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        """A default session that stays as it is from block to block of one test."""
        session = self._session_of_test(graph, config, force_gpu, is_strict=True)
        with _default(session):
            yield session

    @contextlib.contextmanager
    def test_session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        """session() of a graph that is given, otherwise cached_session()."""
        self._skip_if_session()
        if graph is not None:
            with self.session(graph, config, use_gpu, force_gpu) as session:
                yield session
            return
        session = self._session_of_test(graph, config, force_gpu, is_strict=False)
        with _default(session):
            yield session

    def _session_of_test(self, graph, config, force_gpu, is_strict):
        asked = (graph, config, force_gpu)
        if self._cached_session is None:
            self._cached_session = Session(graph=graph, config=_config(config, force_gpu))
            self._asked = asked
        for i, name in enumerate(("graph", "config", "force_gpu value")) if is_strict else ():
            if asked[i] is not self._asked[i]:
                raise ValueError(
                    f"The {name} used to get the cached session is different than the one that was used to create "
                    "the session. Maybe create a new session with self.session()"
                )
        return self._cached_session

    def evaluate(self, tensors):
        """The values of a tensor, or of a structure of them, in the default session."""
        flat, session = nest.flatten(tensors), get_default_session()
        if session is not None:
            return nest.pack_sequence_as(tensors, session.run(flat))
        with self.test_session() as own:
            return nest.pack_sequence_as(tensors, own.run(flat))

    def checkedThread(self, target, args=None, kwargs=None):  # noqa: N802, TensorFlow's name
        """A thread whose exceptions are the test's."""
        thread = _CheckedThread(self, target, args, kwargs)
        self._threads.append(thread)
        return thread

    def captureWritesToStream(self, stream):  # noqa: N802
        """A context that gives what is written to a file meanwhile, by contents()."""
        return _captured(stream, self.get_temp_dir())


def _config(config, force_gpu):
    """The ConfigProto of a test's session."""
    from kiln.compat.v1 import _messages

    return _messages.ConfigProto(allow_soft_placement=not force_gpu) if config is None else config


@contextlib.contextmanager
def _default(session):
    """A session and its graph as the default ones."""
    with session.graph.as_default(), session.as_default():
        yield


class _CapturedWrites:
    """What was written to a file descriptor."""

    def __init__(self, path):
        self._path = path

    def contents(self):
        with open(self._path) as written:
            return written.read()


@contextlib.contextmanager
def _captured(stream, folder):
    """What is written to a stream's file descriptor while the block lasts."""
    stream.flush()
    descriptor = stream.fileno()
    file, path = tempfile.mkstemp(dir=folder)
    kept = os.dup(descriptor)
    os.dup2(file, descriptor)
    try:
        yield _CapturedWrites(path)
    finally:
        stream.flush()
        os.close(file)
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
        """To be called when the test ends: each thread must have been joined."""
        if not self._is_ended:
            self._test.fail("A checked thread was not joined.")
        elif self.is_alive():
            raise RuntimeError(
                "Thread was not joined with main thread, and is still running when the test finished."
            )
