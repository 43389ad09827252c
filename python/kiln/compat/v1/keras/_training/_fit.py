"""The loop of fit(): epochs of batches of arrays, or of what a generator gives."""

import numpy as np

from kiln.compat.v1.keras._training import _batches, _data, _evaluate
from kiln.compat.v1.keras.callbacks._list import configured


def fit(model, x, y, *, validation_data, epochs, initial_epoch, **given):
    """Trains a model; gives its History."""
    _data.check_no_dataset(x)
    if _data.is_generator(x):
        return _fit_generator(
            model, x, validation_data=validation_data, epochs=epochs, initial_epoch=initial_epoch,
            **given,
        )  # fmt: skip
    batch_size, steps = given["batch_size"], given["steps_per_epoch"]
    data = _batches.standardized(model, x, y, given["sample_weight"], given["class_weight"])
    validation = None
    if validation_data is not None:
        validation = _validation(model, validation_data)
    elif given["validation_split"] and 0.0 < given["validation_split"] < 1.0:
        data, validation = _data.split(data, _count(data), given["validation_split"])
    count = _count(data)
    if count is None and steps is None:
        raise ValueError(
            "When using data tensors as input to a model, you should specify the `steps_per_epoch` "
            "argument."
        )
    batch_size = batch_size or 32
    callbacks = configured(
        given["callbacks"], model, verbose=given["verbose"], epochs=epochs, batch_size=batch_size,
        samples=None if steps else count, steps=steps, has_validation=validation is not None,
    )  # fmt: skip
    if given["verbose"] and count is not None and steps is None:
        line = f"Train on {count} samples"
        if validation is not None and not isinstance(validation, _Generated):
            line += f", validate on {_count(validation)} samples"
        print(line)
    function = model._compiled.train_function()

    def one_epoch(epoch):
        return _epoch_of_arrays(
            model, function, data, count, batch_size, steps, given["shuffle"], callbacks
        )

    return _epochs(
        model, callbacks, initial_epoch, epochs, one_epoch, validation, batch_size,
        given["validation_steps"], given["validation_freq"],
    )  # fmt: skip


class _Generated:
    """Validation data that a generator gives."""

    def __init__(self, generator):
        self.generator = generator


def _validation(model, data):
    if _data.is_generator(data):
        return _Generated(data)
    if not isinstance(data, (list, tuple)) or len(data) not in (2, 3):
        raise ValueError(
            "When passing a `validation_data` argument, it must contain either 2 items (x_val, "
            "y_val), or 3 items (x_val, y_val, val_sample_weights), or alternatively it could be a "
            "dataset or a dataset or a dataset iterator. However we received "
            f"`validation_data={data}`"
        )
    return _batches.standardized(model, *data)


def _count(data):
    """How many examples arrays have; None without any."""
    for arrays in data:
        for array in arrays:
            if array is not None and hasattr(array, "shape"):
                return array.shape[0]
    return None


def _epochs(
    model, callbacks, initial_epoch, epochs, one_epoch, validation, batch_size, val_steps, val_freq
):
    model.stop_training = False
    callbacks.on_train_begin()
    try:
        for epoch in range(initial_epoch, epochs):
            if model.stop_training:
                break
            model._compiled.reset_metrics()
            model.reset_states()
            callbacks.on_epoch_begin(epoch)
            logs = one_epoch(epoch)
            if validation is not None and _validates(val_freq, epoch):
                found = _evaluate.run(
                    model,
                    validation,
                    batch_size,
                    val_steps,
                    callbacks=callbacks,
                    is_validation=True,
                )
                names = (f"val_{name}" for name in model._compiled.metrics_names)
                logs.update(zip(names, found))
            callbacks.on_epoch_end(epoch, logs)
    except KeyboardInterrupt:
        callbacks.interrupted()
        raise
    callbacks.on_train_end()
    return model.history


def _validates(freq, epoch):
    if isinstance(freq, int):
        return (epoch + 1) % freq == 0
    return epoch + 1 in freq


def _epoch_of_arrays(model, function, data, count, batch_size, steps, shuffle, callbacks):
    names = model._compiled.metrics_names
    batches = [None] * steps if steps is not None else _data.batches(count, batch_size, shuffle)
    total, seen, results = 0.0, 0, []
    for i, batch in enumerate(batches):
        size = 1 if batch is None else _data.size_of(batch)
        callbacks.on_train_batch_begin(i, {"batch": i, "size": size})
        given = data
        if batch is not None:
            given = [_data.taken(arrays, batch) for arrays in data]
        results = function(_batches.values(model, *given, True))
        total, seen = total + results[0] * size, seen + size
        callbacks.on_train_batch_end(i, {"batch": i, "size": size, **dict(zip(names, results))})
        if model.stop_training:
            break
    return dict(zip(names, [total / max(seen, 1), *results[1:]]))


def _fit_generator(model, generator, *, validation_data, epochs, initial_epoch, **given):
    steps = given["steps_per_epoch"]
    has_length = hasattr(generator, "__len__") and hasattr(generator, "__getitem__")
    if steps is None:
        if not has_length:
            raise ValueError(
                "When using a generator, you should specify the `steps_per_epoch` argument."
            )
        steps = len(generator)
    batches = _sequence_batches(generator, given["shuffle"]) if has_length else generator
    first, batches = _peeked(batches)
    _batches.standardized(model, *_parts(first), class_weight=given["class_weight"])
    validation = None if validation_data is None else _validation(model, validation_data)
    callbacks = configured(
        given["callbacks"], model, verbose=given["verbose"], epochs=epochs, batch_size=None,
        samples=None, steps=steps, has_validation=validation is not None,
    )  # fmt: skip

    def one_epoch(epoch):
        logs = _epoch_of_generator(model, batches, steps, given["class_weight"], callbacks)
        if has_length:
            generator.on_epoch_end()
        return logs

    return _epochs(
        model, callbacks, initial_epoch, epochs, one_epoch, validation, None,
        given["validation_steps"], given["validation_freq"],
    )  # fmt: skip


def _sequence_batches(sequence, shuffle):
    """The batches of a Sequence, again and again."""
    while True:
        order = list(range(len(sequence)))
        if shuffle:
            np.random.shuffle(order)
        for i in order:
            yield sequence[i]


def _peeked(iterator):
    """The first item, and an iterator that gives it again."""
    first = next(iterator)

    def all_items():
        yield first
        yield from iterator

    return first, all_items()


def _parts(batch):
    """The inputs, targets and weights that a generator gave. Errors: ValueError."""
    if not isinstance(batch, tuple):
        return batch, None, None
    if len(batch) not in (2, 3):
        raise ValueError(
            "Output of generator should be a tuple `(x, y, sample_weight)` or `(x, y)`. "
            f"Found: {batch}"
        )
    return batch if len(batch) == 3 else (*batch, None)


def _epoch_of_generator(model, batches, steps, class_weight, callbacks):
    total, seen, results = 0.0, 0, []
    for i in range(steps):
        batch = next(batches, None)
        if batch is None:
            break
        inputs, targets, weights = _batches.standardized(model, *_parts(batch), class_weight)
        size = inputs[0].shape[0]
        callbacks.on_train_batch_begin(i, {"batch": i, "size": size})
        function = model._compiled.train_function()
        results = function(_batches.values(model, inputs, targets, weights, True))
        total, seen = total + results[0] * size, seen + size
        names = model._compiled.metrics_names
        callbacks.on_train_batch_end(i, {"batch": i, "size": size, **dict(zip(names, results))})
        if model.stop_training:
            break
    names = model._compiled.metrics_names
    return dict(zip(names, [total / max(seen, 1), *results[1:]]))
