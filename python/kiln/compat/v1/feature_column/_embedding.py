"""Columns that make numbers of categories: embeddings, shared ones, indicators."""

import collections

from kiln.compat import v1 as tf
from kiln.compat.v1.feature_column import _base


def _check_no_sequence(column, kind):
    if isinstance(column.categorical_column, _base._SequenceCategoricalColumn):
        raise ValueError(
            f"In {kind}: {column.name}. categorical_column must not be of type "
            "SequenceCategoricalColumn. "
            "Suggested fix A: If you wish to use DenseFeatures, use a non-sequence "
            "categorical_column_with_*. "
            "Suggested fix B: If you wish to create sequence input, use SequenceFeatures instead "
            "of DenseFeatures. "
            f"Given (type {type(column.categorical_column)}): {column.categorical_column}"
        )


def _check_sequence(column, kind):
    if not isinstance(column.categorical_column, _base._SequenceCategoricalColumn):
        raise ValueError(
            f"In {kind}: {column.name}. categorical_column must be of type "
            "SequenceCategoricalColumn to use "
            "SequenceFeatures. Suggested fix: Use one of sequence_categorical_column_with_*. "
            f"Given (type {type(column.categorical_column)}): {column.categorical_column}"
        )


class _OfCategories(_base.DenseColumn, _base.SequenceDenseColumn):
    """What is made of a categorical column, in an example or in a sequence."""

    @property
    def parse_example_spec(self):
        return self.categorical_column._parse_example_spec

    @property
    def _is_v2_column(self):
        return is_new(self.categorical_column)

    def _sparse_tensors(self, transformation_cache, state_manager):
        column = self.categorical_column
        if isinstance(column, _base.CategoricalColumn):
            return column.get_sparse_tensors(transformation_cache, state_manager)
        return column._get_sparse_tensors(transformation_cache)

    parents = property(lambda self: [self.categorical_column])


def is_new(column):
    return isinstance(column, _base.FeatureColumn) and column._is_v2_column


class _Embedded(_OfCategories):
    """What looks vectors up in a variable."""

    kind = "embedding_column"

    def transform_feature(self, transformation_cache, state_manager):
        return transformation_cache.get(self.categorical_column, state_manager)

    @property
    def variable_shape(self):
        return tf.TensorShape([self.dimension])

    def create_state(self, state_manager):
        state_manager.create_variable(
            self,
            name="embedding_weights",
            shape=(self.categorical_column._num_buckets, self.dimension),
            dtype=tf.float32,
            trainable=self.trainable,
            use_resource=True,
            initializer=self.initializer,
        )

    def _looked_up(self, sparse_tensors, weights):
        if self.ckpt_to_load_from is not None:
            tf.train.init_from_checkpoint(
                self.ckpt_to_load_from, {self.tensor_name_in_ckpt: parts_of(weights)}
            )
        return tf.nn.safe_embedding_lookup_sparse(
            weights,
            sparse_tensors.id_tensor,
            sparse_tensors.weight_tensor,
            combiner=self.combiner,
            name=f"{self.name}_weights",
            max_norm=self.max_norm,
        )

    def _vectors(self, transformation_cache, state_manager):
        sparse_tensors = self._sparse_tensors(transformation_cache, state_manager)
        weights = state_manager.get_variable(self, name="embedding_weights")
        return self._looked_up(sparse_tensors, weights)

    def get_dense_tensor(self, transformation_cache, state_manager):
        _check_no_sequence(self, self.kind)
        return self._vectors(transformation_cache, state_manager)

    def get_sequence_dense_tensor(self, transformation_cache, state_manager):
        _check_sequence(self, self.kind)
        vectors = self._vectors(transformation_cache, state_manager)
        sparse_tensors = self._sparse_tensors(transformation_cache, state_manager)
        return _base.TensorSequenceLengthPair(
            vectors, _base.sequence_lengths(sparse_tensors.id_tensor)
        )


def parts_of(variable):
    """A variable, or the list of the parts of a partitioned one."""
    return variable if isinstance(variable, tf.Variable) else list(variable)


class EmbeddingColumn(
    _Embedded,
    collections.namedtuple(
        "EmbeddingColumn",
        [
            "categorical_column", "dimension", "combiner", "initializer", "ckpt_to_load_from",
            "tensor_name_in_ckpt", "max_norm", "trainable",
        ],
    ),
):  # fmt: skip
    """A vector for each category. Made by embedding_column()."""

    @property
    def name(self):
        return f"{self.categorical_column.name}_embedding"


class SharedEmbeddingColumn(
    _Embedded,
    collections.namedtuple(
        "SharedEmbeddingColumn",
        [
            "categorical_column", "dimension", "combiner", "initializer",
            "shared_embedding_collection_name", "ckpt_to_load_from", "tensor_name_in_ckpt",
            "max_norm", "trainable",
        ],
    ),
):  # fmt: skip
    """A vector for each category, the same as those of other columns.

    The variable is in a collection of its own. Made by shared_embedding_columns().
    """

    _is_v2_column = False

    @property
    def name(self):
        return f"{self.categorical_column.name}_shared_embedding"

    @property
    def _var_scope_name(self):
        return self.shared_embedding_collection_name

    def _vectors(self, transformation_cache, state_manager):
        with tf.name_scope(None, default_name=self.name):
            sparse_tensors = self._sparse_tensors(transformation_cache, state_manager)
            return self._looked_up(sparse_tensors, self._weights(state_manager))

    def _weights(self, state_manager):
        name = self.shared_embedding_collection_name
        found = tf.get_collection(name)
        fix = (
            "Suggested fix A: Choose a unique name for this collection. Suggested fix B: Do not "
            "add any variables "
            "to this collection. The feature_column library already adds a variable under the hood."
        )
        if len(found) > 1:
            raise ValueError(f"Collection {name} can only contain one variable. {fix}")
        if not found:
            weights = state_manager.get_variable(self, name="embedding_weights")
            tf.add_to_collection(name, weights)
            return weights
        shape = (self.categorical_column._num_buckets, self.dimension)
        if found[0].get_shape() != shape:
            raise ValueError(
                f"Shared embedding collection {name} contains variable {found[0].name} of "
                "unexpected shape "
                f"{found[0].get_shape()}. Expected shape is {shape}. {fix}"
            )
        return found[0]


class IndicatorColumn(
    _OfCategories, collections.namedtuple("IndicatorColumn", ["categorical_column"])
):
    """How often each category is there. Made by indicator_column()."""

    @property
    def name(self):
        return f"{self.categorical_column.name}_indicator"

    @property
    def variable_shape(self):
        return tf.TensorShape([1, self.categorical_column._num_buckets])

    def transform_feature(self, transformation_cache, state_manager):
        ids, weights = self._sparse_tensors(transformation_cache, state_manager)
        size = self.categorical_column._num_buckets
        if weights is not None:
            weighted = tf.sparse_merge(sp_ids=ids, sp_values=weights, vocab_size=int(size))
            # Ids may be missing, -1.
            weighted = tf.sparse_slice(weighted, [0, 0], weighted.dense_shape)
            return tf.scatter_nd(weighted.indices, weighted.values, weighted.dense_shape)
        dense = tf.sparse_tensor_to_dense(ids, default_value=-1)
        return tf.reduce_sum(tf.one_hot(dense, depth=size, on_value=1.0, off_value=0.0), axis=[-2])

    def get_dense_tensor(self, transformation_cache, state_manager):
        _check_no_sequence(self, "indicator_column")
        return transformation_cache.get(self, state_manager)

    def get_sequence_dense_tensor(self, transformation_cache, state_manager):
        _check_sequence(self, "indicator_column")
        dense = transformation_cache.get(self, state_manager)
        sparse_tensors = self._sparse_tensors(transformation_cache, state_manager)
        return _base.TensorSequenceLengthPair(
            dense, _base.sequence_lengths(sparse_tensors.id_tensor)
        )
