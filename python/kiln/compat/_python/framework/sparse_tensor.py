"""What tf does not show of sparse tensors."""

from kiln.compat import v1 as tf


def is_sparse(x):
    """Whether it is a sparse tensor, or the value of one."""
    return isinstance(x, (tf.SparseTensor, tf.SparseTensorValue))
