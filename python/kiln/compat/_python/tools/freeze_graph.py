"""Makes constants of the variables of a graph: one file for a program that only computes."""

from kiln.compat import v1 as tf
from kiln.compat._python.tools._files import names, parsed
from kiln.compat.v1._io import file_io


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
    checkpoint_version=tf.train.SaverDef.V2,
):
    """The GraphDef of some nodes with constants for variables, which is also written.

    input_graph, input_meta_graph, input_saver: paths of a GraphDef, a MetaGraphDef, a SaverDef, in
    binary form where input_binary says so; input_saved_model_dir: stands for these and for
    input_checkpoint. output_node_names, initializer_nodes, variable_names_whitelist,
    variable_names_blacklist, saved_model_tags: words with commas between; initializers run before;
    the lists say which variables become constants. output_graph: the path to be written, or empty.
    restore_op_name, filename_tensor_name: are not used. Errors: IOError, ValueError.
    """
    graph_def = meta_graph_def = saver_def = None
    if input_saved_model_dir:
        graph_def = _saved_meta_graph(input_saved_model_dir, saved_model_tags).graph_def
    elif input_graph:
        graph_def = parsed(input_graph, tf.GraphDef(), input_binary, "graph")
    if input_meta_graph:
        meta_graph_def = parsed(input_meta_graph, tf.MetaGraphDef(), input_binary, "meta graph")
    if input_saver:
        saver_def = parsed(input_saver, tf.train.SaverDef(), input_binary, "saver")
    return freeze_graph_with_def_protos(
        graph_def, saver_def, input_checkpoint, output_node_names, restore_op_name,
        filename_tensor_name, output_graph, clear_devices, initializer_nodes,
        variable_names_whitelist, variable_names_blacklist, meta_graph_def, input_saved_model_dir,
        names(saved_model_tags) or [], checkpoint_version,
    )  # fmt: skip


def _saved_meta_graph(folder, tags):
    with tf.Graph().as_default(), tf.Session() as session:
        return tf.saved_model.loader.load(session, names(tags) or [], folder)


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
    checkpoint_version=tf.train.SaverDef.V2,
):
    """As freeze_graph(), of messages; saved_model_tags is a list. Nodes are added to the default graph.

    Errors: ValueError.
    """
    if not input_saved_model_dir and not tf.train.checkpoint_exists(input_checkpoint):
        raise ValueError(f"Input checkpoint '{input_checkpoint}' doesn't exist!")
    if not output_node_names:
        raise ValueError("You need to supply the name of a node to --output_node_names.")
    graph_def = input_meta_graph_def.graph_def if input_meta_graph_def else input_graph_def
    if clear_devices and graph_def:
        for node in graph_def.node:
            node.device = ""
    if input_graph_def and not input_saved_model_dir:
        tf.import_graph_def(input_graph_def, name="")
    with tf.Session() as session:
        if input_saved_model_dir:
            tf.saved_model.loader.load(session, saved_model_tags or [], input_saved_model_dir)
        else:
            saver = _saver(
                session.graph, input_saver_def, input_meta_graph_def, input_checkpoint, checkpoint_version
            )
            saver.restore(session, input_checkpoint)
            if initializer_nodes and not input_saver_def:
                session.run(names(initializer_nodes))
        frozen = tf.graph_util.convert_variables_to_constants(
            session,
            graph_def,
            names(output_node_names),
            names(variable_names_whitelist),
            names(variable_names_blacklist),
        )
    if output_graph:
        file_io.atomic_write_string_to_file(output_graph, frozen.SerializeToString(deterministic=True))
    return frozen


def _saver(graph, saver_def, meta_graph_def, checkpoint, version):
    """A Saver as it is given, or of the variables of the checkpoint that the graph has."""
    if saver_def:
        return tf.train.Saver(saver_def=saver_def, write_version=version)
    if meta_graph_def:
        return tf.train.import_meta_graph(meta_graph_def, clear_devices=True)
    found = {}
    for name in tf.train.NewCheckpointReader(checkpoint).get_variable_to_shape_map():
        try:
            found[name] = graph.get_tensor_by_name(f"{name}:0")
        except KeyError:
            continue  # a slot of an optimizer, which the graph does not need
    is_variable = [op.type.startswith("Variable") or op.type == "VarHandleOp" for op in graph.get_operations()]
    if not any(is_variable):
        raise ValueError(
            "No variables were found in this model. It is likely the model was frozen previously. You "
            "cannot freeze a graph twice."
        )
    return tf.train.Saver(var_list=found, write_version=version)
