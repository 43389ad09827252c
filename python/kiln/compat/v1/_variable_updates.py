"""Reads and updates of parts of variables, by indices: methods of tf.Variable."""


class VariableUpdates:
    """Methods whose slices are IndexedSlices. Errors: ValueError for others."""

    __slots__ = ()

    def scatter_sub(self, sparse_delta, use_locking=False, name=None):
        return self._scattered("sub", sparse_delta, use_locking, name)

    def scatter_add(self, sparse_delta, use_locking=False, name=None):
        return self._scattered("add", sparse_delta, use_locking, name)

    def scatter_update(self, sparse_delta, use_locking=False, name=None):
        return self._scattered("update", sparse_delta, use_locking, name)

    def scatter_max(self, sparse_delta, use_locking=False, name=None):
        return self._scattered("max", sparse_delta, use_locking, name)

    def scatter_min(self, sparse_delta, use_locking=False, name=None):
        return self._scattered("min", sparse_delta, use_locking, name)

    def scatter_mul(self, sparse_delta, use_locking=False, name=None):
        return self._scattered("mul", sparse_delta, use_locking, name)

    def scatter_div(self, sparse_delta, use_locking=False, name=None):
        return self._scattered("div", sparse_delta, use_locking, name)

    def _scattered(self, kind, sparse_delta, use_locking, name):
        from kiln.compat.v1 import _state_ops
        from kiln.compat.v1._sparse import IndexedSlices

        if not isinstance(sparse_delta, IndexedSlices):
            raise ValueError(f"sparse_delta is not IndexedSlices: {sparse_delta}")
        function = getattr(_state_ops, f"scatter_{kind}")
        return function(self, sparse_delta.indices, sparse_delta.values, use_locking, name)

    # At indices whose last axis are coordinates.

    def scatter_nd_sub(self, indices, updates, name=None):
        return self._scattered_nd("nd_sub", indices, updates, name)

    def scatter_nd_add(self, indices, updates, name=None):
        return self._scattered_nd("nd_add", indices, updates, name)

    def scatter_nd_update(self, indices, updates, name=None):
        return self._scattered_nd("nd_update", indices, updates, name)

    def _scattered_nd(self, kind, indices, updates, name):
        from kiln.compat.v1 import _state_ops

        return getattr(_state_ops, f"scatter_{kind}")(self, indices, updates, True, name)

    # Reads.

    def sparse_read(self, indices, name=None):
        """Rows of the value, by an op that reads no others."""
        from kiln.compat.v1._array_ops import gather

        return gather(self, indices, name=name)

    def gather_nd(self, indices, name=None):
        """Parts of the value, at indices whose last axis are coordinates."""
        from kiln.compat.v1._array_ops import gather_nd

        return gather_nd(self, indices, name=name)
