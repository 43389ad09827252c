"""Values become tensors: tf.convert_to_tensor and what programs register for it."""

import numpy as np

from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._elements import Tensor
from kiln.compat.v1.shapes import Dimension

# (priority, order of registration, types, function)
_registered = []


def register_tensor_conversion_function(base_type, conversion_func, priority=100):
    """Makes conversion_func(value, dtype, name, as_ref) convert values of a type.

    It gives a tensor, or NotImplemented. Lower priorities are asked first. Errors:
    TypeError. Source: tf.register_tensor_conversion_function.
    """
    types = base_type if isinstance(base_type, tuple) else (base_type,)
    if not all(isinstance(each, type) for each in types):
        raise TypeError("base_type must be a type or a tuple of types.")
    if not callable(conversion_func):
        raise TypeError("conversion_func must be callable.")
    if any(issubclass(each, (int, float, np.ndarray, np.generic)) for each in types):
        raise TypeError("Cannot register conversions for Python numeric types and NumPy scalars and arrays.")
    _registered.append((priority, len(_registered), types, conversion_func))
    _registered.sort(key=lambda entry: entry[:2])


def _converted(value, dtype=None, name=None, as_ref=False):
    """What C++ takes for an object that it does not know."""
    if isinstance(value, Dimension):
        if value.value is None:
            raise ValueError(f"Cannot convert an unknown Dimension to a Tensor: {value}")
        return value.value
    if isinstance(value, range):
        from kiln.compat.v1 import _math_ops

        return _math_ops.range(value.start, value.stop, value.step, dtype, name or "range")
    for _, _, types, function in _registered:
        if isinstance(value, types):
            result = function(value, dtype=dtype, name=name, as_ref=as_ref)
            if result is NotImplemented:
                continue
            if not isinstance(result, (Tensor, _c.Variable)):
                raise RuntimeError(
                    f"{_error_prefix(name)}Conversion function {function!r} for type {types} "
                    f"returned non-Tensor: {result!r}"
                )
            if dtype and not dtype.is_compatible_with(result.dtype):
                raise RuntimeError(
                    f"{_error_prefix(name)}Conversion function {function!r} for type {types} returned "
                    f"incompatible dtype: requested = {dtype.base_dtype.name}, actual = {result.dtype.name}"
                )
            return result
    dense = getattr(value, "_dense_var_to_tensor", None)
    if dense is not None:
        return dense(dtype=dtype, name=name, as_ref=as_ref)
    if hasattr(value, "__array__"):
        return np.asarray(value)
    return value


def _error_prefix(name):
    return "" if name is None else f"{name}: "


def convert_to_tensor(value, dtype=None, name=None, preferred_dtype=None, dtype_hint=None):
    """The value as a tensor: a tensor itself, anything else as a Const of this name.

    dtype: what it must have; preferred_dtype: what it becomes where it can.
    Errors: TypeError, ValueError. Source: tf.convert_to_tensor.
    """
    dtype = dtypes.as_dtype(dtype) if dtype is not None else None
    if name is None and isinstance(value, Dimension):
        name = "shape_as_tensor"
    if dtype is None and type(value) is Tensor:
        return value
    if dtype is None and not isinstance(value, (Tensor, _c.Variable)):
        value = _converted(value, None, name)
    elif not isinstance(value, (Tensor, _c.Variable)):
        value = _converted(value, dtype, name)
    return _c.convert(value, dtype, preferred_dtype or dtype_hint, name or "")


internal_convert_to_tensor = convert_to_tensor


def convert_to_tensor_or_sparse_tensor(value, dtype=None, name=None):
    """As convert_to_tensor(), but sparse tensors stay. Source: tf.convert_to_tensor_or_sparse_tensor."""
    from kiln.compat.v1._sparse import SparseTensor, SparseTensorValue

    if dtype is not None:
        dtype = dtypes.as_dtype(dtype)
    if isinstance(value, SparseTensorValue):
        value = SparseTensor.from_value(value)
    if isinstance(value, SparseTensor):
        if dtype and not dtype.is_compatible_with(value.dtype):
            raise RuntimeError(f"Sparse dtype: requested = {dtype.name}, actual = {value.dtype.name}")
        return value
    return convert_to_tensor(value, dtype, name)


def convert_to_tensor_or_indexed_slices(value, dtype=None, name=None):
    """As convert_to_tensor(), but IndexedSlices stay. Source: tf.convert_to_tensor_or_indexed_slices."""
    from kiln.compat.v1._sparse import IndexedSlices

    if isinstance(value, IndexedSlices):
        if dtype and not dtypes.as_dtype(dtype).is_compatible_with(value.dtype):
            raise ValueError(
                f"Tensor conversion requested dtype {dtypes.as_dtype(dtype).name} "
                f"for Tensor with dtype {value.dtype.name}: {str(value)!r}"
            )
        return value
    return convert_to_tensor(value, dtype, name)


def convert_n_to_tensor(values, dtype=None, name=None, preferred_dtype=None):
    if not isinstance(values, (list, tuple)):
        raise TypeError("values must be a sequence.")
    return [
        convert_to_tensor(value, dtype, None if name is None else f"{name}_{i}", preferred_dtype)
        for i, value in enumerate(values)
    ]


_c.set_classes(convert=_converted)
