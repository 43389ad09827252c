"""Tables between words and their numbers, of files and of lists."""

from kiln.compat import v1 as tf
from kiln.compat.v1.lookup._buckets import FastHashSpec, IdTableWithHashBuckets
from kiln.compat.v1.lookup._initializers import (
    KeyValueTensorInitializer,
    TextFileIdTableInitializer,
    TextFileIndex,
    TextFileStringTableInitializer,
)
from kiln.compat.v1.lookup._tables import StaticHashTable


def _check_file(vocabulary_file):
    if vocabulary_file is None or (isinstance(vocabulary_file, str) and not vocabulary_file):
        raise ValueError("vocabulary_file must be specified and must not be empty.")


def _check_buckets_and_keys(num_oov_buckets, key_dtype):
    if num_oov_buckets < 0:
        raise ValueError(
            "num_oov_buckets must be greater or equal than 0, got %d." % num_oov_buckets
        )
    if not key_dtype.is_integer and key_dtype.base_dtype != tf.string:
        raise TypeError("Only integer and string keys are supported.")


def _with_buckets(table, num_oov_buckets, hasher_spec, key_dtype):
    if not num_oov_buckets:
        return table
    return IdTableWithHashBuckets(
        table, num_oov_buckets=num_oov_buckets, hasher_spec=hasher_spec, key_dtype=key_dtype
    )


def index_table_from_file(
    vocabulary_file=None,
    num_oov_buckets=0,
    vocab_size=None,
    default_value=-1,
    hasher_spec=FastHashSpec,
    key_dtype=tf.string,
    name=None,
    key_column_index=TextFileIndex.WHOLE_LINE,
    value_column_index=TextFileIndex.LINE_NUMBER,
    delimiter="\t",
):
    """A table from the lines of a file to their numbers.

    num_oov_buckets: how many numbers more there are for other keys; with 0 these have
    default_value. vocab_size: how many lines are taken; None: all. Errors: ValueError,
    TypeError. Source: tf.contrib.lookup.index_table_from_file.
    """
    _check_file(vocabulary_file)
    if vocab_size is not None and vocab_size < 1:
        file = vocabulary_file
        if isinstance(file, tf.Tensor):
            file = tf.get_static_value(file) or "?"
        raise ValueError(
            "vocab_size must be greater than 0, got %d. vocabulary_file: %s" % (vocab_size, file)
        )
    _check_buckets_and_keys(num_oov_buckets, key_dtype)
    with tf.name_scope(name, "string_to_index"):
        with tf.name_scope(None, "hash_table"):
            initializer = TextFileIdTableInitializer(
                vocabulary_file,
                vocab_size=vocab_size,
                key_dtype=tf.int64 if key_dtype.is_integer else key_dtype,
                name="table_init",
                key_column_index=key_column_index,
                value_column_index=value_column_index,
                delimiter=delimiter,
            )
            table = StaticHashTable(initializer, default_value)
        return _with_buckets(table, num_oov_buckets, hasher_spec, key_dtype)


def index_table_from_tensor(
    vocabulary_list,
    num_oov_buckets=0,
    default_value=-1,
    hasher_spec=FastHashSpec,
    dtype=tf.string,
    name=None,
):
    """A table from the elements of a vector to their places. The arguments are those of
    index_table_from_file().

    Errors: ValueError, TypeError. Source: tf.contrib.lookup.index_table_from_tensor.
    """
    if vocabulary_list is None:
        raise ValueError("vocabulary_list must be specified.")
    _check_buckets_and_keys(num_oov_buckets, dtype)
    with tf.name_scope(name, "string_to_index"):
        keys = tf.convert_to_tensor(vocabulary_list)
        if keys.dtype.is_integer != dtype.is_integer:
            kind = "integer" if dtype.is_integer else "non-integer"
            raise ValueError(f"Expected {kind}, got {keys.dtype}.")
        if not dtype.is_integer and keys.dtype.base_dtype != dtype:
            raise ValueError(f"Expected {dtype}, got {keys.dtype}.")
        values = tf.cast(tf.range(tf.size(keys)), tf.int64)
        with tf.name_scope(None, "hash_table"):
            keys = tf.cast(keys, tf.int64) if keys.dtype.is_integer else keys
            initializer = KeyValueTensorInitializer(
                keys, values, keys.dtype.base_dtype, tf.int64, name="table_init"
            )
            table = StaticHashTable(initializer, default_value)
        return _with_buckets(table, num_oov_buckets, hasher_spec, dtype)


def index_to_string_table_from_file(
    vocabulary_file,
    vocab_size=None,
    default_value="UNK",
    name=None,
    key_column_index=TextFileIndex.LINE_NUMBER,
    value_column_index=TextFileIndex.WHOLE_LINE,
    delimiter="\t",
):
    """A table from the numbers of lines of a file to the lines. Errors: ValueError.

    Source: tf.contrib.lookup.index_to_string_table_from_file.
    """
    _check_file(vocabulary_file)
    if vocab_size is not None and vocab_size < 1:
        raise ValueError("vocab_size must be greater than 0, got %d." % vocab_size)
    with tf.name_scope(name, "index_to_string"):
        initializer = TextFileStringTableInitializer(
            vocabulary_file,
            vocab_size=vocab_size,
            name="table_init",
            key_column_index=key_column_index,
            value_column_index=value_column_index,
            delimiter=delimiter,
        )
        return StaticHashTable(initializer, default_value)


def index_to_string_table_from_tensor(vocabulary_list, default_value="UNK", name=None):
    """A table from places to the strings of a vector. Errors: ValueError.

    Source: tf.contrib.lookup.index_to_string_table_from_tensor.
    """
    if vocabulary_list is None:
        raise ValueError("vocabulary_list must be specified.")
    with tf.name_scope(name, "index_to_string"):
        values = tf.convert_to_tensor(vocabulary_list, tf.string)
        keys = tf.cast(tf.range(tf.size(values)), tf.int64)
        initializer = KeyValueTensorInitializer(
            keys, values, tf.int64, tf.string, name="table_init"
        )
        return StaticHashTable(initializer, default_value)
