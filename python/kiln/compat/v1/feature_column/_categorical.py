"""Columns of categories: each gives integers below a number of buckets."""

import collections

from kiln.compat import v1 as tf
from kiln.compat.v1.feature_column import _base


class _OneFeature(_base.CategoricalColumn):
    """A column that is made of one feature."""

    @property
    def name(self):
        return self.key

    @property
    def parse_example_spec(self):
        return {self.key: tf.VarLenFeature(self.dtype)}

    def transform_feature(self, transformation_cache, state_manager):
        tensor = _base.without_missing(transformation_cache.get(self.key, state_manager))
        return self._ids(tensor, state_manager)

    def _check_dtype(self, tensor):
        _base.check_string_or_int(tensor.dtype, f"column_name: {self.key} input_tensor")
        if self.dtype.is_integer != tensor.dtype.is_integer:
            raise ValueError(
                f"Column dtype and SparseTensors dtype must be compatible. key: {self.key}, "
                f"column dtype: {self.dtype}, tensor dtype: {tensor.dtype}"
            )

    parents = property(lambda self: [self.key])


class HashedCategoricalColumn(
    _OneFeature,
    collections.namedtuple("HashedCategoricalColumn", ["key", "hash_bucket_size", "dtype"]),
):
    """The hashes of values. Made by categorical_column_with_hash_bucket()."""

    def _ids(self, tensor, state_manager):
        self._check_dtype(tensor)
        values = tensor.values if self.dtype == tf.string else tf.as_string(tensor.values)
        ids = tf.string_to_hash_bucket_fast(values, self.hash_bucket_size, name="lookup")
        return tf.SparseTensor(tensor.indices, ids, tensor.dense_shape)

    @property
    def num_buckets(self):
        return self.hash_bucket_size


class _Vocabulary(_OneFeature):
    """A column that looks values up in a table."""

    def _ids(self, tensor, state_manager):
        self._check_dtype(tensor)
        key_dtype = self.dtype
        if tensor.dtype.is_integer:
            key_dtype, tensor = tf.int64, tf.cast(tensor, tf.int64)
        name = f"{self.key}_lookup"
        if state_manager is not None and state_manager.has_resource(self, name):
            table = state_manager.get_resource(self, name)
        else:
            with tf.init_scope():
                table = self._table(key_dtype, name)
            if state_manager is not None:
                state_manager.add_resource(self, name, table)
        return table.lookup(tensor)


class VocabularyFileCategoricalColumn(
    _Vocabulary,
    collections.namedtuple(
        "VocabularyFileCategoricalColumn",
        ["key", "vocabulary_file", "vocabulary_size", "num_oov_buckets", "dtype", "default_value"],
    ),
):
    """The line numbers of values. Made by categorical_column_with_vocabulary_file()."""

    def _table(self, key_dtype, name):
        from kiln.compat.v1.contrib import lookup

        return lookup.index_table_from_file(
            vocabulary_file=self.vocabulary_file,
            num_oov_buckets=self.num_oov_buckets,
            vocab_size=self.vocabulary_size,
            default_value=self.default_value,
            key_dtype=key_dtype,
            name=name,
        )

    @property
    def num_buckets(self):
        return self.vocabulary_size + self.num_oov_buckets


class VocabularyListCategoricalColumn(
    _Vocabulary,
    collections.namedtuple(
        "VocabularyListCategoricalColumn",
        ["key", "vocabulary_list", "dtype", "default_value", "num_oov_buckets"],
    ),
):
    """The places of values in a list. Made by categorical_column_with_vocabulary_list()."""

    def _table(self, key_dtype, name):
        from kiln.compat.v1.contrib import lookup

        return lookup.index_table_from_tensor(
            tuple(self.vocabulary_list),
            num_oov_buckets=self.num_oov_buckets,
            default_value=self.default_value,
            dtype=key_dtype,
            name=name,
        )

    @property
    def num_buckets(self):
        return len(self.vocabulary_list) + self.num_oov_buckets


class IdentityCategoricalColumn(
    _OneFeature,
    collections.namedtuple("IdentityCategoricalColumn", ["key", "number_buckets", "default_value"]),
):
    """Integers as they are. Made by categorical_column_with_identity()."""

    dtype = property(lambda self: tf.int64)

    @property
    def num_buckets(self):
        return self.number_buckets

    def _ids(self, tensor, state_manager):
        if not tensor.dtype.is_integer:
            raise ValueError(f"Invalid input, not integer. key: {self.key} dtype: {tensor.dtype}")
        values = tf.cast(tensor.values, tf.int64, name="values")
        limit = tf.cast(self.num_buckets, tf.int64, name="num_buckets")
        zero = tf.cast(0, tf.int64, name="zero")
        if self.default_value is None:
            below = tf.assert_less(
                values, limit, data=(values, limit), name="assert_less_than_num_buckets"
            )
            above = tf.assert_greater_equal(
                values, zero, data=(values,), name="assert_greater_or_equal_0"
            )
            with tf.control_dependencies((below, above)):
                values = tf.identity(values)
        else:
            outside = tf.logical_or(values < zero, values >= limit, name="out_of_range")
            shape = tf.shape(values)
            default = tf.cast(self.default_value, tf.int64)
            defaults = tf.fill(dims=shape, value=default, name="default_values")
            values = tf.where(outside, defaults, values)
        return tf.SparseTensor(tensor.indices, values, tensor.dense_shape)


class WeightedCategoricalColumn(
    _base.CategoricalColumn,
    collections.namedtuple(
        "WeightedCategoricalColumn", ["categorical_column", "weight_feature_key", "dtype"]
    ),
):
    """A categorical column and a feature of weights. Made by weighted_categorical_column()."""

    @property
    def name(self):
        return f"{self.categorical_column.name}_weighted_by_{self.weight_feature_key}"

    @property
    def parse_example_spec(self):
        config = dict(self.categorical_column._parse_example_spec)
        if self.weight_feature_key in config:
            raise ValueError(
                f"Parse config {config[self.weight_feature_key]} already exists for "
                f"{self.weight_feature_key}."
            )
        config[self.weight_feature_key] = tf.VarLenFeature(self.dtype)
        return config

    @property
    def num_buckets(self):
        return self.categorical_column._num_buckets

    def transform_feature(self, transformation_cache, state_manager):
        weights = self._weights(transformation_cache.get(self.weight_feature_key, state_manager))
        ids = _base.without_missing(
            transformation_cache.get(self.categorical_column, state_manager)
        )
        return ids, weights

    def _weights(self, weights):
        weights = tf.convert_to_tensor_or_sparse_tensor(weights)
        if self.dtype != weights.dtype.base_dtype:
            raise ValueError(f"Bad dtype, expected {self.dtype}, but got {weights.dtype}.")
        if not isinstance(weights, tf.SparseTensor):
            weights = _base.without_missing(weights, ignore_value=0.0)
        return weights if weights.dtype.is_floating else tf.cast(weights, tf.float32)

    def get_sparse_tensors(self, transformation_cache, state_manager):
        return _base.IdWeightPair(*transformation_cache.get(self, state_manager))

    parents = property(lambda self: [self.categorical_column, self.weight_feature_key])


class CrossedColumn(
    _base.CategoricalColumn,
    collections.namedtuple("CrossedColumn", ["keys", "hash_bucket_size", "hash_key"]),
):
    """The hashes of combinations of values of several columns. Made by crossed_column()."""

    def _leaves(self):
        """The features and columns that are crossed, those of crossed columns too."""
        for key in self.keys:
            if isinstance(key, CrossedColumn):
                yield from key._leaves()
            else:
                yield key

    @property
    def name(self):
        return "_X_".join(
            sorted(key if isinstance(key, str) else key.name for key in self._leaves())
        )

    @property
    def parse_example_spec(self):
        config = {}
        for key in self.keys:
            config.update(
                {key: tf.VarLenFeature(tf.string)}
                if isinstance(key, str)
                else key._parse_example_spec
            )
        return config

    def transform_feature(self, transformation_cache, state_manager):
        tensors = []
        for key in self._leaves():
            if isinstance(key, str):
                tensors.append(transformation_cache.get(key, state_manager))
                continue
            if isinstance(key, _base.CategoricalColumn):
                pair = key.get_sparse_tensors(transformation_cache, state_manager)
            else:
                pair = key._get_sparse_tensors(transformation_cache)
            if pair.weight_tensor is not None:
                raise ValueError(
                    "crossed_column does not support weight_tensor, but the given column populates "
                    "weight_tensor. "
                    f"Given column: {key.name}"
                )
            tensors.append(pair.id_tensor)
        return tf.sparse.cross_hashed(
            tensors, num_buckets=self.hash_bucket_size, hash_key=self.hash_key
        )

    @property
    def num_buckets(self):
        return self.hash_bucket_size

    parents = property(lambda self: list(self.keys))


class SequenceCategoricalColumn(
    _base.CategoricalColumn,
    _base._SequenceCategoricalColumn,
    collections.namedtuple("SequenceCategoricalColumn", ["categorical_column"]),
):
    """A column for sequences. Made by the sequence_categorical_column_with_* functions."""

    @property
    def name(self):
        return self.categorical_column.name

    @property
    def parse_example_spec(self):
        return self.categorical_column.parse_example_spec

    def transform_feature(self, transformation_cache, state_manager):
        return self.categorical_column.transform_feature(transformation_cache, state_manager)

    @property
    def num_buckets(self):
        return self.categorical_column.num_buckets

    def get_sparse_tensors(self, transformation_cache, state_manager):
        ids, weights = self.categorical_column.get_sparse_tensors(
            transformation_cache, state_manager
        )
        shape = tf.shape(ids)
        # A third axis, which an embedding combines.
        target = [shape[0], shape[1], tf.reduce_prod(shape[2:])]
        ids = tf.sparse_reshape(ids, target)
        if weights is not None:
            weights = tf.sparse_reshape(weights, target)
        return _base.IdWeightPair(ids, weights)

    parents = property(lambda self: [self.categorical_column])
