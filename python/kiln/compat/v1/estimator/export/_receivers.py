"""What an exported model is fed: placeholders, and the features that it makes of them."""

import collections

from kiln.compat import v1 as tf

__all__ = [
    "ServingInputReceiver",
    "TensorServingInputReceiver",
    "build_parsing_serving_input_receiver_fn",
    "build_raw_serving_input_receiver_fn",
]

_DEFAULT_NAMES = {"feature": "feature", "label": "label", "receiver_tensor": "input"}


def _named_tensors(tensors, field, ints_are_keys=False):
    """Tensors as a dict. Errors: ValueError."""
    if tensors is None:
        raise ValueError(f"{field}s must be defined.")
    if not isinstance(tensors, dict):
        tensors = {_DEFAULT_NAMES.get(field, "input"): tensors}
    for name, tensor in tensors.items():
        if not isinstance(name, str) and not (ints_are_keys and isinstance(name, int)):
            kinds = "strings or ints" if ints_are_keys else "strings"
            raise ValueError(f"{field} keys must be {kinds}: {name}.")
        _check_tensor(tensor, name, field)
    return tensors


def _check_tensor(tensor, name, field="feature"):
    if not isinstance(tensor, (tf.Tensor, tf.SparseTensor)):
        name = f" {name}" if name else ""
        raise ValueError(f"{field}{name} must be a Tensor or SparseTensor.")


class ServingInputReceiver(
    collections.namedtuple(
        "ServingInputReceiver", ["features", "receiver_tensors", "receiver_tensors_alternatives"]
    )
):
    """The features of a model, and the placeholders that they are made of.

    features, receiver_tensors: a dict of tensors, or one tensor.
    receiver_tensors_alternatives: a dict of dicts of other tensors that may be fed. Errors:
    ValueError. Source: tf.estimator.export.ServingInputReceiver.
    """

    def __new__(cls, features, receiver_tensors, receiver_tensors_alternatives=None):
        features = _named_tensors(features, "feature", ints_are_keys=True)
        receiver_tensors = _named_tensors(receiver_tensors, "receiver_tensor")
        alternatives = receiver_tensors_alternatives
        if alternatives is not None:
            if not isinstance(alternatives, dict):
                raise ValueError(f"receiver_tensors_alternatives must be a dict: {alternatives}.")
            for name, tensors in alternatives.items():
                alternatives[name] = _named_tensors(tensors, "receiver_tensors_alternative")
        return super().__new__(cls, features, receiver_tensors, alternatives)


class TensorServingInputReceiver(
    collections.namedtuple(
        "TensorServingInputReceiver",
        ["features", "receiver_tensors", "receiver_tensors_alternatives"],
    )
):
    """As ServingInputReceiver, for a model function whose features are one tensor.

    Source: tf.estimator.export.TensorServingInputReceiver.
    """

    def __new__(cls, features, receiver_tensors, receiver_tensors_alternatives=None):
        if features is None:
            raise ValueError("features must be defined.")
        _check_tensor(features, None)
        receiver = ServingInputReceiver(features, receiver_tensors, receiver_tensors_alternatives)
        return super().__new__(cls, receiver.features["feature"], *receiver[1:])


class SupervisedInputReceiver(
    collections.namedtuple("SupervisedInputReceiver", ["features", "labels", "receiver_tensors"])
):
    """The features and labels of a model that is exported for training or evaluation."""

    def __new__(cls, features, labels, receiver_tensors):
        for field, tensors in (("feature", features), ("label", labels)):
            _named_tensors(tensors, field, ints_are_keys=True)
        tensors = _named_tensors(receiver_tensors, "receiver_tensor")
        return super().__new__(cls, features, labels, tensors)


def build_parsing_serving_input_receiver_fn(feature_spec, default_batch_size=None):
    """A function that makes a receiver of serialized tf.train.Examples.

    feature_spec: as of tf.parse_example(). default_batch_size: None for any. Source:
    tf.estimator.export.build_parsing_serving_input_receiver_fn.
    """

    def serving_input_receiver_fn():
        examples = tf.placeholder(
            tf.string, shape=[default_batch_size], name="input_example_tensor"
        )
        features = tf.parse_example(examples, feature_spec)
        return ServingInputReceiver(features, {"examples": examples})

    return serving_input_receiver_fn


def _placeholder_like(tensor, batch_size):
    shape = tf.TensorShape([batch_size]).concatenate(tensor.get_shape()[1:])
    return tf.placeholder(tensor.dtype, shape=shape, name=tensor.op.name)


def _placeholders_like(tensors, batch_size):
    return {name: _placeholder_like(tensor, batch_size) for name, tensor in tensors.items()}


def build_raw_serving_input_receiver_fn(features, default_batch_size=None):
    """A function that makes a receiver of the features themselves.

    features: a dict of tensors, which say the types and the shapes, but for the size of the batch.
    Source: tf.estimator.export.build_raw_serving_input_receiver_fn.
    """

    def serving_input_receiver_fn():
        tensors = _placeholders_like(features, default_batch_size)
        return ServingInputReceiver(tensors, tensors)

    return serving_input_receiver_fn


def build_raw_supervised_input_receiver_fn(features, labels, default_batch_size=None):
    """A function that makes a receiver of features and labels.

    Errors: ValueError where they have names in common. Source:
    tf.estimator.experimental.build_raw_supervised_input_receiver_fn.
    """

    def named(tensors, default):
        return tensors if isinstance(tensors, dict) else {default: tensors}

    both = set(named(features, "input")) & set(named(labels, "label"))
    if both:
        raise ValueError(
            f"Features and labels must have distinct keys. Found overlapping keys: {both}"
        )

    def supervised_input_receiver_fn():
        made = []
        for tensors, default in ((features, "input"), (labels, "label")):
            made.append(_placeholders_like(named(tensors, default), default_batch_size))
        own = [
            each if isinstance(given, dict) else next(iter(each.values()))
            for given, each in zip((features, labels), made)
        ]
        return SupervisedInputReceiver(*own, {**made[0], **made[1]})

    return supervised_input_receiver_fn
