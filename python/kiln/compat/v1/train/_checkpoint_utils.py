"""What checkpoints hold, and first values of variables from them."""

import os
import time

from kiln._kiln import front as _c
from kiln.compat.v1 import _messages, errors, logging
from kiln.compat.v1.train._checkpoint_management import latest_checkpoint


class CheckpointReader:
    """Reads variables of a checkpoint by their names. Source: tf.train.NewCheckpointReader."""

    def __init__(self, filepattern):
        filepattern = os.fspath(filepattern)
        path = filepattern.decode() if isinstance(filepattern, bytes) else filepattern
        if os.path.isdir(path):
            raise errors.NotFoundError(None, None, _not_found(path))
        try:
            self._reader = _c.open_checkpoint(path)
        except errors.NotFoundError:
            raise errors.NotFoundError(None, None, _not_found(path)) from None
        self._variables = self._reader.variables()

    def get_variable_to_shape_map(self):
        """Lists of extents by name."""
        return {name: shape.as_list() for name, (_, shape) in self._variables.items()}

    def get_variable_to_dtype_map(self):
        return {name: dtype for name, (dtype, _) in self._variables.items()}

    def has_tensor(self, tensor_str):
        return tensor_str in self._variables

    def get_tensor(self, tensor_str):
        """The value. Errors: NotFoundError; DataLossError for damaged files."""
        name = tensor_str.decode() if isinstance(tensor_str, bytes) else tensor_str
        return self._reader.tensor(name)

    def debug_string(self):
        """A line for each variable: name, dtype, shape; bytes."""
        lines = []
        for name in sorted(self._variables):
            dtype, shape = self._variables[name]
            extents = ",".join(str(extent) for extent in shape.as_list())
            kind = _messages.DataType.Name(dtype.as_datatype_enum)
            lines.append(f"{name} ({kind}) [{extents}]\n")
        return "".join(lines).encode()


def _not_found(path):
    return f"Unsuccessful TensorSliceReader constructor: Failed to find any matching files for {path}"


def NewCheckpointReader(filepattern):  # noqa: N802, TensorFlow's name
    """A CheckpointReader of a prefix. Errors: NotFoundError, DataLossError. Source: tf.train.NewCheckpointReader."""
    return CheckpointReader(filepattern)


def _checkpoint_filename(ckpt_dir_or_file):
    if isinstance(ckpt_dir_or_file, os.PathLike):
        ckpt_dir_or_file = os.fspath(ckpt_dir_or_file)
    return latest_checkpoint(ckpt_dir_or_file) if os.path.isdir(ckpt_dir_or_file) else ckpt_dir_or_file


def load_checkpoint(ckpt_dir_or_file):
    """A CheckpointReader of a prefix, or of a folder's newest checkpoint.

    Errors: ValueError for a folder without one. Source: tf.train.load_checkpoint.
    """
    filename = _checkpoint_filename(ckpt_dir_or_file)
    if filename is None:
        raise ValueError(
            f"Couldn't find 'checkpoint' file or checkpoints in given directory {ckpt_dir_or_file}"
        )
    return CheckpointReader(filename)


def load_variable(ckpt_dir_or_file, name):
    """A variable's value, as an array. Source: tf.train.load_variable."""
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))


def list_variables(ckpt_dir_or_file):
    """A list of (name, list of extents), sorted. Source: tf.train.list_variables."""
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


def wait_for_new_checkpoint(checkpoint_dir, last_checkpoint=None, seconds_to_sleep=1, timeout=None):
    """Waits until the newest checkpoint is another one, and gives it; None when the time is over."""
    logging.info("Waiting for new checkpoint at %s", checkpoint_dir)
    stop = None if timeout is None else time.time() + timeout
    while True:
        path = latest_checkpoint(checkpoint_dir)
        if path is not None and path != last_checkpoint:
            logging.info("Found new checkpoint at %s", path)
            return path
        if stop is not None and time.time() + seconds_to_sleep > stop:
            return None
        time.sleep(seconds_to_sleep)


def checkpoints_iterator(checkpoint_dir, min_interval_secs=0, timeout=None, timeout_fn=None):
    """Gives each new checkpoint of a folder, for ever.

    timeout: seconds to wait for one; then timeout_fn() says whether that was all. Source:
    tf.train.checkpoints_iterator.
    """
    last = None
    while True:
        path = wait_for_new_checkpoint(checkpoint_dir, last, timeout=timeout)
        if path is None:
            if not timeout_fn:
                logging.info("Timed-out waiting for a checkpoint.")
                return
            if timeout_fn():
                return
            continue
        start = time.time()
        last = path
        yield path
        rest = start + min_interval_secs - time.time()
        if rest > 0:
            time.sleep(rest)


def init_from_checkpoint(ckpt_dir_or_file, assignment_map):
    """Makes the initializers of variables read a checkpoint.

    assignment_map: a dict, or pairs, from names in the checkpoint to variables, lists of a variable's parts, or names
    of variables here; "scope/" to "scope/" stands for all variables in a scope, "/" for the root. Errors: ValueError
    for what does not fit. Source: tf.train.init_from_checkpoint.
    """
    path = _checkpoint_filename(ckpt_dir_or_file)
    shapes = load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map()
    pairs = assignment_map.items() if hasattr(assignment_map, "items") else assignment_map
    for tensor_name, target in sorted(pairs, key=lambda pair: pair[0]):
        variable = target if _is_variable(target) else _named(target)
        if variable is None:
            for name, tensor in _scope_pairs(ckpt_dir_or_file, tensor_name, target, shapes):
                _initialize(_named(name), path, tensor)
            continue
        if tensor_name not in shapes:
            raise ValueError(f"Tensor {tensor_name} is not found in {ckpt_dir_or_file} checkpoint {shapes}")
        if isinstance(variable, _c.Variable):
            if not variable.shape.is_compatible_with(shapes[tensor_name]):
                raise ValueError(
                    f"Shape of variable {variable.name} ({variable.shape}) doesn't match with shape of tensor "
                    f"{tensor_name} ({shapes[tensor_name]}) from checkpoint reader."
                )
        _initialize(variable, path, tensor_name)


def _is_variable(target):
    if isinstance(target, (list, tuple)):
        return all(isinstance(part, _c.Variable) for part in target)
    return isinstance(target, _c.Variable) or hasattr(target, "_get_variable_list")


def _named(name):
    """The variable that get_variable() made under this name, or the list of its parts; None for none."""
    known = _c.named_variables()
    if name in known:
        return known[name]
    parts = []
    while f"{name}/part_{len(parts)}" in known:
        parts.append(known[f"{name}/part_{len(parts)}"])
    return parts or None


def _scope_pairs(checkpoint, tensor_name, target, shapes):
    """(variable's name, tensor's name) for all variables of a scope."""
    scope = target.rpartition("/")[0]
    if not tensor_name.endswith("/"):
        raise ValueError(
            f"Assignment map with scope only name {scope} should map to scope only {tensor_name}. "
            "Should be 'scope/': 'other_scope/'."
        )
    names = {
        name.partition("/part_")[0]
        for name in _c.named_variables()
        if not scope or name.startswith(scope + "/")
    }
    for name in sorted(names):
        full = name[len(scope) :]
        if target != "/":
            full = full[1:]
        if tensor_name != "/":
            full = tensor_name + full
        full = full.removesuffix("/")
        if full not in shapes:
            raise ValueError(
                f"Tensor {full} ({name[len(scope) + 1 :]} in {tensor_name}) is not found in {checkpoint} checkpoint"
            )
        yield name, full


def _initialize(variable, path, tensor_name):
    if isinstance(variable, _c.Variable):
        _c.initialize_from_checkpoint(variable, path, tensor_name, "")
        return
    full_name = None
    for part in variable:
        info = part._save_slice_info
        if full_name is not None and full_name != info.full_name:
            raise ValueError(f"Slices must all be from the same tensor: {full_name} != {info.full_name}")
        full_name = info.full_name
        _c.initialize_from_checkpoint(part, path, tensor_name, info.spec)
