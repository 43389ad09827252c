"""Values for variables: from arrays and from checkpoints."""

from kiln.compat import v1 as tf
from kiln.compat.v1 import logging
from kiln.compat.v1.contrib.framework._variables import get_variable_full_name

__all__ = [
    "assign_from_checkpoint",
    "assign_from_checkpoint_fn",
    "assign_from_values",
    "assign_from_values_fn",
]


def _variable_named(name):
    found = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, name)
    if not found:
        raise ValueError(f"Variable {name} wasn't found")
    if len(found) == 1:
        return found[0]
    for var in found:
        if var.op.name == name:
            return var
    raise ValueError(f"Variable {name} doesn't uniquely identify a variable")


def _placeholder_of(var):
    return tf.placeholder(
        dtype=var.dtype.base_dtype, shape=var.get_shape(), name=f"placeholder/{var.op.name}"
    )


def assign_from_values(var_names_to_values):
    """An operation that gives variables values, and the feed_dict with these.

    var_names_to_values: a dict from names of variables to arrays. Errors: ValueError. Source:
    tf.contrib.framework.assign_from_values.
    """
    feed_dict, assignments = {}, []
    for name, value in var_names_to_values.items():
        var = _variable_named(name)
        placeholder = _placeholder_of(var)
        assignments.append(var.assign(placeholder))
        feed_dict[placeholder] = value.reshape(var.get_shape().as_list())
    return tf.group(*assignments), feed_dict


def assign_from_values_fn(var_names_to_values):
    """A function of a session that gives variables values. Source: tf.contrib.framework.assign_from_values_fn."""
    assignment, feed_dict = assign_from_values(var_names_to_values)
    return lambda session: session.run(assignment, feed_dict)


def _grouped(var_list):
    """A dict from names in a checkpoint to lists of variables."""
    groups = {}
    if isinstance(var_list, (tuple, list)):
        for var in var_list:
            groups.setdefault(get_variable_full_name(var), []).append(var)
    else:
        for name, value in var_list.items():
            groups[name] = value if isinstance(value, (tuple, list)) else [value]
    return groups


def _value_for(var, name, value):
    """What a variable takes of a tensor in a checkpoint."""
    info = var._save_slice_info
    if info:
        part = tuple(slice(at, at + size) for at, size in zip(info.var_offset, info.var_shape))
        return value[part].reshape(info.var_shape)
    if var.get_shape().as_list() != list(value.shape):
        raise ValueError(
            f"Total size of new array must be unchanged for {name} "
            f"lh_shape: [{value.shape}], rh_shape: [{var.get_shape()}]"
        )
    return value


def assign_from_checkpoint(model_path, var_list, ignore_missing_vars=False):
    """An operation that gives variables values of a checkpoint, and the feed_dict with these.

    var_list: variables, or a dict from names in the checkpoint to variables, or to lists of the
    parts of one. ignore_missing_vars: what the checkpoint does not have is left as it is.

    Errors: ValueError. Source: tf.contrib.framework.assign_from_checkpoint.
    """
    reader = tf.train.NewCheckpointReader(model_path)
    feed_dict, assignments = {}, []
    for name, variables in _grouped(var_list).items():
        if not reader.has_tensor(name):
            words = f"Checkpoint is missing variable [{name}]"
            if not ignore_missing_vars:
                raise ValueError(words)
            logging.warning(words)
            continue
        value = reader.get_tensor(name)
        for var in variables:
            placeholder = _placeholder_of(var)
            assignments.append(var.assign(placeholder))
            feed_dict[placeholder] = _value_for(var, name, value)
    return tf.group(*assignments), feed_dict


def assign_from_checkpoint_fn(
    model_path, var_list, ignore_missing_vars=False, reshape_variables=False
):
    """A function of a session that gives variables values of a checkpoint.

    None where ignore_missing_vars holds and the checkpoint has none of them. reshape_variables:
    variables of another shape, but the same size, are filled too.

    Errors: ValueError for no variables. Source: tf.contrib.framework.assign_from_checkpoint_fn.
    """
    if not var_list:
        raise ValueError("var_list cannot be empty")
    if ignore_missing_vars:
        reader = tf.train.NewCheckpointReader(model_path)
        names = var_list if isinstance(var_list, dict) else {var.op.name: var for var in var_list}
        var_list = {}
        for name, var in names.items():
            if reader.has_tensor(name):
                var_list[name] = var
            else:
                logging.warning("Variable %s missing in checkpoint %s", name, model_path)
    if not var_list:
        logging.warning("No Variables to restore")
        return None
    saver = tf.train.Saver(
        var_list, reshape=reshape_variables, write_version=tf.train.SaverDef.V1
    )
    return lambda session: saver.restore(session, model_path)
