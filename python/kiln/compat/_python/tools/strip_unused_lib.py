"""Takes from a graph what some outputs do not need."""

from kiln.compat import v1 as tf
from kiln.compat._python.tools._files import parsed


def strip_unused(input_graph_def, input_node_names, output_node_names, placeholder_type_enum):
    """The part of a GraphDef between inputs, which become placeholders, and outputs.

    placeholder_type_enum: the inputs' dtype as a number, or a list of one for each. Errors:
    ValueError for the name of a tensor, KeyError for a node that is not there.
    """
    for name in input_node_names:
        if ":" in name:
            raise ValueError(f"Name '{name}' appears to refer to a Tensor, not an Operation.")
    types = placeholder_type_enum
    if not isinstance(types, list):
        types = [types] * len(input_node_names)
    kinds, graph_def = dict(zip(input_node_names, types)), tf.GraphDef()
    for node in input_graph_def.node:
        made = graph_def.node.add()
        if node.name not in kinds:
            made.CopyFrom(node)
            continue
        made.op, made.name = "Placeholder", node.name
        made.attr["dtype"].type = kinds.pop(node.name)
        for key in ("_output_shapes", "shape"):
            if key in node.attr:
                made.attr[key].CopyFrom(node.attr[key])
    if kinds:
        raise KeyError(f"The following input nodes were not found: {set(kinds)}.")
    return tf.graph_util.extract_sub_graph(graph_def, output_node_names)


def strip_unused_from_files(
    input_graph, input_binary, output_graph, output_binary, input_node_names, output_node_names,
    placeholder_type_enum,
):  # fmt: skip
    """As strip_unused(), of files; node names have commas between. Errors: IOError."""
    graph_def = parsed(input_graph, tf.GraphDef(), input_binary, "graph")
    inputs, outputs = input_node_names.split(","), output_node_names.split(",")
    made = strip_unused(graph_def, inputs, outputs, placeholder_type_enum)
    with tf.gfile.GFile(output_graph, "wb" if output_binary else "w") as file:
        file.write(made.SerializeToString() if output_binary else str(made))
    print(f"{len(made.node)} ops in the final graph.")
