"""Threads that work together and stop together."""

import contextlib
import sys
import threading
import time

from kiln.compat.v1 import errors, logging


class Coordinator:
    """Lets each of several threads ask all to stop, and hands an error to the one that joins them.

    clean_stop_exception_types: exceptions that are a clean stop, which join() does not raise; OutOfRangeError where
    it is None. Any thread may call anything. Source: tf.train.Coordinator.
    """

    def __init__(self, clean_stop_exception_types=None):
        if clean_stop_exception_types is None:
            clean_stop_exception_types = (errors.OutOfRangeError,)
        self._clean_stop_exception_types = tuple(clean_stop_exception_types)
        self._lock = threading.Lock()
        self._stop_event = threading.Event()
        self._exc_info_to_raise = None  # guarded by the lock
        self._joined = False
        self._registered_threads = set()

    def _kept(self, ex):
        """The exception, or None for a clean stop."""
        value = ex[1] if isinstance(ex, tuple) else ex
        return None if isinstance(value, self._clean_stop_exception_types) else ex

    def request_stop(self, ex=None):
        """Asks all threads to stop.

        ex: an exception, or what sys.exc_info() gives, which join() raises: the first one counts. After join() it is
        raised here.
        """
        with self._lock:
            ex = self._kept(ex)
            if self._joined and ex is not None:
                raise ex[1].with_traceback(ex[2]) if isinstance(ex, tuple) else ex
            if self._stop_event.is_set():
                return
            if ex and self._exc_info_to_raise is None:
                self._exc_info_to_raise = self._reported(ex)
            self._stop_event.set()

    @staticmethod
    def _reported(ex):
        """(type, value, traceback) of what is raised by join()."""
        if isinstance(ex, tuple):
            logging.info("Error reported to Coordinator: %s", ex[1], exc_info=ex)
            found = ex
        else:
            logging.info("Error reported to Coordinator: %s, %s", type(ex), ex)
            found = sys.exc_info()
            if found[1] is None and isinstance(ex, BaseException):
                return type(ex), ex, ex.__traceback__
        if len(found) == 3 and found[0] and found[1]:
            return found
        error = ValueError(f"ex must be a tuple or sys.exc_info must return the current exception: {found}")
        return ValueError, error, None

    def clear_stop(self):
        """Makes it as new, so that threads can begin again after join()."""
        with self._lock:
            self._joined = False
            self._exc_info_to_raise = None
            self._stop_event.clear()

    def should_stop(self):
        return self._stop_event.is_set()

    @contextlib.contextmanager
    def stop_on_exception(self):
        """A context whose exceptions become a request to stop."""
        try:
            yield
        except:  # noqa: E722, all of them
            self.request_stop(ex=sys.exc_info())

    def wait_for_stop(self, timeout=None):
        """Waits until a stop is asked for, or so many seconds; gives should_stop()."""
        return self._stop_event.wait(timeout)

    def register_thread(self, thread):
        """Makes join() wait for the thread."""
        with self._lock:
            self._registered_threads.add(thread)

    def join(self, threads=None, stop_grace_period_secs=120, ignore_live_threads=False):
        """Waits until the threads have ended, or are asked to stop and had so many seconds for it.

        threads: beside those that are registered. Raises the exception that was given to request_stop(). Errors:
        RuntimeError where threads still run, unless ignore_live_threads says that this is fine.
        """
        with self._lock:
            waited = list(self._registered_threads.union(threads or ()))
        while any(thread.is_alive() for thread in waited) and not self.wait_for_stop(1.0):
            pass
        end = time.monotonic() + stop_grace_period_secs
        for thread in waited:
            while thread.is_alive() and time.monotonic() < end:
                thread.join(min(max(end - time.monotonic(), 0), 1.0))
        alive = " ".join(thread.name for thread in waited if thread.is_alive())
        with self._lock:
            self._joined = True
            self._registered_threads = set()
            if self._exc_info_to_raise:
                raise self._exc_info_to_raise[1].with_traceback(self._exc_info_to_raise[2])
        if alive and not ignore_live_threads:
            raise RuntimeError(f"Coordinator stopped with threads still running: {alive}")
        if alive:
            logging.info("Coordinator stopped with threads still running: %s", alive)

    @property
    def joined(self):
        """Whether join() has been called since the beginning or clear_stop()."""
        return self._joined

    def raise_requested_exception(self):
        """Raises the exception that join() would."""
        with self._lock:
            if self._exc_info_to_raise:
                raise self._exc_info_to_raise[1]


class LooperThread(threading.Thread):
    """A thread that calls run_loop(), or a function, again and again until the coordinator stops.

    timer_interval_secs: from one call to the next; None: as fast as it can. Source: tf.train.LooperThread.
    """

    def __init__(self, coord, timer_interval_secs, target=None, args=None, kwargs=None):
        if not isinstance(coord, Coordinator):
            raise ValueError(f"'coord' argument must be a Coordinator: {coord}")
        super().__init__()
        self.daemon = True
        self._coord, self._timer_interval_secs, self._target = coord, timer_interval_secs, target
        if target is None and (args or kwargs):
            raise ValueError("'args' and 'kwargs' argument require that you also pass 'target'")
        self._args, self._kwargs = args or (), kwargs or {}
        coord.register_thread(self)

    @staticmethod
    def loop(coord, timer_interval_secs, target, args=None, kwargs=None):
        """Starts a thread that calls the function, and gives it."""
        looper = LooperThread(coord, timer_interval_secs, target=target, args=args, kwargs=kwargs)
        looper.start()
        return looper

    def run(self):
        with self._coord.stop_on_exception():
            self.start_loop()
            if self._timer_interval_secs is None:
                while not self._coord.should_stop():
                    self.run_loop()
            else:
                following = time.time()
                while not self._coord.wait_for_stop(following - time.time()):
                    following += self._timer_interval_secs
                    self.run_loop()
            self.stop_loop()

    def start_loop(self):
        """Called when the thread begins."""

    def stop_loop(self):
        """Called when the thread ends."""

    def run_loop(self):
        """Called at each interval."""
        if self._target:
            self._target(*self._args, **self._kwargs)
