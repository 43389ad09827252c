"""A queue of what is computed ahead."""

from kiln.compat import v1 as tf

__all__ = ["prefetch_queue"]


def prefetch_queue(
    tensors, capacity=8, num_threads=1, dynamic_pad=False, shared_name=None, name=None
):
    """A queue that threads fill with tensors, a list or a dict of them.

    dynamic_pad: whether their shapes may differ, and are filled with zeros. Source:
    tf.contrib.slim.prefetch_queue.prefetch_queue.
    """
    names = sorted(tensors) if isinstance(tensors, dict) else None
    each = tensors if names is None else [tensors[key] for key in names]
    with tf.name_scope(name, "prefetch_queue", each) as name:
        make = tf.PaddingFIFOQueue if dynamic_pad else tf.FIFOQueue
        queue = make(
            capacity=capacity,
            dtypes=[tensor.dtype for tensor in each],
            shapes=[tensor.get_shape() for tensor in each],
            names=names,
            shared_name=shared_name,
        )
        runner = tf.train.QueueRunner(queue, [queue.enqueue(tensors)] * num_threads)
        tf.train.add_queue_runner(runner)
        share = tf.cast(queue.size(), tf.float32) * (1.0 / capacity)
        tf.summary.scalar("fraction_of_%d_full" % capacity, share)
        return queue
