"""Signatures: what a caller feeds and fetches, by names of its own."""

from kiln.compat.v1 import _messages, dtypes, errors
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1.saved_model import signature_constants as names
from kiln.compat.v1.saved_model import utils

SUPERVISED_TRAIN_METHOD_NAME = "tensorflow/supervised/training"
SUPERVISED_EVAL_METHOD_NAME = "tensorflow/supervised/eval"


def build_signature_def(inputs=None, outputs=None, method_name=None):
    """A SignatureDef of TensorInfos by name. Source: tf.saved_model.signature_def_utils.build_signature_def."""
    signature = _messages.SignatureDef()
    for key, info in (inputs or {}).items():
        signature.inputs[key].CopyFrom(info)
    for key, info in (outputs or {}).items():
        signature.outputs[key].CopyFrom(info)
    if method_name is not None:
        signature.method_name = method_name
    return signature


def predict_signature_def(inputs, outputs):
    """The signature of a model that predicts, of tensors by name. Errors: ValueError.

    Source: tf.saved_model.signature_def_utils.predict_signature_def.
    """
    for given, what in ((inputs, "inputs"), (outputs, "outputs")):
        if given is None or not given:
            raise ValueError(f"Prediction {what} cannot be None or empty.")
    return build_signature_def(
        {key: utils.build_tensor_info(tensor) for key, tensor in inputs.items()},
        {key: utils.build_tensor_info(tensor) for key, tensor in outputs.items()},
        names.PREDICT_METHOD_NAME,
    )


def _string_examples(examples, kind):
    if examples is None:
        raise ValueError(f"{kind} examples cannot be None.")
    if not hasattr(examples, "dtype"):
        raise ValueError(f"{kind} examples must be a string Tensor.")
    if examples.dtype.base_dtype != dtypes.string:
        raise ValueError(f"{kind} examples must be a string Tensor.")
    return {names.REGRESS_INPUTS: utils.build_tensor_info(convert_to_tensor(examples))}


def regression_signature_def(examples, predictions):
    """Serialized Examples to numbers. Errors: ValueError.

    Source: tf.saved_model.signature_def_utils.regression_signature_def.
    """
    if predictions is None:
        raise ValueError("Regression predictions cannot be None.")
    inputs = _string_examples(examples, "Regression")
    output = utils.build_tensor_info(predictions)
    if output.dtype != _messages.DT_FLOAT:
        raise ValueError("Regression output tensors must be of type float.")
    return build_signature_def(inputs, {names.REGRESS_OUTPUTS: output}, names.REGRESS_METHOD_NAME)


def classification_signature_def(examples, classes, scores):
    """Serialized Examples to classes, scores, or both. Errors: ValueError.

    Source: tf.saved_model.signature_def_utils.classification_signature_def.
    """
    if examples is None:
        raise ValueError("Classification examples cannot be None.")
    if classes is None and scores is None:
        raise ValueError("Classification classes and scores cannot both be None.")
    inputs, outputs = _string_examples(examples, "Classification"), {}
    if classes is not None:
        outputs[names.CLASSIFY_OUTPUT_CLASSES] = utils.build_tensor_info(classes)
        if outputs[names.CLASSIFY_OUTPUT_CLASSES].dtype != _messages.DT_STRING:
            raise ValueError("Classification classes must be a string Tensor.")
    if scores is not None:
        outputs[names.CLASSIFY_OUTPUT_SCORES] = utils.build_tensor_info(scores)
        if outputs[names.CLASSIFY_OUTPUT_SCORES].dtype != _messages.DT_FLOAT:
            raise ValueError("Classification scores must be a float Tensor.")
    return build_signature_def(inputs, outputs, names.CLASSIFY_METHOD_NAME)


def _supervised_signature_def(method_name, inputs, *outputs):
    if not inputs:
        raise ValueError(f"{method_name} inputs cannot be None or empty.")
    named = {key: tensor for each in outputs if each is not None for key, tensor in each.items()}
    return build_signature_def(
        {key: utils.build_tensor_info(tensor) for key, tensor in inputs.items()},
        {key: utils.build_tensor_info(tensor) for key, tensor in named.items()},
        method_name,
    )


def supervised_train_signature_def(inputs, loss, predictions=None, metrics=None):
    """The signature of a step of training, of tensors by name. Errors: ValueError.

    Source: tf's signature_def_utils_impl.supervised_train_signature_def.
    """
    return _supervised_signature_def(SUPERVISED_TRAIN_METHOD_NAME, inputs, loss, predictions, metrics)


def supervised_eval_signature_def(inputs, loss, predictions=None, metrics=None):
    """The signature of an evaluation, of tensors by name. Errors: ValueError.

    Source: tf's signature_def_utils_impl.supervised_eval_signature_def.
    """
    return _supervised_signature_def(SUPERVISED_EVAL_METHOD_NAME, inputs, loss, predictions, metrics)


def op_signature_def(op, key):
    """A signature whose one result, of that name, is an operation or a tensor.

    Source: tf's signature_def_utils_impl.op_signature_def.
    """
    return build_signature_def(outputs={key: utils.build_tensor_info_from_op(op)})


def load_op_from_signature_def(signature_def, key, import_scope=None):
    """What op_signature_def() described, in the current graph. Errors: NotFoundError.

    Source: tf's signature_def_utils_impl.load_op_from_signature_def.
    """
    info = signature_def.outputs[key]
    try:
        return utils.get_element_from_tensor_info(info, import_scope=import_scope)
    except KeyError:
        raise errors.NotFoundError(
            None, None, f"The {key} could not be found in the graph. Please make sure the SavedModel was created by "
            "the internal _SavedModelBuilder. If you are using the public API, please make sure the SignatureDef in "
            "the SavedModel does not contain the key."
        ) from None


def is_valid_signature(signature_def):
    """Whether a SignatureDef is one of the three kinds. Source: tf.saved_model.signature_def_utils.is_valid_signature."""
    if signature_def is None:
        return False
    inputs, outputs = dict(signature_def.inputs), dict(signature_def.outputs)
    if signature_def.method_name == names.PREDICT_METHOD_NAME:
        return bool(inputs) and bool(outputs)
    if set(inputs) != {names.REGRESS_INPUTS} or inputs[names.REGRESS_INPUTS].dtype != _messages.DT_STRING:
        return False
    if signature_def.method_name == names.REGRESS_METHOD_NAME:
        return set(outputs) == {names.REGRESS_OUTPUTS} and outputs[names.REGRESS_OUTPUTS].dtype == _messages.DT_FLOAT
    if signature_def.method_name == names.CLASSIFY_METHOD_NAME:
        types = {
            names.CLASSIFY_OUTPUT_CLASSES: _messages.DT_STRING,
            names.CLASSIFY_OUTPUT_SCORES: _messages.DT_FLOAT,
        }
        return bool(outputs) and all(types.get(key) == info.dtype for key, info in outputs.items())
    return False
