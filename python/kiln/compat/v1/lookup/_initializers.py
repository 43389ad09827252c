"""What fills a table once: tensors, or the lines of a file."""

from kiln._generated import raw_ops as _raw
from kiln.compat import v1 as tf


class TableInitializerBase:
    """Keys and values of a table. Source: tensorflow.python.ops.lookup_ops.TableInitializerBase."""

    def __init__(self, key_dtype, value_dtype):
        self._key_dtype, self._value_dtype = tf.as_dtype(key_dtype), tf.as_dtype(value_dtype)

    @property
    def key_dtype(self):
        return self._key_dtype

    @property
    def value_dtype(self):
        return self._value_dtype

    def initialize(self, table):
        """The operation that fills a table."""
        raise NotImplementedError

    @property
    def _shared_name(self):
        return ""


def check_dtypes(table, key_dtype, value_dtype):
    """Errors: TypeError where a table has other dtypes."""
    if key_dtype.base_dtype != table.key_dtype:
        raise TypeError(f"Invalid key dtype, expected {table.key_dtype} but got {key_dtype}.")
    if value_dtype.base_dtype != table.value_dtype:
        raise TypeError(f"Invalid value dtype, expected {table.value_dtype} but got {value_dtype}.")


class KeyValueTensorInitializer(TableInitializerBase):
    """The elements of two tensors. Source: tf.lookup.KeyValueTensorInitializer."""

    def __init__(self, keys, values, key_dtype=None, value_dtype=None, name=None):
        self._keys = tf.convert_to_tensor(keys, dtype=key_dtype, name="keys")
        self._values = tf.convert_to_tensor(values, dtype=value_dtype, name="values")
        self._name = "key_value_init" if name is None else name
        super().__init__(self._keys.dtype, self._values.dtype)

    def initialize(self, table):
        check_dtypes(table, self._keys.dtype, self._values.dtype)
        handle = table.resource_handle
        with tf.name_scope(self._name, values=(handle, self._keys, self._values)):
            op = _raw.lookup_table_import_v2(handle, self._keys, self._values)
        tf.add_to_collection(tf.GraphKeys.TABLE_INITIALIZERS, op)
        return op


class TextFileIndex:
    """Which part of a line is a key or a value, beside the numbers of columns.

    Source: tf.lookup.TextFileIndex.
    """

    WHOLE_LINE = -2
    LINE_NUMBER = -1


class TextFileInitializer(TableInitializerBase):
    """The lines of a file.

    key_index, value_index: the number of a column, TextFileIndex.WHOLE_LINE or LINE_NUMBER.
    vocab_size: how many lines there are; None: the file tells. delimiter: between columns.
    Errors: ValueError. Source: tf.lookup.TextFileInitializer.
    """

    def __init__(
        self,
        filename,
        key_dtype,
        key_index,
        value_dtype,
        value_index,
        vocab_size=None,
        delimiter="\t",
        name=None,
    ):
        if not isinstance(filename, tf.Tensor) and not filename:
            raise ValueError(f"Filename required for {name}.")
        key_dtype, value_dtype = tf.as_dtype(key_dtype), tf.as_dtype(value_dtype)
        _check_column("key", key_index, key_dtype)
        _check_column("value", value_index, value_dtype)
        if vocab_size is not None and vocab_size <= 0:
            raise ValueError(f"Invalid vocab_size {vocab_size}.")
        self._filename_arg, self._vocab_size = filename, vocab_size
        with tf.init_scope(), tf.device("/device:CPU:*"):
            self._filename = tf.convert_to_tensor(filename, tf.string, name="asset_path")
        self._key_index, self._value_index = key_index, value_index
        self._delimiter, self._name = delimiter, name
        super().__init__(key_dtype, value_dtype)

    def initialize(self, table):
        check_dtypes(table, self.key_dtype, self.value_dtype)
        handle = table.resource_handle
        with tf.name_scope(self._name, "text_file_init", (handle,)):
            op = _raw.initialize_table_from_text_file_v2(
                handle,
                self._filename,
                self._key_index,
                self._value_index,
                -1 if self._vocab_size is None else self._vocab_size,
                self._delimiter,
            )
        tf.add_to_collection(tf.GraphKeys.TABLE_INITIALIZERS, op)
        if self._filename.op.type == "Const":
            tf.add_to_collection(tf.GraphKeys.ASSET_FILEPATHS, self._filename)
        return op

    @property
    def _shared_name(self):
        """The same for tables of the same file, which are one."""
        size = f"{self._vocab_size}_" if self._vocab_size else ""
        return f"hash_table_{self._filename_arg}_{size}{self._key_index}_{self._value_index}"


def _check_column(what, index, dtype):
    """Errors: ValueError where a column cannot have a dtype."""
    if index < -2:
        raise ValueError(f"Invalid {what} index {index}.")
    what = what.title()
    if index == TextFileIndex.LINE_NUMBER and dtype != tf.int64:
        raise ValueError(f"Signature mismatch. {what}s must be dtype {tf.int64}, got {dtype}.")
    if index == TextFileIndex.WHOLE_LINE and dtype != tf.string:
        if what == "Value":
            raise ValueError(f"Signature mismatch. Values must be dtype {tf.string}, got {dtype}.")
        if not dtype.is_integer:
            raise ValueError(f"Signature mismatch. Keys must be integer or string, got {dtype}.")


class TextFileStringTableInitializer(TextFileInitializer):
    """Strings by the number of their line. Source: tf.contrib.lookup.TextFileStringTableInitializer."""

    def __init__(
        self,
        filename,
        key_column_index=TextFileIndex.LINE_NUMBER,
        value_column_index=TextFileIndex.WHOLE_LINE,
        vocab_size=None,
        delimiter="\t",
        name="text_file_string_table_init",
    ):
        super().__init__(
            filename, tf.int64, key_column_index, tf.string, value_column_index, vocab_size,
            delimiter, name,
        )  # fmt: skip


class TextFileIdTableInitializer(TextFileInitializer):
    """The numbers of lines, by their strings. Source: tf.contrib.lookup.TextFileIdTableInitializer."""

    def __init__(
        self,
        filename,
        key_column_index=TextFileIndex.WHOLE_LINE,
        value_column_index=TextFileIndex.LINE_NUMBER,
        vocab_size=None,
        delimiter="\t",
        name="text_file_id_table_init",
        key_dtype=tf.string,
    ):
        super().__init__(
            filename, key_dtype, key_column_index, tf.int64, value_column_index, vocab_size,
            delimiter, name,
        )  # fmt: skip
