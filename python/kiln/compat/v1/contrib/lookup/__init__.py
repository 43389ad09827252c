"""tf.contrib.lookup: tables between words and their numbers. They stand in tf.lookup's modules."""

from kiln.compat import v1 as tf
from kiln.compat.v1._util.deprecation import deprecated
from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.lookup._buckets import (
    FastHashSpec,
    HasherSpec as HasherSpec,
    IdTableWithHashBuckets as IdTableWithHashBuckets,
    StrongHashSpec as StrongHashSpec,
)
from kiln.compat.v1.lookup._initializers import (
    KeyValueTensorInitializer as KeyValueTensorInitializer,
    TableInitializerBase as TableInitializerBase,
    TextFileIdTableInitializer as TextFileIdTableInitializer,
    TextFileIndex as TextFileIndex,
    TextFileInitializer as TextFileInitializer,
    TextFileStringTableInitializer as TextFileStringTableInitializer,
)
from kiln.compat.v1.lookup._mutable import (
    MutableDenseHashTable as MutableDenseHashTable,
    MutableHashTable as MutableHashTable,
)
from kiln.compat.v1.lookup._tables import (
    HashTable as HashTable,
    InitializableLookupTableBase as InitializableLookupTableBase,
    LookupInterface as LookupInterface,
)
from kiln.compat.v1.lookup._vocabularies import (
    index_table_from_file,
    index_to_string_table_from_file as index_to_string_table_from_file,
)
from kiln.compat.v1.lookup import _vocabularies

__getattr__, __dir__ = _forwarding(__name__, "tables_initializer initialize_all_tables")

_MODULE = "tensorflow.contrib.lookup.lookup_ops"
_REMOVED = (
    "This op will be removed after the deprecation date. Please switch to {} and call the lookup "
    "method of the returned table."
)


def _check(mapping):
    if mapping is None:
        raise ValueError("mapping must be specified.")


def index_table_from_tensor(
    mapping,
    num_oov_buckets=0,
    default_value=-1,
    hasher_spec=FastHashSpec,
    dtype=tf.string,
    name=None,
):
    """A table from the elements of a vector to their places. Errors: ValueError, TypeError.

    Source: tf.contrib.lookup.index_table_from_tensor.
    """
    _check(mapping)
    return _vocabularies.index_table_from_tensor(
        mapping, num_oov_buckets, default_value, hasher_spec, dtype, name
    )


def index_to_string_table_from_tensor(mapping, default_value="UNK", name=None):
    """A table from places to the strings of a vector. Errors: ValueError.

    Source: tf.contrib.lookup.index_to_string_table_from_tensor.
    """
    _check(mapping)
    return _vocabularies.index_to_string_table_from_tensor(mapping, default_value, name)


@deprecated("2017-01-07", _REMOVED.format("index_table_from_tensor"), module=_MODULE)
def string_to_index(tensor, mapping, default_value=-1, name=None):
    """The places of strings in a vector. Source: tf.contrib.lookup.string_to_index."""
    table = index_table_from_tensor(mapping=mapping, default_value=default_value, name=name)
    return table.lookup(tensor)


@deprecated("2017-01-07", _REMOVED.format("index_to_string_table_from_tensor"), module=_MODULE)
def index_to_string(tensor, mapping, default_value="UNK", name=None):
    """The strings at places of a vector. Source: tf.contrib.lookup.index_to_string."""
    table = index_to_string_table_from_tensor(mapping, default_value=default_value, name=name)
    return table.lookup(tensor)


@deprecated("2017-04-10", "Use `index_table_from_file`.", module=_MODULE)
def string_to_index_table_from_file(
    vocabulary_file=None,
    num_oov_buckets=0,
    vocab_size=None,
    default_value=-1,
    hasher_spec=FastHashSpec,
    name=None,
):
    """The older name of index_table_from_file()."""
    return index_table_from_file(
        vocabulary_file, num_oov_buckets, vocab_size, default_value, hasher_spec, name=name
    )


@deprecated("2017-04-10", "Use `index_table_from_tensor`.", module=_MODULE)
def string_to_index_table_from_tensor(
    mapping, num_oov_buckets=0, default_value=-1, hasher_spec=FastHashSpec, name=None
):
    """The older name of index_table_from_tensor(), for strings."""
    with tf.name_scope(name, "string_to_index") as scope:
        mapping = tf.convert_to_tensor(mapping)
    if mapping.dtype.base_dtype != tf.string:
        raise ValueError("string_to_index_table_from_tensor requires string.")
    return index_table_from_tensor(
        mapping, num_oov_buckets, default_value, hasher_spec, name=scope
    )
