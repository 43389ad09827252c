"""tf.contrib.learn.Estimator: an estimator older than tf.estimator's."""

import copy
import tempfile

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat._python.util.function_utils import fn_args
from kiln.compat.v1._util.deprecation import deprecated
from kiln.compat.v1.contrib.learn import monitors as monitor_lib
from kiln.compat.v1.contrib.learn.estimators import _feeding, _running, run_config
from kiln.compat.v1.contrib.learn.estimators.metric_key import MetricKey
from kiln.compat.v1.contrib.learn.estimators.model_fn import ModeKeys, ModelFnOps
from kiln.compat.v1.contrib.learn.metric_spec import MetricSpec

_MODULE = "tensorflow.contrib.learn.python.learn.estimators.estimator"


class NotFittedError(ValueError, AttributeError):
    """An estimator without a checkpoint. Source: tf.contrib.learn.NotFittedError."""


def infer_real_valued_columns_from_input(x):
    """Columns of arrays as they are. Source: tf.contrib.learn.infer_real_valued_columns_from_input."""
    with tf.Graph().as_default():
        features, _ = _feeding.DataFeeder(x, None).input_builder()
        return tf.contrib.layers.infer_real_valued_columns(features)


def infer_real_valued_columns_from_input_fn(input_fn):
    """Columns of what an input function gives, as they are."""
    with tf.Graph().as_default():
        features, _ = input_fn()
        return tf.contrib.layers.infer_real_valued_columns(features)


def _check_input(x, y, input_fn, feed_fn, batch_size):
    if input_fn is None:
        if x is None:
            raise ValueError("Either x or input_fn must be provided.")
        if tf.is_tensor(x) or y is not None and tf.is_tensor(y):
            raise ValueError("Inputs cannot be tensors. Please provide input_fn.")
        if feed_fn is not None:
            raise ValueError("Can not provide both feed_fn and x or y.")
        return
    if x is not None or y is not None:
        raise ValueError("Can not provide both input_fn and x or y.")
    if batch_size is not None:
        raise ValueError("Can not provide both input_fn and batch_size.")


class Estimator:
    """A model as a function, with a folder for its checkpoints.

    model_fn(features, labels, mode, params, config, model_dir): gives ModelFnOps, or predictions,
    loss and what trains; it may have any of the last four arguments. config: a
    tf.contrib.learn.RunConfig. feature_engineering_fn: makes features and labels of others. Errors:
    ValueError. Source: tf.contrib.learn.Estimator.
    """

    @deprecated(
        None,
        "Please replace uses of any Estimator from tf.contrib.learn with an Estimator from "
        "tf.estimator.*",
        module=_MODULE,
    )
    def __init__(
        self, model_fn=None, model_dir=None, config=None, params=None, feature_engineering_fn=None
    ):
        if config is None:
            config = run_config.RunConfig()
            tf.logging.info("Using default config.")
        if model_dir is not None and config.model_dir is not None:
            if model_dir != config.model_dir:
                raise ValueError(
                    "model_dir are set both in constructor and RunConfig, but with different "
                    f"values. In constructor: '{model_dir}', in RunConfig: '{config.model_dir}' "
                )
        self._session_config = config.session_config or tf.ConfigProto(allow_soft_placement=True)
        self._model_dir = model_dir or config.model_dir
        if self._model_dir is None:
            self._model_dir = tempfile.mkdtemp()
            tf.logging.warning("Using temporary folder as model directory: %s", self._model_dir)
        if config.model_dir is None:
            config = config.replace(model_dir=self._model_dir)
        tf.logging.info("Using config: %s", str(vars(config)))
        self._config, self._labels_info = config, None
        if model_fn is not None:
            has_params = "params" in fn_args(model_fn)
            if params is not None and not has_params:
                raise ValueError(
                    f"Estimator's model_fn ({model_fn}) does not have a params argument, but "
                    f"params ({params}) were passed to the Estimator's constructor."
                )
            if params is None and has_params:
                tf.logging.warning(
                    "Estimator's model_fn (%s) includes params argument, but params are not "
                    "passed to Estimator.",
                    model_fn,
                )
        self._model_fn, self.params = model_fn, params
        self._feature_engineering_fn = feature_engineering_fn or (lambda x, y: (x, y))

    @property
    def config(self):
        return copy.deepcopy(self._config)

    @property
    def model_dir(self):
        return self._model_dir

    @property
    def model_fn(self):
        """A function of features, labels, mode and config that calls the model function."""
        return lambda features, labels, mode, config: self._call_model_fn(
            features, labels, mode, config=config
        )

    def fit(
        self,
        x=None,
        y=None,
        input_fn=None,
        steps=None,
        batch_size=None,
        monitors=None,
        max_steps=None,
    ):
        """Trains from the last checkpoint on; gives the estimator.

        input_fn: gives features and labels; or x and y, arrays of them. monitors: monitors or
        hooks. steps: how many more, max_steps: up to which. Errors: ValueError.
        """
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        _check_input(x, y, input_fn, None, batch_size)
        if x is not None:
            SKCompat(self).fit(x, y, batch_size, steps, max_steps, monitors)
            return self
        if max_steps is not None and max_steps <= _running.saved_step(self._model_dir):
            tf.logging.info("Skipping training since max_steps has already saved.")
            return self
        hooks = monitor_lib.replace_monitors_with_hooks(monitors, self)
        if steps is not None or max_steps is not None:
            hooks.append(tf.train.StopAtStepHook(steps, max_steps))
        loss = _running.train(self, input_fn, hooks)
        tf.logging.info("Loss for final step: %s.", loss)
        return self

    def partial_fit(
        self, x=None, y=None, input_fn=None, steps=1, batch_size=None, monitors=None
    ):
        """As fit(), for a step."""
        tf.logging.warning(
            "The current implementation of partial_fit is not optimized for use in a loop. "
            "Consider using fit() instead."
        )
        return self.fit(
            x=x, y=y, input_fn=input_fn, steps=steps, batch_size=batch_size, monitors=monitors
        )

    def evaluate(
        self,
        x=None,
        y=None,
        input_fn=None,
        feed_fn=None,
        batch_size=None,
        steps=None,
        metrics=None,
        name=None,
        checkpoint_path=None,
        hooks=None,
        log_progress=True,
    ):
        """The metrics and the step as a dict. metrics: a dict from names to MetricSpecs, beside
        those of the model. Errors: ValueError; NotFittedError without a checkpoint.
        """
        _check_input(x, y, input_fn, feed_fn, batch_size)
        if x is not None:
            return SKCompat(self).score(x, y, batch_size, steps, metrics, name)
        if metrics is not None and not isinstance(metrics, dict):
            raise ValueError(f"Metrics argument should be None or dict. Got {metrics}.")
        return self._evaluate_model(
            input_fn, steps, feed_fn, metrics, name, checkpoint_path, hooks, log_progress
        )

    def _evaluate_model(
        self,
        input_fn,
        steps=None,
        feed_fn=None,
        metrics=None,
        name="",
        checkpoint_path=None,
        hooks=None,
        log_progress=True,
    ):
        path = checkpoint_path or self._checkpoint()
        return _running.evaluate(
            self, input_fn, steps, feed_fn, metrics, name, path, hooks, log_progress
        )

    def _checkpoint(self):
        path = tf.train.latest_checkpoint(self._model_dir)
        if not path:
            raise NotFittedError(f"Couldn't find trained model at {self._model_dir}.")
        return path

    def predict(
        self,
        x=None,
        input_fn=None,
        batch_size=None,
        outputs=None,
        as_iterable=True,
        iterate_batches=False,
    ):
        """Yields the predictions of each example; of a batch as_iterable=False or iterate_batches.

        outputs: the names of those that are wanted. Errors: ValueError, NotFittedError.
        """
        _check_input(x, None, input_fn, None, batch_size)
        if x is not None and not as_iterable:
            return SKCompat(self).predict(x, batch_size)
        feed_fn = None
        if x is not None:
            input_fn, feed_fn = _feeding.input_and_feed(x, None, batch_size, False, 1)
        return self._infer_model(input_fn, feed_fn, outputs, as_iterable, iterate_batches)

    def _infer_model(
        self, input_fn, feed_fn=None, outputs=None, as_iterable=True, iterate_batches=False
    ):
        found = _running.predictions(self, input_fn, feed_fn, outputs, self._checkpoint())
        if not as_iterable:
            return next(found)
        return found if iterate_batches else _running.by_example(found)

    def get_variable_value(self, name):
        """A variable of the last checkpoint as an array."""
        return tf.train.load_variable(self.model_dir, name)

    def get_variable_names(self):
        """The names of the variables of the last checkpoint."""
        return [name for name, _ in tf.train.list_variables(self.model_dir)]

    def export_savedmodel(
        self,
        export_dir_base,
        serving_input_fn,
        default_output_alternative_key=None,
        assets_extra=None,
        as_text=False,
        checkpoint_path=None,
        graph_rewrite_specs=None,
        strip_default_attrs=False,
    ):
        """Writes a SavedModel into a folder of export_dir_base; gives its path.

        serving_input_fn: gives InputFnOps, or what tf.estimator.export makes. Errors: ValueError;
        NotFittedError without a checkpoint. Difference: graphs are not rewritten.
        """
        if serving_input_fn is None:
            raise ValueError("serving_input_fn must be defined.")
        if graph_rewrite_specs is not None and len(graph_rewrite_specs) > 1:
            raise ValueError("Kiln does not rewrite graphs: graph_rewrite_specs has one element")
        path = checkpoint_path or self._checkpoint()

        def receiver():
            given = serving_input_fn()
            if hasattr(given, "receiver_tensors"):
                return given
            features, _, inputs = given
            return tf.estimator.export.ServingInputReceiver(features, inputs)

        def model_fn(features, labels, mode):
            made = self._call_model_fn(features, None, ModeKeys.INFER)
            return made.estimator_spec(default_output_alternative_key)

        exporter = tf.estimator.Estimator(model_fn, model_dir=self._model_dir)
        return exporter.export_savedmodel(
            export_dir_base, receiver, assets_extra, as_text, path, strip_default_attrs
        )

    def _call_model_fn(self, features, labels, mode, metrics=None, config=None):
        """The ModelFnOps of the model function. Errors: ValueError for anything else."""
        features, labels = self._feature_engineering_fn(features, labels)
        names, given = fn_args(self._model_fn), {}
        for name, value in (
            ("mode", mode),
            ("params", self.params),
            ("config", config or self.config),
            ("model_dir", self.model_dir),
        ):
            if name in names:
                given[name] = value
        made = self._model_fn(features, labels, **given)
        if not isinstance(made, ModelFnOps):
            if len(made) != 3:
                raise ValueError(
                    "Unrecognized value returned by model_fn, please return ModelFnOps."
                )
            made = ModelFnOps(mode=mode, predictions=made[0], loss=made[1], train_op=made[2])
        if metrics:
            made.eval_metric_ops.update(_metrics(metrics, features, labels, made.predictions))
        return made

    def _get_train_ops(self, features, labels):
        return self._call_model_fn(features, labels, ModeKeys.TRAIN)

    def _get_eval_ops(self, features, labels, metrics):
        made = self._call_model_fn(features, labels, ModeKeys.EVAL, metrics)
        if MetricKey.LOSS not in made.eval_metric_ops:
            made.eval_metric_ops[MetricKey.LOSS] = tf.metrics.mean(made.loss)
        return made

    def _get_predict_ops(self, features):
        labels = _running.placeholders(self._labels_info)
        return self._call_model_fn(features, labels, ModeKeys.INFER)


BaseEstimator = Estimator


def _metrics(metrics, features, labels, predictions):
    """What metrics give: MetricSpecs, or functions of predictions and labels."""
    label = labels
    if isinstance(labels, dict) and len(labels) == 1:
        (label,) = labels.values()
    made = {}
    for name, metric in sorted(metrics.items(), key=lambda item: str(item[0])):
        if isinstance(metric, MetricSpec):
            made[name] = metric.create_metric_ops(features, labels, predictions)
        elif isinstance(name, tuple):
            chosen = labels[name[1]] if isinstance(labels, dict) and name[1] in labels else label
            made[name[0]] = metric(predictions[name[1]], chosen)
        elif isinstance(predictions, dict):
            raise ValueError(
                "Metrics passed provide only name, no prediction, but predictions are dict. "
                f"Metrics: {metrics}, Labels: {label}."
            )
        else:
            made[name] = metric(predictions, label)
    return made


class SKCompat:
    """An estimator of arrays, as scikit-learn has them. Source: tf.contrib.learn.SKCompat."""

    @deprecated(None, "Please switch to the Estimator interface.", module=_MODULE)
    def __init__(self, estimator):
        self._estimator = estimator

    def fit(self, x, y, batch_size=128, steps=None, max_steps=None, monitors=None):
        """Trains with arrays; gives the object."""
        input_fn, feed_fn = _feeding.input_and_feed(x, y, batch_size, True, None)
        hooks = [_feeding.FeedHook(feed_fn), *(monitors or [])]
        self._estimator.fit(input_fn=input_fn, steps=steps, max_steps=max_steps, monitors=hooks)
        return self

    def score(self, x, y, batch_size=128, steps=None, metrics=None, name=None):
        """The metrics of arrays as a dict. Errors: ValueError."""
        if metrics is not None and not isinstance(metrics, dict):
            raise ValueError(f"Metrics argument should be None or dict. Got {metrics}.")
        input_fn, feed_fn = _feeding.input_and_feed(x, y, batch_size, False, 1)
        return self._estimator._evaluate_model(
            input_fn=input_fn, feed_fn=feed_fn, steps=steps, metrics=metrics, name=name
        )

    def predict(self, x, batch_size=128, outputs=None):
        """The predictions of arrays: an array, or a dict of them."""
        input_fn, feed_fn = _feeding.input_and_feed(x, None, batch_size, False, 1)
        results = list(self._estimator._infer_model(input_fn, feed_fn, outputs, True, True))
        if not isinstance(results[0], dict):
            return np.concatenate(results, axis=0)
        return {key: np.concatenate([each[key] for each in results]) for key in results[0]}
