"""Gradients of functions compared with differences of their values."""

import numpy as np

from kiln.compat import v1 as tf


def _size(shape):
    return int(np.prod([int(extent) for extent in shape], dtype=np.int64))


def _to_numpy(a):
    """The value of a tensor in the default session; of slices the dense one; others as they are."""
    if isinstance(a, tf.Tensor):
        return tf.get_default_session().run(a)
    if hasattr(a, "indices") and getattr(a, "dense_shape", None) is not None:
        return _dense(a, tf.TensorShape(a.dense_shape))
    return a


def _runner(f, dtypes, shapes):
    """What runs, in the default session, the graph that f builds once."""
    inputs = [tf.placeholder(dtype, shape=shape) for dtype, shape in zip(dtypes, shapes)]
    results = f(*inputs)
    session = tf.get_default_session()
    return lambda *values: session.run(results, feed_dict=dict(zip(inputs, values)))


def _theoretical(f, y, values, tensors, place):
    """The Jacobian by gradients: [elements of y, elements of x]."""
    x = tensors[place]
    jacobian = np.zeros((_size(y.shape), _size(x.shape)), x.dtype.as_numpy_dtype)
    seed = np.zeros(y.shape, y.dtype)

    def gradient(dy, *inputs):
        found = tf.gradients(f(*inputs), inputs[place], dy)[0]
        return tf.no_op() if found is None else found

    dtypes = [tf.as_dtype(y.dtype), *(tensor.dtype for tensor in tensors)]
    run = _runner(gradient, dtypes, [None, *(tensor.shape for tensor in tensors)])
    for row in range(jacobian.shape[0]):
        seed.ravel()[row] = 1
        found = _dense(run(seed, *values), x.shape)
        seed.ravel()[row] = 0
        if found is not None:
            jacobian[row] = found.ravel()
    if not jacobian.shape[0]:
        found = _dense(run(seed, *values), x.shape)
        if list(found.shape) != x.shape.as_list():
            raise ValueError(f"Empty gradient has wrong shape: expected {x.shape}, got {found.shape}")
        if np.any(found):
            raise ValueError("Empty tensor with nonzero gradients")
    return jacobian


def _dense(gradient, shape):
    if not hasattr(gradient, "indices"):
        return gradient
    dense = np.zeros(shape.as_list(), gradient.values.dtype)
    np.add.at(dense, gradient.indices, gradient.values)
    return dense


def _numeric(f, y, values, tensors, place, delta):
    """The Jacobian by differences over 2 * delta."""
    values = [np.array(value) for value in values]
    flat = values[place].reshape(-1)
    jacobian = np.zeros((_size(y.shape), flat.size), flat.dtype)
    scale = np.asarray(2 * delta, dtype=y.dtype)[()]
    run = _runner(f, [tensor.dtype for tensor in tensors], [tensor.shape for tensor in tensors])
    for column in range(flat.size):
        kept, results = flat[column], []
        for step in (delta, -delta):
            flat[column] = kept + flat.dtype.type(step)
            values[place] = flat.reshape(values[place].shape)
            results.append(np.asarray(run(*values)))
        flat[column] = kept
        jacobian[:, column] = ((results[0] - results[1]) / scale).ravel()
    return jacobian


def compute_gradient(f, x, delta=None):
    """The Jacobians of f at x, by gradients and by differences: two tuples of one array an argument.

    x: a list of arguments. delta: 1/1024 where it is None. Needs a default session.
    """
    if not isinstance(x, (list, tuple)):
        raise ValueError(f"`x` must be a list or tuple of values convertible to a Tensor (arguments to `f`), not a {type(x)}")
    if delta is None:
        delta = 1.0 / 1024
    tensors = [tf.convert_to_tensor(value) for value in x]
    values = tf.get_default_session().run(tensors)
    y = np.asarray(_runner(f, [each.dtype for each in tensors], [each.shape for each in tensors])(*values))
    pairs = []
    for place, tensor in enumerate(tensors):
        for dtype in (tensor.dtype.base_dtype, tf.as_dtype(y.dtype)):
            assert dtype.is_floating or dtype.is_complex, f"Cannot compute gradient for unsupported type {dtype.name}"
        pairs.append((_theoretical(f, y, values, tensors, place), _numeric(f, y, values, tensors, place, delta)))
    return tuple(zip(*pairs))


def max_error(grad1, grad2):
    """The largest difference between two lists of Jacobians."""
    pairs = (np.asarray(a) - np.asarray(b) for a, b in zip(grad1, grad2))
    return max((np.fabs(each).max() for each in pairs if each.size), default=0)
