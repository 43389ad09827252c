"""Reads and updates of parts of variables, by indices: methods of tf.Variable."""

from kiln._kiln import front as _c


class VariableUpdates:
    """Methods whose slices are IndexedSlices. Errors: TypeError for others."""

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

        self._check_slices(sparse_delta)
        function = getattr(_state_ops, f"scatter_{kind}")
        return function(self, sparse_delta.indices, sparse_delta.values, use_locking, name)

    @staticmethod
    def _check_slices(sparse_delta):
        from kiln.compat.v1._sparse import IndexedSlices

        if not isinstance(sparse_delta, IndexedSlices):
            raise TypeError(f"sparse_delta is not IndexedSlices: {sparse_delta}")

    def batch_scatter_update(self, sparse_delta, use_locking=False, name=None):
        """Replaces rows of each batch. Source: tf.batch_scatter_update."""
        from kiln.compat.v1 import _state_ops

        self._check_slices(sparse_delta)
        return _state_ops.batch_scatter_update(self, sparse_delta.indices, sparse_delta.values, use_locking, name)

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

    # Reads, and parts that are assigned.

    def sparse_read(self, indices, name=None):
        """Rows of the value, by an op that reads no others."""
        if self._is_resource():
            from kiln._generated import raw_ops

            rows = raw_ops.resource_gather(self.handle, indices, self.dtype.base_dtype, name=name or "Gather")
            return raw_ops.identity(rows)
        from kiln.compat.v1._array_ops import gather

        return gather(self, indices, name=name)

    def gather_nd(self, indices, name=None):
        """Parts of the value, at indices whose last axis are coordinates."""
        from kiln.compat.v1._array_ops import gather_nd

        return gather_nd(self, indices, name=name)

    def __getitem__(self, index):
        """A part, which assign() gives a value: variable[1:].assign(value)."""
        if isinstance(index, (_c.Tensor, _c.Variable)) and index.dtype.base_dtype.is_bool:
            return _c.boolean_mask(self, index)
        from kiln.compat.v1 import _state_ops

        part = _c.sliced(self, index)
        begin, end, strides = part.op.inputs[1:4]
        kinds = ("begin", "end", "ellipsis", "new_axis", "shrink_axis")
        masks = [_c.attribute(part.op, f"{kind}_mask") for kind in kinds]
        part.assign = _state_ops.slice_assignment(self, begin, end, strides, masks, part.op.name + "/")
        return part

    def experimental_ref(self):
        """Something that can be a key where variables cannot. Source: tf.Variable.experimental_ref."""
        from kiln.compat.v1._elements import Reference

        return Reference(self)
