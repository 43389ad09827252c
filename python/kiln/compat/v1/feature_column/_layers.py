"""What makes tensors for a network, or a linear model, of columns."""

from kiln.compat import v1 as tf
from kiln.compat.v1.feature_column import _base

__all__ = ["InputLayer", "input_layer", "linear_model", "make_parse_example_spec"]


def input_layer(
    features,
    feature_columns,
    weight_collections=None,
    trainable=True,
    cols_to_vars=None,
    cols_to_output_tensors=None,
):
    """The columns of numbers side by side, sorted by name: `[batch_size, numbers]`, float32.

    features: a dict from names to tensors, dense or sparse. feature_columns: columns of numbers.
    weight_collections: more collections for the variables. cols_to_vars, cols_to_output_tensors:
    dicts that get the variables and the tensor of each column. Errors: ValueError. Source:
    tf.feature_column.input_layer.
    """
    with tf.variable_scope(None, default_name="input_layer", values=features.values()):
        return _inputs(
            features,
            feature_columns,
            weight_collections,
            trainable,
            cols_to_vars,
            cols_to_output_tensors,
        )


def _inputs(
    features,
    feature_columns,
    weight_collections=None,
    trainable=True,
    cols_to_vars=None,
    cols_to_output_tensors=None,
):
    feature_columns = _base.as_columns(feature_columns)
    for column in feature_columns:
        if not isinstance(column, _base._DenseColumn):
            raise ValueError(
                "Items of feature_columns must be a _DenseColumn. You can wrap a categorical "
                "column "
                f"with an embedding_column or indicator_column. Given: {column}"
            )
    collections = with_model_variables(weight_collections)
    cache = _base.FeatureTransformationCache(features)
    columns, tensors = _base.sorted_by_name(feature_columns), []
    for column in columns:
        with tf.variable_scope(None, default_name=column._var_scope_name) as scope:
            tensor = column._get_dense_tensor(
                cache, weight_collections=collections, trainable=trainable
            )
            tensors.append(_flat(tensor, column._variable_shape))
            if cols_to_vars is not None:
                cols_to_vars[column] = tf.get_collection("variables", scope=scope.name)
            if cols_to_output_tensors is not None:
                cols_to_output_tensors[column] = tensors[-1]
    _base.check_batch_sizes(tensors, columns)
    return tf.concat(tensors, 1)


def _flat(tensor, shape):
    return tf.reshape(tensor, shape=(tf.shape(tensor)[0], shape.num_elements()))


def with_model_variables(weight_collections):
    """The collections with those of all variables and of a model's."""
    collections = list(weight_collections or [])
    for key in (tf.GraphKeys.GLOBAL_VARIABLES, tf.GraphKeys.MODEL_VARIABLES):
        if key not in collections:
            collections.append(key)
    return collections


class InputLayer:
    """input_layer() as an object that is called several times and keeps its variables.

    create_scope_now: whether the variable scope is chosen here, or by the first call.
    """

    def __init__(
        self,
        feature_columns,
        weight_collections=None,
        trainable=True,
        cols_to_vars=None,
        name="feature_column_input_layer",
        create_scope_now=True,
    ):
        self._columns, self._collections, self._trainable = (
            feature_columns,
            weight_collections,
            trainable,
        )
        self._name, self._scope, self._is_built = name, None, False
        if create_scope_now:
            with tf.variable_scope(None, default_name=name) as self._scope:
                pass

    def __call__(self, features):
        if self._scope is None:
            opened = tf.variable_scope(None, default_name=self._name)
        else:
            opened = tf.variable_scope(self._scope, reuse=self._is_built or None)
        with opened as scope:
            self._scope = scope
            result = _inputs(features, self._columns, self._collections, self._trainable)
        self._is_built = True
        return result

    @property
    def name(self):
        return self._name

    @property
    def variables(self):
        return [] if self._scope is None else self._scope.global_variables()

    @property
    def trainable_variables(self):
        return [] if self._scope is None else self._scope.trainable_variables()

    @property
    def non_trainable_variables(self):
        trainable = self.trainable_variables
        return [each for each in self.variables if not any(each is other for other in trainable)]

    weights, trainable_weights = variables, trainable_variables
    non_trainable_weights = non_trainable_variables


def linear_model(
    features,
    feature_columns,
    units=1,
    sparse_combiner="sum",
    weight_collections=None,
    trainable=True,
    cols_to_vars=None,
):
    """The sum of a weight for each category and number, and a bias: `[batch_size, units]`.

    feature_columns: columns of numbers and of categories. sparse_combiner: of the weights of an
    example's categories of a column: "sum", "mean", "sqrtn". cols_to_vars: a dict that gets the
    variables of each column, and those of "bias". Errors: ValueError. Source:
    tf.feature_column.linear_model.
    """
    with tf.variable_scope(None, "linear_model") as scope:
        name = scope.name.rsplit("/", 1)[-1]
    model = OldLinearModel(
        feature_columns, units, sparse_combiner, weight_collections, trainable, name
    )
    result = model(features)
    if cols_to_vars is not None:
        cols_to_vars.update(model.cols_to_vars())
    return result


class OldLinearModel:
    """linear_model() as an object, with the variables of the older protocol."""

    def __init__(
        self, feature_columns, units, sparse_combiner, weight_collections, trainable, name
    ):
        self._columns = _base.as_columns(feature_columns)
        self._units, self._combiner, self._trainable = units, sparse_combiner, trainable
        self._collections = with_model_variables(weight_collections)
        self._name, self._cols_to_vars = name, {}
        self._named = []
        for column in _base.sorted_by_name(self._columns):
            with tf.variable_scope(None, default_name=column._var_scope_name) as scope:
                self._named.append((scope.name.rsplit("/", 1)[-1], column))

    def cols_to_vars(self):
        return self._cols_to_vars

    def __call__(self, features):
        for column in self._columns:
            if not isinstance(column, (_base._DenseColumn, _base._CategoricalColumn)):
                raise ValueError(
                    "Items of feature_columns must be either a _DenseColumn or _CategoricalColumn. "
                    f"Given: {column}"
                )
        with tf.name_scope(self._name), tf.variable_scope(self._name):
            cache, sums, columns = _base.FeatureTransformationCache(features), [], []
            for name, column in sorted(self._named, key=lambda pair: pair[0]):
                with tf.variable_scope(name) as scope:
                    sums.append(self._weighted_sum(column, cache))
                columns.append(column)
                self._cols_to_vars[column] = tf.get_collection("variables", scope=scope.name)
            _base.check_batch_sizes(sums, columns)
            total = tf.add_n(sums, name="weighted_sum_no_bias")
            bias = self._variable("bias_weights", [self._units])
            self._cols_to_vars["bias"] = list_of(bias)
            return tf.nn.bias_add(total, bias, name="weighted_sum")

    def _variable(self, name, shape):
        variable = tf.get_variable(
            name, shape, initializer=tf.zeros_initializer(), trainable=self._trainable
        )
        for key in self._collections:
            if key != tf.GraphKeys.GLOBAL_VARIABLES:
                for part in list_of(variable):
                    tf.add_to_collection(key, part)
        return variable

    def _weighted_sum(self, column, cache):
        given = dict(weight_collections=self._collections, trainable=self._trainable)
        if isinstance(column, _base._CategoricalColumn):
            weights = self._variable("weights", (column._num_buckets, self._units))
            return sum_of_categories(
                column._get_sparse_tensors(cache, **given), weights, self._combiner
            )
        shape = column._variable_shape
        weights = self._variable("weights", [shape.num_elements(), self._units])
        tensor = _flat(column._get_dense_tensor(cache, **given), shape)
        return tf.matmul(tensor, weights, name="weighted_sum")


def list_of(variable):
    """A variable, or the parts of a partitioned one, as a list."""
    return [variable] if isinstance(variable, (tf.Variable, tf.Tensor)) else list(variable)


def sum_of_categories(sparse_tensors, weights, combiner):
    """The weights of each example's categories, combined."""
    ids, id_weights = sparse_tensors
    ids = tf.sparse_reshape(ids, [tf.shape(ids)[0], -1])
    if id_weights is not None:
        id_weights = tf.sparse_reshape(id_weights, [tf.shape(id_weights)[0], -1])
    return tf.nn.safe_embedding_lookup_sparse(
        weights, ids, sparse_weights=id_weights, combiner=combiner, name="weighted_sum"
    )


def make_parse_example_spec(feature_columns):
    """What tf.parse_example() needs to read the features of columns: a dict from names.

    Errors: ValueError where two columns read a feature in different ways. Source:
    tf.feature_column.make_parse_example_spec.
    """
    result = {}
    for column in feature_columns:
        if not isinstance(column, _base._FeatureColumn):
            raise ValueError(
                f"All feature_columns must be _FeatureColumn instances. Given: {column}"
            )
        config = column._parse_example_spec
        for key, value in config.items():
            if key in result and value != result[key]:
                raise ValueError(
                    f"feature_columns contain different parse_spec for key {key}. "
                    f"Given {value} and {result[key]}"
                )
        result.update(config)
    return result
