"""Tables that are filled once and looked up."""

import uuid

from kiln._generated import raw_ops as _raw
from kiln.compat import v1 as tf


class LookupInterface:
    """What all tables have. Source: tensorflow.python.ops.lookup_ops.LookupInterface."""

    def __init__(self, key_dtype, value_dtype):
        self._key_dtype, self._value_dtype = tf.as_dtype(key_dtype), tf.as_dtype(value_dtype)

    @property
    def key_dtype(self):
        return self._key_dtype

    @property
    def value_dtype(self):
        return self._value_dtype

    @property
    def resource_handle(self):
        """The tensor of the table itself."""
        return self._resource_handle

    @property
    def name(self):
        return NotImplementedError

    def size(self, name=None):
        """The number of keys."""
        raise NotImplementedError

    def lookup(self, keys, name=None):
        """The values of keys."""
        raise NotImplementedError

    def __getitem__(self, keys):
        return self.lookup(keys)

    def _check_keys(self, keys):
        if keys.dtype.base_dtype != self._key_dtype:
            raise TypeError(
                f"Signature mismatch. Keys must be dtype {self._key_dtype}, got {keys.dtype}."
            )

    def _lookup_values(self, keys, look_up):
        """What look_up gives for keys, or sparse for the values of sparse keys."""
        if isinstance(keys, tf.SparseTensor):
            return tf.SparseTensor(keys.indices, look_up(keys.values), keys.dense_shape)
        return look_up(keys)


class InitializableLookupTableBase(LookupInterface):
    """A table that an initializer fills. default_value: of keys that are not there.

    Source: tensorflow.python.ops.lookup_ops.InitializableLookupTableBase.
    """

    def __init__(self, default_value, initializer):
        super().__init__(initializer.key_dtype, initializer.value_dtype)
        self._default_value = tf.convert_to_tensor(default_value, dtype=self._value_dtype)
        self._default_value.get_shape().merge_with(tf.TensorShape([]))
        # Outside of branches and loops.
        with tf.init_scope():
            self._resource_handle = self._create_resource()
            self._init_op = self._initialize()

    def _create_resource(self):
        raise NotImplementedError

    def _initialize(self):
        return self._initializer.initialize(self)

    @property
    def initializer(self):
        """The operation that fills it."""
        return self._init_op

    @property
    def default_value(self):
        return self._default_value

    def size(self, name=None):
        with tf.name_scope(name, f"{self.name}_Size", [self.resource_handle]):
            return _raw.lookup_table_size_v2(self.resource_handle)

    def lookup(self, keys, name=None):
        """The values of keys, a tensor or sparse tensor. Errors: TypeError for another dtype."""
        self._check_keys(keys)

        def look_up(flat):
            inputs = (self.resource_handle, flat, self._default_value)
            with tf.name_scope(name, f"{self.name}_Lookup", inputs):
                values = _raw.lookup_table_find_v2(*inputs)
            values.set_shape(flat.get_shape())
            return values

        return self._lookup_values(keys, look_up)


class _HashTable(InitializableLookupTableBase):
    def __init__(self, initializer, default_value, shared_name, name):
        self._initializer, self._shared_name = initializer, shared_name
        self._name, self._table_name = name or "hash_table", None
        super().__init__(default_value, initializer)
        self._value_shape = self._default_value.get_shape()

    def _create_resource(self):
        handle = _raw.hash_table_v2(
            shared_name=self._shared_name or "",
            key_dtype=self._initializer.key_dtype,
            value_dtype=self._initializer.value_dtype,
            name=self._name,
        )
        self._table_name = handle.op.name.split("/")[-1]
        return handle

    @property
    def name(self):
        return self._table_name

    def export(self, name=None):
        """All keys and values."""
        with tf.name_scope(name, f"{self.name}_Export", [self.resource_handle]):
            keys, values = _raw.lookup_table_export_v2(
                self.resource_handle, self._key_dtype, self._value_dtype
            )
        values.set_shape(keys.get_shape().concatenate(self._value_shape))
        return keys, values


class StaticHashTable(_HashTable):
    """A table that an initializer fills once.

    Tables of the same file share their contents. Errors: TypeError for other dtypes. Source:
    tf.lookup.StaticHashTable.
    """

    def __init__(self, initializer, default_value, name=None):
        shared = initializer._shared_name or f"hash_table_{uuid.uuid4()}"
        super().__init__(initializer, default_value, shared, name)


class HashTable(_HashTable):
    """As StaticHashTable, with the contents of other tables of a shared_name.

    Source: tf.contrib.lookup.HashTable.
    """

    def __init__(self, initializer, default_value, shared_name=None, name=None):
        super().__init__(initializer, default_value, shared_name, name)

    @property
    def init(self):
        return self.initializer
