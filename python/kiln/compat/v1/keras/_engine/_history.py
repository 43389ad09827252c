"""Which layer gave a tensor: what models are found by."""

import collections

from kiln.compat import v1 as tf

KerasHistory = collections.namedtuple("KerasHistory", ["layer", "node_index", "tensor_index"])


class Node:
    """One call of a layer: its inputs, arguments and outputs."""

    def __init__(self, layer, inputs, outputs, arguments=None):
        self.outbound_layer, self.arguments = layer, dict(arguments or {})
        self.input_tensors, self.output_tensors = inputs, outputs
        layer._inbound_nodes.append(self)
        index = len(layer._inbound_nodes) - 1
        for i, tensor in enumerate(tf.nest.flatten(outputs)):
            tensor._keras_history = KerasHistory(layer, index, i)
        for tensor in self.flat_inputs():
            source = tensor._keras_history.layer
            source._outbound_nodes.append(self)

    def flat_inputs(self):
        """The tensors of Keras that the call takes, those among the arguments, too."""
        given = [*tf.nest.flatten(self.input_tensors), *tf.nest.flatten(self.arguments)]
        return [each for each in given if is_keras(each)]

    def flat_outputs(self):
        return tf.nest.flatten(self.output_tensors)

    @property
    def inbound_layers(self):
        return [each._keras_history.layer for each in self.flat_inputs()]

    @property
    def input_shapes(self):
        return tf.nest.map_structure(shape_of, self.input_tensors)

    @property
    def output_shapes(self):
        return tf.nest.map_structure(shape_of, self.output_tensors)


def is_keras(tensor):
    """Whether a layer of Keras gave a tensor."""
    return hasattr(tensor, "_keras_history")


def masks_of(tensors):
    """The masks of tensors, None where there is none, in the same structure."""
    return tf.nest.map_structure(lambda each: getattr(each, "_keras_mask", None), tensors)


def shape_of(tensor):
    """The shape as a tuple; None without a rank."""
    shape = tensor.shape
    return None if shape.ndims is None else tuple(shape.as_list())


def node_of(tensor):
    """The node that gave a tensor."""
    layer, index, _ = tensor._keras_history
    return layer._inbound_nodes[index]
