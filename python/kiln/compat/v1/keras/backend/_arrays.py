"""Tensors: how they are made, shaped and put together."""

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.keras.backend import _config, _session

_all = all


def placeholder(shape=None, ndim=None, dtype=None, sparse=False, name=None, ragged=False):
    """A placeholder of a shape or a rank. Errors: ValueError without any of them."""
    if sparse and ragged:
        raise ValueError(
            "Cannot set both sparse and ragged to True when creating a placeholder."
        )
    if sparse and (shape is None and ndim is None):
        raise ValueError("expected a shape or a rank of a sparse placeholder")
    dtype = dtype or _config.floatx()
    if not shape and ndim:
        shape = (None,) * ndim
    if sparse:
        return tf.sparse_placeholder(dtype, shape=shape, name=name)
    if ragged:
        rank = max((i for i in range(1, len(shape)) if shape[i] is None), default=0)
        return tf.ragged.placeholder(dtype, rank, value_shape=shape[rank + 1 :], name=name)
    return tf.placeholder(dtype, shape=shape, name=name)


def is_placeholder(x):
    return isinstance(x, tf.Tensor) and x.op.type == "Placeholder"


def is_keras_tensor(x):
    """Whether a layer of Keras gave it. Errors: ValueError for what is no tensor."""
    if not isinstance(x, (tf.Tensor, tf.Variable, tf.SparseTensor)):
        raise ValueError(
            f"Unexpectedly found an instance of type `{type(x)}`. "
            "Expected a symbolic tensor instance."
        )
    return hasattr(x, "_keras_history")


def constant(value, dtype=None, shape=None, name=None):
    return tf.constant(value, dtype=dtype or _config.floatx(), shape=shape, name=name)


def shape(x):
    return tf.shape(x)


def int_shape(x):
    """The shape as a tuple, None for extents that are not known; None without a rank."""
    try:
        return tuple(x.shape.as_list())
    except ValueError:
        return None


def ndim(x):
    return x.shape.ndims


def dtype(x):
    return x.dtype.base_dtype.name


def count_params(x):
    return int(np.prod(x.shape.as_list()))


def cast(x, dtype):
    return tf.cast(x, dtype)


def identity(x, name=None):
    return tf.identity(x, name=name)


def zeros(shape, dtype=None, name=None):
    """A variable of zeros; a tensor where the shape is not known."""
    return _filled(tf.zeros, shape, dtype, name)


def ones(shape, dtype=None, name=None):
    """A variable of ones; a tensor where the shape is not known."""
    return _filled(tf.ones, shape, dtype, name)


def _filled(make, shape, dtype, name):
    dtype = tf.as_dtype(dtype or _config.floatx())
    value = make(shape=shape, dtype=dtype, name=name)
    known = value.shape.is_fully_defined()
    return _session.variable(value, dtype=dtype, name=name) if known else value


def eye(size, dtype=None, name=None):
    dtype = dtype or _config.floatx()
    return _session.variable(tf.eye(size, dtype=tf.as_dtype(dtype)), dtype, name)


def zeros_like(x, dtype=None, name=None):
    return tf.zeros_like(x, dtype=dtype, name=name)


def ones_like(x, dtype=None, name=None):
    return tf.ones_like(x, dtype=dtype, name=name)


def random_normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    return _random(tf.random_normal, shape, seed, dtype, mean=mean, stddev=stddev)


def random_uniform(shape, minval=0.0, maxval=1.0, dtype=None, seed=None):
    return _random(tf.random_uniform, shape, seed, dtype, minval=minval, maxval=maxval)


def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    return _random(tf.truncated_normal, shape, seed, dtype, mean=mean, stddev=stddev)


def random_binomial(shape, p=0.0, dtype=None, seed=None):
    """1 with probability p, otherwise 0."""
    dtype = dtype or _config.floatx()
    drawn = _random(tf.random_uniform, shape, seed, dtype)
    return tf.where(drawn <= p, tf.ones(shape, dtype), tf.zeros(shape, dtype))


def _random(function, shape, seed, dtype, **given):
    seed = np.random.randint(10_000_000) if seed is None else seed
    return function(shape, dtype=dtype or _config.floatx(), seed=seed, **given)


def random_uniform_variable(shape, low, high, dtype=None, name=None, seed=None):
    value = _random(tf.random_uniform, shape, seed, dtype, minval=low, maxval=high)
    return _session.variable(value, dtype=dtype, name=name)


def random_normal_variable(shape, mean, scale, dtype=None, name=None, seed=None):
    value = _random(tf.random_normal, shape, seed, dtype, mean=mean, stddev=scale)
    return _session.variable(value, dtype=dtype, name=name)


def update(x, new_x):
    return tf.assign(x, new_x)


def update_add(x, increment):
    return tf.assign_add(x, increment)


def update_sub(x, decrement):
    return tf.assign_sub(x, decrement)


def moving_average_update(x, value, momentum):
    """Brings a variable nearer to a value: x * momentum + value * (1 - momentum)."""
    from kiln.compat.v1.train import moving_average

    return moving_average(x, value, momentum)


def gather(reference, indices):
    return tf.gather(reference, indices)


def transpose(x):
    return tf.transpose(x)


def permute_dimensions(x, pattern):
    return tf.transpose(x, perm=pattern)


def reshape(x, shape):
    return tf.reshape(x, shape)


def flatten(x):
    return tf.reshape(x, [-1])


def batch_flatten(x):
    """Of each example a vector."""
    return tf.reshape(x, tf.stack([-1, tf.reduce_prod(tf.shape(x)[1:])]))


def expand_dims(x, axis=-1):
    return tf.expand_dims(x, axis)


def squeeze(x, axis):
    return tf.squeeze(x, [axis])


def concatenate(tensors, axis=-1):
    """Tensors one behind the other along an axis; sparse ones too."""
    if axis < 0:
        rank = ndim(tensors[0])
        axis = axis % rank if rank else 0
    if _all(_session.is_sparse(x) for x in tensors):
        return tf.sparse_concat(axis, tensors)
    return tf.concat([_session.to_dense(x) for x in tensors], axis)


def stack(x, axis=0):
    return tf.stack(x, axis=axis)


def tile(x, n):
    return tf.tile(x, [n] if isinstance(n, int) else n)


def repeat(x, n):
    """Each row n times: `[rows, n, columns]`."""
    assert ndim(x) == 2
    return tf.tile(tf.expand_dims(x, 1), tf.stack([1, n, 1]))


def repeat_elements(x, rep, axis):
    """Each element rep times along an axis."""
    extents = x.shape.as_list()
    if extents[axis] is not None:
        parts = tf.split(value=x, num_or_size_splits=extents[axis], axis=axis)
        return concatenate([part for part in parts for _ in range(rep)], axis)
    between = axis + 1
    spread = tf.tile(
        tf.expand_dims(x, axis=between),
        [rep if i == between else 1 for i in range(len(extents) + 1)],
    )
    factors = np.ones(len(extents), dtype="int32")
    factors[axis] = rep
    result = tf.reshape(spread, tf.shape(x) * tf.constant(factors))
    result.set_shape(extents)
    return result


def arange(start, stop=None, step=1, dtype="int32"):
    """The numbers from start to stop, or from 0 to start."""
    if stop is None and start < 0:
        start = 0
    result = tf.range(start, limit=stop, delta=step, name="arange")
    return result if dtype == "int32" else cast(result, dtype)


def one_hot(indices, num_classes):
    return tf.one_hot(indices, depth=num_classes, axis=-1)


def reverse(x, axes):
    return tf.reverse(x, [axes] if isinstance(axes, int) else axes)


def slice(x, start, size):
    return tf.slice(x, start, size)


def temporal_padding(x, padding=(1, 1)):
    """Zeros before and behind the steps of `[batch, steps, numbers]`."""
    assert len(padding) == 2
    return tf.pad(x, [[0, 0], list(padding), [0, 0]])


def spatial_2d_padding(x, padding=((1, 1), (1, 1)), data_format=None):
    """Zeros around images."""
    return _spatial_padding(x, padding, data_format)


def spatial_3d_padding(x, padding=((1, 1), (1, 1), (1, 1)), data_format=None):
    """Zeros around volumes."""
    return _spatial_padding(x, padding, data_format)


def _spatial_padding(x, padding, data_format):
    space = [list(each) for each in padding]
    if _config.standardize_data_format(data_format) == "channels_first":
        return tf.pad(x, [[0, 0], [0, 0], *space])
    return tf.pad(x, [[0, 0], *space, [0, 0]])


def resize_images(x, height_factor, width_factor, data_format, interpolation="nearest"):
    """Images that are larger by integer factors."""
    first = data_format == "channels_first"
    if not first and data_format != "channels_last":
        raise ValueError("Invalid `data_format` argument: %s" % (data_format,))
    rows, columns = (2, 3) if first else (1, 2)
    static = int_shape(x)
    size = tf.shape(x)[rows : columns + 1]
    size *= tf.constant(np.array([height_factor, width_factor], dtype="int32"))
    if first:
        x = permute_dimensions(x, [0, 2, 3, 1])
    if interpolation == "nearest":
        x = tf.image.resize_nearest_neighbor(x, size)
    elif interpolation == "bilinear":
        x = tf.raw_ops.ResizeBilinear(images=x, size=size, half_pixel_centers=True)
    else:
        raise ValueError('interpolation should be one of "nearest" or "bilinear".')
    height, width = static[rows], static[columns]
    known = [
        None if extent is None else extent * factor
        for extent, factor in ((height, height_factor), (width, width_factor))
    ]
    if first:
        x = permute_dimensions(x, [0, 3, 1, 2])
        x.set_shape((None, None, *known))
    else:
        x.set_shape((None, *known, None))
    return x


def resize_volumes(x, depth_factor, height_factor, width_factor, data_format):
    """Volumes that are larger by integer factors."""
    axes = {"channels_first": (2, 3, 4), "channels_last": (1, 2, 3)}
    if data_format not in axes:
        raise ValueError("Invalid data_format: " + str(data_format))
    for axis, factor in zip(axes[data_format], (depth_factor, height_factor, width_factor)):
        x = repeat_elements(x, factor, axis=axis)
    return x


def print_tensor(x, message=""):
    """The tensor, whose value is printed when it is computed."""
    return tf.Print(x, [x], message=message)
