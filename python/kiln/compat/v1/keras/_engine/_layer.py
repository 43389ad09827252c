"""tf.keras.layers.Layer: what is called with tensors and has weights."""

import functools
import inspect

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K, regularizers
from kiln.compat.v1.keras._engine import _context, _history
from kiln.compat.v1.keras._engine._input_spec import check_inputs
from kiln.compat.v1.keras._engine._names import unique_layer_name
from kiln.compat.v1.keras._engine._tracking import without_doubles
from kiln.compat.v1.keras._engine._weights import Weighted

_OPTIONS = {
    "input_shape", "batch_input_shape", "batch_size", "weights", "activity_regularizer",
    "input_dim", "autocast",
}  # fmt: skip


class Layer(Weighted):
    """A layer. A subclass has build(input_shape), which calls add_weight(), and call(inputs).

    trainable: whether the weights are. name: unique in the graph where it is None. dtype: of the
    weights. input_shape, batch_input_shape, batch_size: of the first layer of a Sequential.
    weights: arrays that the weights begin with. Errors: TypeError for other arguments. Source:
    tf.keras.layers.Layer.
    """

    def __init__(self, trainable=True, name=None, dtype=None, dynamic=False, **kwargs):
        for option in kwargs:
            if option not in _OPTIONS:
                raise TypeError("Keyword argument not understood:", option)
        super().__init__(trainable, dtype)
        self._name = name or unique_layer_name(type(self).__name__)
        self.built, self._dynamic, self._input_spec = False, dynamic, None
        self.supports_masking = False
        self._activity_regularizer = kwargs.pop("activity_regularizer", None)
        self._inbound_nodes, self._outbound_nodes = [], []
        self._initial_weights = kwargs.get("weights")
        if "input_dim" in kwargs and "input_shape" not in kwargs:
            kwargs["input_shape"] = (kwargs["input_dim"],)
        if "batch_input_shape" in kwargs:
            self._batch_input_shape = tuple(kwargs["batch_input_shape"])
        elif "input_shape" in kwargs:
            self._batch_input_shape = (kwargs.get("batch_size"), *kwargs["input_shape"])

    # What subclasses have.

    def build(self, input_shape):
        """Makes the weights, for an input of a shape."""
        self.built = True

    def call(self, inputs, **kwargs):
        """The layer's results."""
        return inputs

    def compute_mask(self, inputs, mask=None):
        """The mask of the results. Errors: TypeError where a mask comes that no one expects."""
        if self.supports_masking:
            return mask
        if any(each is not None for each in tf.nest.flatten(mask)):
            raise TypeError(
                f"Layer {self.name} does not support masking, but was passed an input_mask: {mask}"
            )
        return None

    def compute_output_shape(self, input_shape):
        """The shape of the results for one of the inputs, found by a call in another graph."""
        several = isinstance(input_shape, list) and isinstance(
            input_shape[0], (list, tuple, tf.TensorShape)
        )
        shapes = input_shape if several else [input_shape]
        with tf.Graph().as_default():
            inputs = [tf.placeholder(self.dtype or K.floatx(), shape) for shape in shapes]
            copy = type(self).from_config(self.get_config())
            outputs = copy(inputs if several else inputs[0])
            return tf.nest.map_structure(lambda each: each.shape, outputs)

    def compute_output_signature(self, input_signature):
        """The tf.TensorSpec of the results for that of the inputs."""
        shapes = tf.nest.map_structure(lambda each: each.shape, input_signature)
        return tf.nest.map_structure(
            lambda shape: tf.TensorSpec(shape, self.dtype or K.floatx()),
            self.compute_output_shape(shapes),
        )

    def get_config(self):
        """The arguments that make the same layer. Errors: NotImplementedError."""
        parameters = inspect.signature(type(self).__init__).parameters.values()
        kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        names = {each.name for each in parameters if each.kind not in kinds}
        config = {"name": self.name, "trainable": self.trainable}
        if hasattr(self, "_batch_input_shape"):
            config["batch_input_shape"] = self._batch_input_shape
        config["dtype"] = self.dtype
        others = names - set(config) - {"self", "dynamic"}
        if others and type(self).get_config is Layer.get_config:
            raise NotImplementedError(
                "Layers with arguments in `__init__` must override `get_config`."
            )
        return config

    @classmethod
    def from_config(cls, config):
        return cls(**config)

    # A call.

    def __call__(self, inputs, *args, **kwargs):
        inputs = _as_tensors(inputs)
        flat, given = tf.nest.flatten(inputs), dict(kwargs)
        is_outermost = not _context.is_inside()
        training = self._add_training(args, kwargs)
        masks = self._add_masks(inputs, args, kwargs)
        with tf.name_scope(self._name_scope()), _context.call(training):
            self._maybe_build(inputs)
            outputs = self._called(inputs, flat, args, kwargs)
            self._add_activity_loss(inputs, outputs)
            self._set_masks(inputs, outputs, masks)
        if is_outermost and flat and all(map(_history.is_keras, flat)):
            given.update(zip(self._call_arguments()[1:], args))
            _history.Node(self, inputs, outputs, given)
        return outputs

    def _called(self, inputs, flat, args, kwargs):
        outputs = self.call(inputs, *args, **kwargs)
        if outputs is None:
            raise ValueError(
                "A layer's `call` method should return a Tensor or a list of Tensors, not None "
                f"(layer: {self.name})."
            )
        # What a layer gives is its own.
        before = set(map(id, flat))
        if not any(id(each) in before for each in tf.nest.flatten(outputs)):
            return outputs
        return tf.nest.map_structure(
            lambda each: tf.identity(each) if id(each) in before else each, outputs
        )

    def _name_scope(self):
        return self.name

    def _call_arguments(self):
        found = self.__dict__.get("_names_of_arguments")
        if found is None:
            found = self._names_of_arguments = list(inspect.signature(self.call).parameters)
        return found

    def _is_given(self, name, args, kwargs):
        names = self._call_arguments()
        return kwargs.get(name) is not None or name in names[: len(args) + 1]

    def _add_training(self, args, kwargs):
        """The training mode of a call; it is given to call() if that takes it."""
        names, training = self._call_arguments(), _context.training()
        if "training" not in names:
            return training
        if self._is_given("training", args, kwargs):
            place = names.index("training") - 1
            return args[place] if place < len(args) else kwargs["training"]
        if training is None and K.global_learning_phase_is_set():
            training = K.learning_phase()
        if training is not None:
            kwargs["training"] = training
        return training

    def _add_masks(self, inputs, args, kwargs):
        """The masks of the inputs; they are given to call() if that takes them."""
        masks = tf.nest.map_structure(lambda each: getattr(each, "_keras_mask", None), inputs)
        if self._is_given("mask", args, kwargs):
            return kwargs.get("mask", masks)
        if "mask" in self._call_arguments():
            if any(each is not None for each in tf.nest.flatten(masks)):
                kwargs["mask"] = masks
        return masks

    def _set_masks(self, inputs, outputs, masks):
        flat = tf.nest.flatten(outputs)
        if all(hasattr(each, "_keras_mask") for each in flat):
            return
        found = self.compute_mask(inputs, masks)
        found = [None] * len(flat) if found is None else tf.nest.flatten(found)
        for tensor, mask in zip(flat, found):
            tensor._keras_mask = mask

    def _maybe_build(self, inputs):
        check_inputs(self._input_spec, inputs, self.name)
        if self.built:
            return
        flat = tf.nest.flatten(inputs)
        if self._dtype is None and flat:
            self._dtype = flat[0].dtype.base_dtype.name
        shapes = None
        if all(hasattr(each, "shape") for each in flat):
            shapes = tf.nest.map_structure(lambda each: each.shape, inputs)
        self.build(shapes)
        # A subclass may not call the method of this class.
        self.built = True
        if self._initial_weights is not None:
            self.set_weights(self._initial_weights)
            self._initial_weights = None

    def _add_activity_loss(self, inputs, outputs):
        if self._activity_regularizer is None:
            return
        with tf.name_scope("ActivityRegularizer"):
            for output in tf.nest.flatten(outputs):
                loss = regularizers.get(self._activity_regularizer)(output)
                batch_size = tf.cast(tf.shape(output)[0], loss.dtype)
                self.add_loss(loss / batch_size, inputs=inputs)

    def apply(self, inputs, *args, **kwargs):
        """The older name of a call."""
        return self(inputs, *args, **kwargs)

    # What it is.

    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)
    dynamic = property(lambda self: self._dynamic)
    inbound_nodes = property(lambda self: self._inbound_nodes)
    outbound_nodes = property(lambda self: self._outbound_nodes)
    name_scope = property(lambda self: tf.name_scope(self.name))

    @property
    def submodules(self):
        """The layers inside, and those in them: a tuple."""
        found = [each for layer in self._sublayers() for each in (layer, *_inside(layer))]
        return tuple(without_doubles(found))

    @classmethod
    def with_name_scope(cls, method):
        """A method that is called in the scope of the layer's name."""

        @functools.wraps(method)
        def in_scope(self, *args, **kwargs):
            with self.name_scope:
                return method(self, *args, **kwargs)

        return in_scope

    @property
    def activity_regularizer(self):
        return self._activity_regularizer

    @activity_regularizer.setter
    def activity_regularizer(self, value):
        self._activity_regularizer = value

    @property
    def input_spec(self):
        return self._input_spec

    @input_spec.setter
    def input_spec(self, value):
        self._input_spec = value

    def _at(self, node_index, of, what):
        if not self._inbound_nodes:
            raise RuntimeError(f"The layer has never been called and thus has no defined {what}.")
        if not 0 <= node_index < len(self._inbound_nodes):
            raise ValueError(
                f"Asked to get {what} at node {node_index}, but the layer has only "
                f"{len(self._inbound_nodes)} inbound nodes."
            )
        return getattr(self._inbound_nodes[node_index], of)

    def get_input_at(self, node_index):
        """The inputs of a call. Errors: RuntimeError, ValueError."""
        return self._at(node_index, "input_tensors", "input")

    def get_output_at(self, node_index):
        """The outputs of a call. Errors: RuntimeError, ValueError."""
        return self._at(node_index, "output_tensors", "output")

    def get_input_shape_at(self, node_index):
        return self._at(node_index, "input_shapes", "input shape")

    def get_output_shape_at(self, node_index):
        return self._at(node_index, "output_shapes", "output shape")

    def get_input_mask_at(self, node_index):
        return _history.masks_of(self.get_input_at(node_index))

    def get_output_mask_at(self, node_index):
        return _history.masks_of(self.get_output_at(node_index))

    def _only(self, of, what):
        if not self._inbound_nodes:
            raise AttributeError(f"Layer {self.name} is not connected, no {what} to return.")
        found = [getattr(node, of) for node in self._inbound_nodes]
        if "shape" in of and any(each != found[0] for each in found[1:]):
            raise AttributeError(
                f'The layer "{self.name}" has multiple inbound nodes with different {what}s. Hence '
                f'the notion of "{what}" is ill-defined for the layer. Use '
                f"`get_{what.replace(' ', '_')}_at(node_index)` instead."
            )
        return found[0]

    @property
    def input(self):
        """The inputs of the first call. Errors: AttributeError."""
        return self._only("input_tensors", "input")

    @property
    def output(self):
        """The outputs of the first call. Errors: AttributeError."""
        return self._only("output_tensors", "output")

    @property
    def input_shape(self):
        return self._only("input_shapes", "input shape")

    @property
    def output_shape(self):
        return self._only("output_shapes", "output shape")

    @property
    def input_mask(self):
        return _history.masks_of(self.input)

    @property
    def output_mask(self):
        return _history.masks_of(self.output)


def _inside(layer):
    return getattr(layer, "submodules", ())


def _as_tensors(inputs):
    """Arrays and numbers among inputs as tensors."""

    def convert(value):
        if isinstance(value, (np.ndarray, np.generic, float, int)):
            return tf.convert_to_tensor(np.asarray(value, K.floatx()))
        return value

    return tf.nest.map_structure(convert, inputs)
