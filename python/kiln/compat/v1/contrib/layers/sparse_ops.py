"""Dense tensors as sparse ones: tensorflow.contrib.layers.python.ops.sparse_ops."""

from kiln.compat import v1 as tf

__all__ = ["dense_to_sparse_tensor"]


def dense_to_sparse_tensor(dense_tensor, ignore_value=None):
    """A sparse tensor of the elements that are not ignore_value.

    ignore_value: "" of strings and 0 of others where it is None. Source:
    tensorflow.contrib.layers.python.ops.sparse_ops.dense_to_sparse_tensor.
    """
    with tf.name_scope("DenseToSparseTensor"):
        dense = tf.convert_to_tensor(dense_tensor)
        if ignore_value is None:
            ignore_value = "" if dense.dtype == tf.string else dense.dtype.as_numpy_dtype()
        ignored = tf.cast(ignore_value, dense.dtype, name="ignore_value")
        indices = tf.where(tf.not_equal(dense, ignored), name="indices")
        return tf.SparseTensor(
            indices=indices,
            values=tf.gather_nd(dense, indices, name="values"),
            dense_shape=tf.shape(dense, out_type=tf.int64, name="dense_shape"),
        )
