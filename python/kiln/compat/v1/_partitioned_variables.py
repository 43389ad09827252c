"""Variables in parts, and the functions that cut them."""

from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1._elements import Tensor
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1.shapes import TensorShape


class PartitionedVariable(_c.PartitionedVariable):
    """A variable in parts, each a variable of its own: what tf.get_variable(partitioner=...) gives.

    As a tensor it is the parts put together. It is iterated part by part. Source:
    tf.python.ops.variables.PartitionedVariable.
    """

    def __init__(self, name, shape, dtype, variable_list, partitions):
        if not isinstance(variable_list, (list, tuple)):
            raise TypeError(f"variable_list is not a list or tuple: {variable_list}")
        if not isinstance(partitions, (list, tuple)):
            raise TypeError(f"partitions is not a list or tuple: {partitions}")
        if not all(p >= 1 for p in partitions):
            raise ValueError(f"partition values must be positive: {partitions}")
        if not variable_list:
            raise ValueError("variable_list may not be empty")
        axis = next((i for i, parts in enumerate(partitions) if parts > 1), 0)
        super().__init__(name, shape, list(variable_list), axis)
        self._name, self._shape, self._dtype = name, TensorShape(shape), variable_list[0].dtype.base_dtype
        self._variable_list, self._partitions = list(variable_list), list(partitions)

    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)
    shape = property(lambda self: self._shape)
    graph = property(lambda self: self._variable_list[0].graph)

    def get_shape(self):
        return self._shape

    def __iter__(self):
        return iter(self._variable_list)

    def __len__(self):
        return len(self._variable_list)

    def _get_variable_list(self):
        return self._variable_list

    def _get_partitions(self):
        return self._partitions

    def _partition_axes(self):
        return [axis for axis, parts in enumerate(self._partitions) if parts > 1] or [0]

    def as_tensor(self):
        """The whole value."""
        with self.graph.as_default():
            return self._as_tensor()

    def _dense_var_to_tensor(self, dtype=None, name=None, as_ref=False):
        if dtype is not None and not dtype.is_compatible_with(self.dtype):
            raise ValueError(
                f"Incompatible type conversion requested to type '{dtype.name}' for variable of type "
                f"'{self.dtype.name}'"
            )
        if as_ref:
            raise NotImplementedError("PartitionedVariable doesn't support being used as a reference.")
        return self.as_tensor()

    # Assignments: each part gets its part of the value.

    def assign(self, value, use_locking=False, name=None, read_value=True):
        return self._assigned("assign", value, use_locking, name, read_value)

    def assign_add(self, delta, use_locking=False, name=None, read_value=True):
        return self._assigned("assign_add", delta, use_locking, name, read_value)

    def assign_sub(self, delta, use_locking=False, name=None, read_value=True):
        return self._assigned("assign_sub", delta, use_locking, name, read_value)

    def _assigned(self, method, value, use_locking, name, read_value):
        if isinstance(value, (list, PartitionedVariable)):
            parts = list(value)
        else:
            axis = self._partition_axes()[0]
            sizes = [part.shape.as_list()[axis] for part in self]
            if not isinstance(value, (_c.Tensor, _c.Variable)):
                value = convert_to_tensor(value, self.dtype)
            parts = _c.split_by_sizes(value, sizes, axis)
        done = []
        for i, (variable, part) in enumerate(zip(self, parts)):
            own = f"{name}/{i}" if name else None
            done.append(getattr(variable, method)(part, use_locking, own, read_value))
        return done if read_value else [getattr(each, "op", each) for each in done]

    def __repr__(self):
        return f"<tf.PartitionedVariable {self._name!r} shape={self._shape} dtype={self._dtype.name}>"


def _partitioned(name, shape, parts, axis):
    """C++ calls it: the one object that stands for a variable in parts."""
    known = get_default_graph().__dict__.setdefault("_partitioned", {})
    found = known.get(name)
    if found is None or found._variable_list[0] is not parts[0]:
        partitions = [1] * shape.ndims
        if partitions:
            partitions[axis] = len(parts)
        found = known[name] = PartitionedVariable(name, shape, None, parts, partitions)
    return found


def fixed_size_partitioner(num_shards, axis=0):
    """Cuts an axis into so many parts, as far as it has room. Source: tf.fixed_size_partitioner."""

    def partitioner(shape, **_):
        return _c.fixed_size_parts(shape, None, num_shards, axis)

    return partitioner


def variable_axis_size_partitioner(max_shard_bytes, axis=0, bytes_per_string_element=16, max_shards=None):
    """Cuts an axis into parts of at most so many bytes. Source: tf.variable_axis_size_partitioner."""
    if max_shard_bytes < 1 or bytes_per_string_element < 1:
        raise ValueError("Both max_shard_bytes and bytes_per_string_element must be positive.")
    if max_shards and max_shards < 1:
        raise ValueError("max_shards must be positive.")

    def partitioner(shape, dtype):
        _check(shape, axis)
        return _c.axis_size_parts(shape, dtype, max_shard_bytes, axis, bytes_per_string_element, max_shards or 0)

    return partitioner


def min_max_variable_partitioner(max_partitions=1, axis=0, min_slice_size=256 << 10, bytes_per_string_element=16):
    """Cuts an axis into parts of at least so many bytes. Source: tf.min_max_variable_partitioner."""

    def partitioner(shape, dtype):
        _check(shape, axis)
        return _c.min_max_parts(shape, dtype, max_partitions, axis, min_slice_size, bytes_per_string_element)

    return partitioner


def create_partitioned_variables(
    shape, slicing, initializer, dtype=dtypes.float32, trainable=True, collections=None, name=None, reuse=None
):
    """A list of the parts of a variable; slicing: into how many parts each axis is cut.

    name: "PartitionedVariable" where it is None, made unique. Errors: ValueError. Source:
    tf.create_partitioned_variables.
    """
    from kiln.compat.v1 import _variable_scope

    if len(shape) != len(slicing):
        raise ValueError(
            "The 'shape' and 'slicing' of a partitioned Variable must have the length: "
            f"shape: {shape}, slicing: {slicing}"
        )
    if len(shape) < 1:
        raise ValueError(f"A partitioned Variable must have rank at least 1: shape: {shape}")
    if isinstance(initializer, Tensor):
        dtype = initializer.dtype.base_dtype  # what it is counts
    elif initializer is not None and not callable(initializer):
        initializer = convert_to_tensor(initializer, dtype)
    around = _variable_scope.get_variable_scope()
    with _variable_scope.variable_scope(name, "PartitionedVariable", reuse=reuse) as scope:
        whole = scope.name
    own = whole[len(around.name) + 1 :] if around.name else whole
    with _variable_scope.variable_scope(around, reuse=reuse, auxiliary_name_scope=False):
        found = _variable_scope.get_variable(
            own, shape, dtype, initializer, trainable=trainable, collections=collections,
            partitioner=lambda **_: slicing,
        )  # fmt: skip
    return list(found)


def _check(shape, axis):
    if not isinstance(shape, TensorShape):
        raise ValueError(f"shape is not a TensorShape: {shape}")
    if not shape.is_fully_defined():
        raise ValueError(f"shape is not fully defined: {shape}")
    if axis >= shape.ndims:
        raise ValueError(f"Cannot partition variable along axis {axis} when shape is only {shape}")


_c.set_classes(partitioned=_partitioned)
