"""The calls of a layer: its inputs, its results, and what depends on them."""

from kiln._kiln import front as _c
from kiln.compat.v1._util import nest


class History:
    """What Layer.__call__ has in _calls: (inputs, outputs) of each call."""

    def get_losses_for(self, inputs):
        """The losses that depend on the inputs; for None those that depend on no input of a call."""
        return self._depending(self.losses, inputs)

    def get_updates_for(self, inputs):
        """The updates that depend on the inputs; for None those that depend on no input of a call."""
        return self._depending(self.updates, inputs)

    def _depending(self, elements, inputs):
        given = [call[0] for call in self._calls] if inputs is None else inputs
        reached = _reachable(nest.flatten(given))
        return [each for each in elements if (getattr(each, "op", each) in reached) != (inputs is None)]

    def _at(self, i, of, shape=False):
        if not self._calls:
            raise AttributeError(f"Layer {self.name} is not connected.")
        try:
            value = self._calls[i][of]
        except IndexError:
            raise ValueError(f"Asked to get call {i}, but the layer has only {len(self._calls)}.") from None
        return nest.map_structure(lambda each: each.shape, value) if shape else value

    def _of_one(self, of, shape=False):
        if len(self._calls) > 1:
            what = ("input", "output")[of] + ("_shape" if shape else "")
            raise AttributeError(
                f'Layer {self.name} has multiple inbound nodes, hence the notion of "layer {what}" is ill-defined. '
                f"Use `get_{what}_at(node_index)` instead."
            )
        return self._at(0, of, shape)

    input = property(lambda self: self._of_one(0))
    output = property(lambda self: self._of_one(1))
    input_shape = property(lambda self: self._of_one(0, True))
    output_shape = property(lambda self: self._of_one(1, True))

    def get_input_at(self, node_index):
        return self._at(node_index, 0)

    def get_output_at(self, node_index):
        return self._at(node_index, 1)

    def get_input_shape_at(self, node_index):
        return self._at(node_index, 0, True)

    def get_output_shape_at(self, node_index):
        return self._at(node_index, 1, True)


def _reachable(tensors):
    """The operations that depend on the tensors."""
    seen, todo = set(), [each for each in tensors if isinstance(each, _c.Tensor)]
    while todo:
        for operation in todo.pop().consumers():
            if operation not in seen:
                seen.add(operation)
                todo.extend(operation.outputs)
    return seen
