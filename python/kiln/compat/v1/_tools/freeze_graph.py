"""Graphs of files whose variables become constants. Source: tensorflow.python.tools.freeze_graph."""

import os

from kiln.compat.v1 import _messages
from kiln.compat.v1._graph import Graph
from kiln.compat.v1._graph_defs import import_graph_def
from kiln.compat.v1._io import file_io
from kiln.compat.v1._session import Session
from kiln.compat.v1.graph_util import convert_variables_to_constants
from kiln.compat.v1.train import _checkpoint_management, _checkpoint_utils, _meta_graph, _saver


def _parsed(kind, path, is_binary):
    """A message of a file. Errors: ValueError where there is none."""
    if not os.path.exists(path):
        raise ValueError(f"Input {kind} file '{path}' does not exist!")
    message = getattr(_messages, kind)()
    with open(path, "rb") as file:
        contents = file.read()
    if is_binary:
        message.ParseFromString(contents)
    else:
        from google.protobuf import text_format

        text_format.Merge(contents.decode(), message)
    return message


def _split(names):
    return names.replace(" ", "").split(",") if names else None


def _saver_of_checkpoint(graph, checkpoint):
    """A saver of the graph's variables that the checkpoint has."""
    variables = {}
    for key in _checkpoint_utils.CheckpointReader(checkpoint).get_variable_to_shape_map():
        try:
            variables[key] = graph.get_tensor_by_name(f"{key}:0")
        except KeyError:
            pass  # an optimizer's
    try:
        return _saver.Saver(variables)
    except TypeError:
        if any(operation.type in ("Variable", "VariableV2", "VarHandleOp") for operation in graph.get_operations()):
            raise
        raise ValueError(
            "No variables were found in this model. It is likely the model was frozen previously. "
            "You cannot freeze a graph twice."
        ) from None


def freeze_graph_with_def_protos(
    input_graph_def,
    input_saver_def,
    input_checkpoint,
    output_node_names,
    restore_op_name,
    filename_tensor_name,
    output_graph,
    clear_devices,
    initializer_nodes,
    variable_names_whitelist="",
    variable_names_blacklist="",
    input_meta_graph_def=None,
    input_saved_model_dir=None,
    saved_model_tags=None,
    checkpoint_version=2,
):
    """The GraphDef of what the nodes need, with the values of a checkpoint or a SavedModel as constants.

    output_node_names: names with commas. output_graph: a file that it is written to, or "". restore_op_name,
    filename_tensor_name: count for nothing. Gives -1 where something is missing, after it has said what.
    """
    if not input_saved_model_dir and not _checkpoint_management.checkpoint_exists(input_checkpoint):
        print(f"Input checkpoint '{input_checkpoint}' doesn't exist!")
        return -1
    if not output_node_names:
        print("You need to supply the name of a node to --output_node_names.")
        return -1
    for graph_def in (input_graph_def, input_meta_graph_def and input_meta_graph_def.graph_def):
        if clear_devices and graph_def:
            for node in graph_def.node:
                node.device = ""
    with Graph().as_default() as graph:
        if input_graph_def:
            import_graph_def(input_graph_def, name="")
        with Session(graph=graph) as sess:
            if input_saver_def:
                _saver.Saver(saver_def=input_saver_def).restore(sess, input_checkpoint)
            elif input_meta_graph_def:
                restorer = _meta_graph.import_meta_graph(input_meta_graph_def, clear_devices=True)
                restorer.restore(sess, input_checkpoint)
                if initializer_nodes:
                    sess.run(_split(initializer_nodes))
            elif input_saved_model_dir:
                from kiln.compat.v1.saved_model import loader

                loader.load(sess, saved_model_tags or ["serve"], input_saved_model_dir)
            else:
                _saver_of_checkpoint(graph, input_checkpoint).restore(sess, input_checkpoint)
                if initializer_nodes:
                    sess.run(_split(initializer_nodes))
            source = input_meta_graph_def.graph_def if input_meta_graph_def else input_graph_def
            frozen = convert_variables_to_constants(
                sess,
                source or graph.as_graph_def(),
                _split(output_node_names),
                variable_names_whitelist=_split(variable_names_whitelist),
                variable_names_blacklist=_split(variable_names_blacklist),
            )
    if output_graph:
        file_io.atomic_write_string_to_file(output_graph, frozen.SerializeToString(deterministic=True))
    return frozen


def freeze_graph(
    input_graph,
    input_saver,
    input_binary,
    input_checkpoint,
    output_node_names,
    restore_op_name,
    filename_tensor_name,
    output_graph,
    clear_devices,
    initializer_nodes,
    variable_names_whitelist="",
    variable_names_blacklist="",
    input_meta_graph=None,
    input_saved_model_dir=None,
    saved_model_tags="serve",
    checkpoint_version=2,
):
    """The same, of files: a GraphDef, a SaverDef, or a MetaGraphDef, in binary form or as text."""
    graph_def = _parsed("GraphDef", input_graph, input_binary) if input_graph else None
    meta_graph = _parsed("MetaGraphDef", input_meta_graph, input_binary) if input_meta_graph else None
    saver_def = _parsed("SaverDef", input_saver, input_binary) if input_saver else None
    return freeze_graph_with_def_protos(
        graph_def, saver_def, input_checkpoint, output_node_names, restore_op_name, filename_tensor_name,
        output_graph, clear_devices, initializer_nodes, variable_names_whitelist, variable_names_blacklist,
        meta_graph, input_saved_model_dir, _split(saved_model_tags), checkpoint_version,
    )  # fmt: skip
