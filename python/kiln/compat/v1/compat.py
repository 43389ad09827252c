"""tf.compat: strings and bytes, groups of types, and what code for several versions asks for."""

import codecs
import collections.abc as collections_abc  # noqa: F401, under this name in TensorFlow
import contextlib
import importlib
import numbers
import os

import numpy as np

__all__ = [
    "as_bytes",
    "as_str",
    "as_str_any",
    "as_text",
    "bytes_or_text_types",
    "complex_types",
    "dimension_at_index",
    "dimension_value",
    "forward_compatibility_horizon",
    "forward_compatible",
    "integral_types",
    "path_to_str",
    "real_types",
]

# NumPy's scalars are not all registered with the abstract classes of numbers.
integral_types = (numbers.Integral, np.integer)
real_types = (numbers.Real, np.integer, np.floating)
complex_types = (numbers.Complex, np.number)
bytes_or_text_types = (bytes, str)

# The day before which forward_compatible() is true: TensorFlow 1.15 is of August 2019.
_horizon = (2019, 8, 6)


def __getattr__(name):
    if name == "v1":  # `import tensorflow as tf; tf.compat.v1.Session()`
        return importlib.import_module("kiln.compat.v1")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def as_bytes(bytes_or_text, encoding="utf-8"):
    """Returns a str, bytes or bytearray as bytes.

    Errors: TypeError for any other type; LookupError for an encoding that Python does not
    have. Source: tf.compat.as_bytes.
    """
    encoding = codecs.lookup(encoding).name
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    if isinstance(bytes_or_text, (bytes, bytearray)):
        return bytes(bytes_or_text)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


def as_text(bytes_or_text, encoding="utf-8"):
    """Returns a str or bytes as a str.

    Errors: TypeError for any other type; UnicodeDecodeError; LookupError for an encoding
    that Python does not have. Source: tf.compat.as_text.
    """
    encoding = codecs.lookup(encoding).name
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


def as_str(bytes_or_text, encoding="utf-8"):
    """Returns a str or bytes as a str, as as_text does. Source: tf.compat.as_str."""
    return as_text(bytes_or_text, encoding)


def as_str_any(value):
    """Returns bytes as a str, and str() of anything else. Source: tf.compat.as_str_any."""
    return as_str(value) if isinstance(value, bytes) else str(value)


def path_to_str(path):
    """Returns an os.PathLike object as a str, and anything else as it is.

    Source: tf.compat.path_to_str.
    """
    if hasattr(path, "__fspath__"):
        path = as_str_any(path.__fspath__())
    return path


def path_to_bytes(path):
    """Returns a path, str, bytes or os.PathLike, as bytes.

    Source: tensorflow.python.util.compat.path_to_bytes.
    """
    return as_bytes(os.fspath(path) if hasattr(path, "__fspath__") else path)


def dimension_value(dimension):
    """Returns a dimension of a shape as an int or None, be it a Dimension or such a value already.

    Source: tf.compat.dimension_value.
    """
    return getattr(dimension, "value", dimension)


def dimension_at_index(shape, index):
    """Returns a dimension of a TensorShape as a Dimension; an unknown one where the rank is.

    Source: tf.compat.dimension_at_index.
    """
    if shape.dims is None:
        from kiln.compat.v1 import Dimension

        return Dimension(None)
    return shape.dims[index]


def forward_compatible(year, month, day):
    """Tells whether a graph may have what TensorFlow got up to a date: True before 6 August 2019.

    Source: tf.compat.forward_compatible in TensorFlow 1.15.
    """
    return _horizon > (year, month, day)


@contextlib.contextmanager
def forward_compatibility_horizon(year, month, day):
    """A context in which forward_compatible() is True before another date.

    Source: tf.compat.forward_compatibility_horizon.
    """
    global _horizon
    before, _horizon = _horizon, (year, month, day)
    try:
        yield
    finally:
        _horizon = before
