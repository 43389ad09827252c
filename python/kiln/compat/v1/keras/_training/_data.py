"""Arrays that a model is trained with: lists by the model's inputs and outputs, batches."""

import numpy as np

from kiln.compat import v1 as tf


def is_symbolic(data):
    """Whether tensors are among the data."""
    return any(isinstance(each, (tf.Tensor, tf.SparseTensor)) for each in _leaves(data))


def _leaves(data):
    if isinstance(data, dict):
        return list(data.values())
    return list(data) if isinstance(data, (list, tuple)) else [data]


def is_generator(data):
    """Whether it gives batches one after the other: a generator or a Sequence."""
    from kiln.compat.v1.keras.utils import Sequence

    return isinstance(data, Sequence) or (
        hasattr(data, "__next__") and not isinstance(data, (np.ndarray, list, tuple, dict))
    )


def check_no_dataset(data):
    """Errors: NotImplementedError for data sets of tf.data."""
    if any(each.__name__ in ("DatasetV1", "DatasetV2") for each in type(data).__mro__):
        raise NotImplementedError(
            "tf.data's data sets are not fed to models yet; fit() takes arrays and generators"
        )


def _as_array(value):
    if hasattr(value, "iloc"):
        value = value.values
    if value is None or isinstance(value, (tf.Tensor, tf.SparseTensor)) or hasattr(value, "tocsr"):
        return value
    return np.asarray(value) if not isinstance(value, np.ndarray) else value


def as_lists(data, names, shapes, what, check_batch=True):
    """Data as a list of arrays, one for each name.

    shapes: with None for what may be any; None itself for no check. Errors: ValueError, TypeError.
    """
    if not names:
        if data is not None and hasattr(data, "__len__") and len(data):
            raise ValueError(f"Error when checking model {what}: expected no data, but got: {data}")
        return []
    if data is None:
        return [None for _ in names]
    arrays = _ordered(data, names, what)
    arrays = [_as_array(each) for each in arrays]
    arrays = [
        np.expand_dims(each, 1) if isinstance(each, np.ndarray) and each.ndim == 1 else each
        for each in arrays
    ]
    for array, name, shape in zip(arrays, names, shapes):
        if shape is not None and array is not None and hasattr(array, "shape"):
            _check_shape(array, name, shape, what)
    return arrays


def _ordered(data, names, what):
    if isinstance(data, dict):
        try:
            return [data[name] for name in names]
        except KeyError as error:
            raise ValueError(
                f'No data provided for "{error.args[0]}". Need data for each key in: {names}'
            ) from None
    if isinstance(data, (list, tuple)) and len(names) > 1 or _is_list_of_arrays(data, names):
        arrays = list(data)
    else:
        arrays = [data]
    if len(arrays) != len(names):
        if len(names) == 1 and isinstance(data, (list, tuple)):
            return [np.asarray(data)]
        raise ValueError(
            f"Error when checking model {what}: the list of Numpy arrays that you are passing to "
            f"your model is not the size the model expected. Expected to see {len(names)} "
            "array(s), "
            f"but instead got the following list of {len(arrays)} arrays: {str(data)[:200]}..."
        )
    return arrays


def _is_list_of_arrays(data, names):
    return (
        isinstance(data, (list, tuple))
        and len(data) == len(names)
        and all(isinstance(each, np.ndarray) or hasattr(each, "iloc") for each in data)
    )


def _check_shape(array, name, shape, what):
    given = tuple(array.shape) if not isinstance(array, tf.Tensor) else None
    if given is None:
        return
    if len(given) != len(shape):
        raise ValueError(
            f"Error when checking {what}: expected {name} to have {len(shape)} dimensions, but got "
            f"array with shape {given}"
        )
    for extent, wanted in list(zip(given, shape))[1:]:
        if wanted is not None and extent is not None and extent != wanted:
            raise ValueError(
                f"Error when checking {what}: expected {name} to have shape {tuple(shape[1:])} but "
                f"got array with shape {given[1:]}"
            )


def check_lengths(inputs, targets, weights=None):
    """Errors: ValueError where the numbers of examples differ."""

    def lengths(arrays):
        return {each.shape[0] for each in arrays or [] if hasattr(each, "shape") and each.shape}

    of_inputs, of_targets, of_weights = lengths(inputs), lengths(targets), lengths(weights)
    for what, found in (
        ("input", of_inputs),
        ("target", of_targets),
        ("sample_weight", of_weights),
    ):
        if len(found) > 1:
            shapes = [each.shape for each in (inputs if what == "input" else targets)]
            raise ValueError(
                f"All {what} arrays (x) should have the same number of samples. "
                f"Got array shapes: {shapes}"
            )
    if of_inputs and of_targets and of_inputs != of_targets:
        raise ValueError(
            "Input arrays should have the same number of samples as target arrays. Found "
            f"{of_inputs.pop()} input samples and {of_targets.pop()} target samples."
        )
    if of_targets and of_weights and of_targets != of_weights:
        raise ValueError(
            "Sample_weight arrays should have the same number of samples as target arrays. Got "
            f"{of_weights.pop()} input samples and {of_targets.pop()} target samples."
        )


def weights_of(targets, sample_weight, class_weight, names):
    """A list of weights of examples, None for outputs without any. Errors: ValueError."""
    given = _by_output(sample_weight, names, "sample_weight")
    classes = _by_output(class_weight, names, "class_weight")
    return [_weights(y, weight, by_class) for y, weight, by_class in zip(targets, given, classes)]


def _by_output(value, names, what):
    if value is None or (hasattr(value, "__len__") and not len(value)):
        return [None] * len(names)
    if isinstance(value, dict) and any(name in value for name in names):
        return [value.get(name) for name in names]
    if len(names) == 1:
        return [value[0] if isinstance(value, (list, tuple)) and len(value) == 1 else value]
    if isinstance(value, (list, tuple)):
        if len(value) != len(names):
            raise ValueError(
                f"Provided `{what}` was a list of {len(value)} elements, but model has "
                f"{len(names)} "
                f"outputs. You should provide one `{what}` array per model output."
            )
        return list(value)
    raise TypeError(
        f"The model has multiple outputs, so `{what}` should be either a list or a dict. "
        f"Provided `{what}` type not understood: {value}"
    )


def _weights(y, weight, by_class):
    weight = None if weight is None else np.asarray(weight)
    if not isinstance(by_class, dict):
        return weight
    if len(y.shape) > 2:
        raise ValueError("`class_weight` not supported for 3+ dimensional targets.")
    if len(y.shape) == 2 and y.shape[1] > 1:
        classes = np.argmax(y, axis=1)
    else:
        classes = np.reshape(y, y.shape[0])
    missing = set(classes) - set(by_class)
    if missing:
        raise ValueError(
            "`class_weight` must contain all classes in the data. The classes "
            f"{missing} exist in the data but not in `class_weight`."
        )
    of_classes = np.asarray([by_class[each] for each in classes])
    return of_classes if weight is None else weight * of_classes


def batches(count, size, shuffle=False):
    """The rows of each batch, for taken(). shuffle: True mixes all rows, "batch" whole batches; a
    last one that is smaller stays the last.
    """
    places = [(start, min(start + size, count)) for start in range(0, count, size)]
    if shuffle == "batch":
        whole = places[: count // size]
        np.random.shuffle(whole)
        return whole + places[len(whole) :]
    if shuffle:
        order = np.arange(count)
        np.random.shuffle(order)
        return [order[start:end] for start, end in places]
    return places


def size_of(rows):
    """How many rows a batch has."""
    return rows[1] - rows[0] if isinstance(rows, tuple) else len(rows)


def taken(arrays, indices):
    """The rows of arrays; indices: an array, or a pair of a start and an end."""
    if isinstance(indices, tuple):
        return [None if each is None else each[indices[0] : indices[1]] for each in arrays]
    return [None if each is None else _rows(each, indices) for each in arrays]


def _rows(array, indices):
    if hasattr(array, "tocsr"):
        array = array.tocsr()
    return array[indices]


def split(data, count, share):
    """Lists of arrays of the first examples, and of the last ones; share: of these."""
    at = int(count * (1.0 - share))
    return [[taken(arrays, part) for arrays in data] for part in ((0, at), (at, count))]
