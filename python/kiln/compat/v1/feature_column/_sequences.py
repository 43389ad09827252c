"""Layers of columns whose features are sequences: tf.contrib.feature_column."""

from kiln.compat import v1 as tf
from kiln.compat.v1.feature_column import _base
from kiln.compat.v1.feature_column._layers import with_model_variables

__all__ = ["concatenate_context_input", "sequence_input_layer"]


def sequence_input_layer(features, feature_columns, weight_collections=None, trainable=True):
    """The columns of sequences side by side, and how long each sequence is.

    Gives `[batch_size, steps, numbers]` and `[batch_size]`, int64. Errors: ValueError. Source:
    tf.contrib.feature_column.sequence_input_layer.
    """
    columns = _base.as_columns(feature_columns)
    for column in columns:
        if not isinstance(column, _base._SequenceDenseColumn):
            raise ValueError(
                "All feature_columns must be of type _SequenceDenseColumn. You can wrap a "
                "sequence_categorical_column with an embedding_column or indicator_column. "
                f"Given (type {type(column)}): {column}"
            )
    collections = with_model_variables(weight_collections)
    with tf.variable_scope(None, default_name="sequence_input_layer", values=features.values()):
        cache, tensors, lengths = _base.FeatureTransformationCache(features), [], []
        for column in _base.sorted_by_name(columns):
            with tf.variable_scope(None, default_name=column._var_scope_name):
                tensor, length = column._get_sequence_dense_tensor(
                    cache, weight_collections=collections, trainable=trainable
                )
                width = getattr(column, "_variable_shape", None) or column.variable_shape
                shape = tf.shape(tensor)
                tensors.append(tf.reshape(tensor, (shape[0], shape[1], width.num_elements())))
                lengths.append(length)
        _base.check_batch_sizes(tensors, columns)
        _base.check_batch_sizes(lengths, columns)
        return tf.concat(tensors, -1), _all_equal(lengths)


def _all_equal(tensors):
    with tf.name_scope(None, "assert_all_equal", values=tensors):
        if len(tensors) == 1:
            return tensors[0]
        checks = [tf.assert_equal(tensors[0], tensor) for tensor in tensors[1:]]
        with tf.control_dependencies(checks):
            return tf.identity(tensors[0])


def concatenate_context_input(context_input, sequence_input):
    """A context, `[batch, n]`, beside each step of sequences, `[batch, steps, m]`.

    Source: tf.contrib.feature_column.concatenate_context_input.
    """
    checks = [
        tf.assert_rank(
            sequence_input,
            3,
            message="sequence_input must have rank 3",
            data=[tf.shape(sequence_input)],
        ),
        tf.assert_type(
            sequence_input,
            tf.float32,
            message=f"sequence_input must have dtype float32; got {sequence_input.dtype}.",
        ),
        tf.assert_rank(
            context_input,
            2,
            message="context_input must have rank 2",
            data=[tf.shape(context_input)],
        ),
        tf.assert_type(
            context_input,
            tf.float32,
            message=f"context_input must have dtype float32; got {context_input.dtype}.",
        ),
    ]
    with tf.control_dependencies(checks):
        steps = tf.shape(sequence_input)[1]
        tiled = tf.tile(tf.expand_dims(context_input, 1), tf.concat([[1], [steps], [1]], 0))
    return tf.concat([sequence_input, tiled], 2)
