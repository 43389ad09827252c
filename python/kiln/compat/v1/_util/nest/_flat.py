"""Structures as flat lists, and back."""

from kiln.compat.v1._util.nest._checks import assert_same_structure
from kiln.compat.v1._util.nest._structures import (
    is_mapping,
    is_nested,
    sequence_like,
    test_of,
    yield_value,
)


def flatten(structure, expand_composites=False):
    """Returns the atoms of a structure as a list; [structure] for an atom.

    Those of a mapping come in the order of its keys. expand_composites: whether a
    SparseTensor and its like count as structures.

    Errors: TypeError for a mapping whose keys have no order. Source: tf.nest.flatten.
    """
    nested = test_of(expand_composites)
    if not nested(structure):
        return [structure]
    atoms = []
    _flatten(structure, atoms, nested)
    return atoms


def _flatten(structure, atoms, nested):
    if is_mapping(structure):
        # Where keys have no order the error is the one of the comparison, as in TensorFlow.
        values = [structure[key] for key in sorted(structure)]
    else:
        values = yield_value(structure)
    for value in values:
        if nested(value):
            _flatten(value, atoms, nested)
        else:
            atoms.append(value)


def flatten_dict_items(dictionary):
    """Returns a dict of atoms, made of a mapping whose keys are structures like their values.

    {(4, 5, (6, 8)): ("a", "b", ("c", "d"))} becomes {4: "a", 5: "b", 6: "c", 8: "d"}.

    Errors: TypeError for what is no mapping; ValueError for a key and value that differ in
    structure, and for a key that comes twice. Source: nest.flatten_dict_items.
    """
    if not is_mapping(dictionary):
        raise TypeError(
            "FlattenDictItems: 'dict' must be a dictionary or collection.Mapping type object, "
            f"instead of '{type(dictionary).__name__}'."
        )
    flat = {}
    for key, value in dictionary.items():
        pairs = [(key, value)]
        if is_nested(key):
            keys, values = flatten(key), flatten(value)
            if len(keys) != len(values):
                raise ValueError(
                    f"Could not flatten dictionary. Key had {len(keys)} elements, but value had "
                    f"{len(values)} elements. Key: {keys}, value: {values}."
                )
            pairs = zip(keys, values)
        for one, atom in pairs:
            if one in flat:
                raise ValueError(f"Cannot flatten dict because this key is not unique: {one}")
            flat[one] = atom
    return flat


def _shortened(value):
    text = str(value)
    return text[:100] + (text[100:] and "...")


def _packed(structure, flat, at, nested, like):
    """Returns the values for one level of a structure, and where those behind it begin."""
    values = []
    for value in yield_value(structure):
        if nested(value):
            inner, at = _packed(value, flat, at, nested, like)
            values.append(like(value, inner))
        else:
            values.append(flat[at])
            at += 1
    return values, at


def pack_sequence_as(structure, flat_sequence, expand_composites=False):
    """Returns a structure like one, with the atoms of a flat list; the inverse of flatten().

    Errors: TypeError where the list is none; ValueError where it has not as many atoms as the
    structure. Source: tf.nest.pack_sequence_as.
    """
    return pack_with(structure, flat_sequence, expand_composites, sequence_like)


def pack_with(structure, flat_sequence, expand_composites, like):
    """Returns what pack_sequence_as() does, with `like` to make each level."""
    nested = test_of(expand_composites)
    if not nested(flat_sequence):
        raise TypeError(
            f"Attempted to pack value:\n  {_shortened(flat_sequence)}\ninto a structure, but found "
            f"incompatible type `{type(flat_sequence)}` instead."
        )
    if not nested(structure):
        if len(flat_sequence) != 1:
            raise ValueError(
                f"The target structure is of type `{type(structure)}`\n  {_shortened(structure)}\n"
                f"However the input is a sequence ({type(flat_sequence)}) "
                f"of length {len(flat_sequence)}.\n"
                f"  {_shortened(flat_sequence)}\n"
                "nest cannot guarantee that it is safe to map one to the other."
            )
        return flat_sequence[0]
    try:
        values, end = _packed(structure, flat_sequence, 0, nested, like)
    except IndexError:
        end = None
    if end != len(flat_sequence):
        count = len(flatten(structure, expand_composites))
        raise ValueError(
            f"Could not pack sequence. Structure had {count} atoms, but flat_sequence had "
            f"{len(flat_sequence)} items.  Structure: {structure}, flat_sequence: {flat_sequence}."
        )
    return like(structure, values)


def map_structure(func, *structure, **kwargs):
    """Returns a structure like the first, with what a function gives for the atoms at each place.

    func: called with one atom of each structure. kwargs: check_types, whether the structures
    have to be of equal types too (True); expand_composites, as in flatten().

    Errors: TypeError for what cannot be called and for structures of other types; ValueError
    for none, for structures that differ otherwise, and for other arguments. Source:
    tf.nest.map_structure.
    """
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    check_types = kwargs.pop("check_types", True)
    expand = kwargs.pop("expand_composites", False)
    if kwargs:
        names = "`, `".join(kwargs)
        raise ValueError(
            "Only valid keyword arguments are `check_types` and `expand_composites`, "
            f"not: `{names}`"
        )
    first, *others = structure
    for other in others:
        assert_same_structure(first, other, check_types=check_types, expand_composites=expand)
    flat = (flatten(one, expand) for one in structure)
    return pack_sequence_as(first, [func(*atoms) for atoms in zip(*flat)], expand_composites=expand)


def list_to_tuple(structure):
    """Returns a structure with tuples in the place of lists. Source: nest.list_to_tuple."""

    def like(instance, values):
        return tuple(values) if isinstance(instance, list) else sequence_like(instance, values)

    return pack_with(structure, flatten(structure), False, like)
