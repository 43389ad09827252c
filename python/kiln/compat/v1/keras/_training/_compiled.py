"""What compile() makes of a model: its losses and metrics, and functions that run steps."""

import collections

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K, losses, metrics as metrics_module
from kiln.compat.v1.keras._engine import _history
from kiln.compat.v1.keras._training import _reachable
from kiln.compat.v1.keras.losses import _classes
from kiln.compat.v1.keras.losses._reductions import Reduction, reduced, squeezed, weighted


class Output:
    """One output of a model: its loss, targets and weights."""

    def __init__(self, name, tensor, loss, loss_weight):
        self.name, self.tensor, self.loss_weight = name, tensor, loss_weight
        self.loss = _as_loss(loss)
        self.target = self.sample_weight = self.sample_weight_mode = None
        self.metrics, self.loss_metric = [], None

    @property
    def is_trained(self):
        return self.loss is not None

    @property
    def is_sparse(self):
        function = getattr(self.loss, "fn", None)
        return function is losses.sparse_categorical_crossentropy

    def target_shape(self):
        """The shape that targets have to have; None where the loss may take any."""
        shape = _history.shape_of(self.tensor)
        if self.is_sparse:
            return (*shape[:-1], 1)
        function = getattr(self.loss, "fn", None)
        own = function is not None and getattr(losses, function.__name__, None) is not function
        is_own_class = type(self.loss).call is not _classes.LossFunctionWrapper.call
        return None if own or is_own_class else shape

    def make_target(self, given=None):
        if given is not None:
            self.target = given
            return
        dtype = "int64" if self.is_sparse else self.tensor.dtype.base_dtype
        rank = self.tensor.shape.ndims
        self.target = K.placeholder(ndim=rank, dtype=dtype, name=f"{self.name}_target")

    def make_sample_weight(self):
        rank = 2 if self.sample_weight_mode == "temporal" else 1
        self.sample_weight = K.placeholder(ndim=rank, name=f"{self.name}_sample_weights")

    def total(self):
        """The loss of a batch, a scalar."""
        weight = self.weight_with_mask()
        with tf.name_scope(f"{self.name}_loss"):
            if isinstance(self.loss, _classes.Loss):
                each = weighted(self.loss.call(self.target, self.tensor), weight)
                how = self.loss.reduction
                how = Reduction.SUM_OVER_BATCH_SIZE if how == Reduction.AUTO else how
                return reduced(each, how)
            return self.loss(self.target, self.tensor, sample_weight=weight)

    def weight_with_mask(self):
        mask, weight = getattr(self.tensor, "_keras_mask", None), self.sample_weight
        if mask is None:
            return weight
        mask = tf.cast(mask, self.tensor.dtype)
        if weight is None:
            return mask
        mask, _, weight = squeezed(mask, None, weight)
        return weight * mask


def _as_loss(loss):
    loss = losses.get(loss)
    if loss is None or isinstance(loss, _classes.Loss):
        return loss
    name = getattr(loss, "__name__", type(loss).__name__)
    return _classes.LossFunctionWrapper(loss, name=name)


class Compiled:
    """The losses, metrics and functions of a model. Made when the model has outputs."""

    def __init__(self, model, options):
        self.model, self.optimizer = model, options["optimizer"]
        names, tensors = model.output_names, model.outputs
        losses_ = _per_output(options["loss"], names, "loss")
        weights = _per_output(options["loss_weights"], names, "loss_weights", 1.0)
        self.outputs = [Output(*each) for each in zip(names, tensors, losses_, weights)]
        self.trained = [each for each in self.outputs if each.is_trained]
        modes = _per_output(model.sample_weight_mode, names, "sample_weight_mode")
        for output, mode in zip(self.outputs, modes):
            if mode not in (None, "temporal"):
                raise ValueError(f"Unknown sample_weight_mode: {mode}")
            output.sample_weight_mode = mode
        targets = _per_output(options["target_tensors"], names, "target_tensors")
        for output, target in zip(self.outputs, targets):
            if output.is_trained:
                output.make_target(target)
        if len(self.outputs) > 1:
            for output in self.trained:
                output.loss_metric = metrics_module.Mean(name=f"{output.name}_loss")
        self._add_metrics(options["metrics"], options["weighted_metrics"])
        self._session_options = options["session_kwargs"]
        self._has_weights = frozenset()
        self._built = {}

    def _add_metrics(self, given, with_weights):
        names = [output.name for output in self.outputs]
        for is_weighted, nested in ((False, given), (True, with_weights)):
            for output, own in zip(self.outputs, _metrics_per_output(nested, names)):
                if not output.is_trained:
                    continue
                for metric in own:
                    output.metrics.append((is_weighted, _as_metric(metric, output, is_weighted)))
        several, seen = len(self.outputs) > 1, collections.Counter()
        self.metric_objects = []
        for output in self.trained:
            for _, (name, metric) in output.metrics:
                name = f"{output.name}_{name}" if several else name
                seen[name] += 1
                if seen[name] > 1:
                    name = f"{name}_{seen[name] - 1}"
                self.metric_objects.append((name, metric))

    @property
    def metrics_names(self):
        several = [f"{each.name}_loss" for each in self.trained] if len(self.outputs) > 1 else []
        own = [name for name, _ in self.metric_objects]
        return ["loss", *several, *own, *[each.name for each in self.model._layer_metrics()]]

    def all_metrics(self):
        """The metric objects, those of layers and of the outputs' losses, too."""
        of_losses = [each.loss_metric for each in self.trained if each.loss_metric is not None]
        own = [metric for _, metric in self.metric_objects]
        return [*of_losses, *own, *self.model._layer_metrics()]

    def reset_metrics(self):
        for metric in self.all_metrics():
            metric.reset_states()

    # Functions.

    def use_weights(self, weights):
        """Prepares for weights of examples, for the outputs that have some."""
        has = frozenset(
            output.name for output, weight in zip(self.trained, weights) if weight is not None
        )
        if not has <= self._has_weights:
            self._has_weights |= has
            for output in self.trained:
                if output.name in self._has_weights and output.sample_weight is None:
                    output.make_sample_weight()
            self._built.clear()

    def fed(self):
        """The placeholders that are fed: inputs, targets, weights."""
        targets = [each.target for each in self.trained if K.is_placeholder(each.target)]
        weights = [each.sample_weight for each in self.trained if each.sample_weight is not None]
        return [*self.model._fed_inputs(), *targets, *weights]

    def _totals(self):
        """The loss and the values of metrics, made once."""
        if "totals" not in self._built:
            with tf.name_scope("loss"):
                of_outputs = [output.total() for output in self.trained]
                parts = [
                    loss if output.loss_weight == 1.0 else output.loss_weight * loss
                    for output, loss in zip(self.trained, of_outputs)
                ]
                parts += _reachable.kept(self.model.losses, self.fed())
                if not parts:
                    raise ValueError(
                        "The model cannot be compiled because it has no loss to optimize."
                    )
                total = parts[0] if len(parts) == 1 else tf.add_n(parts)
            values = []
            for output, loss in zip(self.trained, of_outputs):
                if output.loss_metric is not None:
                    values.append(output.loss_metric(loss))
            with tf.name_scope("metrics"):
                values += [value for output in self.trained for value in _values_of(output)]
            # What add_metric() was given is behind its update.
            values += [
                metric._call_result if hasattr(metric, "_call_result") else metric.result()
                for metric in self.model._layer_metrics()
            ]
            self._built["totals"] = total, values
        return self._built["totals"]

    def _metric_updates(self):
        own = [update for metric in self.all_metrics() for update in metric.updates]
        return own

    def train_function(self):
        """A function of the fed values and the learning phase that runs a step of training."""
        weights = self.model._trained_variables()
        key = "train", tuple(map(id, weights))
        if key not in self._built:
            total, values = self._totals()
            fed = self._with_phase()
            with tf.name_scope("training"):
                updates = self.optimizer.get_updates(total, weights)
            updates += _reachable.kept(self.model.updates, fed)
            updates += self._metric_updates()
            self._built[key] = K.function(
                fed, [total, *values], updates=updates, **self._session_options
            )
        return self._built[key]

    def test_function(self):
        if "test" not in self._built:
            total, values = self._totals()
            updates = [*self.model.state_updates, *self._metric_updates()]
            self._built["test"] = K.function(
                self._with_phase(), [total, *values], updates=updates, **self._session_options
            )
        return self._built["test"]

    def _with_phase(self):
        phase = K.learning_phase()
        return [*self.fed(), phase] if isinstance(phase, tf.Tensor) else self.fed()


def _values_of(output):
    """The values of an output's metrics behind their updates."""
    weight = output.weight_with_mask()
    mask = getattr(output.tensor, "_keras_mask", None)
    if mask is not None:
        mask = tf.cast(mask, output.tensor.dtype)
    for is_weighted, (_, metric) in output.metrics:
        yield metric(output.target, output.tensor, sample_weight=weight if is_weighted else mask)


def _per_output(value, names, what, default=None):
    if value is None:
        return [default] * len(names)
    if isinstance(value, dict) and not ({"class_name", "config"} <= set(value)):
        for name in value:
            if name not in names:
                raise ValueError(
                    f'Unknown entry in {what} dictionary: "{name}". Only expected the following '
                    f"keys: {names}"
                )
        return [value.get(name, default) for name in names]
    if isinstance(value, (list, tuple)):
        if len(value) != len(names):
            raise ValueError(
                f"When passing a list as {what}, it should have one entry per model output. The "
                f"model has {len(names)} outputs, but you passed {what}={value}"
            )
        return list(value)
    return [value] * len(names) if what == "loss" or len(names) == 1 else [value] * len(names)


def _metrics_per_output(nested, names):
    if not nested:
        return [[] for _ in names]
    if isinstance(nested, dict):
        own = [nested.get(name, []) for name in names]
        return [each if isinstance(each, list) else [each] for each in own]
    is_nested = any(isinstance(each, (list, tuple)) for each in nested)
    if not is_nested:
        return [list(nested) for _ in names]
    if len(nested) != len(names):
        raise ValueError(
            "When passing a list of lists as `metrics`, it should have one entry per model output. "
            f"The model has {len(names)} outputs, but you passed metrics={nested}"
        )
    return [list(each) if isinstance(each, (list, tuple)) else [each] for each in nested]


def _as_metric(metric, output, is_weighted):
    """The name that is reported, and the metric object."""
    start = "weighted_" if is_weighted else ""
    function = metric
    if metric in ("accuracy", "acc"):
        name, function = "acc", _accuracy_of(output)
    elif metric in ("crossentropy", "ce"):
        name, function = "ce", _crossentropy_of(output)
    else:
        found = metrics_module.get(metric)
        if isinstance(found, metrics_module.Metric):
            return found.name, found
        name = getattr(found, "name", None) or found.__name__
        function = found
    wrapper = metrics_module._base.MeanMetricWrapper
    return start + name, wrapper(function, name=start + name)


def _kind_of(output):
    """Whether an output tells two classes apart, or its labels are numbers of classes."""
    shape = _history.shape_of(output.tensor)
    function = getattr(output.loss, "fn", None)
    if shape[-1] == 1 or function is losses.binary_crossentropy:
        return "binary"
    if function is losses.sparse_categorical_crossentropy:
        return "sparse"
    return "categorical"


def _accuracy_of(output):
    return {
        "binary": metrics_module.binary_accuracy,
        "sparse": metrics_module.sparse_categorical_accuracy,
        "categorical": metrics_module.categorical_accuracy,
    }[_kind_of(output)]


def _crossentropy_of(output):
    return {
        "binary": losses.binary_crossentropy,
        "sparse": losses.sparse_categorical_crossentropy,
        "categorical": losses.categorical_crossentropy,
    }[_kind_of(output)]
