"""What model.summary() prints; the layout is that of newer versions of Keras."""

from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras._engine._tracking import without_doubles

# A field that is too long is cut behind one of these.
_BREAKS = ("),", "},", "],", "',")


def print_summary(model, line_length=None, positions=None, print_fn=None):
    """A table of the layers: names, shapes of outputs, numbers of weights, connections."""
    print_fn = print_fn or print
    is_line = _is_line(model)
    heads = ["Layer (type)", "Output Shape", "Param #"]
    if is_line:
        line_length, positions = line_length or 65, positions or [0.45, 0.85, 1.0]
    else:
        line_length, positions = line_length or 98, positions or [0.3, 0.6, 0.70, 1.0]
        heads.append("Connected to")
    if positions[-1] <= 1:
        positions = [int(line_length * position) for position in positions]

    def row(fields):
        for line in _lines([str(field) for field in fields], positions):
            print_fn(line)

    print_fn(f'Model: "{model.name}"')
    print_fn("_" * line_length)
    row(heads)
    print_fn("=" * line_length)
    nodes = set() if is_line else set(model._graph.nodes)
    for layer in model.layers:
        fields = [f"{layer.name} ({type(layer).__name__})", _shape(layer), _size(layer)]
        row(fields if is_line else [*fields, _sources(layer, nodes)])
        print_fn(" " * line_length)
    print_fn("=" * line_length)
    trained, fixed = _trainable(model), without_doubles(model.non_trainable_weights)
    for what, weights in (
        ("Total", [*trained, *fixed]),
        ("Trainable", trained),
        ("Non-trainable", fixed),
    ):
        count = sum(map(K.count_params, weights))
        print_fn(f"{what} params: {count} ({_memory(weights)})")
    print_fn("_" * line_length)


def _lines(fields, positions):
    """The lines of a row: fields between positions, the rest of long ones below."""
    last = len(positions) - 1
    while any(fields):
        line = ""
        for i, field in enumerate(fields):
            room = positions[i] - (positions[i - 1] if i else 0)
            space = 2 if i != last else 0
            room -= space + (1 if i != last else 0)
            part = field[:room]
            ends = [part.find(each) + len(each) for each in _BREAKS if part.find(each) >= 0]
            room = min(ends) if ends else room
            line = f"{line}{'' if i else ' '}{field[:room]}{' ' * space}"
            fields[i] = field[room:]
            line = line.ljust(positions[i])
        yield line


def _memory(weights):
    """How much memory weights take, in words."""
    size = float(sum(K.count_params(each) * each.dtype.base_dtype.size for each in weights))
    units = ["Byte", "KB", "MB", "GB", "TB", "PB"]
    for unit in units:
        if size < 1024 or unit == units[-1]:
            return f"{size:.2f} {unit}"
        size /= 1024


def _trainable(model):
    collected = getattr(model, "_collected_trainable_weights", None)
    return without_doubles(model.trainable_weights if collected is None else collected)


def _size(layer):
    if not layer.built and not getattr(layer, "_is_graph_network", False):
        return "0 (unused)"
    return layer.count_params()


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
    depths = model._graph.nodes_by_depth()
    if any(len(nodes) > 1 or len(nodes[0].flat_inputs()) > 1 for nodes in depths):
        return False
    nodes = {node for nodes in depths for node in nodes}
    return all(
        sum(node in nodes for node in layer._inbound_nodes) < 2 for layer in model._graph.layers
    )
