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
    graph = graph or get_default_graph()
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
        data = _c.export_meta_graph(saver, keys, clear_devices, strip_default_attrs, export_scope, False)
    meta_graph_def = _messages.MetaGraphDef.FromString(data)
    if graph_def is not None:
        meta_graph_def.graph_def.CopyFrom(graph_def)
    if meta_info_def is not None:
        meta_graph_def.meta_info_def.MergeFrom(meta_info_def)
    if clear_extraneous_savers:
        _remove_other_savers(meta_graph_def, saver_def)
    if filename:
        write_message(meta_graph_def, filename, as_text)
    return meta_graph_def


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
    return export_meta_graph(
        meta_info_def=meta_info_def,
        graph_def=graph_def,
        saver_def=saver_def,
        collection_list=list(collection_list or ()),
        graph=graph,
        export_scope=export_scope,
        clear_extraneous_savers=clear_extraneous_savers,
        strip_default_attrs=strip_default_attrs,
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


def _remove_other_savers(meta_graph_def, saver_def):
    """Takes the nodes of savers out, but for this one's."""
    kept = "" if saver_def is None else saver_def.filename_tensor_name.rpartition("/")[0]
    scopes = set()
    for node in meta_graph_def.graph_def.node:
        scope, _, name = node.name.rpartition("/")
        if name == "restore_all" and scope != kept:
            scopes.add(scope + "/")
    nodes = [node for node in meta_graph_def.graph_def.node if not node.name.startswith(tuple(scopes))]
    if scopes:
        del meta_graph_def.graph_def.node[:]
        meta_graph_def.graph_def.node.extend(nodes)
    meta_graph_def.collection_def.pop("savers", None)
    if saver_def is not None:
        meta_graph_def.collection_def["savers"].bytes_list.value.append(saver_def.SerializeToString())


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
    where there is no saver and nothing to save. Errors: ValueError for names in use; IOError. Source:
    tf.train.import_meta_graph.
    """
    return import_with_return_elements(meta_graph_or_file, clear_devices, import_scope, **kwargs)[0]


def import_with_return_elements(
    meta_graph_or_file, clear_devices=False, import_scope=None, return_elements=None, **kwargs
):
    """As import_meta_graph(), with a list of the tensors and operations of names in the message; None for None.

    Errors: ValueError for a name that the message does not have. Source: tf's
    saver._import_meta_graph_with_return_elements.
    """
    meta_graph_def = meta_graph_or_file
    if type(meta_graph_def).__name__ != "MetaGraphDef":
        meta_graph_def = read_meta_graph_file(os.fspath(meta_graph_or_file))
    graph = kwargs.pop("graph", None) or get_default_graph()
    input_map = kwargs.pop("input_map", None)
    if kwargs:
        raise TypeError(f"import_meta_graph() got unexpected keyword arguments {sorted(kwargs)}")
    nodes = {node.name for node in meta_graph_def.graph_def.node} if return_elements else ()
    for name in return_elements or ():
        if name.partition(":")[0] not in nodes:
            raise ValueError(f"Requested return_element '{name}' not found in graph_def.")
    with graph.as_default():
        current = graph.get_name_scope()
        into = import_scope or (current and f"{current}/")
        scope = _c.import_meta_graph(
            meta_graph_def.SerializeToString(), into or None, clear_devices, input_map or {}
        ).rstrip("/")
        saver = _imported_saver(meta_graph_def, scope, import_scope)
    if return_elements is None:
        return saver, None
    return saver, [graph.as_graph_element(f"{scope}/{name}" if scope else name) for name in return_elements]


def _imported_saver(meta_graph_def, scope, import_scope):
    """The saver of what has been imported, or None where there is nothing to save."""
    from kiln.compat.v1.train import _saver

    if meta_graph_def.HasField("saver_def"):
        saver_def = _messages.SaverDef()
        saver_def.CopyFrom(meta_graph_def.saver_def)
        return _saver.Saver(saver_def=saver_def, name=scope)
    if _saver._all_saveable_objects(scope=import_scope):
        return _saver.Saver()
    logging.info("Saver not created because there are no variables in the graph to restore")
    return None
