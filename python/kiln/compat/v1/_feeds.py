"""What is fed: keys and values of a feed_dict, checked with TensorFlow's words."""

import numpy as np

import kiln
from kiln._kiln import front as _c
from kiln.compat.v1._elements import Tensor
from kiln.compat.v1._sparse import IndexedSlices, SparseTensor

def _parts_of_sparse(key):
    return [key.indices, key.values, key.dense_shape]


def _parts_of_slices(key):
    return [part for part in (key.values, key.indices, key.dense_shape) if part is not None]


# (type, function from an object and its value to pairs of tensors and values, function from an object to tensors)
_registered = [
    (SparseTensor, lambda key, value: list(zip(_parts_of_sparse(key), value)), _parts_of_sparse),
    (IndexedSlices, lambda key, value: list(zip(_parts_of_slices(key), value)), _parts_of_slices),
]


def register(tensor_type, function, function_of_partial_run):
    _registered.insert(0, (tensor_type, function, function_of_partial_run))


def is_refused_shape(error):
    """Whether a run said that a value's shape does not fit, which checked() says in TensorFlow's words."""
    return error.code == kiln.errors.INVALID_ARGUMENT and error.message.startswith("Cannot feed value of shape")


def refused_type(feeds):
    """The name of the type of the first element that is no string in an array of objects."""
    arrays = [value for value in feeds.values() if isinstance(value, np.ndarray) and value.dtype == object]
    types = [type(item).__name__ for array in arrays for item in array.flat if not isinstance(item, (str, bytes))]
    return types[0] if types else "object"


def is_plain(feed_dict, feeds):
    """Whether each key is one tensor of its own, which Kiln's session knows again."""
    return not feed_dict or (type(feed_dict) is dict and len(feeds) == len(feed_dict))


def _pairs(feed_dict):
    """(key, value) of tensors; keys may be tuples, nested, with values of the same structure."""
    for key, value in feed_dict.items():
        if isinstance(key, tuple):
            yield from _flat_pairs(key, value)
        else:
            yield key, value


def _flat_pairs(key, value):
    if not isinstance(value, (tuple, list)) or len(value) != len(key):
        raise ValueError(f"Could not flatten dictionary. Key had {len(key)} elements, but value had ...")
    for inner_key, inner_value in zip(key, value):
        if isinstance(inner_key, (tuple, list)):
            yield from _flat_pairs(inner_key, inner_value)
        else:
            yield inner_key, inner_value


def checked(graph, feed_dict):
    """The values by tensor, as arrays. Errors: TypeError, ValueError with TensorFlow's words."""
    feeds = {}
    for key, value in _pairs(feed_dict or {}):
        for subkey, subvalue in _expanded(key, value):
            try:
                tensor = graph.as_graph_element(subkey, allow_tensor=True, allow_operation=False)
            except Exception as error:
                text = error.args[0] if error.args else error
                raise TypeError(f"Cannot interpret feed_dict key as Tensor: {text}") from None
            feeds[tensor] = _value(graph, tensor, subvalue)
    return feeds


def _expanded(key, value):
    for kind, function, _ in _registered:
        if function is not None and isinstance(key, kind):
            return function(key, value)
    return [(key, value)]


def tensors_of_partial_run(graph, feeds):
    """What partial_run_setup() is told to be fed later. Errors: TypeError."""
    tensors = []
    for feed in feeds:
        found = (function for kind, _, function in _registered if function is not None and isinstance(feed, kind))
        for part in next(found, lambda feed: [feed])(feed):
            try:
                tensors.append(graph.as_graph_element(part, allow_tensor=True, allow_operation=False))
            except Exception as error:
                raise TypeError(f"Cannot interpret argument `feed` key as Tensor: {error.args[0]}") from None
    return tensors


def _value(graph, tensor, value):
    if isinstance(value, (Tensor, _c.Variable)):
        raise TypeError(
            "The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python scalars, "
            "strings, lists, numpy ndarrays, or TensorHandles. For reference, the tensor object was "
            f"{value} which was passed to the argument `feed_dict` with key {tensor}."
        )
    dtype = tensor.dtype.as_numpy_dtype
    if isinstance(value, int) and not isinstance(value, bool):
        _check_integer(value, dtype)
    array = np.asarray(value, dtype=dtype)
    if not tensor.shape.is_compatible_with(array.shape):
        raise ValueError(
            f"Cannot feed value of shape {array.shape} for Tensor {tensor.name}, which has shape {tensor.shape}"
        )
    if not graph.is_feedable(tensor):
        raise ValueError(f"Tensor {tensor} may not be fed.")
    return array


def _check_integer(value, dtype):
    try:
        fits = np.asarray(value).astype(dtype) == value
    except (TypeError, ValueError, OverflowError):
        fits = False
    if dtype is np.object_ or not fits:
        raise TypeError(
            f"Type of feed value {value} with type {type(value)} is not compatible with Tensor type {object if dtype is np.object_ else dtype}. "
            "Try explicitly setting the type of the feed tensor to a larger type (e.g. int64)."
        )
