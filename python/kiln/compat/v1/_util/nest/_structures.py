"""What a structure is, what is in it, and how one like it is made."""

import collections
import collections.abc
import enum
import functools


class _Kind(enum.IntEnum):
    """What the objects of a class are."""

    ATOM = 0
    COMPOSITE = 1  # made of several tensors, such as a SparseTensor
    SPEC = 2  # what describes a composite
    SEQUENCE = 3
    NAMEDTUPLE = 4
    MAPPING = 5
    VIEW = 6  # of a mapping
    ATTRS = 7  # of a class that attr.s made
    CUSTOM = 8  # with methods of its own to be taken apart and made


_ATOM, _COMPOSITE, _SPEC, _SEQUENCE, _NAMEDTUPLE, _MAPPING, _VIEW, _ATTRS, _CUSTOM = _Kind


@functools.lru_cache(maxsize=1024)
def _kind(cls):
    """Returns the kind of a class. Structures are those from SEQUENCE on."""
    if issubclass(cls, collections.abc.Mapping):
        return _MAPPING
    if hasattr(cls, "__attrs_attrs__"):
        return _ATTRS
    if _is_namedtuple_class(cls):
        return _NAMEDTUPLE
    if issubclass(cls, collections.abc.MappingView):
        return _VIEW
    # Such an object has _type_spec, which takes it apart and makes another of parts.
    if hasattr(cls, "_type_spec"):
        return _COMPOSITE
    if hasattr(cls, "_from_components"):
        return _SPEC
    if hasattr(cls, "__tf_flatten__"):
        return _CUSTOM
    if issubclass(cls, collections.abc.Sequence) and not issubclass(cls, (str, bytes)):
        return _SEQUENCE
    return _ATOM


@functools.lru_cache(maxsize=1024)
def _is_namedtuple_class(cls):
    fields = getattr(cls, "_fields", None)
    return (
        issubclass(cls, tuple)
        and isinstance(fields, collections.abc.Sequence)
        and all(isinstance(name, str) for name in fields)
    )


def is_mapping(obj):
    """Tells whether an object is a collections.abc.Mapping."""
    return _kind(type(obj)) is _MAPPING


def is_attrs(obj):
    """Tells whether an object is of a class that attr.s made."""
    return _kind(type(obj)) is _ATTRS


def is_namedtuple(instance, strict=False):
    """Tells whether an object is a named tuple; strict: of a class that namedtuple() made itself.

    Source: nest.is_namedtuple.
    """
    cls = type(instance)
    return _is_namedtuple_class(cls) and (not strict or cls.__base__ is tuple)


def same_namedtuples(nest1, nest2):
    """Tells whether two named tuples have the same class name and fields.

    Errors: RuntimeError for what has no fields. Source: nest.same_namedtuples.
    """
    try:
        fields1, fields2 = nest1._fields, nest2._fields
    except AttributeError:
        raise RuntimeError("Expected namedtuple-like objects (that have _fields attr)") from None
    return type(nest1).__name__ == type(nest2).__name__ and fields1 == fields2


def is_composite(obj):
    """Tells whether an object is made of several tensors, such as a SparseTensor."""
    return _kind(type(obj)) is _COMPOSITE


def is_composite_or_spec(obj):
    """Tells whether an object is made of several tensors, or describes such an object."""
    return _kind(type(obj)) in (_COMPOSITE, _SPEC)


def is_type_spec(obj):
    """Tells whether an object describes those that are made of several tensors."""
    return _kind(type(obj)) is _SPEC


_warned_of_sets = False


def is_nested(seq):
    """Tells whether an object is a structure rather than an atom.

    Structures are lists, tuples, named tuples, dicts, other sequences and mappings, views of
    dicts, and objects of classes that attr.s made. Strings, sets and arrays are none.

    Source: tf.nest.is_nested.
    """
    kind = _kind(type(seq))
    if kind is _ATOM and isinstance(seq, (set, frozenset)):
        _warn_of_sets()
    return kind >= _SEQUENCE


def _warn_of_sets():
    global _warned_of_sets
    if not _warned_of_sets:
        from kiln.compat.v1 import logging

        _warned_of_sets = True
        logging.warning(
            "Sets are not currently considered sequences, "
            "but this may change in the future, so consider avoiding using them."
        )


def is_nested_or_composite(seq):
    """Tells whether an object is a structure or made of several tensors, or describes such."""
    return is_nested(seq) or _kind(type(seq)) is not _ATOM


def test_of(expand_composites):
    """Returns what tells structures from atoms."""
    return is_nested_or_composite if expand_composites else is_nested


def sorted_keys(mapping):
    """Returns the keys in their order. Errors: TypeError where they have none."""
    try:
        return sorted(mapping)
    except TypeError:
        raise TypeError("nest only supports dicts with sortable keys.") from None


def yield_sorted_items(iterable):
    """Returns (key, value) pairs in their order; keys are indices, keys of mappings, or fields."""
    cls = type(iterable)
    kind = _kind(cls)
    if kind is _MAPPING:
        return [(key, iterable[key]) for key in sorted_keys(iterable)]
    if kind is _NAMEDTUPLE:
        return [(name, getattr(iterable, name)) for name in iterable._fields]
    if kind is _ATTRS:
        return [(field.name, getattr(iterable, field.name)) for field in cls.__attrs_attrs__]
    if kind is _COMPOSITE:
        spec = iterable._type_spec
        return [(spec.value_type.__name__, spec._to_components(iterable))]
    if kind is _SPEC:
        return [(iterable.value_type.__name__, iterable._component_specs)]
    if kind is _CUSTOM:
        return enumerate(iterable.__tf_flatten__()[1])
    return enumerate(iterable)


def yield_value(iterable):
    """Returns the values in the order of their keys."""
    kind = _kind(type(iterable))
    if kind is _SEQUENCE:
        return iterable
    if kind is _NAMEDTUPLE:
        return [getattr(iterable, name) for name in iterable._fields]
    return [value for _, value in yield_sorted_items(iterable)]


def sequence_like(instance, args):
    """Returns a structure like one, with other values, which come in the order of its keys.

    A view of a dict and a range come back as a list. Source: nest._sequence_like.
    """
    cls = type(instance)
    kind = _kind(cls)
    if kind is _MAPPING:
        return _mapping_like(instance, dict(zip(sorted_keys(instance), args)))
    if kind in (_NAMEDTUPLE, _ATTRS):
        return cls(*args)
    if kind is _VIEW or cls is range:
        return list(args)
    if kind is _COMPOSITE:
        return instance._type_spec._from_components(args[0])
    if kind is _SPEC:
        return instance._from_components(args[0])
    if kind is _CUSTOM:
        return instance.__tf_unflatten__(instance.__tf_flatten__()[0], tuple(args))
    return cls(args)


def _mapping_like(instance, values):
    """Returns a mapping like one, its keys in the same order, with other values."""
    cls = type(instance)
    if isinstance(instance, collections.abc.MutableMapping):
        made = (
            collections.defaultdict(instance.default_factory)
            if cls is collections.defaultdict
            else cls()
        )
        for key in instance:
            made[key] = values[key]
        return made
    from kiln.compat.v1 import logging

    logging.log_first_n(
        logging.WARN,
        "Mapping types may not work well with tf.nest. " f"Prefer using MutableMapping for {cls}",
        1,
    )
    try:
        return cls((key, values[key]) for key in instance)
    except TypeError as error:
        raise TypeError(
            f"Error creating an object of type {cls} like {instance}. Note that it must accept a "
            "single positional argument representing an iterable of key-value pairs, in addition "
            "to self. "
            f"Cause: {error}"
        ) from None
