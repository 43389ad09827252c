"""Attributes that are functions, of ops that TensorFlow's kernels run: the functions come along in the node."""

import hashlib
import types

from tensorflow.core.framework import graph_pb2, node_def_pb2, types_pb2
from tensorflow.python.eager import context
from tensorflow.python.framework import function as function_module, op_def_registry, ops as tf_ops
from tensorflow.python.ops import array_ops

# A node's attribute, a serialized GraphDef: a node with its attributes that are functions, as TensorFlow has them,
# and a library of these functions and those that they call.
BESIDE = "_functions"


def _references(node):
    """The places in a node that name functions, if they do: (message, field)."""
    yield node, "op"
    for attr in node.attr.values():
        for reference in (attr.func, *attr.list.func) if attr.HasField("func") or attr.list.func else ():
            yield reference, "name"


def copied(functions, graph_def):
    """Copies functions of a tf.Graph, by name, to a GraphDef, as it does with all that it has."""
    tf_ops.Graph._copy_functions_to_graph_def(types.SimpleNamespace(_functions=functions), graph_def, 0)


def beside(node_def, graph):
    """Adds to a node in its serialized form the functions of a tf.Graph that it names."""
    node = node_def_pb2.NodeDef.FromString(node_def)
    those = graph_pb2.GraphDef(node=[{}])
    reached, open_nodes = set(), [node]
    while open_nodes:
        wanted = [getattr(message, field) for message, field in _references(open_nodes.pop())]
        while wanted:
            name = wanted.pop()
            if name not in graph._functions or name in reached:
                continue
            reached.add(name)
            one = graph_pb2.GraphDef()
            copied({name: graph._functions[name]}, one)
            wanted.extend(gradient.gradient_func for gradient in one.library.gradient)
            for function in one.library.function:
                open_nodes.extend(function.node_def)
            those.library.MergeFrom(one.library)
    for name, value in node.attr.items():
        if value.HasField("func") or value.list.func:
            those.node[0].attr[name].CopyFrom(value)
    attr = node_def_pb2.NodeDef()
    attr.attr[BESIDE].s = those.SerializeToString(deterministic=True)
    return attr.SerializeToString()


class Functions:
    """Those of a node, under names that tell their content: TensorFlow's own are a graph's, these are the process's."""

    def __init__(self, serialized):
        those = graph_pb2.GraphDef.FromString(serialized)
        library = those.library
        digest = hashlib.sha256(serialized).hexdigest()[:16]
        self.names = {function.signature.name: f"{function.signature.name}_{digest}" for function in library.function}
        for function in library.function:
            function.signature.name = self.names[function.signature.name]
            for node in function.node_def:
                self.rename(node)
        for gradient in library.gradient:
            gradient.function_name = self.names[gradient.function_name]
            gradient.gradient_func = self.names[gradient.gradient_func]
        self.library = library
        self.attrs = those.node[0].attr
        self.rename(those.node[0])

    def rename(self, node):
        for message, field in _references(node):
            name = getattr(message, field)
            setattr(message, field, self.names.get(name, name))

    def stateful_op(self):
        """The type of an op in them that keeps state or has an effect; None where all are functions of their inputs."""
        for function in self.library.function:
            for node in function.node_def:
                op_def = op_def_registry.get(node.op)
                if op_def is not None and op_def.is_stateful and node.op != "StatefulPartitionedCall":
                    return node.op
        return None

    def call_those_with_gradients(self, graph):
        """Adds calls that never run: TensorFlow's sessions forget a gradient where no node calls its function by name."""
        signatures = {function.signature.name: function.signature for function in self.library.function}
        for gradient in self.library.gradient:
            types = [arg.type for arg in signatures[gradient.function_name].input_arg]
            if types_pb2.DT_INVALID not in types:
                inputs = [array_ops.placeholder(dtype) for dtype in types]
                node = node_def_pb2.NodeDef(name=graph.unique_name("call"), op=gradient.function_name)
                node.input.extend(tensor.name for tensor in inputs)
                tf_ops.Operation.from_node_def(node, graph, inputs)

    def add_to(self, graph):
        for function in function_module.from_library(self.library):
            function.add_to_graph(graph)
        if graph.building_function:
            for function in self.library.function:
                if not context.context().has_function(function.signature.name):
                    context.context().add_function_def(function)
