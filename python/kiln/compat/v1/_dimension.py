"""Extents of shapes: tf.Dimension."""

import operator


class Dimension:
    """An extent, or None for one that is not known. Source: tf.Dimension.

    Arithmetic with an unknown one is unknown, and comparisons with it are None.
    """

    __slots__ = ("_value",)

    def __init__(self, value):
        if isinstance(value, int):
            self._value = value
        elif value is None:
            self._value = None
        elif isinstance(value, Dimension):
            self._value = value._value
        else:
            try:
                self._value = operator.index(value)
            except TypeError:
                message = (
                    f"Dimension value must be integer or None or have an __index__ method, "
                    f"got value '{value!r}' with type '{type(value)!r}'"
                )
                raise TypeError(message) from None
        if self._value is not None and self._value < 0:
            raise ValueError(f"Dimension {self._value} must be >= 0")

    @property
    def value(self):
        return self._value

    def is_compatible_with(self, other):
        other = as_dimension(other)
        return self._value is None or other._value is None or self._value == other._value

    def assert_is_compatible_with(self, other):
        if not self.is_compatible_with(other):
            raise ValueError(f"Dimensions {self} and {other} are not compatible")

    def merge_with(self, other):
        """What is known of both. Errors: ValueError where they differ."""
        other = as_dimension(other)
        self.assert_is_compatible_with(other)
        return Dimension(other._value if self._value is None else self._value)

    def _with(self, other, function):
        """The function of both extents; unknown where one is."""
        other = as_dimension(other)
        if self._value is None or other._value is None:
            return Dimension(None)
        return Dimension(function(self._value, other._value))

    def _compared(self, other, function):
        try:
            other = as_dimension(other)
        except (TypeError, ValueError):
            return NotImplemented
        if self._value is None or other._value is None:
            return None
        return function(self._value, other._value)

    def __eq__(self, other):
        return self._compared(other, operator.eq)

    def __ne__(self, other):
        return self._compared(other, operator.ne)

    def __lt__(self, other):
        return self._compared(other, operator.lt)

    def __le__(self, other):
        return self._compared(other, operator.le)

    def __gt__(self, other):
        return self._compared(other, operator.gt)

    def __ge__(self, other):
        return self._compared(other, operator.ge)

    def __add__(self, other):
        return self._with(other, operator.add)

    __radd__ = __add__

    def __sub__(self, other):
        return self._with(other, operator.sub)

    def __rsub__(self, other):
        return as_dimension(other)._with(self, operator.sub)

    def __mul__(self, other):
        return self._with(other, operator.mul)

    __rmul__ = __mul__

    def __floordiv__(self, other):
        return self._with(other, operator.floordiv)

    def __rfloordiv__(self, other):
        return as_dimension(other)._with(self, operator.floordiv)

    # Python 2's division of extents.
    __div__ = __floordiv__

    def __truediv__(self, other):
        raise TypeError(
            f"unsupported operand type(s) for /: 'Dimension' and '{type(other).__name__}', "
            "please use // instead"
        )

    def __rtruediv__(self, other):
        raise TypeError(
            f"unsupported operand type(s) for /: '{type(other).__name__}' and 'Dimension', "
            "please use // instead"
        )

    def __mod__(self, other):
        return self._with(other, operator.mod)

    def __rmod__(self, other):
        return as_dimension(other)._with(self, operator.mod)

    def __hash__(self):
        return hash(self._value)

    def __int__(self):
        return self._value

    def __index__(self):
        return self._value

    def __bool__(self):
        return bool(self._value)

    def __str__(self):
        return "?" if self._value is None else str(self._value)

    def __repr__(self):
        return f"Dimension({self._value})"

    def __reduce__(self):
        return Dimension, (self._value,)


def as_dimension(value):
    """A Dimension of an int, None, or one that is there already."""
    return value if isinstance(value, Dimension) else Dimension(value)


def dimension_value(dimension):
    """The int, or None. Source: tf.compat.dimension_value."""
    return dimension.value if isinstance(dimension, Dimension) else dimension


def dimension_at_index(shape, index):
    """The Dimension at an index; unknown where the rank is. Source:
    tf.compat.dimension_at_index."""
    return Dimension(None) if shape.ndims is None else shape.dims[index]
