"""What the model functions of tf.contrib.learn get and give."""

import collections

from kiln.compat import v1 as tf
from kiln.compat.v1._util.deprecation import deprecated
from kiln.compat.v1.contrib.framework import get_graph_from_inputs
from kiln.compat.v1.contrib.learn.estimators.constants import ProblemType
from kiln.compat.v1.contrib.learn.estimators.metric_key import MetricKey
from kiln.compat.v1.contrib.learn.estimators.prediction_key import PredictionKey

_MODULE = "tensorflow.contrib.learn.python.learn.estimators.model_fn"


class ModeKeys:
    """What a model function is called for. Source: tf.contrib.learn.ModeKeys."""

    TRAIN = "train"
    EVAL = "eval"
    INFER = "infer"

    @classmethod
    def validate(cls, key):
        """Errors: ValueError for what is none of them."""
        if key not in (cls.TRAIN, cls.EVAL, cls.INFER):
            raise ValueError(f"Invalid mode {key}.")


class ModelFnOps(
    collections.namedtuple(
        "ModelFnOps",
        [
            "predictions", "loss", "train_op", "eval_metric_ops", "output_alternatives",
            "training_chief_hooks", "training_hooks", "scaffold", "mode",
        ],
    )
):  # fmt: skip
    """The operations of a model for one mode, as tf.estimator.EstimatorSpec.

    output_alternatives: a dict from names to pairs of a ProblemType and a dict of tensors. Errors:
    ValueError, TypeError. Source: tf.contrib.learn.ModelFnOps.
    """

    @deprecated(
        None,
        "When switching to tf.estimator.Estimator, use tf.estimator.EstimatorSpec. You can use the "
        "`estimator_spec` method to create an equivalent one.",
        module=_MODULE,
    )
    def __new__(
        cls,
        mode,
        predictions=None,
        loss=None,
        train_op=None,
        eval_metric_ops=None,
        output_alternatives=None,
        training_chief_hooks=None,
        training_hooks=None,
        scaffold=None,
    ):
        ModeKeys.validate(mode)
        get_graph_from_inputs([each for each in (loss, train_op) if each is not None])
        if train_op is None:
            if mode == ModeKeys.TRAIN:
                raise ValueError("Missing train_op.")
        elif not isinstance(train_op, tf.Operation):
            train_op = tf.convert_to_tensor(train_op).op
        loss = _checked_loss(loss, mode)
        predictions = _checked_predictions(predictions, mode)
        if eval_metric_ops is not None and not isinstance(eval_metric_ops, dict):
            raise ValueError("eval_metric_ops must be a dict.")
        chief_hooks, hooks = list(training_chief_hooks or []), list(training_hooks or [])
        for hook in hooks + chief_hooks:
            if not isinstance(hook, tf.train.SessionRunHook):
                raise TypeError(
                    "All hooks returned from model_fn must be SessionRunHook instances, got "
                    f"instance of {type(hook)}: {hook}"
                )
        return super().__new__(
            cls, predictions, loss, train_op, {} if eval_metric_ops is None else eval_metric_ops,
            output_alternatives, chief_hooks, hooks, scaffold, mode,
        )  # fmt: skip

    def estimator_spec(self, default_serving_output_alternative_key=None):
        """The EstimatorSpec of the same model. Errors: ValueError for unknown problems."""
        modes = tf.estimator.ModeKeys
        outputs = None
        if self.output_alternatives:
            alternatives = dict(self.output_alternatives)
            default = tf.saved_model.signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
            if len(alternatives) > 1 and default not in alternatives:
                alternatives[default] = alternatives[default_serving_output_alternative_key]
            outputs = {key: _export_output(*each) for key, each in alternatives.items()}
        return tf.estimator.EstimatorSpec(
            mode={
                ModeKeys.TRAIN: modes.TRAIN, ModeKeys.EVAL: modes.EVAL,
                ModeKeys.INFER: modes.PREDICT,
            }[self.mode],
            predictions=self.predictions,
            loss=self.loss,
            train_op=self.train_op,
            eval_metric_ops={
                key: value for key, value in self.eval_metric_ops.items() if key != MetricKey.LOSS
            },
            export_outputs=outputs,
            training_chief_hooks=self.training_chief_hooks,
            training_hooks=self.training_hooks,
            scaffold=self.scaffold,
        )  # fmt: skip


def _checked_loss(loss, mode):
    if loss is None:
        if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
            raise ValueError("Missing loss.")
        return None
    loss = tf.convert_to_tensor(loss)
    shape = loss.get_shape()
    if shape.num_elements() not in (None, 1):
        raise ValueError(f"Loss must be scalar: {loss}.")
    return loss if shape.is_compatible_with(tf.TensorShape([])) else tf.reshape(loss, [])


def _checked_predictions(predictions, mode):
    if predictions is None:
        if mode in (ModeKeys.INFER, ModeKeys.EVAL):
            raise ValueError("Missing predictions.")
        return None
    if isinstance(predictions, dict):
        return {
            key: tf.convert_to_tensor_or_sparse_tensor(value)
            for key, value in predictions.items()
        }
    return tf.convert_to_tensor_or_sparse_tensor(predictions)


def _export_output(problem_type, predictions):
    """What is exported for a kind of problem."""
    scores = predictions.get(PredictionKey.SCORES)
    if scores is None:
        scores = predictions.get(PredictionKey.PROBABILITIES)
    export = tf.estimator.export
    if problem_type == ProblemType.LINEAR_REGRESSION:
        return export.RegressionOutput(scores)
    if problem_type in (ProblemType.CLASSIFICATION, ProblemType.LOGISTIC_REGRESSION):
        classes = predictions.get(PredictionKey.CLASSES)
        if classes is None or classes.dtype != tf.string:
            what = "None" if classes is None else "not string"
            tf.logging.warning(f"classes is {what}, Servo inference will not have class ids.")
            classes = None
        return export.ClassificationOutput(scores=scores, classes=classes)
    if problem_type == ProblemType.UNSPECIFIED:
        return export.PredictOutput(predictions)
    raise ValueError(f"Unknown problem_type={problem_type}")
