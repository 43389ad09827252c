"""Batches of arrays for the estimators of tf.contrib.learn, which are fed."""

import itertools

import numpy as np

from kiln.compat import v1 as tf


def _array(data):
    """An array of what is one, a list, or a frame of pandas."""
    if hasattr(data, "to_numpy"):
        data = data.to_numpy()
    return np.asarray(data)


def _arrays(data):
    return {key: _array(each) for key, each in data.items()} if isinstance(data, dict) else _array(data)


def _is_iterator(data):
    return hasattr(data, "__next__")


class DataFeeder:
    """Batches of features and labels, arrays or dicts of them.

    y: None for predictions. shuffle: in another order in each epoch; epochs: None for ever.
    """

    def __init__(self, x, y, batch_size=None, shuffle=True, epochs=None):
        self._x, self._y = _arrays(x), None if y is None else _arrays(y)
        first = next(iter(self._x.values())) if isinstance(self._x, dict) else self._x
        self._count = first.shape[0]
        if batch_size is not None and batch_size <= 0:
            raise ValueError(f"Invalid batch_size {batch_size}.")
        self._batch_size = self._count if batch_size is None else batch_size
        self._shuffle, self._max_epochs = shuffle, epochs
        self._random = np.random.RandomState(42)
        self._order, self._offset, self._epoch = self._new_order(), 0, 0

    def _new_order(self):
        return self._random.permutation(self._count) if self._shuffle else np.arange(self._count)

    def input_builder(self):
        """The placeholders of features and labels."""

        def make(data, name, is_label):
            if data is None:
                return None
            if isinstance(data, dict):
                return {key: make(each, f"{name}_{key}", is_label) for key, each in data.items()}
            return tf.placeholder(
                tf.as_dtype(data.dtype), [None, *_inner_shape(data.shape, is_label)], name=name
            )

        self._placeholders = make(self._x, "input", False), make(self._y, "output", True)
        return self._placeholders

    def feed_dict(self):
        """The next batch. Errors: StopIteration after the last epoch."""
        if self._max_epochs is not None and self._epoch >= self._max_epochs:
            raise StopIteration
        chosen = self._order[self._offset : self._offset + self._batch_size]
        self._offset += self._batch_size
        if self._offset >= self._count:
            self._order, self._offset = self._new_order(), 0
            self._epoch += 1
        feed = {}
        for placeholders, data in zip(self._placeholders, (self._x, self._y)):
            pairs = (
                [(placeholders[key], data[key]) for key in data]
                if isinstance(data, dict)
                else [] if data is None else [(placeholders, data)]
            )
            for placeholder, each in pairs:
                rest = placeholder.shape.as_list()[1:]
                feed[placeholder] = each[chosen].reshape([len(chosen), *rest])
        return feed


def _inner_shape(shape, is_label):
    """Of an example: numbers alone are vectors of one as features, and scalars as labels."""
    inner = list(shape[1:])
    if not is_label:
        return inner or [1]
    return inner[1:] if inner[:1] == [1] else inner


class StreamFeeder:
    """Batches of iterators of examples."""

    def __init__(self, x, y, batch_size=None):
        self._x, self._y = x, y
        self._batch_size = batch_size or 1
        self._first = next(x), None if y is None else next(y)
        self._x = itertools.chain([self._first[0]], x)
        self._y = None if y is None else itertools.chain([self._first[1]], y)

    def input_builder(self):
        made = []
        for name, first in zip(("input", "output"), self._first):
            array = None if first is None else np.asarray(first)
            shape = None if array is None else array.shape or ([1] if name == "input" else [])
            made.append(
                None
                if array is None
                else tf.placeholder(tf.as_dtype(array.dtype), [None, *shape], name=name)
            )
        self._placeholders = tuple(made)
        return self._placeholders

    def feed_dict(self):
        rows = list(itertools.islice(self._x, self._batch_size))
        if not rows:
            raise StopIteration
        feed = {}
        for placeholder, data in zip(self._placeholders, (rows, self._y)):
            if placeholder is not None:
                taken = data if data is rows else list(itertools.islice(data, len(rows)))
                rest = placeholder.shape.as_list()[1:]
                feed[placeholder] = np.asarray(taken).reshape([len(taken), *rest])
        return feed


def input_and_feed(x, y, batch_size, shuffle, epochs):
    """An input function of arrays or iterators, and what gives the batches that are fed."""
    if _is_iterator(x):
        if y is not None and not _is_iterator(y):
            raise ValueError(
                "Both x and y should be iterators for streaming learning to work."
            )
        feeder = StreamFeeder(x, y, batch_size)
    else:
        feeder = DataFeeder(x, y, batch_size, shuffle, epochs)
    return feeder.input_builder, feeder.feed_dict


class FeedHook(tf.train.SessionRunHook):
    """Feeds batches, and stops after the last one."""

    def __init__(self, feed_fn):
        self._feed_fn = feed_fn

    def before_run(self, run_context):
        try:
            feed = self._feed_fn()
        except StopIteration:
            run_context.request_stop()
            raise tf.errors.OutOfRangeError(None, None, "the input has ended") from None
        return tf.train.SessionRunArgs(fetches=None, feed_dict=feed)
