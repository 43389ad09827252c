"""Arrays as TensorProto messages, and back: tf.make_tensor_proto, tf.make_ndarray."""

from array import array
import math
import numbers

import numpy as np

from kiln.compat.v1 import _messages, _tensor_types as types

__all__ = ["make_ndarray", "make_tensor_proto"]

MAX_BYTES = 1 << 31


def make_tensor_proto(values, dtype=None, shape=None, verify_shape=False, allow_broadcast=False):
    """Returns a TensorProto with the elements of a value: a number, a text, an array, or nested
    lists of these.

    Without a dtype, Python's floats are float32 and its integers int32 where they fit; arrays and
    NumPy's numbers keep theirs. Numbers of which there are several are written as their bytes
    (`tensor_content`), all else one by one.

    **Shapes**: that of the value, or `shape`. Where that has more elements, the last one stands
    for the rest; with `verify_shape` the shapes must be equal, with `allow_broadcast` the value
    has one element or as many as `shape`. **Errors**: ValueError for None, ragged lists and too
    many elements, TypeError for elements that the dtype does not hold and for shapes that
    differ. **Source**: tf.make_tensor_proto, tf.contrib.util.make_tensor_proto.
    """
    if isinstance(values, _messages.TensorProto):
        return values
    wanted = None if dtype is None else types.number_of(dtype)
    found, number = _array_of(values, wanted, shape)
    shape = found.shape if shape is None else tuple(int(extent) for extent in shape)
    count = math.prod(shape)
    _check_count(found, shape, count, verify_shape, allow_broadcast)
    proto = _messages.TensorProto(dtype=number)
    proto.tensor_shape.SetInParent()
    for extent in shape:
        proto.tensor_shape.dim.add(size=extent)
    if count > 1 and found.size == count and number in types.AS_BYTES:
        if found.nbytes >= MAX_BYTES:
            raise ValueError("Cannot create a tensor proto whose content is larger than 2GB.")
        proto.tensor_content = found.tobytes()
    elif number == types.STRING:
        proto.string_val.extend(_bytes_of(found, values))
    else:
        _append(proto, number, found)
    return proto


def make_ndarray(tensor):
    """Returns the array that a TensorProto describes; texts are an array of bytes objects.

    **Errors**: TypeError for resources, variants and types that are not known.
    **Source**: tf.make_ndarray, tf.contrib.util.make_ndarray.
    """
    shape = [dim.size for dim in tensor.tensor_shape.dim]
    number = tensor.dtype % types.REFERENCE
    if number not in types.FIELDS:
        raise TypeError(f"Unsupported tensor type: {tensor.dtype}.")
    dtype = types.numpy_type(number)
    field, stored = types.FIELDS[number]
    if tensor.tensor_content:
        return np.frombuffer(tensor.tensor_content, dtype=dtype).copy().reshape(shape)
    if number == types.STRING:
        elements = np.empty(len(tensor.string_val), dtype=object)
        elements[:] = tensor.string_val
    elif field == "float8_val":
        elements = np.frombuffer(tensor.float8_val, dtype=dtype)
    else:
        elements = np.array(getattr(tensor, field), dtype=stored)
        if field == "int_val" and number not in types.QUANTIZED:
            elements = elements.astype(dtype)
        elif field == "int_val":
            elements = elements.astype(dtype[0]).view(dtype)
        else:
            elements = elements.view(dtype)
    return _fill(elements, math.prod(shape), dtype).reshape(shape)


def _fill(elements, count, dtype):
    """As many elements as the shape has: the last one that is there stands for the rest."""
    if elements.size == count:
        return elements if elements.flags.writeable else elements.copy()
    if elements.size == 0:
        return np.full(count, b"", dtype) if dtype == object else np.zeros(count, dtype)
    filled = np.empty(count, dtype)
    filled[: elements.size] = elements
    filled[elements.size :] = elements[-1]
    return filled


def _array_of(values, wanted, shape):
    """The value as an array, and the number of its type."""
    numpy_wanted = None if wanted is None else types.numpy_type(wanted)
    if isinstance(values, (np.ndarray, np.generic)):
        found = np.asarray(values)
        if numpy_wanted is not None:
            found = _cast(found, wanted, numpy_wanted)
    elif callable(getattr(values, "__array__", None)) or isinstance(
        values, (array, bytearray, memoryview)
    ):
        found = np.asarray(values, dtype=numpy_wanted)
    elif values is None:
        raise ValueError("None values not supported.")
    elif shape is not None and math.prod(int(extent) for extent in shape) == 0:
        found = _narrow(np.empty([int(extent) for extent in shape], dtype=numpy_wanted), wanted)
    else:
        found = _array_of_lists(values, wanted, numpy_wanted)
    number = types.number_of(found.dtype)
    if number == wanted or wanted is None:
        return found, number
    raise TypeError(
        f"`dtype` <dtype: '{types.NAMES[wanted]}'> is not compatible with {values!r} of dtype "
        f"{types.NAMES[number]}."
    )


def _cast(found, number, dtype):
    if number in types.QUANTIZED and found.dtype != dtype:
        return np.array(found, dtype=dtype[0], order="C").view(dtype)
    return found.astype(dtype)


def _array_of_lists(values, wanted, dtype):
    if not _is_plain(values, wanted):
        _check_elements(values, wanted)
    found = _as_type(values, dtype)
    if wanted not in types.QUANTIZED and list(found.shape) != _extents_of(values):
        raise ValueError(
            f"Expected values {values} to be a dense tensor with shape {_extents_of(values)}, but "
            f"got shape {list(found.shape)}."
        )
    if found.dtype.kind == "O" and wanted is None or found.dtype.kind in "US":
        # NumPy writes numbers among texts as texts: each element is looked at again.
        if not all(isinstance(leaf, (str, bytes)) for leaf in _leaves(values)):
            raise _no_tensor(values)
        found = np.array(values, dtype=object)
    return _narrow(found, wanted)


def _as_type(values, dtype):
    """Integers that the type does not hold wrap around, floats become infinite."""
    with np.errstate(over="ignore"):
        try:
            return np.array(values, dtype=dtype)
        except OverflowError:
            return np.array(values).astype(dtype)


def _narrow(found, wanted):
    """Python's numbers in TensorFlow's usual types."""
    if wanted is None and found.dtype == np.float64:
        return found.astype(np.float32)
    if wanted is None and found.dtype == np.int64:
        small = found.astype(np.int32)
        return small if np.array_equal(small, found) else found
    return found


def _extents_of(values):
    extents = []
    while isinstance(values, (list, tuple)):
        extents.append(len(values))
        if not values:
            break
        values = values[0]
    return extents


def _leaves(values):
    if isinstance(values, (list, tuple)):
        for value in values:
            yield from _leaves(value)
    else:
        yield values


def _is_plain(values, wanted):
    """Whether NumPy alone finds that all elements are numbers which the type takes: faster for
    long lists.
    """
    if wanted in types.QUANTIZED or wanted == types.STRING:
        return False
    try:
        kind = np.array(values).dtype.kind
    except Exception:  # of whatever an element does
        return False
    return kind in (
        "b"
        if wanted == types.BOOL
        else "biu" if wanted in types.INTEGERS else "biuf" if wanted in types.FLOATS else "biufc"
    )


def _holds(number):
    """The classes of Python and NumPy whose elements a type takes; None: all."""
    if number in types.INTEGERS:
        return (numbers.Integral, _dimension())
    if number in types.FLOATS:
        return (numbers.Real, np.floating, np.integer)
    if number in types.COMPLEX:
        return (numbers.Complex, np.number)
    return {types.STRING: (str, bytes), types.BOOL: (bool, np.bool_)}.get(number)


def _dimension():
    from kiln.compat import v1

    return getattr(v1, "Dimension", int)


def _check_elements(values, wanted):
    if wanted in types.QUANTIZED:
        # An element is a tuple here, as in the structures of NumPy.
        wrong = next(
            (leaf for leaf in _quantized_leaves(values) if not isinstance(leaf, tuple)), None
        )
    elif wanted is not None:
        classes = _holds(wanted)
        wrong = next(
            (leaf for leaf in _leaves(values) if classes and not isinstance(leaf, classes)), None
        )
    elif any(_is_tensor(leaf) for leaf in _leaves(values)):
        raise TypeError("Expected any non-tensor type, but got a tensor instead.")
    else:
        return
    if wrong is not None:
        raise TypeError(
            f"Expected {types.NAMES[wanted]}, but got {wrong} of type '{type(wrong).__name__}'."
        )


def _quantized_leaves(values):
    if isinstance(values, list):
        for value in values:
            yield from _quantized_leaves(value)
    else:
        yield values


def _is_tensor(value):
    return hasattr(value, "graph") and hasattr(value, "op")


def _check_count(found, shape, count, verify_shape, allow_broadcast):
    differs = found.shape != shape
    if allow_broadcast:
        if found.shape not in ((), (1,)) and found.size != count:
            raise TypeError(f"Expected Tensor's shape: {shape}, but got {found.shape}.")
    elif verify_shape and differs:
        raise TypeError(f"Expected Tensor's shape: {shape}, but got {found.shape}.")
    elif found.size > count:
        raise ValueError(
            f"Too many elements provided. Takes at most {count:d}, but got {found.size:d}."
        )


def _bytes_of(found, values):
    for text in found.ravel():
        if isinstance(text, str):
            yield text.encode("utf-8")
        elif isinstance(text, bytes):
            yield text
        elif isinstance(values, np.ndarray):
            raise TypeError(f"Expected binary or unicode string, got {text!r}")
        else:
            raise _no_tensor(values)


def _no_tensor(values):
    return TypeError(
        f"Failed to convert elements of {values} to Tensor. Consider casting elements to a "
        "supported type. See "
        "https://www.tensorflow.org/api_docs/python/tf/dtypes for supported TF dtypes."
    )


def _append(proto, number, found):
    field, stored = types.FIELDS[number]
    elements = found.ravel()
    if number in types.QUANTIZED:
        elements = elements.view(elements.dtype[0])
    if field == "float8_val":
        proto.float8_val = elements.tobytes()
    else:
        as_stored = elements.astype(stored) if field == "int_val" else elements.view(stored)
        getattr(proto, field).extend(as_stored.tolist())
