"""Readers: they take names of files from a queue and give records."""

from kiln._generated import raw_ops
from kiln.compat.v1._util.deprecation import deprecated


class ReaderBase:
    """A reader. read() gives the next record, and takes another name from the queue where a file has ended.

    Source: tf.ReaderBase.
    """

    def __init__(self, reader_ref, supports_serialize=False):
        self._reader_ref, self._supports_serialize = reader_ref, supports_serialize

    reader_ref = property(lambda self: self._reader_ref)
    supports_serialize = property(lambda self: self._supports_serialize)

    def read(self, queue, name=None):
        """(key, value) of the next record: strings. queue: a queue, or the tensor of one."""
        return raw_ops.reader_read_v2(self._reader_ref, _ref(queue), name=name)

    def read_up_to(self, queue, num_records, name=None):
        """(keys, values) of so many records, or fewer at the end of a file."""
        return raw_ops.reader_read_up_to_v2(self._reader_ref, _ref(queue), num_records, name=name)

    def num_records_produced(self, name=None):
        return raw_ops.reader_num_records_produced_v2(self._reader_ref, name=name)

    def num_work_units_completed(self, name=None):
        return raw_ops.reader_num_work_units_completed_v2(self._reader_ref, name=name)

    def serialize_state(self, name=None):
        """What restore_state() takes, a string. Not of all readers."""
        return raw_ops.reader_serialize_state_v2(self._reader_ref, name=name)

    def restore_state(self, state, name=None):
        return raw_ops.reader_restore_state_v2(self._reader_ref, state, name=name)

    def reset(self, name=None):
        """An operation that brings it back to its beginning."""
        return raw_ops.reader_reset_v2(self._reader_ref, name=name)


def _ref(queue):
    return getattr(queue, "queue_ref", queue)


def _says(instead):
    return deprecated(
        None,
        f"Queue-based input pipelines have been replaced by `tf.data`. Use `{instead}`.",
        module="tensorflow.python.ops.io_ops",
    )


@_says("tf.data.Dataset.map(tf.read_file)")
class WholeFileReader(ReaderBase):
    """Gives each file as one record, by its name. Source: tf.WholeFileReader."""

    def __init__(self, name=None):
        super().__init__(raw_ops.whole_file_reader_v2(name=name), supports_serialize=True)


@_says("tf.data.TextLineDataset")
class TextLineReader(ReaderBase):
    """Gives the lines of files, without their ends, by "file:line". Source: tf.TextLineReader."""

    def __init__(self, skip_header_lines=None, name=None):
        super().__init__(raw_ops.text_line_reader_v2(skip_header_lines=skip_header_lines or 0, name=name))


@_says("tf.data.FixedLengthRecordDataset")
class FixedLengthRecordReader(ReaderBase):
    """Gives records of so many bytes, hop_bytes apart, between a header and a footer.

    Source: tf.FixedLengthRecordReader.
    """

    def __init__(
        self, record_bytes, header_bytes=None, footer_bytes=None, hop_bytes=None, name=None, encoding=None
    ):
        super().__init__(
            raw_ops.fixed_length_record_reader_v2(
                record_bytes, header_bytes or 0, footer_bytes or 0, hop_bytes or 0, encoding=encoding or "", name=name
            )
        )


@_says("tf.data.TFRecordDataset")
class TFRecordReader(ReaderBase):
    """Gives the records of TFRecord files. Source: tf.TFRecordReader."""

    def __init__(self, name=None, options=None):
        from kiln.compat.v1._io.tf_record import TFRecordOptions

        compression = TFRecordOptions.get_compression_type_string(options)
        super().__init__(raw_ops.tf_record_reader_v2(name=name, compression_type=compression))


@_says("tf.data.Dataset.map(...)")
class IdentityReader(ReaderBase):
    """Gives the names that the queue has, as keys and as values. Source: tf.IdentityReader."""

    def __init__(self, name=None):
        super().__init__(raw_ops.identity_reader_v2(name=name), supports_serialize=True)
