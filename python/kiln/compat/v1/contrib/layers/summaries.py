"""Summaries of tensors, of the kind that fits them. tf.contrib.layers.summaries."""

import functools
import re

from kiln.compat import v1 as tf

__all__ = [
    "summarize_activation",
    "summarize_activations",
    "summarize_biases",
    "summarize_collection",
    "summarize_tensor",
    "summarize_tensors",
    "summarize_variables",
    "summarize_weights",
]


def _share(tensor, compare, bound, name):
    """Adds a summary of the share of elements on one side of a bound."""
    beyond = compare(tensor, tf.cast(bound, tensor.dtype))
    share = tf.reduce_mean(tf.cast(beyond, tf.float32, name="ToFloat"))
    share.get_shape().assert_has_rank(0)
    tf.summary.scalar(name, share)


def summarize_activation(op):
    """A histogram of a layer's output; of a Relu's also the share of zeros, of a Relu6's of sixes.

    Source: tf.contrib.layers.summarize_activation.
    """
    name = op.op.name
    if op.op.type in ("Relu", "Softplus", "Relu6"):
        _share(op.op.inputs[0], tf.less, 0.0, f"{name}/zeros")
    if op.op.type == "Relu6":
        _share(op.op.inputs[0], tf.greater, 6.0, f"{name}/sixes")
    return tf.summary.histogram(f"{name}/activation", op)


def summarize_tensor(tensor, tag=None):
    """A summary of a scalar, or a histogram; None for strings and bool.

    tag: the operation's name and "_summary" where it is None. Source:
    tf.contrib.layers.summarize_tensor.
    """
    if tensor.dtype.is_compatible_with(tf.string) or tensor.dtype.base_dtype == tf.bool:
        return None
    kind = tf.summary.scalar if tensor.get_shape().ndims == 0 else tf.summary.histogram
    return kind(tag or f"{tensor.op.name}_summary", tensor)


def summarize_tensors(tensors, summarizer=summarize_tensor):
    """Summaries of several. Source: tf.contrib.layers.summarize_tensors."""
    return [summarizer(tensor) for tensor in tensors]


def summarize_collection(collection, name_filter=None, summarizer=summarize_tensor):
    """Summaries of those in a collection whose name begins with a match of name_filter.

    Source: tf.contrib.layers.summarize_collection.
    """
    found = tf.get_collection(collection)
    if name_filter is not None:
        found = [each for each in found if re.match(name_filter, each.op.name)]
    return summarize_tensors(found, summarizer)


summarize_variables = functools.partial(summarize_collection, tf.GraphKeys.GLOBAL_VARIABLES)
summarize_weights = functools.partial(summarize_collection, tf.GraphKeys.WEIGHTS)
summarize_biases = functools.partial(summarize_collection, tf.GraphKeys.BIASES)


def summarize_activations(name_filter=None, summarizer=summarize_activation):
    """Summaries of the activations. Source: tf.contrib.layers.summarize_activations."""
    return summarize_collection(tf.GraphKeys.ACTIVATIONS, name_filter, summarizer)
