"""Helpers of cells, as in rnn_cell_impl."""

from kiln.compat._python.ops.rnn_cell_impl import *
