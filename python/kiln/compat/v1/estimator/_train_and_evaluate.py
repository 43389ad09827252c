"""tf.estimator.train_and_evaluate: trains, and evaluates at the checkpoints."""

import collections
import os

from kiln.compat import v1 as tf
from kiln.compat.v1.estimator._estimator import Estimator
from kiln.compat.v1.estimator._exporters import Exporter


def _checked(values, kind, message):
    values = tuple(values or [])
    for value in values:
        if not isinstance(value, kind):
            raise TypeError(f"All {message} instances, given: {value}")
    return values


def _checked_hooks(hooks):
    return _checked(hooks, tf.train.SessionRunHook, "hooks must be `SessionRunHook`")


def _check_input_fn(input_fn):
    if not callable(input_fn):
        raise TypeError(f"`input_fn` must be callable, given: {input_fn}")


class TrainSpec(
    collections.namedtuple("TrainSpec", ["input_fn", "max_steps", "hooks", "saving_listeners"])
):
    """How train_and_evaluate() trains: the arguments of Estimator.train().

    max_steps: None trains until the input ends. Errors: ValueError, TypeError. Source:
    tf.estimator.TrainSpec.
    """

    def __new__(cls, input_fn, max_steps=None, hooks=None, saving_listeners=None):
        _check_input_fn(input_fn)
        if max_steps is not None and max_steps <= 0:
            raise ValueError(f"Must specify max_steps > 0, given: {max_steps}")
        listeners = _checked(
            saving_listeners,
            tf.train.CheckpointSaverListener,
            "saving_listeners must be `CheckpointSaverListener`",
        )
        return super().__new__(cls, input_fn, max_steps, _checked_hooks(hooks), listeners)


class EvalSpec(
    collections.namedtuple(
        "EvalSpec",
        ["input_fn", "steps", "name", "hooks", "exporters", "start_delay_secs", "throttle_secs"],
    )
):
    """How train_and_evaluate() evaluates: the arguments of Estimator.evaluate().

    exporters: one or more Exporters, which export after evaluations. throttle_secs: how much time
    is at least between two evaluations. Errors: ValueError, TypeError. Source:
    tf.estimator.EvalSpec.
    """

    def __new__(
        cls,
        input_fn,
        steps=100,
        name=None,
        hooks=None,
        exporters=None,
        start_delay_secs=120,
        throttle_secs=600,
    ):
        _check_input_fn(input_fn)
        if steps is not None and steps <= 0:
            raise ValueError(f"Must specify steps > 0, given: {steps}")
        if name is not None and not isinstance(name, str):
            raise TypeError(f"`name` must be string, given: {name}")
        hooks, exporters = _checked_hooks(hooks), _checked_exporters(exporters)
        for option, value in (
            ("start_delay_secs", start_delay_secs),
            ("throttle_secs", throttle_secs),
        ):
            if value < 0:
                raise ValueError(f"Must specify {option} >= 0, given: {value}")
        return super().__new__(
            cls, input_fn, steps, name, hooks, exporters, start_delay_secs, throttle_secs
        )


def _checked_exporters(exporters):
    if not exporters:
        return ()
    if isinstance(exporters, Exporter):
        exporters = [exporters]
    if not isinstance(exporters, collections.abc.Iterable) or not all(
        isinstance(each, Exporter) for each in exporters
    ):
        raise TypeError(
            "`exporters` must be an Exporter, an iterable of Exporter, or `None`, found "
            f"{exporters}."
        )
    names = [each.name for each in exporters]
    for i, name in enumerate(names):
        if not name:
            raise ValueError(
                "An Exporter cannot have a name that is `None` or empty. "
                f"All exporter names: {names}"
            )
        if not isinstance(name, str):
            raise ValueError(f"An Exporter must have a string name. Given: {type(name)}")
        if name in names[:i]:
            raise ValueError(
                "`exporters` must have unique names. Such a name cannot be `None`. "
                f"All exporter names: {names}"
            )
    return tuple(exporters)


def train_and_evaluate(estimator, train_spec, eval_spec):
    """Trains, and evaluates and exports after each checkpoint, but not more often than
    eval_spec.throttle_secs, and at the end.

    Gives the metrics of the last evaluation and the list of what the exporters gave. Errors:
    TypeError, ValueError; what runs raise. Source: tf.estimator.train_and_evaluate. Difference: in
    one process.
    """
    if not isinstance(eval_spec, EvalSpec):
        raise TypeError(
            f"`eval_spec` must have type `tf.estimator.EvalSpec`. Got: {type(eval_spec)}"
        )
    if not isinstance(estimator, Estimator):
        raise TypeError(
            f"`estimator` must have type `tf.estimator.Estimator`. Got: {type(estimator)}"
        )
    if not isinstance(train_spec, TrainSpec):
        raise TypeError(
            f"`train_spec` must have type `tf.estimator.TrainSpec`. Got: {type(train_spec)}"
        )
    config = estimator.config
    tf.logging.info("Running training and evaluation locally (non-distributed).")
    tf.logging.info(
        "Start train and evaluate loop. The evaluate will happen after every checkpoint. "
        "Checkpoint "
        "frequency is determined based on RunConfig arguments: save_checkpoints_steps {} or "
        "save_checkpoints_secs {}.".format(
            config.save_checkpoints_steps, config.save_checkpoints_secs
        )
    )
    listener = _EvaluateAtCheckpoints(estimator, eval_spec, train_spec.max_steps)
    estimator.train(
        train_spec.input_fn,
        hooks=list(train_spec.hooks),
        max_steps=train_spec.max_steps,
        saving_listeners=(*train_spec.saving_listeners, listener),
    )
    return listener.metrics, listener.exported


class _EvaluateAtCheckpoints(tf.train.CheckpointSaverListener):
    """Evaluates after checkpoints, but the first, which has what the training begins with."""

    def __init__(self, estimator, eval_spec, max_steps):
        self._estimator, self._spec, self._max_steps = estimator, eval_spec, max_steps
        self._evaluated, self._is_first = None, True
        self.metrics, self.exported = None, None

    def begin(self):
        self._timer = tf.train.SecondOrStepTimer(every_secs=self._spec.throttle_secs)
        self._is_first = True

    def after_save(self, session, global_step_value):
        if self._is_first:
            self._is_first = False
        elif self._timer.should_trigger_for_step(global_step_value):
            self._evaluate(global_step_value)
        else:
            tf.logging.info(
                "Skip the current checkpoint eval due to throttle secs "
                f"({self._spec.throttle_secs} "
                "secs)."
            )

    def end(self, session, global_step_value):
        if global_step_value != self._timer.last_triggered_step():
            self._evaluate(global_step_value)

    def _evaluate(self, step):
        self._timer.update_last_triggered_step(step)
        path = self._estimator.latest_checkpoint()
        if not path or path == self._evaluated:
            raise RuntimeError("There was no new checkpoint after the training.")
        spec = self._spec
        self.metrics = self._estimator.evaluate(
            spec.input_fn, spec.steps, spec.hooks, checkpoint_path=path, name=spec.name
        )
        is_final = bool(self._max_steps) and self.metrics["global_step"] >= self._max_steps
        base = os.path.join(tf.compat.as_str_any(self._estimator.model_dir), "export")
        self.exported = [
            exporter.export(
                estimator=self._estimator,
                export_path=os.path.join(base, exporter.name),
                checkpoint_path=path,
                eval_result=self.metrics,
                is_the_final_export=is_final,
            )
            for exporter in spec.exporters
        ]
        self._evaluated = path
