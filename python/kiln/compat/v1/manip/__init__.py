"""Elements moved: tf.manip."""

from kiln.compat.v1._array_ops import (
    batch_to_space_nd, gather_nd, reverse, roll, space_to_batch_nd, tile,
)  # fmt: skip
from kiln.compat.v1._selection_ops import scatter_nd
from kiln.compat.v1._shape_ops import reshape

__all__ = [
    "batch_to_space_nd", "gather_nd", "reshape", "reverse", "roll", "scatter_nd",
    "space_to_batch_nd", "tile",
]  # fmt: skip
