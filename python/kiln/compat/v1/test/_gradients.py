"""Gradients compared with differences of values."""

import numpy as np

from kiln._kiln import front as _c
from kiln.compat.v1._session import get_default_session


def _as_list(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _theoretical(session, x, x_shape, x_value, dy, dx, dy_shape, feeds):
    """The Jacobian by gradients: [elements of x, elements of y]."""
    x_size, dy_size = int(np.prod(x_shape)), int(np.prod(dy_shape))
    jacobian = np.zeros((x_size, dy_size), x.dtype.as_numpy_dtype)
    seed = np.zeros(dy_shape, dy.dtype.as_numpy_dtype)
    for column in range(dy_size):
        seed.ravel()[column] = 1
        back = session.run(dx, {**feeds, x: x_value, dy: seed})
        seed.ravel()[column] = 0
        if hasattr(back, "indices"):  # rows
            dense = np.zeros(x_shape, jacobian.dtype)
            np.add.at(dense, back.indices, back.values)
            back = dense
        jacobian[:, column] = np.asarray(back).reshape(x_size)
    return jacobian


def _numeric(session, x, x_shape, x_value, y, y_shape, delta, feeds):
    """The Jacobian by differences over 2 * delta."""
    x_size, y_size = int(np.prod(x_shape)), int(np.prod(y_shape))
    jacobian = np.zeros((x_size, y_size), x.dtype.as_numpy_dtype)
    value = np.array(x_value, x.dtype.as_numpy_dtype)
    for row in range(x_size):
        results = []
        for step in (delta, -delta):
            kept = value.ravel()[row]
            value.ravel()[row] = kept + step
            results.append(session.run(y, {**feeds, x: value}))
            value.ravel()[row] = kept
        jacobian[row] = (results[0] - results[1]).reshape(y_size) / (2 * delta)
    return jacobian


def _one(x, x_shape, dx, y, y_shape, dy, x_init_value, delta, feeds):
    session = get_default_session()
    if x_init_value is None:
        x_init_value = np.random.uniform(size=x_shape).astype(x.dtype.as_numpy_dtype)
    assert list(x_init_value.shape) == list(x_shape), f"x_shape = {x_shape}, init_data shape = {x_init_value.shape}"
    theoretical = _theoretical(session, x, x_shape, x_init_value, dy, dx, y_shape, feeds)
    return theoretical, _numeric(session, x, x_shape, x_init_value, y, y_shape, delta, feeds)


def compute_gradient(
    x, x_shape, y, y_shape, x_init_value=None, delta=1e-3, init_targets=None, extra_feed_dict=None
):
    """The Jacobian of y by gradients and by differences: two arrays [elements of x, elements of y].

    x: a tensor, or a list of them, with as many x_shape and x_init_value: then a
    list of pairs. Needs a default session. Source: tf.test.compute_gradient.
    """
    if extra_feed_dict is None:
        extra_feed_dict = {}
    if init_targets is not None:
        for target in _as_list(init_targets):
            target.run()
    is_list = isinstance(x, list)
    xs = _as_list(x)
    shapes = x_shape if is_list else [x_shape]
    values = x_init_value if is_list and x_init_value is not None else [x_init_value] * len(xs)
    dy = _c.constant(np.ones(y_shape, y.dtype.as_numpy_dtype), y.dtype)
    dxs = _c.gradients([y], xs, [dy])
    pairs = [
        _one(each, shape, dx, y, y_shape, dy, value, delta, extra_feed_dict)
        for each, shape, dx, value in zip(xs, shapes, dxs, values)
    ]
    return pairs if is_list else pairs[0]


def compute_gradient_error(
    x, x_shape, y, y_shape, x_init_value=None, delta=1e-3, init_targets=None, extra_feed_dict=None
):
    """The largest difference between both Jacobians. Source: tf.test.compute_gradient_error."""
    pairs = compute_gradient(x, x_shape, y, y_shape, x_init_value, delta, init_targets, extra_feed_dict)
    pairs = pairs if isinstance(pairs, list) else [pairs]
    return max((np.fabs(a - b).max() if a.size or b.size else 0 for a, b in pairs), default=0)
