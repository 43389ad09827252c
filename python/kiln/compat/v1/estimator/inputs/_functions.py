"""Input functions of arrays and data frames."""

import collections
import uuid

import numpy as np

from kiln.compat.v1.estimator.inputs._feeding import enqueue_data

__all__ = ["numpy_input_fn", "pandas_input_fn"]


def _check_shuffle(shuffle):
    if not isinstance(shuffle, bool):
        raise ValueError(
            "shuffle must be provided and explicitly set as boolean (it is recommended to set it "
            "as "
            f"True for training); got {shuffle}"
        )


def numpy_input_fn(
    x,
    y=None,
    batch_size=128,
    num_epochs=1,
    shuffle=None,
    queue_capacity=1000,
    num_threads=1,
):
    """An input function that gives batches of arrays.

    x: an array or a dict of arrays, whose first axis counts the examples. y: the labels, likewise;
    None for none. num_epochs: None for ever; otherwise the last batch may be smaller. shuffle: must
    be given. Errors: ValueError, TypeError. Source: tf.estimator.inputs.numpy_input_fn.
    """
    _check_shuffle(shuffle)

    def input_fn():
        data = _features(x)
        names, targets = list(data), None
        if isinstance(y, dict):
            targets = _add_targets(data, y)
        elif y is not None:
            targets = "__target_key__"
            while targets in data:
                targets += "_n"
            data[targets] = y
        _check_lengths(data, names, targets, y)
        queue = enqueue_data(
            data,
            queue_capacity,
            shuffle=shuffle,
            num_threads=num_threads,
            enqueue_size=batch_size,
            num_epochs=num_epochs,
        )
        batch = (
            queue.dequeue_many(batch_size)
            if num_epochs is None
            else queue.dequeue_up_to(batch_size)
        )
        batch = list(batch)[1:]  # without the numbers of the rows
        features = batch[0] if isinstance(x, np.ndarray) else dict(zip(names, batch))
        if targets is None:
            return features
        if isinstance(targets, str):
            return features, batch[-1]
        return features, dict(zip(targets, batch[-len(targets) :]))

    return input_fn


def _features(x):
    if isinstance(x, dict):
        if not x:
            raise ValueError("x cannot be an empty dict")
        return collections.OrderedDict(sorted(x.items(), key=lambda item: item[0]))
    if isinstance(x, np.ndarray):
        if x.size == 0:
            raise ValueError("x cannot be an empty array")
        return collections.OrderedDict([("__direct_np_input__", x)])
    raise TypeError(f"x must be a dict or array; got {type(x).__name__}")


def _add_targets(data, y):
    if not y:
        raise ValueError("y cannot be empty dict, use None instead.")
    targets = sorted(y)
    both = set(data) & set(targets)
    if both:
        raise ValueError(f"{len(both)} duplicate keys are found in both x and y: {both}")
    data.update((name, y[name]) for name in targets)
    return targets


def _check_lengths(data, names, targets, y):
    if len({value.shape[0] for value in data.values()}) == 1:
        return
    shape_of_y = None
    if isinstance(targets, str):
        shape_of_y = y.shape
    elif targets is not None:
        shape_of_y = {name: data[name].shape for name in targets}
    raise ValueError(
        "Length of tensors in x and y is mismatched. All elements in x and y must have the same "
        f"length.\nShapes in x: { ({name: data[name].shape for name in names}) }\n"
        f"Shapes in y: {shape_of_y}\n"
    )


def pandas_input_fn(
    x,
    y=None,
    batch_size=128,
    num_epochs=1,
    shuffle=None,
    queue_capacity=1000,
    num_threads=1,
    target_column="target",
):
    """An input function that gives batches of a data frame: a dict of its columns.

    y: a series or a data frame with the same index, the labels; None for none. Otherwise as
    numpy_input_fn(). Errors: ValueError, TypeError. Source: tf.estimator.inputs.pandas_input_fn.
    """
    try:
        import pandas
    except ImportError:
        raise TypeError("pandas_input_fn should not be called without pandas installed") from None
    _check_shuffle(shuffle)
    if not isinstance(target_column, str):
        raise TypeError("target_column must be a string type")
    x, targets = x.copy(), target_column
    if y is not None:
        if target_column in x:
            raise ValueError(
                f"Cannot use name {target_column} for target column: DataFrame already has a "
                "column "
                f"with that name: {x.columns}"
            )
        if not np.array_equal(x.index, y.index):
            raise ValueError(
                f"Index for x and y are mismatched.\nIndex for x: {x.index}\nIndex for y: "
                f"{y.index}\n"
            )
        if isinstance(y, pandas.DataFrame):
            targets = {
                column: f"{column}_{uuid.uuid4()}" if column in x else column for column in y
            }
            x[list(targets.values())] = y
        else:
            x[target_column] = y
    if queue_capacity is None:
        queue_capacity = 4 * len(x) if shuffle else len(x)

    def input_fn():
        queue = enqueue_data(
            x,
            queue_capacity,
            shuffle=shuffle,
            min_after_dequeue=max(queue_capacity / 4, 1),
            num_threads=num_threads,
            enqueue_size=batch_size,
            num_epochs=num_epochs,
        )
        batch = (
            queue.dequeue_many(batch_size)
            if num_epochs is None
            else queue.dequeue_up_to(batch_size)
        )
        features = dict(zip(list(x.columns), batch[1:]))
        if y is None:
            return features
        if isinstance(targets, dict):
            return features, {name: features.pop(column) for name, column in targets.items()}
        labels = features.pop(targets)
        return features, labels

    return input_fn
