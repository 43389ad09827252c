"""Changes of variables as functions: tf.assign, tf.scatter_update and their neighbours."""

from kiln._generated import raw_ops as _raw
from kiln._kiln import front as _c
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1._deprecations import deprecated
from kiln.compat.v1._graph_functions import name_scope

__all__ = [
    "assign", "assign_add", "assign_sub", "batch_scatter_update", "count_up_to",
    "is_variable_initialized", "scatter_add", "scatter_div",
    "scatter_max", "scatter_min", "scatter_mul", "scatter_nd_add", "scatter_nd_sub",
    "scatter_nd_update", "scatter_sub", "scatter_update",
]  # fmt: skip


def _is_variable(ref):
    return isinstance(ref, _c.Variable)


def assign(ref, value, validate_shape=None, use_locking=None, name=None):
    """Gives a variable a value; the result is the variable behind it.

    validate_shape: that the value has the variable's shape. Source: tf.assign.
    """
    if _is_variable(ref):
        return _c.assign(ref, value, validate_shape, use_locking, name)
    return _raw.assign(ref, value, validate_shape, use_locking, name)


def assign_add(ref, value, use_locking=None, name=None):
    """Adds to a variable; the result is the variable behind it. Source: tf.assign_add."""
    if _is_variable(ref):
        return _c.assign_add(ref, value, None, use_locking, name)
    return _raw.assign_add(ref, value, use_locking, name)


def assign_sub(ref, value, use_locking=None, name=None):
    """Subtracts from a variable; the result is the variable behind it. Source: tf.assign_sub."""
    if _is_variable(ref):
        return _c.assign_sub(ref, value, None, use_locking, name)
    return _raw.assign_sub(ref, value, use_locking, name)


def _scattered(kind, ref, indices, updates, use_locking, name):
    if _is_variable(ref):
        return _c.scatter(kind, ref, indices, updates, use_locking, name)
    return getattr(_raw, f"scatter_{kind}")(ref, indices, updates, use_locking, name=name)


def scatter_update(ref, indices, updates, use_locking=True, name=None):
    """Replaces rows of a variable. Source: tf.scatter_update."""
    return _scattered("update", ref, indices, updates, use_locking, name)


def scatter_add(ref, indices, updates, use_locking=False, name=None):
    """Adds to rows of a variable; what comes several times is added as often. Source: tf.scatter_add."""
    return _scattered("add", ref, indices, updates, use_locking, name)


def scatter_sub(ref, indices, updates, use_locking=False, name=None):
    """Subtracts from rows of a variable. Source: tf.scatter_sub."""
    return _scattered("sub", ref, indices, updates, use_locking, name)


def scatter_mul(ref, indices, updates, use_locking=False, name=None):
    """Multiplies rows of a variable. Source: tf.scatter_mul."""
    return _scattered("mul", ref, indices, updates, use_locking, name)


def scatter_div(ref, indices, updates, use_locking=False, name=None):
    """Divides rows of a variable. Source: tf.scatter_div."""
    return _scattered("div", ref, indices, updates, use_locking, name)


def scatter_min(ref, indices, updates, use_locking=False, name=None):
    """Takes the smaller of rows of a variable and updates. Source: tf.scatter_min."""
    return _scattered("min", ref, indices, updates, use_locking, name)


def scatter_max(ref, indices, updates, use_locking=False, name=None):
    """Takes the larger of rows of a variable and updates. Source: tf.scatter_max."""
    return _scattered("max", ref, indices, updates, use_locking, name)


def scatter_nd_update(ref, indices, updates, use_locking=True, name=None):
    """Replaces parts of a variable at indices whose last axis are coordinates. Source: tf.scatter_nd_update."""
    return _scattered("nd_update", ref, indices, updates, use_locking, name)


def scatter_nd_add(ref, indices, updates, use_locking=False, name=None):
    """Adds to parts of a variable. Source: tf.scatter_nd_add."""
    return _scattered("nd_add", ref, indices, updates, use_locking, name)


def scatter_nd_sub(ref, indices, updates, use_locking=False, name=None):
    """Subtracts from parts of a variable. Source: tf.scatter_nd_sub."""
    return _scattered("nd_sub", ref, indices, updates, use_locking, name)


def batch_scatter_update(ref, indices, updates, use_locking=True, name=None):
    """Replaces rows of each batch of a variable: all axes of indices but the last are batches.

    Errors: ValueError for indices of an unknown rank. Source: tf.batch_scatter_update.
    """
    deprecated(
        "ops.state_ops.batch_scatter_update",
        "Use the batch_scatter_update method of Variable instead.",
        "2018-11-29",
    )
    with name_scope(name):
        indices = convert_to_tensor(indices, name="indices")
        shape, rank = _c.shape(indices), indices.shape.ndims
        if rank is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        last = _c.expand_dims(indices, -1)
        coordinates = []
        for axis in range(rank - 1):
            extents = [1] * (rank + 1)
            extents[axis] = size = shape[axis]
            along = _raw.reshape(_raw.range(0, size, 1), extents)
            if along.dtype.base_dtype != last.dtype:
                along = _raw.cast(along, last.dtype)
            coordinates.append(along * _c.ones_like(last))
        return scatter_nd_update(ref, _c.concat([*coordinates, last], -1), updates, use_locking)


def count_up_to(ref, limit, name=None):
    """Adds 1 to a variable and gives what it was; an error of the run from the limit on.

    Source: tf.count_up_to.
    """
    deprecated("ops.state_ops.count_up_to", "Prefer Dataset.range instead.")
    if _is_variable(ref) and _c.variable_is_resource(ref):
        return _raw.resource_count_up_to(ref.handle, limit, ref.dtype, name)
    return _raw.count_up_to(ref, limit, name)


def slice_assignment(variable, begin, end, strides, masks, name):
    """What variable[begin:end:strides].assign is: gives this part of it a value."""

    def assign(val, name=f"{name}_assign" if name else None):
        return _c.assign_slice(variable, begin, end, strides, val, *masks, name)

    return assign


def is_variable_initialized(variable):
    """A bool tensor, for a variable or a tensor that is a reference to one. Source: tf.is_variable_initialized."""
    return variable.is_initialized() if _is_variable(variable) else _raw.is_variable_initialized(variable)
