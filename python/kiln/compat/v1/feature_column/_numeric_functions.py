"""The functions that make columns of numbers."""

from kiln.compat import v1 as tf
from kiln.compat.v1.feature_column import _base
from kiln.compat.v1.feature_column._numeric import (
    BucketizedColumn,
    NumericColumn,
    SequenceNumericColumn,
)

__all__ = ["bucketized_column", "numeric_column", "sequence_numeric_column"]


def numeric_column(key, shape=(1,), default_value=None, dtype=tf.float32, normalizer_fn=None):
    """A column of numbers, as float32.

    key: the name of the feature. shape: of an example's numbers. default_value: for examples that
    lack it when they are parsed: a number or values of the shape. normalizer_fn: a function of the
    tensor. Errors: TypeError, ValueError. Source: tf.feature_column.numeric_column.
    """
    shape = _checked_shape(shape, key)
    _check_number(dtype, key)
    default_value = _checked_default(shape, default_value, dtype, key)
    _check_normalizer(normalizer_fn)
    _base.check_key(key)
    return NumericColumn(key, shape, default_value, dtype, normalizer_fn)


def sequence_numeric_column(
    key, shape=(1,), default_value=0.0, dtype=tf.float32, normalizer_fn=None
):
    """A column of sequences of numbers.

    shape: of a number of a sequence. default_value: what short sequences are filled up with.
    Source: tf.feature_column.sequence_numeric_column.
    """
    shape = _checked_shape(shape, key)
    _check_number(dtype, key)
    _check_normalizer(normalizer_fn)
    return SequenceNumericColumn(key, shape, default_value, dtype, normalizer_fn)


def bucketized_column(source_column, boundaries):
    """The interval that each number is in: below the first boundary, from there to the next, ...

    source_column: a numeric_column() of at most one axis. boundaries: a sorted list or tuple.
    Errors: ValueError. Source: tf.feature_column.bucketized_column.
    """
    if not isinstance(source_column, NumericColumn):
        raise ValueError(
            "source_column must be a column generated with numeric_column(). Given: "
            f"{source_column}"
        )
    if len(source_column.shape) > 1:
        raise ValueError(f"source_column must be one-dimensional column. Given: {source_column}")
    if not boundaries:
        raise ValueError("boundaries must not be empty.")
    if not isinstance(boundaries, (list, tuple)) or any(
        low >= high for low, high in zip(boundaries, boundaries[1:])
    ):
        raise ValueError("boundaries must be a sorted list.")
    return BucketizedColumn(source_column, tuple(boundaries))


def _checked_shape(shape, key):
    shape = tuple(shape) if tf.nest.is_nested(shape) else (shape,)
    for extent in shape:
        if not isinstance(extent, int):
            raise TypeError(f"shape dimensions must be integer. shape: {shape}, key: {key}")
        if extent < 1:
            raise ValueError(f"shape dimensions must be greater than 0. shape: {shape}, key: {key}")
    return shape


def _check_number(dtype, key):
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype must be convertible to float. dtype: {dtype}, key: {key}")


def _check_normalizer(normalizer_fn):
    if normalizer_fn is not None and not callable(normalizer_fn):
        raise TypeError(f"normalizer_fn must be a callable. Given: {normalizer_fn}")


def _checked_default(shape, value, dtype, key):
    """A default as nested tuples of a shape."""
    if value is None:
        return None
    if isinstance(value, int) or (isinstance(value, float) and dtype.is_floating):
        return _filled(shape, value)
    if callable(getattr(value, "tolist", None)):
        value = value.tolist()
    if tf.nest.is_nested(value):
        if not _has_shape(value, shape):
            raise ValueError(
                "The shape of default_value must be equal to given shape. "
                f"default_value: {value}, shape: {shape}, key: {key}"
            )
        leaves = tf.nest.flatten(value)
        integers = all(isinstance(leaf, int) for leaf in leaves)
        if integers or (dtype.is_floating and any(isinstance(leaf, float) for leaf in leaves)):
            return _as_tuple(value)
    raise TypeError(
        "default_value must be compatible with dtype. "
        f"default_value: {value}, dtype: {dtype}, key: {key}"
    )


def _filled(shape, value):
    return tuple(_filled(shape[1:], value) for _ in range(shape[0])) if shape else value


def _as_tuple(value):
    return tuple(map(_as_tuple, value)) if tf.nest.is_nested(value) else value


def _has_shape(value, shape):
    if tf.nest.is_nested(value) != bool(shape):
        return False
    if not shape:
        return True
    return len(value) == shape[0] and all(_has_shape(each, shape[1:]) for each in value)
