"""What a model function for a TPU gives."""

import collections

from kiln.compat import v1 as tf
from kiln.compat.v1.estimator._spec import EstimatorSpec


class TPUEstimatorSpec(
    collections.namedtuple(
        "TPUEstimatorSpec",
        [
            "mode", "predictions", "loss", "train_op", "eval_metrics", "export_outputs",
            "scaffold_fn", "host_call", "training_hooks", "evaluation_hooks", "prediction_hooks",
        ],
    )
):  # fmt: skip
    """As tf.estimator.EstimatorSpec, with functions in place of what runs on the host.

    eval_metrics: a pair of a function that gives a dict of metrics, and its arguments, a list or a
    dict of tensors. host_call: such a pair whose operations run each step. scaffold_fn: gives the
    Scaffold. Errors: TypeError, ValueError. Source: tf.estimator.tpu.TPUEstimatorSpec.
    """

    def __new__(
        cls,
        mode,
        predictions=None,
        loss=None,
        train_op=None,
        eval_metrics=None,
        export_outputs=None,
        scaffold_fn=None,
        host_call=None,
        training_hooks=None,
        evaluation_hooks=None,
        prediction_hooks=None,
    ):
        for name, call in (("eval_metrics", eval_metrics), ("host_call", host_call)):
            if call is not None:
                _check_call(name, call)
        training, evaluation, prediction = (
            tuple(each or ()) for each in (training_hooks, evaluation_hooks, prediction_hooks)
        )
        for hook in (*training, *evaluation, *prediction):
            if not isinstance(hook, tf.train.SessionRunHook):
                raise TypeError(f"All hooks must be SessionRunHook instances, given: {hook}")
        return super().__new__(
            cls, mode, predictions, loss, train_op, eval_metrics, export_outputs, scaffold_fn,
            host_call, training, evaluation, prediction,
        )  # fmt: skip

    def as_estimator_spec(self):
        """The EstimatorSpec of the same for CPUs."""
        hooks = ()
        if self.host_call is not None:
            hooks = (_RunEachStep(_called(self.host_call)),)
        return EstimatorSpec(
            mode=self.mode,
            predictions=self.predictions,
            loss=self.loss,
            train_op=self.train_op,
            eval_metric_ops=None if self.eval_metrics is None else _called(self.eval_metrics),
            export_outputs=self.export_outputs,
            scaffold=self.scaffold_fn() if self.scaffold_fn else None,
            training_hooks=self.training_hooks + hooks,
            evaluation_hooks=self.evaluation_hooks + hooks,
            prediction_hooks=self.prediction_hooks + hooks,
        )


def _check_call(name, call):
    if not isinstance(call, (tuple, list)):
        raise ValueError(f"{name} should be tuple or list")
    if len(call) != 2:
        raise ValueError(f"{name} should have two elements.")
    if not callable(call[0]):
        raise TypeError(f"{name}[0] should be callable.")
    if not isinstance(call[1], (tuple, list, dict)):
        raise ValueError(f"{name}[1] should be tuple or list, or dict.")


def _called(call):
    function, given = call
    return function(**given) if isinstance(given, dict) else function(*given)


class _RunEachStep(tf.train.SessionRunHook):
    """Runs what a host call gave in each step."""

    def __init__(self, tensors):
        self._tensors = tensors

    def begin(self):
        self._operation = tf.group(*tf.nest.flatten(self._tensors))

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self._operation)
