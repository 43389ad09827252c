"""tf.contrib.learn.Experiment: an estimator with what it is trained and evaluated on."""

import contextlib
import os
import time

from kiln.compat import v1 as tf
from kiln.compat._python.util.function_utils import fn_args
from kiln.compat.v1._util.deprecation import deprecated
from kiln.compat.v1.contrib.learn import monitors
from kiln.compat.v1.contrib.learn.export_strategy import ExportStrategy

__all__ = ["Experiment"]


class _EvalAndExportListener(tf.train.CheckpointSaverListener):
    """Evaluates and exports each checkpoint."""

    def __init__(self, eval_fn, export_fn, model_dir):
        self._eval_fn, self._export_fn, self._model_dir = eval_fn, export_fn, model_dir
        self._latest_path = self.eval_result = self.export_results = None

    def after_save(self, session, global_step_value):
        path = tf.train.latest_checkpoint(self._model_dir)
        if not path or path == self._latest_path:
            return
        self._latest_path = path
        self.eval_result = self._eval_fn(name="intermediate_export", checkpoint_path=path)
        self.export_results = self._export_fn(self.eval_result, checkpoint_path=path)


class Experiment:
    """Trains and evaluates an estimator, of tf.estimator or tf.contrib.learn.

    train_steps: up to which step; eval_steps: how many batches. min_eval_frequency: how many steps
    are between two evaluations at least. export_strategies: one ExportStrategy or several. Errors:
    ValueError. Source: tf.contrib.learn.Experiment. Difference: there are no servers.
    """

    @deprecated(
        None,
        "Please switch to tf.estimator.train_and_evaluate. You will also have to convert to a "
        "tf.estimator.Estimator.",
        module="tensorflow.contrib.learn.python.learn.experiment",
    )
    def __init__(
        self,
        estimator,
        train_input_fn,
        eval_input_fn,
        eval_metrics=None,
        train_steps=None,
        eval_steps=100,
        train_monitors=None,
        eval_hooks=None,
        local_eval_frequency=None,
        eval_delay_secs=120,
        continuous_eval_throttle_secs=60,
        min_eval_frequency=None,
        delay_workers_by_global_step=False,
        export_strategies=None,
        train_steps_per_iteration=None,
        checkpoint_and_export=False,
        saving_listeners=None,
        check_interval_secs=5,
    ):
        self._is_core = isinstance(estimator, tf.estimator.Estimator)
        if self._is_core and eval_metrics is not None:
            raise ValueError(
                "`eval_metrics` must be `None` with `tf.estimator.Estimator`. Use "
                "`eval_metric_ops` in `tf.estimator.EstimatorSpec` instead."
            )
        if not self._is_core and not (hasattr(estimator, "evaluate") and hasattr(estimator, "fit")):
            raise ValueError(
                "`estimator` must implement `tf.contrib.learn.Evaluable` or "
                "`tf.estimator.Estimator`."
            )
        if not self._is_core and saving_listeners is not None:
            raise ValueError(
                "`saving_listeners` must be `None` with `tf.contrib.learn.Estimator`."
            )
        if train_steps_per_iteration is not None and not isinstance(train_steps_per_iteration, int):
            raise ValueError("`train_steps_per_iteration` must be an integer.")
        self._estimator, self._eval_metrics = estimator, eval_metrics
        self._train_input_fn, self._eval_input_fn = train_input_fn, eval_input_fn
        self._train_steps, self._eval_steps = train_steps, eval_steps
        self._local_eval_frequency, self._eval_delay_secs = local_eval_frequency, eval_delay_secs
        self._throttle_secs = continuous_eval_throttle_secs
        self._checkpoint_and_export = checkpoint_and_export
        self._saving_listeners, self._check_interval_secs = saving_listeners, check_interval_secs
        self._min_eval_frequency = 1 if min_eval_frequency is None else min_eval_frequency
        self._train_monitors, self._eval_hooks = list(train_monitors or []), list(eval_hooks or [])
        self._train_steps_per_iteration = train_steps_per_iteration
        self.reset_export_strategies(export_strategies)

    estimator = property(lambda self: self._estimator)
    eval_metrics = property(lambda self: self._eval_metrics)
    train_steps = property(lambda self: self._train_steps)
    eval_steps = property(lambda self: self._eval_steps)

    def reset_export_strategies(self, new_export_strategies=None):
        """Sets the strategies; gives those before. Errors: ValueError."""
        before = getattr(self, "_export_strategies", ())
        given = new_export_strategies or []
        given = [given] if isinstance(given, ExportStrategy) else list(given)
        for each in given:
            if not isinstance(each, ExportStrategy):
                raise ValueError(
                    "`export_strategies` must be an ExportStrategy, an iterable of ExportStrategy, "
                    f"or `None`, found {each}."
                )
        self._export_strategies = tuple(given)
        return before

    def extend_train_hooks(self, additional_hooks):
        """Adds hooks of the training."""
        self._train_monitors.extend(additional_hooks)

    def train(self, delay_secs=None):
        """Trains; gives the estimator."""
        if delay_secs:
            tf.logging.info("Waiting %d secs before starting training.", delay_secs)
            time.sleep(delay_secs)
        return self._call_train(
            max_steps=self._train_steps,
            hooks=self._train_monitors,
        )

    def evaluate(self, delay_secs=None, name=None):
        """Evaluates the last checkpoint, after a wait; gives the metrics."""
        delay_secs = self._eval_delay_secs if delay_secs is None else delay_secs
        if delay_secs:
            tf.logging.info("Waiting %d secs before starting eval.", delay_secs)
            time.sleep(delay_secs)
        return self._call_evaluate(name=name or "one_pass")

    def local_run(self):
        """train_and_evaluate() with the frequency local_eval_frequency."""
        with self._kept("_min_eval_frequency"):
            self._min_eval_frequency = self._local_eval_frequency
            return self.train_and_evaluate()

    def continuous_eval(
        self,
        delay_secs=None,
        throttle_delay_secs=None,
        evaluate_checkpoint_only_once=True,
        continuous_eval_predicate_fn=None,
        name="continuous",
    ):
        """Evaluates checkpoints as they come, until the last step or the predicate is false."""
        self._continuous_eval(
            self._eval_input_fn, name, delay_secs, throttle_delay_secs,
            evaluate_checkpoint_only_once, continuous_eval_predicate_fn,
        )  # fmt: skip

    def continuous_eval_on_train_data(
        self,
        delay_secs=None,
        throttle_delay_secs=None,
        continuous_eval_predicate_fn=None,
        name="continuous_on_train_data",
    ):
        """As continuous_eval(), of what the model is trained on; nothing is exported."""
        self._continuous_eval(
            self._train_input_fn, name, delay_secs, throttle_delay_secs, True,
            continuous_eval_predicate_fn, exports=False,
        )  # fmt: skip

    def _continuous_eval(
        self, input_fn, name, delay_secs, throttle_delay_secs, only_once, predicate, exports=True
    ):
        _check_predicate(predicate)
        throttle = self._throttle_secs if throttle_delay_secs is None else throttle_delay_secs
        time.sleep(self._eval_delay_secs if delay_secs is None else delay_secs)
        result, before = None, None
        while predicate is None or _holds(predicate, result, before):
            if self._has_ended(result):
                return
            start, path = time.time(), tf.train.latest_checkpoint(self._estimator.model_dir)
            result = {}
            if path and not (only_once and path == before):
                result = (
                    self._call_evaluate(name=name, checkpoint_path=path, input_fn=input_fn) or {}
                )
                if exports:
                    self._maybe_export(result, checkpoint_path=path)
                before = path
            time.sleep(max(0, throttle - (time.time() - start)))

    def _has_ended(self, result):
        step = (result or {}).get(tf.GraphKeys.GLOBAL_STEP)
        return bool(step and self._train_steps and step >= self._train_steps)

    def train_and_evaluate(self):
        """Trains with evaluations between; gives the last metrics and what was exported."""
        listener = None
        with self._kept("_train_monitors"):
            config = self._estimator.config
            saves = config.save_checkpoints_secs or config.save_checkpoints_steps
            if self._checkpoint_and_export and saves:
                listener = _EvalAndExportListener(
                    self._call_evaluate, self._maybe_export, self._estimator.model_dir
                )
                added = tf.train.CheckpointSaverHook(
                    checkpoint_dir=self._estimator.model_dir,
                    save_secs=config.save_checkpoints_secs,
                    save_steps=config.save_checkpoints_steps,
                    listeners=[listener],
                )
                self._train_monitors = [*self._train_monitors, added]
            elif self._min_eval_frequency:
                added = monitors.ValidationMonitor(
                    input_fn=self._eval_input_fn,
                    eval_steps=self._eval_steps,
                    metrics=self._eval_metrics,
                    every_n_steps=self._min_eval_frequency,
                    check_interval_secs=self._check_interval_secs,
                    hooks=self._eval_hooks,
                )
                self._train_monitors = [*self._train_monitors, added]
            self.train(delay_secs=0)
        if listener is not None:
            return listener.eval_result, listener.export_results
        result = self._call_evaluate()
        return result, self._maybe_export(result)

    def continuous_train_and_eval(self, continuous_eval_predicate_fn=None):
        """Trains and evaluates in turn; gives the last metrics and what was exported."""
        predicate = continuous_eval_predicate_fn
        _check_predicate(predicate)
        steps = self._train_steps_per_iteration
        if steps is None:
            steps = 1000 if self._train_steps is None else int(self._train_steps / 10)
        result = exported = path = None
        while predicate is None or _holds(predicate, result, path if result else None):
            if self._has_ended(result):
                break
            self._call_train(steps=steps, hooks=self._train_monitors)
            path = tf.train.latest_checkpoint(self._estimator.model_dir)
            result = self._call_evaluate(name="one_pass", checkpoint_path=path)
            exported = self._maybe_export(result)
        return result, exported

    def test(self):
        """Trains and evaluates a step; gives the metrics."""
        self._call_train(steps=1, hooks=self._train_monitors)
        result = self._call_evaluate(steps=1, name="one_pass", hooks=None)
        self._maybe_export(result)
        return result

    def _maybe_export(self, eval_result, checkpoint_path=None):
        base = os.path.join(self._estimator.model_dir, "export")
        return [
            strategy.export(
                self._estimator,
                tf.compat.as_bytes(os.path.join(base, strategy.name)),
                checkpoint_path=checkpoint_path,
                eval_result=eval_result,
            )
            for strategy in self._export_strategies
        ]

    def _call_train(self, steps=None, max_steps=None, hooks=None):
        hooks = monitors.replace_monitors_with_hooks(hooks, self._estimator)
        given = dict(input_fn=self._train_input_fn, steps=steps, max_steps=max_steps)
        if self._is_core:
            return self._estimator.train(
                **given, hooks=hooks, saving_listeners=self._saving_listeners
            )
        return self._estimator.fit(**given, monitors=hooks)

    def _call_evaluate(self, name=None, checkpoint_path=None, **changed):
        given = dict(
            input_fn=self._eval_input_fn,
            steps=self._eval_steps,
            hooks=self._eval_hooks,
            name=name,
            checkpoint_path=checkpoint_path,
        )
        if not self._is_core:
            given["metrics"] = self._eval_metrics
        return self._estimator.evaluate(**{**given, **changed})

    @contextlib.contextmanager
    def _kept(self, name):
        before = getattr(self, name)
        try:
            yield
        finally:
            setattr(self, name, before)


def _check_predicate(predicate):
    if predicate is not None and not callable(predicate):
        raise ValueError("`continuous_eval_predicate_fn` must be a callable, or None.")


def _holds(predicate, result, path):
    if "checkpoint_path" in fn_args(predicate):
        return predicate(result, checkpoint_path=path)
    return predicate(result)
