"""tf.lookup.experimental."""

from kiln.compat.v1.lookup._mutable import DenseHashTable

__all__ = ["DenseHashTable"]
