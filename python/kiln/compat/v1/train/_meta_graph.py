"""Graphs with their collections and a saver, as MetaGraphDef messages and files."""

import os

from kiln._kiln import front as _c
from kiln.compat.v1 import _messages, logging
from kiln.compat.v1._graph import Graph, get_default_graph


def export_meta_graph(
    filename=None,
    meta_info_def=None,
    graph_def=None,
    saver_def=None,
    collection_list=None,
    as_text=False,
    graph=None,
    export_scope=None,
    clear_devices=False,
    clear_extraneous_savers=False,
    strip_default_attrs=False,
    save_debug_info=False,
    **kwargs,
):
    """A MetaGraphDef of a graph, the current one where it is None; writes it to a file where one is named.

    collection_list: the collections that go along, all where it is None. export_scope: only what stands below it,
    under names without it. clear_extraneous_savers: other savers' nodes are left out. strip_default_attrs: attributes
    that have their default are left out. Errors: ValueError, TypeError. Source: tf.train.export_meta_graph.
    """
    from kiln.compat.v1.train import _scoped_meta_graphs

    return _scoped_meta_graphs.export_scoped_meta_graph(
        filename,
        graph_def,
        graph,
        export_scope,
        as_text,
        "unbound_inputs",
        clear_devices,
        saver_def,
        clear_extraneous_savers,
        strip_default_attrs,
        save_debug_info,
        meta_info_def=meta_info_def,
        collection_list=collection_list,
        **kwargs,
    )[0]


def meta_graph_def_of(
    graph,
    meta_info_def=None,
    graph_def=None,
    saver_def=None,
    collection_list=None,
    export_scope=None,
    clear_extraneous_savers=False,
    strip_default_attrs=False,
    unbound_inputs="unbound_inputs",
):
    """A MetaGraphDef with collections of a graph, and the graph itself or a GraphDef of a part of it.

    unbound_inputs: the collection that names what the part takes from outside, which no scope has. Errors: TypeError for arguments that are none.
    """
    if not isinstance(graph, Graph):
        raise TypeError(f"graph must be of type Graph not {type(graph)}")
    saver = None
    if saver_def is not None:
        if type(saver_def).__name__ != "SaverDef":
            raise TypeError("saver_def must be a SaverDef proto.")
        from kiln.compat.v1.train._saver import _FIELDS

        saver = [getattr(saver_def, field) for field in _FIELDS]
    keys = None if collection_list is None else [str(key) for key in collection_list]
    with graph.as_default():
        data = _c.export_meta_graph(saver, keys, False, strip_default_attrs, export_scope, False)
    meta_graph_def = _messages.MetaGraphDef.FromString(data)
    if graph_def is not None:
        meta_graph_def.collection_def.pop("unbound_inputs", None)  # of C++'s copy of the scope
        if unbound_inputs and (keys is None or unbound_inputs in keys):
            for name in graph.get_collection(unbound_inputs):
                meta_graph_def.collection_def[unbound_inputs].bytes_list.value.append(name.encode())
        meta_graph_def.graph_def.CopyFrom(graph_def)
        _keep_ops(meta_graph_def, strip_default_attrs)
    if meta_info_def is not None:
        meta_graph_def.meta_info_def.MergeFrom(meta_info_def)
    if clear_extraneous_savers and "savers" in meta_graph_def.collection_def:
        del meta_graph_def.collection_def["savers"]
        if saver_def is not None:
            meta_graph_def.collection_def["savers"].bytes_list.value.append(saver_def.SerializeToString())
    return meta_graph_def


def _keep_ops(meta_graph_def, strip_default_attrs):
    """Leaves the ops of the nodes alone in the list of ops; takes attributes away that have their default."""
    graph_def, op_list = meta_graph_def.graph_def, meta_graph_def.meta_info_def.stripped_op_list
    nodes = [*graph_def.node, *(node for function in graph_def.library.function for node in function.node_def)]
    used = {node.op for node in nodes}
    kept = {op.name: op for op in op_list.op if op.name in used}
    rest = [type(op).FromString(op.SerializeToString()) for op in kept.values()]
    del op_list.op[:]
    op_list.op.extend(rest)
    if not strip_default_attrs:
        return
    defaults = {op.name: [attr for attr in op.attr if attr.HasField("default_value")] for op in rest}
    for node in nodes:
        for attr in defaults.get(node.op, ()):
            if attr.name in node.attr and node.attr[attr.name] == attr.default_value:
                del node.attr[attr.name]


def create_meta_graph_def(
    meta_info_def=None,
    graph_def=None,
    saver_def=None,
    collection_list=None,
    graph=None,
    export_scope=None,
    exclude_nodes=None,
    clear_extraneous_savers=False,
    strip_default_attrs=False,
):
    """A MetaGraphDef of a graph, or of a GraphDef of it, with those of its collections that are named.

    Errors: TypeError. Source: framework.meta_graph.create_meta_graph_def; exclude_nodes is not looked at.
    """
    if graph and not isinstance(graph, Graph):
        raise TypeError(f"graph must be of type Graph. Received type: {type(graph)}.")
    return meta_graph_def_of(
        graph or get_default_graph(),
        meta_info_def,
        graph_def,
        saver_def,
        None if collection_list is None else list(collection_list),
        export_scope,
        clear_extraneous_savers,
        strip_default_attrs,
    )


def write_message(message, path, as_text):
    """Writes a message in one step. Gives the path."""
    from kiln.compat.v1._io import file_io

    if os.path.dirname(path):
        file_io.recursive_create_dir(os.path.dirname(path))
    if as_text:
        from google.protobuf import text_format

        contents = text_format.MessageToString(message)
    else:
        contents = message.SerializeToString(deterministic=True)
    file_io.atomic_write_string_to_file(path, contents)
    return path


def nodes_of_other_savers(graph_def, saver_def):
    """The names of the nodes in scopes of savers, but for this one's."""
    kept = None if saver_def is None else saver_def.restore_op_name.rpartition("/")[0]
    scopes = {node.name.rpartition("/")[0] for node in graph_def.node if node.op in _SAVE_AND_RESTORE}
    scopes = tuple(scope + "/" for scope in scopes - {kept, ""})
    return {node.name for node in graph_def.node if scopes and node.name.startswith(scopes)}


_SAVE_AND_RESTORE = ("SaveV2", "Save", "SaveSlice", "RestoreV2", "Restore", "RestoreSlice")


def message_of(meta_graph_or_file):
    """The message, or what a file of that name has."""
    if type(meta_graph_or_file).__name__ == "MetaGraphDef":
        return meta_graph_or_file
    return read_meta_graph_file(os.fspath(meta_graph_or_file))


def read_meta_graph_file(filename):
    """A MetaGraphDef of a file, in binary form or as text. Errors: IOError. Source: meta_graph.read_meta_graph_file."""
    meta_graph_def = _messages.MetaGraphDef()
    if not os.path.exists(filename):
        raise OSError(f"File {filename} does not exist.")
    from google.protobuf import message, text_format

    with open(filename, "rb") as file:
        contents = file.read()
    try:
        meta_graph_def.ParseFromString(contents)
        return meta_graph_def
    except message.DecodeError:
        pass
    try:
        text_format.Merge(contents.decode("utf-8"), meta_graph_def)
    except (text_format.ParseError, UnicodeDecodeError) as error:
        raise OSError(f"Cannot parse file {filename}: {error}.") from None
    return meta_graph_def


def import_meta_graph(meta_graph_or_file, clear_devices=False, import_scope=None, **kwargs):
    """Adds a MetaGraphDef's nodes and collections to the current graph, and gives its saver.

    meta_graph_or_file: a message, or the name of a file. import_scope: stands before all names, without it the
    current name scope. input_map=: tensors in place of those of the message, by their names there. Gives None
    where there is no saver and nothing to save. Errors: IOError. Source: tf.train.import_meta_graph.
    """
    return import_with_return_elements(meta_graph_or_file, clear_devices, import_scope, **kwargs)[0]


def import_with_return_elements(
    meta_graph_or_file, clear_devices=False, import_scope=None, return_elements=None, **kwargs
):
    """As import_meta_graph(), with a list of the tensors and operations of names in the message; None for None.

    Errors: ValueError for a name that the message does not have. Source: tf's
    saver._import_meta_graph_with_return_elements.
    """
    from kiln.compat.v1.train import _saver, _scoped_meta_graphs

    meta_graph_def = message_of(meta_graph_or_file)
    variables, elements = _scoped_meta_graphs.import_scoped_meta_graph_with_return_elements(
        meta_graph_def, clear_devices, import_scope=import_scope, return_elements=return_elements, **kwargs
    )
    saver = None
    if meta_graph_def.HasField("saver_def"):
        saver_def, scope = _messages.SaverDef(), import_scope
        saver_def.CopyFrom(meta_graph_def.saver_def)
        for name, variable in variables.items():
            scope = variable.name.removesuffix(name).rstrip("/")
            break
        saver = _saver.Saver(saver_def=saver_def, name=scope)
    elif _saver._all_saveable_objects(scope=import_scope):
        saver = _saver.Saver()
    else:
        logging.info("Saver not created because there are no variables in the graph to restore")
    return saver, elements
