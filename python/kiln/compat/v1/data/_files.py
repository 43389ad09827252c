"""Datasets of what files hold."""

from kiln._generated import raw_ops
from kiln.compat.v1 import dtypes
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1.data._datasets import Dataset
from kiln.compat.v1.data._elements import Spec
from kiln.compat.v1.data._functions import scalar
from kiln.compat.v1.shapes import TensorShape


class _FileDataset(Dataset):
    """The records of files, one behind the other. filenames: names, or a dataset of them. num_parallel_reads:
    of so many files one record in turn."""

    def _read(self, make, filenames, compression_type, buffer_size, num_parallel_reads):
        """make: the node's function of names, a compression and a size of buffers."""
        spec = Spec.of_structures(dtypes.string, TensorShape([]))
        compression = scalar(compression_type or "", dtypes.string, "compression_type")
        buffer = scalar(buffer_size or 256 * 1024, dtypes.int64, "buffer_size")

        def read(names):
            return Dataset._of(make(names, compression, buffer), spec)

        if not isinstance(filenames, Dataset) and num_parallel_reads is None:
            whole = read(convert_to_tensor(filenames, dtype=dtypes.string, name="filenames"))
        else:
            names = filenames if isinstance(filenames, Dataset) else _names(filenames)
            if names.output_types != dtypes.string:
                raise TypeError("`filenames` must be a `tf.data.Dataset` of `tf.string` elements.")
            whole = names.flat_map(read) if num_parallel_reads is None else names.interleave(read, num_parallel_reads, 1)
        self._variant, self._spec = whole._variant, spec


def _names(filenames):
    names = convert_to_tensor(filenames, dtype=dtypes.string, name="filenames")
    return Dataset.from_tensor_slices(raw_ops.reshape(names, [-1]))


class TextLineDataset(_FileDataset):
    """The lines of files, without their ends. Source: tf.data.TextLineDataset."""

    def __init__(self, filenames, compression_type=None, buffer_size=None, num_parallel_reads=None):
        self._read(raw_ops.text_line_dataset, filenames, compression_type, buffer_size, num_parallel_reads)


class TFRecordDataset(_FileDataset):
    """The records of files. Source: tf.data.TFRecordDataset."""

    def __init__(self, filenames, compression_type=None, buffer_size=None, num_parallel_reads=None):
        self._read(raw_ops.tf_record_dataset, filenames, compression_type, buffer_size, num_parallel_reads)


class FixedLengthRecordDataset(_FileDataset):
    """Records of one length. Source: tf.data.FixedLengthRecordDataset."""

    def __init__(
        self, filenames, record_bytes, header_bytes=None, footer_bytes=None, buffer_size=None, compression_type=None,
        num_parallel_reads=None,
    ):  # fmt: skip
        lengths = [
            scalar(value or 0, dtypes.int64, name)
            for value, name in ((header_bytes, "header_bytes"), (record_bytes, "record_bytes"), (footer_bytes, "footer_bytes"))
        ]

        def make(names, compression, buffer):
            return raw_ops.fixed_length_record_dataset_v2(names, *lengths, buffer, compression)

        self._read(make, filenames, compression_type, buffer_size, num_parallel_reads)
