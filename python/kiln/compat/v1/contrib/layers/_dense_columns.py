"""The feature columns of tf.contrib.layers that give dense tensors."""

import collections

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.layers._columns import (
    LinearArguments,
    _FeatureColumn,
    _SparseColumn,
    reshaped,
    transformed,
)
from kiln.compat.v1.contrib.layers._shapes import _inner_flatten

class _OneHotColumn(
    _FeatureColumn, collections.namedtuple("_OneHotColumn", ["sparse_id_column"])
):
    """How often each number is there. Made by one_hot_column()."""

    @property
    def name(self):
        return f"{self.sparse_id_column.name}_one_hot"

    @property
    def length(self):
        return self.sparse_id_column.length

    @property
    def config(self):
        return self.sparse_id_column.config

    def insert_transformed_feature(self, columns_to_tensors):
        columns_to_tensors[self] = transformed(self.sparse_id_column, columns_to_tensors)

    def _to_dnn_input_layer(
        self, input_tensor, weight_collections=None, trainable=False, output_rank=2
    ):
        ids = _inner_flatten(self.sparse_id_column.id_tensor(input_tensor), output_rank)
        weights = self.sparse_id_column.weight_tensor(input_tensor)
        if weights is not None:
            merged = tf.sparse_merge(sp_ids=ids, sp_values=weights, vocab_size=self.length)
            merged = tf.sparse_slice(merged, tf.zeros_like(merged.dense_shape), merged.dense_shape)
            dense = tf.sparse_tensor_to_dense(merged)
            shape = tf.concat([tf.shape(dense)[:-1], [self.length]], axis=0)
            return tf.reshape(dense, shape)
        dense = tf.sparse_tensor_to_dense(ids, default_value=-1)
        each = tf.one_hot(dense, depth=self.length, on_value=1.0, off_value=0.0)
        return tf.reduce_sum(each, axis=[output_rank - 1])


class _RealValuedColumn(
    _FeatureColumn,
    collections.namedtuple(
        "_RealValuedColumn", ["column_name", "dimension", "default_value", "dtype", "normalizer"]
    ),
):
    """Numbers as they are. Made by real_valued_column()."""

    _functions = ("normalizer",)

    @property
    def name(self):
        return self.column_name

    @property
    def config(self):
        default = None if self.default_value is None else list(self.default_value)
        return {self.column_name: tf.FixedLenFeature([self.dimension], self.dtype, default)}

    @property
    def normalizer_fn(self):
        return self.normalizer

    def insert_transformed_feature(self, columns_to_tensors):
        tensor = columns_to_tensors[self.name]
        if self.normalizer is not None:
            tensor = self.normalizer(tensor)
        columns_to_tensors[self] = tf.cast(tensor, tf.float32)

    def _to_dnn_input_layer(
        self, input_tensor, weight_collections=None, trainable=True, output_rank=2
    ):
        tensor = input_tensor
        if tensor.dtype != tf.float32:
            tensor = tf.cast(tensor, tf.float32)
        return reshaped(tensor, output_rank, self.name)

    def _to_dense_tensor(self, input_tensor):
        return input_tensor


class _BucketizedColumn(
    _FeatureColumn, collections.namedtuple("_BucketizedColumn", ["source_column", "boundaries"])
):
    """The range that a number is in. Made by bucketized_column()."""

    def __new__(cls, source_column, boundaries):
        if not isinstance(source_column, _RealValuedColumn):
            raise TypeError(
                "source_column must be an instance of _RealValuedColumn. source_column: "
                f"{source_column}"
            )
        if not isinstance(boundaries, (list, tuple)) or not boundaries:
            raise ValueError(
                f"boundaries must be a non-empty list or tuple. boundaries: {boundaries}"
            )
        if any(one > other for one, other in zip(boundaries, boundaries[1:])):
            raise ValueError(f"boundaries must be a sorted list. boundaries: {boundaries}")
        return super().__new__(cls, source_column, tuple(dict.fromkeys(boundaries)))

    @property
    def name(self):
        return f"{self.source_column.name}_bucketized"

    @property
    def length(self):
        return len(self.boundaries) + 1

    @property
    def config(self):
        return self.source_column.config

    def insert_transformed_feature(self, columns_to_tensors):
        columns_to_tensors[self] = tf.raw_ops.Bucketize(
            input=transformed(self.source_column, columns_to_tensors),
            boundaries=list(self.boundaries),
            name="bucketize",
        )

    def _to_dnn_input_layer(
        self, input_tensor, weight_collections=None, trainable=True, output_rank=2
    ):
        if output_rank != 2:
            raise ValueError("BucketizedColumn currently only supports output_rank=2")
        each = tf.one_hot(
            tf.cast(input_tensor, tf.int64), self.length, 1.0, 0.0, name="one_hot"
        )
        return tf.reshape(
            each, [-1, self.length * self.source_column.dimension], name="reshape"
        )

    def to_sparse_tensor(self, input_tensor):
        """The ranges as a sparse tensor; each element of a vector has ranges of its own."""
        dimension = self.source_column.dimension
        batch = tf.shape(input_tensor, name="shape")[0]
        if dimension > 1:
            rows = tf.expand_dims(tf.range(0, batch), 1, name="expand_dims")
            rows = tf.reshape(tf.tile(rows, [1, dimension], name="tile"), [-1], name="reshape")
            places = tf.tile(tf.range(0, dimension), [batch], name="tile")
            buckets = tf.reshape(input_tensor, [-1], name="reshape") + self.length * places
        else:
            rows = tf.range(0, batch)
            places = tf.zeros([batch], dtype=tf.int32, name="zeros")
            buckets = tf.reshape(input_tensor, [-1], name="reshape")
        indices = tf.cast(tf.transpose(tf.stack((rows, places))), tf.int64)
        shape = tf.cast(tf.stack([batch, dimension]), tf.int64)
        return tf.SparseTensor(indices, buckets, shape)

    def _wide_embedding_lookup_arguments(self, input_tensor):
        return LinearArguments(
            self.to_sparse_tensor(input_tensor),
            None,
            self.length * self.source_column.dimension,
            tf.zeros_initializer(),
            "sum",
        )


class _CrossedColumn(
    _FeatureColumn,
    collections.namedtuple(
        "_CrossedColumn",
        [
            "columns", "hash_bucket_size", "hash_key", "combiner", "ckpt_to_load_from",
            "tensor_name_in_ckpt",
        ],
    ),
):  # fmt: skip
    """Hashes of combinations of several columns. Made by crossed_column()."""

    def __new__(
        cls,
        columns,
        hash_bucket_size,
        hash_key,
        combiner="sum",
        ckpt_to_load_from=None,
        tensor_name_in_ckpt=None,
    ):
        for column in columns:
            if not isinstance(column, (_SparseColumn, _CrossedColumn, _BucketizedColumn)):
                raise TypeError(
                    "columns must be a set of _SparseColumn, _CrossedColumn, or _BucketizedColumn "
                    f"instances. (column {column} is a {type(column).__name__})"
                )
        if len(columns) < 2:
            raise ValueError(f"columns must contain at least 2 elements. columns: {columns}")
        if hash_bucket_size < 2:
            raise ValueError(
                f"hash_bucket_size must be at least 2. hash_bucket_size: {hash_bucket_size}"
            )
        if (ckpt_to_load_from is None) != (tensor_name_in_ckpt is None):
            raise ValueError(
                "Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them."
            )
        ordered = tuple(sorted(columns, key=lambda column: column.name))
        return super().__new__(
            cls, ordered, hash_bucket_size, hash_key, combiner, ckpt_to_load_from,
            tensor_name_in_ckpt,
        )  # fmt: skip

    @property
    def name(self):
        return "_X_".join(sorted(column.name for column in self.columns))

    @property
    def config(self):
        return {key: value for column in self.columns for key, value in column.config.items()}

    @property
    def length(self):
        return self.hash_bucket_size

    def id_tensor(self, input_tensor):
        return input_tensor

    def weight_tensor(self, input_tensor):
        return None

    def _leaves(self):
        for column in self.columns:
            if isinstance(column, _CrossedColumn):
                yield from column._leaves()
            else:
                yield column

    def insert_transformed_feature(self, columns_to_tensors):
        from kiln.compat.v1.contrib.layers.feature_column import sparse_feature_cross

        tensors = []
        for column in self._leaves():
            if isinstance(column, _SparseColumn):
                tensors.append(columns_to_tensors[column.name])
            else:
                ranges = transformed(column, columns_to_tensors)
                tensors.append(column.to_sparse_tensor(ranges))
        columns_to_tensors[self] = sparse_feature_cross(
            tensors,
            hashed_output=True,
            num_buckets=self.hash_bucket_size,
            hash_key=self.hash_key,
            name="cross",
        )

    def _to_dnn_input_layer(
        self, input_tensor, weight_collections=None, trainable=True, output_rank=2
    ):
        raise ValueError(
            "CrossedColumn is not supported in DNN. Please use embedding_column. column: "
            f"{self}"
        )

    def _checkpoint_path(self):
        if self.ckpt_to_load_from is None:
            return None
        return self.ckpt_to_load_from, self.tensor_name_in_ckpt

    def _wide_embedding_lookup_arguments(self, input_tensor):
        return LinearArguments(
            input_tensor, None, self.length, tf.zeros_initializer(), self.combiner
        )
