"""Variables that are resources."""

from kiln.compat import v1 as tf
from kiln.compat.v1._unread_variables import UnreadVariable as _UnreadVariable  # noqa: F401


class _Resources(type):
    """Makes those of tf.Variable instances that are resources."""

    def __instancecheck__(cls, value):
        return isinstance(value, tf.Variable) and value._is_resource()

    def __subclasscheck__(cls, other):
        return cls in other.__mro__


class ResourceVariable(metaclass=_Resources):
    """A tf.Variable that is a resource."""

    def __new__(cls, *args, **kwargs):
        kwargs["use_resource"] = True
        return tf.Variable(*args, **kwargs)

    @staticmethod
    def from_proto(variable_def, import_scope=None):
        return tf.Variable.from_proto(variable_def, import_scope)


BaseResourceVariable = ResourceVariable


def is_resource_variable(var):
    """Whether it is a variable that is a resource."""
    return isinstance(var, ResourceVariable)
