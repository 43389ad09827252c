"""tf.keras.Sequential: layers one behind the other."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras._engine import _history
from kiln.compat.v1.keras._engine._input_layer import Input, InputLayer
from kiln.compat.v1.keras._engine._layer import Layer
from kiln.compat.v1.keras._engine._model import Model
from kiln.compat.v1.keras._engine._tracking import is_layer


class Sequential(Model):
    """A model of layers, each of which takes what the one before gives.

    layers: a list of them. Its weights are made when the first layer has an input_shape, or when
    the model is called, built or trained first. Source: tf.keras.Sequential.
    """

    def __init__(self, layers=None, name=None):
        super().__init__(name=name)
        self.supports_masking = True
        self._stack = []
        for layer in layers or []:
            self.add(layer)

    @property
    def layers(self):
        """The layers, without that of the input."""
        return [layer for layer in self._stack if not isinstance(layer, InputLayer)]

    def _sublayers(self):
        return list(self._stack)

    def add(self, layer):
        """Adds a layer at the end. Errors: TypeError, ValueError."""
        origin = getattr(layer, "_keras_history", None)
        if origin is not None and isinstance(origin.layer, InputLayer):
            layer = origin.layer
        if not is_layer(layer):
            raise TypeError(f"The added layer must be an instance of class Layer. Found: {layer}")
        self.built = False
        if not self._stack:
            self._add_first(layer)
        else:
            self._stack.append(layer)
            if self.outputs:
                self._extend(layer(self.outputs[0]))

    def _add_first(self, layer):
        if isinstance(layer, InputLayer):
            self._stack.append(layer)
            self._begin(layer._inbound_nodes[-1].flat_outputs()[0])
            return
        shape, dtype = _first_shape(layer)
        if shape is None:
            self._stack.append(layer)
            return
        inputs = Input(batch_shape=shape, dtype=dtype, name=f"{layer.name}_input")
        self._stack += [inputs._keras_history.layer, layer]
        self._begin(layer(inputs))

    def _begin(self, output):
        if isinstance(output, (list, tuple)):
            raise TypeError(
                "All layers in a Sequential model should have a single output tensor. For "
                "multi-output layers, use the functional API."
            )
        self.outputs = [output]
        first = self._stack[0]
        self.inputs = first._inbound_nodes[-1].flat_outputs()
        self._connect()

    def _extend(self, output):
        if len(tf.nest.flatten(output)) > 1:
            raise TypeError(
                "All layers in a Sequential model should have a single output tensor. For "
                "multi-output layers, use the functional API."
            )
        self.outputs = tf.nest.flatten(output)
        self._connect()

    def _connect(self):
        self._inbound_nodes.clear()
        self._set_graph(self.inputs[0], self.outputs[0])

    def pop(self):
        """Removes the last layer. Errors: TypeError without one."""
        if not self.layers:
            raise TypeError("There are no layers in the model.")
        self._stack.pop()
        if not self.layers:
            self.inputs = self.outputs = self._graph = None
            self.built = False
        elif self._graph is not None:
            last = self._stack[-1]
            last._outbound_nodes.clear()
            self.outputs = last._inbound_nodes[-1].flat_outputs()
            self._connect()

    def build(self, input_shape=None):
        """Makes the weights for inputs of a shape. Errors: ValueError without one."""
        if self._graph is not None:
            self.built = True
            return
        if input_shape is None:
            raise ValueError("You must provide an `input_shape` argument.")
        shape = tf.TensorShape(input_shape).as_list()
        dtype = getattr(self._stack[0], "dtype", None) or K.floatx()
        self._connect_from(Input(batch_shape=tuple(shape), dtype=dtype, name=f"{self.name}_input"))

    def _connect_from(self, inputs):
        """Calls the layers of a model that had no shape of inputs."""
        layers = self.layers
        self._stack = [inputs._keras_history.layer, *layers]
        output = inputs
        for layer in layers:
            output = layer(output)
        self._begin(output)

    def call(self, inputs, training=None, mask=None):
        if self._graph is not None:
            return super().call(inputs, training=training, mask=mask)
        for layer in self.layers:
            arguments = {}
            if isinstance(layer, Layer):
                names = layer._call_arguments()
                arguments = {"mask": mask} if "mask" in names and mask is not None else {}
                if "training" in names and training is not None:
                    arguments["training"] = training
            outputs = layer(inputs, **arguments)
            mask, inputs = getattr(outputs, "_keras_mask", None), outputs
        return inputs

    def compute_output_shape(self, input_shape):
        for layer in self.layers:
            input_shape = layer.compute_output_shape(input_shape)
        return input_shape

    def predict_proba(self, x, batch_size=32, verbose=0):
        """predict(), for classifiers."""
        return self.predict(x, batch_size, verbose)

    def predict_classes(self, x, batch_size=32, verbose=0):
        """The likeliest class of each example."""
        probabilities = self.predict(x, batch_size=batch_size, verbose=verbose)
        if probabilities.shape[-1] > 1:
            return probabilities.argmax(axis=-1)
        return (probabilities > 0.5).astype("int32")

    def get_config(self):
        layers = [
            {"class_name": type(layer).__name__, "config": layer.get_config()}
            for layer in self.layers
        ]
        config = {"name": self.name, "layers": layers}
        if self._graph is not None:
            config["build_input_shape"] = _history.shape_of(self.inputs[0])
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        from kiln.compat.v1.keras.layers import deserialize

        described = config if isinstance(config, list) else config["layers"]
        model = cls(name=None if isinstance(config, list) else config.get("name"))
        for layer in described:
            model.add(deserialize(layer, custom_objects))
        shape = None if isinstance(config, list) else config.get("build_input_shape")
        if not model.inputs and shape:
            model.build(shape)
        return model


def _first_shape(layer):
    """The shape and type of the inputs that a layer, or the first one in it, says."""
    while isinstance(layer, Model):
        if layer.inputs:
            tensor = layer.inputs[0]
            return _history.shape_of(tensor), tensor.dtype.base_dtype.name
        if not layer.layers:
            return None, None
        layer = layer.layers[0]
    shape = getattr(layer, "_batch_input_shape", None)
    return shape, getattr(layer, "dtype", None)
