"""Batches of what goes together: examples in buckets, such as sequences of like lengths.

tensorflow.contrib.training.python.training.bucket_ops.
"""

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.framework import smart_cond
from kiln.compat.v1.train._sparse_batches import Stored

__all__ = ["bucket", "bucket_by_sequence_length"]


def _flat(tensors):
    """The tensors as a list, those of a dict by its sorted keys."""
    if isinstance(tensors, dict):
        return [tensors[key] for key in sorted(tensors)]
    return list(tensors)


def _in_form_of(tensors, values):
    if isinstance(tensors, dict):
        return dict(zip(sorted(tensors), values))
    return values[0] if len(tensors) == 1 else values


def _converted(tensors):
    convert = tf.convert_to_tensor_or_sparse_tensor
    found = [each if isinstance(each, tf.SparseTensor) else convert(each) for each in tensors]
    if not found:
        raise ValueError("Expected at least one tensor in bucket().")
    return found


def _shapes_of(tensors, shapes):
    """The shapes of the elements of queues."""
    if shapes is None:
        shapes = [tensor.shape for tensor in tensors]
    return [tf.TensorShape(shape) for shape in shapes]


def _static(size):
    """A number where it is known, else a tensor."""
    tensor = tf.convert_to_tensor(size, dtype=tf.int32, name="batch_size")
    known = tf.get_static_value(tensor)
    return tensor if known is None else int(known)


def _bucket_sizes(batch_size, bucket_capacities, capacity, num_buckets):
    sizes = list(batch_size) if isinstance(batch_size, (list, tuple)) else [batch_size] * num_buckets
    if len(sizes) != num_buckets:
        raise ValueError("If batch_size is a list it must have num_buckets elements")
    capacities = [capacity] * num_buckets if bucket_capacities is None else list(bucket_capacities)
    if len(capacities) != num_buckets:
        raise ValueError(
            f"The list of bucket_capacities ({list(capacities)}) must have the same number of elements as the number "
            f"of buckets ({num_buckets})."
        )
    return sizes, capacities


def bucket(
    tensors,
    which_bucket,
    batch_size,
    num_buckets,
    num_threads=1,
    capacity=32,
    bucket_capacities=None,
    shapes=None,
    dynamic_pad=False,
    allow_smaller_final_batch=False,
    keep_input=True,
    shared_name=None,
    name=None,
):
    """(number of a bucket, batch of it): examples wait in buckets, each of which gives batches of its own.

    tensors: an example, a list or dict of tensors; which_bucket: a number below num_buckets. batch_size: a number, or
    a list of one for each bucket. capacity: how many batches wait; bucket_capacities: how many examples wait in each
    bucket. dynamic_pad: unknown extents are padded within a batch. keep_input: a bool, whether the example counts.
    The other arguments are those of tf.train.batch. Errors: ValueError. Source: tf.contrib.training.bucket.
    """
    sizes, capacities = _bucket_sizes(batch_size, bucket_capacities, capacity, num_buckets)
    given = _flat(tensors)
    with tf.name_scope(name, "bucket", given):
        elements = _converted(given)
        keep_input = tf.convert_to_tensor(keep_input) if not isinstance(keep_input, bool) else keep_input
        stored = None
        if any(isinstance(each, tf.SparseTensor) for each in elements):
            stored = Stored([elements], False, keep_input)
            elements = stored.tensors[0]
        sizes = [_static(size) for size in sizes]
        which = tf.convert_to_tensor(which_bucket, dtype=tf.int32, name="which_bucket")
        make = tf.PaddingFIFOQueue if dynamic_pad else tf.FIFOQueue
        types, shapes = [each.dtype for each in elements], _shapes_of(elements, shapes)
        queues = [
            make(
                capacity=capacities[i],
                dtypes=types,
                shapes=shapes,
                shared_name=None if shared_name is None else f"{shared_name}_{i}",
                name=f"bucket_queue_{i}",
            )
            for i in range(num_buckets)
        ]
        known = isinstance(sizes[0], int) and len(set(sizes)) == 1 and not allow_smaller_final_batch
        top = tf.PaddingFIFOQueue(
            capacity=capacity,
            dtypes=[tf.int32, *types],
            shapes=[
                tf.TensorShape([]),
                *(tf.TensorShape([sizes[0] if known else None]).concatenate(s) for s in shapes),
            ],
            shared_name=shared_name,
            name="top_queue",
        )
        enqueue = smart_cond(keep_input, lambda: _enqueue(queues, which, elements), tf.no_op)
        _add_runners(queues, top, sizes, [enqueue] * num_threads, allow_smaller_final_batch)
        for queue in queues:
            tf.summary.scalar(f"bucket/{queue.name}/size", tf.cast(top.size(), tf.float32))
        part = tf.cast(top.size(), tf.float32) * (1.0 / capacity)
        tf.summary.scalar(f"bucket/{top.name}/fraction_of_{capacity}_full", part)
        number, *batch = top.dequeue(name="dequeue_top")
        if stored is not None:
            batch = stored.restored(batch)
        return number, _in_form_of(tensors, batch)


def _enqueue(queues, which, elements):
    """An operation that puts an example into its bucket."""

    def into(queue):
        return lambda: queue.enqueue(elements)

    chosen = [tf.cond(tf.equal(which, i), into(queue), tf.no_op) for i, queue in enumerate(queues)]
    return tf.group(*chosen, name="group_enqueues")


def _add_runners(queues, top, sizes, enqueues, allow_smaller_final_batch):
    """The threads that fill the buckets, and those that bring batches from them into the last queue."""
    batches = []
    for i, (queue, size) in enumerate(zip(queues, sizes)):
        dequeue = queue.dequeue_up_to if allow_smaller_final_batch else queue.dequeue_many
        found = dequeue(size, name=f"read_bucket_{i}")
        found = list(found) if isinstance(found, (list, tuple)) else [found]
        batches.append(top.enqueue([tf.constant(i), *found], name=f"enqueue_from_bucket_{i}"))
    ends = (tf.errors.OutOfRangeError, tf.errors.CancelledError)
    first = tf.train.QueueRunner(
        queues[0],
        batches,
        close_op=top.close(),
        cancel_op=top.close(cancel_pending_enqueues=True),
        queue_closed_exception_types=ends,
    )
    second = tf.train.QueueRunner(
        top,
        enqueues,
        close_op=tf.group(*[queue.close() for queue in queues]),
        cancel_op=tf.group(*[queue.close(cancel_pending_enqueues=True) for queue in queues]),
        queue_closed_exception_types=ends,
    )
    for runner in (first, second):
        tf.add_to_collection(tf.GraphKeys.QUEUE_RUNNERS, runner)


def _check_boundaries(boundaries):
    if not boundaries:
        raise ValueError("bucket_boundaries must not be empty")
    for first, second in zip(boundaries, [*boundaries[1:], None]):
        if not isinstance(first, int) or isinstance(first, bool):
            raise TypeError(f"bucket boundaries must be integers, but saw: {first} and {second}")
        if second is not None and first >= second:
            raise ValueError(
                f"Buckets must contain sequential increasing lengths, but saw: {first} before {second}"
            )


def bucket_by_sequence_length(
    input_length,
    tensors,
    batch_size,
    bucket_boundaries,
    num_threads=1,
    capacity=32,
    bucket_capacities=None,
    shapes=None,
    dynamic_pad=False,
    allow_smaller_final_batch=False,
    keep_input=True,
    shared_name=None,
    name=None,
):
    """(lengths, batch): examples whose lengths lie between the same boundaries.

    input_length: an example's length, an int32; bucket_boundaries: increasing numbers, below the first of which the
    first bucket lies. The other arguments are those of bucket(). Errors: ValueError, TypeError. Source:
    tf.contrib.training.bucket_by_sequence_length.
    """
    given = _flat(tensors)
    _check_boundaries(list(bucket_boundaries))
    with tf.name_scope(name, "bucket_by_sequence_length", [input_length, *given]) as scope:
        length = tf.convert_to_tensor(input_length, dtype=tf.int32, name="input_length")
        lowest = [np.iinfo(np.int32).min, *bucket_boundaries]
        highest = [*bucket_boundaries, np.iinfo(np.int32).max]
        within = tf.logical_and(tf.less_equal(lowest, length), tf.less(length, highest))
        which = tf.cast(tf.reduce_min(tf.where(within)), tf.int32)
        _, batch = bucket(
            tensors=[length, *given],
            which_bucket=which,
            batch_size=batch_size,
            num_buckets=len(bucket_boundaries) + 1,
            num_threads=num_threads,
            capacity=capacity,
            bucket_capacities=bucket_capacities,
            shapes=None if shapes is None else [tf.TensorShape([]), *shapes],
            dynamic_pad=dynamic_pad,
            allow_smaller_final_batch=allow_smaller_final_batch,
            keep_input=keep_input,
            shared_name=shared_name,
            name=scope,
        )
        return batch[0], _in_form_of(tensors, batch[1:])
