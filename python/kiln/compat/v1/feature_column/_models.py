"""The layers of columns that estimators and tf.keras are made of."""

from kiln.compat import v1 as tf
from kiln.compat.v1.feature_column import _base
from kiln.compat.v1.feature_column._layers import sum_of_categories


def _pure_scope(name, partitioner=None):
    return tf.variable_scope(name, partitioner=partitioner, auxiliary_name_scope=False)


def check_kinds(columns, kinds, words):
    for column in columns:
        if not isinstance(column, kinds):
            raise ValueError(f"Items of feature_columns must be {words}. Given: {column}")


class _OfColumns:
    """A layer that makes its variables when it is called first."""

    def __init__(self, feature_columns, name, trainable=True, made=None):
        self._columns = _base.sorted_by_name(_base.as_columns(feature_columns))
        self.name, self._trainable = name, trainable
        self.variables, self._is_built = [], False
        made = made or (lambda variable: None)
        self._state = _base.LayerVariables(
            trainable, lambda variable: (self.variables.append(variable), made(variable))
        )

    def __call__(self, features):
        with tf.name_scope(self.name):
            if not self._is_built:
                self.build()
                self._is_built = True
            if not isinstance(features, dict):
                raise ValueError(f"We expected a dictionary here. Instead we got: {features}")
            return self.apply(features)


class DenseFeatures(_OfColumns):
    """The columns of numbers side by side: `[batch_size, numbers]`."""

    def __init__(self, feature_columns, name, trainable=True, partitioner=None, made=None):
        super().__init__(feature_columns, name, trainable, made)
        self._partitioner = partitioner
        check_kinds(
            self._columns,
            _base.DenseColumn,
            "a DenseColumn. You can wrap a categorical column with an embedding_column or "
            "indicator_column",
        )

    def build(self):
        for column in self._columns:
            with (
                _pure_scope(self.name, self._partitioner),
                _pure_scope(_base.scope_name(column.name)),
            ):
                column.create_state(self._state)

    def apply(self, features, cols_to_output_tensors=None):
        cache, tensors = _base.FeatureTransformationCache(features), []
        for column in self._columns:
            with tf.name_scope(column.name):
                tensor = column.get_dense_tensor(cache, self._state)
                width = column.variable_shape.num_elements()
                tensors.append(tf.reshape(tensor, shape=(tf.shape(tensor)[0], width)))
                if cols_to_output_tensors is not None:
                    cols_to_output_tensors[column] = tensors[-1]
        _base.check_batch_sizes(tensors, self._columns)
        return tf.concat(tensors, -1)

    @property
    def width(self):
        return sum(column.variable_shape.num_elements() for column in self._columns)


class LinearModel(_OfColumns):
    """The sum of a weight for each category and number, and a bias."""

    def __init__(
        self, feature_columns, units=1, sparse_combiner="sum", trainable=True, name="linear_model"
    ):
        super().__init__(feature_columns, name, trainable)
        self._units, self._combiner, self.bias = units, sparse_combiner, None
        check_kinds(
            self._columns,
            (_base.DenseColumn, _base.CategoricalColumn),
            "either a DenseColumn or CategoricalColumn",
        )

    def __call__(self, features):
        # A model around the layer has a scope of its own.
        with tf.name_scope(self.name):
            return super().__call__(features)

    def build(self):
        zeros = tf.zeros_initializer()
        with _pure_scope(self.name):
            for column in self._columns:
                with _pure_scope(_base.scope_name(column.name)):
                    column.create_state(self._state)
                    if isinstance(column, _base.CategoricalColumn):
                        rows = column.num_buckets
                    else:
                        rows = column.variable_shape.num_elements()
                    self._state.create_variable(
                        column,
                        name="weights",
                        dtype=tf.float32,
                        shape=(rows, self._units),
                        initializer=zeros,
                    )
            self.bias = tf.get_variable(
                "bias_weights",
                [self._units],
                tf.float32,
                zeros,
                trainable=self._trainable,
                use_resource=True,
            )

    def apply(self, features):
        with tf.name_scope(self.name):
            cache, sums = _base.FeatureTransformationCache(features), []
            for column in self._columns:
                with tf.name_scope(_base.scope_name(column.name)):
                    sums.append(self._weighted_sum(column, cache))
            _base.check_batch_sizes(sums, self._columns)
            total = tf.add_n(sums, name="weighted_sum_no_bias")
            return tf.nn.bias_add(total, self.bias, name="weighted_sum")

    def _weighted_sum(self, column, cache):
        weights = self._state.get_variable(column, "weights")
        if isinstance(column, _base.CategoricalColumn):
            pair = column.get_sparse_tensors(cache, self._state)
            return sum_of_categories(pair, weights, self._combiner)
        tensor = column.get_dense_tensor(cache, self._state)
        shape = (tf.shape(tensor)[0], column.variable_shape.num_elements())
        return tf.matmul(tf.reshape(tensor, shape=shape), weights, name="weighted_sum")
