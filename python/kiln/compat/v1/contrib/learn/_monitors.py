"""What all monitors have, and monitors of every n-th step."""

from kiln.compat.v1._util.deprecation import deprecated

_MODULE = "tensorflow.contrib.learn.python.learn.monitors"


class BaseMonitor:
    """A monitor: its methods are called before and after each step.

    step_begin() gives a list of tensors or names that are wanted; step_end() gets their values, and
    gives whether the training is to stop. Source: tf.contrib.learn.monitors.BaseMonitor.
    """

    @deprecated(
        "2016-12-05",
        "Monitors are deprecated. Please use tf.train.SessionRunHook.",
        module=_MODULE,
    )
    def __init__(self):
        self._begun = False
        self._current_epoch = self._current_step = self._max_steps = self._estimator = None

    @property
    def run_on_all_workers(self):
        return False

    def set_estimator(self, estimator):
        """Errors: ValueError for None."""
        if estimator is None:
            raise ValueError("Missing estimator.")
        self._estimator = estimator

    def begin(self, max_steps=None):
        if self._begun:
            raise ValueError("begin called twice without end.")
        self._max_steps, self._begun = max_steps, True

    def end(self, session=None):
        if not self._begun:
            raise ValueError("end called without begin.")
        self._max_steps, self._begun = None, False

    def epoch_begin(self, epoch):
        if self._current_epoch is not None:
            raise ValueError("epoch_begin called twice without epoch_end.")
        if epoch < 0:
            raise ValueError(f"Invalid epoch {epoch}.")
        self._current_epoch = epoch

    def epoch_end(self, epoch):
        if self._current_epoch != epoch:
            raise ValueError("epoch_end expected %s but got %s.", self._current_epoch, epoch)
        self._current_epoch = None

    def step_begin(self, step):
        if step < 0 or (self._max_steps is not None and step > self._max_steps):
            raise ValueError(f"Invalid step {step}.")
        self._current_step = step
        return []

    def step_end(self, step, output):
        if self._current_step != step:
            raise ValueError("step_end expected %s but got %s.", self._current_step, step)
        self._current_step = None
        return False

    def post_step(self, step, session):
        """After all monitors have seen the step."""


def output_of(outputs, request):
    return outputs[request] if request in outputs else outputs[request.name]


class EveryN(BaseMonitor):
    """A monitor of the first steps and every n-th one. Source: tf.contrib.learn.monitors.EveryN."""

    def __init__(self, every_n_steps=100, first_n_steps=1):
        super().__init__()
        self._every_n_steps, self._first_n_steps = every_n_steps, first_n_steps
        self._last_successful_step, self._last_active_step = None, 0
        self._every_n_step_begin_called = False

    def every_n_step_begin(self, step):
        return []

    def every_n_step_end(self, step, outputs):
        return False

    def every_n_post_step(self, step, session):
        """After such a step."""

    def step_begin(self, step):
        super().step_begin(step)
        self._every_n_step_begin_called = (
            step <= self._first_n_steps
            or step >= self._every_n_steps + self._last_active_step
            or step == self._max_steps
        )
        return self.every_n_step_begin(step) if self._every_n_step_begin_called else []

    def step_end(self, step, output):
        super().step_end(step, output)
        return self.every_n_step_end(step, output) if self._every_n_step_begin_called else False

    def post_step(self, step, session):
        super().post_step(step, session)
        if self._every_n_step_begin_called:
            self.every_n_post_step(step, session)
            self._last_active_step = step
        self._last_successful_step = step

    def end(self, session=None):
        super().end(session=session)
        if self._last_successful_step != self._last_active_step:
            self.every_n_post_step(self._last_successful_step, session)
