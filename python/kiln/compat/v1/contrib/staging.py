"""tf.contrib.staging: StagingArea, where a run leaves tensors for a later one."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib._forward import forwarding as _forwarding


class StagingArea:
    """Tuples of tensors that put() leaves and get() takes; get() waits for one.

    dtypes: of the components. shapes: of them, or None; names: of the components, which are dicts
    then. shared_name: areas of one name are the same. capacity: how many tuples there are at most,
    memory_limit: how many bytes; put() waits then, 0: any. Errors: ValueError. Source:
    tf.contrib.staging.StagingArea.
    """

    def __init__(
        self, dtypes, shapes=None, names=None, shared_name=None, capacity=0, memory_limit=0
    ):
        if shared_name is None:
            self._name = tf.get_default_graph().unique_name(type(self).__name__)
        elif isinstance(shared_name, str):
            self._name = shared_name
        else:
            raise ValueError("shared_name must be a string")
        for what, given in (("shapes", shapes), ("names", names)):
            if given is not None and len(given) != len(dtypes):
                raise ValueError(f"StagingArea {what} must be the same length as dtypes")
        self._dtypes, self._names = dtypes, names
        self._shapes = [tf.TensorShape(each) for each in shapes or [None] * len(dtypes)]
        self._capacity, self._memory_limit = capacity, memory_limit
        with tf.name_scope(f"{self._name}_root"):
            self._coloc_op = tf.no_op()

    name = property(lambda self: self._name)
    dtypes = property(lambda self: self._dtypes)
    shapes = property(lambda self: self._shapes)
    names = property(lambda self: self._names)
    capacity = property(lambda self: self._capacity)
    memory_limit = property(lambda self: self._memory_limit)

    def _options(self, name, **others):
        return {
            "shared_name": self._name,
            "capacity": self._capacity,
            "memory_limit": self._memory_limit,
            "name": name,
            **others,
        }

    def _components(self, values, places=None):
        """The tensors that are put. places: numbers of the components; None: the first ones. Errors:
        ValueError for what does not fit.
        """
        if isinstance(values, dict):
            if not self._names:
                raise ValueError("Staging areas must have names to enqueue a dictionary")
            if not set(values).issubset(self._names):
                raise ValueError(
                    "Keys in dictionary to put do not match names of staging area. Dictionary: "
                    f"({sorted(values)}), Queue: ({sorted(self._names)})"
                )
            given = [(i, values[key]) for i, key in enumerate(self._names) if key in values]
        elif self._names:
            raise ValueError("You must enqueue a dictionary in a staging area with names")
        else:
            given = list(enumerate(values) if places is None else zip(places, values))
        if len(given) > len(self._dtypes):
            raise ValueError(
                f"Unexpected number of inputs '{len(given)}' vs '{len(self._dtypes)}'"
            )
        tensors = []
        for i, value in given:
            if value.dtype != self._dtypes[i]:
                raise ValueError(
                    f"Datatypes do not match. '{value.dtype}' != '{self._dtypes[i]}'"
                )
            value.get_shape().assert_is_compatible_with(self._shapes[i])
            tensors.append(
                tf.convert_to_tensor(value, dtype=self._dtypes[i], name=f"component_{i}")
            )
        return tensors

    def put(self, values, name=None):
        """An operation that leaves a tuple: a tensor, a list or a dict of them. Errors: ValueError."""
        values = values if isinstance(values, (list, tuple, dict)) else [values]
        scope_values = list(values.values()) if isinstance(values, dict) else list(values)
        with tf.name_scope(name, f"{self._name}_put", scope_values) as scope:
            tensors = self._components(values)
            with tf.get_default_graph().colocate_with(self._coloc_op):
                return tf.raw_ops.Stage(values=tensors, **self._options(scope))

    def _here(self, tensors):
        """Copies of tensors where the device is another than the area's."""
        if tf.no_op().device != self._coloc_op.device:
            tensors = [tf.identity(each) for each in tensors]
        return tensors

    def _taken(self, tensors, places=None):
        tensors = list(tensors) if isinstance(tensors, (list, tuple)) else [tensors]
        tensors, places = self._here(tensors), places or range(len(tensors))
        for tensor, place in zip(tensors, places):
            tensor.set_shape(self._shapes[place])
        return {self._names[i]: each for i, each in zip(places, tensors)} if self._names else tensors

    def get(self, name=None):
        """The tensors of a tuple, which is taken away: a list, or a dict where there are names."""
        with tf.get_default_graph().colocate_with(self._coloc_op):
            options = self._options(name or f"{self._name}_get", dtypes=self._dtypes)
            taken = tf.raw_ops.Unstage(**options)
        return self._taken(taken)

    def peek(self, index, name=None):
        """The tensors of a tuple, which stays."""
        with tf.get_default_graph().colocate_with(self._coloc_op):
            options = self._options(name or f"{self._name}_peek", dtypes=self._dtypes)
            seen = tf.raw_ops.StagePeek(index=index, **options)
        return self._taken(seen)

    def size(self, name=None):
        """How many tuples there are."""
        return tf.raw_ops.StageSize(
            **self._options(name or f"{self._name}_size", dtypes=self._dtypes)
        )

    def clear(self, name=None):
        """An operation that drops all tuples."""
        return tf.raw_ops.StageClear(
            **self._options(name or f"{self._name}_clear", dtypes=self._dtypes)
        )


__getattr__, __dir__ = _forwarding(__name__, "")
