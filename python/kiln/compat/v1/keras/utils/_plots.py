"""Models drawn as graphs, by pydot and graphviz."""

import os
import sys

_MISSING = (
    "Failed to import pydot. You must install pydot and graphviz for `pydotprint` to work."
)


def _pydot():
    """The module that draws, or None."""
    for name in ("pydot_ng", "pydotplus", "pydot"):
        try:
            module = __import__(name)
            module.Dot.create(module.Dot())
            return module
        except Exception:  # graphviz may be missing, too
            continue
    return None


def model_to_dot(
    model,
    show_shapes=False,
    show_layer_names=True,
    rankdir="TB",
    expand_nested=False,
    dpi=96,
    subgraph=False,
):
    """A pydot.Dot of a model, or a pydot.Cluster for a subgraph.

    expand_nested: whether models inside are shown. Errors: ImportError without pydot and graphviz.
    Source: tf.keras.utils.model_to_dot.
    """
    pydot = _pydot()
    if pydot is None:
        if "IPython.core.magics.namespace" in sys.modules:
            print(_MISSING)
            return None
        raise ImportError(_MISSING)
    if subgraph:
        dot = pydot.Cluster(style="dashed", graph_name=model.name)
        dot.set("label", model.name)
        dot.set("labeljust", "l")
    else:
        dot = pydot.Dot()
        dot.set("rankdir", rankdir)
        dot.set("concentrate", True)
        dot.set("dpi", dpi)
        dot.set_node_defaults(shape="record")
    if not model._is_graph_network:
        dot.add_node(pydot.Node(str(id(model)), label=model.name))
        return dot
    ends = {}  # the names of the first and last node of each layer
    for layer in model._graph.layers:
        if expand_nested and getattr(layer, "_is_graph_network", False):
            inner = model_to_dot(
                layer, show_shapes, show_layer_names, rankdir, expand_nested, subgraph=True
            )
            nodes = inner.get_nodes()
            ends[layer] = nodes[0].get_name(), nodes[-1].get_name()
            dot.add_subgraph(inner)
        else:
            label = _label(layer, show_shapes, show_layer_names)
            dot.add_node(pydot.Node(str(id(layer)), label=label))
            ends[layer] = str(id(layer)), str(id(layer))
    for node in model._graph.nodes:
        for source in node.inbound_layers:
            edge = ends[source][1], ends[node.outbound_layer][0]
            if not dot.get_edge(*edge):
                dot.add_edge(pydot.Edge(*edge))
    return dot


def _label(layer, show_shapes, show_layer_names):
    name, kind = layer.name, type(layer).__name__
    inner = getattr(layer, "layer", None)
    if inner is not None:
        name, kind = f"{name}({inner.name})", f"{kind}({type(inner).__name__})"
    label = f"{name}: {kind}" if show_layer_names else kind
    if not show_shapes:
        return label

    def shape(of):
        try:
            return str(getattr(layer, of)).replace("None", "?")
        except (AttributeError, RuntimeError):
            return "multiple"

    return f"{label}\n|{{input:|output:}}|{{{{{shape('input_shape')}}}|{{{shape('output_shape')}}}}}"


def plot_model(
    model,
    to_file="model.png",
    show_shapes=False,
    show_layer_names=True,
    rankdir="TB",
    expand_nested=False,
    dpi=96,
):
    """Draws a model in a file; in a notebook gives the image, too.

    Errors: ImportError without pydot and graphviz. Source: tf.keras.utils.plot_model.
    """
    dot = model_to_dot(model, show_shapes, show_layer_names, rankdir, expand_nested, dpi)
    if dot is None:
        return None
    extension = os.path.splitext(to_file)[1][1:] or "png"
    dot.write(to_file, format=extension)
    if extension != "pdf":
        try:
            from IPython import display
        except ImportError:
            return None
        return display.Image(filename=to_file)
    return None
