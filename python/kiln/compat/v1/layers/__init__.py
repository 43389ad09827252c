"""tf.layers: layers of neural networks, as functions and as objects."""

from kiln.compat.v1.layers._base import Layer as Layer
from kiln.compat.v1.layers._convolutional import *
from kiln.compat.v1.layers._core import *
from kiln.compat.v1.layers._input_spec import InputSpec as InputSpec
from kiln.compat.v1.layers._normalization import (
    BatchNormalization as BatchNormalization,
    batch_normalization as batch_normalization,
)
from kiln.compat.v1.layers._pooling import *
from kiln.compat.v1.layers._separable import *
from kiln.compat.v1.layers._transposed import *
