"""Single variables from a checkpoint, where a program chooses them itself."""

from kiln.compat import v1 as tf
from kiln.compat.v1._partitioned_variables import PartitionedVariable
from kiln.compat.v1.train import _warm_starting_util as _warm


def _parts(var):
    """A list of the variables that a variable, a list of parts or a PartitionedVariable is. Errors: TypeError."""
    if isinstance(var, tf.Variable):
        return [var]
    if isinstance(var, PartitionedVariable):
        return var._get_variable_list()
    if isinstance(var, list) and all(isinstance(each, tf.Variable) for each in var):
        return var
    raise TypeError(
        "var MUST be one of the following: a Variable, list of Variable or PartitionedVariable, "
        f"but is {type(var)}"
    )


def _infer_var_name(var):
    """The name in checkpoints of a list of a variable, or of its parts. Errors: TypeError for several names."""
    names = {_warm._name_of(part): part for each in var for part in _parts(each)}
    if len(names) > 1:
        raise TypeError(f"`var` = {var} passed as arg violates the constraints.  name_to_var_dict = {names}")
    return next(iter(names))


def _get_var_info(var, prev_tensor_name=None):
    """The name in the checkpoint, and the variable or the list of its parts. Errors: TypeError."""
    parts = _parts(var)
    return prev_tensor_name or _infer_var_name(parts), var if isinstance(var, tf.Variable) else parts


def _warm_start_var_with_vocab(
    var,
    current_vocab_path,
    current_vocab_size,
    prev_ckpt,
    prev_vocab_path,
    previous_vocab_size=-1,
    current_oov_buckets=0,
    prev_tensor_name=None,
    initializer=None,
    axis=0,
):
    """Makes the initializer of a variable, or of its parts, read the rows or columns of the words of both files.

    Errors: ValueError, TypeError.
    """
    parts = _parts(var)
    info = tf.train.VocabInfo(
        current_vocab_path, current_vocab_size, current_oov_buckets, prev_vocab_path,
        previous_vocab_size, initializer, axis,
    )  # fmt: skip
    _warm._start_with_vocabulary(parts, info, prev_ckpt, prev_tensor_name or _infer_var_name(parts))
