"""tf.nn: neural networks."""

from kiln.compat.v1.nn import rnn_cell as rnn_cell
from kiln.compat.v1.nn._activations import *
from kiln.compat.v1.nn._convolutions import *
from kiln.compat.v1.nn._ctc import *
from kiln.compat.v1.nn._embeddings import *
from kiln.compat.v1.nn._losses import *
from kiln.compat.v1.nn._normalization import *
from kiln.compat.v1.nn._pooling import *
from kiln.compat.v1.nn._quantized import *
from kiln.compat.v1.nn._rnn import *
from kiln.compat.v1.nn._samplers import *
