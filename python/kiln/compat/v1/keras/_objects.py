"""Objects by names and configurations: layers, losses, initializers."""

import contextlib
import inspect

_custom = {}


def get_custom_objects():
    """The dict of a program's own classes and functions, by name.

    Source: tf.keras.utils.get_custom_objects.
    """
    return _custom


class CustomObjectScope:
    """A context in which names mean a program's own objects.

    Source: tf.keras.utils.CustomObjectScope.
    """

    def __init__(self, *args):
        self.custom_objects = args

    def __enter__(self):
        self._before = dict(_custom)
        for objects in self.custom_objects:
            _custom.update(objects)
        return self

    def __exit__(self, *exception):
        _custom.clear()
        _custom.update(self._before)


@contextlib.contextmanager
def custom_object_scope(*args):
    """CustomObjectScope as a function. Source: tf.keras.utils.custom_object_scope."""
    with CustomObjectScope(*args) as scope:
        yield scope


def serialize_keras_object(instance):
    """A name, or a dict of a class's name and a configuration.

    Errors: ValueError. Source: tf.keras.utils.serialize_keras_object.
    """
    if instance is None:
        return None
    if hasattr(instance, "get_config"):
        return {"class_name": type(instance).__name__, "config": instance.get_config()}
    if hasattr(instance, "__name__"):
        return instance.__name__
    raise ValueError("Cannot serialize", instance)


def deserialize_keras_object(
    identifier, module_objects=None, custom_objects=None, printable_module_name="object"
):
    """The object of a name, or of a dict of a class's name and a configuration.

    Errors: ValueError for names that nothing has. Source:
    tf.keras.utils.deserialize_keras_object.
    """
    if identifier is None:
        return None
    if isinstance(identifier, dict):
        cls, config = _class_and_config(
            identifier, module_objects, custom_objects, printable_module_name
        )
        if not hasattr(cls, "from_config"):
            with CustomObjectScope(custom_objects or {}):
                return cls(**config)
        if "custom_objects" in inspect.signature(cls.from_config).parameters:
            objects = {**_custom, **(custom_objects or {})}
            return cls.from_config(config, custom_objects=objects)
        with CustomObjectScope(custom_objects or {}):
            return cls.from_config(config)
    if isinstance(identifier, str):
        found = _named(identifier, module_objects, custom_objects)
        if found is None:
            raise ValueError(f"Unknown {printable_module_name}: {identifier}")
        return found() if inspect.isclass(found) else found
    if inspect.isfunction(identifier):
        return identifier
    raise ValueError("Could not interpret serialized %s: %s" % (printable_module_name, identifier))


def _named(name, module_objects, custom_objects):
    for objects in (custom_objects, _custom, module_objects):
        if objects and name in objects:
            return objects[name]
    return None


def _class_and_config(identifier, module_objects, custom_objects, what):
    if "class_name" not in identifier or "config" not in identifier:
        raise ValueError(f"Improper config format: {identifier}")
    cls = _named(identifier["class_name"], module_objects, custom_objects)
    if cls is None:
        raise ValueError(f"Unknown {what}: {identifier['class_name']}")
    return cls, identifier["config"]


def getter(kind, objects, default=None):
    """A function that finds an object of a kind by its name, configuration, or as it is.

    objects: gives a dict from names to classes and functions.
    """

    def get(identifier):
        if identifier is None:
            return default
        if isinstance(identifier, (str, dict)):
            return deserialize_keras_object(identifier, objects(), printable_module_name=kind)
        if callable(identifier):
            return identifier() if inspect.isclass(identifier) else identifier
        raise ValueError(f"Could not interpret {kind} identifier: {identifier}")

    return get
