"""Graphs and operations as messages: GraphDef, NodeDef, AttrValue."""

import re

from kiln._kiln import front as _c
from kiln.compat.v1 import _messages, dtypes
from kiln.compat.v1.compat import as_str
from kiln.compat.v1.version import GRAPH_DEF_VERSION


def graph_def_of(graph, from_version=None, add_shapes=False):
    """Graph.as_graph_def()."""
    graph_def = _messages.GraphDef.FromString(_c.graph_def(graph))
    if not graph_def.versions.producer:
        graph_def.versions.producer = GRAPH_DEF_VERSION
    if from_version is not None:
        del graph_def.node[:from_version]
    if add_shapes:
        for node in graph_def.node:
            outputs = _c.look_up(graph, node.name).outputs
            if outputs:
                node.attr.pop("_output_shapes", None)
                shapes = node.attr["_output_shapes"].list.shape
                shapes.extend([output.shape.as_proto() for output in outputs])
    return graph_def


def node_def_of(operation):
    """Operation.node_def."""
    return _messages.NodeDef.FromString(_c.node_def(operation))


def attribute_of(operation, name):
    """Operation.get_attr()."""
    value = _c.attribute(operation, name)
    if isinstance(value, (int, float, bytes, dtypes.DType)):
        return value
    attr = node_def_of(operation).attr[name]
    kind = attr.WhichOneof("value")
    if kind != "list":
        return getattr(attr, kind) if kind else value
    for field in ("s", "i", "f", "b", "type", "shape", "tensor", "func"):
        items = getattr(attr.list, field)
        if items:
            return [dtypes.as_dtype(item) for item in items] if field == "type" else list(items)
    return []


def kind_and_value(attr):
    """What C++ takes for an AttrValue message: ("int", 3), ("list(type)", [...])."""
    kind = attr.WhichOneof("value")
    if kind == "list":
        for field, name in _KINDS.items():
            items = getattr(attr.list, field)
            if items:
                return f"list({name})", [_value(field, item) for item in items]
        return "list(int)", []
    if kind is None or kind == "placeholder":
        raise ValueError(f"an attribute has no value: {attr}")
    return _KINDS[kind], _value(kind, getattr(attr, kind))


_KINDS = {
    "s": "string", "i": "int", "f": "float", "b": "bool", "type": "type", "shape": "shape",
    "tensor": "tensor", "func": "func",
}  # fmt: skip


def _value(field, value):
    if field == "type":
        return dtypes.as_dtype(value)
    if field == "shape":
        from kiln.compat.v1.shapes import TensorShape

        return TensorShape(value)
    if field == "tensor":
        from kiln.compat.v1._tensor_proto import make_ndarray

        return make_ndarray(value)
    return value


def create_op(graph, op_type, inputs, dtypes_of_outputs, name, attrs):
    """Graph.create_op(): an operation with these inputs, one by one, and these attributes."""
    from kiln.compat.v1._elements import Tensor

    for i, tensor in enumerate(inputs):
        if not isinstance(tensor, Tensor):
            raise TypeError(f"Input #{i} is not a tensor: {tensor}")
    given = {key: kind_and_value(value) for key, value in (attrs or {}).items()}
    with graph.as_default():
        return _c.create_operation(op_type, name or op_type, list(inputs), given)


def operation_of(node_def, graph, inputs, control_inputs):
    """Operation(node_def, graph, inputs)."""
    from kiln.compat.v1._graph import Graph

    if type(node_def).__name__ != "NodeDef" or not hasattr(node_def, "SerializeToString"):
        raise TypeError(f"Argument node_def must be a NodeDef. Received an instance of type: {type(node_def)}.")
    if re.fullmatch(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*", node_def.name) is None:
        raise ValueError(f"`{node_def.name}` is not a valid node name.")
    if not isinstance(graph, Graph):
        raise TypeError(f"Argument g must be a Graph. Received an instance of type {type(graph)}")
    with graph.as_default(), graph.control_dependencies(control_inputs or []):
        with graph.device(node_def.device or ""):
            return create_op(graph, node_def.op, inputs or [], None, node_def.name + "/", dict(node_def.attr))


def _input_map(given, name):
    """input_map of import_graph_def() with keys that are str."""
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise TypeError(f"Argument `input_map` must be a dictionary. Obtained {type(given).__name__}")
    if not all(isinstance(key, (str, bytes)) for key in given):
        raise TypeError(
            f"All keys for argument `input_map` must be strings. Obtained keys: {list(given)} with keys not of "
            "string type."
        )
    if not name and not all(isinstance(value, _c.Tensor) for value in given.values()):
        raise ValueError(
            "tf.import_graph_def() requires a non-empty `name` if `input_map` contains non-Tensor values. Try calling "
            "tf.convert_to_tensor() on `input_map` values before calling tf.import_graph_def()."
        )
    return {as_str(key): value for key, value in given.items()}


def import_graph_def(
    graph_def, input_map=None, return_elements=None, name=None, op_dict=None, producer_op_list=None
):
    """Adds the nodes of a GraphDef, under name/, "import/" where it is None.

    input_map: tensors in place of those of the GraphDef, by their names there.
    return_elements: names of tensors and operations, which are returned. Errors:
    TypeError, ValueError. Source: tf.import_graph_def.
    """
    if type(graph_def).__name__ != "GraphDef" or not hasattr(graph_def, "SerializeToString"):
        raise TypeError("Argument `graph_def` must be a GraphDef proto.")
    name = "import" if name is None else name
    mapped = _input_map(input_map, name)
    if return_elements is not None:
        return_elements = tuple(return_elements)
        if not all(isinstance(element, (str, bytes)) for element in return_elements):
            raise TypeError(
                "Argument `return_elements` must be a list of strings. "
                f"Obtained {return_elements} of type {type(return_elements)}."
            )
    wanted = [as_str(element) for element in return_elements or ()]
    elements = _c.import_graph_def(graph_def.SerializeToString(), mapped, wanted, name)
    return None if return_elements is None else elements
