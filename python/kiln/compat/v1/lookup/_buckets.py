"""Tables of numbers in which keys that are not there have a number of their own, by their hash."""

import collections
import functools

from kiln.compat import v1 as tf
from kiln.compat.v1._util.deprecation import deprecated
from kiln.compat.v1.lookup._tables import LookupInterface, StaticHashTable


class HasherSpec(collections.namedtuple("HasherSpec", ["hasher", "key"])):
    """How keys are hashed. Source: tf.contrib.lookup.HasherSpec."""

    __slots__ = ()


FastHashSpec = HasherSpec("fasthash", None)


class StrongHashSpec(HasherSpec):
    """A hash that a key of two integers makes unpredictable. Errors: ValueError, TypeError.

    Source: tf.contrib.lookup.StrongHashSpec.
    """

    __slots__ = ()

    def __new__(cls, key):
        if len(key) != 2:
            raise ValueError(f"key must have size 2, got {len(key)}.")
        if not all(isinstance(each, tf.compat.integral_types) for each in key):
            raise TypeError(f"Invalid key {key}. Must be unsigned integer values.")
        return super().__new__(cls, "stronghash", key)


def _hash_function(spec):
    """The function that hashes strings to buckets."""
    if not isinstance(spec, HasherSpec):
        raise TypeError(f"hasher_spec must be of type HasherSpec {spec}")
    if spec.hasher == "fasthash":
        return tf.string_to_hash_bucket_fast
    if spec.hasher == "legacy":
        return tf.string_to_hash_bucket
    if spec.hasher == "stronghash":
        return functools.partial(tf.string_to_hash_bucket_strong, key=spec.key)
    raise ValueError(f"Unknown hasher {spec.hasher}")


def _check_key_dtypes(table_dtype, key_dtype, value_dtype):
    if table_dtype not in (tf.int64, tf.string):
        raise TypeError(
            f"Invalid key dtype, expected one of {(tf.int64, tf.string)}, but got {key_dtype}."
        )
    if table_dtype.is_integer != key_dtype.is_integer:
        kind = "integer" if key_dtype.is_integer else "non-integer"
        raise TypeError(f"Invalid key dtype, expected {kind} but got {table_dtype}.")
    if value_dtype != tf.int64:
        raise TypeError(f"Invalid value dtype, expected {tf.int64} but got {value_dtype}.")


class _BucketTable(LookupInterface):
    """A table, or none, and buckets for the keys that it does not have."""

    def __init__(self, table, num_oov_buckets, key_dtype, name):
        if not key_dtype.is_integer and key_dtype != tf.string:
            raise TypeError(f"Invalid key_dtype, expected integer or string, got {key_dtype}.")
        self._table, self._num_oov_buckets = table, num_oov_buckets
        self._table_name = name.split("/")[-1] if name else None
        super().__init__(key_dtype, tf.int64)

    @property
    def resource_handle(self):
        return None if self._table is None else self._table.resource_handle

    @property
    def initializer(self):
        """The operation that fills the table."""
        if self._table is not None:
            return self._table.initializer
        with tf.name_scope(None, "init"):
            return tf.no_op()

    @property
    def name(self):
        return self._table_name

    def size(self, name=None):
        with tf.name_scope(name, f"{self.name}_Size"):
            if self._table is not None:
                size = self._table.size()
            else:
                size = tf.convert_to_tensor(0, dtype=tf.int64)
            return size + self._num_oov_buckets

    def lookup(self, keys, name=None):
        """The numbers of keys, a tensor or sparse tensor. Errors: TypeError for another dtype."""
        self._check_keys(keys)
        return self._lookup_values(keys, lambda values: self._numbers(values, name))

    def _numbers(self, values, name):
        table = self._table
        if table is not None and table.key_dtype.base_dtype == tf.int64:
            values = tf.cast(values, tf.int64)
        if self._num_oov_buckets == 0:
            return table.lookup(values, name=name)
        with tf.name_scope(name, f"{self.name}_Lookup"):
            texts = values if values.dtype.base_dtype == tf.string else tf.as_string(values)
            buckets = self._hash(texts, num_buckets=self._num_oov_buckets, name="hash_bucket")
            if table is None:
                return buckets
            ids = table.lookup(values)
            buckets = tf.add(buckets, table.size())
            return tf.where_v2(tf.not_equal(ids, table.default_value), ids, buckets)


class IdTableWithHashBuckets(_BucketTable):
    """A table of numbers, with num_oov_buckets more for keys that it does not have.

    table: None: all keys are hashed. Errors: TypeError, ValueError. Source:
    tf.contrib.lookup.IdTableWithHashBuckets.
    """

    def __init__(
        self, table, num_oov_buckets, hasher_spec=FastHashSpec, name=None, key_dtype=None
    ):
        name = name.rstrip("/") if name else name
        if table:
            key_dtype = table.key_dtype if key_dtype is None else key_dtype
            _check_key_dtypes(table.key_dtype, key_dtype, table.value_dtype)
            name = name or table.name
        else:
            if num_oov_buckets <= 0:
                raise ValueError("oov_buckets must be > 0 if no table is supplied.")
            table, key_dtype = None, tf.string if key_dtype is None else key_dtype
            name = name or "hash_bucket"
        if not isinstance(hasher_spec, HasherSpec):
            raise TypeError(f"hasher_spec must be of type HasherSpec, got {hasher_spec}")
        self._hasher_spec = hasher_spec
        super().__init__(table, num_oov_buckets, key_dtype, name)

    def _hash(self, texts, **options):
        return _hash_function(self._hasher_spec)(texts, **options)

    @property
    @deprecated(
        "2018-12-15", "Use `initializer` instead.", module="tensorflow.python.ops.lookup_ops"
    )
    def init(self):
        return self.initializer


class StaticVocabularyTable(_BucketTable):
    """The numbers that an initializer has, with num_oov_buckets more for other keys.

    initializer: None: all keys are hashed. Errors: TypeError, ValueError. Source:
    tf.lookup.StaticVocabularyTable.
    """

    def __init__(self, initializer, num_oov_buckets, lookup_key_dtype=None, name=None):
        if num_oov_buckets <= 0:
            raise ValueError("oov_buckets must be > 0.")
        name = name.rstrip("/") if name else name
        table = None
        if initializer:
            if lookup_key_dtype is None:
                lookup_key_dtype = initializer.key_dtype
            _check_key_dtypes(initializer.key_dtype, lookup_key_dtype, initializer.value_dtype)
            table = StaticHashTable(initializer, default_value=-1)
            name = name or table.name
        else:
            lookup_key_dtype, name = tf.string, name or "hash_bucket"
        super().__init__(table, num_oov_buckets, lookup_key_dtype, name)

    def _hash(self, texts, **options):
        return tf.string_to_hash_bucket_fast(texts, **options)
