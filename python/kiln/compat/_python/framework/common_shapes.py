"""Shapes of results from shapes of arguments."""

from kiln.compat import v1 as tf


def has_fully_defined_shape(tensor):
    """Whether all extents of a tensor are known."""
    return tensor.get_shape().is_fully_defined()


def rank(tensor):
    """The rank of a tensor: a number where it is known, otherwise a tensor."""
    known = tf.convert_to_tensor(tensor).get_shape().ndims
    return tf.rank(tensor) if known is None else known


def is_broadcast_compatible(shape_x, shape_y):
    """Whether two shapes may be broadcast to one; False where a rank is unknown."""
    if shape_x.ndims is None or shape_y.ndims is None:
        return False
    return _broadcast(shape_x, shape_y) is not None


def broadcast_shape(shape_x, shape_y):
    """The shape of two broadcast to one, as far as it is known. **Errors**: ValueError where
    they do not fit.
    """
    if shape_x.ndims is None or shape_y.ndims is None:
        return tf.TensorShape(None)
    extents = _broadcast(shape_x, shape_y)
    if extents is None:
        raise ValueError(f"Incompatible shapes for broadcasting: {shape_x} and {shape_y}")
    return tf.TensorShape(extents)


def _broadcast(shape_x, shape_y):
    left, right = shape_x.as_list(), shape_y.as_list()
    length = max(len(left), len(right))
    extents = []
    for x, y in zip([1] * (length - len(left)) + left, [1] * (length - len(right)) + right):
        if x == 1 or y == 1:
            extents.append(y if x == 1 else x)
        elif x is None or y is None:
            extents.append(y if x is None else x)
        elif x == y:
            extents.append(x)
        else:
            return None
    return extents
