"""Which checkpoints a folder has: the file "checkpoint" beside them."""

import os

from kiln._kiln import front as _c
from kiln.compat.v1 import _messages, errors, logging


def _text(path):
    path = os.fspath(path)
    return path.decode() if isinstance(path, bytes) else path


def get_checkpoint_state(checkpoint_dir, latest_filename=None):
    """A CheckpointState of what the file says, with paths as they are from here; None where there is no file.

    Errors: ValueError for a file that names no checkpoint. Source: tf.train.get_checkpoint_state.
    """
    if isinstance(checkpoint_dir, os.PathLike):
        checkpoint_dir = os.fspath(checkpoint_dir)
    try:
        state = _c.checkpoint_state(_text(checkpoint_dir), latest_filename or "checkpoint", None, True)
    except errors.OpError as error:
        logging.warning("%s: %s", type(error).__name__, error)
        logging.warning("%s: Checkpoint ignored", os.path.join(checkpoint_dir, latest_filename or "checkpoint"))
        return None
    if state is None:
        return None
    newest, paths, times, preserved = state
    return _messages.CheckpointState(
        model_checkpoint_path=newest,
        all_model_checkpoint_paths=paths,
        all_model_checkpoint_timestamps=times,
        last_preserved_timestamp=preserved or None,
    )


def latest_checkpoint(checkpoint_dir, latest_filename=None):
    """The prefix of the newest checkpoint, or None. Source: tf.train.latest_checkpoint."""
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state and state.model_checkpoint_path:
        if checkpoint_exists_internal(state.model_checkpoint_path):
            return state.model_checkpoint_path
        logging.error("Couldn't match files for checkpoint %s", state.model_checkpoint_path)
    return None


def generate_checkpoint_state_proto(
    save_dir,
    model_checkpoint_path,
    all_model_checkpoint_paths=None,
    all_model_checkpoint_timestamps=None,
    last_preserved_timestamp=None,
):
    """A CheckpointState as it is written: paths below a relative folder without it.

    Source: tf.train.generate_checkpoint_state_proto.
    """
    paths = list(all_model_checkpoint_paths or [])
    if not paths or paths[-1] != model_checkpoint_path:
        logging.info("%s is not in all_model_checkpoint_paths. Manually adding it.", model_checkpoint_path)
        paths.append(model_checkpoint_path)
    times = all_model_checkpoint_timestamps
    if times and len(times) != len(paths):
        raise ValueError(
            "Checkpoint timestamps, if provided, must match checkpoint paths "
            f"(got paths {paths} and timestamps {times})"
        )
    if not os.path.isabs(save_dir):
        paths = [path if os.path.isabs(path) else os.path.relpath(path, save_dir) for path in paths]
        if not os.path.isabs(model_checkpoint_path):
            model_checkpoint_path = os.path.relpath(model_checkpoint_path, save_dir)
    return _messages.CheckpointState(
        model_checkpoint_path=model_checkpoint_path,
        all_model_checkpoint_paths=paths,
        all_model_checkpoint_timestamps=times,
        last_preserved_timestamp=last_preserved_timestamp,
    )


def update_checkpoint_state(
    save_dir,
    model_checkpoint_path,
    all_model_checkpoint_paths=None,
    latest_filename=None,
    all_model_checkpoint_timestamps=None,
    last_preserved_timestamp=None,
):
    """Replaces the file in one step. Errors: ValueError, RuntimeError. Source: tf.train.update_checkpoint_state."""
    update_checkpoint_state_internal(
        save_dir,
        model_checkpoint_path,
        all_model_checkpoint_paths,
        latest_filename,
        False,
        all_model_checkpoint_timestamps,
        last_preserved_timestamp,
    )


def update_checkpoint_state_internal(
    save_dir,
    model_checkpoint_path,
    all_model_checkpoint_paths=None,
    latest_filename=None,
    save_relative_paths=False,
    all_model_checkpoint_timestamps=None,
    last_preserved_timestamp=None,
):
    latest_filename = latest_filename or "checkpoint"
    paths, times = list(all_model_checkpoint_paths or ()), list(all_model_checkpoint_timestamps or ())
    expected = len(paths) + (not paths or paths[-1] != model_checkpoint_path)
    if times and len(times) != expected:
        raise ValueError(
            "Checkpoint timestamps, if provided, must match checkpoint paths "
            f"(got paths {paths} and timestamps {times})"
        )
    state = (model_checkpoint_path, paths, times, last_preserved_timestamp or 0)
    try:
        _c.update_checkpoint_state(_text(save_dir), *state, latest_filename, save_relative_paths, None)
    except errors.FailedPreconditionError as error:
        raise RuntimeError(error.message) from None
    except errors.InvalidArgumentError as error:
        raise ValueError(error.message) from None


def checkpoint_exists_internal(checkpoint_prefix):
    if _c.checkpoint_exists(checkpoint_prefix):
        return True
    from kiln.compat.v1._io import file_io

    return bool(file_io.get_matching_files(checkpoint_prefix))


def checkpoint_exists(checkpoint_prefix):
    """Whether a checkpoint's files are there. Source: tf.train.checkpoint_exists."""
    return checkpoint_exists_internal(_text(checkpoint_prefix))


def get_checkpoint_mtimes(checkpoint_prefixes):
    """When the checkpoints that are there were written, in seconds since 1970. Source: tf.train.get_checkpoint_mtimes."""
    times = []
    for prefix in checkpoint_prefixes:
        for path in (f"{prefix}.index", prefix):
            if os.path.exists(path):
                times.append(os.stat(path).st_mtime)
                break
    return times


def remove_checkpoint(checkpoint_prefix, checkpoint_format_version=2, meta_graph_suffix="meta"):
    """Removes the files of a checkpoint. Source: tf.train.remove_checkpoint."""
    if checkpoint_format_version != 2:
        from kiln.compat.v1._io import file_io

        for path in file_io.get_matching_files(checkpoint_prefix):
            os.remove(path)
    _c.remove_checkpoint(_text(checkpoint_prefix), meta_graph_suffix)


def meta_graph_filename(checkpoint_filename, meta_graph_suffix="meta"):
    """The file of the graph beside a checkpoint; of a sharded one of version 1 without the numbers."""
    import re

    basename = re.sub(r"-[\d\?]+-of-\d+$", "", checkpoint_filename)
    return ".".join([basename, meta_graph_suffix])
