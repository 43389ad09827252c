"""The name that TensorFlow's generated modules have for an op that it does not show."""

from kiln._generated.raw_ops import stack as _stack  # noqa: F401
