"""Steps with one batch."""

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras._training import _data


def standardized(model, x, y=None, sample_weight=None, class_weight=None, with_targets=True):
    """Lists of arrays: inputs, targets, weights. Builds a model that has no inputs yet.

    Errors: ValueError, RuntimeError.
    """
    _data.check_no_dataset(x)
    model._set_inputs(x)
    names = [tensor._keras_history.layer.name for tensor in model._fed_inputs()]
    inputs = _data.as_lists(x, names, model._input_shapes(), "input")
    if not with_targets:
        return inputs, [], []
    compiled = model._get_compiled()
    fed = [each for each in compiled.trained if K.is_placeholder(each.target)]
    if y is None and fed:
        raise ValueError(
            "You must provide targets: the model was compiled with a loss for "
            f"{[each.name for each in fed]}"
        )
    targets = _data.as_lists(
        y, [each.name for each in fed], [_target_shape(each, y) for each in fed], "target"
    )
    targets = [_expanded(target, output) for target, output in zip(targets, fed)]
    names = [each.name for each in compiled.trained]
    weights = _data.weights_of(targets, sample_weight, class_weight, names)
    _data.check_lengths(inputs, targets, [each for each in weights if each is not None])
    compiled.use_weights(weights)
    return inputs, targets, weights


def _target_shape(output, y):
    """The shape that is checked. Numbers of classes may come without a last axis."""
    shape = output.target_shape()
    if output.is_sparse and getattr(y, "ndim", None) == len(shape) - 1:
        return None
    return shape


def _expanded(target, output):
    rank = output.tensor.shape.ndims
    if output.is_sparse and target is not None and target.ndim == rank - 1:
        return target[..., None]
    return target


def values(model, inputs, targets, weights, training):
    """What a function of training or evaluation is called with."""
    compiled = model._compiled
    wanted = [
        _ones_like(targets, output) if weight is None else weight
        for output, weight in zip(compiled.trained, weights)
        if output.sample_weight is not None
    ]
    phase = K.learning_phase()
    last = [training] if isinstance(phase, tf.Tensor) else []
    return [*inputs, *targets, *wanted, *last]


def _ones_like(targets, output):
    rank = output.sample_weight.shape.ndims
    return np.ones(targets[0].shape[:rank], K.floatx())


def _one_or_all(results):
    return results[0] if len(results) == 1 else results


def train_on_batch(model, x, y, sample_weight, class_weight, reset_metrics):
    inputs, targets, weights = standardized(model, x, y, sample_weight, class_weight)
    function = model._compiled.train_function()
    if reset_metrics:
        model._compiled.reset_metrics()
    return _one_or_all(function(values(model, inputs, targets, weights, True)))


def test_on_batch(model, x, y, sample_weight, reset_metrics):
    inputs, targets, weights = standardized(model, x, y, sample_weight)
    function = model._compiled.test_function()
    if reset_metrics:
        model._compiled.reset_metrics()
    return _one_or_all(function(values(model, inputs, targets, weights, False)))


def predict_on_batch(model, x):
    inputs, _, _ = standardized(model, x, with_targets=False)
    phase = [False] if isinstance(K.learning_phase(), tf.Tensor) else []
    return _one_or_all(model._get_predict_function()([*inputs, *phase]))
