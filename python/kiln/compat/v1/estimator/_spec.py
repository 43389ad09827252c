"""tf.estimator.EstimatorSpec: what a model function gives back."""

import collections

from kiln.compat import v1 as tf
from kiln.compat.v1.estimator._modes import ModeKeys
from kiln.compat.v1.estimator.export._outputs import outputs_for_serving

_OTHER_GRAPH = (
    '{0} with "{1}" must be from the default graph. Possible causes of this error include: \n\n'
    "1) {0} was created outside the context of the default graph.\n\n"
    "2) The object passed through to EstimatorSpec was not created in the most recent call to "
    '"model_fn".'
)


class EstimatorSpec(
    collections.namedtuple(
        "EstimatorSpec",
        [
            "mode", "predictions", "loss", "train_op", "eval_metric_ops", "export_outputs",
            "training_chief_hooks", "training_hooks", "scaffold", "evaluation_hooks",
            "prediction_hooks",
        ],
    )
):  # fmt: skip
    """The operations of a model for one mode.

    mode: a ModeKeys. predictions: a tensor or a dict of them; needed to predict. loss: a scalar;
    needed to train and to evaluate. train_op: what a step runs; needed to train. eval_metric_ops: a
    dict of pairs of a value and an update, as from tf.metrics, or of tf.keras metrics.
    export_outputs: a dict from names of signatures to objects of tf.estimator.export. Errors:
    ValueError, TypeError. Source: tf.estimator.EstimatorSpec.
    """

    def __new__(
        cls,
        mode,
        predictions=None,
        loss=None,
        train_op=None,
        eval_metric_ops=None,
        export_outputs=None,
        training_chief_hooks=None,
        training_hooks=None,
        scaffold=None,
        evaluation_hooks=None,
        prediction_hooks=None,
    ):
        train_op = _checked_train_op(train_op, mode)
        loss = _checked_loss(loss, mode)
        predictions = _checked_predictions(predictions, mode)
        if mode == ModeKeys.PREDICT:
            export_outputs = outputs_for_serving(export_outputs, predictions)
        hooks = (training_hooks, evaluation_hooks, prediction_hooks, training_chief_hooks)
        training, evaluation, prediction, chief = map(_checked_hooks, hooks)
        eval_metric_ops = _checked_metrics(eval_metric_ops)
        scaffold = scaffold or tf.train.Scaffold()
        if not isinstance(scaffold, tf.train.Scaffold):
            raise TypeError(f"scaffold must be tf.train.Scaffold. Given: {scaffold}")
        return super().__new__(
            cls, mode, predictions, loss, train_op, eval_metric_ops, export_outputs, chief,
            training, scaffold, evaluation, prediction,
        )  # fmt: skip

    def _replace(self, **kwds):
        if kwds.get("mode", self.mode) != self.mode:
            raise ValueError("mode of EstimatorSpec cannot be changed.")
        return EstimatorSpec(**{**self._asdict(), **kwds})


def _is_tensor(value):
    return isinstance(value, (tf.Tensor, tf.Variable))


def _check_tensor(value, name):
    if not _is_tensor(value):
        raise TypeError(f"{name} must be Tensor, given: {value}")


def _check_graph(value, what, name):
    if value.graph is not tf.get_default_graph():
        raise ValueError(_OTHER_GRAPH.format(what, name))


def _checked_train_op(train_op, mode):
    if train_op is None:
        if mode == ModeKeys.TRAIN:
            raise ValueError("Missing train_op.")
        return None
    if not _is_tensor(train_op) and not isinstance(train_op, tf.Operation):
        raise TypeError(f"train_op must be Operation or Tensor, given: {train_op}")
    if isinstance(train_op, tf.Variable):
        train_op = train_op.op
    _check_graph(train_op, "train_op", train_op.name)
    return train_op


def _checked_loss(loss, mode):
    if loss is None:
        if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
            raise ValueError("Missing loss.")
        return None
    _check_tensor(loss, "loss")
    shape = loss.get_shape()
    if shape.num_elements() not in (None, 1):
        raise ValueError(f"Loss must be scalar, given: {loss}")
    if not shape.is_compatible_with(tf.TensorShape([])):
        loss = tf.reshape(loss, [])
    _check_graph(loss, "loss", loss.name)
    return loss


def _checked_predictions(predictions, mode):
    if predictions is None:
        if mode == ModeKeys.PREDICT:
            raise ValueError("Missing predictions.")
        return {}
    if isinstance(predictions, dict):
        for key, value in predictions.items():
            _check_tensor(value, f"predictions[{key}]")
            _check_graph(value, "prediction values", f"{key}: {value.name}")
        return dict(predictions)
    _check_tensor(predictions, "predictions")
    _check_graph(predictions, "prediction values", predictions.name)
    return predictions


def _checked_hooks(hooks):
    hooks = tuple(hooks or [])
    for hook in hooks:
        if not isinstance(hook, tf.train.SessionRunHook):
            raise TypeError(f"All hooks must be SessionRunHook instances, given: {hook}")
    return hooks


def is_keras_metric(value):
    """Whether it is an object of tf.keras.metrics."""
    return hasattr(value, "result") and hasattr(value, "updates")


def _checked_metrics(eval_metric_ops):
    if eval_metric_ops is None:
        return {}
    if not isinstance(eval_metric_ops, dict):
        raise TypeError(f"eval_metric_ops must be a dict, given: {eval_metric_ops}")
    for key, value in eval_metric_ops.items():
        if is_keras_metric(value):
            if not value.updates:
                raise ValueError(f'Please call update_state(...) on the "{value.name}" metric')
        elif not isinstance(value, tuple) or len(value) != 2:
            raise TypeError(
                "Values of eval_metric_ops must be (metric_value, update_op) tuples, given: "
                f"{value} for key: {key}"
            )
    for key, value in list(eval_metric_ops.items()):
        if is_keras_metric(value):
            eval_metric_ops[key] = _pair_of(value)
        for each in tf.nest.flatten(eval_metric_ops[key]):
            _check_graph(each, "eval_metric_ops", f"{key}: {each.name}")
    return eval_metric_ops


def _pair_of(metric):
    """The value and the update of a metric of tf.keras, whose variables become local ones."""
    for key in (tf.GraphKeys.LOCAL_VARIABLES, tf.GraphKeys.METRIC_VARIABLES):
        there = tf.get_collection(key)
        for variable in metric.variables:
            if not any(variable is other for other in there):
                tf.add_to_collection(key, variable)
    return metric.result(), metric.updates[0]
