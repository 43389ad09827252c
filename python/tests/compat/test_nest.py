"""tf.nest and tf.contrib.framework.nest; what is expected was recorded from TensorFlow."""

import collections
import collections.abc

import numpy as np
import pytest

import kiln.compat.v1.nest
from kiln.compat.v1.contrib.framework import nest

Pair = collections.namedtuple("Pair", "a b")
OtherPair = collections.namedtuple("Other", "a b")


class Items(collections.abc.Mapping):
    """A mapping that cannot be changed."""

    def __init__(self, pairs):
        self.pairs = dict(pairs)

    def __getitem__(self, key):
        return self.pairs[key]

    def __iter__(self):
        return iter(self.pairs)

    def __len__(self):
        return len(self.pairs)

    def __repr__(self):
        return f"Items({self.pairs})"


class Attributes:
    """What attr.s makes of a class with z and a."""

    __attrs_attrs__ = collections.namedtuple("Field", "name")("z"), collections.namedtuple(
        "Field", "name"
    )("a")

    def __init__(self, z, a):
        self.z, self.a = z, a


def raised(function, *arguments, **options):
    with pytest.raises((TypeError, ValueError)) as caught:
        function(*arguments, **options)
    return f"{type(caught.value).__name__}: {caught.value}"


def test_what_is_a_structure():
    for structure in (
        [],
        (),
        {},
        Pair(1, 2),
        range(3),
        {"a": 1}.items(),
        collections.deque(),
        Items({}),
        Attributes(1, 2),
    ):
        assert nest.is_nested(structure) and nest.is_sequence(structure)
    for atom in ("s", b"s", None, 1, np.zeros(2), {1}, iter([]), type):
        assert not nest.is_nested(atom)
    assert nest.is_namedtuple(Pair(1, 2), strict=True) and not nest._is_namedtuple((1, 2))
    assert all(
        getattr(kiln.compat.v1.nest, name) is getattr(nest, name)
        for name in kiln.compat.v1.nest.__all__
    )
    assert all(hasattr(nest, name) for name in nest.__all__)


@pytest.mark.parametrize(
    "structure, atoms",
    [
        (5, [5]),
        (None, [None]),
        ({"b": 1, "a": [2, (3,)]}, [2, 3, 1]),
        (collections.OrderedDict([("b", 1), ("a", 2)]), [2, 1]),
        (Pair(1, {"x": Pair(2, [])}), [1, 2]),
        (Items({"b": 1, "a": 2}), [2, 1]),
        (Attributes([1, 2], 3), [1, 2, 3]),
        ({"b": 1, "a": 2}.values(), [1, 2]),
        ([[], {}, ()], []),
    ],
)
def test_flatten_and_back(structure, atoms):
    assert nest.flatten(structure) == atoms
    packed = nest.pack_sequence_as(structure, [-atom if atom else atom for atom in atoms])
    assert nest.flatten(packed) == [-atom if atom else atom for atom in atoms]
    if not isinstance(structure, collections.abc.ValuesView):
        assert type(packed) is type(structure)
        nest.assert_same_structure(structure, packed)


def test_packing():
    ordered = collections.OrderedDict([("b", 1), ("a", 2)])
    assert list(nest.pack_sequence_as(ordered, [3, 4]).items()) == [("b", 4), ("a", 3)]
    assert nest.pack_sequence_as(collections.defaultdict(list, a=1), [3]).default_factory is list
    assert (
        nest.pack_sequence_as(range(2), (3, 4)) == [3, 4] and nest.pack_sequence_as("abc", [1]) == 1
    )
    assert raised(nest.pack_sequence_as, [1, [2]], [3]) == (
        "ValueError: Could not pack sequence. Structure had 2 atoms, but flat_sequence had 1 items.  "
        "Structure: [1, [2]], flat_sequence: [3]."
    )
    assert raised(nest.pack_sequence_as, [1], 3) == (
        "TypeError: Attempted to pack value:\n  3\ninto a structure, but found incompatible type `<class 'int'>` instead."
    )
    assert raised(nest.pack_sequence_as, 1, [3, 4]) == (
        "ValueError: The target structure is of type `<class 'int'>`\n  1\nHowever the input is a sequence "
        "(<class 'list'>) of length 2.\n  [3, 4]\nnest cannot guarantee that it is safe to map one to the other."
    )
    assert "nest only supports dicts with sortable keys." in raised(
        nest.pack_sequence_as, {1: 1, "a": 2}, [1, 2]
    )
    assert "'<' not supported between instances of 'str' and 'int'" in raised(
        nest.flatten, {1: 1, "a": 2}
    )
    assert nest.list_to_tuple([1, {"a": [2]}]) == (1, {"a": (2,)})


def test_map_structure():
    assert nest.map_structure(lambda *x: x, [1, {"a": 2}], [3, {"a": 4}]) == [(1, 3), {"a": (2, 4)}]
    assert nest.map_structure(lambda x, y: x + y, [1], (2,), check_types=False) == [3]
    assert raised(nest.map_structure, 1, [1]) == "TypeError: func must be callable, got: 1"
    assert raised(nest.map_structure, abs) == "ValueError: Must provide at least one structure"
    assert raised(nest.map_structure, abs, [1], foo=1) == (
        "ValueError: Only valid keyword arguments are `check_types` and `expand_composites`, not: `foo`"
    )


@pytest.mark.parametrize(
    "one, other, only_types, text",
    [
        (
            [1],
            (1,),
            True,
            "TypeError|The two namedtuples don't have the same sequence type. First structure type=list str=[1] "
            "has type list, while second structure type=tuple str=(1,) has type tuple",
        ),
        (
            Pair(1, 2),
            OtherPair(1, 2),
            True,
            "TypeError|The two namedtuples don't have the same sequence type. First structure "
            "type=Pair str=Pair(a=1, b=2) has type Pair, while second structure type=Other str=Other(a=1, b=2) has type Other",
        ),
        (
            collections.deque(),
            [],
            True,
            "TypeError|The two namedtuples don't have the same sequence type. First structure "
            "type=deque str=deque([]) has type collections.deque, while second structure type=list str=[] has type list",
        ),
        (
            {"a": 1},
            {"b": 1},
            True,
            "ValueError|The two dictionaries don't have the same set of keys. First structure has keys "
            "type=list str=['a'], while second structure has keys type=list str=['b']",
        ),
        (
            [1, (2,)],
            [1, (2, 3)],
            False,
            "ValueError|The two structures don't have the same number of elements. First structure: "
            "type=tuple str=(2,). Second structure: type=tuple str=(2, 3)",
        ),
        (
            [1],
            [[1]],
            False,
            'ValueError|Substructure "type=list str=[1]" is a sequence, while substructure "type=int str=1" is not',
        ),
    ],
)
def test_structures_that_differ(one, other, only_types, text):
    kind, text = text.split("|")
    message = raised(nest.assert_same_structure, one, other)
    dots = [nest.map_structure(lambda _: "@", each) for each in (one, other)]
    assert message.replace("@", ".") == (
        f"{kind}: The two structures don't have the same nested structure.\n\n"
        f"First structure: type={type(one).__name__} str={one}\n\nSecond structure: type={type(other).__name__} str={other}\n\n"
        f"More specifically: {text}\nEntire first structure:\n{dots[0]}\nEntire second structure:\n{dots[1]}"
    ).replace("'@'", ".")
    if only_types:
        nest.assert_same_structure(one, other, check_types=False)


def test_structures_that_are_the_same():
    class List(list):
        pass

    for one, other in (
        (Pair(1, [2]), collections.namedtuple("Pair", "a b")(3, [4])),
        (List([1]), [2]),
        (Items({"a": 1}), {"a": 2}),
        (collections.OrderedDict(b=1, a=2), {"a": 1, "b": 2}),
        ("ab", np.zeros(2)),
    ):
        nest.assert_same_structure(one, other)
