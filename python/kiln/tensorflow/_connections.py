"""CallableOptions.tensor_connection: tensors that take the value of others, as Keras gives a model tensors for inputs."""

from tensorflow.python.framework import dtypes, errors_impl

NOT_VALUES = (dtypes.resource, dtypes.variant)
HARMLESS = ("ReadVariableOp", "VarIsInitializedOp", "IsVariableInitialized", "ResourceGather", "ResourceGatherNd")


def _connected(graph, connection):
    """Returns the tensor whose value is given, and the name of the one that takes it."""
    names = (connection.from_tensor, connection.to_tensor)
    found = []
    for name in names:
        try:
            found.append(graph.as_graph_element(name, allow_tensor=True, allow_operation=False))
        except (KeyError, ValueError, TypeError):
            if found:
                raise errors_impl.NotFoundError(None, None, f"FeedInputs: unable to find feed output {name}") from None
            text = f'Requested tensor connection from unknown node: "{names[1]}".'
            raise errors_impl.InvalidArgumentError(None, None, text) from None
    return found[0], found[1].name


def _needed(tensors, operations, cuts):
    """Returns the operations that these need, each with the tensors by which it is; None among them: by a control edge.

    cuts: names of tensors whose value is given.
    """
    reached = {}
    edges = [(tensor.op, tensor) for tensor in tensors] + [(operation, None) for operation in operations]
    while edges:
        operation, tensor = edges.pop()
        if tensor is not None and tensor.name in cuts:
            continue
        known = operation in reached
        reached.setdefault(operation, set()).add(tensor if tensor is None else tensor.name)
        if not known:
            edges += [(source.op, source) for source in operation.inputs]
            edges += [(source, None) for source in operation.control_inputs]
    return reached


def _has_effect(operation):
    """Whether running it twice differs from running it once."""
    if operation.type in HARMLESS:
        return False
    if operation.type != "Identity" and any(tensor.dtype._is_ref_dtype for tensor in operation.inputs):
        return True
    values = [tensor for tensor in operation.outputs if not (tensor.dtype._is_ref_dtype or tensor.dtype in NOT_VALUES)]
    return operation.op_def.is_stateful and bool(values or not operation.outputs)


def steps(graph, options):
    """Returns the names of what a first run is to fetch, and of the tensors to feed with that in the second.

    The second run is the callable's. What has an effect and is needed by both runs once: its values go along.
    """
    feeds = set(options.feed)
    sources, targets = [], []
    for connection in options.tensor_connection:
        source, target = _connected(graph, connection)
        sources.append(source)
        targets.append(target)
    cuts = feeds | set(targets)
    first = _needed(sources, [], feeds)
    fetched = [graph.as_graph_element(name, allow_tensor=True, allow_operation=False) for name in options.fetch]
    run = [graph.as_graph_element(name, allow_tensor=False, allow_operation=True) for name in options.target]
    names = [source.name for source in sources]
    for target in targets:
        if any(target in needed for needed in first.values()):
            raise errors_impl.UnimplementedError(None, None, f"expected connections from tensors without '{target}', which is connected")
    for operation, needed in _needed(fetched, run, cuts).items():
        if operation in first and _has_effect(operation):
            if None in needed or any(graph.get_tensor_by_name(name).dtype._is_ref_dtype for name in needed):
                raise errors_impl.UnimplementedError(
                    operation.node_def, operation, f"expected what has an effect on one side of a connection, got '{operation.name}' on both"
                )
            names += needed - cuts
            targets += needed - cuts
            cuts |= needed
    return names, targets
