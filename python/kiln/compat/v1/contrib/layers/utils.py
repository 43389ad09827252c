"""What the layers share: named outputs, collections of variables, sizes. tf.contrib.slim.utils."""

from collections import OrderedDict, namedtuple

from kiln.compat import v1 as tf

__all__ = [
    "NamedOutputs",
    "append_tensor_alias",
    "channel_dimension",
    "collect_named_outputs",
    "constant_value",
    "convert_collection_to_dict",
    "gather_tensors_aliases",
    "get_tensor_aliases",
    "get_variable_collections",
    "last_dimension",
    "n_positive_integers",
    "smart_cond",
    "static_cond",
    "two_element_tuple",
]

NamedOutputs = namedtuple("NamedOutputs", ["name", "outputs"])


def collect_named_outputs(collections, alias, outputs):
    """The outputs, which are added to collections by another name.

    collections: a key or several; None: nothing is done. Source:
    tf.contrib.slim.utils.collect_named_outputs.
    """
    if collections:
        append_tensor_alias(outputs, alias)
        tf.add_to_collections(collections, outputs)
    return outputs


def append_tensor_alias(tensor, alias):
    """The tensor, with another name for convert_collection_to_dict().

    Source: tf.contrib.slim.utils.append_tensor_alias.
    """
    if alias[-1] == "/":
        alias = alias[:-1]
    if hasattr(tensor, "aliases"):
        tensor.aliases.append(alias)
    else:
        tensor.aliases = [alias]
    return tensor


def gather_tensors_aliases(tensors):
    """All other names of some tensors. Source: tf.contrib.slim.utils.gather_tensors_aliases."""
    return [alias for tensor in tensors for alias in get_tensor_aliases(tensor)]


def get_tensor_aliases(tensor):
    """The other names of a tensor, or its own name. Source: tf.contrib.slim.utils.get_tensor_aliases."""
    if hasattr(tensor, "aliases"):
        return tensor.aliases
    return [tensor.op.name if tensor.name[-2:] == ":0" else tensor.name]


def convert_collection_to_dict(collection, clear_collection=False):
    """An ordered dict from the names of tensors to the tensors of a collection.

    clear_collection: whether the collection is emptied. Source:
    tf.contrib.slim.utils.convert_collection_to_dict.
    """
    named = OrderedDict(
        (alias, tensor)
        for tensor in tf.get_collection(collection)
        for alias in get_tensor_aliases(tensor)
    )
    if clear_collection:
        tf.get_default_graph().clear_collection(collection)
    return named


def constant_value(value_or_tensor_or_var, dtype=None):
    """The value, where the graph tells it; None of a tensor that is computed, and of a variable.

    Errors: ValueError for None, and for another dtype. Source:
    tf.contrib.slim.utils.constant_value.
    """
    value = value_or_tensor_or_var
    if value is None:
        raise ValueError("value_or_tensor_or_var cannot be None")
    is_variable = isinstance(value, tf.Variable)
    if not is_variable and not isinstance(value, tf.Tensor):
        return value
    if dtype and value.dtype != dtype:
        raise ValueError(f"It has the wrong type {value.dtype} instead of {dtype}")
    return None if is_variable else tf.get_static_value(value)


def static_cond(pred, fn1, fn2):
    """What one of two functions gives. Errors: TypeError. Source: tf.contrib.slim.utils.static_cond."""
    if not callable(fn1):
        raise TypeError("fn1 must be callable.")
    if not callable(fn2):
        raise TypeError("fn2 must be callable.")
    return fn1() if pred else fn2()


def smart_cond(pred, fn1, fn2, name=None):
    """As tf.cond(), or static_cond() where the condition is known.

    Source: tf.contrib.slim.utils.smart_cond.
    """
    value = constant_value(pred)
    if value is None:
        return tf.cond(pred, fn1, fn2, name=name)
    return static_cond(value, fn1, fn2)


def get_variable_collections(variables_collections, name):
    """The collections for a variable: of a dict, those under its name.

    Source: tf.contrib.slim.utils.get_variable_collections.
    """
    if isinstance(variables_collections, dict):
        return variables_collections.get(name)
    return variables_collections


def _known_extent(shape, dim, min_rank):
    dims = shape.dims
    if dims is None:
        raise ValueError("dims of shape must be known but is None")
    if len(dims) < min_rank:
        raise ValueError("rank of shape must be at least %d not: %d" % (min_rank, len(dims)))
    value = tf.dimension_value(dims[dim])
    if value is None:
        raise ValueError("dimension %d of shape must be known but is None: %s" % (dim, shape))
    return value


def channel_dimension(shape, data_format, min_rank=1):
    """The extent of the channels. data_format: "channels_first" or "channels_last".

    Errors: ValueError where it is not known. Source: tf.contrib.slim.utils.channel_dimension.
    """
    return _known_extent(shape, 1 if data_format == "channels_first" else -1, min_rank)


def last_dimension(shape, min_rank=1):
    """The last extent. Errors: ValueError where it is not known.

    Source: tf.contrib.slim.utils.last_dimension.
    """
    return _known_extent(shape, -1, min_rank)


def two_element_tuple(int_or_tuple):
    """Two integers: one twice, or those of a sequence. Errors: ValueError.

    Source: tf.contrib.slim.utils.two_element_tuple.
    """
    if isinstance(int_or_tuple, (list, tuple)):
        if len(int_or_tuple) != 2:
            raise ValueError(f"Must be a list with 2 elements: {int_or_tuple}")
        return int(int_or_tuple[0]), int(int_or_tuple[1])
    if isinstance(int_or_tuple, int):
        return int_or_tuple, int_or_tuple
    if isinstance(int_or_tuple, tf.TensorShape) and len(int_or_tuple) == 2:
        return int_or_tuple[0], int_or_tuple[1]
    raise ValueError("Must be an int, a list with 2 elements or a TensorShape of length 2")


def n_positive_integers(n, value):
    """n positive integers: one n times, or those of a sequence. Errors: ValueError.

    Source: tf.contrib.slim.utils.n_positive_integers.
    """
    if int(n) < 1 or int(n) != n:
        raise ValueError("n must be a positive integer")
    n = int(n)
    try:
        values = (int(value),) * n
    except (TypeError, ValueError):
        words = "Expected sequence of %d positive integers, but received %r" % (n, value)
        if len(value) != n:
            raise ValueError(words) from None
        try:
            values = tuple(int(each) for each in value)
        except (TypeError, ValueError):
            raise ValueError(words) from None
    for each in values:
        if each < 1:
            raise ValueError("expected positive integer, but received %d" % each)
    return values
