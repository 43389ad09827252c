"""Embeddings: vectors for integers."""

from kiln.compat import v1 as tf
from kiln.compat.v1 import logging
from kiln.compat.v1.contrib.framework._arg_scope import add_arg_scope
from kiln.compat.v1.contrib.framework._variables import model_variable
from kiln.compat.v1.contrib.layers.sparse_ops import dense_to_sparse_tensor

__all__ = [
    "bow_encoder",
    "embed_sequence",
    "embedding_lookup_unique",
    "safe_embedding_lookup_sparse",
]


def _parts_of(embedding_weights):
    """A list of the parts of weights. Errors: ValueError for none."""
    if embedding_weights is None:
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    is_single = isinstance(embedding_weights, (tf.Variable, tf.Tensor))
    if not is_single and hasattr(embedding_weights, "__iter__"):
        embedding_weights = list(embedding_weights)
    else:
        embedding_weights = [embedding_weights]
    if len(embedding_weights) < 1:
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    return embedding_weights


def safe_embedding_lookup_sparse(
    embedding_weights,
    sparse_ids,
    sparse_weights=None,
    combiner=None,
    default_id=None,
    name=None,
    partition_strategy="div",
    max_norm=None,
):
    """A vector for each row of sparse_ids: the sum or mean of the vectors of its numbers.

    Numbers below zero, and unless the combiner is "sum" those with weights of zero or less, are
    left out; a row without any has the vector of default_id, zeros where that is None.
    combiner: "mean", which is the default, "sqrtn" or "sum".

    Errors: ValueError. Source: tf.contrib.layers.safe_embedding_lookup_sparse.
    """
    if combiner is None:
        logging.warn(
            'The default value of combiner will change from "mean" to "sqrtn" after 2016/11/01.'
        )
        combiner = "mean"
    dtype = None if sparse_weights is None else sparse_weights.dtype
    params = [tf.convert_to_tensor(part, dtype=dtype) for part in _parts_of(embedding_weights)]
    tf.debugging.assert_same_float_dtype(params + [sparse_weights])
    with tf.name_scope(name, "embedding_lookup", params + [sparse_ids, sparse_weights]) as scope:
        shape = sparse_ids.dense_shape
        static_rank = tf.dimension_value(shape.get_shape()[0])
        rank = tf.size(shape) if static_rank is None else static_rank
        rows = tf.reduce_prod(tf.slice(shape, [0], [rank - 1]))
        ids = tf.sparse_reshape(sparse_ids, [rows, tf.gather(shape, rank - 1)])
        weights = sparse_weights
        if weights is not None:
            weights = tf.SparseTensor(ids.indices, weights.values, ids.dense_shape)
        ids, weights = _valid(ids, weights, combiner)
        ids, is_empty = tf.sparse_fill_empty_rows(ids, default_id or 0)
        if weights is not None:
            weights, _ = tf.sparse_fill_empty_rows(weights, 1.0)
        result = tf.nn.embedding_lookup_sparse(
            params,
            ids,
            weights,
            combiner=combiner,
            partition_strategy=partition_strategy,
            name=None if default_id is None else scope,
            max_norm=max_norm,
        )
        if default_id is None:
            columns = tf.stack([1, tf.shape(result)[1]])
            is_empty = tf.tile(tf.reshape(is_empty, [-1, 1]), columns)
            result = tf.where(is_empty, tf.zeros_like(result), result, name=scope)
        outer = tf.slice(tf.cast(shape, tf.int32), [0], [rank - 1])
        inner = tf.slice(tf.shape(result), [1], [-1])
        final = tf.reshape(result, tf.concat([outer, inner], 0))
        leading = tf.TensorShape(None if static_rank is None else [None] * (static_rank - 1))
        final.set_shape(leading.concatenate(result.get_shape()[1:]))
        return final


def _valid(ids, weights, combiner):
    """The numbers and weights that count."""
    keep = tf.greater_equal(ids.values, 0)
    if weights is None:
        return tf.sparse_retain(ids, keep), None
    keep = tf.logical_and(keep, tf.ones_like(weights.values, dtype=tf.bool))
    ids, weights = tf.sparse_retain(ids, keep), tf.sparse_retain(weights, keep)
    if combiner != "sum":
        keep = tf.greater(weights.values, 0)
        ids, weights = tf.sparse_retain(ids, keep), tf.sparse_retain(weights, keep)
    return ids, weights


def embedding_lookup_unique(params, ids, partition_strategy="mod", name=None):
    """As tf.nn.embedding_lookup(), which looks each number up once.

    Source: tf.contrib.layers.embedding_lookup_unique.
    """
    with tf.name_scope(name, "EmbeddingLookupUnique", [params, ids]):
        ids = tf.convert_to_tensor(ids)
        shape = tf.shape(ids)
        flat = tf.reshape(ids, tf.reduce_prod(shape, keepdims=True))
        unique, places = tf.unique(flat)
        vectors = tf.nn.embedding_lookup(params, unique, partition_strategy)
        all_flat = tf.gather(vectors, places)
        result = tf.reshape(all_flat, tf.concat([shape, tf.shape(vectors)[1:]], 0))
        result.set_shape(ids.get_shape().concatenate(vectors.get_shape()[1:]))
        return result


def _check_sizes(reuse, vocab_size, embed_dim):
    if not (reuse or (vocab_size and embed_dim)):
        raise ValueError(
            "Must specify vocab size and embedding dimension when not reusing. "
            f"Got vocab_size={vocab_size} and embed_dim={embed_dim}"
        )


@add_arg_scope
def bow_encoder(
    ids,
    vocab_size,
    embed_dim,
    sparse_lookup=True,
    initializer=None,
    regularizer=None,
    trainable=True,
    scope=None,
    reuse=None,
):
    """The mean of the vectors of each row of ids, with the variable embeddings.

    sparse_lookup: whether ids is sparse, or is made so: zeros and "" are then no numbers. Errors:
    ValueError, TypeError. Source: tf.contrib.layers.bow_encoder.
    """
    if not vocab_size or not embed_dim:
        raise ValueError("Must specify vocab size and embedding dimension")
    with tf.variable_scope(scope, "bow_encoder", [ids], reuse=reuse):
        embeddings = model_variable(
            "embeddings",
            shape=[vocab_size, embed_dim],
            initializer=initializer,
            regularizer=regularizer,
            trainable=trainable,
        )
        sparse = isinstance(ids, tf.SparseTensor)
        if sparse_lookup:
            sparse_ids = ids if sparse else dense_to_sparse_tensor(ids)
            return safe_embedding_lookup_sparse(
                [embeddings], sparse_ids, combiner="mean", default_id=0
            )
        if sparse:
            raise TypeError("ids are expected to be dense Tensor, got: %s", ids)
        return tf.reduce_mean(tf.nn.embedding_lookup(embeddings, ids), axis=1)


@add_arg_scope
def embed_sequence(
    ids,
    vocab_size=None,
    embed_dim=None,
    unique=False,
    initializer=None,
    regularizer=None,
    trainable=True,
    scope=None,
    reuse=None,
):
    """The vectors of ids, [batch, time, embed_dim], of the variable embeddings.

    unique: whether each number is looked up once. Errors: ValueError. Source:
    tf.contrib.layers.embed_sequence.
    """
    _check_sizes(reuse, vocab_size, embed_dim)
    with tf.variable_scope(scope, "EmbedSequence", [ids], reuse=reuse):
        shape = [vocab_size, embed_dim]
        if (reuse and vocab_size is None) or embed_dim is None:
            shape = None
        embeddings = model_variable(
            "embeddings",
            shape=shape,
            initializer=initializer,
            regularizer=regularizer,
            trainable=trainable,
        )
        if unique:
            return embedding_lookup_unique(embeddings, ids)
        return tf.nn.embedding_lookup(embeddings, ids)
