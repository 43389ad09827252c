"""First values of a model's variables from another model's checkpoint."""

import collections

from kiln._kiln import front as _c
from kiln.compat.v1 import logging
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1.train import _checkpoint_ops, _checkpoint_utils

_FIELDS = [
    "new_vocab", "new_vocab_size", "num_oov_buckets", "old_vocab", "old_vocab_size", "backup_initializer", "axis",
]  # fmt: skip


class VocabInfo(collections.namedtuple("VocabInfo", _FIELDS)):
    """How the vocabulary of a variable's rows (axis 0) or columns (1) has changed.

    new_vocab, old_vocab: files with a word a line; old_vocab_size: how many of them count, -1 for all;
    backup_initializer: for words that are new, zeros where it is None. Errors: ValueError. Source: tf.train.VocabInfo.
    """

    def __new__(
        cls, new_vocab, new_vocab_size, num_oov_buckets, old_vocab, old_vocab_size=-1, backup_initializer=None, axis=0
    ):
        if axis not in (0, 1):
            raise ValueError(
                f"The only supported values for the axis argument are 0 and 1.  Provided axis: {axis}"
            )
        return super().__new__(
            cls, new_vocab, new_vocab_size, num_oov_buckets, old_vocab, old_vocab_size, backup_initializer, axis
        )


def _name_of(variable):
    """The name in checkpoints: of a part that of the whole."""
    info = variable._save_slice_info
    return variable.op.name if info is None else info.full_name


def _chosen(vars_to_warm_start):
    """The variables by their names in checkpoints, each as a list of its parts."""
    graph = get_default_graph()
    if vars_to_warm_start is None or isinstance(vars_to_warm_start, str):
        logging.info("Warm-starting variables only in TRAINABLE_VARIABLES.")
        chosen = graph.get_collection("trainable_variables", vars_to_warm_start)
    elif not isinstance(vars_to_warm_start, list):
        raise ValueError(
            f"`vars_to_warm_start must be a `list` or `str`.  Given type is {type(vars_to_warm_start)}"
        )
    elif all(isinstance(each, str) for each in vars_to_warm_start):
        chosen = [each for scope in vars_to_warm_start for each in graph.get_collection("variables", scope)]
    elif all(isinstance(each, _c.Variable) for each in vars_to_warm_start):
        chosen = vars_to_warm_start
    else:
        raise ValueError(
            "If `vars_to_warm_start` is a list, it must be all `Variable` or all `str`.  "
            f"Given types are {[type(each) for each in vars_to_warm_start]}"
        )
    grouped = {}
    for variable in chosen:
        grouped.setdefault(_name_of(variable), []).append(variable)
    return grouped


def _start_with_vocabulary(parts, info, checkpoint, tensor_name):
    """Initializers that read the rows or columns of the words that are in both vocabularies."""
    if not (info.new_vocab and info.new_vocab_size and checkpoint and info.old_vocab):
        raise ValueError(
            "Invalid args: Must provide all of [current_vocab_path, current_vocab_size, prev_ckpt, prev_vocab_path}."
        )
    rows = sum(part.shape.as_list()[0] for part in parts)
    path = _checkpoint_utils._checkpoint_filename(checkpoint)
    for part in parts:
        shape, where = part.shape.as_list(), part._save_slice_info
        common = dict(ckpt_path=path, old_tensor_name=tensor_name, initializer=info.backup_initializer)
        if info.axis == 0:
            initializer = _checkpoint_ops._load_and_remap_matrix_initializer(
                new_row_vocab_size=info.new_vocab_size, new_col_vocab_size=shape[1],
                old_row_vocab_size=info.old_vocab_size, old_row_vocab_file=info.old_vocab,
                new_row_vocab_file=info.new_vocab, num_row_oov_buckets=info.num_oov_buckets, **common,
            )  # fmt: skip
        else:
            initializer = _checkpoint_ops._load_and_remap_matrix_initializer(
                new_row_vocab_size=rows, new_col_vocab_size=info.new_vocab_size, old_col_vocab_file=info.old_vocab,
                new_col_vocab_file=info.new_vocab, num_col_oov_buckets=info.num_oov_buckets, **common,
            )  # fmt: skip
        value = initializer(shape, partition_info=where)
        _c.variable_set_initializer(part, part.assign(value, read_value=False), value)


def warm_start(
    ckpt_to_initialize_from, vars_to_warm_start=".*", var_name_to_vocab_info=None, var_name_to_prev_var_name=None
):
    """Makes the initializers of variables read a checkpoint.

    vars_to_warm_start: a regular expression for trainable variables, a list of ones for all, a list of variables, or
    None: only those with a vocabulary. var_name_to_vocab_info: VocabInfos by name. var_name_to_prev_var_name: names in
    the checkpoint by name. Errors: ValueError. Source: tf.train.warm_start.
    """
    logging.info("Warm-starting from: %s", ckpt_to_initialize_from)
    grouped = _chosen(vars_to_warm_start)
    vocabularies, names = var_name_to_vocab_info or {}, var_name_to_prev_var_name or {}
    plain, count = {}, 0
    for name, parts in grouped.items():
        tensor_name = names.get(name) or name
        if vocabularies.get(name):
            count += 1
            _start_with_vocabulary(parts, vocabularies[name], ckpt_to_initialize_from, tensor_name)
        elif vars_to_warm_start:
            count += 1
            if tensor_name in plain:  # two variables from one tensor
                _checkpoint_utils.init_from_checkpoint(ckpt_to_initialize_from, plain)
                plain = {}
            plain[tensor_name] = parts[0] if len(parts) == 1 else parts
    if plain:
        _checkpoint_utils.init_from_checkpoint(ckpt_to_initialize_from, plain)
    logging.info("Warm-started %d variables.", count)
    for given, argument in ((names, "var_name_to_prev_var_name"), (vocabularies, "var_name_to_vocab_info")):
        unused = set(given) - set(grouped)
        if unused:
            raise ValueError(
                f"You provided the following variables in {argument} that were not used: {unused}.  "
                f"Perhaps you misspelled them?  Here is the list of viable variable names: {grouped.keys()}"
            )
