"""The nodes of conditionals and loops, as they take references and slices too."""

import collections

from kiln._generated import raw_ops
from kiln.compat import v1 as tf

_Merge = collections.namedtuple("Merge", ["output", "value_index"])


def _is_ref(value):
    return isinstance(value, tf.Tensor) and value.dtype._is_ref_dtype


def _by_parts(value, make):
    """What a function of tensors makes of IndexedSlices and SparseTensors."""
    if isinstance(value, tf.SparseTensor):
        return tf.SparseTensor(make(value.indices), make(value.values), make(value.dense_shape))
    shape = value.dense_shape
    return tf.IndexedSlices(make(value.values), make(value.indices), None if shape is None else make(shape))


def _tensor(value):
    """A tensor; IndexedSlices and SparseTensors as they are."""
    if isinstance(value, (tf.IndexedSlices, tf.SparseTensor)):
        return value
    if isinstance(value, tf.Variable) and not value._is_resource():
        return value._ref()
    return value if _is_ref(value) else tf.convert_to_tensor(value)


def _Identity(tensor, name=None):  # noqa: N802, TensorFlow's name
    """The same value, or reference."""
    tensor = _tensor(tensor)
    if not isinstance(tensor, tf.Tensor):
        return _by_parts(tensor, lambda part: _Identity(part, name))
    return raw_ops.ref_identity(tensor, name) if _is_ref(tensor) else tf.identity(tensor, name)


def _NextIteration(tensor, name=None):  # noqa: N802
    """The value for a loop's next round."""
    tensor = _tensor(tensor)
    if not isinstance(tensor, tf.Tensor):
        return _by_parts(tensor, lambda part: _NextIteration(part, name))
    make = raw_ops.ref_next_iteration if _is_ref(tensor) else raw_ops.next_iteration
    return make(tensor, name)


def _Enter(  # noqa: N802
    tensor, frame_name, is_constant=False, parallel_iterations=10, use_ref=True, use_input_shape=True, name=None
):
    """A value that enters a loop."""
    tensor = _tensor(tensor)
    if not isinstance(tensor, tf.Tensor):
        return _by_parts(tensor, lambda part: _Enter(part, frame_name, is_constant, parallel_iterations, use_ref, name=name))
    make = raw_ops.ref_enter if use_ref and _is_ref(tensor) else raw_ops.enter
    result = make(tensor, frame_name, is_constant, parallel_iterations, name)
    if use_input_shape:
        result.set_shape(tensor.shape)
    return result


def exit(tensor, name=None):  # noqa: A001, TensorFlow's name
    """A value that leaves a loop."""
    tensor = _tensor(tensor)
    if not isinstance(tensor, tf.Tensor):
        return _by_parts(tensor, lambda part: exit(part, name))
    return (raw_ops.ref_exit if _is_ref(tensor) else raw_ops.exit)(tensor, name)


def switch(data, pred, dtype=None, name=None):
    """A value on one of two ways: where pred is false, where it is true."""
    with tf.name_scope(name, "Switch", [data, pred]) as name:
        data = tf.convert_to_tensor(data, dtype=dtype) if dtype is not None else _tensor(data)
        pred = tf.convert_to_tensor(pred, name="pred")
        if isinstance(data, tf.Tensor):
            return raw_ops.switch(data, pred, name)
        ways = []
        _by_parts(data, lambda part: ways.append(raw_ops.switch(part, pred)) or part)
        given = [iter([way[i] for way in ways]) for i in (0, 1)]
        return tuple(_by_parts(data, lambda _, parts=parts: next(parts)) for parts in given)


def ref_switch(data, pred, name=None):
    """A reference on one of two ways."""
    return raw_ops.ref_switch(data, tf.convert_to_tensor(pred, name="pred"), name)


def _SwitchRefOrTensor(data, pred, name="Switch"):  # noqa: N802
    """A value, or a reference where it is one, on one of two ways, beside what makes it."""
    data = _tensor(data)
    with tf.get_default_graph().colocate_with(data, ignore_existing=True):
        return (ref_switch if _is_ref(data) else switch)(data, pred, name=name)


def merge(inputs, name=None):
    """The value that is there first, and the number of its way."""
    if any(value is None for value in inputs):
        raise ValueError("At least one of the merge inputs is None: " + str(inputs))
    with tf.name_scope(name, "Merge", inputs) as name:
        inputs = [_tensor(value) for value in inputs]
        if all(isinstance(value, tf.Tensor) for value in inputs):
            return (raw_ops.ref_merge if all(map(_is_ref, inputs)) else raw_ops.merge)(inputs, name)
        return _merged_parts(inputs)


def _merged_parts(inputs):
    inputs = [
        value if isinstance(value, (tf.IndexedSlices, tf.SparseTensor))
        else tf.IndexedSlices(value, tf.range(tf.shape(value)[0]), tf.shape(value))
        for value in inputs
    ]  # fmt: skip
    lists = []
    for value in inputs:
        lists.append([])
        _by_parts(value, lambda part: lists[-1].append(part) or part)
    merged = [raw_ops.merge(list(parts)) for parts in zip(*lists)]
    given = iter([each[0] for each in merged])
    return _Merge(_by_parts(inputs[0], lambda _: next(given)), merged[0][1])


def ref_select(index, inputs, name=None):
    """The reference of a number."""
    return raw_ops.ref_select(index, list(inputs), name)
