"""Parts of graphs as MetaGraphDef messages: what stands below a scope, with the names of what it takes from outside."""

import re

from kiln._kiln import front as _c
from kiln.compat.v1 import _messages, dtypes
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1._keys import GraphKeys
from kiln.compat.v1.train import _meta_graph

_UNBOUND = "$unbound_inputs_"


def _prefix(scope):
    return scope.rstrip("/") + "/" if scope else ""


def _unscoped(name, prefix):
    """A name, "^name" or "loc:@name" without the scope that it begins with."""
    mark, rest = re.match(r"(\^|loc:@|)(.*)", name, re.DOTALL).groups()
    return mark + rest.removeprefix(prefix)


def part_of(graph_def, export_scope, excluded, clear_devices):
    """A GraphDef of the nodes below a scope that are not excluded, and the names of its inputs from outside.

    What nodes wait for outside has such a name, too, but no import can put something in its place, as in TensorFlow.
    """
    prefix, unbound = _prefix(export_scope), []
    part = _messages.GraphDef(versions=graph_def.versions, library=graph_def.library)
    for node in graph_def.node:
        if not node.name.startswith(prefix) or node.name in excluded:
            continue
        made = part.node.add()
        made.CopyFrom(node)
        made.name = _unscoped(node.name, prefix)
        for i, name in enumerate(node.input):
            if name.lstrip("^").startswith(prefix):
                made.input[i] = _unscoped(name, prefix)
            else:
                made.input[i] = re.sub(r"^(\^?)", lambda found: found[1] + _UNBOUND, name)
                if not name.startswith("^"):
                    unbound.append(made.input[i])
        if prefix and "_class" in node.attr:
            places = [place.decode() for place in node.attr["_class"].list.s]
            inside = [place for place in places if place.partition("@")[2].startswith(prefix)]
            made.attr["_class"].list.s[:] = [_unscoped(place, prefix).encode() for place in inside]
        if clear_devices:
            made.device = ""
    return part, unbound


def _variables_below(graph, scope):
    prefix = _prefix(scope)
    found = graph.get_collection(GraphKeys.GLOBAL_VARIABLES, scope=prefix)
    return {_unscoped(variable.name, prefix): variable for variable in found}


def export_scoped_meta_graph(
    filename=None,
    graph_def=None,
    graph=None,
    export_scope=None,
    as_text=False,
    unbound_inputs_col_name="unbound_inputs",
    clear_devices=False,
    saver_def=None,
    clear_extraneous_savers=False,
    strip_default_attrs=False,
    save_debug_info=False,
    **kwargs,
):
    """A MetaGraphDef of what stands below a scope, and a dict of its variables by their names there.

    unbound_inputs_col_name: the collection with the names of inputs from outside, which imports have to map. Others:
    as those of tf.train.export_meta_graph. Source: meta_graph.export_scoped_meta_graph; save_debug_info does nothing.
    """
    graph = graph or get_default_graph()
    if export_scope or clear_devices or clear_extraneous_savers:
        whole = graph_def or graph.as_graph_def(add_shapes=True)
        excluded = _meta_graph.nodes_of_other_savers(whole, saver_def) if clear_extraneous_savers else ()
        graph_def, unbound = part_of(whole, export_scope, excluded, clear_devices)
        if unbound_inputs_col_name:
            graph.clear_collection(unbound_inputs_col_name)
            for name in unbound:
                graph.add_to_collection(unbound_inputs_col_name, name)
    meta_graph_def = _meta_graph.meta_graph_def_of(
        graph,
        graph_def=graph_def,
        saver_def=saver_def,
        export_scope=export_scope,
        clear_extraneous_savers=clear_extraneous_savers,
        strip_default_attrs=strip_default_attrs,
        unbound_inputs=unbound_inputs_col_name,
        **kwargs,
    )
    if filename:
        _meta_graph.write_message(meta_graph_def, filename, as_text)
    return meta_graph_def, _variables_below(graph, export_scope)


def _bind(meta_graph_def, unbound, input_map):
    """Makes what stands for tensors from outside placeholders, which C++ puts those of input_map in place of."""
    nodes = meta_graph_def.graph_def.node
    placeholders = {name: name for name in unbound if name.lstrip("^") in {node.name for node in nodes}}
    for name in unbound:
        if name not in placeholders:
            placeholders[name] = "^" * name.startswith("^") + f"unbound_inputs/{len(placeholders)}"
            dtype = getattr(input_map[name], "dtype", dtypes.float32).base_dtype
            made = nodes.add(name=placeholders[name].lstrip("^"), op="Placeholder")
            made.attr["dtype"].type = dtype.as_datatype_enum
    for node in nodes:
        for i, name in enumerate(node.input):
            node.input[i] = placeholders.get(name, name)
    if placeholders:
        names = [name.encode() for name in placeholders.values()]
        meta_graph_def.collection_def["unbound_inputs"].bytes_list.value.extend(names)
    return {placeholders.get(name, name): tensor for name, tensor in input_map.items()}


def import_scoped_meta_graph_with_return_elements(
    meta_graph_or_file,
    clear_devices=False,
    graph=None,
    import_scope=None,
    input_map=None,
    unbound_inputs_col_name="unbound_inputs",
    restore_collections_predicate=lambda key: True,
    return_elements=None,
):
    """Adds a MetaGraphDef's nodes and collections to a graph; gives its variables by name, and elements.

    restore_collections_predicate: of a collection's name, whether it is restored. return_elements: names of operations
    and tensors in the message. Errors: ValueError where inputs from outside are not those of input_map. Source:
    meta_graph.import_scoped_meta_graph_with_return_elements.
    """
    meta_graph_def = _messages.MetaGraphDef()
    meta_graph_def.CopyFrom(_meta_graph.message_of(meta_graph_or_file))
    collections, input_map = meta_graph_def.collection_def, dict(input_map or {})
    unbound = []
    if unbound_inputs_col_name and unbound_inputs_col_name in collections:
        unbound = [name.decode() for name in collections[unbound_inputs_col_name].bytes_list.value]
        if sorted(set(unbound)) != sorted(input_map):
            missing = ",".join(name for name in unbound if name not in input_map)
            raise ValueError(
                f"Graph contains unbound inputs: {missing}. Must provide these inputs through input_map."
            )
    for key in list(collections):
        if key == unbound_inputs_col_name or not restore_collections_predicate(key):
            del collections[key]
    nodes = {node.name for node in meta_graph_def.graph_def.node}
    for name in return_elements or ():
        if name.partition(":")[0] not in nodes:
            raise ValueError(f"Requested return_element '{name}' not found in graph_def.")
    bound = _bind(meta_graph_def, unbound, input_map)
    graph = graph or get_default_graph()
    with graph.as_default():
        scope = _c.import_meta_graph(meta_graph_def.SerializeToString(), import_scope, clear_devices, bound)
    elements = None
    if return_elements is not None:
        elements = [input_map.get(name) or graph.as_graph_element(scope + name) for name in return_elements]
    return _variables_below(graph, scope), elements


def import_scoped_meta_graph(
    meta_graph_or_file,
    clear_devices=False,
    graph=None,
    import_scope=None,
    input_map=None,
    unbound_inputs_col_name="unbound_inputs",
    restore_collections_predicate=lambda key: True,
):
    """Adds a MetaGraphDef's nodes and collections to a graph; gives its variables by their names in the message.

    As import_scoped_meta_graph_with_return_elements. Source: meta_graph.import_scoped_meta_graph.
    """
    return import_scoped_meta_graph_with_return_elements(
        meta_graph_or_file,
        clear_devices,
        graph,
        import_scope,
        input_map,
        unbound_inputs_col_name,
        restore_collections_predicate,
    )[0]


def copy_scoped_meta_graph(from_scope, to_scope, from_graph=None, to_graph=None):
    """Copies what stands below one scope to another; gives the copies of its variables by name.

    Errors: ValueError for the same scope of the same graph. Source: meta_graph.copy_scoped_meta_graph.
    """
    from_graph, to_graph = from_graph or get_default_graph(), to_graph or get_default_graph()
    if from_graph is to_graph and from_scope == to_scope:
        raise ValueError(
            "'from_scope' and 'to_scope' need to be different when performing copy in the same graph."
        )
    meta_graph_def, _ = export_scoped_meta_graph(export_scope=from_scope, graph=from_graph)
    return import_scoped_meta_graph(meta_graph_def, graph=to_graph, import_scope=to_scope)
