"""A model of Keras as the model function of an estimator."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K, optimizers
from kiln.compat.v1.keras._engine._layer import Layer
from kiln.compat.v1.keras._objects import CustomObjectScope
from kiln.compat.v1.keras.models import clone_model

_SERVING = "serving_default"


def model_fn_of(model, custom_objects):
    """The model function."""

    def model_fn(features, labels, mode):
        made = clone(model, mode, custom_objects, features, labels)
        try:
            return _spec_of(made, mode)
        finally:
            if made is model:
                _restore(model)

    return model_fn


def _spec_of(model, mode):
    modes = tf.estimator.ModeKeys
    predictions = dict(zip(model.output_names, model.outputs))
    loss = train_op = metrics = None
    if mode != modes.PREDICT:
        compiled = model._get_compiled()
        function = compiled.train_function if mode == modes.TRAIN else compiled.test_function
        updates = function()._updates
        train_op = updates if mode == modes.TRAIN else None
        loss = model.total_loss
        metrics = {metric.name: metric for metric in compiled.all_metrics()}
    return tf.estimator.EstimatorSpec(
        mode=mode,
        predictions=predictions,
        loss=loss,
        train_op=train_op,
        eval_metric_ops=metrics,
        export_outputs={_SERVING: tf.estimator.export.PredictOutput(predictions)},
    )


def clone(model, mode, custom_objects=None, features=None, labels=None):
    """The model in the current graph, with features and labels as inputs and targets.

    A subclass is itself made anew; _restore() gives it back what it was.
    """
    modes = tf.estimator.ModeKeys
    K.set_learning_phase(mode == modes.TRAIN)
    inputs = _ordered(model, features, is_input=True)
    targets = _ordered(model, labels, is_input=False)
    with CustomObjectScope(custom_objects or {}):
        if model._is_graph_network:
            made = clone_model(model, input_tensors=inputs)
        else:
            made = _renewed(model, inputs)
    if mode == modes.PREDICT:
        return made
    step = tf.train.get_or_create_global_step()
    K.track(step)
    made.compile(
        _optimizer_of(model.optimizer, step),
        model.loss,
        metrics=_again(model._compile_metrics),
        loss_weights=model.loss_weights,
        sample_weight_mode=model.sample_weight_mode,
        weighted_metrics=_again(model._compile_weighted_metrics),
        target_tensors=targets,
    )
    return made


def _again(metrics):
    """Metrics whose variables are made in the current graph."""
    if isinstance(metrics, dict):
        return {name: _again(each) for name, each in metrics.items()}
    if isinstance(metrics, (list, tuple)):
        return [_again(each) for each in metrics]
    if hasattr(metrics, "get_config"):
        return type(metrics).from_config(metrics.get_config())
    return metrics


def _optimizer_of(optimizer, step):
    """An optimizer with the same options that counts the global step."""
    if isinstance(optimizer, optimizers.TFOptimizer):
        made = optimizers.TFOptimizer(optimizer.optimizer)
        made._iterations = step
        return made
    made = type(optimizer).from_config(optimizer.get_config())
    made.iterations = step
    return made


def _ordered(model, given, is_input):
    """Features or labels as a list of tensors in the order of the model's inputs or outputs.

    Errors: ValueError for names that the model does not have.
    """
    if given is None:
        return None
    if isinstance(given, (list, tuple)):
        return [tf.convert_to_tensor_or_sparse_tensor(each) for each in given]
    if not isinstance(given, dict):
        return [tf.convert_to_tensor_or_sparse_tensor(given)]
    if model._is_graph_network:
        names = model.input_names if is_input else model.output_names
    else:
        kind = "input" if is_input else "output"
        names = [f"{kind}_{i + 1}" for i in range(len(given))]
    for name in given:
        if name not in names:
            raise ValueError(
                f'Cannot find {"input" if is_input else "output"} with name "{name}" in Keras '
                f"Model. It needs to match one of the following: {', '.join(names)}"
            )
    return [tf.convert_to_tensor_or_sparse_tensor(given[name]) for name in names]


def _renewed(model, inputs):
    """A subclass with new layers in the places of its own."""
    model._before_estimator = dict(model.__dict__)
    for name, value in list(model.__dict__.items()):
        if isinstance(value, Layer):
            setattr(model, name, type(value).from_config(value.get_config()))
        elif isinstance(value, list) and value and all(isinstance(each, Layer) for each in value):
            renewed = [type(each).from_config(each.get_config()) for each in value]
            setattr(model, name, renewed)
    model.built, model.inputs, model.outputs = False, None, None
    model._inbound_nodes, model._outbound_nodes = [], []
    model._trainable_weights, model._non_trainable_weights = [], []
    model._compiled = model._options = None
    model.__dict__.pop("_collected_trainable_weights", None)
    model._set_inputs(inputs[0] if len(inputs) == 1 else inputs)
    return model


def _restore(model):
    before = model.__dict__.pop("_before_estimator")
    model.__dict__.clear()
    model.__dict__.update(before)
