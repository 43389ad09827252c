"""The loops of evaluate() and predict()."""

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras._training import _batches, _data
from kiln.compat.v1.keras.callbacks._list import configured


def evaluate(model, x, y, batch_size, verbose, sample_weight, steps, callbacks):
    """The loss and the metrics of data."""
    from kiln.compat.v1.keras._training import _fit

    if _data.is_generator(x):
        data = _fit._Generated(x)
        steps = len(x) if steps is None and hasattr(x, "__len__") else steps
        if steps is None:
            raise ValueError("When using a generator, you should specify the `steps` argument.")
        count = None
        first, data.generator = _fit._peeked(_iterator(x))
        _batches.standardized(model, *_fit._parts(first))
    else:
        data = _batches.standardized(model, x, y, sample_weight)
        count = _fit._count(data)
        if count is None and steps is None:
            raise ValueError(
                "When using data tensors as input to a model, you should specify the `steps` "
                "argument."
            )
    model._compiled.reset_metrics()
    bar = configured(
        callbacks, model, verbose=verbose, epochs=1, batch_size=batch_size or 32,
        samples=None if steps else count, steps=steps, has_validation=False, mode="test",
    )  # fmt: skip
    bar.on_test_begin()
    results = run(model, data, batch_size or 32, steps, callbacks=bar)
    bar.on_test_end()
    bar.finish_bar(dict(zip(model._compiled.metrics_names, results)))
    return results[0] if len(results) == 1 else results


def _iterator(generator):
    if hasattr(generator, "__getitem__") and hasattr(generator, "__len__"):
        return (generator[i] for i in range(len(generator)))
    return generator


def run(model, data, batch_size, steps, callbacks, is_validation=False):
    """Runs batches through the function of evaluation; gives the means."""
    if is_validation:
        model._compiled.reset_metrics()
    total, seen, results = 0.0, 0, []
    # What is validated in fit() is mixed, which draws from NumPy's random numbers.
    for i, (size, given) in enumerate(_given(model, data, batch_size, steps, is_validation)):
        callbacks.on_test_batch_begin(i, {"batch": i, "size": size})
        function = model._compiled.test_function()
        results = function(_batches.values(model, *given, False))
        total, seen = total + results[0] * size, seen + size
        logs = dict(zip(model._compiled.metrics_names, results))
        callbacks.on_test_batch_end(i, {"batch": i, "size": size, **logs})
    if not seen:
        raise ValueError("the data has no examples")
    return [total / seen, *results[1:]]


def _given(model, data, batch_size, steps, shuffle):
    """The sizes and arrays of batches."""
    from kiln.compat.v1.keras._training import _fit

    if isinstance(data, _fit._Generated):
        generator = data.generator
        if steps is None and hasattr(generator, "__len__"):
            steps = len(generator)
        iterator = _iterator(generator)
        for _ in range(steps):
            given = _batches.standardized(model, *_fit._parts(next(iterator)))
            yield given[0][0].shape[0], given
    elif steps is not None:
        for _ in range(steps):
            yield 1, data
    else:
        for rows in _data.batches(_fit._count(data), batch_size or 32, shuffle):
            yield _data.size_of(rows), [_data.taken(arrays, rows) for arrays in data]


def predict(model, x, batch_size, verbose, steps, callbacks):
    """The outputs for data."""
    from kiln.compat.v1.keras._training import _fit

    phase = [False] if isinstance(K.learning_phase(), tf.Tensor) else []
    if _data.is_generator(x):
        steps = len(x) if steps is None and hasattr(x, "__len__") else steps
        iterator, count = _iterator(x), None
        batches = (_fit._parts(next(iterator))[0] for _ in range(steps))
        batches = (_batches.standardized(model, each, with_targets=False)[0] for each in batches)
    else:
        inputs, _, _ = _batches.standardized(model, x, with_targets=False)
        count = _fit._count([inputs])
        if steps is not None or count is None:
            batches = (inputs for _ in range(steps))
        else:
            places = _data.batches(count, batch_size or 32)
            batches = (_data.taken(inputs, place) for place in places)
    bar = configured(
        callbacks, model, verbose=verbose, epochs=1, batch_size=batch_size or 32,
        samples=None if steps else count, steps=steps, has_validation=False, mode="predict",
    )  # fmt: skip
    bar.on_predict_begin()
    found = []
    for i, batch in enumerate(batches):
        logs = {"batch": i, "size": batch[0].shape[0] if hasattr(batch[0], "shape") else 1}
        bar.on_predict_batch_begin(i, logs)
        found.append(model._get_predict_function()([*batch, *phase]))
        bar.on_predict_batch_end(i, logs)
    bar.on_predict_end()
    bar.finish_bar({})
    outputs = [np.concatenate(each) for each in zip(*found)]
    return outputs[0] if len(outputs) == 1 else outputs
