"""Layers around a layer."""

import copy

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras._engine._layer import Layer

__all__ = ["Bidirectional", "TimeDistributed", "Wrapper"]


class Wrapper(Layer):
    """A layer with another one in it, self.layer. Source: tf.keras.layers.Wrapper."""

    def __init__(self, layer, **kwargs):
        self.layer = layer
        super().__init__(**kwargs)

    def build(self, input_shape=None):
        if not self.layer.built:
            self.layer.build(input_shape)
            self.layer.built = True
        self.built = True

    @property
    def activity_regularizer(self):
        return getattr(self.layer, "activity_regularizer", None)

    def get_config(self):
        inner = {"class_name": type(self.layer).__name__, "config": self.layer.get_config()}
        return {**super().get_config(), "layer": inner}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        from kiln.compat.v1.keras.layers import deserialize

        config = dict(config)
        layer = deserialize(config.pop("layer"), custom_objects)
        return cls(layer, **config)


class TimeDistributed(Wrapper):
    """A layer on each step of `[batch, steps, ...]`. Source: tf.keras.layers.TimeDistributed."""

    def __init__(self, layer, **kwargs):
        if not isinstance(layer, Layer):
            raise ValueError(
                "Please initialize `TimeDistributed` layer with a `tf.keras.layers.Layer` "
                f"instance. You passed: {layer}"
            )
        super().__init__(layer, **kwargs)
        self.supports_masking = True

    def build(self, input_shape=None):
        shape = tf.TensorShape(input_shape).as_list()
        if shape is None or len(shape) < 3:
            raise ValueError(
                "`TimeDistributed` Layer should be passed an `input_shape ` with at least 3 "
                f"dimensions, received: {shape}"
            )
        super().build(tf.TensorShape([shape[0], *shape[2:]]))

    def call(self, inputs, training=None, mask=None):
        arguments = {}
        if training is not None and "training" in self.layer._call_arguments():
            arguments["training"] = training
        shape, sizes = inputs.shape.as_list(), tf.shape(inputs)
        # The steps become examples.
        examples = tf.reshape(inputs, tf.concat([[-1], sizes[2:]], 0))
        examples.set_shape([None, *shape[2:]])
        if mask is not None and "mask" in self.layer._call_arguments():
            arguments["mask"] = tf.reshape(mask, [-1])
        outputs = self.layer(examples, **arguments)
        result = tf.reshape(outputs, tf.concat([sizes[:2], tf.shape(outputs)[1:]], 0))
        result.set_shape([*shape[:2], *outputs.shape.as_list()[1:]])
        return result

    def compute_mask(self, inputs, mask=None):
        return mask

    def compute_output_shape(self, input_shape):
        shape = tf.TensorShape(input_shape).as_list()
        inner = self.layer.compute_output_shape(tf.TensorShape([shape[0], *shape[2:]]))
        inner = tf.TensorShape(inner).as_list()
        return tf.TensorShape([inner[0], shape[1], *inner[1:]])


class Bidirectional(Wrapper):
    """A recurrent layer forwards and one like it backwards.

    merge_mode: "sum", "mul", "concat", "ave", or None for a list. backward_layer: one that differs
    from the other. Source: tf.keras.layers.Bidirectional.
    """

    def __init__(self, layer, merge_mode="concat", weights=None, backward_layer=None, **kwargs):
        if not isinstance(layer, Layer):
            raise ValueError(
                "Please initialize `Bidirectional` layer with a `Layer` instance. You passed: "
                f"{layer}"
            )
        if merge_mode not in ("sum", "mul", "ave", "concat", None):
            raise ValueError(
                'Invalid merge mode. Merge mode should be one of {"sum", "mul", "ave", "concat", '
                "None}"
            )
        super().__init__(layer, **kwargs)
        self.forward_layer = self._copy(layer, layer.go_backwards)
        self.backward_layer = backward_layer or self._copy(layer, not layer.go_backwards)
        self.forward_layer._name = f"forward_{layer.name}"
        self.backward_layer._name = f"backward_{layer.name}"
        self.merge_mode, self.return_state = merge_mode, layer.return_state
        self.return_sequences, self._stateful = layer.return_sequences, layer.stateful
        self.supports_masking = True
        if weights:
            half = len(weights) // 2
            self.forward_layer._initial_weights = weights[:half]
            self.backward_layer._initial_weights = weights[half:]

    def _copy(self, layer, go_backwards):
        config = copy.copy(layer.get_config())
        config["go_backwards"] = go_backwards
        return type(layer).from_config(config)

    def _sublayers(self):
        return [self.forward_layer, self.backward_layer]

    def build(self, input_shape=None):
        for layer in self._sublayers():
            with tf.name_scope(layer.name):
                layer.build(input_shape)
                layer.built = True
        self.built = True

    def __call__(self, inputs, initial_state=None, **kwargs):
        if isinstance(inputs, list):
            inputs, initial_state = inputs[0], inputs[1:] or initial_state
        if initial_state is not None:
            kwargs["initial_state"] = initial_state
        return super().__call__(inputs, **kwargs)

    def call(self, inputs, training=None, mask=None, initial_state=None):
        arguments = {"mask": mask} if mask is not None else {}
        if training is not None:
            arguments["training"] = training
        states = [{}, {}]
        if initial_state is not None:
            half = len(initial_state) // 2
            states = [
                {"initial_state": list(part)}
                for part in (initial_state[:half], initial_state[half:])
            ]
        forward, backward = (
            layer(inputs, **arguments, **state) for layer, state in zip(self._sublayers(), states)
        )
        after = []
        if self.return_state:
            (forward, *first), (backward, *second) = forward, backward
            after = [*first, *second]
        if self.return_sequences:
            backward = tf.reverse(backward, [1])
        outputs = self._merged(forward, backward)
        if not self.return_state:
            return outputs
        return [*outputs, *after] if self.merge_mode is None else [outputs, *after]

    def _merged(self, forward, backward):
        if self.merge_mode == "concat":
            return K.concatenate([forward, backward])
        if self.merge_mode == "sum":
            return forward + backward
        if self.merge_mode == "ave":
            return (forward + backward) / 2
        if self.merge_mode == "mul":
            return forward * backward
        return [forward, backward]

    def compute_mask(self, inputs, mask=None):
        mask = mask[0] if isinstance(mask, list) else mask
        kept = mask if self.return_sequences else None
        kept = [kept, kept] if self.merge_mode is None else kept
        if not self.return_state:
            return kept
        count = 2 * len(tf.nest.flatten(self.layer.cell.state_size))
        kept = kept if isinstance(kept, list) else [kept]
        return [*kept, *[None] * count]

    def compute_output_shape(self, input_shape):
        shape = self.forward_layer.compute_output_shape(input_shape)
        shape = shape[0] if isinstance(shape, list) else shape
        shape = tf.TensorShape(shape).as_list()
        if self.merge_mode == "concat":
            shape[-1] *= 2
        return tf.TensorShape(shape)

    def reset_states(self):
        self.forward_layer.reset_states()
        self.backward_layer.reset_states()

    @property
    def constraints(self):
        return {}

    def get_config(self):
        return {**super().get_config(), "merge_mode": self.merge_mode}
