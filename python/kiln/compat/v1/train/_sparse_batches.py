"""Sparse tensors in queues: a queue holds handles, and the session a map from them to the tensors."""

from kiln._generated import raw_ops
from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._sparse import SparseTensor


class Stored:
    """The tensors of several lists with handles in place of sparse ones.

    Lists share the maps of the first one. Source: tf's training.input._store_sparse_tensors.
    """

    def __init__(self, lists, enqueue_many, keep_input):
        self._enqueue_many, self._keep = enqueue_many, keep_input
        # For each tensor: None, or (dtype, rank, operation whose map it is).
        self._kinds = [None] * len(lists[0])
        self.tensors = [
            [self._stored(i, each) for i, each in enumerate(tensors)] for tensors in lists
        ]

    def _stored(self, index, tensor):
        if not isinstance(tensor, SparseTensor):
            return tensor
        kind = self._kinds[index]
        store = raw_ops.add_many_sparse_to_tensors_map if self._enqueue_many else raw_ops.add_sparse_to_tensors_map
        found = []

        def add():
            name = kind[2].name if kind else ""
            handle = store(tensor.indices, tensor.values, tensor.dense_shape, shared_name=name)
            found.append(handle.op)
            return handle

        handles = self._handles(tensor, add)
        if kind is None:
            rank = tensor.dense_shape.shape.with_rank(1).as_list()[0]
            if rank is not None and self._enqueue_many:
                rank -= 1
            self._kinds[index] = (tensor.dtype, rank, found[0])
        if self._enqueue_many:
            handles.set_shape([None])
        return handles

    def _handles(self, tensor, add):
        """Of what is kept; -1 where nothing is stored."""
        keep = self._keep
        if keep is True or (isinstance(keep, _c.Tensor) and keep.shape.ndims == 1):
            return add()
        if keep is False:
            return _c.constant(-1, dtypes.int64)

        def nothing():
            if not self._enqueue_many:
                return _c.constant(-1, dtypes.int64)
            rows = _c.strided_slice(_c.cast(tensor.dense_shape, dtypes.int32), [0], [1], [1])
            return _c.fill(rows, _c.constant(-1, dtypes.int64))

        from kiln.compat.v1._control_flow import cond

        return cond(keep, add, nothing)

    def restored(self, batches):
        """Batches of sparse tensors in place of those of handles."""
        return [
            batch if kind is None else self._restored(batch, *kind) for batch, kind in zip(batches, self._kinds)
        ]

    @staticmethod
    def _restored(handles, dtype, rank, operation):
        container = operation.get_attr("container").decode()
        indices, values, shape = raw_ops.take_many_sparse_from_tensors_map(
            handles, dtype, container=container, shared_name=operation.name
        )
        if rank is not None:
            indices.set_shape([None, rank + 1])
            shape.set_shape([rank + 1])
        return SparseTensor(indices, values, shape)
