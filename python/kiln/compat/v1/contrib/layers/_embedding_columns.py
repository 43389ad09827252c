"""Feature columns of vectors, and how the vectors are looked up."""

import collections
import math

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.framework import model_variable
from kiln.compat.v1.contrib.layers._columns import _FeatureColumn, transformed
from kiln.compat.v1.contrib.layers._embeddings import safe_embedding_lookup_sparse
from kiln.compat.v1.contrib.layers._shapes import _inner_flatten

DeepArguments = collections.namedtuple(
    "DeepArguments",
    [
        "input_tensor", "weight_tensor", "vocab_size", "initializer", "combiner", "dimension",
        "shared_embedding_name", "max_norm", "trainable",
    ],
)  # fmt: skip


def variable_parts(variable):
    """The parts of a variable as a list."""
    return [variable] if isinstance(variable, tf.Variable) else list(variable)


def restore_from_checkpoint(checkpoint_path, parts):
    """Makes the parts of a variable begin with a checkpoint's values."""
    if checkpoint_path is not None:
        path, name = checkpoint_path
        tf.train.init_from_checkpoint(path, {name: parts if len(parts) > 1 else parts[0]})


class _EmbeddingColumn(
    _FeatureColumn,
    collections.namedtuple(
        "_EmbeddingColumn",
        [
            "sparse_id_column", "dimension", "combiner", "initializer", "ckpt_to_load_from",
            "tensor_name_in_ckpt", "shared_embedding_name", "shared_vocab_size", "max_norm",
            "trainable",
        ],
    ),
):  # fmt: skip
    """Vectors of numbers, combined. Made by embedding_column(), shared_embedding_columns()."""

    _functions = ("initializer",)

    def __new__(
        cls,
        sparse_id_column,
        dimension,
        combiner="mean",
        initializer=None,
        ckpt_to_load_from=None,
        tensor_name_in_ckpt=None,
        shared_embedding_name=None,
        shared_vocab_size=None,
        max_norm=None,
        trainable=True,
    ):
        if initializer is not None and not callable(initializer):
            raise ValueError(
                "initializer must be callable if specified. Embedding of column_name: "
                f"{sparse_id_column.name}"
            )
        if (ckpt_to_load_from is None) != (tensor_name_in_ckpt is None):
            raise ValueError(
                "Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them."
            )
        if initializer is None:
            tf.logging.warn(
                'The default stddev value of initializer was changed from "1/sqrt(vocab_size)" to '
                '"1/sqrt(dimension)" in core implementation '
                "(tf.feature_column.embedding_column)."
            )
            stddev = 1 / math.sqrt(sparse_id_column.length)
            initializer = tf.truncated_normal_initializer(mean=0.0, stddev=stddev)
        return super().__new__(
            cls, sparse_id_column, dimension, combiner, initializer, ckpt_to_load_from,
            tensor_name_in_ckpt, shared_embedding_name, shared_vocab_size, max_norm, trainable,
        )  # fmt: skip

    @property
    def name(self):
        kind = "embedding" if self.shared_embedding_name is None else "shared_embedding"
        return f"{self.sparse_id_column.name}_{kind}"

    @property
    def length(self):
        return self.shared_vocab_size or self.sparse_id_column.length

    @property
    def config(self):
        return self.sparse_id_column.config

    def insert_transformed_feature(self, columns_to_tensors):
        columns_to_tensors[self] = transformed(self.sparse_id_column, columns_to_tensors)

    def _deep_embedding_lookup_arguments(self, input_tensor):
        return DeepArguments(
            self.sparse_id_column.id_tensor(input_tensor),
            self.sparse_id_column.weight_tensor(input_tensor),
            self.length,
            self.initializer,
            self.combiner,
            self.dimension,
            self.shared_embedding_name,
            self.max_norm,
            self.trainable,
        )

    def _checkpoint_path(self):
        if self.ckpt_to_load_from is None:
            return None
        return self.ckpt_to_load_from, self.tensor_name_in_ckpt

    def _wide_embedding_lookup_arguments(self, input_tensor):
        raise ValueError(
            f"Column {self} is not supported in linear models. Please use sparse_column."
        )


def _variable(arguments, name, shape, weight_collections, trainable):
    return model_variable(
        name=name,
        shape=shape,
        dtype=tf.float32,
        initializer=arguments.initializer,
        trainable=trainable and arguments.trainable,
        collections=weight_collections,
    )


def _shared_variable(arguments, weight_collections, trainable):
    """The variable of columns that share one. Errors: ValueError for another shape."""
    name = arguments.shared_embedding_name
    shape = [arguments.vocab_size, arguments.dimension]
    key = "SHARED_EMBEDDING_COLLECTION_" + name.upper()
    found = tf.get_collection(key)
    if len(found) > 1:
        raise ValueError(f"Collection {key} can only contain one (partitioned) variable.")
    if not found:
        variable = _variable(arguments, name, shape, weight_collections, trainable)
        tf.add_to_collection(key, variable)
        return variable
    if found[0].get_shape() != shape:
        raise ValueError(
            f"The embedding variable with name {name} already exists, but its shape does not match "
            "required embedding shape here. Please make sure to use different "
            "shared_embedding_name for different shared embeddings."
        )
    return found[0]


def embeddings_from_arguments(column, arguments, weight_collections, trainable, output_rank=2):
    """The combined vectors of a column's numbers."""
    ids = _inner_flatten(arguments.input_tensor, output_rank)
    weights = None
    if arguments.weight_tensor is not None:
        weights = _inner_flatten(arguments.weight_tensor, output_rank)
    if arguments.shared_embedding_name is not None:
        variable = _shared_variable(arguments, weight_collections, trainable)
    else:
        shape = [arguments.vocab_size, arguments.dimension]
        variable = _variable(arguments, "weights", shape, weight_collections, trainable)
    parts = variable_parts(variable)
    restore_from_checkpoint(column._checkpoint_path(), parts)
    return safe_embedding_lookup_sparse(
        parts,
        ids,
        sparse_weights=weights,
        combiner=arguments.combiner,
        name=column.name + "weights",
        max_norm=arguments.max_norm,
    )
