"""tf.contrib.learn.MetricSpec: a metric, and which predictions and labels it takes."""

import functools
import inspect

from kiln.compat import v1 as tf
from kiln.compat.v1._util.deprecation import deprecated

_LABELS = {"labels", "label", "targets", "target"}
_PREDICTIONS = {"predictions", "prediction", "logits", "logit"}
_WEIGHTS = {"weights", "weight"}


def _name_of(function):
    if hasattr(function, "__name__"):
        return function.__name__
    return getattr(getattr(function, "func", None), "__name__", str(function))


def _arguments(function):
    if isinstance(function, functools.partial):
        return tuple(each for each in _arguments(function.func) if each not in function.keywords)
    return tuple(inspect.signature(function).parameters)


def _match(name, arguments, candidates, canonical, is_required=False):
    """Which of the candidates is an argument, or None. Errors: ValueError for several."""
    found = candidates.intersection(arguments)
    if len(found) > 1:
        raise ValueError(
            f"Ambiguous arguments {found}, must provide only one of {candidates}."
        )
    if not found:
        if is_required:
            raise ValueError(f"{candidates} missing from {name}({arguments}).")
        return None
    (match,) = found
    if match != canonical:
        tf.logging.warning(
            "Canonical arg %s missing from %s(%s), using %s.", canonical, name, arguments, match
        )
    return match


def _adapted(function, name, needs_labels, needs_weights):
    """A function of labels, predictions and weights by these names."""
    arguments = _arguments(function)
    labels_name = _match(name, arguments, _LABELS, "labels", needs_labels)
    predictions_name = _match(name, arguments, _PREDICTIONS, "predictions")
    weights_name = _match(name, arguments, _WEIGHTS, "weights", needs_weights)

    def metric(_sentinel=None, labels=None, predictions=None, weights=None):
        if _sentinel is not None:
            raise ValueError(
                "`metric_fn` requires named args: `labels`, `predictions`, and optionally "
                "`weights`."
            )
        positional, named = [], {}
        if labels_name and not predictions_name and labels_name == arguments[0]:
            positional = [labels, predictions]
        else:
            if labels_name:
                named[labels_name] = labels
            if predictions_name:
                named[predictions_name] = predictions
            else:
                positional = [predictions]
        if weights is not None:
            named[weights_name] = weights
        return function(*positional, **named)

    return metric


def _chosen(name, values, key):
    """The tensor with a key, or the only one. Errors: ValueError, KeyError."""
    if key:
        if not isinstance(values, dict):
            raise ValueError(
                f"MetricSpec with {name}_key specified requires {name}s dict, got {values}.\nYou "
                f"must not provide a {name}_key if you only have a single Tensor as {name}s."
            )
        if key not in values:
            raise KeyError(f"Key '{key}' missing from {values.keys()}.")
        return values[key]
    if not isinstance(values, dict):
        return values
    if len(values) != 1:
        raise ValueError(
            f"MetricSpec without specified {name}_key requires {name}s tensor or single element "
            f"dict, got {values}"
        )
    return next(iter(values.values()))


class MetricSpec:
    """A metric function and the keys of what it takes.

    metric_fn: a function of predictions, labels and perhaps weights. Errors: ValueError. Source:
    tf.contrib.learn.MetricSpec.
    """

    @deprecated(
        None,
        "Use tf.estimator.EstimatorSpec.eval_metric_ops.",
        module="tensorflow.contrib.learn.python.learn.metric_spec",
    )
    def __init__(self, metric_fn, prediction_key=None, label_key=None, weight_key=None):
        self._name = _name_of(metric_fn)
        self._metric_fn = _adapted(
            metric_fn, self._name, label_key is not None, weight_key is not None
        )
        self._prediction_key, self._label_key = prediction_key, label_key
        self._weight_key = weight_key

    prediction_key = property(lambda self: self._prediction_key)
    label_key = property(lambda self: self._label_key)
    weight_key = property(lambda self: self._weight_key)
    metric_fn = property(lambda self: self._metric_fn)

    def __str__(self):
        return (
            f"MetricSpec(metric_fn={self._name}, prediction_key={self.prediction_key}, "
            f"label_key={self.label_key}, weight_key={self.weight_key})"
        )

    def create_metric_ops(self, inputs, labels, predictions):
        """What the function gives. inputs: the features, of which one has the weights."""
        prediction = _chosen("prediction", predictions, self.prediction_key)
        label = _chosen("label", labels, self.label_key)
        weights = inputs[self.weight_key] if self.weight_key else None
        try:
            return self.metric_fn(labels=label, predictions=prediction, weights=weights)
        except Exception as error:
            tf.logging.error(f"Could not create metric ops for {self}, {error}.")
            raise
