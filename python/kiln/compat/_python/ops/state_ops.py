"""References to variables without tf.Variable."""

from kiln._generated import raw_ops
from kiln.compat import v1 as tf


def variable_op(shape, dtype, name="Variable", set_shape=True, container="", shared_name=""):
    """A reference to a variable; of an unknown shape where set_shape is false."""
    if not set_shape:
        shape = tf.TensorShape(None)
    return raw_ops.variable(shape, dtype, container, shared_name, name)


def variable_op_v2(shape, dtype, name="Variable", container="", shared_name=""):
    """A reference to a variable."""
    return raw_ops.variable_v2(shape, dtype, container, shared_name, name)
