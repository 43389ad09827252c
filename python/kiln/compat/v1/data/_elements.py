"""What elements are made of: tensors in tuples and dicts, whose dtypes and shapes are known before a run."""

from kiln._generated import raw_ops
from kiln._kiln import front as _c
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1._elements import Tensor
from kiln.compat.v1._sparse import SparseTensor, SparseTensorValue
from kiln.compat.v1._util import nest
from kiln.compat.v1.dtypes import as_dtype, variant
from kiln.compat.v1.shapes import TensorShape


def tensors_of(value, name=None):
    """The same structure with a tensor, a SparseTensor or a dataset in each place: lists are values, as
    NumPy takes them.

    Errors: those of convert_to_tensor().
    """
    if isinstance(value, dict):
        return type(value)((key, tensors_of(value[key], name)) for key in value)
    if isinstance(value, SparseTensorValue):
        return SparseTensor.from_value(value)
    if isinstance(value, tuple):
        parts = [tensors_of(each, name) for each in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, (_c.Tensor, SparseTensor)) or _is_dataset(value):
        return value
    return convert_to_tensor(value, name=name)


def flatten(value, serialize=raw_ops.serialize_sparse):
    """The tensors of a structure that tensors_of() gave: of a dataset the one that stands for it, of a
    SparseTensor one of the three variants that it is made of."""
    return [_flat(each, serialize) for each in nest.flatten(value)]


def flatten_rows(value):
    """The same of whose rows a dataset is made."""
    return flatten(value, raw_ops.serialize_many_sparse)


def _flat(value, serialize):
    if isinstance(value, SparseTensor):
        return serialize(value.indices, value.values, value.dense_shape, out_type=variant)
    return value._variant if _is_dataset(value) else value


def _is_dataset(value):
    return hasattr(value, "_variant")


class SparsePart:
    """What is known of a place with a SparseTensor. rows: how many dimensions of batches lie before the
    three variants of each."""

    def __init__(self, dtype, shape, rows=0):
        self.dtype, self.shape, self.rows = dtype, shape, rows

    @property
    def flat_shape(self):
        return TensorShape([None] * self.rows + [3])

    def with_shape(self, shape):
        if shape.dims is None or self.shape.dims is None:
            return SparsePart(self.dtype, shape, self.rows)
        return SparsePart(self.dtype, shape, self.rows + shape.ndims - self.shape.ndims)

    def tensor(self, flat):
        """The SparseTensor of its variants."""
        parts = raw_ops.deserialize_sparse(flat, self.dtype)
        rank = self.shape.ndims
        indices, values, dense_shape = parts
        indices.set_shape([None, rank])
        dense_shape.set_shape([rank])
        return SparseTensor(indices, values, dense_shape)


class Spec:
    """The structure of an element, with a dtype and a shape in each place."""

    def __init__(self, types, shapes, nested=None):
        """types, shapes: flat lists; see of_structures() and of_tensors(). nested: for places that are
        datasets of what elements, a SparsePart for SparseTensors, None for tensors."""
        self.structure, self.types, self.shapes = None, types, shapes
        self.nested = nested or [None] * len(types)

    @staticmethod
    def of_tensors(value, rows=0):
        """rows: 1 of tensors whose rows are elements, as flatten_rows() gives SparseTensors."""
        parts = [_part_of(each, rows) for each in nest.flatten(value)]
        spec = Spec(*([part[i] for part in parts] for i in range(3)))
        spec.structure = nest.pack_sequence_as(value, list(range(len(parts))))
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
    def of_structures(types, shapes=None, classes=None):
        """types: a structure of dtypes; shapes: one of shapes, or None where nothing is known; classes: one of
        tf.Tensor and tf.SparseTensor, or None for tensors alone."""
        flat = [as_dtype(each) for each in nest.flatten(types)]
        structure = nest.pack_sequence_as(types, list(range(len(flat))))
        if shapes is None:
            known = [TensorShape(None)] * len(flat)
        else:
            known = [TensorShape(each) for each in nest.flatten_up_to(types, shapes)]
        spec = Spec(flat, known)
        spec.structure = structure
        for i, kind in enumerate([] if classes is None else nest.flatten_up_to(types, classes)):
            if kind is SparseTensor:
                spec.nested[i] = SparsePart(flat[i], known[i])
                spec.types[i], spec.shapes[i] = variant, spec.nested[i].flat_shape
        return spec

    def dense_shapes(self):
        """Those of tensors, and of what SparseTensors stand for."""
        return [part.shape if isinstance(part, SparsePart) else shape for part, shape in zip(self.nested, self.shapes)]

    def has_sparse(self):
        return any(isinstance(part, SparsePart) for part in self.nested)

    def with_shapes(self, change):
        """The same with other shapes, which a function makes of dense_shapes()."""
        shapes = [change(shape) for shape in self.dense_shapes()]
        nested = [part.with_shape(shape) if isinstance(part, SparsePart) else part for part, shape in zip(self.nested, shapes)]
        flat = [part.flat_shape if isinstance(part, SparsePart) else shape for part, shape in zip(nested, shapes)]
        spec = Spec(self.types, flat, nested)
        spec.structure = self.structure
        return spec

    def pack(self, flat):
        return nest.pack_sequence_as(self.structure, list(flat))

    def element(self, tensors):
        """What tensors are an element: datasets and SparseTensors where they stand for some."""
        return self.pack(_whole(each, part) for each, part in zip(tensors, self.nested))

    def attributes(self):
        """output_types and output_shapes of a node."""
        return {"output_types": self.types, "output_shapes": self.shapes}

    @property
    def output_types(self):
        return self.pack(part.dtype if isinstance(part, SparsePart) else each for each, part in zip(self.types, self.nested))

    @property
    def output_classes(self):
        return self.pack(SparseTensor if isinstance(part, SparsePart) else Tensor for part in self.nested)

    output_shapes = property(lambda self: self.pack(self.dense_shapes()))


def _part_of(value, rows):
    """(dtype, shape, what Spec.nested says) of a place."""
    if isinstance(value, SparseTensor):
        part = SparsePart(value.dtype, value.get_shape(), rows)
        return variant, part.flat_shape, part
    if _is_dataset(value):
        return value._variant.dtype, value._variant.shape, value._spec
    return value.dtype.base_dtype, value.shape, None


def _whole(tensor, part):
    from kiln.compat.v1.data._datasets import Dataset

    if part is None:
        return tensor
    return part.tensor(tensor) if isinstance(part, SparsePart) else Dataset._of(tensor, part)


def get_output_types(dataset_or_iterator):
    """The dtypes of an element, in its structure. Source: tf.data.get_output_types."""
    return dataset_or_iterator._spec.output_types


def get_output_shapes(dataset_or_iterator):
    """The shapes of an element, in its structure. Source: tf.data.get_output_shapes."""
    return dataset_or_iterator._spec.output_shapes


def get_output_classes(dataset_or_iterator):
    """The classes of an element's parts, in its structure. Source: tf.data.get_output_classes."""
    return dataset_or_iterator._spec.output_classes
