"""Hooks that end a training early: by evaluations, or by any condition."""

import collections
import operator
import os

from kiln.compat import v1 as tf


def make_early_stopping_hook(estimator, should_stop_fn, run_every_secs=60, run_every_steps=None):
    """A hook that stops the training when should_stop_fn() is true.

    run_every_secs, run_every_steps: how often it is asked; one of them is None. Errors: TypeError,
    ValueError. Source: tf.estimator.experimental.make_early_stopping_hook.
    """
    from kiln.compat.v1.estimator._estimator import Estimator

    if not isinstance(estimator, Estimator):
        raise TypeError(
            f"`estimator` must have type `tf.estimator.Estimator`. Got: {type(estimator)}"
        )
    if run_every_secs is not None and run_every_steps is not None:
        raise ValueError("Only one of `run_every_secs` and `run_every_steps` must be set.")
    return _StopWhen(should_stop_fn, run_every_secs, run_every_steps)


def _stop_variable():
    with tf.variable_scope("signal_early_stopping", values=[], reuse=tf.AUTO_REUSE):
        return tf.get_variable(
            "STOP",
            shape=[],
            dtype=tf.bool,
            initializer=tf.constant_initializer(False),
            collections=[tf.GraphKeys.GLOBAL_VARIABLES],
            trainable=False,
        )


class _StopWhen(tf.train.SessionRunHook):
    def __init__(self, should_stop_fn, run_every_secs=60, run_every_steps=None):
        if not callable(should_stop_fn):
            raise TypeError("`should_stop_fn` must be callable.")
        self._should_stop_fn = should_stop_fn
        self._timer = tf.train.SecondOrStepTimer(run_every_secs, run_every_steps)

    def begin(self):
        self._step = tf.train.get_global_step()
        self._stop = tf.assign(_stop_variable(), True)

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self._step)

    def after_run(self, run_context, run_values):
        step = run_values.results
        if not self._timer.should_trigger_for_step(step):
            return
        self._timer.update_last_triggered_step(step)
        if self._should_stop_fn():
            tf.logging.info("Requesting early stopping at global step %d", step)
            run_context.session.run(self._stop)
            run_context.request_stop()


def read_eval_metrics(eval_dir):
    """The metrics of the evaluations of a folder, by step, in order: a dict of dicts."""
    found = collections.defaultdict(dict)
    if tf.gfile.Exists(eval_dir):
        for path in tf.gfile.Glob(os.path.join(eval_dir, "*.tfevents.*")):
            _read(path, found)
    return collections.OrderedDict(sorted(found.items()))


def _read(path, found):
    try:
        for event in tf.train.summary_iterator(path):
            if event.HasField("summary"):
                for value in event.summary.value:
                    if value.HasField("simple_value"):
                        found[event.step][value.tag] = value.simple_value
    except tf.errors.DataLossError as error:
        tf.logging.warning(
            "Skipping rest of the file due to encountering data corruption error; file path: %s; "
            "original error raised by `tf.train.summary_iterator`: %s",
            path,
            error,
        )


def _crossed(metric_name, threshold, is_better, words, eval_dir, min_steps):
    def should_stop():
        for step, metrics in read_eval_metrics(eval_dir).items():
            if step < min_steps:
                continue
            value = metrics[metric_name]
            if is_better(value, threshold):
                tf.logging.info(
                    'At step %s, metric "%s" has value %s which is %s the configured threshold '
                    "(%s) for early stopping.",
                    step,
                    metric_name,
                    value,
                    words,
                    threshold,
                )
                return True
        return False

    return should_stop


def _not_improved(metric_name, max_steps, is_better, words, eval_dir, min_steps):
    def should_stop():
        best = best_step = None
        for step, metrics in read_eval_metrics(eval_dir).items():
            if step < min_steps:
                continue
            value = metrics[metric_name]
            if best is None or is_better(value, best):
                best, best_step = value, step
            if step - best_step >= max_steps:
                tf.logging.info(
                    'No %s in metric "%s" for %s steps, which is greater than or equal to max '
                    "steps (%s) configured for early stopping.",
                    words,
                    metric_name,
                    step - best_step,
                    max_steps,
                )
                return True
        return False

    return should_stop


def _made(make, estimator, metric_name, limit, is_better, words, eval_dir, min_steps, secs, steps):
    eval_dir = estimator.eval_dir() if eval_dir is None else eval_dir
    should_stop = make(metric_name, limit, is_better, words, eval_dir, min_steps)
    return make_early_stopping_hook(estimator, should_stop, secs, steps)


def stop_if_higher_hook(
    estimator,
    metric_name,
    threshold,
    eval_dir=None,
    min_steps=0,
    run_every_secs=60,
    run_every_steps=None,
):
    """A hook that stops when an evaluation has a metric above a threshold.

    eval_dir: where the evaluations are, the estimator's where it is None. min_steps: earlier
    evaluations do not count. Source: tf.estimator.experimental.stop_if_higher_hook.
    """
    return _made(
        _crossed, estimator, metric_name, threshold, operator.gt, "greater than", eval_dir,
        min_steps, run_every_secs, run_every_steps,
    )  # fmt: skip


def stop_if_lower_hook(
    estimator,
    metric_name,
    threshold,
    eval_dir=None,
    min_steps=0,
    run_every_secs=60,
    run_every_steps=None,
):
    """As stop_if_higher_hook(), below a threshold."""
    return _made(
        _crossed, estimator, metric_name, threshold, operator.lt, "less than", eval_dir,
        min_steps, run_every_secs, run_every_steps,
    )  # fmt: skip


def stop_if_no_increase_hook(
    estimator,
    metric_name,
    max_steps_without_increase,
    eval_dir=None,
    min_steps=0,
    run_every_secs=60,
    run_every_steps=None,
):
    """A hook that stops when a metric has not grown for a number of steps.

    Source: tf.estimator.experimental.stop_if_no_increase_hook.
    """
    return _made(
        _not_improved, estimator, metric_name, max_steps_without_increase, operator.gt, "increase",
        eval_dir, min_steps, run_every_secs, run_every_steps,
    )  # fmt: skip


def stop_if_no_decrease_hook(
    estimator,
    metric_name,
    max_steps_without_decrease,
    eval_dir=None,
    min_steps=0,
    run_every_secs=60,
    run_every_steps=None,
):
    """As stop_if_no_increase_hook(), for a metric that should fall."""
    return _made(
        _not_improved, estimator, metric_name, max_steps_without_decrease, operator.lt, "decrease",
        eval_dir, min_steps, run_every_secs, run_every_steps,
    )  # fmt: skip
