"""Matrices of checkpoints whose rows or columns stand for the words of another vocabulary."""

from kiln._generated import raw_ops
from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes


def _check_files(kind, old, new):
    if bool(old) != bool(new):
        raise ValueError(
            f"old_{kind}_vocab_file and new_{kind}_vocab_file must both be specified or left unspecified. "
            f"old_{kind}_vocab_file='{old}', new_{kind}_vocab_file='{new}'"
        )


def _values(initializer, size, present):
    """As many values of an initializer as are missing, which the run knows."""
    try:
        return initializer([size - present, 1])
    except TypeError:  # it takes no tensor
        return initializer([size, 1])[: size - present]


def _load_and_remap_matrix(
    ckpt_path,
    old_tensor_name,
    new_row_vocab_offset,
    num_rows_to_load,
    new_col_vocab_size,
    initializer,
    old_row_vocab_size=-1,
    old_row_vocab_file=None,
    new_row_vocab_file=None,
    old_col_vocab_file=None,
    new_col_vocab_file=None,
    num_row_oov_buckets=0,
    num_col_oov_buckets=0,
    max_rows_in_memory=-1,
):
    """The matrix, [num_rows_to_load + num_row_oov_buckets, new_col_vocab_size + num_col_oov_buckets].

    Rows and columns of words that the old vocabulary has are those of the checkpoint; others are the initializer's.
    Errors: ValueError. Source: checkpoint_ops._load_and_remap_matrix.
    """
    for kind, count in (("row", num_row_oov_buckets), ("col", num_col_oov_buckets)):
        if count < 0:
            raise ValueError(f"num_{kind}_oov_buckets must be >= 0, but received {count}")
    _check_files("row", old_row_vocab_file, new_row_vocab_file)
    _check_files("col", old_col_vocab_file, new_col_vocab_file)
    if not (new_row_vocab_file or new_col_vocab_file):
        raise ValueError(
            "Must provide either row or column vocab files. If no remapping is necessary, consider using "
            "`tf.contrib.framework.init_from_checkpoint` instead."
        )
    rows_present, columns_present, columns = num_rows_to_load, new_col_vocab_size, []
    if new_row_vocab_file:
        rows, rows_present = raw_ops.generate_vocab_remapping(
            new_row_vocab_file, old_row_vocab_file, new_row_vocab_offset, num_rows_to_load, old_row_vocab_size
        )
    else:
        rows = _c.range(new_row_vocab_offset, new_row_vocab_offset + num_rows_to_load, 1, dtypes.int64)
    if new_col_vocab_file:
        columns, columns_present = raw_ops.generate_vocab_remapping(
            new_col_vocab_file, old_col_vocab_file, 0, new_col_vocab_size
        )
    fresh = _values(initializer, num_rows_to_load * new_col_vocab_size, rows_present * columns_present)
    matrix = raw_ops.load_and_remap_matrix(
        ckpt_path, old_tensor_name, rows, columns, fresh, num_rows_to_load, new_col_vocab_size, max_rows_in_memory
    )
    if num_row_oov_buckets > 0:
        matrix = _c.concat([matrix, initializer([num_row_oov_buckets, new_col_vocab_size])], 0)
    if num_col_oov_buckets > 0:
        more = initializer([num_rows_to_load + num_row_oov_buckets, num_col_oov_buckets])
        matrix = _c.concat([matrix, more], 1)
    return matrix


def _load_and_remap_matrix_initializer(
    ckpt_path,
    old_tensor_name,
    new_row_vocab_size,
    new_col_vocab_size,
    old_row_vocab_size=-1,
    old_row_vocab_file=None,
    new_row_vocab_file=None,
    old_col_vocab_file=None,
    new_col_vocab_file=None,
    num_row_oov_buckets=0,
    num_col_oov_buckets=0,
    initializer=None,
    max_rows_in_memory=-1,
):
    """An initializer that gives the matrix, or the rows of a part. Source: the function of this name in checkpoint_ops."""
    if initializer is None:
        from kiln.compat.v1._initializers import Zeros

        initializer = Zeros()
    if not callable(initializer):
        raise TypeError(f"initializer must be callable, instead of being {initializer} of type {type(initializer)}.")

    def initialize(shape, dtype=dtypes.float32, partition_info=None):
        offset = _checked_offset(
            shape, dtype, partition_info, new_row_vocab_size + num_row_oov_buckets,
            (new_col_vocab_size, num_col_oov_buckets),
        )  # fmt: skip
        unknown = min(shape[0], max(0, offset + shape[0] - new_row_vocab_size))
        if offset > new_row_vocab_size:
            return initializer(shape)
        return _load_and_remap_matrix(
            ckpt_path, old_tensor_name, offset, shape[0] - unknown, new_col_vocab_size, initializer,
            old_row_vocab_size, old_row_vocab_file, new_row_vocab_file, old_col_vocab_file, new_col_vocab_file,
            unknown, num_col_oov_buckets, max_rows_in_memory,
        )  # fmt: skip

    return initialize


def _checked_offset(shape, dtype, partition_info, rows, columns):
    """The first row of the part. Errors: TypeError, ValueError."""
    if dtype != dtypes.float32:
        raise TypeError(f"Currently, only float32 is supported. Received dtype: {dtype}")
    if len(shape) != 2:
        raise ValueError(f"Expected 2-dim shape, but received: {shape}")
    if shape[0] <= 0:
        raise ValueError(f"Expected 1st dim of shape to be > 0, but received shape: {shape}")
    if shape[1] != sum(columns):
        raise ValueError(
            f"Expected 2nd dim of shape to be new_col_vocab_size ({columns[0]}) + num_col_oov_buckets "
            f"({columns[1]}) = {sum(columns)}, but received shape: {shape}"
        )
    offset = 0 if partition_info is None else partition_info.var_offset[0]
    if offset + shape[0] > rows:
        raise ValueError(
            f"Trying to initialize {shape[0]} additional rows after {offset} rows have already been initialized, "
            f"which would exceed expected total row count of {rows}."
        )
    return offset


def _load_embedding_initializer(
    ckpt_path,
    embedding_tensor_name,
    new_vocab_size,
    embedding_dim,
    old_vocab_file,
    new_vocab_file,
    old_vocab_size=-1,
    num_oov_buckets=0,
    initializer=None,
    max_rows_in_memory=-1,
):
    """An initializer that gives the embeddings of words. Source: the function of this name in checkpoint_ops."""
    if initializer is None:
        from kiln.compat.v1._initializers import TruncatedNormal

        initializer = TruncatedNormal(stddev=embedding_dim**-0.5)
    return _load_and_remap_matrix_initializer(
        ckpt_path, embedding_tensor_name, new_vocab_size, embedding_dim, old_vocab_size, old_vocab_file,
        new_vocab_file, num_row_oov_buckets=num_oov_buckets, initializer=initializer,
        max_rows_in_memory=max_rows_in_memory,
    )  # fmt: skip
