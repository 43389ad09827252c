"""Batches of files of records, which queues read."""

from kiln.compat import v1 as tf
from kiln.compat.v1._util.deprecation import deprecated

_MODULE = "tensorflow.contrib.learn.python.learn.learn_io.graph_io"


def _files(file_pattern):
    patterns = file_pattern if isinstance(file_pattern, list) else [file_pattern]
    if not patterns:
        raise ValueError("No files given to dequeue_examples.")
    files = [file for pattern in patterns for file in tf.gfile.Glob(pattern)]
    if not files:
        raise ValueError(f"No files match {file_pattern}.")
    return sorted(files) if isinstance(file_pattern, list) else files


def _check(batch_size, queue_capacity, num_threads, read_batch_size):
    if batch_size is None or batch_size <= 0:
        raise ValueError(f"Invalid batch_size {batch_size}.")
    if queue_capacity is None or queue_capacity <= 0:
        raise ValueError(f"Invalid queue_capacity {queue_capacity}.")
    if batch_size > queue_capacity:
        raise ValueError(
            f"Invalid batch_size {batch_size}, with queue_capacity {queue_capacity}."
        )
    if read_batch_size is None or read_batch_size <= 0:
        raise ValueError(f"Invalid read_batch_size {read_batch_size}.")
    if num_threads is None or num_threads <= 0:
        raise ValueError(f"Invalid num_threads {num_threads}.")


@deprecated(None, "Use tf.data.", module=_MODULE)
def read_keyed_batch_examples(
    file_pattern,
    batch_size,
    reader,
    randomize_input=True,
    num_epochs=None,
    queue_capacity=10000,
    num_threads=1,
    read_batch_size=1,
    parse_fn=None,
    name=None,
    seed=None,
):
    """Keys and records of files in batches. parse_fn: makes a record of a serialized one.

    Errors: ValueError. Source: tf.contrib.learn.io.read_keyed_batch_examples.
    """
    files = _files(file_pattern)
    _check(batch_size, queue_capacity, num_threads, read_batch_size)
    with tf.name_scope(name, "read_batch_examples", [file_pattern]):
        with tf.name_scope("file_name_queue"):
            names = tf.train.string_input_producer(
                tf.constant(files, name="input"),
                num_epochs=num_epochs,
                shuffle=randomize_input,
                capacity=len(files),
                seed=seed,
            )
        records = []
        for i in range(num_threads):
            with tf.name_scope(f"read_{i}" if num_threads > 1 else "read"):
                key, record = reader().read(names)
                records.append([key, record if parse_fn is None else parse_fn(record)])
        options = dict(
            batch_size=batch_size,
            capacity=queue_capacity,
            enqueue_many=False,
            allow_smaller_final_batch=num_epochs is not None,
        )
        if randomize_input:
            return tf.train.shuffle_batch_join(
                records, min_after_dequeue=max(1, queue_capacity // 2), seed=seed, **options
            )
        return tf.train.batch_join(records, **options)


@deprecated(None, "Use tf.data.", module=_MODULE)
def read_batch_examples(
    file_pattern,
    batch_size,
    reader,
    randomize_input=True,
    num_epochs=None,
    queue_capacity=10000,
    num_threads=1,
    read_batch_size=1,
    parse_fn=None,
    name=None,
    seed=None,
):
    """Records of files in batches. reader: a class of readers, as tf.TFRecordReader.

    Errors: ValueError. Source: tf.contrib.learn.io.read_batch_examples.
    """
    _, examples = read_keyed_batch_examples(
        file_pattern, batch_size, reader, randomize_input, num_epochs, queue_capacity, num_threads,
        read_batch_size, parse_fn, name, seed,
    )  # fmt: skip
    return examples


@deprecated(None, "Use tf.data.", module=_MODULE)
def read_keyed_batch_features(
    file_pattern,
    batch_size,
    features,
    reader,
    randomize_input=True,
    num_epochs=None,
    queue_capacity=10000,
    reader_num_threads=1,
    feature_queue_capacity=100,
    num_enqueue_threads=2,
    parse_fn=None,
    name=None,
):
    """Keys and features of Examples in batches. features: as tf.parse_example() has them.

    Errors: ValueError. Source: tf.contrib.learn.io.read_keyed_batch_features.
    """
    with tf.name_scope(name, "read_batch_features", [file_pattern]):
        keys, examples = read_keyed_batch_examples(
            file_pattern, batch_size, reader, randomize_input, num_epochs, queue_capacity,
            reader_num_threads, batch_size, parse_fn, name,
        )  # fmt: skip
        return keys, tf.parse_example(examples, features)


@deprecated(None, "Use tf.data.", module=_MODULE)
def read_batch_features(
    file_pattern,
    batch_size,
    features,
    reader,
    randomize_input=True,
    num_epochs=None,
    queue_capacity=10000,
    feature_queue_capacity=100,
    reader_num_threads=1,
    num_enqueue_threads=2,
    parse_fn=None,
    name=None,
):
    """Features of Examples in batches, as a dict. Errors: ValueError.

    Source: tf.contrib.learn.io.read_batch_features.
    """
    _, found = read_keyed_batch_features(
        file_pattern, batch_size, features, reader, randomize_input, num_epochs, queue_capacity,
        reader_num_threads, feature_queue_capacity, num_enqueue_threads, parse_fn, name,
    )  # fmt: skip
    return found


@deprecated(None, "Use tf.data.", module=_MODULE)
def read_batch_record_features(
    file_pattern,
    batch_size,
    features,
    randomize_input=True,
    num_epochs=None,
    queue_capacity=10000,
    reader_num_threads=1,
    name="dequeue_record_examples",
):
    """Features of TFRecord files in batches. Source: tf.contrib.learn.io.read_batch_record_features."""
    return read_batch_features(
        file_pattern=file_pattern,
        batch_size=batch_size,
        features=features,
        reader=tf.TFRecordReader,
        randomize_input=randomize_input,
        num_epochs=num_epochs,
        queue_capacity=queue_capacity,
        reader_num_threads=reader_num_threads,
        name=name,
    )
