"""When a hook acts: timers by steps and by seconds."""

import time


class _HookTimer:
    """What hooks ask whether a step is one of theirs."""

    def reset(self):
        """Makes it as new."""

    def should_trigger_for_step(self, step):
        raise NotImplementedError

    def update_last_triggered_step(self, step):
        raise NotImplementedError

    def last_triggered_step(self):
        raise NotImplementedError


class SecondOrStepTimer(_HookTimer):
    """Triggers at most once every so many seconds, or every so many steps. Errors: ValueError unless one is given.

    Source: tf.train.SecondOrStepTimer.
    """

    def __init__(self, every_secs=None, every_steps=None):
        self.reset()
        self._every_secs, self._every_steps = every_secs, every_steps
        if every_secs is None and every_steps is None:
            raise ValueError("Either every_secs or every_steps should be provided.")
        if every_secs is not None and every_steps is not None:
            raise ValueError("Can not provide both every_secs and every_steps.")

    def reset(self):
        self._last_triggered_step = self._last_triggered_time = None

    def should_trigger_for_step(self, step):
        """Whether it triggers at a step: the first one that is asked about, and those far enough from the last."""
        if self._last_triggered_step is None:
            return True
        if step == self._last_triggered_step:
            return False
        if self._every_secs is not None:
            return time.time() >= self._last_triggered_time + self._every_secs
        return step >= self._last_triggered_step + self._every_steps

    def update_last_triggered_step(self, step):
        """Notes that it has triggered; gives the seconds and steps since the last time, None and None at first."""
        now = time.time()
        elapsed = (None, None)
        if self._last_triggered_time is not None:
            elapsed = (now - self._last_triggered_time, step - self._last_triggered_step)
        self._last_triggered_time, self._last_triggered_step = now, step
        return elapsed

    def last_triggered_step(self):
        """The last step, or None."""
        return self._last_triggered_step


class NeverTriggerTimer(_HookTimer):
    """Never triggers."""

    def should_trigger_for_step(self, step):
        return False

    def update_last_triggered_step(self, step):
        return None, None

    def last_triggered_step(self):
        return None
