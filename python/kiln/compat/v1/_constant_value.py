"""What a graph under construction says of the values of its tensors."""

from kiln._kiln import front as _c
from kiln.compat.v1.shapes import TensorShape

__all__ = ["get_static_value"]


def constant_value(tensor, partial=False):
    """The value as an array: of a Const, and of what only moves or counts what is known; else None.

    What is no tensor is given back. From then on runs may not feed the tensor. partial:
    taken for TensorFlow's sake; what is known in part is None. Source: tf.get_static_value.
    """
    if not isinstance(tensor, (_c.Tensor, _c.Variable)):
        return tensor
    value = _c.constant_value(tensor)
    if value is not None:
        tensor.graph.prevent_feeding(tensor)
    return value


get_static_value = constant_value


def constant_value_as_shape(tensor):
    """The TensorShape that a vector of extents, or the scalar -1, means, as far as it is known.

    Errors: ValueError for another scalar. Source: tensor_util.constant_value_as_shape.
    """
    if tensor.shape.ndims != 0:
        return _c.constant_shape(tensor)
    value = constant_value(tensor)
    if value is None or value != -1:
        got = "a scalar with unknown value" if value is None else f"a scalar value '{value}'"
        raise ValueError(
            f"Received {got} as shape; require a statically known scalar with value '-1' to describe an "
            "unknown shape."
        )
    return TensorShape(None)
