"""Helpers of recurrent networks that programs take from TensorFlow's private module."""

from kiln.compat._python.ops.rnn_cell_impl import _concat, _like_rnncell
from kiln.compat.v1.nn._rnn_shapes import (
    best_effort_input_batch_size as _best_effort_input_batch_size,
    transpose_batch_time as _transpose_batch_time,
)

__all__ = ["_best_effort_input_batch_size", "_concat", "_like_rnncell", "_transpose_batch_time"]
