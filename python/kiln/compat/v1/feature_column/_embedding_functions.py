"""The functions that make columns of numbers of those of categories."""

import math

from kiln.compat import v1 as tf
from kiln.compat.v1.feature_column import _base
from kiln.compat.v1.feature_column._categorical import (
    SequenceCategoricalColumn,
    WeightedCategoricalColumn,
)
from kiln.compat.v1.feature_column._embedding import (
    EmbeddingColumn,
    IndicatorColumn,
    SharedEmbeddingColumn,
)

__all__ = ["embedding_column", "indicator_column", "shared_embedding_columns"]


def embedding_column(
    categorical_column,
    dimension,
    combiner="mean",
    initializer=None,
    ckpt_to_load_from=None,
    tensor_name_in_ckpt=None,
    max_norm=None,
    trainable=True,
):
    """A vector of a variable for each category.

    combiner: of the vectors of an example: "mean", "sqrtn", "sum". initializer: truncated normal
    numbers with a deviation of 1/sqrt(dimension) where it is None. ckpt_to_load_from,
    tensor_name_in_ckpt: where the first values come from. max_norm: longer vectors are shortened.
    Errors: ValueError. Source: tf.feature_column.embedding_column.
    """
    initializer = _checked_initializer(
        dimension,
        ckpt_to_load_from,
        tensor_name_in_ckpt,
        initializer,
        lambda: f" Embedding of column_name: {categorical_column.name}",
    )
    return EmbeddingColumn(
        categorical_column, dimension, combiner, initializer, ckpt_to_load_from,
        tensor_name_in_ckpt, max_norm, trainable,
    )  # fmt: skip


def _checked_initializer(dimension, checkpoint, tensor, initializer, whose):
    if dimension is None or dimension < 1:
        raise ValueError(f"Invalid dimension {dimension}.")
    if (checkpoint is None) != (tensor is None):
        raise ValueError(
            "Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them."
        )
    if initializer is not None and not callable(initializer):
        raise ValueError(f"initializer must be callable if specified.{whose()}")
    if initializer is None:
        return tf.truncated_normal_initializer(mean=0.0, stddev=1 / math.sqrt(dimension))
    return initializer


def shared_embedding_columns(
    categorical_columns,
    dimension,
    combiner="mean",
    initializer=None,
    shared_embedding_collection_name=None,
    ckpt_to_load_from=None,
    tensor_name_in_ckpt=None,
    max_norm=None,
    trainable=True,
):
    """A list of columns like embedding_column()'s that have one variable together.

    categorical_columns: of one kind and number of buckets. shared_embedding_collection_name: the
    collection and scope of the variable; made of the columns' names where it is None. Errors:
    ValueError. Source: tf.feature_column.shared_embedding_columns.
    """
    initializer = _checked_initializer(
        dimension, ckpt_to_load_from, tensor_name_in_ckpt, initializer, lambda: ""
    )
    columns = _base.sorted_by_name(categorical_columns)
    _check_alike(columns)
    if not shared_embedding_collection_name:
        names = "_".join(column.name for column in columns)
        shared_embedding_collection_name = f"{names}_shared_embedding"
    return [
        SharedEmbeddingColumn(
            column, dimension, combiner, initializer, shared_embedding_collection_name,
            ckpt_to_load_from, tensor_name_in_ckpt, max_norm, trainable,
        )
        for column in categorical_columns
    ]  # fmt: skip


def _check_alike(columns):
    first, *others = columns
    num_buckets = first._num_buckets
    if not isinstance(first, _base._CategoricalColumn):
        raise ValueError(
            "All categorical_columns must be subclasses of _CategoricalColumn. "
            f"Given: {first}, of type: {type(first)}"
        )
    first = _innermost(first)
    for column in map(_innermost, others):
        if not isinstance(column, type(first)):
            raise ValueError(
                "To use shared_embedding_column, all categorical_columns must have the same type, "
                "or be weighted_categorical_column or sequence column of the same type. "
                f"Given column: {first} of type: {type(first)} does not match given column: "
                f"{column} of type: {type(column)}"
            )
        if num_buckets != column._num_buckets:
            raise ValueError(
                "To use shared_embedding_column, all categorical_columns must have the same number "
                f"of buckets. Given column: {first} with buckets: {num_buckets} does not match "
                f"column: {column} with buckets: {column._num_buckets}"
            )


def _innermost(column):
    while isinstance(column, (WeightedCategoricalColumn, SequenceCategoricalColumn)):
        column = column.categorical_column
    return column


def indicator_column(categorical_column):
    """How often each category is in an example: a vector of the number of buckets.

    Errors: ValueError. Source: tf.feature_column.indicator_column.
    """
    if not isinstance(categorical_column, _base._CategoricalColumn):
        raise ValueError(
            "Unsupported input type. Input must be a CategoricalColumn. "
            f"Given: {categorical_column}"
        )
    return IndicatorColumn(categorical_column)
