"""tf.contrib.framework.nest beyond tf.nest: upper parts of structures, paths, several tensors in one.

What is expected was recorded from TensorFlow.
"""

import collections

import pytest

from kiln.compat.v1.contrib.framework import nest

Pair = collections.namedtuple("Pair", "a b")


class Sparse:
    """Made of several tensors."""

    def __init__(self, size, *parts):
        self.size, self.parts = size, list(parts)

    @property
    def _type_spec(self):
        return SparseSpec(self.size)


class SparseSpec:
    value_type = Sparse
    _component_specs = ["i", "v"]

    def __init__(self, size):
        self.size = size

    def _to_components(self, value):
        return value.parts

    def _from_components(self, parts):
        return Sparse(self.size, *parts)

    def most_specific_compatible_type(self, other):
        if self.size != other.size:
            raise ValueError("other size")
        return self


def raised(function, *arguments, **options):
    with pytest.raises((TypeError, ValueError)) as caught:
        function(*arguments, **options)
    return f"{type(caught.value).__name__}: {caught.value}"


def test_upper_parts():
    assert nest.flatten_up_to([0, [1]], [[1, 2], [3]]) == [[1, 2], 3]
    assert nest.flatten_up_to("a", [1, 2]) == [[1, 2]]
    assert nest.flatten_up_to(Pair(1, 2), {"a": 1, "b": 2}, check_types=False) == [1, 2]
    assert nest.flatten_up_to(
        [1, {"a": 2}], [1, {"a": 2, "b": 3}, 3], check_subtrees_length=False
    ) == [1, 2]
    assert list(nest._yield_flattened_up_to([0, [1]], [[1, 2], [3]])) == [[1, 2], 3]
    assert nest.map_structure_up_to([0, [0]], lambda x, y: (x, y), [1, [[2]]], [3, [4]]) == [
        (1, 3),
        [([2], 4)],
    ]
    assert raised(nest.flatten_up_to, [0, 1], 5) == (
        "TypeError: If shallow structure is a sequence, input must also be a sequence. Input has type: <class 'int'>."
    )
    assert raised(nest.flatten_up_to, [0, 1], [1]) == (
        "ValueError: The two structures don't have the same sequence length. "
        "Input structure has length 1, while shallow structure has length 2."
    )
    assert raised(nest.flatten_up_to, [0, 1], (1, 2)) == (
        "TypeError: The two structures don't have the same sequence type. "
        "Input structure has type <class 'tuple'>, while shallow structure has type <class 'list'>."
    )
    assert raised(nest.flatten_up_to, {"a": 1}, {"b": 2}) == (
        "ValueError: The shallow_tree's keys are not a subset of the input_tree's keys. "
        "The shallow_tree has the following keys that are not in the input_tree: ['a']."
    )
    assert raised(nest.map_structure_up_to, [0], abs) == "ValueError: Cannot map over no sequences"


def test_paths():
    structure = {"a": [1, 2], "b": Pair(3, 4)}
    assert list(nest.yield_flat_paths(structure)) == [("a", 0), ("a", 1), ("b", "a"), ("b", "b")]
    assert nest.flatten_with_joined_string_paths(structure)[2] == ("b/a", 3)
    assert nest.flatten_with_tuple_paths([5]) == [((0,), 5)]
    assert nest.flatten_with_tuple_paths_up_to([0], [[5]]) == [((0,), [5])]
    assert nest.map_structure_with_paths(lambda path, x: f"{path}={x}", structure)["b"] == Pair(
        "b/a=3", "b/b=4"
    )
    assert nest.map_structure_with_tuple_paths(lambda path, x, y: (path, x, y), [1], [2]) == [
        ((0,), 1, 2)
    ]


def test_parts_that_a_function_chooses():
    choose = nest.get_traverse_shallow_structure
    assert choose(lambda s: not isinstance(s, tuple), [1, (2, 3), [4]]) == [True, False, [True]]
    assert (
        raised(choose, lambda s: 1, [1])
        == "TypeError: traverse_fn returned a non-bool scalar: 1 for input: [1]"
    )
    assert (
        raised(choose, lambda s: [True], 1)
        == "TypeError: traverse_fn returned structure: [True] for non-structure: 1"
    )
    assert "depth=1 structure of bools" in raised(choose, lambda s: [1, 2], [1, 2])


def test_dictionaries_of_structures():
    flat = nest.flatten_dict_items({(4, (6, 8)): ("a", ("c", "d")), 9: ["e"]})
    assert flat == {4: "a", 6: "c", 8: "d", 9: ["e"]}
    assert "this key is not unique: 4" in raised(
        nest.flatten_dict_items, {(4, 5): ("a", "b"), 4: "c"}
    )
    assert "Key had 2 elements, but value had 1 elements" in raised(
        nest.flatten_dict_items, {(4, 5): "a"}
    )
    assert "instead of 'list'" in raised(nest.flatten_dict_items, [1])


def test_what_is_made_of_several_tensors():
    sparse = Sparse(1, 2, 3)
    assert nest.is_nested_or_composite(sparse) and nest.is_nested_or_composite(SparseSpec(1))
    assert not nest.is_nested(sparse)
    assert nest.flatten([sparse]) == [sparse] and nest.flatten(
        [sparse, 4], expand_composites=True
    ) == [2, 3, 4]
    packed = nest.pack_sequence_as([sparse, 0], [7, 8, 9], expand_composites=True)
    assert packed[0].parts == [7, 8] and packed[0].size == 1 and packed[1] == 9
    nest.assert_same_structure([sparse], [SparseSpec(1)], expand_composites=True)
    assert "Incompatible CompositeTensor TypeSpecs" in raised(
        nest.assert_same_structure, sparse, Sparse(9, 2, 3), expand_composites=True
    )
    assert list(nest.yield_flat_paths(sparse, expand_composites=True)) == [
        ("Sparse", 0),
        ("Sparse", 1),
    ]
