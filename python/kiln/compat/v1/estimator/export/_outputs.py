"""What a model exports: classes, numbers, any tensors, each as a signature."""

from kiln.compat import v1 as tf

__all__ = ["ClassificationOutput", "ExportOutput", "PredictOutput", "RegressionOutput"]

SERVING = "serving_default"


class ExportOutput:
    """What becomes a signature: a subclass has as_signature_def(receiver_tensors).

    Source: tf.estimator.export.ExportOutput.
    """

    def as_signature_def(self, receiver_tensors):
        """A SignatureDef. receiver_tensors: a dict of the tensors that are fed."""
        raise NotImplementedError

    def _named(self, outputs, default_name, label=None):
        """Outputs as a dict. Errors: ValueError for keys and values of other types."""
        if not isinstance(outputs, dict):
            outputs = {default_name: outputs}
        label, result = label or default_name, {}
        for key, value in outputs.items():
            if not isinstance(value, tf.Tensor):
                raise ValueError(f"{label} output value must be a Tensor; got {value}.")
            result[_key(key, label)] = value
        return result


def _key(key, label):
    if isinstance(key, tuple):
        key = "/".join(key)
    if not isinstance(key, str):
        raise ValueError(f"{label} output key must be a string; got {key}.")
    return key


def _examples_of(receiver_tensors, kind):
    """The one tensor of strings that is fed."""
    tensors = list(receiver_tensors.values())
    if len(tensors) != 1:
        raise ValueError(f"{kind} input must be a single string Tensor; got {receiver_tensors}")
    if tensors[0].dtype.base_dtype != tf.string:
        raise ValueError(f"{kind} input must be a single string Tensor; got {receiver_tensors}")
    return tensors[0]


class ClassificationOutput(ExportOutput):
    """Classes, names of them as strings, scores of each, or both.

    Errors: ValueError. Source: tf.estimator.export.ClassificationOutput.
    """

    def __init__(self, scores=None, classes=None):
        if scores is not None and not (isinstance(scores, tf.Tensor) and scores.dtype.is_floating):
            raise ValueError(f"Classification scores must be a float32 Tensor; got {scores}")
        if classes is not None and not (
            isinstance(classes, tf.Tensor) and classes.dtype.base_dtype == tf.string
        ):
            raise ValueError(f"Classification classes must be a string Tensor; got {classes}")
        if scores is None and classes is None:
            raise ValueError("At least one of scores and classes must be set.")
        self._scores, self._classes = scores, classes

    scores = property(lambda self: self._scores)
    classes = property(lambda self: self._classes)

    def as_signature_def(self, receiver_tensors):
        examples = _examples_of(receiver_tensors, "Classification")
        return tf.saved_model.classification_signature_def(examples, self.classes, self.scores)


class RegressionOutput(ExportOutput):
    """A number for each example. Errors: ValueError.

    Source: tf.estimator.export.RegressionOutput.
    """

    def __init__(self, value):
        if not (isinstance(value, tf.Tensor) and value.dtype.is_floating):
            raise ValueError(f"Regression output value must be a float32 Tensor; got {value}")
        self._value = value

    value = property(lambda self: self._value)

    def as_signature_def(self, receiver_tensors):
        examples = _examples_of(receiver_tensors, "Regression")
        return tf.saved_model.regression_signature_def(examples, self.value)


class PredictOutput(ExportOutput):
    """Any tensors: a dict of them, or one, which is named "output".

    Errors: ValueError. Source: tf.estimator.export.PredictOutput.
    """

    def __init__(self, outputs):
        self._outputs = self._named(outputs, "output", "Prediction")

    outputs = property(lambda self: self._outputs)

    def as_signature_def(self, receiver_tensors):
        return tf.saved_model.predict_signature_def(receiver_tensors, self.outputs)


class SupervisedOutput(ExportOutput):
    """The loss, predictions and metrics of a model that is trained or evaluated."""

    def __init__(self, loss=None, predictions=None, metrics=None, training=False):
        self._training, self._outputs = training, {}
        for name, given in (("loss", loss), ("predictions", predictions)):
            if given is not None:
                named = self._named(given, name)
                self._outputs.update((_prefixed(key, name), each) for key, each in named.items())
        for key, (value, update) in (metrics or {}).items():
            key = _prefixed(_key(key, "metrics"), "metrics")
            if not isinstance(value, tf.Tensor):
                raise ValueError(f"{key} output value must be a Tensor; got {value}.")
            if not isinstance(update, (tf.Tensor, tf.Operation)):
                raise ValueError(f"{key} update_op must be a Tensor or Operation; got {update}.")
            if isinstance(update, tf.Operation):
                with tf.control_dependencies([update]):
                    update = tf.constant([], name="metric_op_wrapper")
            self._outputs[f"{key}/value"], self._outputs[f"{key}/update_op"] = value, update

    def as_signature_def(self, receiver_tensors):
        mode = "train" if self._training else "eval"
        return tf.saved_model.build_signature_def(
            {key: tf.saved_model.build_tensor_info(each) for key, each in receiver_tensors.items()},
            {key: tf.saved_model.build_tensor_info(each) for key, each in self._outputs.items()},
            f"tensorflow/supervised/{'training' if mode == 'train' else 'eval'}",
        )


def _prefixed(key, name):
    return key if key.startswith(name) else f"{name}/{key}"


def outputs_for_serving(export_outputs, predictions):
    """The outputs of a model that predicts, with one for the default signature.

    Errors: TypeError, ValueError.
    """
    if export_outputs is None:
        export_outputs = {SERVING: PredictOutput(predictions)}
    if not isinstance(export_outputs, dict):
        raise TypeError(f"export_outputs must be dict, given: {export_outputs}")
    for value in export_outputs.values():
        if not isinstance(value, ExportOutput):
            raise TypeError(
                f"Values in export_outputs must be ExportOutput objects. Given: {export_outputs}"
            )
    if len(export_outputs) == 1:
        (only,) = export_outputs.values()
        export_outputs[SERVING] = only
    elif SERVING not in export_outputs:
        raise ValueError(
            "Multiple export_outputs were provided, but none of them is specified as the default. "
            "Do this by naming one of them with signature_constants."
            "DEFAULT_SERVING_SIGNATURE_DEF_KEY."
        )
    return export_outputs
