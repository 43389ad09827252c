"""TensorFlow's messages as protobuf classes: `_messages.GraphDef`, `_messages.DataType`,
`_messages.DT_FLOAT`.

They lie in a descriptor pool of their own, so that a process may also load TensorFlow or
TensorBoard, whose messages have the same names. The pool is read from kiln/_generated/messages.bin
(which the build makes, python/kiln/compat/proto) when the first name is asked for: that takes a
millisecond, and importing protobuf some twenty.
"""

import os
import threading

PACKAGES = ("tensorflow", "tensorflow.error")

_lock = threading.Lock()
_pool = None
_enums = {}
_constants = {}
# By full name. protobuf itself lets go of a class that nobody holds, and makes another one, which
# has no name.
_classes = {}


def __getattr__(name):
    """The class of a message, the wrapper of an enum, or the number of an enum's value, by its
    name in the package.
    """
    if name.startswith("__"):
        raise AttributeError(name)
    found = _find(name)
    if found is None:
        raise AttributeError(f"module {__name__!r} has no message, enum or value {name!r}")
    globals()[name] = found
    return found


def file_of(name):
    """The FileDescriptor of the file that declares a message, an enum or a value."""
    pool = _load()
    for package in PACKAGES:
        try:
            return pool.FindFileContainingSymbol(f"{package}.{name}")
        except KeyError:
            pass
    raise AttributeError(f"no file declares {name!r}")


def names_of_enum(name):
    """The names of the values of an enum outside of messages; none for a message."""
    _load()
    return [value.name for value in _enums[name].values] if name in _enums else []


def _find(name):
    pool = _load()
    if name in _constants:
        return _constants[name]
    if name in _enums:
        from google.protobuf.internal import enum_type_wrapper

        return enum_type_wrapper.EnumTypeWrapper(_enums[name])
    try:
        descriptor = pool.FindMessageTypeByName(f"{PACKAGES[0]}.{name}")
    except KeyError:
        return None
    return _class_of(descriptor)


def _load():
    global _pool
    with _lock:
        if _pool is None:
            from google.protobuf import descriptor_pb2, descriptor_pool

            import kiln

            path = os.path.join(os.path.dirname(kiln.__file__), "_generated", "messages.bin")
            with open(path, "rb") as file:
                files = descriptor_pb2.FileDescriptorSet.FromString(file.read()).file
            pool = descriptor_pool.DescriptorPool()
            for described in files:
                pool.AddSerializedFile(described.SerializeToString())
            for described in files:
                for enum in described.enum_type:
                    _enums[enum.name] = pool.FindEnumTypeByName(f"{described.package}.{enum.name}")
                    _constants.update((value.name, value.number) for value in enum.value)
            _pool = pool
    return _pool


def _class_of(descriptor):
    """The class of a message. It and all that its fields hold get names by which pickle finds
    them.
    """
    from google.protobuf import message_factory

    get = getattr(message_factory, "GetMessageClass", None)
    if get is None:  # before protobuf 4.22
        get = message_factory.MessageFactory(pool=_pool).GetPrototype
    waiting = [descriptor]
    while waiting:
        following = waiting.pop()
        if following.full_name in _classes or following.file.package != PACKAGES[0]:
            continue
        _classes[following.full_name] = None
        waiting += following.nested_types
        waiting += [
            field.message_type for field in following.fields if field.message_type is not None
        ]
        if following.GetOptions().map_entry:
            continue
        made = _classes[following.full_name] = get(following)
        outer = following.containing_type
        made.__module__ = __name__
        made.__qualname__ = following.full_name.removeprefix(PACKAGES[0] + ".")
        if outer is not None and not hasattr(get(outer), following.name):  # protobuf without C
            setattr(get(outer), following.name, made)
    return get(descriptor)
