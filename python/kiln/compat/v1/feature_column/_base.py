"""What feature columns are, and what keeps their tensors and variables while a graph is built.

There are two protocols. A column of this package has `transform_feature(cache, state)` and the
like: `cache` gives the tensors of features and of other columns, each made once; `state` makes and
keeps variables. The older protocol has `_transform_feature(builder)` and its variables by scope and
collection; columns that a program writes itself may have that alone.
"""

import collections
import collections.abc
import re

from kiln.compat import v1 as tf

IdWeightPair = collections.namedtuple("IdWeightPair", ["id_tensor", "weight_tensor"])
TensorSequenceLengthPair = collections.namedtuple(
    "TensorSequenceLengthPair", ["dense_tensor", "sequence_length"]
)


class _FeatureColumn:
    """A column of the older protocol: `name`, `_parse_example_spec`, `_transform_feature`."""

    _is_v2_column = False

    @property
    def _var_scope_name(self):
        return self.name

    def __lt__(self, other):
        return str(self) < str(other)

    def __gt__(self, other):
        return str(self) > str(other)


class _DenseColumn(_FeatureColumn):
    """With `_variable_shape`, `_get_dense_tensor(builder, weight_collections, trainable)`."""


class _CategoricalColumn(_FeatureColumn):
    """One with `_num_buckets` and `_get_sparse_tensors(builder, weight_collections, trainable)`."""

    IdWeightPair = IdWeightPair


class _SequenceDenseColumn(_FeatureColumn):
    """One with `_get_sequence_dense_tensor(builder, weight_collections, trainable)`."""

    TensorSequenceLengthPair = TensorSequenceLengthPair


class _SequenceCategoricalColumn(_CategoricalColumn):
    """A categorical column whose features are sequences."""


class FeatureColumn(_FeatureColumn):
    """A column of this package: `name`, `parse_example_spec`, `transform_feature`."""

    _is_v2_column = True

    def create_state(self, state_manager):
        """Makes the variables of the column, if it has any."""

    @property
    def _parse_example_spec(self):
        return self.parse_example_spec

    def _transform_feature(self, inputs):
        return self.transform_feature(inputs, None)


class DenseColumn(FeatureColumn, _DenseColumn):
    """What gives a tensor of numbers: `variable_shape`, `get_dense_tensor(cache, state)`."""

    @property
    def _variable_shape(self):
        return self.variable_shape

    def _get_dense_tensor(self, inputs, weight_collections=None, trainable=None):
        return self.get_dense_tensor(inputs, ScopeVariables(weight_collections, trainable))


class CategoricalColumn(FeatureColumn, _CategoricalColumn):
    """What gives integers below `num_buckets`: `get_sparse_tensors(cache, state)`."""

    @property
    def _num_buckets(self):
        return self.num_buckets

    def get_sparse_tensors(self, transformation_cache, state_manager):
        return IdWeightPair(transformation_cache.get(self, state_manager), None)

    def _get_sparse_tensors(self, inputs, weight_collections=None, trainable=None):
        return self.get_sparse_tensors(inputs, ScopeVariables(weight_collections, trainable))


class SequenceDenseColumn(FeatureColumn, _SequenceDenseColumn):
    """What gives sequences of numbers: `get_sequence_dense_tensor(cache, state)`."""

    def _get_sequence_dense_tensor(self, inputs, weight_collections=None, trainable=None):
        return self.get_sequence_dense_tensor(inputs, ScopeVariables(weight_collections, trainable))


class ScopeVariables:
    """Makes the variables of columns in the current variable scope when they are asked for."""

    def __init__(self, weight_collections=None, trainable=True):
        self._collections, self._trainable = weight_collections, trainable is not False
        self._variables = {}

    def create_variable(
        self,
        feature_column,
        name,
        shape,
        dtype=None,
        trainable=True,
        use_resource=True,
        initializer=None,
    ):
        if self._collections and tf.GraphKeys.GLOBAL_VARIABLES not in self._collections:
            self._collections.append(tf.GraphKeys.GLOBAL_VARIABLES)
        variable = tf.get_variable(
            name,
            shape,
            dtype,
            initializer,
            trainable=self._trainable and trainable,
            collections=self._collections,
        )
        self._variables[feature_column, name] = variable
        return variable

    def get_variable(self, feature_column, name):
        if (feature_column, name) not in self._variables:
            feature_column.create_state(self)
        return self._variables[feature_column, name]

    def has_resource(self, feature_column, name):
        return False

    def add_resource(self, feature_column, name, resource):
        """Nothing: each use makes a table of its own."""


class LayerVariables:
    """Keeps the variables and tables of the columns of a layer.

    made: called with each new variable.
    """

    def __init__(self, trainable=True, made=None):
        self._trainable, self._made = trainable, made or (lambda variable: None)
        self._variables, self._resources = {}, {}

    def create_variable(
        self,
        feature_column,
        name,
        shape,
        dtype=None,
        trainable=True,
        use_resource=True,
        initializer=None,
    ):
        if (feature_column, name) in self._variables:
            raise ValueError("Variable already exists.")
        variable = tf.get_variable(
            name,
            shape,
            dtype,
            initializer,
            trainable=self._trainable and trainable,
            use_resource=use_resource,
        )
        self._variables[feature_column, name] = variable
        self._made(variable)
        return variable

    def get_variable(self, feature_column, name):
        if (feature_column, name) not in self._variables:
            raise ValueError("Variable does not exist.")
        return self._variables[feature_column, name]

    def has_resource(self, feature_column, name):
        return (feature_column, name) in self._resources

    def add_resource(self, feature_column, name, resource):
        self._resources[feature_column, name] = resource

    def get_resource(self, feature_column, name):
        return self._resources[feature_column, name]


class FeatureTransformationCache:
    """The tensors of features and of what columns make of them, each made once.

    features: a dict from names, or columns, to tensors. Features of rank 1 get a last axis of
    extent 1.
    """

    def __init__(self, features):
        self._features = dict(features)
        self._tensors = {}

    def get(self, key, state_manager=None, training=None):
        """The tensor of a feature, or what a column makes. Errors: ValueError, TypeError."""
        if key in self._tensors:
            return self._tensors[key]
        if key in self._features:
            made = self._feature(key)
        elif isinstance(key, str):
            raise ValueError(f"Feature {key} is not in features dictionary.")
        elif not isinstance(key, _FeatureColumn):
            raise TypeError(f'"key" must be either a "str" or "FeatureColumn". Provided: {key}')
        else:
            tf.logging.debug("Transforming feature_column %s.", key)
            if isinstance(key, FeatureColumn):
                made = key.transform_feature(self, state_manager)
            else:
                made = key._transform_feature(self)
            if made is None:
                raise ValueError(f"Column {key.name} is not supported.")
        self._tensors[key] = made
        return made

    def _feature(self, key):
        tensor = tf.convert_to_tensor_or_sparse_tensor(self._features[key])
        rank = tensor.get_shape().ndims
        error = f"Feature (key: {key}) cannot have rank 0. Given: {tensor}"
        if rank == 0:
            raise ValueError(error)
        if rank is not None:
            return tensor if rank > 1 else _with_last_axis(tensor)
        with tf.control_dependencies([tf.assert_positive(tf.rank(tensor), message=error)]):
            is_vector = tf.equal(1, tf.rank(tensor))
            return tf.cond(is_vector, lambda: _with_last_axis(tensor), lambda: tensor)


def _with_last_axis(tensor):
    if isinstance(tensor, tf.SparseTensor):
        return tf.sparse_reshape(tensor, [tf.shape(tensor)[0], 1])
    return tf.expand_dims(tensor, -1)


def without_missing(tensor, ignore_value=None):
    """A sparse tensor of the elements that are not ignore_value; a sparse tensor as it is.

    ignore_value: "" for strings, -1 for integers, 0 for others where it is None.
    """
    tensor = tf.convert_to_tensor_or_sparse_tensor(tensor)
    if isinstance(tensor, tf.SparseTensor):
        return tensor
    with tf.name_scope(None, "to_sparse_input", (tensor, ignore_value)):
        if ignore_value is None:
            if tensor.dtype == tf.string:
                ignore_value = ""
            else:
                ignore_value = -1 if tensor.dtype.is_integer else tensor.dtype.as_numpy_dtype()
        ignore_value = tf.cast(ignore_value, tensor.dtype, name="ignore_value")
        indices = tf.where(tf.not_equal(tensor, ignore_value), name="indices")
        values = tf.gather_nd(tensor, indices, name="values")
        return tf.SparseTensor(
            indices, values, tf.shape(tensor, out_type=tf.int64, name="dense_shape")
        )


def as_columns(feature_columns):
    """A list of columns. Errors: ValueError for other things, none, or two of one name."""
    if isinstance(feature_columns, _FeatureColumn):
        feature_columns = [feature_columns]
    if isinstance(feature_columns, collections.abc.Iterator):
        feature_columns = list(feature_columns)
    if isinstance(feature_columns, dict):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    for column in feature_columns:
        if not isinstance(column, _FeatureColumn):
            raise ValueError(
                f"Items of feature_columns must be a FeatureColumn. Given (type {type(column)}): "
                f"{column}."
            )
    if not feature_columns:
        raise ValueError("feature_columns must not be empty.")
    by_name = {}
    for column in feature_columns:
        if column.name in by_name:
            raise ValueError(
                f"Duplicate feature column name found for columns: {column} and "
                f"{by_name[column.name]}. "
                "This usually means that these columns refer to same base feature. Either one must "
                "be discarded "
                "or a duplicated but renamed item must be inserted in features dict."
            )
        by_name[column.name] = column
    return feature_columns


def sorted_by_name(columns):
    return sorted(columns, key=lambda column: column.name)


def is_feature_column_v2(feature_columns):
    """Whether all of them have the newer protocol."""
    return all(
        isinstance(column, FeatureColumn) and column._is_v2_column for column in feature_columns
    )


def scope_name(name):
    """A column's name with an underscore for each character that no scope may have."""
    return re.sub(r"[^A-Za-z0-9_.\-]", "_", name)


def check_batch_sizes(tensors, columns):
    """Errors: ValueError where two tensors have different known batch sizes."""
    first = None
    for tensor, column in zip(tensors, columns):
        size = tensor.shape[0]
        if getattr(size, "value", size) is None:
            continue
        if first is None:
            first = size, column
        elif int(first[0]) != int(size):
            raise ValueError(
                "Batch size (first dimension) of each feature must be same. "
                f"Batch size of columns ({first[1].name}, {column.name}): ({first[0]}, {size})"
            )


def check_string_or_int(dtype, prefix):
    if dtype != tf.string and not dtype.is_integer:
        raise ValueError(f"{prefix} dtype must be string or integer. dtype: {dtype}.")


def check_key(key):
    if not isinstance(key, str):
        raise ValueError(f"key must be a string. Got: type {type(key)}. Given key: {key}.")


def sequence_lengths(sparse, num_elements=1):
    """How long the sequence in each row is: `[batch_size]`, int64."""
    with tf.name_scope(None, "sequence_length") as name_scope:
        rows, columns = sparse.indices[:, 0], sparse.indices[:, 1]
        columns += tf.ones_like(columns)
        lengths = tf.segment_max(columns, segment_ids=rows)
        lengths = tf.cast(tf.ceil(lengths / num_elements), tf.int64)
        missing = tf.shape(sparse)[:1] - tf.shape(lengths)[:1]
        return tf.concat([lengths, tf.zeros(missing, dtype=lengths.dtype)], axis=0, name=name_scope)
