"""tf.keras.layers: what models are made of."""

from kiln.compat.v1.keras import _objects
from kiln.compat.v1.keras._engine._input_layer import Input as Input, InputLayer as InputLayer
from kiln.compat.v1.keras._engine._input_spec import InputSpec as InputSpec
from kiln.compat.v1.keras._engine._layer import Layer as Layer
from kiln.compat.v1.keras.layers._activations import *
from kiln.compat.v1.keras.layers._cell_layers import *
from kiln.compat.v1.keras.layers._cells import *
from kiln.compat.v1.keras.layers._convolutional import *
from kiln.compat.v1.keras.layers._core import *
from kiln.compat.v1.keras.layers._embedding import *
from kiln.compat.v1.keras.layers._merge import *
from kiln.compat.v1.keras.layers._normalization import *
from kiln.compat.v1.keras.layers._others import *
from kiln.compat.v1.keras.layers._pooling import *
from kiln.compat.v1.keras.layers._recurrent import *
from kiln.compat.v1.keras.layers._separable import *
from kiln.compat.v1.keras.layers._shapes import *
from kiln.compat.v1.keras.layers._wrappers import *


def serialize(layer):
    """A dict of a layer's class and configuration."""
    return {"class_name": type(layer).__name__, "config": layer.get_config()}


def deserialize(config, custom_objects=None):
    """The layer, or model, of a configuration. Errors: ValueError."""
    from kiln.compat.v1.keras._engine._model import Model
    from kiln.compat.v1.keras._engine._network import Network
    from kiln.compat.v1.keras._engine._sequential import Sequential

    models = {"Model": Model, "Network": Network, "Sequential": Sequential}
    known = {**globals(), **models}
    return _objects.deserialize_keras_object(config, known, custom_objects, "layer")
