"""What tf does not show of areas where a run leaves tensors for another."""

from kiln._generated import raw_ops
from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.staging import StagingArea

gen_data_flow_ops = raw_ops
GPUCompatibleFIFOQueue = tf.FIFOQueue  # of the one kind of device


class MapStagingArea(StagingArea):
    """Tuples of tensors by keys: put() leaves a tuple, or components of one; get() takes it, and waits for it.

    ordered: get() without a key takes the tuple of the smallest one. The other arguments are StagingArea's. Source:
    tensorflow.python.ops.data_flow_ops.MapStagingArea.
    """

    def __init__(
        self, dtypes, shapes=None, names=None, shared_name=None, ordered=False, capacity=0, memory_limit=0
    ):
        super().__init__(dtypes, shapes, names, shared_name, capacity, memory_limit)
        self._ordered = ordered

    def _add(self, what, *inputs, name, dtypes=None):
        """Adds an op of the area."""
        function = getattr(raw_ops, f"ordered_map_{what}" if self._ordered else f"map_{what}")
        return function(*inputs, **self._options(name, dtypes=self._dtypes if dtypes is None else dtypes))

    def _places(self, values, indices):
        """The numbers of the components that are put. Errors: ValueError."""
        if isinstance(values, dict):
            return [i for i, key in enumerate(self._names or ()) if key in values]
        if indices is None:
            raise ValueError("Indices must be supplied when inserting a list of tensors")
        if len(indices) != len(values):
            raise ValueError(f"Number of indices {len(indices)} doesn't match number of values {len(values)}")
        return list(indices)

    def put(self, key, vals, indices=None, name=None):
        """An operation that leaves components of the tuple of a key, an int64.

        vals: a dict by names, or a list with the numbers of its components as indices. Errors: ValueError.
        """
        vals = vals if isinstance(vals, (list, tuple, dict)) else [vals]
        scope_values = list(vals.values()) if isinstance(vals, dict) else list(vals)
        with tf.name_scope(name, f"{self._name}_put", scope_values) as scope:
            tensors = self._components(vals, places := self._places(vals, indices))
            with tf.get_default_graph().colocate_with(self._coloc_op):
                return self._add("stage", key, places, tensors, name=scope)

    def _chosen(self, indices):
        """The numbers and dtypes of the components that are asked for. Errors: TypeError, ValueError."""
        if indices is None:
            indices = list(range(len(self._dtypes)))
        if not isinstance(indices, (tuple, list)):
            raise TypeError(f"Invalid indices type {type(indices)}")
        if not indices:
            raise ValueError("Empty indices")
        if all(isinstance(each, str) for each in indices):
            if self._names is None:
                raise ValueError(
                    f"String indices provided {indices}, but this Staging Area was not created with names."
                )
            if not set(indices).issubset(self._names):
                raise ValueError(f"Named index not in Staging Area names {self._names}")
            indices = [list(self._names).index(each) for each in indices]
        elif not all(isinstance(each, int) for each in indices):
            raise TypeError(f"Mixed types in indices {indices}. May only be str or int")
        return indices, [self._dtypes[i] for i in indices]

    def peek(self, key, indices=None, name=None):
        """The tensors of the tuple of a key, which stays. indices: names or numbers of components; None: all."""
        places, dtypes = self._chosen(indices)
        with tf.get_default_graph().colocate_with(self._coloc_op):
            seen = self._add("peek", key, places, dtypes=dtypes, name=name or f"{self._name}_pop")
        return self._taken(seen, places)

    def get(self, key=None, indices=None, name=None):
        """A key and the tensors of its tuple, which is taken away. key: None: any, the smallest where ordered."""
        places, dtypes = self._chosen(indices)
        with tf.get_default_graph().colocate_with(self._coloc_op):
            if key is None:
                name = name or f"{self._name}_get_nokey"
                found, taken = self._add("unstage_no_key", places, dtypes=dtypes, name=name)
            else:
                taken = self._add("unstage", key, places, dtypes=dtypes, name=name or f"{self._name}_get")
        return self._here([found])[0] if key is None else key, self._taken(taken, places)

    def size(self, name=None):
        """How many whole tuples there are."""
        return self._add("size", name=name or f"{self._name}_size")

    def incomplete_size(self, name=None):
        """How many tuples lack components."""
        return self._add("incomplete_size", name=name or f"{self._name}_incomplete_size")

    def clear(self, name=None):
        """An operation that drops all tuples."""
        return self._add("clear", name=name or f"{self._name}_clear")
