"""Structures of tensors, flat and back: what the functions of loops and branches take and give.

Besides the lists, tuples and dicts of tf.nest, SparseTensors and IndexedSlices are
taken apart into their tensors, and TensorArrays stand as their flows.
"""

from kiln._kiln import front as _c
from kiln.compat.v1._sparse import IndexedSlices, SparseTensor
from kiln.compat.v1._util import nest


def _parts(leaf):
    """The tensors of a leaf, and what makes a leaf of others; None where it is one itself."""
    from kiln.compat.v1._tensor_array import TensorArray

    if isinstance(leaf, TensorArray):
        return [leaf.flow], lambda parts: leaf._with_flow(parts[0])
    if isinstance(leaf, SparseTensor):
        return [leaf.indices, leaf.values, leaf.dense_shape], lambda parts: SparseTensor(*parts)
    if isinstance(leaf, IndexedSlices):
        parts = [leaf.values, leaf.indices]
        if leaf.dense_shape is not None:
            parts.append(leaf.dense_shape)
        return parts, lambda parts: IndexedSlices(*parts)
    return None


class Structure:
    """How tensors are arranged.

    tensors: those of the structure that it was made of, in order.
    """

    def __init__(self, structure):
        self._structure = structure
        self._makers = []
        self.tensors = []
        for leaf in nest.flatten(structure):
            parts = _parts(leaf)
            tensors, make = ([leaf], None) if parts is None else parts
            self._makers.append((len(tensors), make))
            self.tensors.extend(tensors)

    def pack(self, tensors):
        """Other tensors in the same arrangement."""
        leaves, at = [], 0
        for count, make in self._makers:
            leaves.append(tensors[at] if make is None else make(tensors[at : at + count]))
            at += count
        return nest.pack_sequence_as(self._structure, leaves)

    def check(self, other, first=None):
        """Errors: TypeError, ValueError where another structure is not arranged like this one."""
        other = other._structure if isinstance(other, Structure) else other
        nest.assert_same_structure(self._structure if first is None else first, other)

    def __len__(self):
        return len(self.tensors)
