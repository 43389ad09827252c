"""tf.estimator.Estimator: trains, evaluates, predicts and exports a model."""

import copy
import os

from kiln.compat import v1 as tf
from kiln.compat.v1._util.deprecation import deprecated
from kiln.compat.v1.estimator import _evaluation, _export, _input, _training_loop
from kiln.compat.v1.estimator._modes import ModeKeys
from kiln.compat.v1.estimator._settings import WarmStartSettings as WarmStartSettings
from kiln.compat.v1.estimator._settings import completed, warm_start_settings

_MAY_OVERRIDE = {
    "model_fn", "_create_and_assert_global_step", "_export_all_saved_models", "latest_checkpoint",
}  # fmt: skip


class Estimator:
    """A model as a function, with a folder for its checkpoints.

    model_fn(features, labels, mode, params, config): gives an EstimatorSpec; it may have any of
    these arguments, but has features. model_dir: where checkpoints and summaries are; that of the
    config, or a temporary folder, where it is None. params: a dict, given to the functions.
    warm_start_from: the path of a checkpoint or SavedModel, or WarmStartSettings. Each call builds
    a graph of its own. Errors: ValueError. Source: tf.estimator.Estimator.
    """

    def __init__(self, model_fn, model_dir=None, config=None, params=None, warm_start_from=None):
        _check_members(type(self))
        self._config = completed(config, model_dir)
        self._model_dir = self._config.model_dir
        self._session_config = self._config.session_config
        tf.logging.info("Using config: %s", str(vars(self._config)))
        if model_fn is None:
            raise ValueError("model_fn must be provided to Estimator.")
        _input.check_model_arguments(model_fn, params)
        self._model_fn = model_fn
        self._params = copy.deepcopy(params or {})
        self._warm_start_settings = warm_start_settings(warm_start_from)

    @property
    def model_dir(self):
        return self._model_dir

    @property
    def config(self):
        return copy.deepcopy(self._config)

    @property
    def params(self):
        return copy.deepcopy(self._params)

    @property
    def model_fn(self):
        """A function of features, labels, mode and config that calls the model function."""

        def public_model_fn(features, labels, mode, config):
            return self._call_model_fn(features, labels, mode, config)

        return public_model_fn

    def get_variable_value(self, name):
        """A variable of the last checkpoint as an array. Errors: ValueError without one."""
        self._check_trained()
        return tf.train.load_variable(self.model_dir, name)

    def get_variable_names(self):
        """The names of the variables of the last checkpoint. Errors: ValueError without one."""
        self._check_trained()
        return [name for name, _ in tf.train.list_variables(self.model_dir)]

    def _check_trained(self):
        if not tf.train.latest_checkpoint(self.model_dir):
            raise ValueError(f"Could not find trained model in model_dir: {self.model_dir}.")

    def latest_checkpoint(self):
        """The path of the last checkpoint, or None."""
        return tf.train.latest_checkpoint(self.model_dir)

    def eval_dir(self, name=None):
        """The folder of an evaluation's summaries."""
        return os.path.join(self._model_dir, f"eval_{name}" if name else "eval")

    def train(self, input_fn, hooks=None, steps=None, max_steps=None, saving_listeners=None):
        """Trains with what input_fn gives, from the last checkpoint on. Gives the estimator.

        input_fn: gives features and labels, tensors or dicts of them, or a data set; it may have
        the arguments mode, params and config. steps: how many more steps; max_steps: up to which
        step. Without either the input has to end, or a hook to stop. Ctrl-C saves a checkpoint and
        goes on as KeyboardInterrupt. Errors: ValueError, TypeError; what runs raise.
        """
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        for name, value in (("steps", steps), ("max_steps", max_steps)):
            if value is not None and value <= 0:
                raise ValueError(f"Must specify {name} > 0, given: {value}")
        if max_steps is not None and max_steps <= _load_global_step_from_checkpoint_dir(
            self._model_dir
        ):
            tf.logging.info("Skipping training since max_steps has already saved.")
            return self
        hooks = _checked_hooks(hooks)
        if steps is not None or max_steps is not None:
            hooks.append(tf.train.StopAtStepHook(steps, max_steps))
        loss = self._train_model(input_fn, hooks, _checked_listeners(saving_listeners))
        tf.logging.info("Loss for final step: %s.", loss)
        return self

    def _train_model(self, input_fn, hooks, saving_listeners):
        from kiln.compat.v1.train import _training_util

        with tf.Graph().as_default() as graph, graph.device(self._config.device_fn):
            tf.set_random_seed(self._config.tf_random_seed)
            if self._create_and_assert_global_step(graph) is not None:
                _training_util._get_or_create_global_step_read(graph)
            given = self._call_input_fn(input_fn, ModeKeys.TRAIN)
            features, labels, input_hooks = _input.features_and_labels(given)
            spec = self._call_model_fn(features, labels, ModeKeys.TRAIN, self.config)
            step = tf.train.get_global_step(graph)
            return _training_loop.train(self, spec, input_hooks, hooks, step, saving_listeners)

    def evaluate(self, input_fn, steps=None, hooks=None, checkpoint_path=None, name=None):
        """The metrics of the model function, and "loss" and "global_step", as a dict.

        steps: how many batches; all where it is None. checkpoint_path: the last one where it is
        None; without any the variables get their first values. name: names the folder of the
        summaries. Errors: ValueError; what runs raise.
        """
        hooks = _checked_hooks(hooks)
        if steps is not None:
            if steps <= 0:
                raise ValueError(f"Must specify steps > 0, given: {steps}")
            hooks.append(_evaluation.StopAfterBatches(steps))
        checkpoint_path = checkpoint_path or self._latest_for("evaluate")
        with tf.Graph().as_default():
            scaffold, update, values, hooks = _evaluation.build(
                self, input_fn, hooks, checkpoint_path
            )
            results = _evaluation.evaluate_once(
                checkpoint_path,
                master=self._config.evaluation_master,
                scaffold=scaffold,
                eval_ops=update,
                final_ops=values,
                hooks=hooks,
                config=self._session_config,
            )
            step, folder = results["global_step"], self.eval_dir(name)
            _evaluation.write_results(folder, results, step)
            if checkpoint_path:
                _evaluation.write_checkpoint_path(folder, checkpoint_path, step)
            return results

    def _latest_for(self, what):
        path = tf.train.latest_checkpoint(self._model_dir)
        if not path:
            tf.logging.info(
                f"Could not find trained model in model_dir: {self._model_dir}, running "
                f"initialization to {what}."
            )
        return path

    def predict(
        self,
        input_fn,
        predict_keys=None,
        hooks=None,
        checkpoint_path=None,
        yield_single_examples=True,
    ):
        """Yields the predictions for each example: arrays, or dicts of them.

        predict_keys: the names of those that are wanted. yield_single_examples: False for whole
        batches. Errors: ValueError; what runs raise.
        """
        hooks = _checked_hooks(hooks)
        checkpoint_path = checkpoint_path or self._latest_for("predict")
        with tf.Graph().as_default() as graph:
            tf.set_random_seed(self._config.tf_random_seed)
            self._create_and_assert_global_step(graph)
            given = self._call_input_fn(input_fn, ModeKeys.PREDICT)
            features, _, input_hooks = _input.features_and_labels(given)
            _input.check_ends(features)
            spec = self._call_model_fn(features, None, ModeKeys.PREDICT, self.config)
            self._maybe_warm_start(checkpoint_path)
            predictions = chosen(spec.predictions, predict_keys, "predict_keys")
            creator = tf.train.ChiefSessionCreator(
                checkpoint_filename_with_path=checkpoint_path,
                master=self._config.master,
                scaffold=spec.scaffold,
                config=self._session_config,
            )
            hooks = [*input_hooks, *hooks, *spec.prediction_hooks]
            with tf.train.MonitoredSession(session_creator=creator, hooks=hooks) as session:
                while not session.should_stop():
                    batch = session.run(predictions)
                    if not yield_single_examples:
                        yield batch
                    elif not isinstance(predictions, dict):
                        yield from batch
                    else:
                        for i in range(_batch_length(batch)):
                            yield {key: value[i] for key, value in batch.items()}

    def export_saved_model(
        self,
        export_dir_base,
        serving_input_receiver_fn,
        assets_extra=None,
        as_text=False,
        checkpoint_path=None,
        experimental_mode=ModeKeys.PREDICT,
    ):
        """Writes a SavedModel of a checkpoint into a folder of export_dir_base, whose name is the
        time; gives its path as bytes.

        serving_input_receiver_fn: makes what is fed, of tf.estimator.export. assets_extra: a dict
        from names below assets.extra to files that are copied. Errors: ValueError.
        """
        if not serving_input_receiver_fn:
            raise ValueError("An input_receiver_fn must be defined.")
        return self._export_all_saved_models(
            export_dir_base,
            {experimental_mode: serving_input_receiver_fn},
            assets_extra,
            as_text,
            checkpoint_path,
        )

    @deprecated(None, "This function has been renamed, use `export_saved_model` instead.")
    def export_savedmodel(
        self,
        export_dir_base,
        serving_input_receiver_fn,
        assets_extra=None,
        as_text=False,
        checkpoint_path=None,
        strip_default_attrs=False,
    ):
        """The older name of export_saved_model()."""
        if not serving_input_receiver_fn:
            raise ValueError("An input_receiver_fn must be defined.")
        return self._export_all_saved_models(
            export_dir_base,
            {ModeKeys.PREDICT: serving_input_receiver_fn},
            assets_extra,
            as_text,
            checkpoint_path,
            strip_default_attrs,
        )

    def experimental_export_all_saved_models(
        self,
        export_dir_base,
        input_receiver_fn_map,
        assets_extra=None,
        as_text=False,
        checkpoint_path=None,
    ):
        """As export_saved_model(), with a graph for each mode of the dict."""
        return self._export_all_saved_models(
            export_dir_base, input_receiver_fn_map, assets_extra, as_text, checkpoint_path
        )

    def _export_all_saved_models(
        self,
        export_dir_base,
        input_receiver_fn_map,
        assets_extra=None,
        as_text=False,
        checkpoint_path=None,
        strip_default_attrs=True,
    ):
        return _export.export(
            self,
            export_dir_base,
            input_receiver_fn_map,
            assets_extra,
            as_text,
            checkpoint_path,
            strip_default_attrs,
        )

    def _create_global_step(self, graph):
        return tf.train.create_global_step(graph)

    def _create_and_assert_global_step(self, graph):
        step = self._create_global_step(graph)
        assert step is tf.train.get_global_step()
        assert step.dtype.is_integer
        return step

    def _call_input_fn(self, input_fn, mode):
        return _input.call_input(input_fn, mode, self.params, self.config)

    def _call_model_fn(self, features, labels, mode, config):
        return _input.call_model(self._model_fn, features, labels, mode, self.params, config)

    def _maybe_warm_start(self, checkpoint_path):
        if not checkpoint_path and self._warm_start_settings:
            tf.logging.info(f"Warm-starting with WarmStartSettings: {self._warm_start_settings}")
            tf.train.warm_start(*self._warm_start_settings)


_MEMBERS = {name: value for name, value in vars(Estimator).items() if name[:2] != "__"}


def _check_members(cls):
    overridden = [
        name
        for name in vars(cls)
        if cls is not Estimator and name in _MEMBERS and name not in _MAY_OVERRIDE
    ]
    if overridden and cls.__name__ != "TPUEstimator":
        raise ValueError(
            f"Subclasses of Estimator cannot override members of Estimator. {cls} does override "
            f"{overridden}"
        )


def _checked_hooks(hooks):
    hooks = list(hooks or [])
    for hook in hooks:
        if not isinstance(hook, tf.train.SessionRunHook):
            raise TypeError(f"Hooks must be a SessionRunHook, given: {hook}")
    return hooks


def _checked_listeners(listeners):
    listeners = list(listeners or [])
    for listener in listeners:
        if not isinstance(listener, tf.train.CheckpointSaverListener):
            raise TypeError(
                f"saving_listeners must be a list of CheckpointSaverListener, given: {listener}"
            )
    return listeners


def _load_global_step_from_checkpoint_dir(checkpoint_dir):
    """The step of the last checkpoint of a folder; 0 without one."""
    try:
        reader = tf.train.NewCheckpointReader(tf.train.latest_checkpoint(checkpoint_dir))
        return reader.get_tensor(tf.GraphKeys.GLOBAL_STEP)
    except Exception:
        return 0


def chosen(predictions, keys, argument):
    """The predictions of some keys, or all. argument: what the program calls the keys.

    Errors: ValueError.
    """
    if not keys:
        return predictions
    if not isinstance(predictions, dict):
        raise ValueError(f"{argument} argument is not valid in case of non-dict predictions.")
    found = {key: value for key, value in predictions.items() if key in keys}
    if not found:
        raise ValueError(
            f"Expected to run at least one output from {predictions.keys()}, provided {keys}."
        )
    return found


def _batch_length(batch):
    length = None
    for key, value in batch.items():
        length = length or value.shape[0]
        if value.shape[0] != length:
            raise ValueError(
                f"Batch length of predictions should be same. {key} has different batch length "
                "than others."
            )
    return length
