"""Batches of files of records, which queues read.

file_pattern: a pattern of paths, or a list of patterns. reader: gives an object whose read() takes a queue of names,
as tf.TFRecordReader. randomize_input: whether files and records come in a random order. num_epochs: how often the
files are read, for ever where it is None; it is counted in a local variable. read_batch_size: how many records are
read at once. parse_fn: makes something else of a record, or of a batch of them where several are read at once.
"""

from kiln.compat import v1 as tf
from kiln.compat.v1._util.deprecation import deprecated

_MODULE = "tensorflow.contrib.learn.python.learn.learn_io.graph_io"
KEY_FEATURE_NAME = "__key__"


def _files(file_pattern, randomize_input):
    patterns = file_pattern if isinstance(file_pattern, list) else [file_pattern]
    if not patterns:
        raise ValueError("No files given to dequeue_examples.")
    files = [file for pattern in patterns for file in tf.gfile.Glob(pattern)]
    if not files:
        raise ValueError(f"No files match {file_pattern}.")
    return files if randomize_input else sorted(files)


def _is_positive(number):
    return number is not None and (isinstance(number, tf.Tensor) or number > 0)


def _check(batch_size, queue_capacity, num_threads, read_batch_size, num_epochs):
    if not queue_capacity or queue_capacity <= 0:
        raise ValueError(f"Invalid queue_capacity {queue_capacity}.")
    is_known = not isinstance(batch_size, tf.Tensor)
    if not _is_positive(batch_size) or (is_known and batch_size >= queue_capacity):
        raise ValueError(f"Invalid batch_size {batch_size}, with queue_capacity {queue_capacity}.")
    if not _is_positive(read_batch_size):
        raise ValueError(f"Invalid read_batch_size {read_batch_size}.")
    if not num_threads or num_threads <= 0:
        raise ValueError(f"Invalid num_threads {num_threads}.")
    if num_epochs is not None and num_epochs <= 0:
        raise ValueError(f"Invalid num_epochs {num_epochs}.")


def _read(names, reader, read_batch_size, parse_fn):
    """A record, or several, as queues take them: with its key."""
    made = reader()
    several = read_batch_size > 1
    keys, records = made.read_up_to(names, read_batch_size) if several else made.read(names)
    if parse_fn:
        records = parse_fn(records)
    return {**records, KEY_FEATURE_NAME: keys} if isinstance(records, dict) else (keys, records)


def _least_left(batch_size, queue_capacity):
    """How many records wait in a queue for others to be mixed with."""
    if isinstance(batch_size, tf.Tensor):
        return int(queue_capacity * 0.4)
    return max(queue_capacity - 3 * batch_size, batch_size)


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
    """Keys and records of files in batches. Errors: ValueError.

    Source: tf.contrib.learn.io.read_keyed_batch_examples.
    """
    files = _files(file_pattern, randomize_input)
    _check(batch_size, queue_capacity, num_threads, read_batch_size, num_epochs)
    with tf.name_scope(name, "read_batch_examples", [file_pattern]) as scope:
        with tf.name_scope("file_name_queue") as names_scope:
            names = tf.train.string_input_producer(
                tf.constant(files, name="input"),
                num_epochs=num_epochs,
                shuffle=randomize_input,
                name=names_scope,
                seed=seed,
            )
        with tf.name_scope("read"):
            records = [_read(names, reader, read_batch_size, parse_fn) for _ in range(num_threads)]
        options = dict(
            batch_size=batch_size,
            capacity=queue_capacity,
            enqueue_many=read_batch_size > 1,
            allow_smaller_final_batch=num_epochs is not None,
            name=scope,
        )
        if randomize_input:
            least = _least_left(batch_size, queue_capacity)
            batch = tf.train.shuffle_batch_join(
                records, min_after_dequeue=least, seed=seed, **options
            )
        else:
            batch = tf.train.batch_join(records, **options)
        return (batch.pop(KEY_FEATURE_NAME), batch) if isinstance(batch, dict) else batch


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
    """Records of files in batches. Errors: ValueError.

    Source: tf.contrib.learn.io.read_batch_examples.
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
    read_batch_size=None,
):
    """Keys and features of Examples in batches.

    features: as tf.parse_example() has them. read_batch_size: batch_size where it is None. The other
    arguments are those of queue_parsed_features(). Errors: ValueError. Source:
    tf.contrib.learn.io.read_keyed_batch_features.
    """
    with tf.name_scope(name, "read_batch_features", [file_pattern]) as scope:
        keys, examples = read_keyed_batch_examples(
            file_pattern, batch_size, reader, randomize_input, num_epochs, queue_capacity,
            reader_num_threads, batch_size if read_batch_size is None else read_batch_size,
            parse_fn, name=scope,
        )  # fmt: skip
        parsed = tf.parse_example(examples, features)
        return queue_parsed_features(
            parsed, keys, feature_queue_capacity, num_enqueue_threads, name=scope
        )


@deprecated(None, "Use tf.data.", module=_MODULE)
def queue_parsed_features(
    parsed_features, keys=None, feature_queue_capacity=100, num_enqueue_threads=2, name=None
):
    """Keys and features that were parsed ahead of time: a queue, filled by threads, has them.

    parsed_features: a dict of tensors and SparseTensors. keys: a tensor, or None. Source:
    tf.contrib.learn.io.queue_parsed_features.
    """
    given = [*parsed_features.values(), *([] if keys is None else [keys])]
    with tf.name_scope(name, "queue_parsed_features", given):
        ordered = {key: parsed_features[key] for key in sorted(parsed_features)}
        wanted = list(ordered.values()) + ([] if keys is None else [keys])
        flat = [part for each in wanted for part in _parts(each)]
        queue = tf.FIFOQueue(feature_queue_capacity, [each.dtype for each in flat])
        tf.summary.scalar(
            f"queue/parsed_features/{queue.name}/fraction_of_{feature_queue_capacity}_full",
            tf.cast(queue.size(), tf.float32) * (1.0 / feature_queue_capacity),
        )
        runner = tf.train.QueueRunner(
            queue,
            [queue.enqueue(flat) for _ in range(num_enqueue_threads)],
            queue_closed_exception_types=(tf.errors.OutOfRangeError, tf.errors.CancelledError),
        )
        tf.train.add_queue_runner(runner)
        found = queue.dequeue()
        found = iter(found if isinstance(found, (list, tuple)) else [found])
        made = [_like(each, found) for each in wanted]
        return None if keys is None else made[-1], dict(zip(ordered, made))


def _parts(tensor):
    if isinstance(tensor, tf.SparseTensor):
        return [tensor.indices, tensor.values, tensor.dense_shape]
    return [tensor]


def _like(tensor, found):
    """The next of what a queue gave, as what was put into it: with its shape, sparse where it was."""
    made = []
    for part in _parts(tensor):
        made.append(next(found))
        made[-1].set_shape(part.shape)
    return tf.SparseTensor(*made) if isinstance(tensor, tf.SparseTensor) else made[0]


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
    read_batch_size=None,
):
    """Features of Examples in batches, as a dict. Errors: ValueError.

    Source: tf.contrib.learn.io.read_batch_features.
    """
    _, found = read_keyed_batch_features(
        file_pattern, batch_size, features, reader, randomize_input, num_epochs, queue_capacity,
        reader_num_threads, feature_queue_capacity, num_enqueue_threads, parse_fn, name, read_batch_size,
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
