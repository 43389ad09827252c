"""Layers of feature columns: inputs of networks, and weighted sums for linear models."""

import functools
import math

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.framework import model_variable
from kiln.compat.v1.contrib.layers import feature_column as fc
from kiln.compat.v1.contrib.layers._columns import transformed
from kiln.compat.v1.contrib.layers._embedding_columns import (
    embeddings_from_arguments,
    restore_from_checkpoint,
    variable_parts,
)
from kiln.compat.v1.contrib.layers._embeddings import safe_embedding_lookup_sparse
from kiln.compat.v1.contrib.layers._shapes import _inner_flatten

__all__ = [
    "check_feature_columns",
    "infer_real_valued_columns",
    "input_from_feature_columns",
    "joint_weighted_sum_from_feature_columns",
    "parse_feature_columns_from_examples",
    "sequence_input_from_feature_columns",
    "transform_features",
    "weighted_sum_from_feature_columns",
]


def check_feature_columns(feature_columns):
    """Errors: ValueError for a dict, and for two columns with one key."""
    if isinstance(feature_columns, dict):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    seen = set()
    for column in feature_columns:
        if column.key in seen:
            raise ValueError(
                f"Duplicate feature column key found for column: {column.name}. This usually means "
                "that the column is almost identical to another column, and one must be discarded."
            )
        seen.add(column.key)


def _ordered(feature_columns):
    return sorted(set(feature_columns), key=lambda column: column.key)


def _with_rank(tensor, column_name, output_rank):
    """A tensor of another rank, dense or sparse. Errors: ValueError."""
    rank = tensor.get_shape().ndims
    if rank is None and isinstance(tensor, tf.SparseTensor):
        rank = tensor.dense_shape.get_shape().as_list()[0]
    if rank is None:
        raise ValueError(
            f"Error while processing column {column_name}. Rank of input Tensor can not be None."
        )
    if output_rank > rank + 1:
        raise ValueError(
            f"Error while processing column {column_name}. Rank of input Tensor ({rank}) should be "
            f"the same as output_rank ({output_rank}). For example, sequence data should typically "
            "be 3 dimensional (rank 3) while non-sequence data is typically 2 dimensional (rank 2)."
        )
    if output_rank == rank + 1:
        if isinstance(tensor, tf.SparseTensor):
            return tf.sparse_reshape(tensor, tf.concat([tensor.dense_shape, [1]], 0))
        return tf.expand_dims(tensor, -1)
    return _inner_flatten(tensor, output_rank) if output_rank < rank else tensor


def _column_scope(column, tensors):
    """A scope of the column's name, which is empty for features without names."""
    if not column.name:
        return tf.variable_scope("")
    return tf.variable_scope(None, default_name=column.name, values=list(tensors.values()))


def _with_global(collections):
    if not collections:
        return collections
    return list(dict.fromkeys([*collections, tf.GraphKeys.GLOBAL_VARIABLES]))


def _inputs(tensors, columns, collections, trainable, scope, output_rank, name, outputs=None):
    tensors = dict(tensors)
    check_feature_columns(columns)
    if outputs is not None and not isinstance(outputs, dict):
        raise ValueError("cols_to_outs must be a dict unless None")
    collections, made = _with_global(collections), []
    with tf.variable_scope(scope, default_name=name, values=list(tensors.values())):
        for column in _ordered(columns):
            with _column_scope(column, tensors):
                made.append(_input(column, tensors, collections, trainable, output_rank))
            if outputs is not None:
                outputs[column] = made[-1]
        return tf.concat(made, output_rank - 1)


def _input(column, tensors, collections, trainable, output_rank):
    """The input of one column: its vectors, or its tensor."""
    tensor = transformed(column, tensors)
    if output_rank == 3:
        reshape = functools.partial(_with_rank, column_name=column.name, output_rank=3)
        tensor = tuple(map(reshape, tensor)) if isinstance(tensor, tuple) else reshape(tensor)
    try:
        arguments = column._deep_embedding_lookup_arguments(tensor)
    except NotImplementedError as no_vectors:
        try:
            return column._to_dnn_input_layer(
                tensor, collections, trainable, output_rank=output_rank
            )
        except ValueError as error:
            raise ValueError(
                f"Error creating input layer for column: {column.name}.\n{error}, {no_vectors}"
            ) from None
    return embeddings_from_arguments(column, arguments, collections, trainable, output_rank)


def input_from_feature_columns(
    columns_to_tensors,
    feature_columns,
    weight_collections=None,
    trainable=True,
    scope=None,
    cols_to_outs=None,
):
    """The input of a network, [batch, width]: what all columns give, side by side.

    columns_to_tensors: a dict of the features' tensors by name. cols_to_outs: a dict that gets what
    each column gives. Errors: ValueError. Source: tf.contrib.layers.input_from_feature_columns.
    """
    return _inputs(
        columns_to_tensors,
        feature_columns,
        weight_collections,
        trainable,
        scope,
        2,
        "input_from_feature_columns",
        cols_to_outs,
    )


def sequence_input_from_feature_columns(
    columns_to_tensors, feature_columns, weight_collections=None, trainable=True, scope=None
):
    """The input of a recurrent network, [batch, time, width]. Errors: ValueError.

    Source: tf.contrib.layers.sequence_input_from_feature_columns.
    """
    for column in feature_columns:
        if not isinstance(
            column, (fc._OneHotColumn, fc._EmbeddingColumn, fc._RealValuedColumn)
        ):
            raise ValueError(
                f"FeatureColumn type {type(column).__name__} is not currently supported for "
                "sequence data."
            )
        inner = getattr(column, "sparse_id_column", None)
        inner = getattr(inner, "sparse_id_column", inner)
        if isinstance(inner, fc._CrossedColumn):
            raise ValueError(
                f"Column {inner.name} is of type {type(inner).__name__}, which is not currently "
                "supported for sequences."
            )
    return _inputs(
        columns_to_tensors,
        feature_columns,
        weight_collections,
        trainable,
        scope,
        3,
        "sequence_input_from_feature_columns",
    )


def _log_variables(variables):
    for variable in variables:
        tf.logging.info("Created variable %s, with device=%s", variable.name, variable.device)


def _bias(num_outputs, collections, trainable):
    bias = model_variable(
        "bias_weight",
        shape=[num_outputs],
        initializer=tf.zeros_initializer(),
        trainable=trainable,
        collections=_with_global(collections),
    )
    _log_variables([bias])
    return bias


def joint_weighted_sum_from_feature_columns(
    columns_to_tensors,
    feature_columns,
    num_outputs,
    weight_collections=None,
    trainable=True,
    scope=None,
):
    """As weighted_sum_from_feature_columns(), with the weights of all columns in one variable.

    Gives the sums, the parts of the variable, and the bias. Errors: NotImplementedError,
    ValueError. Source: tf.contrib.layers.joint_weighted_sum_from_feature_columns.
    """
    tensors = dict(columns_to_tensors)
    check_feature_columns(feature_columns)
    name = "joint_weighted_sum_from_feature_columns"
    with tf.variable_scope(scope, default_name=name, values=list(tensors.values())):
        arguments = []
        for column in _ordered(feature_columns):
            tensor = transformed(column, tensors)
            try:
                arguments.append(column._wide_embedding_lookup_arguments(tensor))
            except NotImplementedError:
                raise NotImplementedError(
                    "Real-valued columns are not supported. Use weighted_sum_from_feature_columns "
                    "instead, or bucketize these columns."
                ) from None
        parts, sums = _joint_lookup(
            arguments, tensors, num_outputs, trainable, weight_collections
        )
        bias = _bias(num_outputs, weight_collections, trainable)
        return tf.nn.bias_add(sums, bias), parts, bias


def _joint_lookup(arguments, tensors, num_outputs, trainable, collections):
    for each in arguments:
        assert each.weight_tensor is None, (
            "Joint sums for weighted sparse columns are not supported. Please use "
            "weighted_sum_from_feature_columns instead."
        )
        assert each.combiner == "sum", (
            "Combiners other than sum are not supported for joint sums. Please use "
            "weighted_sum_from_feature_columns instead."
        )
    assert arguments, "At least one column must be in the model."
    size, sparse = 0, []
    for each in arguments:
        ids = each.input_tensor
        sparse.append(tf.SparseTensor(ids.indices, ids.values + size, ids.dense_shape))
        size += each.vocab_size
    joined = tf.sparse_concat(1, sparse)
    with tf.variable_scope(None, default_name="linear_weights", values=list(tensors.values())):
        variable = model_variable(
            name="weights",
            shape=[size, num_outputs],
            dtype=tf.float32,
            initializer=tf.zeros_initializer(),
            trainable=trainable,
            collections=collections,
        )
        parts = variable_parts(variable)
        sums = safe_embedding_lookup_sparse(
            parts, joined, sparse_weights=None, combiner="sum", name="_weights"
        )
        return parts, sums


def weighted_sum_from_feature_columns(
    columns_to_tensors,
    feature_columns,
    num_outputs,
    weight_collections=None,
    trainable=True,
    scope=None,
):
    """A linear model: weighted sums of all columns, [batch, num_outputs].

    Gives the sums, a dict from columns to the parts of their variables, and the bias. Errors:
    ValueError. Source: tf.contrib.layers.weighted_sum_from_feature_columns.
    """
    tensors = dict(columns_to_tensors)
    check_feature_columns(feature_columns)
    name = "weighted_sum_from_feature_columns"
    with tf.variable_scope(scope, default_name=name, values=list(tensors.values())):
        sums, variables = [], {}
        for column in _ordered(feature_columns):
            tensor = transformed(column, tensors)
            try:
                arguments = column._wide_embedding_lookup_arguments(tensor)
            except NotImplementedError:
                arguments = None
            except ValueError as error:
                raise ValueError(
                    f"Error creating weighted sum for column: {column.name}.\n{error}"
                ) from None
            with _column_scope(column, tensors):
                given = (num_outputs, trainable, weight_collections)
                if arguments is None:
                    parts, found = _dense_sum(column, tensor, *given)
                else:
                    parts, found = _sparse_sum(column, arguments, *given)
            sums.append(tf.reshape(found, shape=(-1, num_outputs)))
            variables[column] = parts
            _log_variables(parts)
            restore_from_checkpoint(column._checkpoint_path(), parts)
        total = tf.add_n(sums)
        bias = _bias(num_outputs, weight_collections, trainable)
        return tf.nn.bias_add(total, bias), variables, bias


def _sparse_sum(column, arguments, num_outputs, trainable, collections):
    variable = model_variable(
        name="weights",
        shape=[arguments.vocab_size, num_outputs],
        dtype=tf.float32,
        initializer=arguments.initializer,
        trainable=trainable,
        collections=collections,
    )
    parts = variable_parts(variable)
    return parts, safe_embedding_lookup_sparse(
        parts,
        arguments.input_tensor,
        sparse_weights=arguments.weight_tensor,
        combiner=arguments.combiner,
        name=column.name + "_weights",
    )


def _dense_sum(column, tensor, num_outputs, trainable, collections):
    tensor = _with_rank(column._to_dense_tensor(tensor), column.name, output_rank=2)
    variable = model_variable(
        name="weight",
        shape=[tensor.get_shape()[1], num_outputs],
        initializer=tf.zeros_initializer(),
        trainable=trainable,
        collections=collections,
    )
    return [variable], tf.matmul(tensor, variable, name="matmul")


def parse_feature_columns_from_examples(
    serialized, feature_columns, name=None, example_names=None
):
    """The tensors of columns and features, of serialized Examples. Errors: ValueError.

    Source: tf.contrib.layers.parse_feature_columns_from_examples.
    """
    check_feature_columns(feature_columns)
    tensors = tf.parse_example(
        serialized=serialized,
        features=fc.create_feature_spec_for_parsing(feature_columns),
        name=name,
        example_names=example_names,
    )
    for column in _ordered(feature_columns):
        transformed(column, tensors)
    return tensors


def transform_features(features, feature_columns):
    """A dict from columns to their tensors. Errors: ValueError.

    Source: tf.contrib.layers.transform_features.
    """
    check_feature_columns(feature_columns)
    tensors = dict(features)
    for column in _ordered(feature_columns):
        transformed(column, tensors)
    return {key: tensor for key, tensor in tensors.items() if key in feature_columns}


def _real_valued_column(name, tensor):
    if isinstance(tensor, tf.SparseTensor):
        raise ValueError(
            "SparseTensor is not supported for auto detection. Please define corresponding "
            "FeatureColumn for tensor {} {}.",
            name,
            tensor,
        )
    if not (tensor.dtype.is_integer or tensor.dtype.is_floating):
        raise ValueError(
            "Non integer or non floating types are not supported for auto detection. Please define "
            "corresponding FeatureColumn for tensor {} {}.",
            name,
            tensor,
        )
    dimension = math.prod(tensor.get_shape().as_list()[1:])
    return fc.real_valued_column(name, dimension=dimension, dtype=tensor.dtype)


def infer_real_valued_columns(features):
    """Columns for a tensor, or for a dict of them, as they are. Errors: ValueError.

    Source: tf.contrib.layers.infer_real_valued_columns.
    """
    if not isinstance(features, dict):
        return [_real_valued_column("", features)]
    return [_real_valued_column(name, tensor) for name, tensor in features.items()]
