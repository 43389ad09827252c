"""The layers and calls between a model's inputs and outputs, in the order of computation."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras._engine import _history
from kiln.compat.v1.keras._engine._input_layer import InputLayer
from kiln.compat.v1.keras._engine._op_layer import add_op_layers


class LayerGraph:
    """nodes: calls, each behind those that it needs; layers: in TensorFlow's order.

    Errors: ValueError for outputs that do not follow from the inputs, cycles, names twice.
    """

    def __init__(self, inputs, outputs):
        add_op_layers(outputs)
        self._indices, self._order = {}, []
        self._visit(outputs)
        depths, layer_depths = self._depths()
        for tensor in inputs:
            layer, node = tensor._keras_history.layer, _history.node_of(tensor)
            if layer not in layer_depths:
                # An input that no output needs.
                layer_depths[layer], depths[node], self._indices[layer] = 0, 0, -1
        self._node_depths = depths
        self.nodes = [node for nodes in self.nodes_by_depth() for node in nodes]
        self.layers = sorted(
            layer_depths, key=lambda layer: (-layer_depths[layer], self._indices[layer])
        )
        self._check(inputs)

    def nodes_by_depth(self):
        """The nodes in lists, those that are farthest from the outputs first."""
        depths = self._node_depths
        return [
            [node for node in depths if depths[node] == depth]
            for depth in sorted(set(depths.values()), reverse=True)
        ]

    def _visit(self, outputs):
        """Finds the nodes behind tensors: depth first, without recursion."""
        done, open_nodes = set(), set()
        stack = [(_history.node_of(tensor), False) for tensor in reversed(outputs)]
        while stack:
            node, is_left = stack.pop()
            if is_left:
                open_nodes.discard(node)
                done.add(node)
                self._order.append(node)
                continue
            if node in done:
                continue
            if node in open_nodes:
                layer = node.outbound_layer
                raise ValueError(f"The tensor of layer {layer.name} is part of a cycle.")
            open_nodes.add(node)
            self._indices.setdefault(node.outbound_layer, len(self._indices))
            stack.append((node, True))
            stack.extend((_history.node_of(each), False) for each in reversed(node.flat_inputs()))

    def _depths(self):
        """How far each node and layer is from the outputs."""
        depths, layer_depths = {}, {}
        for node in reversed(self._order):
            layer = node.outbound_layer
            depth = max(depths.setdefault(node, 0), layer_depths.get(layer, 0))
            depths[node] = layer_depths[layer] = depth
            for tensor in node.flat_inputs():
                source = _history.node_of(tensor)
                depths[source] = max(depth + 1, depths.get(source, 0))
        return depths, layer_depths

    def _check(self, inputs):
        computed, passed = {id(tensor) for tensor in inputs}, []
        for node in self.nodes:
            layer = node.outbound_layer
            for tensor in node.flat_inputs():
                if id(tensor) not in computed:
                    raise ValueError(
                        f"Graph disconnected: cannot obtain value for tensor {tensor} at layer "
                        f'"{layer.name}". The following previous layers were accessed without '
                        f"issue: {passed}"
                    )
            if node.flat_inputs() or not isinstance(layer, InputLayer):
                computed.update(map(id, node.flat_outputs()))
            passed.append(layer.name)
        names = [layer.name for layer in self.layers]
        for name in names:
            if names.count(name) != 1:
                raise ValueError(
                    f'The name "{name}" is used {names.count(name)} times in the model. All layer '
                    "names should be unique."
                )

    def compute(self, values):
        """Calls the layers again. values: a dict from the ids of the inputs to tensors; the
        outputs of all nodes are added.
        """

        def value_of(tensor):
            return values[id(tensor)] if _history.is_keras(tensor) else tensor

        for node in self.nodes:
            if not node.flat_inputs() or all(
                id(tensor) in values for tensor in node.flat_outputs()
            ):
                continue
            inputs = tf.nest.map_structure(value_of, node.input_tensors)
            arguments = tf.nest.map_structure(value_of, node.arguments)
            outputs = node.outbound_layer(inputs, **arguments)
            for tensor, value in zip(node.flat_outputs(), tf.nest.flatten(outputs)):
                values[id(tensor)] = value
