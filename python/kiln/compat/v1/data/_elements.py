"""What elements are made of: tensors in tuples and dicts, whose dtypes and shapes are known before a run."""

from kiln._kiln import front as _c
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1._elements import Tensor
from kiln.compat.v1._sparse import SparseTensor
from kiln.compat.v1._util import nest
from kiln.compat.v1.dtypes import as_dtype, variant
from kiln.compat.v1.shapes import TensorShape


def tensors_of(value, name=None):
    """The same structure with a tensor in each place: lists are values, as NumPy takes them.

    Errors: NotImplementedError for SparseTensors; those of convert_to_tensor().
    """
    if isinstance(value, dict):
        return type(value)((key, tensors_of(value[key], name)) for key in value)
    if isinstance(value, tuple):
        parts = [tensors_of(each, name) for each in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, SparseTensor):
        raise NotImplementedError("Kiln's datasets have no elements that are SparseTensors yet")
    if isinstance(value, _c.Tensor) or _is_dataset(value):
        return value
    return convert_to_tensor(value, name=name)


def flatten(value):
    """The tensors of a structure that tensors_of() gave; of a dataset the one that stands for it."""
    return [each._variant if _is_dataset(each) else each for each in nest.flatten(value)]


def _is_dataset(value):
    return hasattr(value, "_variant")


class Spec:
    """The structure of an element, with a dtype and a shape in each place."""

    def __init__(self, types, shapes, nested=None):
        """types, shapes: flat lists; see of_structures() and of_tensors(). nested: for places that are
        datasets of what elements, None for tensors."""
        self.structure, self.types, self.shapes = None, types, shapes
        self.nested = nested or [None] * len(types)

    @staticmethod
    def of_tensors(value):
        leaves, flat = nest.flatten(value), flatten(value)
        spec = Spec(
            [each.dtype.base_dtype for each in flat], [each.shape for each in flat],
            [each._spec if _is_dataset(each) else None for each in leaves],
        )  # fmt: skip
        spec.structure = nest.pack_sequence_as(value, list(range(len(flat))))
        return spec

    def of_datasets(self):
        """The same with a dataset of its elements in each place."""
        spec = Spec([variant] * len(self.types), [TensorShape([])] * len(self.types))
        spec.structure = self.structure
        for i, (dtype, shape) in enumerate(zip(self.types, self.shapes)):
            spec.nested[i] = Spec([dtype], [shape], [self.nested[i]])
            spec.nested[i].structure = 0
        return spec

    @staticmethod
    def of_structures(types, shapes=None):
        """types: a structure of dtypes; shapes: one of shapes, or None where nothing is known."""
        flat = [as_dtype(each) for each in nest.flatten(types)]
        structure = nest.pack_sequence_as(types, list(range(len(flat))))
        if shapes is None:
            known = [TensorShape(None)] * len(flat)
        else:
            known = [TensorShape(each) for each in nest.flatten_up_to(types, shapes)]
        spec = Spec(flat, known)
        spec.structure = structure
        return spec

    def with_shapes(self, change):
        """The same with other shapes."""
        spec = Spec(self.types, [change(shape) for shape in self.shapes], self.nested)
        spec.structure = self.structure
        return spec

    def pack(self, flat):
        return nest.pack_sequence_as(self.structure, list(flat))

    def element(self, tensors):
        """What tensors are an element: datasets where they stand for some."""
        from kiln.compat.v1.data._datasets import Dataset

        return self.pack(each if of is None else Dataset._of(each, of) for each, of in zip(tensors, self.nested))

    def attributes(self):
        """output_types and output_shapes of a node."""
        return {"output_types": self.types, "output_shapes": self.shapes}

    output_types = property(lambda self: self.pack(self.types))
    output_shapes = property(lambda self: self.pack(self.shapes))
    output_classes = property(lambda self: self.pack([Tensor] * len(self.types)))


def get_output_types(dataset_or_iterator):
    """The dtypes of an element, in its structure. Source: tf.data.get_output_types."""
    return dataset_or_iterator._spec.output_types


def get_output_shapes(dataset_or_iterator):
    """The shapes of an element, in its structure. Source: tf.data.get_output_shapes."""
    return dataset_or_iterator._spec.output_shapes


def get_output_classes(dataset_or_iterator):
    """The classes of an element's parts, in its structure. Source: tf.data.get_output_classes."""
    return dataset_or_iterator._spec.output_classes
