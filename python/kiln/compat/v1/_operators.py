"""Python's operators on tensors and variables."""

from kiln._kiln import front as _c


def _binary(name):
    """The operator and the reflected one."""
    reflected_method = f"__r{name}__"

    def operator(self, other):
        try:
            return _c.binary_operator(name, self, other, False)
        except (TypeError, ValueError):
            # The other operand may know what to do: a sparse tensor, a user's class.
            if _knows(other, reflected_method):
                return NotImplemented
            raise

    def reflected(self, other):
        return _c.binary_operator(name, other, self, True)

    return operator, reflected


def _knows(other, method):
    plain = isinstance(other, (int, float, complex, str, bytes, list, tuple, _c.Tensor, _c.Variable))
    return not plain and type(other).__module__ != "numpy" and hasattr(type(other), method)


def _comparison(op):
    def operator(self, other):
        return _c.comparison(op, self, other)

    return operator


class TensorOperators:
    """Each operator adds what TensorFlow's adds, under its name: "add", "mul", "strided_slice"."""

    __add__, __radd__ = _binary("add")
    __sub__, __rsub__ = _binary("sub")
    __mul__, __rmul__ = _binary("mul")
    __truediv__, __rtruediv__ = _binary("truediv")
    __floordiv__, __rfloordiv__ = _binary("floordiv")
    __mod__, __rmod__ = _binary("mod")
    __pow__, __rpow__ = _binary("pow")
    __matmul__, __rmatmul__ = _binary("matmul")
    __and__, __rand__ = _binary("and")
    __or__, __ror__ = _binary("or")
    __xor__, __rxor__ = _binary("xor")
    __lt__ = _comparison("Less")
    __le__ = _comparison("LessEqual")
    __gt__ = _comparison("Greater")
    __ge__ = _comparison("GreaterEqual")
    __eq__ = object.__eq__
    __ne__ = object.__ne__
    __hash__ = object.__hash__
    # Python 2's division, which some programs call by name.
    __div__, __rdiv__ = _binary("div")

    def __neg__(self):
        return _c.unary_operator("Neg", self)

    def __abs__(self):
        return _c.abs(self)

    def __invert__(self):
        return _c.unary_operator("LogicalNot", self)

    def __getitem__(self, index):
        if isinstance(index, (_c.Tensor, _c.Variable)) and index.dtype.base_dtype.is_bool:
            return _c.boolean_mask(self, index)
        return _c.sliced(self, index)
