"""The functions that make columns of categories."""

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.feature_column import _base
from kiln.compat.v1.feature_column._categorical import (
    CrossedColumn,
    HashedCategoricalColumn,
    IdentityCategoricalColumn,
    SequenceCategoricalColumn,
    VocabularyFileCategoricalColumn,
    VocabularyListCategoricalColumn,
    WeightedCategoricalColumn,
)

__all__ = [
    "categorical_column_with_hash_bucket",
    "categorical_column_with_identity",
    "categorical_column_with_vocabulary_file",
    "categorical_column_with_vocabulary_list",
    "crossed_column",
    "sequence_categorical_column_with_hash_bucket",
    "sequence_categorical_column_with_identity",
    "sequence_categorical_column_with_vocabulary_file",
    "sequence_categorical_column_with_vocabulary_list",
    "weighted_categorical_column",
]


def categorical_column_with_hash_bucket(key, hash_bucket_size, dtype=tf.string):
    """The hash of each string or integer, below hash_bucket_size.

    key: the name of the feature, dense or sparse; "" and -1 of a dense one are missing. Errors:
    ValueError. Source: tf.feature_column.categorical_column_with_hash_bucket.
    """
    if hash_bucket_size is None:
        raise ValueError(f"hash_bucket_size must be set. key: {key}")
    if hash_bucket_size < 1:
        raise ValueError(
            f"hash_bucket_size must be at least 1. hash_bucket_size: {hash_bucket_size}, key: {key}"
        )
    _base.check_key(key)
    _base.check_string_or_int(dtype, f"column_name: {key}")
    return HashedCategoricalColumn(key, hash_bucket_size, dtype)


def categorical_column_with_vocabulary_file(
    key,
    vocabulary_file,
    vocabulary_size=None,
    num_oov_buckets=0,
    default_value=None,
    dtype=tf.string,
):
    """The number of the line of a file that each string or integer is.

    vocabulary_size: how many lines count; all where it is None. num_oov_buckets: other values are
    hashed into so many buckets above. default_value: what other values are without these, -1 where
    it is None. Errors: ValueError. Source:
    tf.feature_column.categorical_column_with_vocabulary_file.
    """
    if not vocabulary_file:
        raise ValueError(f"Missing vocabulary_file in {key}.")
    if vocabulary_size is None:
        if not tf.gfile.Exists(vocabulary_file):
            raise ValueError(f"vocabulary_file in {key} does not exist.")
        with tf.gfile.GFile(vocabulary_file, mode="rb") as file:
            vocabulary_size = sum(1 for _ in file)
        tf.logging.info(
            "vocabulary_size = %d in %s is inferred from the number of elements "
            "in the vocabulary_file %s.",
            vocabulary_size,
            key,
            vocabulary_file,
        )
    if vocabulary_size < 1:
        raise ValueError(f"Invalid vocabulary_size in {key}.")
    _check_oov(key, num_oov_buckets, default_value is not None)
    _base.check_string_or_int(dtype, f"column_name: {key}")
    _base.check_key(key)
    return VocabularyFileCategoricalColumn(
        key,
        vocabulary_file,
        vocabulary_size,
        num_oov_buckets or 0,
        dtype,
        -1 if default_value is None else default_value,
    )


def categorical_column_with_vocabulary_list(
    key, vocabulary_list, dtype=None, default_value=-1, num_oov_buckets=0
):
    """The place in a list that each string or integer has.

    default_value and num_oov_buckets as of categorical_column_with_vocabulary_file(). Errors:
    ValueError. Source: tf.feature_column.categorical_column_with_vocabulary_list.
    """
    if vocabulary_list is None or len(vocabulary_list) < 1:
        raise ValueError(f"vocabulary_list {vocabulary_list} must be non-empty, column_name: {key}")
    if len(set(vocabulary_list)) != len(vocabulary_list):
        raise ValueError(f"Duplicate keys in vocabulary_list {vocabulary_list}, column_name: {key}")
    vocabulary_dtype = tf.as_dtype(np.array(vocabulary_list).dtype)
    _check_oov(key, num_oov_buckets, default_value != -1)
    _base.check_string_or_int(vocabulary_dtype, f"column_name: {key} vocabulary")
    if dtype is None:
        dtype = vocabulary_dtype
    elif dtype.is_integer != vocabulary_dtype.is_integer:
        raise ValueError(
            f"dtype {dtype} and vocabulary dtype {vocabulary_dtype} do not match, column_name: "
            f"{key}"
        )
    _base.check_string_or_int(dtype, f"column_name: {key}")
    _base.check_key(key)
    return VocabularyListCategoricalColumn(
        key, tuple(vocabulary_list), dtype, default_value, num_oov_buckets
    )


def _check_oov(key, num_oov_buckets, has_default):
    if not num_oov_buckets:
        return
    if has_default:
        raise ValueError(f"Can't specify both num_oov_buckets and default_value in {key}.")
    if num_oov_buckets < 0:
        raise ValueError(f"Invalid num_oov_buckets {num_oov_buckets} in {key}.")


def categorical_column_with_identity(key, num_buckets, default_value=None):
    """Integers below num_buckets as they are.

    default_value: what others are; where it is None they are an error of the run. Errors:
    ValueError. Source: tf.feature_column.categorical_column_with_identity.
    """
    if num_buckets < 1:
        raise ValueError(f"num_buckets {num_buckets} < 1, column_name {key}")
    if default_value is not None and not 0 <= default_value < num_buckets:
        raise ValueError(
            f"default_value {default_value} not in range [0, {num_buckets}), column_name {key}"
        )
    _base.check_key(key)
    return IdentityCategoricalColumn(key, num_buckets, default_value)


def weighted_categorical_column(categorical_column, weight_feature_key, dtype=tf.float32):
    """A categorical column whose values have weights, which are a feature of their own.

    Errors: ValueError. Source: tf.feature_column.weighted_categorical_column.
    """
    if dtype is None or not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype {dtype} is not convertible to float.")
    return WeightedCategoricalColumn(categorical_column, weight_feature_key, dtype)


def crossed_column(keys, hash_bucket_size, hash_key=None):
    """The hash of each combination of values of features, below hash_bucket_size.

    keys: at least two names of string features, or columns of categories that are not hashed.
    Errors: ValueError. Source: tf.feature_column.crossed_column.
    """
    if not hash_bucket_size or hash_bucket_size < 1:
        raise ValueError(f"hash_bucket_size must be > 1. hash_bucket_size: {hash_bucket_size}")
    if not keys or len(keys) < 2:
        raise ValueError(f"keys must be a list with length > 1. Given: {keys}")
    for key in keys:
        if not isinstance(key, (str, _base._CategoricalColumn)):
            raise ValueError(
                "Unsupported key type. All keys must be either string, or categorical column "
                "except "
                f"HashedCategoricalColumn. Given: {key}"
            )
        if isinstance(key, HashedCategoricalColumn):
            raise ValueError(
                "categorical_column_with_hash_bucket is not supported for crossing. Hashing before "
                "crossing will increase probability of collision. Instead, use the feature name as "
                f"a string. Given: {key}"
            )
    return CrossedColumn(tuple(keys), hash_bucket_size, hash_key)


def sequence_categorical_column_with_hash_bucket(key, hash_bucket_size, dtype=tf.string):
    """Sequences of categorical_column_with_hash_bucket()."""
    return SequenceCategoricalColumn(
        categorical_column_with_hash_bucket(key, hash_bucket_size, dtype)
    )


def sequence_categorical_column_with_identity(key, num_buckets, default_value=None):
    """Sequences of categorical_column_with_identity()."""
    return SequenceCategoricalColumn(
        categorical_column_with_identity(key, num_buckets, default_value)
    )


def sequence_categorical_column_with_vocabulary_file(
    key,
    vocabulary_file,
    vocabulary_size=None,
    num_oov_buckets=0,
    default_value=None,
    dtype=tf.string,
):
    """Sequences of categorical_column_with_vocabulary_file()."""
    return SequenceCategoricalColumn(
        categorical_column_with_vocabulary_file(
            key, vocabulary_file, vocabulary_size, num_oov_buckets, default_value, dtype
        )
    )


def sequence_categorical_column_with_vocabulary_list(
    key, vocabulary_list, dtype=None, default_value=-1, num_oov_buckets=0
):
    """Sequences of categorical_column_with_vocabulary_list()."""
    return SequenceCategoricalColumn(
        categorical_column_with_vocabulary_list(
            key, vocabulary_list, dtype, default_value, num_oov_buckets
        )
    )
