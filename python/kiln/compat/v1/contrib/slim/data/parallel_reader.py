"""Readers of files that fill one queue."""

from kiln.compat import v1 as tf
from kiln.compat.v1 import gfile

__all__ = ["ParallelReader", "get_data_files", "parallel_read", "single_pass_read"]


class ParallelReader(tf.ReaderBase):
    """Several readers, whose records come through one queue of pairs of strings.

    Errors: TypeError for another queue. Source: tf.contrib.slim.parallel_reader.ParallelReader.
    """

    def __init__(self, reader_class, common_queue, num_readers=4, reader_kwargs=None):
        dtypes = common_queue.dtypes
        if len(dtypes) != 2 or not all(dtype.is_compatible_with(tf.string) for dtype in dtypes):
            raise TypeError("common_queue.dtypes must be [tf.string, tf.string]")
        self._readers = [reader_class(**(reader_kwargs or {})) for _ in range(num_readers)]
        self._common_queue = common_queue

    @property
    def num_readers(self):
        return len(self._readers)

    @property
    def common_queue(self):
        return self._common_queue

    def read(self, queue, name=None):
        """A record of the files in a queue: key and value."""
        self._configure_readers_by(queue)
        return self._common_queue.dequeue(name=name)

    def read_up_to(self, queue, num_records, name=None):
        """So many records, or those that are left."""
        self._configure_readers_by(queue)
        return self._common_queue.dequeue_up_to(num_records, name)

    def _configure_readers_by(self, queue):
        enqueues = [self._common_queue.enqueue(reader.read(queue)) for reader in self._readers]
        tf.train.add_queue_runner(tf.train.QueueRunner(self._common_queue, enqueues))

    def num_records_produced(self, name=None):
        """How many records all readers have read."""
        return tf.add_n([reader.num_records_produced() for reader in self._readers], name=name)

    def num_work_units_completed(self, name=None):
        """How many files all readers have read."""
        return tf.add_n([reader.num_work_units_completed() for reader in self._readers], name=name)


def parallel_read(
    data_sources,
    reader_class,
    num_epochs=None,
    num_readers=4,
    reader_kwargs=None,
    shuffle=True,
    dtypes=None,
    capacity=256,
    min_after_dequeue=128,
    seed=None,
    scope=None,
):
    """A record of some files, key and value, read by several readers.

    data_sources: paths or patterns. num_epochs: how often each file is read; None: for ever.
    shuffle: whether files and records come in random order. Errors: ValueError for no files.
    Source: tf.contrib.slim.parallel_reader.parallel_read.
    """
    files = get_data_files(data_sources)
    with tf.name_scope(scope, "parallel_read"):
        names = tf.train.string_input_producer(
            files, num_epochs=num_epochs, shuffle=shuffle, seed=seed, name="filenames"
        )
        dtypes = dtypes or [tf.string, tf.string]
        if shuffle:
            queue = tf.RandomShuffleQueue(
                capacity=capacity,
                min_after_dequeue=min_after_dequeue,
                dtypes=dtypes,
                seed=seed,
                name="common_queue",
            )
        else:
            queue = tf.FIFOQueue(capacity=capacity, dtypes=dtypes, name="common_queue")
        share = tf.cast(queue.size(), tf.float32) * (1.0 / capacity)
        tf.summary.scalar("fraction_of_%d_full" % capacity, share)
        reader = ParallelReader(
            reader_class, queue, num_readers=num_readers, reader_kwargs=reader_kwargs
        )
        return reader.read(names)


def single_pass_read(data_sources, reader_class, reader_kwargs=None, scope=None):
    """A record of some files, in their order, each once. Errors: ValueError for no files.

    Source: tf.contrib.slim.parallel_reader.single_pass_read.
    """
    files = get_data_files(data_sources)
    with tf.name_scope(scope, "single_pass_read"):
        names = tf.train.string_input_producer(
            files, num_epochs=1, shuffle=False, capacity=1, name="filenames"
        )
        return reader_class(**(reader_kwargs or {})).read(names)


def get_data_files(data_sources):
    """The files that paths and patterns mean. Errors: ValueError for none.

    Source: tf.contrib.slim.parallel_reader.get_data_files.
    """
    if isinstance(data_sources, (list, tuple)):
        files = [file for source in data_sources for file in get_data_files(source)]
    elif any(sign in data_sources for sign in "*?["):
        files = gfile.Glob(data_sources)
    else:
        files = [data_sources]
    if not files:
        raise ValueError(f"No data files found in {data_sources}")
    return files
