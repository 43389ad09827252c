"""tf.contrib.learn.monitors: what looks at a training, older than hooks."""

import copy
import time

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.learn._monitors import BaseMonitor, EveryN, output_of

NanLossDuringTrainingError = tf.train.NanLossDuringTrainingError


class StopAtStep(BaseMonitor):
    """Stops after so many steps, or at one. Source: tf.contrib.learn.monitors.StopAtStep."""

    def __init__(self, num_steps=None, last_step=None):
        super().__init__()
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._num_steps, self._last_step = num_steps, last_step

    @property
    def run_on_all_workers(self):
        return True

    def step_begin(self, step):
        super().step_begin(step)
        if self._last_step is None:
            self._last_step = step + self._num_steps - 1
        return []

    def step_end(self, step, output):
        super().step_end(step, output)
        return step >= self._last_step


class PrintTensor(EveryN):
    """Logs tensors. tensor_names: a list, or a dict from what is shown to names.

    Source: tf.contrib.learn.monitors.PrintTensor.
    """

    def __init__(self, tensor_names, every_n=100, first_n=1):
        super().__init__(every_n, first_n)
        if not isinstance(tensor_names, dict):
            tensor_names = {name: name for name in tensor_names}
        self._tensor_names = tensor_names

    def every_n_step_begin(self, step):
        super().every_n_step_begin(step)
        return list(self._tensor_names.values())

    def every_n_step_end(self, step, outputs):
        super().every_n_step_end(step, outputs)
        shown = [
            f"{tag} = {output_of(outputs, name)}"
            for tag, name in self._tensor_names.items()
            if name in outputs
        ]
        tf.logging.info("Step %d: %s", step, ", ".join(shown))


class CaptureVariable(EveryN):
    """Keeps the values of a variable, by steps. Source: tf.contrib.learn.monitors.CaptureVariable."""

    def __init__(self, var_name, every_n=100, first_n=1):
        super().__init__(every_n, first_n)
        self._var_name, self._var_values = var_name, {}

    @property
    def values(self):
        return self._var_values

    def every_n_step_begin(self, step):
        super().every_n_step_begin(step)
        return [self._var_name]

    def every_n_step_end(self, step, outputs):
        super().every_n_step_end(step, outputs)
        self._var_values[step] = output_of(outputs, self._var_name)


class SummarySaver(EveryN):
    """Writes summaries. Source: tf.contrib.learn.monitors.SummarySaver."""

    def __init__(
        self, summary_op, save_steps=100, output_dir=None, summary_writer=None, scaffold=None
    ):
        super().__init__(every_n_steps=save_steps)
        self._summary_op, self._scaffold = summary_op, scaffold
        if summary_writer is None and output_dir:
            summary_writer = tf.summary.FileWriter(output_dir)
        self._summary_writer = summary_writer

    def set_estimator(self, estimator):
        super().set_estimator(estimator)
        if self._summary_writer is None:
            self._summary_writer = tf.summary.FileWriter(estimator.model_dir)

    def every_n_step_begin(self, step):
        super().every_n_step_begin(step)
        if self._summary_op is None and self._scaffold is not None:
            self._summary_op = self._scaffold.summary_op
        return [] if self._summary_op is None else [self._summary_op]

    def every_n_step_end(self, step, outputs):
        super().every_n_step_end(step, outputs)
        if self._summary_op is not None and self._summary_writer:
            self._summary_writer.add_summary(output_of(outputs, self._summary_op), step)
        return False

    def end(self, session=None):
        super().end(session=session)
        if self._summary_writer:
            self._summary_writer.flush()


class ValidationMonitor(EveryN):
    """Evaluates each new checkpoint, and may stop the training when it gets no better.

    x, y, input_fn, batch_size, metrics, hooks, name: of the evaluation. early_stopping_rounds: how
    many steps early_stopping_metric may get no better. Errors: ValueError. Source:
    tf.contrib.learn.monitors.ValidationMonitor.
    """

    def __init__(
        self,
        x=None,
        y=None,
        input_fn=None,
        batch_size=None,
        eval_steps=None,
        every_n_steps=100,
        metrics=None,
        hooks=None,
        early_stopping_rounds=None,
        early_stopping_metric="loss",
        early_stopping_metric_minimize=True,
        name=None,
        check_interval_secs=5,
    ):
        super().__init__(every_n_steps=every_n_steps, first_n_steps=-1)
        if x is None and input_fn is None:
            raise ValueError("Either x or input_fn should be provided.")
        self.x, self.y, self.input_fn, self.batch_size = x, y, input_fn, batch_size
        self.eval_steps, self.metrics, self.hooks, self.name = eval_steps, metrics, hooks, name
        self.early_stopping_rounds = early_stopping_rounds
        self.early_stopping_metric = early_stopping_metric
        self.early_stopping_metric_minimize = early_stopping_metric_minimize
        self._best_value_step = self._best_value = self._best_metrics = None
        self._early_stopped = False
        self._latest_path = self._last_check = None
        self._check_interval_secs = check_interval_secs

    early_stopped = property(lambda self: self._early_stopped)
    best_step = property(lambda self: self._best_value_step)
    best_value = property(lambda self: self._best_value)
    best_metrics = property(lambda self: self._best_metrics)

    def _evaluate_estimator(self):
        given = dict(input_fn=self.input_fn, steps=self.eval_steps, hooks=self.hooks, name=self.name)
        own = dict(x=self.x, y=self.y, batch_size=self.batch_size, metrics=self.metrics)
        if not isinstance(self._estimator, tf.estimator.Estimator):
            return self._estimator.evaluate(**given, **own)
        if any(value is not None for value in own.values()):
            raise ValueError(
                "tf.estimator.Estimator does not support following arguments: x, y, batch_size, "
                "metrics. Should set as `None` in ValidationMonitor"
            )
        return self._estimator.evaluate(**given)

    def _has_new_checkpoint(self):
        """Whether there is one that is not evaluated yet, and it is time to look."""
        now = time.time()
        if (
            self._check_interval_secs is not None
            and self._last_check is not None
            and now - self._last_check <= self._check_interval_secs
        ):
            return False
        self._last_check = now
        path = tf.train.latest_checkpoint(self._estimator.model_dir)
        if path is None or path == self._latest_path:
            return False
        self._latest_path = path
        return True

    def every_n_step_end(self, step, outputs):
        super().every_n_step_end(step, outputs)
        if self._estimator is None:
            raise ValueError("Missing call to set_estimator.")
        if not self._has_new_checkpoint():
            return False
        found = self._evaluate_estimator()
        shown = ", ".join(f"{name} = {value}" for name, value in found.items())
        tf.logging.info("Validation (step %d): %s", step, shown)
        return self.early_stopping_rounds is not None and self._stops(step, found)

    def _stops(self, step, found):
        if self.early_stopping_metric not in found:
            raise ValueError(
                f"Metric {self.early_stopping_metric} missing from outputs {set(found)}."
            )
        value, best = found[self.early_stopping_metric], self._best_value
        minimize = self.early_stopping_metric_minimize
        if best is None or (value < best if minimize else value > best):
            self._best_value, self._best_value_step = value, step
            self._best_metrics = copy.deepcopy(found)
        if step - self._best_value_step < self.early_stopping_rounds:
            return False
        tf.logging.info(
            f"Stopping. Best step: {self._best_value_step} with {self.early_stopping_metric} = "
            f"{self._best_value}."
        )
        self._early_stopped = True
        return True


class NanLoss(EveryN):
    """Stops where the loss is no number. Errors: NanLossDuringTrainingError.

    Source: tf.contrib.learn.monitors.NanLoss.
    """

    def __init__(self, loss_tensor, every_n_steps=100, fail_on_nan_loss=True):
        super().__init__(every_n_steps=every_n_steps)
        self._loss_tensor, self._fail_on_nan_loss = loss_tensor, fail_on_nan_loss

    def every_n_step_begin(self, step):
        super().every_n_step_begin(step)
        return [self._loss_tensor]

    def every_n_step_end(self, step, outputs):
        super().every_n_step_end(step, outputs)
        if not np.isnan(output_of(outputs, self._loss_tensor)):
            return False
        words = "Model diverged with loss = NaN."
        if self._fail_on_nan_loss:
            tf.logging.error(words)
            raise NanLossDuringTrainingError
        tf.logging.warning(words)
        return True


def _element(request):
    """The tensor of a name, or the object as it is. Errors: ValueError."""
    graph = tf.get_default_graph()
    if not isinstance(request, str):
        if getattr(request, "graph", None) is not graph:
            raise ValueError(
                f"Passed {request} should have graph attribute that is equal to current graph "
                f"{graph}."
            )
        return request
    return graph.as_graph_element(request if ":" in request else request + ":0")


class RunHookAdapterForMonitors(tf.train.SessionRunHook):
    """A hook that calls monitors."""

    def __init__(self, monitors):
        self._monitors = monitors

    def begin(self):
        self._last_step, self._step = None, tf.train.get_global_step()
        for monitor in self._monitors:
            monitor.begin(max_steps=None)

    def before_run(self, run_context):
        if self._last_step is None:
            self._last_step = run_context.session.run(self._step) + 1
        wanted = []
        for monitor in self._monitors:
            requests = monitor.step_begin(self._last_step)
            if requests and not isinstance(requests, list):
                raise ValueError("Monitor.step_begin should return a list.")
            wanted.extend(requests or [])
        fetches = {"step": self._step}
        if wanted:
            fetches["monitors"] = {each: _element(each) for each in wanted}
        return tf.train.SessionRunArgs(fetches)

    def after_run(self, run_context, run_values):
        result = run_values.results.get("monitors", {})
        for monitor in self._monitors:
            if monitor.step_end(self._last_step, result):
                run_context.request_stop()
        for monitor in self._monitors:
            monitor.post_step(self._last_step, run_context.session)
        self._last_step = run_values.results["step"] + 1

    def end(self, session):
        self._last_step = None
        for monitor in self._monitors:
            monitor.end(session=session)


def replace_monitors_with_hooks(monitors_or_hooks, estimator):
    """The hooks, with one that calls the monitors."""
    given = monitors_or_hooks or []
    hooks = [each for each in given if isinstance(each, tf.train.SessionRunHook)]
    monitors = [each for each in given if not isinstance(each, tf.train.SessionRunHook)]
    for monitor in monitors:
        monitor.set_estimator(estimator)
    return [*hooks, RunHookAdapterForMonitors(monitors)] if monitors else hooks
