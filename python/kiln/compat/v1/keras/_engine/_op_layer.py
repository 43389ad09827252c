"""Operations of the graph between layers, as layers of their own."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras._engine import _history
from kiln.compat.v1.keras._engine._layer import Layer


class OpLayer(Layer):
    """Adds an operation once more, with other inputs.

    What comes from no layer, as constants and variables, is taken as it is.
    """

    def __init__(self, operation, **kwargs):
        super().__init__(name=f"tf_op_layer_{operation.name}", **kwargs)
        self._operation, self.built = operation, True

    def call(self, inputs):
        given = iter(tf.nest.flatten(inputs))
        operation = self._operation
        tensors = [next(given) if _history.is_keras(each) else each for each in operation.inputs]
        made = tf.get_default_graph().create_op(
            operation.type,
            tensors,
            [output.dtype for output in operation.outputs],
            name=operation.name.rsplit("/", 1)[-1],
            attrs={
                name: value
                for name, value in operation.node_def.attr.items()
                if not name.startswith("_")
            },
        )
        return made.outputs[0] if len(made.outputs) == 1 else list(made.outputs)

    def _name_scope(self):
        return self.name.replace("/", "_")

    def get_config(self):
        raise NotImplementedError(
            f"the operation {self._operation.name} stands between layers, and a model with it has "
            "no configuration; put it into a Lambda layer"
        )


def add_op_layers(outputs):
    """Gives the operations between outputs and layers' results a history.

    Errors: ValueError for outputs that no layer is behind.
    """
    derived = {}
    for tensor in outputs:
        if not _history.is_keras(tensor):
            if not _follows(tensor, derived):
                raise ValueError(
                    "Output tensors to a Model must be the output of a TensorFlow `Layer` "
                    f"(thus holding past layer metadata). Found: {tensor}"
                )
            _add(tensor, derived)


def _follows(tensor, derived):
    """Whether a tensor is computed from one that a layer gave."""
    stack = [(tensor, False)]
    while stack:
        each, is_left = stack.pop()
        if is_left:
            derived[each] = any(derived.get(source, False) for source in each.op.inputs)
        elif each not in derived:
            if _history.is_keras(each):
                derived[each] = True
            else:
                derived[each] = False  # cycles of loops end here
                stack.append((each, True))
                stack.extend((source, False) for source in each.op.inputs)
    return derived[tensor]


def _add(tensor, derived):
    """Makes layers of a tensor's operation and those before it."""
    stack = [tensor]
    while stack:
        each = stack[-1]
        if _history.is_keras(each):
            stack.pop()
            continue
        sources = [source for source in each.op.inputs if _follows(source, derived)]
        missing = [source for source in sources if not _history.is_keras(source)]
        if missing:
            stack.extend(missing)
            continue
        outputs = list(each.op.outputs)
        for output in outputs:
            output._keras_mask = None
        _history.Node(
            OpLayer(each.op),
            sources[0] if len(sources) == 1 else sources,
            outputs[0] if len(outputs) == 1 else outputs,
        )
