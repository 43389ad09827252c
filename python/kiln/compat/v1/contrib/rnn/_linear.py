"""Products of a cell's tensors with a kernel of its own."""

import kiln.compat.v1 as tf
from kiln.compat.v1._util import nest


def _columns_of(args):
    """The sum of the columns of matrices. Errors: ValueError for other tensors and columns that are not known."""
    shapes = [tensor.get_shape() for tensor in args]
    for shape in shapes:
        if shape.ndims != 2:
            raise ValueError(f"linear is expecting 2D arguments: {shapes}")
        if shape.dims[1].value is None:
            raise ValueError(
                f"linear expects shape[1] to be provided for shape {shape}, but saw {shape.dims[1]}"
            )
    return sum(shape.dims[1].value for shape in shapes)


def _listed(args):
    if args is None or (nest.is_nested(args) and not args):
        raise ValueError("`args` must be specified")
    return list(args) if nest.is_nested(args) else [args]


class Linear:
    """The matrices beside one another times a kernel, plus a bias; the variables are made once.

    Variables "kernel", "bias" of the current variable scope. Errors: ValueError.
    """

    def __init__(self, args, output_size, build_bias, bias_initializer=None, kernel_initializer=None):
        args = _listed(args)
        self._build_bias = build_bias
        rows, dtype = _columns_of(args), args[0].dtype
        with tf.variable_scope(tf.get_variable_scope()) as outer:
            self._weights = tf.get_variable(
                "kernel", [rows, output_size], dtype=dtype, initializer=kernel_initializer
            )
            if build_bias:
                self._biases = _bias(outer, output_size, dtype, bias_initializer)

    def __call__(self, args):
        args = _listed(args)
        if len(args) == 1:
            result = tf.matmul(args[0], self._weights)
        else:
            # The axis comes first, as in TensorFlow.
            axis = tf.constant(1, dtype=tf.int32)
            result = tf.matmul(tf.concat(args, axis), self._weights)
        return tf.nn.bias_add(result, self._biases) if self._build_bias else result


def _bias(outer, size, dtype, initializer):
    """The bias, in one part whatever the scope says."""
    with tf.variable_scope(outer) as inner:
        inner.set_partitioner(None)
        if initializer is None:
            initializer = tf.constant_initializer(0.0, dtype=dtype)
        return tf.get_variable("bias", [size], dtype=dtype, initializer=initializer)


def linear(args, output_size, bias, bias_initializer=None, kernel_initializer=None):
    """As Linear, with the variables of the current scope. Source: core_rnn_cell._linear."""
    args = _listed(args)
    rows, dtype = _columns_of(args), args[0].dtype
    with tf.variable_scope(tf.get_variable_scope()) as outer:
        weights = tf.get_variable("kernel", [rows, output_size], dtype=dtype, initializer=kernel_initializer)
        result = tf.matmul(args[0] if len(args) == 1 else tf.concat(args, 1), weights)
        if not bias:
            return result
        return tf.nn.bias_add(result, _bias(outer, output_size, dtype, bias_initializer))
