"""Comparing structures, with TensorFlow's errors."""

import itertools

from kiln.compat.v1._util.nest._structures import (
    is_composite,
    is_composite_or_spec,
    is_mapping,
    is_namedtuple,
    is_type_spec,
    same_namedtuples,
    test_of,
    yield_sorted_items,
    yield_value,
)

STRUCTURES_HAVE_MISMATCHING_TYPES = (
    "The two structures don't have the same sequence type. Input structure has "
    "type {input_type}, while shallow structure has type {shallow_type}."
)
STRUCTURES_HAVE_MISMATCHING_LENGTHS = (
    "The two structures don't have the same sequence length. Input "
    "structure has length {input_length}, while shallow structure has length "
    "{shallow_length}."
)
INPUT_TREE_SMALLER_THAN_SHALLOW_TREE = (
    "The input_tree has fewer items than the shallow_tree. Input structure "
    "has length {input_size}, while shallow structure has length "
    "{shallow_size}."
)
SHALLOW_TREE_HAS_INVALID_KEYS = (
    "The shallow_tree's keys are not a subset of the input_tree's keys. The "
    "shallow_tree has the following keys that are not in the input_tree: {}."
)
IF_SHALLOW_IS_SEQ_INPUT_MUST_BE_SEQ = (
    "If shallow structure is a sequence, input must also be a sequence. Input has type: {}."
)

_HEAP_TYPE = 1 << 9  # in type.__flags__: a class that is no static object of C
_NOTHING = object()


class _Dot:
    """What stands for each atom where an error shows a structure."""

    def __repr__(self):
        return "."


def _said(obj):
    return f"type={type(obj).__name__} str={obj}"


def _type_name(obj):
    """Returns the name of an object's class as C has it: with its module for one of C."""
    cls = type(obj)
    if cls.__flags__ & _HEAP_TYPE or cls.__module__ == "builtins":
        return cls.__name__
    return f"{cls.__module__}.{cls.__name__}"


class _Difference(Exception):
    """What differs between two structures, and the class of the error that it is."""

    def __init__(self, error, message):
        super().__init__(message)
        self.error = error


def assert_same_structure(nest1, nest2, check_types=True, expand_composites=False):
    """Raises an error where two structures differ in how they are nested; atoms are not compared.

    check_types: whether the types of structures and the keys of mappings count. Two lists
    are of equal type, whatever their classes, and so are two mappings, and two named tuples
    of equal class name and fields. expand_composites: as in flatten().

    Errors: ValueError, or TypeError where only types differ. Source: tf.nest.assert_same_structure.
    """
    try:
        _compare(nest1, nest2, check_types, test_of(expand_composites))
    except _Difference as difference:
        from kiln.compat.v1._util.nest._flat import map_structure

        dots = [map_structure(lambda _: _Dot(), one) for one in (nest1, nest2)]
        raise difference.error(
            "The two structures don't have the same nested structure.\n\n"
            f"First structure: {_said(nest1)}\n\nSecond structure: {_said(nest2)}\n\n"
            f"More specifically: {difference}\n"
            f"Entire first structure:\n{dots[0]}\nEntire second structure:\n{dots[1]}"
        ) from None


def _compare(one, other, check_types, nested):
    is_nested1, is_nested2 = nested(one), nested(other)
    if is_nested1 != is_nested2:
        structure, atom = (one, other) if is_nested1 else (other, one)
        raise _Difference(
            ValueError,
            f'Substructure "{_said(structure)}" is a sequence, '
            f'while substructure "{_said(atom)}" is not',
        )
    if not is_nested1:
        return
    if check_types:
        if type(one) is not type(other):
            _compare_types(one, other)
        _compare_keys(one, other)
    if is_composite(one) or is_composite(other):
        _compare_specs(one, other, _Difference, (ValueError,))
    for left, right in itertools.zip_longest(_values(one), _values(other), fillvalue=_NOTHING):
        if left is _NOTHING or right is _NOTHING:
            raise _Difference(
                ValueError,
                "The two structures don't have the same number of elements. "
                f"First structure: {_said(one)}. Second structure: {_said(other)}",
            )
        _compare(left, right, check_types, nested)


def _values(structure):
    if is_mapping(structure):
        # Where keys have no order the error is the one of the comparison, as in TensorFlow.
        return [structure[key] for key in sorted(structure)]
    return yield_value(structure)


def _compare_types(one, other):
    if is_namedtuple(one, True) and is_namedtuple(other, True):
        same = same_namedtuples(one, other)
    else:
        same = (
            (isinstance(one, list) and isinstance(other, list))
            or (is_mapping(one) and is_mapping(other))
            or (is_composite_or_spec(one) and is_composite_or_spec(other))
        )
    if not same:
        raise _Difference(
            TypeError,
            "The two namedtuples don't have the same sequence type. "
            f"First structure {_said(one)} has type {_type_name(one)}, "
            f"while second structure {_said(other)} has type {_type_name(other)}",
        )


def _compare_keys(one, other):
    if is_mapping(one) and (len(one) != len(other) or any(key not in other for key in one)):
        raise _Difference(
            ValueError,
            "The two dictionaries don't have the same set of keys. "
            f"First structure has keys {_said(list(one))}, "
            f"while second structure has keys {_said(list(other))}",
        )


def _compare_specs(one, other, error, args=()):
    """Raises an error where the specifications of two composites do not agree."""
    specs = [each if is_type_spec(each) else each._type_spec for each in (one, other)]
    try:
        specs[0].most_specific_compatible_type(specs[1])
    except (TypeError, ValueError) as cause:
        text = f"Incompatible CompositeTensor TypeSpecs: {specs[0]} vs. {specs[1]} -- {cause}"
        raise error(*args, text) from None


def assert_shallow_structure(
    shallow_tree, input_tree, check_types=True, expand_composites=False, check_subtrees_length=True
):
    """Raises an error where a structure is not the upper part of another one.

    check_types: whether the types of structures count. expand_composites: as in flatten().
    check_subtrees_length: False lets input_tree have more items than shallow_tree.

    Errors: TypeError for an atom in the place of a structure and for other types; ValueError
    for other lengths and keys. Source: nest.assert_shallow_structure.
    """
    nested = test_of(expand_composites)
    if not nested(shallow_tree):
        return
    if not nested(input_tree):
        raise TypeError(IF_SHALLOW_IS_SEQ_INPUT_MUST_BE_SEQ.format(type(input_tree)))
    if check_types and not isinstance(input_tree, type(shallow_tree)):
        _check_shallow_type(shallow_tree, input_tree)
    if is_composite(shallow_tree) or is_composite(input_tree):
        if not (is_composite_or_spec(shallow_tree) and is_composite_or_spec(input_tree)):
            raise _mismatching_types(shallow_tree, input_tree)
        _compare_specs(shallow_tree, input_tree, ValueError)
    elif is_type_spec(shallow_tree):
        if not is_type_spec(input_tree):
            raise TypeError(
                "If shallow structure is a TypeSpec, input must also be a TypeSpec.  "
                f"Input has type: {type(input_tree)}."
            )
    else:
        _check_shallow_length(len(shallow_tree), len(input_tree), check_subtrees_length)
    if is_mapping(shallow_tree):
        absent = set(shallow_tree) - set(input_tree)
        if absent:
            raise ValueError(SHALLOW_TREE_HAS_INVALID_KEYS.format(sorted(absent)))
    for shallow, deep in _pairs(shallow_tree, input_tree, check_subtrees_length):
        assert_shallow_structure(
            shallow, deep, check_types, expand_composites, check_subtrees_length
        )


def _pairs(shallow_tree, input_tree, check_subtrees_length):
    """Returns the values at equal places of two structures; at equal keys where one has more."""
    if check_subtrees_length or not is_mapping(shallow_tree):
        return zip(yield_value(shallow_tree), yield_value(input_tree))
    return [(value, input_tree[key]) for key, value in yield_sorted_items(shallow_tree)]


def _mismatching_types(shallow_tree, input_tree):
    return TypeError(
        STRUCTURES_HAVE_MISMATCHING_TYPES.format(
            input_type=type(input_tree), shallow_type=type(shallow_tree)
        )
    )


def _check_shallow_type(shallow_tree, input_tree):
    if is_namedtuple(shallow_tree) and is_namedtuple(input_tree):
        same = same_namedtuples(shallow_tree, input_tree)
    else:
        same = (
            (isinstance(shallow_tree, list) and isinstance(input_tree, list))
            or (is_composite_or_spec(shallow_tree) and is_composite_or_spec(input_tree))
            or (is_mapping(shallow_tree) and is_mapping(input_tree))
        )
    if not same:
        raise _mismatching_types(shallow_tree, input_tree)


def _check_shallow_length(shallow, deep, equal):
    if equal and deep != shallow:
        raise ValueError(
            STRUCTURES_HAVE_MISMATCHING_LENGTHS.format(input_length=deep, shallow_length=shallow)
        )
    if deep < shallow:
        raise ValueError(
            INPUT_TREE_SMALLER_THAN_SHALLOW_TREE.format(input_size=deep, shallow_size=shallow)
        )
