"""Element types: tf.float32, tf.DType, tf.as_dtype. Source: tf.dtypes."""

import numpy as np

from kiln._kiln import front as _c

_NAMES = {
    1: "float32", 2: "float64", 3: "int32", 4: "uint8", 5: "int16", 6: "int8", 7: "string",
    8: "complex64", 9: "int64", 10: "bool", 11: "qint8", 12: "quint8", 13: "qint32",
    14: "bfloat16", 15: "qint16", 16: "quint16", 17: "uint16", 18: "complex128", 19: "float16",
    20: "resource", 21: "variant", 22: "uint32", 23: "uint64",
}  # fmt: skip
_ENUM_NAMES = {1: "DT_FLOAT", 2: "DT_DOUBLE", 19: "DT_HALF"}
_REF = 100
# What a structured array has one of for each quantized type.
_QUANTIZED = {11: np.int8, 12: np.uint8, 13: np.int32, 15: np.int16, 16: np.uint16}
_PLAIN = {
    1: np.float32, 2: np.float64, 3: np.int32, 4: np.uint8, 5: np.int16, 6: np.int8,
    7: np.object_, 8: np.complex64, 9: np.int64, 10: np.bool_, 17: np.uint16,
    18: np.complex128, 19: np.float16, 20: np.object_, 22: np.uint32, 23: np.uint64,
}  # fmt: skip


class DType(_c.DType):
    """The type of a tensor's elements, or of a reference to a variable of them.

    DType(number): one of types_pb2.DataType. Source: tf.DType.
    """

    def __init__(self, type_enum):
        type_enum = int(type_enum)
        if type_enum % _REF not in _NAMES or type_enum // _REF > 1:
            raise TypeError(
                f"type_enum is not a valid types_pb2.DataType: {type_enum}"
            )
        super().__init__(type_enum % _REF, type_enum >= _REF)
        self._type_enum = type_enum
        suffix = "_ref" if type_enum >= _REF else ""
        self._name = _NAMES[type_enum % _REF] + suffix

    @property
    def name(self):
        return self._name

    @property
    def as_datatype_enum(self):
        return self._type_enum

    @property
    def base_dtype(self):
        """The type without the reference."""
        return _BY_NUMBER[self._number]

    @property
    def _as_ref(self):
        return _BY_NUMBER[self._number + _REF]

    @property
    def real_dtype(self):
        """The type of a complex number's parts; the type itself for others."""
        parts = {complex64: float32, complex128: float64}
        return parts.get(self.base_dtype, self)

    @property
    def as_numpy_dtype(self):
        """NumPy's type, as a class."""
        number = self._number
        if number in _PLAIN:
            return _PLAIN[number]
        if number in _QUANTIZED:
            return np.dtype([(_NAMES[number], _QUANTIZED[number])])
        if number == 14:
            import ml_dtypes

            return ml_dtypes.bfloat16
        return None

    @property
    def is_numpy_compatible(self):
        return self._number not in (20, 21)

    @property
    def is_bool(self):
        return self._number == 10

    @property
    def is_integer(self):
        return self._number in (3, 4, 5, 6, 9, 17, 22, 23)

    @property
    def is_floating(self):
        return self._number in (1, 2, 14, 19)

    @property
    def is_complex(self):
        return self._number in (8, 18)

    @property
    def is_quantized(self):
        return self._number in _QUANTIZED

    @property
    def is_unsigned(self):
        return self._number in (4, 17, 22, 23)

    @property
    def min(self):
        return self._limit("min")

    @property
    def max(self):
        return self._limit("max")

    def _limit(self, which):
        if self.is_quantized or self.base_dtype in (bool, string, complex64, complex128):
            raise TypeError(f"Cannot find {which}imum value of {self!r}.")
        if self.base_dtype == bool:
            return which == "max"
        kind = self.as_numpy_dtype
        if self._number == 14:
            import ml_dtypes

            return float(getattr(ml_dtypes.finfo(kind), which))
        info = np.finfo(kind) if self.is_floating else np.iinfo(kind)
        return getattr(info, which)

    @property
    def limits(self, clip_negative=True):
        low, high = dtype_range[self.as_numpy_dtype]
        return (0 if clip_negative else low), high

    @property
    def size(self):
        """Bytes of an element; 1 for strings and handles, as in TensorFlow."""
        if self._number in (7, 20, 21):
            return 1
        return np.dtype(self.as_numpy_dtype).itemsize

    def is_compatible_with(self, other):
        """Whether a tensor of the other type may be passed for this one."""
        other = as_dtype(other)
        return self._type_enum in (
            other.as_datatype_enum,
            other.base_dtype.as_datatype_enum,
        )

    def __eq__(self, other):
        if other is None:
            return False
        if type(other) is DType:
            return self._type_enum == other._type_enum
        try:
            return self._type_enum == as_dtype(other)._type_enum
        except TypeError:
            return False

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return self._type_enum

    def __int__(self):
        return self._type_enum

    def __str__(self):
        return f"<dtype: {self._name!r}>"

    def __repr__(self):
        return "tf." + self._name

    def __reduce__(self):
        return as_dtype, (self._name,)


_BY_NUMBER = {}
for _number in _NAMES:
    for _offset in (0, _REF):
        _dtype = DType(_number + _offset)
        _BY_NUMBER[_number + _offset] = _dtype
        _c.set_dtype(_dtype)

float32, float64, float16 = _BY_NUMBER[1], _BY_NUMBER[2], _BY_NUMBER[19]
half, double = float16, float64
bfloat16 = _BY_NUMBER[14]
int8, int16, int32, int64 = _BY_NUMBER[6], _BY_NUMBER[5], _BY_NUMBER[3], _BY_NUMBER[9]
uint8, uint16, uint32, uint64 = _BY_NUMBER[4], _BY_NUMBER[17], _BY_NUMBER[22], _BY_NUMBER[23]
bool = _BY_NUMBER[10]  # noqa: A001, TensorFlow's name
string = _BY_NUMBER[7]
complex64, complex128 = _BY_NUMBER[8], _BY_NUMBER[18]
qint8, quint8, qint16 = _BY_NUMBER[11], _BY_NUMBER[12], _BY_NUMBER[15]
quint16, qint32 = _BY_NUMBER[16], _BY_NUMBER[13]
resource, variant = _BY_NUMBER[20], _BY_NUMBER[21]
QUANTIZED_DTYPES = frozenset(
    dtype for dtype in _BY_NUMBER.values() if dtype.is_quantized
)

# What images of each type range over.
dtype_range = {
    np.bool_: (False, True),
    np.uint8: (0, 255),
    np.uint16: (0, 65535),
    np.int8: (-128, 127),
    np.int16: (-32768, 32767),
    np.int64: (-(2**63), 2**63 - 1),
    np.uint64: (0, 2**64 - 1),
    np.int32: (-(2**31), 2**31 - 1),
    np.uint32: (0, 2**32 - 1),
    np.float32: (-1, 1),
    np.float64: (-1, 1),
}

_BY_NAME = {dtype.name: dtype for dtype in _BY_NUMBER.values()}
for _other_name, _dtype in (("half", float16), ("float", float32), ("double", float64)):
    _BY_NAME[_other_name], _BY_NAME[_other_name + "_ref"] = _dtype, _dtype._as_ref
# As in TensorFlow, int and str mean none.
_BY_PYTHON_TYPE = {float: float32, type(True): bool, object: string}


def as_dtype(type_value):
    """The DType that a name, a number, a NumPy type or a Python type means.

    Errors: TypeError. Source: tf.as_dtype.
    """
    if isinstance(type_value, DType):
        return type_value
    try:
        if isinstance(type_value, str):
            return _BY_NAME[type_value]
        if isinstance(type_value, (int, np.integer)):
            return _BY_NUMBER[type_value]
        if type_value in _BY_PYTHON_TYPE:
            return _BY_PYTHON_TYPE[type_value]
        if isinstance(type_value, np.dtype) or issubclass(type_value, np.generic):
            return _from_numpy(type_value)
        raise TypeError
    except (KeyError, TypeError):
        message = f"Cannot convert value {type_value!r} to a TensorFlow DType."
        raise TypeError(message) from None


def _from_numpy(type_value):
    dtype = np.dtype(type_value)
    if dtype.kind in "SUO":
        return string
    if dtype.names and len(dtype.names) == 1:
        return _BY_NAME[dtype.names[0]]
    return _BY_NAME[dtype.name]


_c.set_classes(as_dtype=as_dtype)


def __getattr__(name):
    # Functions that change dtypes, which stand above this module.
    places = {"as_string": "_string_ops", "cast": "_elementwise_ops", "saturate_cast": "_elementwise_ops"}
    if name not in places:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"kiln.compat.v1.{places[name]}"), name)
