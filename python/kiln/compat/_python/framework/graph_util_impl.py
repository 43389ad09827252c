"""Walks over a GraphDef."""

import collections


def _node_name(name):
    """The node of "name", "name:1" or "^name"."""
    return name.lstrip("^").partition(":")[0]


def _extract_graph_summary(graph_def):
    """Three dicts by name of the node: the nodes that it takes, the node itself, its place in
    the graph.
    """
    inputs, nodes, places = {}, {}, {}
    for place, node in enumerate(graph_def.node):
        name = _node_name(node.name)
        nodes[name] = node
        inputs[name] = [_node_name(source) for source in node.input]
        if "_class" in node.attr:  # what it is colocated with
            inputs[name] += [
                text.decode()[len("loc:@") :]
                for text in node.attr["_class"].list.s
                if text.startswith(b"loc:@")
            ]
        places[name] = place
    return inputs, nodes, places


def _bfs_for_reachable_nodes(target_nodes, name_to_input_name):
    """The names of all nodes that the targets need, and theirs."""
    found, waiting = set(), collections.deque(target_nodes)
    while waiting:
        name = waiting.popleft()
        if name not in found:
            found.add(name)
            waiting.extend(name_to_input_name.get(name, ()))
    return found
