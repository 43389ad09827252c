"""Functions of numbers, sums over axes, products of matrices."""

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.keras.backend import _arrays, _config


def _reduction(function, name, words):
    def reduce(x, axis=None, keepdims=False):
        return function(x, axis, keepdims)

    reduce.__name__ = reduce.__qualname__ = name
    reduce.__doc__ = f"The {words} over axes. Source: tf.keras.backend.{name}."
    return reduce


max = _reduction(tf.reduce_max, "max", "largest number")
min = _reduction(tf.reduce_min, "min", "smallest number")
sum = _reduction(tf.reduce_sum, "sum", "sum")
prod = _reduction(tf.reduce_prod, "prod", "product")
logsumexp = _reduction(tf.reduce_logsumexp, "logsumexp", "logarithm of the sum of exponentials")


def mean(x, axis=None, keepdims=False):
    """The mean over axes; of booleans as numbers."""
    if x.dtype.base_dtype == tf.bool:
        x = tf.cast(x, _config.floatx())
    return tf.reduce_mean(x, axis, keepdims)


def var(x, axis=None, keepdims=False):
    """The variance over axes."""
    if x.dtype.base_dtype == tf.bool:
        x = tf.cast(x, _config.floatx())
    distances = tf.squared_difference(x, tf.reduce_mean(x, axis, keepdims=True))
    return tf.reduce_mean(distances, axis, keepdims)


def std(x, axis=None, keepdims=False):
    """The standard deviation over axes."""
    return tf.sqrt(var(x, axis, keepdims))


def any(x, axis=None, keepdims=False):
    return tf.reduce_any(tf.cast(x, tf.bool), axis, keepdims)


def all(x, axis=None, keepdims=False):
    return tf.reduce_all(tf.cast(x, tf.bool), axis, keepdims)


def argmax(x, axis=-1):
    return tf.argmax(x, axis)


def argmin(x, axis=-1):
    return tf.argmin(x, axis)


def cumsum(x, axis=0):
    return tf.cumsum(x, axis=axis)


def cumprod(x, axis=0):
    return tf.cumprod(x, axis=axis)


def square(x):
    return tf.square(x)


def abs(x):
    return tf.abs(x)


def sqrt(x):
    """The square root, of negative numbers 0."""
    zero = tf.convert_to_tensor(0.0, x.dtype.base_dtype)
    infinity = tf.convert_to_tensor(np.inf, x.dtype.base_dtype)
    return tf.sqrt(tf.clip_by_value(x, zero, infinity))


def exp(x):
    return tf.exp(x)


def log(x):
    return tf.log(x)


def round(x):
    return tf.round(x)


def sign(x):
    return tf.sign(x)


def pow(x, a):
    return tf.pow(x, a)


def sin(x):
    return tf.sin(x)


def cos(x):
    return tf.cos(x)


def clip(x, min_value, max_value):
    """Numbers brought between two limits; None is no limit."""
    plain = (int, float)
    if isinstance(min_value, plain) and isinstance(max_value, plain) and max_value < min_value:
        max_value = min_value
    min_value = -np.inf if min_value is None else min_value
    max_value = np.inf if max_value is None else max_value
    return tf.clip_by_value(x, min_value, max_value)


def equal(x, y):
    return tf.equal(x, y)


def not_equal(x, y):
    return tf.not_equal(x, y)


def greater(x, y):
    return tf.greater(x, y)


def greater_equal(x, y):
    return tf.greater_equal(x, y)


def less(x, y):
    return tf.less(x, y)


def less_equal(x, y):
    return tf.less_equal(x, y)


def maximum(x, y):
    return tf.maximum(x, y)


def minimum(x, y):
    return tf.minimum(x, y)


def dot(x, y):
    """The product over the last axis of x and the last but one of y, for any ranks."""
    rank_x, rank_y = x.shape.ndims, y.shape.ndims
    if rank_x is not None and (rank_x > 2 or rank_y > 2):
        x_shape = [
            given if given is not None else actual
            for given, actual in zip(_arrays.int_shape(x), tf.unstack(tf.shape(x)))
        ]
        y_shape = [
            given if given is not None else actual
            for given, actual in zip(_arrays.int_shape(y), tf.unstack(tf.shape(y)))
        ]
        order = [rank_y - 2, *(axis for axis in range(rank_y) if axis != rank_y - 2)]
        rows = tf.reshape(x, [-1, x_shape[-1]])
        columns = tf.reshape(tf.transpose(y, perm=order), [y_shape[-2], -1])
        shape = [*x_shape[:-1], *y_shape[:-2], *y_shape[-1:]]
        return tf.reshape(tf.matmul(rows, columns), shape)
    if isinstance(x, tf.SparseTensor):
        return tf.sparse_tensor_dense_matmul(x, y)
    return tf.matmul(x, y)


def batch_dot(x, y, axes=None):
    """The product of each pair of examples over an axis of each.

    axes: one, or one of x and one of y; the last of x and the last but one of y where it is None.
    """
    rank_x, rank_y = x.shape.ndims, y.shape.ndims
    if isinstance(axes, int):
        axes = (axes, axes)
    if axes is None:
        axes = (rank_x - 1, rank_y - 1 if rank_y == 2 else rank_y - 2)
    axes = [axis % rank for axis, rank in zip(axes, (rank_x, rank_y))]
    if 0 in axes:
        raise ValueError(
            "Cannot perform batch_dot over axis 0. If your inputs are not batched, "
            "add a dummy batch dimension to your inputs using K.expand_dims(x, 0)"
        )
    # Both as [batch, rows, common]: the other axes become one.
    left, left_shape = _as_rows(x, axes[0])
    right, right_shape = _as_rows(y, axes[1])
    result = tf.matmul(left, right, transpose_b=True)
    batch = [tf.shape(x)[0]]
    known = [x.shape[0].value, *left_shape, *right_shape]
    if not left_shape and not right_shape:
        return tf.reshape(result, [*batch, 1])
    if len(left_shape) + len(right_shape) != 2 or not left_shape:
        sizes = [tf.shape(x)[i] for i in range(1, rank_x) if i != axes[0]]
        sizes += [tf.shape(y)[i] for i in range(1, rank_y) if i != axes[1]]
        result = tf.reshape(result, tf.stack([*batch, *sizes]))
    result.set_shape(known)
    return result


def _as_rows(x, axis):
    rank = x.shape.ndims
    others = [i for i in range(1, rank) if i != axis]
    shape = [x.shape[i].value for i in others]
    moved = tf.transpose(x, [0, *others, axis]) if [*others, axis] != list(range(1, rank)) else x
    if rank == 2:
        moved = tf.expand_dims(moved, 1)
    elif rank > 3:
        common = tf.shape(x)[axis]
        moved = tf.reshape(moved, tf.stack([tf.shape(x)[0], -1, common]))
    return moved, shape


def l2_normalize(x, axis=None):
    return tf.nn.l2_normalize(x, axis=axis)


def gradients(loss, variables):
    return tf.gradients(loss, variables, colocate_gradients_with_ops=True)


def stop_gradient(variables):
    if isinstance(variables, (list, tuple)):
        return list(map(tf.stop_gradient, variables))
    return tf.stop_gradient(variables)


def map_fn(fn, elems, name=None, dtype=None):
    return tf.map_fn(fn, elems, name=name, dtype=dtype)


def foldl(fn, elems, initializer=None, name=None):
    return tf.foldl(fn, elems, initializer=initializer, name=name)


def foldr(fn, elems, initializer=None, name=None):
    return tf.foldr(fn, elems, initializer=initializer, name=name)
