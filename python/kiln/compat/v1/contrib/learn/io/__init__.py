"""tf.contrib.learn.io: batches of arrays, of frames, and of files of Examples."""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.learn.io._arrays import (
    extract_pandas_data as extract_pandas_data,
    extract_pandas_labels as extract_pandas_labels,
    extract_pandas_matrix as extract_pandas_matrix,
    numpy_input_fn as numpy_input_fn,
    pandas_input_fn as pandas_input_fn,
)
from kiln.compat.v1.contrib.learn.io.graph_io import (
    queue_parsed_features as queue_parsed_features,
    read_batch_examples as read_batch_examples,
    read_batch_features as read_batch_features,
    read_batch_record_features as read_batch_record_features,
    read_keyed_batch_examples as read_keyed_batch_examples,
    read_keyed_batch_features as read_keyed_batch_features,
)

__getattr__, __dir__ = _forwarding(__name__, "")
