"""Models as configurations: dicts, from which others are made."""

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.keras._engine import _history


def config_of(model):
    """The layers of a model, their arguments and connections. Errors: NotImplementedError."""
    if not model._is_graph_network:
        raise NotImplementedError
    nodes, layers = set(model._graph.nodes), model._graph.layers
    numbers = {}  # of each node among those of its layer that are in the model
    for layer in layers:
        own = [node for node in layer._inbound_nodes if node in nodes]
        numbers.update((node, i) for i, node in enumerate(own))
    described = []
    for layer in layers:
        calls = [
            _call_of(node, numbers)
            for node in layer._inbound_nodes
            if node in nodes and node.flat_inputs()
        ]
        described.append(
            {
                "name": layer.name,
                "class_name": type(layer).__name__,
                "config": layer.get_config(),
                "inbound_nodes": calls,
            }
        )
    return {
        "name": model.name,
        "layers": described,
        "input_layers": _places_of(model._nested_inputs, numbers),
        "output_layers": _places_of(model._nested_outputs, numbers),
    }


def _places_of(tensors, numbers):
    places = tf.nest.map_structure(lambda each: _place_of(each, numbers), tensors)
    return places if tf.nest.is_nested(tensors) else [places]


def _place_of(tensor, numbers):
    layer, index, place = tensor._keras_history
    return [layer.name, numbers.get(layer._inbound_nodes[index], 0), place]


def _call_of(node, numbers):
    arguments = {name: value for name, value in node.arguments.items() if not _has_tensors(value)}
    flat = [
        [*_place_of(each, numbers), arguments if i == 0 else {}]
        for i, each in enumerate(node.flat_inputs())
    ]
    return flat


def _has_tensors(value):
    return any(isinstance(each, tf.Tensor) for each in tf.nest.flatten(value))


def tensors_of(config, custom_objects=None):
    """The inputs and outputs of a model that is made from a configuration."""
    from kiln.compat.v1.keras.layers import deserialize

    layers, waiting = {}, []
    for described in config["layers"]:
        layer = deserialize(described, custom_objects)
        layers[described["name"]] = layer
        waiting += [(layer, call) for call in described["inbound_nodes"]]
    while waiting:
        later = [(layer, call) for layer, call in waiting if not _apply(layer, call, layers)]
        if len(later) == len(waiting):
            raise ValueError("The connections of the layers in the configuration have a cycle.")
        waiting = later

    def tensor(place):
        layer, node, number = place
        return layers[layer]._inbound_nodes[node].flat_outputs()[number]

    def tensors(places):
        if isinstance(places, dict):
            return {name: tensor(place) for name, place in places.items()}
        return [tensor(place) for place in places]

    return tensors(config["input_layers"]), tensors(config["output_layers"])


def _apply(layer, call, layers):
    """Calls a layer, if what it is called with is there."""
    tensors, arguments = [], {}
    for name, node, place, *given in call:
        nodes = layers[name]._inbound_nodes
        if len(nodes) <= node:
            return False
        tensors.append(nodes[node].flat_outputs()[place])
        arguments.update(given[0] if given else {})
    layer(tensors[0] if len(tensors) == 1 else tensors, **arguments)
    return True


def clone_model(model, input_tensors=None, clone_function=None):
    """A model of the same layers with new weights. Source: tf.keras.models.clone_model.

    input_tensors: what the new one's inputs are. clone_function(layer): gives the new layer.
    """
    from kiln.compat.v1.keras._engine._sequential import Sequential

    clone = clone_function or (lambda layer: type(layer).from_config(layer.get_config()))
    if isinstance(model, Sequential):
        return _cloned_sequential(model, input_tensors, clone)
    if not model._is_graph_network:
        raise ValueError(
            "Expected `model` argument to be a functional `Model` instance, but got a subclass "
            "model instead."
        )
    from kiln.compat.v1.keras._engine._input_layer import Input

    made, values = {}, {}
    given = tf.nest.flatten(input_tensors) if input_tensors is not None else None
    inputs = []
    for i, own in enumerate(model.inputs):
        layer = own._keras_history.layer
        if given is None:
            tensor = Input(batch_shape=layer._batch_input_shape, dtype=layer.dtype, name=layer.name)
        else:
            tensor = given[i]
            if not _history.is_keras(tensor):
                tensor = Input(tensor=tensor, name=f"input_wrapper_for_{layer.name}")
        inputs.append(tensor)
        values[id(own)] = tensor
    for node in model._graph.nodes:
        if not node.flat_inputs():
            continue
        layer = node.outbound_layer
        if layer not in made:
            made[layer] = clone(layer)

        def value_of(tensor):
            return values[id(tensor)] if _history.is_keras(tensor) else tensor

        outputs = made[layer](
            tf.nest.map_structure(value_of, node.input_tensors),
            **tf.nest.map_structure(value_of, node.arguments),
        )
        values.update(zip(map(id, node.flat_outputs()), tf.nest.flatten(outputs)))
    outputs = tf.nest.map_structure(lambda each: values[id(each)], model._nested_outputs)
    inputs = tf.nest.pack_sequence_as(model._nested_inputs, inputs)
    return type(model)(inputs, outputs, name=model.name)


def _cloned_sequential(model, input_tensors, clone):
    from kiln.compat.v1.keras._engine._input_layer import InputLayer

    layers = [clone(layer) for layer in model.layers]
    if input_tensors is not None:
        (tensor,) = tf.nest.flatten(input_tensors)
        if _history.is_keras(tensor):
            layers.insert(0, tensor._keras_history.layer)
        else:
            name = f"input_wrapper_for_{model.inputs[0].op.name}"
            layers.insert(0, InputLayer(input_tensor=tensor, name=name))
    return type(model)(layers, name=model.name)


def json_value(value):
    """What json writes for values that it does not know."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, tf.TensorShape):
        return value.as_list()
    if hasattr(value, "get_config"):
        return {"class_name": type(value).__name__, "config": value.get_config()}
    if hasattr(value, "name"):
        return value.name
    if callable(value):
        return value.__name__
    raise TypeError("Not JSON Serializable:", value)
