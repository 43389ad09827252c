"""Hooks that stop a training, wait, feed, and run something at the end."""

import time

import numpy as np

from kiln.compat.v1 import errors, logging
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1.train import _training_util
from kiln.compat.v1.train._session_run_hook import SessionRunArgs, SessionRunHook


def step_read(hook):
    """The tensor by which hooks read the global step. Errors: RuntimeError where there is none."""
    read = _training_util._get_or_create_global_step_read()
    if read is None:
        raise RuntimeError(f"Global step should be created to use {hook}.")
    return read


def _as_graph_element(obj):
    """A tensor or operation of the default graph; a name without ":0" is an operation's only output."""
    graph = get_default_graph()
    if not isinstance(obj, str):
        if getattr(obj, "graph", None) is not graph:
            raise ValueError(
                f"Passed {obj} should have graph attribute that is equal to current graph {graph}."
            )
        return obj
    if ":" in obj:
        return graph.as_graph_element(obj)
    element = graph.as_graph_element(obj + ":0")
    if len(element.op.outputs) > 1:
        raise ValueError(
            f"Name {obj} is ambiguous, as this `Operation` has multiple outputs (at least 2)."
        )
    return element


class StopAtStepHook(SessionRunHook):
    """Stops at a global step, or after so many steps from where it begins. Errors: ValueError unless one is given.

    Source: tf.train.StopAtStepHook.
    """

    def __init__(self, num_steps=None, last_step=None):
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._num_steps, self._last_step = num_steps, last_step

    def begin(self):
        self._global_step_tensor = step_read("StopAtStepHook")

    def after_create_session(self, session, coord):
        if self._last_step is None:
            self._last_step = session.run(self._global_step_tensor) + self._num_steps

    def before_run(self, run_context):
        return SessionRunArgs(self._global_step_tensor)

    def after_run(self, run_context, run_values):
        if run_values.results + 1 < self._last_step:
            return
        # The value is that before the run, which need not have counted a step.
        if run_context.session.run(self._global_step_tensor) >= self._last_step:
            run_context.request_stop()


class NanLossDuringTrainingError(RuntimeError):
    """The loss has become NaN. Source: tf.train.NanLossDuringTrainingError."""

    def __str__(self):
        return "NaN loss during training."


class NanTensorHook(SessionRunHook):
    """Raises NanLossDuringTrainingError when a loss becomes NaN, or stops. Source: tf.train.NanTensorHook."""

    def __init__(self, loss_tensor, fail_on_nan_loss=True):
        self._loss_tensor, self._fail_on_nan_loss = loss_tensor, fail_on_nan_loss

    def before_run(self, run_context):
        return SessionRunArgs(self._loss_tensor)

    def after_run(self, run_context, run_values):
        if not np.isnan(run_values.results):
            return
        message = "Model diverged with loss = NaN."
        if self._fail_on_nan_loss:
            logging.error(message)
            raise NanLossDuringTrainingError
        logging.warning(message)
        run_context.request_stop()


class GlobalStepWaiterHook(SessionRunHook):
    """Lets the first run wait until other workers have brought the global step so far.

    Source: tf.train.GlobalStepWaiterHook.
    """

    def __init__(self, wait_until_step):
        self._wait_until_step = wait_until_step

    def begin(self):
        self._worker_is_started = False
        self._global_step_tensor = step_read("_GlobalStepWaiterHook")

    def before_run(self, run_context):
        if self._worker_is_started:
            return None
        if self._wait_until_step <= 0:
            self._worker_is_started = True
            return None
        logging.info("Waiting for global step %d before starting training.", self._wait_until_step)
        said = 0
        while True:
            step = run_context.session.run(self._global_step_tensor)
            if step >= self._wait_until_step:
                self._worker_is_started = True
                return None
            if step - said > 1000:
                logging.info(
                    "Waiting for global step %d before starting training. Current step is %d.",
                    self._wait_until_step,
                    step,
                )
                said = step
            time.sleep(0.5)


class FinalOpsHook(SessionRunHook):
    """Runs something when the session ends; final_ops_values has what it gave. Source: tf.train.FinalOpsHook."""

    def __init__(self, final_ops, final_ops_feed_dict=None):
        self._final_ops, self._final_ops_feed_dict = final_ops, final_ops_feed_dict
        self._final_ops_values = None

    @property
    def final_ops_values(self):
        """The values of final_ops, None before the end."""
        return self._final_ops_values

    def end(self, session):
        if self._final_ops is None:
            return
        try:
            self._final_ops_values = session.run(self._final_ops, feed_dict=self._final_ops_feed_dict)
        except (errors.OutOfRangeError, StopIteration):
            logging.warning(
                "The operations of a FinalOpsHook have come to the end of the input: they read another batch. They "
                "should only read variables, as the values of tf.metrics do; what updates those runs before."
            )
            raise


class FeedFnHook(SessionRunHook):
    """Feeds each run what a function without arguments gives, a dict. Source: tf.train.FeedFnHook."""

    def __init__(self, feed_fn):
        self.feed_fn = feed_fn

    def before_run(self, run_context):
        return SessionRunArgs(fetches=None, feed_dict=self.feed_fn())
