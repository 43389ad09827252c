"""Models as graphs of layers: what they compute, their weights, configuration and files."""

import json

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras._engine import _history
from kiln.compat.v1.keras._engine._graph import LayerGraph
from kiln.compat.v1.keras._engine._layer import Layer
from kiln.compat.v1.keras._engine._names import unique_layer_name
from kiln.compat.v1.keras._engine._tracking import without_doubles


class Network(Layer):
    """Layers from inputs to outputs, or a subclass with a call() of its own."""

    def __init__(self, *args, **kwargs):
        names = dict(zip(("inputs", "outputs", "name"), args))
        names.update(kwargs)
        name = names.get("name") or unique_layer_name(type(self).__name__)
        super().__init__(
            name=name, trainable=names.get("trainable", True), dtype=names.get("dtype")
        )
        self._graph, self._nested_inputs, self._nested_outputs = None, None, None
        self.inputs, self.outputs = None, None
        if "outputs" in names:
            self._set_graph(names["inputs"], names["outputs"])
        elif "inputs" in names:
            raise ValueError("`outputs` must be given with `inputs`")

    def _set_graph(self, inputs, outputs):
        inputs, outputs = (
            each[0] if isinstance(each, list) and len(tf.nest.flatten(each)) == 1 else each
            for each in (inputs, outputs)
        )
        self._nested_inputs, self._nested_outputs = inputs, outputs
        self.inputs, self.outputs = tf.nest.flatten(inputs), tf.nest.flatten(outputs)
        for tensor in self.inputs:
            if not _history.is_keras(tensor):
                raise ValueError(
                    f"Input tensors to a {type(self).__name__} must come from `tf.keras.Input`. "
                    f"Received: {tensor} (missing previous layer metadata)."
                )
        self._graph = LayerGraph(self.inputs, self.outputs)
        self.input_names = [tensor._keras_history.layer.name for tensor in self.inputs]
        self.output_names = _numbered([tensor._keras_history.layer.name for tensor in self.outputs])
        self.built, self.supports_masking = True, True
        self._dtype = self._dtype or K.floatx()
        if not self._inbound_nodes:
            # The tensors stay those of their layers.
            histories = [tensor._keras_history for tensor in self.outputs]
            _history.Node(self, self._nested_inputs, self._nested_outputs)
            for tensor, history in zip(self.outputs, histories):
                tensor._keras_history = history

    @property
    def _is_graph_network(self):
        return self._graph is not None

    # Layers and weights.

    @property
    def layers(self):
        """The layers, in the order of computation."""
        return self._sublayers()

    def _sublayers(self):
        if self._graph is not None:
            return list(self._graph.layers)
        return super()._sublayers()

    def get_layer(self, name=None, index=None):
        """A layer by its name or number. Errors: ValueError."""
        if index is not None:
            if len(self.layers) <= index:
                raise ValueError(
                    f"Was asked to retrieve layer at index {index} but model only has "
                    f"{len(self.layers)} layers."
                )
            return self.layers[index]
        if not name:
            raise ValueError("Provide either a layer name or layer index.")
        for layer in self.layers:
            if layer.name == name:
                return layer
        raise ValueError("No such layer: " + name)

    @property
    def weights(self):
        """Layer by layer."""
        own = [*self._own_variables(True), *self._own_variables(False)]
        return without_doubles([*self._gathered("weights"), *own])

    @property
    def state_updates(self):
        return [update for layer in self.layers if layer.stateful for update in layer.updates]

    @property
    def stateful(self):
        return any(getattr(layer, "stateful", False) for layer in self._sublayers())

    def reset_states(self):
        """Gives the states of recurrent layers zeros."""
        for layer in self.layers:
            if hasattr(layer, "reset_states") and getattr(layer, "stateful", False):
                layer.reset_states()

    # Calls.

    def call(self, inputs, training=None, mask=None):
        """The outputs for other inputs."""
        if self._graph is None:
            raise NotImplementedError(
                "When subclassing the `Model` class, you should implement a `call` method."
            )
        values = {}
        masks = [None] * len(self.inputs) if mask is None else tf.nest.flatten(mask)
        for own, given, each in zip(self.inputs, tf.nest.flatten(inputs), masks):
            given = tf.convert_to_tensor_or_sparse_tensor(given)
            if given.dtype.base_dtype != own.dtype.base_dtype:
                given = tf.cast(given, own.dtype.base_dtype)
            if each is not None or not hasattr(given, "_keras_mask"):
                given._keras_mask = each
            values[id(own)] = given
        self._graph.compute(values)
        return tf.nest.map_structure(lambda each: values[id(each)], self._nested_outputs)

    def compute_mask(self, inputs, mask=None):
        return None

    def compute_output_shape(self, input_shape):
        if self._graph is None:
            return super().compute_output_shape(input_shape)
        with tf.Graph().as_default():
            copy = type(self).from_config(self.get_config())
            shapes = [input_shape] if len(self.inputs) == 1 else input_shape
            given = [tf.placeholder(own.dtype, shape) for own, shape in zip(self.inputs, shapes)]
            outputs = copy(given[0] if len(given) == 1 else given)
            return tf.nest.map_structure(lambda each: each.shape, outputs)

    def build(self, input_shape=None):
        """Makes the weights of a model that is a subclass, for inputs of a shape."""
        if self._graph is not None or input_shape is None:
            self.built = True
            return
        if isinstance(input_shape, tf.TensorShape) or not any(
            isinstance(each, (list, tuple, tf.TensorShape)) for each in input_shape
        ):
            inputs = tf.placeholder(self.dtype or K.floatx(), input_shape)
        else:
            inputs = [tf.placeholder(self.dtype or K.floatx(), each) for each in input_shape]
        if not self._is_building():
            self.built = True
            self(inputs)

    def _is_building(self):
        from kiln.compat.v1.keras._engine import _context

        return _context.is_inside()

    @property
    def input_spec(self):
        return self._input_spec

    @property
    def input(self):
        return self._nested_inputs if self._graph is not None else super().input

    @property
    def output(self):
        return self._nested_outputs if self._graph is not None else super().output

    # Configurations and files.

    def get_config(self):
        from kiln.compat.v1.keras._engine import _configs

        return _configs.config_of(self)

    @classmethod
    def from_config(cls, config, custom_objects=None):
        from kiln.compat.v1.keras._engine import _configs

        inputs, outputs = _configs.tensors_of(config, custom_objects)
        return cls(inputs=inputs, outputs=outputs, name=config.get("name"))

    def _updated_config(self):
        return {
            "class_name": type(self).__name__,
            "config": self.get_config(),
            "keras_version": "2.2.4-tf",
            "backend": "tensorflow",
        }

    def to_json(self, **kwargs):
        """The configuration as text, without weights."""
        from kiln.compat.v1.keras._engine._configs import json_value

        return json.dumps(self._updated_config(), default=json_value, **kwargs)

    def to_yaml(self, **kwargs):
        """The configuration as YAML, without weights. Errors: ImportError without PyYAML."""
        try:
            import yaml
        except ImportError as error:
            raise ImportError("Requires yaml module installed (`pip install pyyaml`).") from error
        return yaml.safe_dump(json.loads(self.to_json()), **kwargs)

    def save_weights(self, filepath, overwrite=True, save_format=None):
        """Writes the weights: HDF5 for .h5, .hdf5, .keras, otherwise a checkpoint of TensorFlow."""
        from kiln.compat.v1.keras._saving import weights

        weights.save(self, filepath, overwrite, save_format)

    def load_weights(self, filepath, by_name=False):
        """Reads the weights that save_weights() wrote. by_name: of layers of the same names."""
        from kiln.compat.v1.keras._saving import weights

        return weights.load(self, filepath, by_name)

    def save(
        self, filepath, overwrite=True, include_optimizer=True, save_format=None, signatures=None
    ):
        """Writes the whole model: HDF5, or a folder."""
        from kiln.compat.v1.keras._saving import models

        models.save_model(self, filepath, overwrite, include_optimizer, save_format, signatures)

    def summary(self, line_length=None, positions=None, print_fn=None):
        """Prints the layers, their shapes and sizes. Errors: ValueError before it is built."""
        if not self.built:
            raise ValueError(
                "This model has not yet been built. Build the model first by calling `build()` or "
                "calling `fit()` with some data, or specify an `input_shape` argument in the first "
                "layer(s) for automatic build."
            )
        from kiln.compat.v1.keras._engine._summary import print_summary

        print_summary(self, line_length, positions, print_fn)


def _numbered(names):
    """Names, numbered where they are there twice."""
    seen, result = {}, []
    for name in names:
        seen[name] = seen.get(name, -1) + 1
        result.append(f"{name}_{seen[name]}" if seen[name] else name)
    return result
