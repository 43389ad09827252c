"""Structures: lists, tuples, named tuples, dicts and their like, nested, with atoms for leaves.

All functions take the values of mappings in the order of their keys. This is
tensorflow.python.util.nest and tf.contrib.framework.nest; tf.nest has some of it.

| looking for | it is in |
| --- | --- |
| what a structure is, making one like another | `_structures.py` |
| flatten, pack_sequence_as, map_structure | `_flat.py` |
| assert_same_structure, assert_shallow_structure | `_checks.py` |
| flatten_up_to and what else goes down to the leaves of another structure; paths | `_upto.py` |
"""

from kiln.compat.v1._util.nest._checks import (
    IF_SHALLOW_IS_SEQ_INPUT_MUST_BE_SEQ,
    INPUT_TREE_SMALLER_THAN_SHALLOW_TREE,
    SHALLOW_TREE_HAS_INVALID_KEYS,
    STRUCTURES_HAVE_MISMATCHING_LENGTHS,
    STRUCTURES_HAVE_MISMATCHING_TYPES,
    assert_same_structure,
    assert_shallow_structure,
)
from kiln.compat.v1._util.nest._flat import (
    flatten,
    flatten_dict_items,
    list_to_tuple,
    map_structure,
    pack_sequence_as,
)
from kiln.compat.v1._util.nest._structures import (
    is_attrs,
    is_mapping,
    is_namedtuple,
    is_nested,
    is_nested_or_composite,
    same_namedtuples,
)
from kiln.compat.v1._util.nest._structures import is_attrs as _is_attrs
from kiln.compat.v1._util.nest._structures import is_mapping as _is_mapping
from kiln.compat.v1._util.nest._structures import is_namedtuple as _is_namedtuple
from kiln.compat.v1._util.nest._structures import sequence_like as _sequence_like
from kiln.compat.v1._util.nest._structures import yield_sorted_items as _yield_sorted_items
from kiln.compat.v1._util.nest._structures import yield_value as _yield_value
from kiln.compat.v1._util.nest._upto import (
    flatten_up_to,
    flatten_with_joined_string_paths,
    flatten_with_tuple_paths,
    flatten_with_tuple_paths_up_to,
    get_traverse_shallow_structure,
    map_structure_up_to,
    map_structure_with_paths,
    map_structure_with_tuple_paths,
    map_structure_with_tuple_paths_up_to,
    yield_flat_paths,
)
from kiln.compat.v1._util.nest._upto import yield_flat_up_to as _yield_flat_up_to

is_sequence = is_nested
is_sequence_or_composite = is_nested_or_composite

__all__ = [
    "IF_SHALLOW_IS_SEQ_INPUT_MUST_BE_SEQ",
    "INPUT_TREE_SMALLER_THAN_SHALLOW_TREE",
    "SHALLOW_TREE_HAS_INVALID_KEYS",
    "STRUCTURES_HAVE_MISMATCHING_LENGTHS",
    "STRUCTURES_HAVE_MISMATCHING_TYPES",
    "assert_same_structure",
    "assert_shallow_structure",
    "flatten",
    "flatten_dict_items",
    "flatten_up_to",
    "flatten_with_joined_string_paths",
    "flatten_with_tuple_paths",
    "flatten_with_tuple_paths_up_to",
    "get_traverse_shallow_structure",
    "is_attrs",
    "is_mapping",
    "is_namedtuple",
    "is_nested",
    "is_nested_or_composite",
    "is_sequence",
    "is_sequence_or_composite",
    "list_to_tuple",
    "map_structure",
    "map_structure_up_to",
    "map_structure_with_paths",
    "map_structure_with_tuple_paths",
    "map_structure_with_tuple_paths_up_to",
    "pack_sequence_as",
    "same_namedtuples",
    "yield_flat_paths",
]


def _yield_flattened_up_to(shallow_tree, input_tree):
    """Yields what input_tree has at the leaves of shallow_tree: TensorFlow's before 1.14."""
    for _, value in _yield_flat_up_to(shallow_tree, input_tree, is_nested):
        yield value
