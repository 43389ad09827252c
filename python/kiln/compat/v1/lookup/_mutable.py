"""Tables that a run changes."""

from kiln._generated import raw_ops as _raw
from kiln.compat import v1 as tf
from kiln.compat.v1.lookup._tables import LookupInterface


class _MutableTable(LookupInterface):
    """A table that keys are added to, and that savers save."""

    def __init__(self, key_dtype, value_dtype, name, checkpoint):
        self._checkpoint, self._name = checkpoint, name
        super().__init__(key_dtype, value_dtype)
        self._resource_handle = self._create_resource()
        self._table_name = self._resource_handle.op.name.split("/")[-1]
        if checkpoint:
            tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, self._saveable())

    def _saveable(self, name=None):
        """What savers save, under a name of the checkpoint."""
        return _saveable(self, name or self._name)

    @property
    def name(self):
        return self._table_name

    @property
    def _shared_name(self):
        return None

    def size(self, name=None):
        with tf.name_scope(name, f"{self.name}_Size", [self.resource_handle]):
            with tf.get_default_graph().colocate_with(self.resource_handle):
                return _raw.lookup_table_size_v2(self.resource_handle)

    def remove(self, keys, name=None):
        """An operation that removes keys. Errors: TypeError for another dtype."""
        if keys.dtype != self._key_dtype:
            raise TypeError(
                f"Signature mismatch. Keys must be dtype {self._key_dtype}, got {keys.dtype}."
            )
        values = (self.resource_handle, keys, self._default_value)
        with tf.name_scope(name, f"{self.name}_lookup_table_remove", values):
            return _raw.lookup_table_remove_v2(self.resource_handle, keys)

    def lookup(self, keys, name=None):
        """The values of keys, the default for those that are not there."""
        inputs = (self.resource_handle, keys, self._default_value)
        with tf.name_scope(name, f"{self.name}_lookup_table_find", inputs):
            keys = tf.convert_to_tensor(keys, dtype=self._key_dtype, name="keys")
            with tf.get_default_graph().colocate_with(self.resource_handle):
                return _raw.lookup_table_find_v2(self.resource_handle, keys, self._default_value)

    def insert(self, keys, values, name=None):
        """An operation that adds keys, or gives them other values."""
        inputs = [self.resource_handle, keys, values]
        with tf.name_scope(name, f"{self.name}_lookup_table_insert", inputs):
            keys = tf.convert_to_tensor(keys, dtype=self._key_dtype, name="keys")
            values = tf.convert_to_tensor(values, dtype=self._value_dtype, name="values")
            with tf.get_default_graph().colocate_with(self.resource_handle):
                return _raw.lookup_table_insert_v2(self.resource_handle, keys, values)

    def export(self, name=None):
        """All keys and values."""
        scope = f"{self.name}_lookup_table_export_values"
        with tf.name_scope(name, scope, [self.resource_handle]):
            with tf.get_default_graph().colocate_with(self.resource_handle):
                return _raw.lookup_table_export_v2(
                    self.resource_handle, self._key_dtype, self._value_dtype
                )


def _saveable(table, name):
    """What savers save of a table."""
    from kiln.compat.v1.train._saveable_object import SaveableObject, SaveSpec

    class TableSaveable(SaveableObject):
        def restore(self, restored_tensors, restored_shapes, name=None):
            with tf.name_scope(name, f"{self.name}_table_restore"):
                with tf.get_default_graph().colocate_with(self.op.resource_handle):
                    return _raw.lookup_table_import_v2(self.op.resource_handle, *restored_tensors)

    keys, values = table.export()
    specs = [SaveSpec(keys, "", f"{name}-keys"), SaveSpec(values, "", f"{name}-values")]
    return TableSaveable(table, specs, name)


class MutableHashTable(_MutableTable):
    """A table of values, or of vectors where default_value is one.

    checkpoint: whether savers save it. Source: tf.contrib.lookup.MutableHashTable.
    """

    def __init__(
        self, key_dtype, value_dtype, default_value, name="MutableHashTable", checkpoint=True
    ):
        self._default_value = tf.convert_to_tensor(default_value, dtype=value_dtype)
        self._value_shape = self._default_value.get_shape()
        super().__init__(key_dtype, value_dtype, name, checkpoint)

    def _create_resource(self):
        options = {
            "use_node_name_sharing": self._checkpoint,
            "key_dtype": self._key_dtype,
            "value_dtype": self._value_dtype,
            "name": self._name,
        }
        if self._value_shape.ndims == 0:
            return _raw.mutable_hash_table_v2(**options)
        return _raw.mutable_hash_table_of_tensors_v2(value_shape=self._value_shape, **options)


class DenseHashTable(_MutableTable):
    """A table that is faster, for which two keys are given up: empty_key and deleted_key.

    initial_num_buckets: a power of two. checkpoint: whether savers save it. Source:
    tf.lookup.experimental.DenseHashTable.
    """

    def __init__(
        self,
        key_dtype,
        value_dtype,
        default_value,
        empty_key,
        deleted_key,
        initial_num_buckets=None,
        name="MutableDenseHashTable",
        checkpoint=True,
    ):
        self._default_value = tf.convert_to_tensor(
            default_value, dtype=value_dtype, name="default_value"
        )
        self._value_shape = self._default_value.get_shape()
        self._empty_key = tf.convert_to_tensor(empty_key, dtype=key_dtype, name="empty_key")
        self._deleted_key = tf.convert_to_tensor(deleted_key, dtype=key_dtype, name="deleted_key")
        self._initial_num_buckets = initial_num_buckets
        super().__init__(key_dtype, value_dtype, name, checkpoint)

    def _create_resource(self):
        options = {}
        if self._initial_num_buckets is not None:
            options["initial_num_buckets"] = self._initial_num_buckets
        return _raw.mutable_dense_hash_table_v2(
            empty_key=self._empty_key,
            deleted_key=self._deleted_key,
            use_node_name_sharing=self._checkpoint,
            value_dtype=self._value_dtype,
            value_shape=self._value_shape,
            name=self._name,
            **options,
        )

    def insert_or_assign(self, keys, values, name=None):
        """As insert()."""
        return self.insert(keys, values, name)

    def erase(self, keys, name=None):
        """As remove()."""
        return self.remove(keys, name)


MutableDenseHashTable = DenseHashTable
