"""A table that savers keep, as TensorFlow's tests of savers have it."""

from kiln._generated import raw_ops
from kiln.compat import v1 as tf
from kiln.compat.v1.train._saver import BaseSaverBuilder


class CheckpointedOp:
    """A table from strings to float32, among the objects of its graph that are saved."""

    class CustomSaveable(BaseSaverBuilder.SaveableObject):
        """How its keys and values are saved and restored."""

        def __init__(self, table, name):
            parts = zip(table._export(), ("keys", "values"))
            specs = [BaseSaverBuilder.SaveSpec(tensor, "", f"{name}-{part}") for tensor, part in parts]
            super().__init__(table, specs, name)

        def restore(self, restore_tensors, shapes):
            return raw_ops.lookup_table_import_v2(self.op.table_ref, *restore_tensors[:2])

    def __init__(self, name, table_ref=None):
        if table_ref is None:
            table_ref = raw_ops.mutable_hash_table_v2(key_dtype=tf.string, value_dtype=tf.float32, name=name)
        self.table_ref, self.name = table_ref, name
        self.saveable = CheckpointedOp.CustomSaveable(self, name)
        tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, self.saveable)

    def insert(self, keys, values):
        return raw_ops.lookup_table_insert_v2(self.table_ref, keys, values)

    def lookup(self, keys, default):
        return raw_ops.lookup_table_find_v2(self.table_ref, keys, default)

    def keys(self):
        return self._export()[0]

    def values(self):
        return self._export()[1]

    def _export(self):
        return raw_ops.lookup_table_export_v2(self.table_ref, tf.string, tf.float32)
