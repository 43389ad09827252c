"""Models as graphs of named objects, by which checkpoints of weights name variables.

A variable's key is the path to it from the model, as `layer_with_weights-0/kernel`; what an
optimizer keeps of a variable has a key below that variable's. The graph itself lies in the
checkpoint, too, as a TrackableObjectGraph: reading goes by the names along the edges.
"""

import re

from kiln.compat import v1 as tf
from kiln.compat.v1.keras._engine._layer import Layer
from kiln.compat.v1.keras._engine._network import Network
from kiln.compat.v1.keras._engine._tracking import is_layer
from kiln.compat.v1.keras.optimizers import Optimizer

GRAPH_KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"
_VALUE = "VARIABLE_VALUE"


class ObjectGraph:
    """The objects that are reached from a root, nearest first.

    objects: in their order; children: of each, pairs of a name and the number of an object; paths:
    the names on the shortest way to each.
    """

    def __init__(self, root):
        self.objects, self.children, self.paths = [root], [], [()]
        self._numbers = {id(root): 0}
        for i, each in enumerate(self.objects):  # grows meanwhile
            found = []
            for name, child in children_of(each):
                found.append((name, self._number(child, (*self.paths[i], name))))
            self.children.append(found)

    def _number(self, value, path):
        key = id(value)
        if key not in self._numbers:
            self._numbers[key] = len(self.objects)
            self.objects.append(value)
            self.paths.append(path)
        return self._numbers[key]

    def variables(self):
        """Keys of variables, and their numbers among the objects."""
        return {
            f"{_joined(self.paths[i])}/.ATTRIBUTES/{_VALUE}": i
            for i, each in enumerate(self.objects)
            if isinstance(each, tf.Variable)
        }

    def slots(self):
        """What optimizers keep: number of the optimizer, of the variable, name, key, variable."""
        found = []
        for i, optimizer in enumerate(self.objects):
            if not _is_optimizer(optimizer):
                continue
            for j, variable in enumerate(self.objects):
                for name, slot in _slots_of(optimizer, variable):
                    key = "/".join(
                        [_joined(self.paths[j]), ".OPTIMIZER_SLOT", _joined(self.paths[i]), name]
                    )
                    found.append((i, j, name, f"{key}/.ATTRIBUTES/{_VALUE}", slot))
        return found

    def to_proto(self):
        """The message, and a dict from keys to variables."""
        from kiln.compat.v1 import _messages

        message = _messages.TrackableObjectGraph()
        for children in self.children:
            node = message.nodes.add()
            for name, number in children:
                node.children.add(node_id=number, local_name=name)
        keyed = {key: self.objects[number] for key, number in self.variables().items()}
        for key, number in self.variables().items():
            _add_value(message.nodes[number], key, self.objects[number])
        for optimizer, variable, name, key, slot in self.slots():
            number = len(message.nodes)
            _add_value(message.nodes.add(), key, slot)
            message.nodes[optimizer].slot_variables.add(
                original_variable_node_id=variable, slot_name=name, slot_variable_node_id=number
            )
            keyed[key] = slot
        return message, keyed


def _add_value(node, key, variable):
    node.attributes.add(name=_VALUE, full_name=variable.op.name, checkpoint_key=key)


def _joined(path):
    """A key of names; slashes and dots in them are written otherwise."""
    return "/".join(name.replace(".", "..").replace("/", ".S") for name in path)


def _is_optimizer(value):
    return isinstance(value, (Optimizer, tf.train.Optimizer))


def _slots_of(optimizer, variable):
    """Pairs of names and variables that an optimizer keeps of a variable."""
    if isinstance(optimizer, Optimizer):
        return optimizer._slots.get(id(variable), {}).items()
    if not isinstance(variable, tf.Variable):
        return []
    slots = ((name, optimizer.get_slot(variable, name)) for name in optimizer.get_slot_names())
    return [(name, slot) for name, slot in slots if slot is not None]


def children_of(value):
    """Pairs of names and objects that an object has."""
    if hasattr(value, "_checkpoint_children"):
        return value._checkpoint_children()
    if isinstance(value, tf.train.Optimizer):
        return _plain_optimizer_children(value)
    if isinstance(value, (list, tuple)):
        return [(str(i), each) for i, each in enumerate(value) if may_be_saved(each)]
    if isinstance(value, dict):
        return [(name, each) for name, each in value.items() if may_be_saved(each)]
    if isinstance(value, Optimizer):
        return _optimizer_children(value)
    if isinstance(value, Layer):
        return _layer_children(value)
    if isinstance(value, tf.Variable) or not hasattr(value, "__dict__"):
        return []
    return [(name, each) for name, each in vars(value).items() if may_be_saved(each)]


def may_be_saved(value):
    """Whether an object may have variables that are saved."""
    if isinstance(value, (list, tuple)):
        return any(map(may_be_saved, value))
    if isinstance(value, dict):
        return all(isinstance(name, str) for name in value) and any(map(may_be_saved, value.values()))
    if isinstance(value, tf.Variable) or _is_optimizer(value) or is_layer(value):
        return True
    return hasattr(value, "_checkpoint_children") and not isinstance(value, type)


def _plain_optimizer_children(optimizer):
    """What an optimizer of tf.train keeps for all variables, by the names that it has for it."""
    found = []
    for variable in optimizer._non_slot_variables():
        base = variable.op.name.rpartition("/")[2]
        for name in (base, re.sub(r"_\d+$", "", base)):
            if optimizer._get_non_slot_variable(name) is variable:
                found.append((name, variable))
                break
    return sorted(found, key=lambda pair: pair[0])


def _optimizer_children(optimizer):
    created = dict(optimizer._created)
    if optimizer._iterations is not None:
        created["iter"] = optimizer._iterations
    return sorted(created.items())


def _layer_children(layer):
    found, index = [], 0
    if isinstance(layer, Network):
        for i, inner in enumerate(layer.layers):
            if inner.weights:
                found.append((f"layer_with_weights-{index}", inner))
                index += 1
            found.append((f"layer-{i}", inner))
    own = {
        name: value
        for name, value in vars(layer).items()
        if name not in _engine_names(type(layer)) and may_be_saved(value)
    }
    if isinstance(getattr(layer, "optimizer", None), Optimizer):
        own["optimizer"] = layer.optimizer
    return [*found, *own.items()]


# What the classes of the engine keep for themselves.
_ENGINE = {
    "_trainable_weights", "_non_trainable_weights", "_updates", "_losses", "_regularizations",
    "_metrics", "_inbound_nodes", "_outbound_nodes", "_graph", "_nested_inputs",
    "_nested_outputs", "inputs", "outputs", "_options", "_compiled", "_stack",
    "_collected_trainable_weights", "_initial_weights", "_compile_metrics", "optimizer",
    "_compile_weighted_metrics", "_predict_function", "history", "states", "_input_spec",
}  # fmt: skip


def _engine_names(cls):
    return _ENGINE
