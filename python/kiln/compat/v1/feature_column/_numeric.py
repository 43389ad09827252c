"""Columns of numbers, and of the intervals that they fall into."""

import collections

from kiln._generated import raw_ops
from kiln.compat import v1 as tf
from kiln.compat.v1.feature_column import _base


class NumericColumn(
    _base.DenseColumn,
    collections.namedtuple(
        "NumericColumn", ["key", "shape", "default_value", "dtype", "normalizer_fn"]
    ),
):
    """A feature of numbers. Made by numeric_column()."""

    @property
    def name(self):
        return self.key

    @property
    def parse_example_spec(self):
        return {self.key: tf.FixedLenFeature(self.shape, self.dtype, self.default_value)}

    def transform_feature(self, transformation_cache, state_manager):
        tensor = transformation_cache.get(self.key, state_manager)
        if isinstance(tensor, tf.SparseTensor):
            raise ValueError(
                "The corresponding Tensor of numerical column must be a Tensor. SparseTensor is "
                "not supported. "
                f"key: {self.key}"
            )
        if self.normalizer_fn is not None:
            tensor = self.normalizer_fn(tensor)
        return tf.cast(tensor, tf.float32)

    @property
    def variable_shape(self):
        return tf.TensorShape(self.shape)

    def get_dense_tensor(self, transformation_cache, state_manager):
        return transformation_cache.get(self, state_manager)

    parents = property(lambda self: [self.key])


class BucketizedColumn(
    _base.DenseColumn,
    _base.CategoricalColumn,
    collections.namedtuple("BucketizedColumn", ["source_column", "boundaries"]),
):
    """The interval that each number of a column is in. Made by bucketized_column()."""

    @property
    def name(self):
        return f"{self.source_column.name}_bucketized"

    @property
    def parse_example_spec(self):
        return self.source_column.parse_example_spec

    def transform_feature(self, transformation_cache, state_manager):
        source = transformation_cache.get(self.source_column, state_manager)
        return raw_ops.bucketize(source, boundaries=list(self.boundaries))

    @property
    def variable_shape(self):
        return tf.TensorShape((*self.source_column.shape, len(self.boundaries) + 1))

    @property
    def num_buckets(self):
        return (len(self.boundaries) + 1) * self.source_column.shape[0]

    def get_dense_tensor(self, transformation_cache, state_manager):
        buckets = tf.cast(transformation_cache.get(self, state_manager), tf.int64)
        return tf.one_hot(buckets, depth=len(self.boundaries) + 1, on_value=1.0, off_value=0.0)

    def get_sparse_tensors(self, transformation_cache, state_manager):
        buckets = transformation_cache.get(self, state_manager)
        batch_size = tf.shape(buckets)[0]
        width = self.source_column.shape[0]
        rows = tf.reshape(tf.tile(tf.expand_dims(tf.range(0, batch_size), 1), [1, width]), (-1,))
        columns = tf.tile(tf.range(0, width), [batch_size])
        # Each number of an example has buckets of its own.
        ids = tf.reshape(buckets, (-1,)) + (len(self.boundaries) + 1) * columns
        indices = tf.cast(tf.transpose(tf.stack((rows, columns))), tf.int64)
        shape = tf.cast(tf.stack([batch_size, width]), tf.int64)
        return _base.IdWeightPair(tf.SparseTensor(indices, ids, shape), None)

    parents = property(lambda self: [self.source_column])


class SequenceNumericColumn(
    _base.SequenceDenseColumn,
    collections.namedtuple(
        "SequenceNumericColumn", ["key", "shape", "default_value", "dtype", "normalizer_fn"]
    ),
):
    """Sequences of numbers. Made by sequence_numeric_column()."""

    @property
    def name(self):
        return self.key

    @property
    def parse_example_spec(self):
        return {self.key: tf.VarLenFeature(self.dtype)}

    def transform_feature(self, transformation_cache, state_manager):
        tensor = transformation_cache.get(self.key, state_manager)
        return tensor if self.normalizer_fn is None else self.normalizer_fn(tensor)

    @property
    def variable_shape(self):
        return tf.TensorShape(self.shape)

    def get_sequence_dense_tensor(self, transformation_cache, state_manager):
        sparse = transformation_cache.get(self, state_manager)
        dense = tf.sparse_tensor_to_dense(sparse, default_value=self.default_value)
        shape = tf.concat([tf.shape(dense)[:1], [-1], self.variable_shape.as_list()], axis=0)
        dense = tf.reshape(dense, shape)
        flat = sparse.shape.ndims == 2
        elements = self.variable_shape.num_elements() if flat else 1
        return _base.TensorSequenceLengthPair(dense, _base.sequence_lengths(sparse, elements))

    parents = property(lambda self: [self.key])
