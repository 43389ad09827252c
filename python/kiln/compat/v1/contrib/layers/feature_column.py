"""Feature columns of tf.contrib.layers: how a model takes the features of examples.

combiner: how several numbers of one example go together: "sum", "mean" or "sqrtn".
"""

import collections.abc

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.layers._columns import (
    _FeatureColumn,
    _SparseColumn,
    _SparseColumnHashed,
    _SparseColumnIntegerized,
    _SparseColumnKeys,
    _SparseColumnVocabulary,
    _SparseIdLookupConfig,
    _WeightedSparseColumn,
)
from kiln.compat.v1.contrib.layers._dense_columns import (
    _BucketizedColumn,
    _CrossedColumn,
    _OneHotColumn,
    _RealValuedColumn,
)
from kiln.compat.v1.contrib.layers._embedding_columns import _EmbeddingColumn

__all__ = [
    "SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY",
    "bucketized_column",
    "create_feature_spec_for_parsing",
    "crossed_column",
    "embedding_column",
    "one_hot_column",
    "real_valued_column",
    "shared_embedding_columns",
    "sparse_column_with_hash_bucket",
    "sparse_column_with_integerized_feature",
    "sparse_column_with_keys",
    "sparse_column_with_vocabulary_file",
    "sparse_feature_cross",
    "weighted_sparse_column",
]

SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY = 0xDECAFCAFFE


def sparse_feature_cross(
    inputs,
    hashed_output=False,
    num_buckets=0,
    hash_key=None,
    name=None,
):
    """Combinations of the values of several tensors, sparse: texts, or their hashes.

    Errors: TypeError. Source: tf.contrib.layers.sparse_feature_cross. Difference: without hash_key
    the hashes are those of SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY.
    """
    if not isinstance(inputs, list):
        raise TypeError("Inputs must be a list")
    if not all(isinstance(each, (tf.SparseTensor, tf.Tensor)) for each in inputs):
        raise TypeError("All inputs must be SparseTensors")
    if not hashed_output:
        return tf.sparse.cross(inputs, name=name)
    key = hash_key or SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY
    return tf.sparse.cross_hashed(inputs, num_buckets=num_buckets, hash_key=key, name=name)


def sparse_column_with_integerized_feature(
    column_name, bucket_size, combiner="sum", dtype=tf.int64
):
    """Numbers below bucket_size, greater ones modulo it. Errors: ValueError.

    Source: tf.contrib.layers.sparse_column_with_integerized_feature.
    """
    return _SparseColumnIntegerized(
        column_name, is_integerized=True, bucket_size=bucket_size, combiner=combiner, dtype=dtype
    )


def sparse_column_with_hash_bucket(
    column_name, hash_bucket_size, combiner="sum", dtype=tf.string, hash_keys=None
):
    """Hashes of texts or numbers. hash_keys: pairs of numbers, for as many hashes of each value.

    Errors: ValueError. Source: tf.contrib.layers.sparse_column_with_hash_bucket.
    """
    return _SparseColumnHashed(
        column_name,
        bucket_size=hash_bucket_size,
        combiner=combiner,
        dtype=dtype,
        hash_keys=hash_keys,
    )


def sparse_column_with_keys(
    column_name, keys, default_value=-1, combiner="sum", dtype=tf.string
):
    """The places of values in a list; default_value of others.

    Errors: ValueError. Source: tf.contrib.layers.sparse_column_with_keys.
    """
    keys = tuple(keys)
    return _SparseColumnKeys(
        column_name,
        lookup_config=_SparseIdLookupConfig(
            keys=keys, vocab_size=len(keys), default_value=default_value
        ),
        combiner=combiner,
        dtype=dtype,
    )


def sparse_column_with_vocabulary_file(
    column_name,
    vocabulary_file,
    num_oov_buckets=0,
    vocab_size=None,
    default_value=-1,
    combiner="sum",
    dtype=tf.string,
):
    """The lines of values in a file; default_value, or hashes, of others.

    Errors: ValueError. Source: tf.contrib.layers.sparse_column_with_vocabulary_file.
    """
    if vocab_size is None:
        raise ValueError(f"vocab_size should be defined. column_name: {column_name}")
    return _SparseColumnVocabulary(
        column_name,
        lookup_config=_SparseIdLookupConfig(
            vocabulary_file=vocabulary_file,
            num_oov_buckets=num_oov_buckets,
            vocab_size=vocab_size,
            default_value=default_value,
        ),
        combiner=combiner,
        dtype=dtype,
    )


def weighted_sparse_column(sparse_id_column, weight_column_name, dtype=tf.float32):
    """A sparse column whose numbers have weights, of another feature. Errors: ValueError.

    Source: tf.contrib.layers.weighted_sparse_column.
    """
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype is not convertible to float. Given {dtype}")
    return _WeightedSparseColumn(sparse_id_column, weight_column_name, dtype)


def one_hot_column(sparse_id_column):
    """How often each number is there, as a vector. Source: tf.contrib.layers.one_hot_column."""
    return _OneHotColumn(sparse_id_column)


def embedding_column(
    sparse_id_column,
    dimension,
    combiner="mean",
    initializer=None,
    ckpt_to_load_from=None,
    tensor_name_in_ckpt=None,
    max_norm=None,
    trainable=True,
):
    """Vectors of numbers. max_norm: longer ones are scaled.

    ckpt_to_load_from, tensor_name_in_ckpt: a checkpoint with the first values. Errors: ValueError.
    Source: tf.contrib.layers.embedding_column.
    """
    return _EmbeddingColumn(
        sparse_id_column,
        dimension,
        combiner,
        initializer,
        ckpt_to_load_from,
        tensor_name_in_ckpt,
        max_norm=max_norm,
        trainable=trainable,
    )


def _shared_name(columns):
    """A name of the first three columns, and of how many there are more."""
    sparse = sorted(column for column in columns if isinstance(column, _SparseColumn))
    weighted = [column for column in columns if not isinstance(column, _SparseColumn)]
    ordered = sparse + sorted(weighted, key=lambda column: column.name)
    name = "_".join(column.name for column in ordered[:3])
    if len(ordered) > 3:
        name += f"_plus_{len(ordered) - 3}_others"
    return name + "_shared_embedding"


def shared_embedding_columns(
    sparse_id_columns,
    dimension,
    combiner="mean",
    shared_embedding_name=None,
    initializer=None,
    ckpt_to_load_from=None,
    tensor_name_in_ckpt=None,
    max_norm=None,
    trainable=True,
):
    """Vectors of the numbers of several columns, which share a variable.

    Errors: TypeError, ValueError. Source: tf.contrib.layers.shared_embedding_columns.
    """
    if not isinstance(sparse_id_columns, collections.abc.Sequence) or isinstance(
        sparse_id_columns, str
    ):
        raise TypeError(
            "sparse_id_columns must be a non-string sequence (ex: list or tuple) instead of type "
            f"{type(sparse_id_columns)}."
        )
    if len(sparse_id_columns) < 1:
        raise ValueError("The input sparse_id_columns should have at least one element.")
    for column in sparse_id_columns:
        if not isinstance(column, (_SparseColumn, _WeightedSparseColumn)):
            raise TypeError(
                "Elements of sparse_id_columns must be _SparseColumn or _WeightedSparseColumn, but "
                f"{column} is not."
            )
    first, size = sparse_id_columns[0], None
    if len(sparse_id_columns) > 1:
        for column in sparse_id_columns[1:]:
            pair = (first, column)
            if not isinstance(first, _WeightedSparseColumn):
                pair = (column, first)
            if not pair[0].is_compatible(pair[1]):
                raise ValueError("The input sparse id columns are not compatible.")
        shared_embedding_name = shared_embedding_name or _shared_name(sparse_id_columns)
        size = first.length
    made = [
        _EmbeddingColumn(
            column,
            dimension,
            combiner,
            initializer,
            ckpt_to_load_from,
            tensor_name_in_ckpt,
            shared_embedding_name,
            size,
            max_norm=max_norm,
            trainable=trainable,
        )
        for column in sparse_id_columns
    ]
    return made if len(made) == 1 else tuple(made)


def _default_values(default_value, dimension, dtype, column_name):
    """A tuple of defaults for each element, or None. Errors: ValueError, TypeError."""
    if default_value is None:
        return None
    values = default_value
    if isinstance(default_value, (int, float)):
        values = [default_value] * dimension
    elif isinstance(default_value, list) and len(default_value) != dimension:
        raise ValueError(
            "The length of default_value must be equal to dimension. default_value: "
            f"{default_value}, dimension: {dimension}, column_name: {column_name}"
        )
    if isinstance(values, list):
        if dtype.is_integer and all(isinstance(value, int) for value in values):
            return tuple(values)
        if dtype.is_floating and all(isinstance(value, (int, float)) for value in values):
            return tuple(float(value) for value in values)
    raise TypeError(
        f"default_value must be compatible with dtype. default_value: {default_value}, dtype: "
        f"{dtype}, column_name: {column_name}"
    )


def real_valued_column(
    column_name, dimension=1, default_value=None, dtype=tf.float32, normalizer=None
):
    """Numbers as they are, so many for each example. normalizer: a function of their tensor.

    Errors: TypeError, ValueError. Source: tf.contrib.layers.real_valued_column.
    """
    if not isinstance(dimension, int):
        raise TypeError(
            "dimension must be an integer. "
            + (
                "Use the _real_valued_var_len_column for variable length features."
                if dimension is None
                else ""
            )
            + f"dimension: {dimension}, column_name: {column_name}"
        )
    if dimension < 1:
        raise ValueError(
            f"dimension must be greater than 0. dimension: {dimension}, column_name: {column_name}"
        )
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(
            f"dtype must be convertible to float. dtype: {dtype}, column_name: {column_name}"
        )
    values = _default_values(default_value, dimension, dtype, column_name)
    return _RealValuedColumn(column_name, dimension, values, dtype, normalizer)


def bucketized_column(source_column, boundaries):
    """The range that each number is in. Errors: TypeError, ValueError.

    Source: tf.contrib.layers.bucketized_column.
    """
    return _BucketizedColumn(source_column, boundaries)


def crossed_column(
    columns,
    hash_bucket_size,
    combiner="sum",
    ckpt_to_load_from=None,
    tensor_name_in_ckpt=None,
    hash_key=None,
):
    """Hashes of combinations of the values of several columns. Errors: TypeError, ValueError.

    Source: tf.contrib.layers.crossed_column. Difference: see sparse_feature_cross().
    """
    return _CrossedColumn(
        columns,
        hash_bucket_size,
        hash_key,
        combiner=combiner,
        ckpt_to_load_from=ckpt_to_load_from,
        tensor_name_in_ckpt=tensor_name_in_ckpt,
    )


def create_feature_spec_for_parsing(feature_columns):
    """A dict of the features of columns, for tf.parse_example(). Errors: TypeError.

    Source: tf.contrib.layers.create_feature_spec_for_parsing.
    """
    if isinstance(feature_columns, dict):
        feature_columns = feature_columns.values()
    spec = {}
    for column in feature_columns:
        if not isinstance(column, _FeatureColumn):
            raise TypeError(
                "feature_columns should only contain instances of _FeatureColumn. Given column is "
                f"{column}"
            )
        spec.update(column.config)
    return spec
