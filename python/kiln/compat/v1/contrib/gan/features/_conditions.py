"""Data that depends on a condition."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib import layers


def condition_tensor(tensor, conditioning):
    """A tensor with a linear map of another one added. Errors: ValueError for a conditioning of
    rank 1. Source: tf.contrib.gan.features.condition_tensor.
    """
    tensor.shape[1:].assert_is_fully_defined()
    features = tensor.shape[1:].num_elements()
    if conditioning.shape.ndims < 2:
        raise ValueError(
            f"conditioning must be at least 2D, but saw shape: {conditioning.shape}"
        )
    mapped = layers.linear(layers.flatten(conditioning), features)
    if not mapped.shape.is_compatible_with(tensor.shape):
        shape = tf.shape(tensor)
        known = tf.get_static_value(shape)
        mapped = tf.reshape(mapped, shape if known is None else known)
    return tensor + mapped


def condition_tensor_from_onehot(tensor, one_hot_labels, embedding_size=256):
    """A tensor with a map of its label's vector added; the variable `embedding` has the vectors.

    Source: tf.contrib.gan.features.condition_tensor_from_onehot.
    """
    one_hot_labels.shape.assert_has_rank(2)
    one_hot_labels.shape[1:].assert_is_fully_defined()
    tokens = one_hot_labels.shape[1]
    labels = tf.argmax(one_hot_labels, axis=1)
    embedding = tf.get_variable("embedding", [tokens, embedding_size])
    vectors = tf.nn.embedding_lookup(embedding, labels, name="token_to_embedding")
    return condition_tensor(tensor, vectors)
