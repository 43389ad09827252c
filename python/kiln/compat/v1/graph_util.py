"""tf.graph_util: parts of graphs, as GraphDef messages."""

from kiln.compat.v1 import _messages, logging
from kiln.compat.v1._graph_defs import import_graph_def
from kiln.compat.v1._util.deprecation import deprecated

__all__ = [
    "convert_variables_to_constants", "extract_sub_graph", "import_graph_def", "must_run_on_cpu",
    "remove_training_nodes", "tensor_shape_from_node_def_name",
]  # fmt: skip

_VARIABLES = {"Assign", "AssignAdd", "AssignSub", "Queue", "ScatterAdd", "ScatterSub", "ScatterUpdate",
              "TruncatedNormal", "Variable", "VariableV2"}  # fmt: skip


def _node_name(name):
    """The node of an input, "^name" or "name:1"."""
    return name.lstrip("^").partition(":")[0]


def must_run_on_cpu(node, pin_variables_on_cpu=False):
    """Whether a NodeDef or an Operation can run on the processor alone. Source: tf.graph_util.must_run_on_cpu."""
    node_def = getattr(node, "node_def", node)
    if pin_variables_on_cpu and node_def.op in _VARIABLES:
        return True
    if node_def.op == "Const":
        return node_def.attr["dtype"].type == _messages.DT_STRING
    return node_def.op in ("DynamicStitch", "ParameterizedTruncatedNormal")


def extract_sub_graph(graph_def, dest_nodes):
    """A GraphDef of the nodes that these need, in their order.

    Errors: TypeError where dest_nodes is one name; AssertionError for a name that is not there. Source:
    tf.graph_util.extract_sub_graph.
    """
    if type(graph_def).__name__ != "GraphDef":
        raise TypeError(f"graph_def must be a graph_pb2.GraphDef proto, but got type {type(graph_def)}.")
    if isinstance(dest_nodes, str):
        raise TypeError(f"dest_nodes must be an iterable of strings, but got type {type(dest_nodes)}.")
    nodes = {node.name: node for node in graph_def.node}
    needed, waiting = set(), []
    for name in dest_nodes:
        assert name in nodes, f"{name} is not in graph"
        waiting.append(name)
    while waiting:
        name = waiting.pop()
        if name in needed:
            continue
        needed.add(name)
        waiting.extend(_node_name(each) for each in nodes[name].input)
    part = _messages.GraphDef()
    part.node.extend(node for node in graph_def.node if node.name in needed)
    part.library.CopyFrom(graph_def.library)
    part.versions.CopyFrom(graph_def.versions)
    return part


def tensor_shape_from_node_def_name(graph, input_name):
    """The shape of a tensor by its name, "name" or "name:1". Source: tf.graph_util.tensor_shape_from_node_def_name."""
    return graph.get_tensor_by_name(input_name if ":" in input_name else f"{input_name}:0").shape


def remove_training_nodes(input_graph, protected_nodes=None):
    """A GraphDef without CheckNumerics and Identity, whose inputs stand for them.

    protected_nodes: names of nodes that stay. Source: tf.graph_util.remove_training_nodes.
    """
    protected = set(protected_nodes or ())
    # What control inputs order stays, but for checks of numbers.
    ordered = {each[1:] for node in input_graph.node for each in node.input if each.startswith("^")}
    checks, replaced = set(), {}
    for node in input_graph.node:
        if node.name in protected:
            continue
        if node.op == "CheckNumerics":
            checks.add(node.name)
            replaced[node.name] = node.input[0]
        elif node.op == "Identity" and node.name not in ordered:
            if not any(each.startswith("^") and each[1:] not in checks for each in node.input):
                replaced[node.name] = node.input[0]

    def source(name):
        while _node_name(name) in replaced and not name.startswith("^"):
            name = replaced[_node_name(name)]
        return name

    result = _messages.GraphDef()
    for node in input_graph.node:
        if node.name in replaced:
            continue
        copy = result.node.add()
        copy.CopyFrom(node)
        del copy.input[:]
        copy.input.extend(
            source(each) for each in node.input if not (each.startswith("^") and each[1:] in checks)
        )
    result.library.CopyFrom(input_graph.library)
    result.versions.CopyFrom(input_graph.versions)
    return result


@deprecated(date=None, instructions="Use `tf.compat.v1.graph_util.convert_variables_to_constants`", warn_once=True)
def convert_variables_to_constants(
    sess,
    input_graph_def,
    output_node_names,
    variable_names_whitelist=None,
    variable_names_blacklist=None,
):
    """A GraphDef of what the nodes need, in which variables are constants of the values that they have in a session.

    The lists name variables: those alone, and all but those. Errors: as Session.run(); AssertionError for a node that
    is not there; UnimplementedError for a variable that the part changes. Source:
    tf.graph_util.convert_variables_to_constants.
    """
    from kiln._kiln import front as _c

    inference = extract_sub_graph(input_graph_def, output_node_names)
    data, outputs = inference.SerializeToString(), list(output_node_names)
    variables = [
        (name, tensor)
        for name, tensor in _c.variables_to_freeze(data, outputs)
        if (variable_names_whitelist is None or name in variable_names_whitelist)
        and (variable_names_blacklist is None or name not in variable_names_blacklist)
    ]
    values = sess.run([tensor for _, tensor in variables]) if variables else []
    logging.info("Froze %d variables.", len(values))
    frozen = _c.freeze_variables(data, outputs, {name: value for (name, _), value in zip(variables, values)})
    logging.info("Converted %d variables to const ops.", len(values))
    return _messages.GraphDef.FromString(frozen)
