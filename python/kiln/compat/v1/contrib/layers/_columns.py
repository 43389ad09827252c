"""What the feature columns of tf.contrib.layers share, and those of sparse features.

A column is a tuple, equal to another one of the same fields. transform(tensors) makes the column's
tensor of the features' tensors, and keeps it among them.
"""

import collections

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.layers._shapes import _inner_flatten
from kiln.compat.v1.contrib.layers.sparse_ops import dense_to_sparse_tensor

LinearArguments = collections.namedtuple(
    "LinearArguments", ["input_tensor", "weight_tensor", "vocab_size", "initializer", "combiner"]
)


class _FeatureColumn:
    """A column. Source: tf.contrib.layers.feature_column's _FeatureColumn.

    name, key: of the column, the key with all fields. config: the features that are parsed for it.
    """

    # Fields that are functions, which the key leaves out.
    _functions = ()

    @property
    def key(self):
        if not self._functions:
            return f"{self}"
        fields = [
            f"{name}={value}"
            for name, value in zip(self._fields, self)
            if name not in self._functions
        ]
        return f"{type(self).__name__}({', '.join(fields)})"

    def insert_transformed_feature(self, columns_to_tensors):
        """Adds the column's tensor to those of the features."""
        raise NotImplementedError(f"Transform is not implemented for {self}.")

    def _to_dnn_input_layer(
        self, input_tensor, weight_collections=None, trainable=True, output_rank=2
    ):
        raise ValueError("Calling an abstract method.")

    def _deep_embedding_lookup_arguments(self, input_tensor):
        raise NotImplementedError(f"No deep embedding lookup arguments for column {self}.")

    def _wide_embedding_lookup_arguments(self, input_tensor):
        raise NotImplementedError(f"No wide embedding lookup arguments for column {self}.")

    def _to_dense_tensor(self, input_tensor):
        raise NotImplementedError(f"No dense tensor representation for column {self}.")

    def _checkpoint_path(self):
        return None


def transformed(column, columns_to_tensors):
    """The tensor of a column, made where it is not there. Errors: ValueError, TypeError."""
    if column not in columns_to_tensors:
        if isinstance(column, str):
            raise ValueError(f"features dictionary doesn't contain key ({column})")
        if not isinstance(column, _FeatureColumn):
            raise TypeError(
                f'"key" must be either a "str" or "_FeatureColumn". Provided: {column}'
            )
        column.insert_transformed_feature(columns_to_tensors)
    return columns_to_tensors[column]


def reshaped(tensor, output_rank, column_name=None):
    """A tensor of another rank. Errors: ValueError for one whose rank is too small."""
    rank = tensor.get_shape().ndims
    if rank is None:
        return _inner_flatten(tensor, output_rank)
    if output_rank > rank + 1:
        words = (
            f"Rank of input Tensor ({rank}) should be the same as output_rank ({output_rank}). For "
            "example, sequence data should typically be 3 dimensional (rank 3) while non-sequence "
            "data is typically 2 dimensional (rank 2)."
        )
        if column_name is not None:
            words = f"Error while processing column {column_name}." + words
        raise ValueError(words)
    if output_rank == rank + 1:
        tf.logging.warning(
            "Rank of input Tensor (%s) should be the same as output_rank (%s) for column. Will "
            "attempt to expand dims. It is highly recommended that you resize your input, as this "
            "behavior may change.",
            rank,
            output_rank,
        )
        return tf.expand_dims(tensor, -1, name="expand_dims")
    return tensor if output_rank == rank else _inner_flatten(tensor, output_rank)


class _SparseIdLookupConfig(
    collections.namedtuple(
        "_SparseIdLookupConfig",
        ["vocabulary_file", "keys", "num_oov_buckets", "vocab_size", "default_value"],
    )
):
    """The words of a column, in a file or as they are."""

    def __new__(
        cls, vocabulary_file=None, keys=None, num_oov_buckets=0, vocab_size=None, default_value=-1
    ):
        return super().__new__(
            cls, vocabulary_file, keys, num_oov_buckets, vocab_size, default_value
        )


class _SparseIds(_FeatureColumn):
    """What columns of numbers share, with and without weights."""

    # What an error calls the column.
    _kind = "SparseColumn"

    def _to_dnn_input_layer(
        self, input_tensor, weight_collections=None, trainable=True, output_rank=2
    ):
        raise ValueError(
            f"{self._kind} is not supported in DNN. Please use embedding_column or one_hot_column. "
            f"column: {self}"
        )

    def _wide_embedding_lookup_arguments(self, input_tensor):
        return LinearArguments(
            self.id_tensor(input_tensor),
            self.weight_tensor(input_tensor),
            self.length,
            tf.zeros_initializer(),
            self.combiner,
        )


class _SparseColumn(
    _SparseIds,
    collections.namedtuple(
        "_SparseColumn",
        ["column_name", "is_integerized", "bucket_size", "lookup_config", "combiner", "dtype"],
    ),
):
    """Numbers of a sparse feature's values."""

    def __new__(
        cls,
        column_name,
        is_integerized=False,
        bucket_size=None,
        lookup_config=None,
        combiner="sum",
        dtype=tf.string,
    ):
        if is_integerized and bucket_size is None:
            raise ValueError(
                f"bucket_size must be set if is_integerized is True. column_name: {column_name}"
            )
        if is_integerized and not dtype.is_integer:
            raise ValueError(
                f"dtype must be an integer if is_integerized is True. dtype: {dtype}, column_name: "
                f"{column_name}."
            )
        if dtype != tf.string and not dtype.is_integer:
            raise ValueError(
                f"dtype must be string or integer. dtype: {dtype}, column_name: {column_name}"
            )
        if bucket_size is None and lookup_config is None:
            raise ValueError(
                f"one of bucket_size or lookup_config must be set. column_name: {column_name}"
            )
        if bucket_size is not None and bucket_size < 1:
            raise ValueError(
                f"bucket_size must be at least 1. bucket_size: {bucket_size}, column_name: "
                f"{column_name}"
            )
        if lookup_config and lookup_config.vocabulary_file and lookup_config.vocab_size is None:
            raise ValueError(f"vocab_size must be defined. column_name: {column_name}")
        return super().__new__(
            cls, column_name, is_integerized, bucket_size, lookup_config, combiner, dtype
        )

    @property
    def name(self):
        return self.column_name

    @property
    def length(self):
        """How many numbers there are."""
        if self.bucket_size is not None:
            return self.bucket_size
        return self.lookup_config.vocab_size + self.lookup_config.num_oov_buckets

    @property
    def config(self):
        return {self.column_name: tf.VarLenFeature(self.dtype)}

    def id_tensor(self, input_tensor):
        return input_tensor

    def weight_tensor(self, input_tensor):
        return None

    def insert_transformed_feature(self, columns_to_tensors):
        tensor = columns_to_tensors[self.name]
        if not isinstance(tensor, tf.SparseTensor):
            ignored = "" if tensor.dtype == tf.string else -1
            tensor = dense_to_sparse_tensor(
                reshaped(tensor, 2, self.name), ignore_value=ignored
            )
        columns_to_tensors[self] = self._do_transform(tensor)

    def is_compatible(self, other_column):
        """Whether it has the numbers of another column, as far as that is known."""
        if self.lookup_config and other_column.lookup_config:
            return self.lookup_config == other_column.lookup_config
        kinds = self.dtype, other_column.dtype
        found = self.length == other_column.length and (
            kinds[0] == kinds[1] or all(each.is_integer for each in kinds)
        )
        if found:
            tf.logging.warn(
                f"Column {self.name} and {other_column.name} may not have the same vocabulary."
            )
        return found


def _with_values(sparse, values):
    return tf.SparseTensor(sparse.indices, values, sparse.dense_shape)


class _SparseColumnIntegerized(_SparseColumn):
    """Made by sparse_column_with_integerized_feature()."""

    def _do_transform(self, input_tensor):
        return _with_values(
            input_tensor, tf.mod(input_tensor.values, self.bucket_size, name="mod")
        )


class _SparseColumnHashed(_SparseColumn):
    """Made by sparse_column_with_hash_bucket()."""

    def __new__(cls, *args, hash_keys=None, **kwargs):
        if hash_keys is not None:
            if not isinstance(hash_keys, list) or not hash_keys:
                raise ValueError("hash_keys must be a non-empty list.")
            if not all(
                isinstance(pair, list)
                and len(pair) == 2
                and all(isinstance(key, int) for key in pair)
                for pair in hash_keys
            ):
                raise ValueError("Each element of hash_keys must be a pair of integers.")
        column = super().__new__(cls, *args, **kwargs)
        column.hash_keys = hash_keys
        return column

    def _do_transform(self, input_tensor):
        values = input_tensor.values
        if self.dtype.is_integer:
            values = tf.as_string(values)
        if self.hash_keys:
            parts = [
                _with_values(
                    input_tensor, tf.string_to_hash_bucket_strong(values, self.bucket_size, key)
                )
                for key in self.hash_keys
            ]
            return tf.sparse_concat(axis=1, sp_inputs=parts, name="lookup")
        return _with_values(
            input_tensor, tf.string_to_hash_bucket_fast(values, self.bucket_size, name="lookup")
        )


class _SparseColumnKeys(_SparseColumn):
    """Made by sparse_column_with_keys()."""

    def _do_transform(self, input_tensor):
        table = tf.contrib.lookup.index_table_from_tensor(
            mapping=tuple(self.lookup_config.keys),
            default_value=self.lookup_config.default_value,
            dtype=self.dtype,
            name="lookup",
        )
        return table.lookup(input_tensor)


class _SparseColumnVocabulary(_SparseColumn):
    """Made by sparse_column_with_vocabulary_file()."""

    def _do_transform(self, input_tensor):
        if self.dtype.is_integer:
            input_tensor = _with_values(input_tensor, tf.as_string(input_tensor.values))
        table = tf.contrib.lookup.index_table_from_file(
            vocabulary_file=self.lookup_config.vocabulary_file,
            num_oov_buckets=self.lookup_config.num_oov_buckets,
            vocab_size=self.lookup_config.vocab_size,
            default_value=self.lookup_config.default_value,
            name=self.name + "_lookup",
        )
        return table.lookup(input_tensor)


class _WeightedSparseColumn(
    _SparseIds,
    collections.namedtuple(
        "_WeightedSparseColumn", ["sparse_id_column", "weight_column_name", "dtype"]
    ),
):
    """Numbers with weights. Made by weighted_sparse_column()."""

    _kind = "WeightedSparseColumn"
    combiner = property(lambda self: self.sparse_id_column.combiner)

    @property
    def name(self):
        return f"{self.sparse_id_column.name}_weighted_by_{self.weight_column_name}"

    @property
    def length(self):
        return self.sparse_id_column.length

    @property
    def config(self):
        return {
            **self.sparse_id_column.config,
            self.weight_column_name: tf.VarLenFeature(self.dtype),
        }

    @property
    def lookup_config(self):
        return self.sparse_id_column.lookup_config

    def id_tensor(self, input_tensor):
        return input_tensor[0]

    def weight_tensor(self, input_tensor):
        return input_tensor[1]

    def insert_transformed_feature(self, columns_to_tensors):
        ids = transformed(self.sparse_id_column, columns_to_tensors)
        weights = columns_to_tensors[self.weight_column_name]
        if not isinstance(weights, tf.SparseTensor):
            weights = dense_to_sparse_tensor(weights)
        if not self.dtype.is_floating:
            weights = tf.cast(weights, tf.float32)
        columns_to_tensors[self] = (ids, weights)

    def is_compatible(self, other_column):
        if isinstance(other_column, _WeightedSparseColumn):
            other_column = other_column.sparse_id_column
        return self.sparse_id_column.is_compatible(other_column)
