"""Element types by TensorFlow's numbers (DataType), with the NumPy types and the fields of
TensorProto that hold them.

A dtype may come as a tf.DType, a number of DataType, a name of TensorFlow's or a NumPy type; a
reference type counts as what it refers to.
"""

import numbers

import numpy as np

STRING, BOOL = 7, 10
QUANTIZED = {
    11: ("qint8", np.int8),
    12: ("quint8", np.uint8),
    13: ("qint32", np.int32),
    15: ("qint16", np.int16),
    16: ("quint16", np.uint16),
}
# Those of ml_dtypes.
EXTENDED = {
    14: "bfloat16",
    24: "float8_e5m2",
    25: "float8_e4m3fn",
    26: "float8_e4m3fnuz",
    27: "float8_e4m3b11fnuz",
    28: "float8_e5m2fnuz",
    29: "int4",
    30: "uint4",
    31: "int2",
    32: "uint2",
    33: "float4_e2m1fn",
}
NUMPY = {
    1: "float32",
    2: "float64",
    3: "int32",
    4: "uint8",
    5: "int16",
    6: "int8",
    8: "complex64",
    9: "int64",
    10: "bool",
    17: "uint16",
    18: "complex128",
    19: "float16",
    22: "uint32",
    23: "uint64",
}
OTHER = {0: "invalid", STRING: "string", 20: "resource", 21: "variant"}
NAMES = {**NUMPY, **EXTENDED, **OTHER, **{number: name for number, (name, _) in QUANTIZED.items()}}
NUMBERS = {name: number for number, name in NAMES.items()}
REFERENCE = 100  # added to a type's number for the type of references to it

INTEGERS = frozenset({3, 4, 5, 6, 9, 17, 22, 23, 29, 30, 31, 32})
FLOATS = frozenset({1, 2, 14, 19, 24, 25, 26, 27, 28, 33})
COMPLEX = frozenset({8, 18})

# The field of TensorProto for the elements of a type, and the NumPy type as which they lie in it.
FIELDS = {
    1: ("float_val", "float32"),
    2: ("double_val", "float64"),
    STRING: ("string_val", object),
    8: ("scomplex_val", "float32"),
    18: ("dcomplex_val", "float64"),
    9: ("int64_val", "int64"),
    BOOL: ("bool_val", "bool"),
    14: ("half_val", "uint16"),
    19: ("half_val", "uint16"),
    22: ("uint32_val", "uint32"),
    23: ("uint64_val", "uint64"),
    **dict.fromkeys((3, 4, 5, 6, 17, 11, 12, 13, 15, 16, 29, 30, 31, 32), ("int_val", "int32")),
    **dict.fromkeys((24, 25, 26, 27, 28, 33), ("float8_val", "uint8")),
}
# What is written as its bytes where there is more than one element.
AS_BYTES = frozenset(FIELDS) - {STRING, BOOL, 8, 17, 18, 29, 30, 31, 32, 33}


def number_of(dtype):
    """The number of a dtype in DataType, below 100. **Errors**: TypeError for what is none."""
    number = getattr(dtype, "as_datatype_enum", dtype)
    if isinstance(number, numbers.Integral) and not isinstance(number, (bool, np.generic)):
        number = int(number)
        if number % REFERENCE in NAMES and 0 <= number < 2 * REFERENCE:
            return number % REFERENCE
    elif isinstance(dtype, str) and dtype.removesuffix("_ref") in NUMBERS:
        return NUMBERS[dtype.removesuffix("_ref")]
    elif dtype is float:
        return NUMBERS["float32"]
    elif dtype is int:
        return NUMBERS["int32"]
    elif dtype is not None:
        number = _number_of_numpy(dtype)
        if number is not None:
            return number
    raise TypeError(f"Cannot convert the argument `type_value`: {dtype!r} to a TensorFlow DType.")


def _number_of_numpy(dtype):
    try:
        dtype = np.dtype(dtype)
    except TypeError:
        return None
    if dtype.kind in "OSU":
        return STRING
    if dtype.names is not None:
        return next((number for number in QUANTIZED if numpy_type(number) == dtype), None)
    return NUMBERS.get(dtype.name)


def numpy_type(number):
    """The NumPy type of the elements, or None for handles and variants."""
    if number in NUMPY:
        return np.dtype(NUMPY[number])
    if number == STRING:
        return np.dtype(object)
    if number in QUANTIZED:
        return np.dtype([QUANTIZED[number]])
    if number in EXTENDED:
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, EXTENDED[number]))
    return None
