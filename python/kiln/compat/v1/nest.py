"""tf.nest: structures of lists, tuples, named tuples and dicts, flat and back."""

from kiln.compat.v1._util.nest import (
    assert_same_structure,
    flatten,
    is_nested,
    map_structure,
    pack_sequence_as,
)

__all__ = ["assert_same_structure", "flatten", "is_nested", "map_structure", "pack_sequence_as"]
