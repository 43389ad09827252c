"""What programs ask and say of TensorFlow's modes, and of tensors in general."""

from kiln._kiln import front as _c
from kiln.compat.v1._sparse import IndexedSlices, SparseTensor

__all__ = [
    "control_flow_v2_enabled", "dimension_at_index", "dimension_value", "disable_control_flow_v2",
    "disable_eager_execution", "disable_tensor_equality", "disable_v2_behavior", "disable_v2_tensorshape",
    "enable_control_flow_v2", "enable_tensor_equality", "enable_v2_tensorshape", "executing_eagerly",
    "is_tensor", "resource_variables_enabled",
]  # fmt: skip


def executing_eagerly():
    """Whether ops run as they are called: never. Source: tf.executing_eagerly."""
    return False


def disable_eager_execution():
    """Nothing: Kiln builds graphs. Source: tf.disable_eager_execution."""


def disable_v2_behavior():
    """Nothing: this is TensorFlow 1's interface. Source: tf.disable_v2_behavior."""


def disable_v2_tensorshape():
    """Nothing: shapes give Dimensions. Source: tf.disable_v2_tensorshape."""


def disable_tensor_equality():
    """Nothing: tensors are compared by identity. Source: tf.disable_tensor_equality."""


def enable_tensor_equality():
    """Refuses: NotImplementedError, since tensors are keys here. Source: tf.enable_tensor_equality."""
    raise NotImplementedError("Kiln compares tensors by identity, as TensorFlow 1 does")


def enable_v2_tensorshape():
    """Refuses: NotImplementedError, since shapes give Dimensions. Source: tf.enable_v2_tensorshape."""
    raise NotImplementedError("Kiln's shapes give Dimensions, as TensorFlow 1's do")


def enable_control_flow_v2():
    """Makes conditionals and loops of the default graph call functions. Source: tf.enable_control_flow_v2."""
    _c.enable_control_flow_v2(True)


def disable_control_flow_v2():
    """Source: tf.disable_control_flow_v2."""
    _c.enable_control_flow_v2(False)


def control_flow_v2_enabled():
    """Whether conditionals and loops call functions. Source: tf.control_flow_v2_enabled."""
    return _c.control_flow_v2_enabled()


def resource_variables_enabled():
    """Whether new variables are resources. Source: tf.resource_variables_enabled."""
    return _c.uses_resource_variables()


def is_tensor(x):
    """Whether it is a tensor, a variable, a SparseTensor or IndexedSlices. Source: tf.is_tensor."""
    return isinstance(x, (_c.Tensor, _c.Variable, SparseTensor, IndexedSlices)) or hasattr(
        x, "_dense_var_to_tensor"
    )


def dimension_value(dimension):
    """The extent of a Dimension; others as they are. Source: tf.dimension_value."""
    from kiln.compat.v1.shapes import Dimension

    return dimension.value if isinstance(dimension, Dimension) else dimension


def dimension_at_index(shape, index):
    """A shape's Dimension; an unknown one of a shape of unknown rank. Source: tf.dimension_at_index."""
    from kiln.compat.v1.shapes import Dimension

    return Dimension(None) if shape.ndims is None else shape.dims[index]
