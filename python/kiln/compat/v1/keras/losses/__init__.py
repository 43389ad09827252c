"""tf.keras.losses: what training makes small."""

from kiln.compat.v1.keras import _objects
from kiln.compat.v1.keras.losses._classes import *
from kiln.compat.v1.keras.losses._functions import *

serialize = _objects.serialize_keras_object


def deserialize(name, custom_objects=None):
    """The loss of a name or a configuration."""
    return _objects.deserialize_keras_object(name, globals(), custom_objects, "loss function")


def get(identifier):
    """A loss by its name or configuration, or as it is. Errors: ValueError."""
    if identifier is None:
        return None
    if isinstance(identifier, (str, dict)):
        return deserialize(identifier)
    if callable(identifier):
        return identifier
    raise ValueError("Could not interpret loss function identifier:", identifier)
