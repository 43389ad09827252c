"""What model.summary() prints."""

from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras._engine._tracking import without_doubles


def print_summary(model, line_length=None, positions=None, print_fn=None):
    """A table of the layers: names, shapes of outputs, numbers of weights, connections."""
    print_fn = print_fn or print
    is_line = _is_line(model)
    heads = ["Layer (type)", "Output Shape", "Param #"]
    if is_line:
        line_length, positions = line_length or 65, positions or [0.45, 0.85, 1.0]
    else:
        line_length, positions = line_length or 98, positions or [0.33, 0.55, 0.67, 1.0]
        heads.append("Connected to")
    if positions[-1] <= 1:
        positions = [int(line_length * position) for position in positions]

    def row(fields):
        line = ""
        for i, (field, end) in enumerate(zip(fields, positions)):
            line = (line[:-1] + " " if i else "") + str(field)
            line = line[:end].ljust(end)
        print_fn(line)

    print_fn(f'Model: "{model.name}"')
    print_fn("_" * line_length)
    row(heads)
    print_fn("=" * line_length)
    layers = model.layers
    nodes = set() if is_line else set(model._graph.nodes)
    for i, layer in enumerate(layers):
        first, *others = [""] if is_line else _sources(layer, nodes) or [""]
        fields = [f"{layer.name} ({type(layer).__name__})", _shape(layer), layer.count_params()]
        row(fields if is_line else [*fields, first])
        for source in others:
            row(["", "", "", source])
        print_fn(("=" if i == len(layers) - 1 else "_") * line_length)
    trainable = sum(map(K.count_params, _trainable(model)))
    fixed = sum(map(K.count_params, without_doubles(model.non_trainable_weights)))
    print_fn(f"Total params: {trainable + fixed:,}")
    print_fn(f"Trainable params: {trainable:,}")
    print_fn(f"Non-trainable params: {fixed:,}")
    print_fn("_" * line_length)


def _trainable(model):
    collected = getattr(model, "_collected_trainable_weights", None)
    return without_doubles(model.trainable_weights if collected is None else collected)


def _shape(layer):
    try:
        return layer.output_shape
    except (AttributeError, RuntimeError):
        return "multiple"


def _sources(layer, nodes):
    """What a layer is connected to in the model."""
    found = []
    for node in layer._inbound_nodes:
        if node in nodes:
            for tensor in node.flat_inputs():
                source, index, place = tensor._keras_history
                found.append(f"{source.name}[{index}][{place}]")
    return found


def _is_line(model):
    """Whether each layer follows the one before."""
    from kiln.compat.v1.keras._engine._sequential import Sequential

    if isinstance(model, Sequential) or model._graph is None:
        return True
    nodes, layers = set(model._graph.nodes), model._graph.layers
    if any(len(node.flat_inputs()) > 1 for node in nodes):
        return False
    if any(sum(node in nodes for node in layer._inbound_nodes) > 1 for layer in layers):
        return False
    sources = [tensor._keras_history.layer for node in nodes for tensor in node.flat_inputs()]
    return len(sources) == len(set(sources)) and len(model.inputs) == 1
