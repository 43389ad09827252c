"""Structures down to the leaves of a shallow one, and the paths to atoms."""

from kiln.compat.v1._util.nest._checks import assert_shallow_structure
from kiln.compat.v1._util.nest._flat import flatten, pack_sequence_as
from kiln.compat.v1._util.nest._structures import (
    sequence_like,
    test_of,
    yield_sorted_items,
    yield_value,
)


def yield_flat_up_to(shallow_tree, input_tree, is_nested_fn, path=()):
    """Yields (path, value) for each leaf of shallow_tree, with what input_tree has at its place."""
    if not is_nested_fn(shallow_tree):
        yield path, input_tree
        return
    values = dict(yield_sorted_items(input_tree))
    for key, shallow in yield_sorted_items(shallow_tree):
        yield from yield_flat_up_to(shallow, values[key], is_nested_fn, (*path, key))


def flatten_with_tuple_paths_up_to(
    shallow_tree, input_tree, check_types=True, expand_composites=False, check_subtrees_length=True
):
    """Returns (path, value) pairs of input_tree for the leaves of shallow_tree; paths are tuples.

    Errors: those of assert_shallow_structure(). Source: nest.flatten_with_tuple_paths_up_to.
    """
    assert_shallow_structure(
        shallow_tree, input_tree, check_types, expand_composites, check_subtrees_length
    )
    return list(yield_flat_up_to(shallow_tree, input_tree, test_of(expand_composites)))


def flatten_up_to(
    shallow_tree, input_tree, check_types=True, expand_composites=False, check_subtrees_length=True
):
    """Returns what input_tree has in the places of the leaves of shallow_tree, as a list.

    flatten_up_to([0, [0]], [[1, 2], [3]]) is [[1, 2], 3].

    Errors: those of assert_shallow_structure(). Source: nest.flatten_up_to.
    """
    pairs = flatten_with_tuple_paths_up_to(
        shallow_tree, input_tree, check_types, expand_composites, check_subtrees_length
    )
    return [value for _, value in pairs]


def map_structure_up_to(shallow_tree, func, *inputs, **kwargs):
    """Returns a structure like shallow_tree, with what a function gives for what is at its leaves.

    func: called with one value of each input and with kwargs, but for check_types,
    expand_composites and check_subtrees_length, which are as in flatten_up_to().

    Errors: ValueError without inputs; those of assert_shallow_structure(). Source:
    nest.map_structure_up_to.
    """

    def without_path(path, *values, **options):
        return func(*values, **options)

    return map_structure_with_tuple_paths_up_to(shallow_tree, without_path, *inputs, **kwargs)


def map_structure_with_tuple_paths_up_to(shallow_tree, func, *inputs, **kwargs):
    """Returns what map_structure_up_to() does, for a function that gets the path first, a tuple.

    Source: nest.map_structure_with_tuple_paths_up_to.
    """
    if not inputs:
        raise ValueError("Cannot map over no sequences")
    check_types = kwargs.pop("check_types", True)
    expand = kwargs.pop("expand_composites", False)
    equal_length = kwargs.pop("check_subtrees_length", True)
    flat = [
        flatten_with_tuple_paths_up_to(shallow_tree, one, check_types, expand, equal_length)
        for one in inputs
    ]
    results = [func(at[0][0], *(value for _, value in at), **kwargs) for at in zip(*flat)]
    return pack_sequence_as(shallow_tree, results, expand_composites=expand)


def map_structure_with_tuple_paths(func, *structure, **kwargs):
    """Returns what map_structure() does, for a function that gets the path first, a tuple.

    kwargs: for the function, but for those of map_structure(). Source:
    nest.map_structure_with_tuple_paths.
    """
    return map_structure_with_tuple_paths_up_to(structure[0], func, *structure, **kwargs)


def map_structure_with_paths(func, *structure, **kwargs):
    """Returns what map_structure() does, for a function that gets the path first, such as "cell/0".

    kwargs: for the function, but for those of map_structure(). Source:
    nest.map_structure_with_paths.
    """

    def with_text(path, *values, **options):
        return func("/".join(map(str, path)), *values, **options)

    return map_structure_with_tuple_paths_up_to(structure[0], with_text, *structure, **kwargs)


def yield_flat_paths(nest, expand_composites=False):
    """Yields the path of each atom, a tuple of keys, in the order of flatten().

    Source: nest.yield_flat_paths.
    """
    for path, _ in yield_flat_up_to(nest, nest, test_of(expand_composites)):
        yield path


def flatten_with_tuple_paths(structure, expand_composites=False):
    """Returns (path, atom) pairs; a path is a tuple of keys.

    Source: nest.flatten_with_tuple_paths.
    """
    return list(
        zip(yield_flat_paths(structure, expand_composites), flatten(structure, expand_composites))
    )


def flatten_with_joined_string_paths(structure, separator="/", expand_composites=False):
    """Returns (path, atom) pairs; a path is text such as "cell/0".

    Source: nest.flatten_with_joined_string_paths.
    """
    return [
        (separator.join(map(str, path)), atom)
        for path, atom in flatten_with_tuple_paths(structure, expand_composites)
    ]


def get_traverse_shallow_structure(traverse_fn, structure, expand_composites=False):
    """Returns the upper part of a structure, as far as a function wants it, with bools for leaves.

    traverse_fn: called with a structure; True or False for all in it, or a structure of the
    same type with one of them for each item.

    Errors: TypeError where the function gives anything else. Source:
    nest.get_traverse_shallow_structure.
    """
    nested = test_of(expand_composites)
    wanted = traverse_fn(structure)
    if not nested(structure):
        if not isinstance(wanted, bool):
            raise TypeError(
                f"traverse_fn returned structure: {wanted} for non-structure: {structure}"
            )
        return wanted
    if wanted is False:
        return False
    if wanted is True:
        values = [
            get_traverse_shallow_structure(traverse_fn, value, expand_composites)
            for value in yield_value(structure)
        ]
        return sequence_like(structure, values)
    if not nested(wanted):
        raise TypeError(f"traverse_fn returned a non-bool scalar: {wanted} for input: {structure}")
    assert_shallow_structure(wanted, structure, expand_composites=expand_composites)
    values = []
    for each, value in zip(yield_value(wanted), yield_value(structure)):
        if not isinstance(each, bool):
            raise TypeError(
                "traverse_fn didn't return a depth=1 structure of bools.  "
                f"saw: {wanted}  for structure: {structure}"
            )
        values.append(
            each and get_traverse_shallow_structure(traverse_fn, value, expand_composites)
        )
    return sequence_like(structure, values)
