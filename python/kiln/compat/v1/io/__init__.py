"""Files, records and what is read from them: tf.io."""

from kiln.compat.v1._io.tf_record import (
    TFRecordCompressionType, TFRecordOptions, TFRecordWriter, tf_record_iterator,
)  # fmt: skip
from kiln.compat.v1._io_ops import matching_files, read_file, write_file
from kiln.compat.v1._parsing_ops import (
    FixedLenFeature, FixedLenSequenceFeature, SparseFeature, VarLenFeature, decode_compressed,
    decode_csv, decode_json_example, decode_raw, parse_example, parse_sequence_example,
    parse_single_example, parse_single_sequence_example, parse_tensor, serialize_tensor,
)  # fmt: skip
from kiln.compat.v1._queues import PaddingFIFOQueue, PriorityQueue, QueueBase, RandomShuffleQueue
from kiln.compat.v1._sparse_ops import deserialize_many_sparse, serialize_many_sparse, serialize_sparse
from kiln.compat.v1._string_ops import decode_base64, encode_base64
from kiln.compat.v1.image._codecs import decode_png, encode_png, is_jpeg
from kiln.compat.v1.image._files import (
    decode_and_crop_jpeg, decode_bmp, decode_gif, decode_image, decode_jpeg, encode_jpeg, extract_jpeg_shape,
)  # fmt: skip
from kiln.compat.v1.io import gfile
from kiln.compat.v1.train._input import match_filenames_once
from kiln.compat.v1.train._training_util import write_graph

__all__ = [
    "FixedLenFeature", "FixedLenSequenceFeature", "PaddingFIFOQueue", "PriorityQueue", "QueueBase",
    "RandomShuffleQueue", "SparseFeature", "TFRecordCompressionType", "TFRecordOptions",
    "TFRecordWriter", "VarLenFeature", "decode_and_crop_jpeg", "decode_base64", "decode_bmp",
    "decode_compressed", "decode_csv", "decode_gif", "decode_image", "decode_jpeg",
    "decode_json_example", "decode_png", "decode_raw", "deserialize_many_sparse", "encode_base64",
    "encode_jpeg", "encode_png", "extract_jpeg_shape", "gfile", "is_jpeg", "match_filenames_once", "matching_files", "parse_example",
    "parse_sequence_example", "parse_single_example", "parse_single_sequence_example",
    "parse_tensor", "read_file", "serialize_many_sparse", "serialize_sparse", "serialize_tensor",
    "tf_record_iterator", "write_file", "write_graph",
]  # fmt: skip
