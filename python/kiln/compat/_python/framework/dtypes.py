"""Types of references (float32_ref), and NumPy's types of the quantized ones."""

from kiln.compat import v1 as tf
from kiln.compat.v1 import _tensor_types


def __getattr__(name):
    if name.endswith("_ref") and name.removesuffix("_ref") in _tensor_types.NUMBERS:
        return tf.as_dtype(name)
    if name.startswith("_np_") and name.removeprefix("_np_") in _tensor_types.NUMBERS:
        kind = _tensor_types.numpy_type(_tensor_types.NUMBERS[name.removeprefix("_np_")])
        return kind if kind.fields else kind.type
    raise AttributeError(name)
