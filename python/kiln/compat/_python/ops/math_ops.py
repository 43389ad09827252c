"""Tensors as slices."""

from kiln.compat import v1 as tf


def _as_indexed_slices(x, optimize=True):
    """All rows of a tensor as IndexedSlices."""
    if isinstance(x, tf.IndexedSlices):
        return x
    if not isinstance(x, tf.Tensor):
        raise TypeError(f"Not a Tensor or IndexedSlices: {type(x)}.")
    shape = tf.shape(x) if optimize else tf.raw_ops.Shape(input=x)
    return tf.IndexedSlices(x, tf.range(0, shape[0]), shape)


def _as_indexed_slices_list(inputs, optimize=True):
    """The same of each of a list, with indices of one type."""
    if not isinstance(inputs, (list, tuple)):
        raise TypeError(f"Expected a list or tuple, not {type(inputs)}.")
    slices = [_as_indexed_slices(each, optimize=optimize) for each in inputs]
    if all(each.indices.dtype == slices[0].indices.dtype for each in slices):
        return slices
    return [tf.IndexedSlices(each.values, tf.cast(each.indices, tf.int64), each.dense_shape) for each in slices]
