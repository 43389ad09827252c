"""Queues that a thread fills with arrays, data frames or what a generator gives."""

import collections
import random
import threading
import types

import numpy as np

from kiln.compat import v1 as tf


class _Rows:
    """Feeds for the next rows of data, epoch after epoch.

    take(rows): the values of the columns at a list of rows.
    """

    def __init__(self, placeholders, length, take, batch_size, random_start, seed, num_epochs):
        self._placeholders, self._length, self._take = placeholders, length, take
        self._batch_size, self._num_epochs, self._epoch = batch_size, num_epochs, 0
        random.seed(seed)
        self._next = random.randrange(length) if random_start else 0
        self._last = (self._next - 1) % length

    def __call__(self):
        rows = self._next_rows()
        self._next = (rows[-1] + 1) % self._length
        return dict(zip(self._placeholders, self._take(rows)))

    def _next_rows(self):
        if self._num_epochs is not None and self._epoch >= self._num_epochs:
            raise tf.errors.OutOfRangeError(None, None, f"Already emitted {self._epoch} epochs.")
        numbers = range(self._next, self._next + self._batch_size)
        rows = [number % self._length for number in numbers]
        ends = [i for i, row in enumerate(rows) if row == self._last]
        self._epoch += len(ends)
        if self._num_epochs is None or self._epoch < self._num_epochs:
            return rows
        final = ends[-(self._epoch - self._num_epochs + 1)]
        self._epoch = self._num_epochs
        return rows[: final + 1]


class _Generated:
    """Feeds of what a generator gives: dicts of values, which are put side by side."""

    def __init__(self, placeholders, generator, keys, batch_size, num_epochs, pad_value):
        self._placeholders, self._generator, self._keys = placeholders, generator, keys
        self._iterator, self._batch_size = generator(), batch_size
        self._num_epochs, self._epoch, self._pad_value = num_epochs, 0, pad_value

    def __call__(self):
        if self._num_epochs and self._epoch >= self._num_epochs:
            raise tf.errors.OutOfRangeError(None, None, f"Already emitted {self._epoch} epochs.")
        columns, count = {key: [] for key in self._keys}, 0
        while count < self._batch_size:
            row = next(self._iterator, None)
            if row is None:
                self._epoch += 1
                self._iterator = self._generator()
                row = next(self._iterator)
            for key in self._keys:
                if key not in row:
                    raise KeyError(
                        "key mismatch between dicts emitted by GenFun Expected "
                        f"{self._keys} keys; got {row.keys()}"
                    )
                columns[key].append(row[key])
                count += 1
        values = columns.values()
        if self._pad_value is not None:
            values = [_padded(each, self._pad_value) for each in values]
        return dict(zip(self._placeholders, map(np.asarray, values)))


def _padded(arrays, value):
    """Arrays filled up to the longest along their last axis."""
    if any(np.shape(each)[:-1] != np.shape(arrays[0])[:-1] for each in arrays):
        raise ValueError("Array shapes must match.")
    if not np.ndim(arrays[0]):
        return arrays
    longest = max(np.shape(each)[-1] for each in arrays)
    widths = [
        [(0, 0)] * (np.ndim(each) - 1) + [(0, longest - np.shape(each)[-1])] for each in arrays
    ]
    return [np.pad(each, width, constant_values=value) for each, width in zip(arrays, widths)]


class FeedingQueueRunner(tf.train.QueueRunner):
    """A queue runner whose enqueue operations are each fed by a function."""

    def __init__(self, queue, enqueue_ops, feed_fns):
        ends = (tf.errors.OutOfRangeError, tf.errors.CancelledError)
        super().__init__(queue, enqueue_ops, queue_closed_exception_types=ends)
        self._feed_fns, self._ends = feed_fns, ends
        self._feeding, self._guard = {}, threading.Lock()

    def create_threads(self, sess, coord=None, daemon=False, start=False):
        with self._guard:
            if self._feeding.get(sess, 0) > 0:
                return []  # they run
            self._feeding[sess] = len(self.enqueue_ops)
        threads = [
            threading.Thread(target=self._feed, args=(sess, op, feed_fn, coord))
            for op, feed_fn in zip(self.enqueue_ops, self._feed_fns)
        ]
        if coord:
            threads.append(threading.Thread(target=self._cancel, args=(sess, coord)))
        for thread in threads:
            if coord:
                coord.register_thread(thread)
            thread.daemon = bool(daemon)
            if start:
                thread.start()
        return threads

    def _feed(self, sess, enqueue_op, feed_fn, coord):
        has_ended = False
        try:
            while not (coord and coord.should_stop()):
                try:
                    sess.run(enqueue_op, feed_dict=feed_fn())
                except self._ends:
                    has_ended = True
                    self._close_after_last(sess)
                    return
        except Exception as error:
            if not coord:
                tf.logging.error("Exception in QueueRunner: %s", str(error))
                raise
            coord.request_stop(error)
        finally:
            if not has_ended:
                with self._guard:
                    self._feeding[sess] -= 1

    def _close_after_last(self, sess):
        with self._guard:
            self._feeding[sess] -= 1
            is_last = self._feeding[sess] == 0
        if is_last:
            try:
                sess.run(self.close_op)
            except Exception as error:
                tf.logging.vlog(1, "Ignored exception: %s", str(error))

    def _cancel(self, sess, coord):
        coord.wait_for_stop()
        try:
            sess.run(self.cancel_op)
        except Exception as error:
            tf.logging.vlog(1, "Ignored exception: %s", str(error))

    def to_proto(self, export_scope=None):
        raise NotImplementedError(f"{type(self).__name__} does not support serialization to proto.")


def _columns_of(data):
    """The types and shapes of data's columns, and a function that makes feeds of a thread."""
    if isinstance(data, np.ndarray):
        data = collections.OrderedDict([("", data)])
    if isinstance(data, collections.OrderedDict):
        columns = list(data.values())
        if any(len(column) != len(columns[0]) for column in columns):
            raise ValueError("Array lengths must match.")
        types_ = [tf.int64, *(tf.as_dtype(column.dtype) for column in columns)]
        shapes = [(), *(column.shape[1:] for column in columns)]

        def take(rows):
            return [rows, *(column[rows] for column in columns)]

        return types_, shapes, lambda *given: _Rows(given[0], len(columns[0]), take, *given[1:5])
    if isinstance(data, types.FunctionType):
        first = next(data())
        keys = sorted(first)
        values = [np.asarray(first[key]) for key in keys]
        types_, shapes = (
            [tf.as_dtype(each.dtype) for each in values],
            [each.shape for each in values],
        )

        def generated(placeholders, batch_size, random_start, seed, num_epochs, pad_value):
            return _Generated(placeholders, data, keys, batch_size, num_epochs, pad_value)

        return types_, shapes, generated
    if hasattr(data, "iloc") and hasattr(data, "dtypes"):
        types_ = [tf.as_dtype(_numpy_dtype(each)) for each in (data.index.dtype, *data.dtypes)]

        def take_frame(rows):
            found = data.iloc[rows]
            return [found.index.values, *(found[name].to_numpy() for name in found.columns)]

        return (
            types_,
            [() for _ in types_],
            lambda *given: _Rows(given[0], len(data), take_frame, *given[1:5]),
        )
    raise TypeError(
        "data must be either a numpy array or pandas DataFrame if pandas is installed; got "
        f"{type(data).__name__}"
    )


def _numpy_dtype(dtype):
    """A column's type; newer versions of pandas have types of their own for strings."""
    return dtype if isinstance(dtype, np.dtype) else np.dtype(object)


def enqueue_data(
    data,
    capacity,
    shuffle=False,
    min_after_dequeue=None,
    num_threads=1,
    seed=None,
    name="enqueue_input",
    enqueue_size=1,
    num_epochs=None,
    pad_value=None,
):
    """A queue that threads fill with data: an array, an ordered dict of arrays, a data frame or a
    function that gives a generator of dicts.

    Elements begin with the number of the row, but those of a generator. Errors: TypeError,
    NotImplementedError.
    """
    with tf.name_scope(name):
        dtypes, shapes, feeds = _columns_of(data)
        if pad_value is not None and not isinstance(data, types.FunctionType):
            raise NotImplementedError("padding is only available with generator usage")
        if shuffle and pad_value is not None:
            raise NotImplementedError(
                "padding and shuffling data at the same time is not implemented"
            )
        _warn_of_threads(num_threads, num_epochs, shuffle)
        least = 0
        if shuffle:
            least = int(capacity / 4 if min_after_dequeue is None else min_after_dequeue)
            queue = tf.RandomShuffleQueue(capacity, least, dtypes=dtypes, shapes=shapes, seed=seed)
        elif pad_value is not None:
            open_shapes = [(*shape[:-1], None) if shape else shape for shape in shapes]
            queue = tf.PaddingFIFOQueue(capacity, dtypes=dtypes, shapes=open_shapes)
        else:
            queue = tf.FIFOQueue(capacity, dtypes=dtypes, shapes=shapes)
        enqueue_ops, feed_fns = [], []
        for i in range(num_threads):
            placeholders = [tf.placeholder(dtype) for dtype in dtypes]
            enqueue_ops.append(queue.enqueue_many(placeholders))
            own_seed = None if seed is None else (i + 1) * seed
            feed_fns.append(
                feeds(placeholders, enqueue_size, shuffle, own_seed, num_epochs, pad_value)
            )
        tf.train.add_queue_runner(FeedingQueueRunner(queue, enqueue_ops, feed_fns))
        room = capacity - least
        full = tf.cast(tf.maximum(0, queue.size() - least), tf.float32) * (1.0 / room)
        tf.summary.scalar(f"queue/{queue.name}fraction_over_{least}_of_{room}_full", full)
        return queue


def _warn_of_threads(num_threads, num_epochs, shuffle):
    if num_threads <= 1:
        return
    if num_epochs is not None:
        tf.logging.warn(
            "enqueue_data was called with num_epochs and num_threads > 1. num_epochs is applied "
            "per "
            "thread, so this will produce more epochs than you probably intend. If you want to "
            "limit epochs, use one thread."
        )
    if shuffle and num_epochs is not None:
        tf.logging.warn(
            "enqueue_data was called with shuffle=True, num_threads > 1, and num_epochs. This will "
            "create multiple threads, all reading the array/dataframe in order adding to the same "
            "shuffling queue; the results will likely not be sufficiently shuffled."
        )
    if not shuffle:
        tf.logging.warn(
            "enqueue_data was called with shuffle=False and num_threads > 1. This will create "
            "multiple threads, all reading the array/dataframe in order. If you want examples read "
            "in order, use one thread; if you want multiple threads, enable shuffling."
        )
