"""tf.nn: neural networks."""

from kiln.compat.v1.nn import rnn_cell
from kiln.compat.v1.nn._rnn import *
