"""Queues of tensors, which the runs of a session fill and empty."""

import hashlib

from kiln._generated import raw_ops
from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes as _dtypes
from kiln.compat.v1._constant_value import constant_value
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1.shapes import TensorShape, as_shape


def _type_list(dtypes):
    return [_dtypes.as_dtype(each) for each in (dtypes if isinstance(dtypes, (list, tuple)) else [dtypes])]


def _shape_list(shapes, dtypes, unknown_dim_allowed=False, unknown_rank_allowed=False):
    """A TensorShape for each component, or None where nothing is known. Errors: ValueError, TypeError."""
    if shapes is None:
        return None
    if isinstance(shapes, TensorShape):
        shapes = [shapes]
    if not isinstance(shapes, (tuple, list)):
        raise TypeError("Shapes must be a TensorShape or a list or tuple of TensorShapes.")
    if all(shape is None or isinstance(shape, int) for shape in shapes):
        shapes = [shapes]  # one shape
    shapes = [as_shape(shape) for shape in shapes]
    if not unknown_dim_allowed and any(not shape.is_fully_defined() for shape in shapes):
        raise ValueError(f"All shapes must be fully defined: {shapes}")
    if not unknown_rank_allowed and any(shape.dims is None for shape in shapes):
        raise ValueError(f"All shapes must have a defined rank: {shapes}")
    return shapes


def _name_list(names, dtypes):
    if names is None:
        return None
    names = list(names) if isinstance(names, (list, tuple)) else [names]
    if len(names) != len(dtypes):
        raise ValueError("List of names must have the same length as the list of dtypes")
    return names


class QueueBase:
    """A queue of tuples of tensors. Other classes make one; this one stands for a tensor that is a queue.

    An operation that finds no room, or nothing, waits. Source: tf.QueueBase.
    """

    def __init__(self, dtypes, shapes, names, queue_ref):
        """shapes: one for each component, or None; names: of the components, which are dicts then, or None."""
        self._dtypes = dtypes
        if shapes is not None:
            if len(shapes) != len(dtypes):
                raise ValueError("Queue shapes must have the same length as dtypes")
            self._shapes = [TensorShape(shape) for shape in shapes]
        else:
            self._shapes = [TensorShape(None) for _ in dtypes]
        if names is not None and len(names) != len(dtypes):
            raise ValueError("Queue names must have the same length as dtypes")
        self._names, self._queue_ref = names, queue_ref
        self._name = queue_ref.op.name.rpartition("/")[2]

    @staticmethod
    def from_list(index, queues):
        """The queue that a tensor chooses among others. Errors: TypeError."""
        if not isinstance(queues, list) or not queues or not all(isinstance(each, QueueBase) for each in queues):
            raise TypeError("A list of queues expected")
        dtypes, names = queues[0].dtypes, queues[0].names
        if any(each.dtypes != dtypes for each in queues[1:]):
            raise TypeError("Queues do not have matching component dtypes.")
        if any(each.names != names for each in queues[1:]):
            raise TypeError("Queues do not have matching component names.")
        chosen = _c.gather(_c.stack([each.queue_ref for each in queues]), index)
        shapes = None
        if all(len(each._shapes) == len(dtypes) for each in queues):
            shapes = [_common(parts) for parts in zip(*(each._shapes for each in queues))]
        return QueueBase(dtypes=dtypes, shapes=shapes, names=names, queue_ref=chosen)

    queue_ref = property(lambda self: self._queue_ref)
    dtypes = property(lambda self: self._dtypes)
    shapes = property(lambda self: self._shapes)
    names = property(lambda self: self._names)

    @property
    def name(self):
        return self._queue_ref.op.name

    def _tensors(self, vals):
        """The components as tensors. Errors: ValueError for a dict where there are no names, and the other way round."""
        if isinstance(vals, dict):
            if not self._names:
                raise ValueError("Queue must have names to enqueue a dictionary")
            if sorted(self._names, key=str) != sorted(vals, key=str):
                raise ValueError(
                    "Keys in dictionary to enqueue do not match names of Queue.  "
                    f"Dictionary: ({list(vals)}), Queue: ({self._names})"
                )
            vals = [vals[key] for key in self._names]
        else:
            if self._names:
                raise ValueError("You must enqueue a dictionary in a Queue with names")
            if not isinstance(vals, (list, tuple)):
                vals = [vals]
        return [
            convert_to_tensor(value, dtype=dtype, name=f"component_{i}")
            for i, (value, dtype) in enumerate(zip(vals, self._dtypes))
        ]

    def _scope(self, name, suffix):
        return self._queue_ref.graph.name_scope(name or self._name + suffix)

    def enqueue(self, vals, name=None):
        """An operation that adds one element: a tensor, a list of components, or a dict of them."""
        with self._queue_ref.graph.as_default(), self._scope(name, "_enqueue") as scope:
            tensors = self._tensors(vals)
            for tensor, shape in zip(tensors, self._shapes):
                tensor.shape.assert_is_compatible_with(shape)
            return raw_ops.queue_enqueue_v2(self._queue_ref, tensors, name=scope)

    def enqueue_many(self, vals, name=None):
        """An operation that adds the rows of tensors, element by element."""
        with self._queue_ref.graph.as_default(), self._scope(name, "_EnqueueMany") as scope:
            tensors = self._tensors(vals)
            rows = tensors[0].shape.with_rank_at_least(1)[0]
            for tensor, shape in zip(tensors, self._shapes):
                rows = rows.merge_with(tensor.shape.with_rank_at_least(1)[0])
                tensor.shape[1:].assert_is_compatible_with(shape)
            return raw_ops.queue_enqueue_many_v2(self._queue_ref, tensors, name=scope)

    def _dequeued(self, tensors, rows):
        """What a dequeue gives: one tensor, a list, or a dict; rows: the extents before an element's."""
        for tensor, shape in zip(tensors, self._shapes):
            tensor.set_shape(TensorShape(rows).concatenate(shape))
        if self._names:
            return dict(zip(self._names, tensors))
        return tensors[0] if len(tensors) == 1 else tensors

    def dequeue(self, name=None):
        """The oldest element, which is taken away. The run fails once the queue is closed and empty."""
        name = name or f"{self._name}_Dequeue"
        return self._dequeued(raw_ops.queue_dequeue_v2(self._queue_ref, self._dtypes, name=name), [])

    def dequeue_many(self, n, name=None):
        """n elements as rows of one; fails where there are not enough and the queue is closed."""
        name = name or f"{self._name}_DequeueMany"
        tensors = raw_ops.queue_dequeue_many_v2(self._queue_ref, n, self._dtypes, name=name)
        return self._dequeued(tensors, [constant_value(tensors[0].op.inputs[1])])

    def dequeue_up_to(self, n, name=None):
        """n elements as rows of one, or those that are left when the queue is closed."""
        name = name or f"{self._name}_DequeueUpTo"
        tensors = raw_ops.queue_dequeue_up_to_v2(self._queue_ref, n, self._dtypes, name=name)
        return self._dequeued(tensors, [None])

    def close(self, cancel_pending_enqueues=False, name=None):
        """An operation after which nothing can be enqueued."""
        name = name or f"{self._name}_Close"
        return raw_ops.queue_close_v2(self._queue_ref, cancel_pending_enqueues, name=name)

    def is_closed(self, name=None):
        return raw_ops.queue_is_closed_v2(self._queue_ref, name=name or f"{self._name}_Is_Closed")

    def size(self, name=None):
        """How many elements it has, an int32."""
        return raw_ops.queue_size_v2(self._queue_ref, name=name or f"{self._name}_Size")


def _common(shapes):
    """What is the same in all shapes."""
    merged = shapes[0]
    for shape in shapes[1:]:
        if merged.dims is None or shape.dims is None or len(merged.dims) != len(shape.dims):
            return TensorShape(None)
        merged = TensorShape(
            [a if a == b else None for a, b in zip(merged.as_list(), shape.as_list())]
        )
    return merged


def _of_shapes(shapes):
    return [] if shapes is None else shapes


class FIFOQueue(QueueBase):
    """A queue that gives elements in the order in which they came.

    capacity: how many it holds; shapes: of the components, needed for dequeue_many(); shared_name: by which sessions
    share it. Source: tf.FIFOQueue.
    """

    def __init__(self, capacity, dtypes, shapes=None, names=None, shared_name=None, name="fifo_queue"):
        dtypes = _type_list(dtypes)
        shapes, names = _shape_list(shapes, dtypes), _name_list(names, dtypes)
        graph = get_default_graph()
        with graph.control_dependencies(None), graph.device("CPU"):
            queue = raw_ops.fifo_queue_v2(
                dtypes, _of_shapes(shapes), capacity, shared_name=shared_name or "", name=name
            )
        super().__init__(dtypes, shapes, names, queue)


class RandomShuffleQueue(QueueBase):
    """A queue that gives elements in random order.

    min_after_dequeue: so many stay in it, as long as it is not closed. Source: tf.RandomShuffleQueue.
    """

    def __init__(
        self,
        capacity,
        min_after_dequeue,
        dtypes,
        shapes=None,
        names=None,
        seed=None,
        shared_name=None,
        name="random_shuffle_queue",
    ):
        dtypes = _type_list(dtypes)
        shapes, names = _shape_list(shapes, dtypes), _name_list(names, dtypes)
        seed1, seed2 = _c.seeds_for(get_default_graph(), seed)
        if get_default_graph().seed is not None and seed is None and shared_name is not None:
            # A shared queue draws the same in all programs of one seed.
            seed2 = int(hashlib.md5(f"{seed1}{shared_name}".encode()).hexdigest()[:8], 16) & 0x7FFFFFFF
        queue = raw_ops.random_shuffle_queue_v2(
            dtypes, _of_shapes(shapes), capacity, min_after_dequeue, seed1 or 0, seed2 or 0,
            shared_name=shared_name or "", name=name,
        )  # fmt: skip
        super().__init__(dtypes, shapes, names, queue)


class PaddingFIFOQueue(QueueBase):
    """A queue whose elements may differ in extents that the shapes leave open; batches are filled up with zeros.

    Source: tf.PaddingFIFOQueue.
    """

    def __init__(self, capacity, dtypes, shapes, names=None, shared_name=None, name="padding_fifo_queue"):
        dtypes = _type_list(dtypes)
        shapes = _shape_list(shapes, dtypes, unknown_dim_allowed=True)
        names = _name_list(names, dtypes)
        if len(dtypes) != len(shapes):
            raise ValueError(
                "Shapes must be provided for all components, "
                f"but received {len(dtypes)} dtypes and {len(shapes)} shapes."
            )
        queue = raw_ops.padding_fifo_queue_v2(dtypes, shapes, capacity, shared_name=shared_name or "", name=name)
        super().__init__(dtypes, shapes, names, queue)


class PriorityQueue(QueueBase):
    """A queue that gives the element of the least priority first; the first component is the priority, an int64.

    Source: tf.PriorityQueue.
    """

    def __init__(self, capacity, types, shapes=None, names=None, shared_name=None, name="priority_queue"):
        types = _type_list(types)
        shapes = _shape_list(shapes, types)
        queue = raw_ops.priority_queue_v2(
            _of_shapes(shapes), types, capacity, shared_name=shared_name or "", name=name
        )
        with_priority = [_dtypes.int64, *types]
        super().__init__(with_priority, [(), *shapes] if shapes else shapes, names, queue)


def queue_of(queue_ref):
    """The queue that a tensor is, as far as its operation tells."""
    attrs = queue_ref.op.node_def.attr
    types = [_dtypes.as_dtype(each) for each in attrs["component_types"].list.type]
    shapes = [TensorShape(each) for each in attrs["shapes"].list.shape] or None
    if queue_ref.op.type.startswith("PriorityQueue"):
        types = [_dtypes.int64, *types]
        shapes = shapes and [TensorShape([]), *shapes]
    return QueueBase(types, shapes, None, queue_ref)
