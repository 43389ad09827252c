"""Layers that C++ computes: their attributes are what it reads."""

from kiln._kiln import front as _c
from kiln.compat.v1.layers._base import Layer
from kiln.compat.v1.layers._named import serialized
from kiln.compat.v1.shapes import TensorShape


class NativeLayer(Layer):
    """A layer of C++. _arguments: what its constructor takes beside name, trainable and dtype."""

    _arguments = ()

    def build(self, input_shape):
        _c.layer_own_build(self, input_shape)
        self.built = True

    def call(self, inputs):
        return _c.layer_own_call(self, inputs)

    def compute_output_shape(self, input_shape):
        shape = _c.layer_own_output_shape(self, TensorShape(input_shape))
        if shape is None:
            raise ValueError(f"The layer {self.name} takes no input of the shape {TensorShape(input_shape)}.")
        return shape

    def get_config(self):
        arguments = {name: serialized(getattr(self, name)) for name in self._arguments}
        return {**super().get_config(), **arguments}
