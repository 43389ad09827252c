"""Assertions on values, ranks and types: tf.assert_equal, tf.assert_rank, tf.assert_type.

Each gives an operation; what is to wait for it is added under tf.control_dependencies.
What the graph itself knows is checked at once and is an InvalidArgumentError of values, a
ValueError of ranks, a TypeError of types.
"""

from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._deprecations import renamed
from kiln.compat.v1._graph_functions import name_scope
from kiln.compat.v1._sparse import SparseTensor

__all__ = [
    "assert_equal", "assert_greater", "assert_greater_equal", "assert_integer", "assert_less",
    "assert_less_equal", "assert_near", "assert_negative", "assert_non_negative",
    "assert_non_positive", "assert_none_equal", "assert_positive", "assert_proper_iterable",
    "assert_rank", "assert_rank_at_least", "assert_rank_in", "assert_same_float_dtype",
    "assert_scalar", "assert_type", "is_non_decreasing", "is_numeric_tensor",
    "is_strictly_increasing", "verify_tensor_all_finite",
]  # fmt: skip


def _data(data):
    return None if data is None else list(data)


def assert_equal(x, y, data=None, summarize=None, message=None, name=None):
    """That all elements are equal, with broadcasting.

    data: what the error shows in place of the tensors. summarize: how many elements
    of each, 3 by default. message: what it begins with. So in all of these functions.
    Source: tf.assert_equal.
    """
    return _c.assert_equal(x, y, _data(data), summarize, message, name)


def assert_none_equal(x, y, data=None, summarize=None, message=None, name=None):
    """That no elements are equal. Source: tf.assert_none_equal."""
    return _c.assert_none_equal(x, y, _data(data), summarize, message, name)


def assert_less(x, y, data=None, summarize=None, message=None, name=None):
    """That x < y. Source: tf.assert_less."""
    return _c.assert_less(x, y, _data(data), summarize, message, name)


def assert_less_equal(x, y, data=None, summarize=None, message=None, name=None):
    """That x <= y. Source: tf.assert_less_equal."""
    return _c.assert_less_equal(x, y, _data(data), summarize, message, name)


def assert_greater(x, y, data=None, summarize=None, message=None, name=None):
    """That x > y. Source: tf.assert_greater."""
    return _c.assert_greater(x, y, _data(data), summarize, message, name)


def assert_greater_equal(x, y, data=None, summarize=None, message=None, name=None):
    """That x >= y. Source: tf.assert_greater_equal."""
    return _c.assert_greater_equal(x, y, _data(data), summarize, message, name)


def assert_negative(x, data=None, summarize=None, message=None, name=None):
    """That x < 0. Source: tf.assert_negative."""
    return _c.assert_negative(x, _data(data), summarize, message, name)


def assert_positive(x, data=None, summarize=None, message=None, name=None):
    """That x > 0. Source: tf.assert_positive."""
    return _c.assert_positive(x, _data(data), summarize, message, name)


def assert_non_negative(x, data=None, summarize=None, message=None, name=None):
    """That x >= 0. Source: tf.assert_non_negative."""
    return _c.assert_non_negative(x, _data(data), summarize, message, name)


def assert_non_positive(x, data=None, summarize=None, message=None, name=None):
    """That x <= 0. Source: tf.assert_non_positive."""
    return _c.assert_non_positive(x, _data(data), summarize, message, name)


def assert_near(x, y, rtol=None, atol=None, data=None, summarize=None, message=None, name=None):
    """That |x - y| < atol + rtol * |y|, by default ten times the dtype's epsilon each.

    Source: tf.assert_near.
    """
    return _c.assert_near(x, y, rtol, atol, _data(data), summarize, message, name)


def assert_rank(x, rank, data=None, summarize=None, message=None, name=None):
    """That the tensor has this rank. Source: tf.assert_rank."""
    return _c.assert_rank(_dense(x), rank, _data(data), summarize, message, name)


def assert_rank_at_least(x, rank, data=None, summarize=None, message=None, name=None):
    """That the tensor has this rank or a higher one. Source: tf.assert_rank_at_least."""
    return _c.assert_rank_at_least(_dense(x), rank, _data(data), summarize, message, name)


def assert_rank_in(x, ranks, data=None, summarize=None, message=None, name=None):
    """That the tensor's rank is one of these. Source: tf.assert_rank_in."""
    return _c.assert_rank_in(_dense(x), ranks, _data(data), summarize, message, name)


def _dense(x):
    if isinstance(x, SparseTensor):
        raise TypeError("expected a Tensor, got a SparseTensor: its rank is the size of dense_shape")
    return x


def assert_integer(x, message=None, name=None):
    """That the dtype is an integer's. Errors: TypeError. Source: tf.assert_integer."""
    return _c.assert_integer(x, message, name)


def assert_type(tensor, tf_type, message=None, name=None):
    """That the tensor, or SparseTensor, has this dtype. Errors: TypeError. Source: tf.assert_type."""
    if isinstance(tensor, SparseTensor):
        tensor = tensor.values
    try:
        return _c.assert_type(tensor, tf_type, message, name)
    except ValueError as error:
        raise TypeError(str(error)) from None


def assert_scalar(tensor, name=None, message=None):
    """The tensor, which has no axes. Errors: ValueError. Source: tf.assert_scalar."""
    return _c.assert_scalar(tensor, name, message)


def assert_proper_iterable(values):
    """That the values can be iterated and are neither a tensor, an array nor a text.

    Errors: TypeError. Source: tf.assert_proper_iterable.
    """
    import numpy as np

    if isinstance(values, (_c.Tensor, SparseTensor, np.ndarray, bytes, str)):
        raise TypeError(f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}')
    if not hasattr(values, "__iter__"):
        raise TypeError(f'Expected argument "values" to be iterable.  Found: {type(values)}')


def assert_same_float_dtype(tensors=None, dtype=None):
    """The dtype that all tensors have, which is floating; float32 where there are none.

    Errors: ValueError. Source: tf.assert_same_float_dtype.
    """
    first = None
    for item in tensors or ():
        if item is None:
            continue
        kind = item.dtype.base_dtype
        if not dtype:
            dtype, first = kind, getattr(item, "name", str(item))
        elif dtype != kind:
            as_first = f" as {first}" if first else ""
            raise ValueError(
                f"{getattr(item, 'name', str(item))}, type={kind}, must be of the same type ({dtype}){as_first}."
            )
    if not dtype:
        return dtypes.float32
    if not dtype.is_floating:
        raise ValueError(f"Expected floating point type, got {dtype}.")
    return dtype


def is_numeric_tensor(tensor):
    """Whether it is a tensor of numbers. Source: tf.is_numeric_tensor."""
    if not isinstance(tensor, _c.Tensor):
        return False
    dtype = tensor.dtype
    return dtype.is_floating or dtype.is_integer or dtype.is_complex or dtype.is_quantized


def is_non_decreasing(x, name=None):
    """Whether no element is below the one before it. Source: tf.is_non_decreasing."""
    return _c.is_non_decreasing(x, name)


def is_strictly_increasing(x, name=None):
    """Whether each element is above the one before it. Source: tf.is_strictly_increasing."""
    return _c.is_strictly_increasing(x, name)


def verify_tensor_all_finite(t=None, msg=None, name=None, x=None, message=None):
    """The tensor, behind a check for NaN and infinity. x, message: newer names of t and msg.

    Source: tf.verify_tensor_all_finite.
    """
    from kiln._generated import raw_ops

    x = renamed(None, "x", x, "t", t)
    message = renamed(None, "message", message, "msg", msg)
    with name_scope(name, "VerifyFinite", [x]):
        x = _c.convert(x, None, None, "x")
        with x.graph.colocate_with(x):
            check = raw_ops.check_numerics(x, message)
            return _c.with_dependencies([check], x)


assert_all_finite = verify_tensor_all_finite
