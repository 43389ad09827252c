"""Queues that give a program its input, filled by queue runners. Graph construction is C++'s."""

from kiln._kiln import front as _c
from kiln.compat.v1._queues import queue_of
from kiln.compat.v1._sparse import SparseTensor
from kiln.compat.v1._util.deprecation import deprecated
from kiln.compat.v1.train import _queue_runner  # noqa: F401, the class of what C++ adds
from kiln.compat.v1.train._sparse_batches import Stored


def _says(instead):
    return deprecated(
        None,
        f"Queue-based input pipelines have been replaced by `tf.data`. Use `{instead}`.",
        module="tensorflow.python.training.input",
    )


def match_filenames_once(pattern, name=None):
    """A local variable of the names of the files that the patterns fit. Source: tf.train.match_filenames_once."""
    return _c.match_filenames_once(pattern, name or "")


@_says("tf.data.Dataset.from_tensors(tensor).repeat(num_epochs)")
def limit_epochs(tensor, num_epochs=None, name=None):
    """The tensor, so many times; then OutOfRangeError. It counts in a local variable.

    Errors: ValueError for a number that is not above 0. Source: tf.train.limit_epochs.
    """
    return _limited(tensor, num_epochs, name)


def _limited(tensor, num_epochs, name=None):
    return tensor if num_epochs is None else _c.limit_epochs(tensor, num_epochs, name)


@_says("tf.data.Dataset.from_tensor_slices(input_tensor).shuffle(tf.shape(input_tensor, out_type=tf.int64)[0])"
       ".repeat(num_epochs)")  # fmt: skip
def input_producer(
    input_tensor,
    element_shape=None,
    num_epochs=None,
    shuffle=True,
    seed=None,
    capacity=32,
    shared_name=None,
    summary_name=None,
    name=None,
    cancel_op=None,
):
    """A queue of the rows of a tensor.

    num_epochs: how often they come, None for ever; shuffle: in another order in each epoch. Errors: ValueError where
    the shape of a row is not known. Source: tf.train.input_producer.
    """
    return queue_of(
        _c.input_producer(
            input_tensor, element_shape, summary_name or "", num_epochs, shuffle, seed, capacity, shared_name, name,
            cancel_op,
        )
    )  # fmt: skip


@_says("tf.data.Dataset.from_tensor_slices(string_tensor).shuffle(tf.shape(input_tensor, out_type=tf.int64)[0])"
       ".repeat(num_epochs)")  # fmt: skip
def string_input_producer(
    string_tensor,
    num_epochs=None,
    shuffle=True,
    seed=None,
    capacity=32,
    shared_name=None,
    name=None,
    cancel_op=None,
):
    """A queue of strings, such as the names of files. Errors: ValueError for a list without any.

    Source: tf.train.string_input_producer.
    """
    if not isinstance(string_tensor, (_c.Tensor, _c.Variable)) and len(string_tensor) == 0:
        raise ValueError("string_input_producer requires a non-null input tensor")
    return queue_of(
        _c.string_input_producer(
            string_tensor, num_epochs, shuffle, seed, capacity, shared_name, name, cancel_op
        )
    )


@_says("tf.data.Dataset.range(limit).shuffle(limit).repeat(num_epochs)")
def range_input_producer(
    limit, num_epochs=None, shuffle=True, seed=None, capacity=32, shared_name=None, name=None
):
    """A queue of the numbers below a limit. Source: tf.train.range_input_producer."""
    return queue_of(_c.range_input_producer(limit, num_epochs, shuffle, seed, capacity, shared_name, name))


@_says("tf.data.Dataset.from_tensor_slices(tuple(tensor_list)).shuffle(tf.shape(input_tensor, out_type=tf.int64)[0])"
       ".repeat(num_epochs)")  # fmt: skip
def slice_input_producer(
    tensor_list, num_epochs=None, shuffle=True, seed=None, capacity=32, shared_name=None, name=None
):
    """One row of each tensor at a time, a list. Errors: ValueError without tensors.

    Source: tf.train.slice_input_producer.
    """
    if not tensor_list:
        raise ValueError("Expected at least one tensor in slice_input_producer().")
    return _c.slice_input_producer(tensor_list, num_epochs, shuffle, seed, capacity, shared_name, name)


# Batches. tensors: a list, or a dict, of tensors and sparse tensors; the batches have its form.


def _batch(add, lists, keep_input, batch_size, enqueue_many, *arguments):
    """What `add` makes of plain tensors, in the form of the first list."""
    keys = [sorted(each) if isinstance(each, dict) else None for each in lists]
    flat = [
        [each[key] for key in own] if own is not None else list(each) for each, own in zip(lists, keys)
    ]
    stored = None
    if any(isinstance(tensor, SparseTensor) for each in flat for tensor in each):
        stored = Stored(flat, enqueue_many, keep_input)
        flat = stored.tensors
    batches = add(flat, keep_input, batch_size, *arguments)
    if stored is not None:
        batches = stored.restored(batches)
    if keys and keys[0] is not None:
        return dict(zip(keys[0], batches))
    return batches[0] if len(batches) == 1 else batches


def _listed(tensors, function):
    if not isinstance(tensors, dict):
        tensors = list(tensors)
    if not tensors:
        raise ValueError(f"Expected at least one tensor in {function}().")
    return [tensors]


def _lists(tensors_list):
    tensors_list = list(tensors_list)
    if not tensors_list:
        raise ValueError("Expected at least one set of tensors")
    if isinstance(tensors_list[0], dict):
        expected = set(tensors_list[0])
        for tensors in tensors_list[1:]:
            if set(tensors) != expected:
                raise ValueError("All dictionaries in tensors_list must have the same keys")
        return tensors_list
    if any(len(tensors) == 0 for tensors in tensors_list):
        raise ValueError("Expected at least one input in batch_join().")
    return tensors_list


def _one(add):
    """For functions of C++ that take one list."""
    return lambda lists, *arguments: add(lists[0], *arguments)


@_says("tf.data.Dataset.batch(batch_size)` (or `padded_batch(...)` if `dynamic_pad=True`)")
def batch(
    tensors,
    batch_size,
    num_threads=1,
    capacity=32,
    enqueue_many=False,
    shapes=None,
    dynamic_pad=False,
    allow_smaller_final_batch=False,
    shared_name=None,
    name=None,
):
    """Batches of what the tensors give.

    num_threads: that enqueue; capacity: of the queue; enqueue_many: the tensors are batches already; shapes: of the
    elements, as the tensors say where it is None; dynamic_pad: elements that differ in extents are filled up with
    zeros; allow_smaller_final_batch: a last batch may be smaller. Errors: ValueError. Source: tf.train.batch.
    """
    return _batch(
        _one(_c.batch), _listed(tensors, "batch"), True, batch_size, enqueue_many, num_threads, capacity,
        enqueue_many, shapes, dynamic_pad, allow_smaller_final_batch, shared_name, name,
    )  # fmt: skip


@_says("tf.data.Dataset.filter(...).batch(batch_size)` (or `padded_batch(...)` if `dynamic_pad=True`)")
def maybe_batch(
    tensors,
    keep_input,
    batch_size,
    num_threads=1,
    capacity=32,
    enqueue_many=False,
    shapes=None,
    dynamic_pad=False,
    allow_smaller_final_batch=False,
    shared_name=None,
    name=None,
):
    """The same of what is to be kept: a bool, or with enqueue_many a vector of them. Source: tf.train.maybe_batch."""
    return _batch(
        _one(_c.batch), _listed(tensors, "batch"), keep_input, batch_size, enqueue_many, num_threads, capacity,
        enqueue_many, shapes, dynamic_pad, allow_smaller_final_batch, shared_name, name,
    )  # fmt: skip


@_says("tf.data.Dataset.interleave(...).batch(batch_size)` (or `padded_batch(...)` if `dynamic_pad=True`)")
def batch_join(
    tensors_list,
    batch_size,
    capacity=32,
    enqueue_many=False,
    shapes=None,
    dynamic_pad=False,
    allow_smaller_final_batch=False,
    shared_name=None,
    name=None,
):
    """Batches of several lists, each by a thread of its own. Source: tf.train.batch_join."""
    return _batch(
        _c.batch_join, _lists(tensors_list), True, batch_size, enqueue_many, 1, capacity, enqueue_many, shapes,
        dynamic_pad, allow_smaller_final_batch, shared_name, name,
    )  # fmt: skip


@_says("tf.data.Dataset.interleave(...).filter(...).batch(batch_size)` (or `padded_batch(...)` if `dynamic_pad=True`)")
def maybe_batch_join(
    tensors_list,
    keep_input,
    batch_size,
    capacity=32,
    enqueue_many=False,
    shapes=None,
    dynamic_pad=False,
    allow_smaller_final_batch=False,
    shared_name=None,
    name=None,
):
    """The same of what is to be kept. Source: tf.train.maybe_batch_join."""
    return _batch(
        _c.batch_join, _lists(tensors_list), keep_input, batch_size, enqueue_many, 1, capacity, enqueue_many, shapes,
        dynamic_pad, allow_smaller_final_batch, shared_name, name,
    )  # fmt: skip


@_says("tf.data.Dataset.shuffle(min_after_dequeue).batch(batch_size)")
def shuffle_batch(
    tensors,
    batch_size,
    capacity,
    min_after_dequeue,
    num_threads=1,
    seed=None,
    enqueue_many=False,
    shapes=None,
    allow_smaller_final_batch=False,
    shared_name=None,
    name=None,
):
    """Batches in random order, drawn from at least min_after_dequeue elements. Source: tf.train.shuffle_batch."""
    return _batch(
        _one(_c.shuffle_batch), _listed(tensors, "batch"), True, batch_size, enqueue_many, capacity,
        min_after_dequeue, num_threads, seed, enqueue_many, shapes, allow_smaller_final_batch, shared_name, name,
    )  # fmt: skip


@_says("tf.data.Dataset.filter(...).shuffle(min_after_dequeue).batch(batch_size)")
def maybe_shuffle_batch(
    tensors,
    batch_size,
    capacity,
    min_after_dequeue,
    keep_input,
    num_threads=1,
    seed=None,
    enqueue_many=False,
    shapes=None,
    allow_smaller_final_batch=False,
    shared_name=None,
    name=None,
):
    """The same of what is to be kept. Source: tf.train.maybe_shuffle_batch."""
    return _batch(
        _one(_c.shuffle_batch), _listed(tensors, "batch"), keep_input, batch_size, enqueue_many, capacity,
        min_after_dequeue, num_threads, seed, enqueue_many, shapes, allow_smaller_final_batch, shared_name, name,
    )  # fmt: skip


@_says("tf.data.Dataset.interleave(...).shuffle(min_after_dequeue).batch(batch_size)")
def shuffle_batch_join(
    tensors_list,
    batch_size,
    capacity,
    min_after_dequeue,
    seed=None,
    enqueue_many=False,
    shapes=None,
    allow_smaller_final_batch=False,
    shared_name=None,
    name=None,
):
    """Batches in random order of several lists, each by a thread of its own. Source: tf.train.shuffle_batch_join."""
    return _batch(
        _c.shuffle_batch_join, _lists(tensors_list), True, batch_size, enqueue_many, capacity, min_after_dequeue, 1,
        seed, enqueue_many, shapes, allow_smaller_final_batch, shared_name, name,
    )  # fmt: skip


@_says("tf.data.Dataset.interleave(...).filter(...).shuffle(min_after_dequeue).batch(batch_size)")
def maybe_shuffle_batch_join(
    tensors_list,
    batch_size,
    capacity,
    min_after_dequeue,
    keep_input,
    seed=None,
    enqueue_many=False,
    shapes=None,
    allow_smaller_final_batch=False,
    shared_name=None,
    name=None,
):
    """The same of what is to be kept. Source: tf.train.maybe_shuffle_batch_join."""
    return _batch(
        _c.shuffle_batch_join, _lists(tensors_list), keep_input, batch_size, enqueue_many, capacity,
        min_after_dequeue, 1, seed, enqueue_many, shapes, allow_smaller_final_batch, shared_name, name,
    )  # fmt: skip
