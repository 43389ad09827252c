"""Batches that threads make ahead of their use."""

import concurrent.futures
import queue
import threading

import numpy as np


class SequenceEnqueuer:
    """Keeps a queue of batches full; start(), get(), stop(). A subclass has _jobs().

    use_multiprocessing: threads make the batches, anyway; they may use NumPy and Pillow side by
    side. Source: tf.keras.utils.SequenceEnqueuer.
    """

    def __init__(self, sequence, use_multiprocessing=False):
        self.sequence, self.use_multiprocessing = sequence, use_multiprocessing
        self.queue = self.run_thread = self.stop_signal = None

    def is_running(self):
        """Whether threads make batches."""
        return self.stop_signal is not None and not self.stop_signal.is_set()

    def start(self, workers=1, max_queue_size=10):
        """Begins. workers: how many threads; max_queue_size: how many batches wait."""
        self.queue, self.stop_signal = queue.Queue(max_queue_size), threading.Event()
        self._executor = concurrent.futures.ThreadPoolExecutor(max(1, workers))
        self.run_thread = threading.Thread(target=self._run, daemon=True)
        self.run_thread.start()

    def _run(self):
        stopped = self.stop_signal
        for job in self._jobs():
            future = self._executor.submit(job)
            while not stopped.is_set():
                try:
                    self.queue.put(future, timeout=0.1)
                    break
                except queue.Full:
                    continue
            if stopped.is_set():
                return
        self.queue.put(None)

    def _jobs(self):
        """Yields functions, each of which makes a batch."""
        raise NotImplementedError

    def stop(self, timeout=None):
        """Ends the threads."""
        self.stop_signal.set()
        self.run_thread.join(timeout)
        self._executor.shutdown(wait=True, cancel_futures=True)

    def get(self):
        """Yields batches in their order. Errors: those of the sequence."""
        while self.is_running():
            try:
                future = self.queue.get(timeout=0.1)
            except queue.Empty:
                continue
            if future is None:
                return
            try:
                batch = future.result()
            except StopIteration:
                self.stop()
                return
            except BaseException:
                self.stop()
                raise
            if batch is not None:
                yield batch


class OrderedEnqueuer(SequenceEnqueuer):
    """The batches of a Sequence, again and again, in their order or shuffled.

    Source: tf.keras.utils.OrderedEnqueuer.
    """

    def __init__(self, sequence, use_multiprocessing=False, shuffle=False):
        super().__init__(sequence, use_multiprocessing)
        self.shuffle = shuffle

    def _jobs(self):
        while not self.stop_signal.is_set():
            order, done = list(range(len(self.sequence))), []
            if self.shuffle:
                np.random.shuffle(order)
            for i in order:
                finished = threading.Event()
                done.append(finished)
                yield self._job(i, finished)
            # An epoch ends when its batches are there.
            while not all(each.wait(0.1) for each in done):
                if self.stop_signal.is_set():
                    return
            self.sequence.on_epoch_end()

    def _job(self, i, finished):
        def make():
            try:
                return self.sequence[i]
            finally:
                finished.set()

        return make


class GeneratorEnqueuer(SequenceEnqueuer):
    """The batches of a generator; one thread at a time asks it.

    Source: tf.keras.utils.GeneratorEnqueuer.
    """

    def __init__(self, sequence, use_multiprocessing=False, random_seed=None):
        super().__init__(sequence, use_multiprocessing)
        self.random_seed, self._lock = random_seed, threading.Lock()

    def _jobs(self):
        def make():
            with self._lock:
                return next(self.sequence)

        while True:
            yield make
