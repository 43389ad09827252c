"""Shapes as graphs know them: tf.TensorShape, tf.Dimension."""

from kiln._kiln import front as _c
from kiln.compat.v1._dimension import (
    Dimension,
    as_dimension as as_dimension,
    dimension_at_index as dimension_at_index,
    dimension_value as dimension_value,
)


def _extent(dim):
    """The int or None of what may stand in a shape."""
    if dim is None or type(dim) is int and dim >= 0:
        return dim
    return Dimension(dim)._value


class TensorShape:
    """The extents of a tensor, as far as they are known before a run.

    TensorShape(None): not even the rank is known. Otherwise an iterable of
    extents, None for unknown ones, or one extent alone. Source: tf.TensorShape.
    """

    __slots__ = ("_dims",)

    def __init__(self, dims):
        if type(dims) is tuple or isinstance(dims, (list, tuple)):
            self._dims = tuple(_extent(dim) for dim in dims)
        elif dims is None:
            self._dims = None
        elif isinstance(dims, TensorShape):
            self._dims = dims._dims
        elif type(dims).__name__ == "TensorShapeProto":
            self._dims = (
                None
                if dims.unknown_rank
                else tuple(None if dim.size == -1 else dim.size for dim in dims.dim)
            )
        else:
            try:
                self._dims = tuple(_extent(dim) for dim in dims)
            except TypeError:
                self._dims = (_extent(dims),)

    @property
    def dims(self):
        """A list of Dimensions, or None."""
        return None if self._dims is None else [Dimension(dim) for dim in self._dims]

    @property
    def ndims(self):
        return None if self._dims is None else len(self._dims)

    rank = ndims

    def __len__(self):
        if self._dims is None:
            raise ValueError("Cannot take the length of shape with unknown rank.")
        return len(self._dims)

    def __bool__(self):
        return self._dims is not None

    def __iter__(self):
        if self._dims is None:
            raise ValueError("Cannot iterate over a shape with unknown rank.")
        return iter([Dimension(dim) for dim in self._dims])

    def __getitem__(self, key):
        if self._dims is not None:
            found = self._dims[key]
            return TensorShape(found) if isinstance(key, slice) else Dimension(found)
        if not isinstance(key, slice):
            return Dimension(None)
        start = key.start if key.start is not None else 0
        stop = key.stop
        if key.step is not None:
            raise ValueError("Steps are not yet handled")
        if stop is None or stop < 0 or start < 0:
            return TensorShape(None)
        return TensorShape([None] * max(stop - start, 0))

    def as_list(self):
        """A list of ints and None. Errors: ValueError where the rank is not known."""
        if self._dims is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self._dims)

    def as_proto(self):
        """A TensorShapeProto."""
        from kiln.compat.v1 import _messages

        proto = _messages.TensorShapeProto
        if self._dims is None:
            return proto(unknown_rank=True)
        made = proto()
        for dim in self._dims:
            made.dim.add(size=-1 if dim is None else dim)
        return made

    def num_elements(self):
        """The product of the extents; None where one is not known."""
        if self._dims is None or None in self._dims:
            return None
        product = 1
        for dim in self._dims:
            product *= dim
        return product

    def is_fully_defined(self):
        return self._dims is not None and None not in self._dims

    def assert_is_fully_defined(self):
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def is_compatible_with(self, other):
        """Whether a tensor could have both shapes."""
        other = as_shape(other)
        if self._dims is None or other._dims is None:
            return True
        return len(self._dims) == len(other._dims) and all(
            a is None or b is None or a == b for a, b in zip(self._dims, other._dims)
        )

    def assert_is_compatible_with(self, other):
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are incompatible")

    def most_specific_compatible_shape(self, other):
        """What holds for both: extents that differ become unknown."""
        other = as_shape(other)
        if self._dims is None or other._dims is None or len(self._dims) != len(other._dims):
            return unknown_shape()
        return TensorShape([a if a == b else None for a, b in zip(self._dims, other._dims)])

    def merge_with(self, other):
        """What is known of both. Errors: ValueError where they contradict."""
        other = as_shape(other)
        if self._dims is None:
            return other
        if other._dims is None:
            return self
        try:
            self.assert_same_rank(other)
            return TensorShape(
                [Dimension(a).merge_with(b) for a, b in zip(self._dims, other._dims)]
            )
        except ValueError:
            raise ValueError(f"Shapes {self} and {other} are not compatible") from None

    def concatenate(self, other):
        other = as_shape(other)
        if self._dims is None or other._dims is None:
            return unknown_shape()
        return TensorShape(self._dims + other._dims)

    def __add__(self, other):
        return self.concatenate(other)

    def __radd__(self, other):
        return as_shape(other).concatenate(self)

    def assert_same_rank(self, other):
        other = as_shape(other)
        if self._dims is not None and other._dims is not None:
            if len(self._dims) != len(other._dims):
                raise ValueError(f"Shapes {self} and {other} must have the same rank")

    def assert_has_rank(self, rank):
        if self.ndims not in (None, rank):
            raise ValueError(f"Shape {self} must have rank {rank}")

    def with_rank(self, rank):
        """This shape, with the rank. Errors: ValueError where it has another."""
        try:
            return self.merge_with(unknown_shape(ndims=rank))
        except ValueError:
            raise ValueError(f"Shape {self} must have rank {rank}") from None

    def with_rank_at_least(self, rank):
        if self.ndims is not None and self.ndims < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank):
        if self.ndims is not None and self.ndims > rank:
            raise ValueError(f"Shape {self} must have rank at most {rank}")
        return self

    def __eq__(self, other):
        try:
            other = as_shape(other)
        except (TypeError, ValueError):
            return NotImplemented
        return self._dims == other._dims

    def __ne__(self, other):
        """Errors: ValueError where one of the shapes is not fully known."""
        other = as_shape(other)
        if self._dims is None or other._dims is None:
            raise ValueError("The inequality of unknown TensorShapes is undefined.")
        return self._dims != other._dims

    def __hash__(self):
        return hash(self._dims)

    def __str__(self):
        if self._dims is None:
            return "<unknown>"
        dims = ", ".join("?" if dim is None else str(dim) for dim in self._dims)
        return f"({dims},)" if len(self._dims) == 1 else f"({dims})"

    def __repr__(self):
        dims = None if self._dims is None else [Dimension(dim) for dim in self._dims]
        return f"TensorShape({dims!r})"

    def __reduce__(self):
        return TensorShape, (self._dims,)


def as_shape(shape):
    return shape if isinstance(shape, TensorShape) else TensorShape(shape)


def unknown_shape(ndims=None):
    return TensorShape(None if ndims is None else [None] * ndims)


def scalar():
    return TensorShape(())


def vector(length):
    return TensorShape([length])


def matrix(rows, columns):
    return TensorShape([rows, columns])


def _from_tuple(dims):
    """For C++, whose extents need no look."""
    shape = TensorShape.__new__(TensorShape)
    shape._dims = dims
    return shape


def _to_tuple(shape):
    """For C++: from any form of a shape."""
    if isinstance(shape, TensorShape):
        return shape._dims
    if type(shape) is tuple and all(type(dim) is int for dim in shape):
        # -1 stands for an unknown extent, as in TensorFlow's attributes.
        return tuple(None if dim == -1 else _extent(dim) for dim in shape)
    if isinstance(shape, (list, tuple)):
        return tuple(None if dim is not None and dim == -1 else _extent(dim) for dim in shape)
    return TensorShape(shape)._dims


_c.set_classes(shape=_from_tuple, shape_class=TensorShape, as_shape=_to_tuple)
