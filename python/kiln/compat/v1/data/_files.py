"""Datasets of what files hold."""

from kiln._generated import raw_ops
from kiln.compat.v1 import dtypes
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1.data._datasets import Dataset
from kiln.compat.v1.data._elements import Spec
from kiln.compat.v1.data._functions import scalar
from kiln.compat.v1.shapes import TensorShape


class TextLineDataset(Dataset):
    """The lines of files, without their ends. Source: tf.data.TextLineDataset."""

    def __init__(self, filenames, compression_type=None, buffer_size=None, num_parallel_reads=None):
        self._variant = raw_ops.text_line_dataset(*_files(filenames, compression_type, buffer_size))
        self._spec = _text()


class TFRecordDataset(Dataset):
    """The records of files. Source: tf.data.TFRecordDataset."""

    def __init__(self, filenames, compression_type=None, buffer_size=None, num_parallel_reads=None):
        self._variant = raw_ops.tf_record_dataset(*_files(filenames, compression_type, buffer_size))
        self._spec = _text()


class FixedLengthRecordDataset(Dataset):
    """Records of one length. Source: tf.data.FixedLengthRecordDataset."""

    def __init__(
        self, filenames, record_bytes, header_bytes=None, footer_bytes=None, buffer_size=None, compression_type=None,
        num_parallel_reads=None,
    ):  # fmt: skip
        names, compression, buffer = _files(filenames, compression_type, buffer_size)
        lengths = [
            scalar(value or 0, dtypes.int64, name)
            for value, name in ((header_bytes, "header_bytes"), (record_bytes, "record_bytes"), (footer_bytes, "footer_bytes"))
        ]
        self._variant = raw_ops.fixed_length_record_dataset_v2(names, *lengths, buffer, compression)
        self._spec = _text()


def _text():
    return Spec.of_structures(dtypes.string, TensorShape([]))


def _files(filenames, compression_type, buffer_size):
    if isinstance(filenames, Dataset):
        raise NotImplementedError("Kiln's datasets of files take names, and no dataset of them, yet")
    return (
        convert_to_tensor(filenames, dtype=dtypes.string, name="filenames"),
        scalar(compression_type or "", dtypes.string, "compression_type"),
        scalar(buffer_size or 256 * 1024, dtypes.int64, "buffer_size"),
    )
