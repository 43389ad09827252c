"""Sets: tf.sets."""

from kiln.compat.v1._set_ops import (
    set_difference as difference, set_difference, set_intersection as intersection,
    set_intersection, set_size, set_size as size, set_union, set_union as union,
)  # fmt: skip

__all__ = [
    "difference", "intersection", "set_difference", "set_intersection", "set_size", "set_union",
    "size", "union",
]  # fmt: skip
