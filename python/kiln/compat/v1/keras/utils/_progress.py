"""The bar that shows how far training is."""

import sys
import time

import numpy as np


class Progbar:
    """A bar on stdout: "320/1000 [========>.......] - ETA: 3s - loss: 0.31".

    target: how many units there are; None where it is not known. verbose: 1 for a bar, 2 for a line
    at the end. stateful_metrics: the names of values that are shown as they are; others are
    averaged. Source: tf.keras.utils.Progbar.
    """

    def __init__(
        self, target, width=30, verbose=1, interval=0.05, stateful_metrics=None, unit_name="step"
    ):
        self.target, self.width, self.verbose = target, width, verbose
        self.interval, self.unit_name = interval, unit_name
        self.stateful_metrics = set(stateful_metrics or ())
        self._shown_width, self._seen_so_far = 0, 0
        self._values = {}
        self._start, self._last_update = time.time(), 0

    def update(self, current, values=None):
        """Shows a number of units; values: pairs of names and numbers."""
        for name, value in values or []:
            if name in self.stateful_metrics:
                self._values[name] = [value, 1]
            else:
                units = max(current - self._seen_so_far, 0)
                total = self._values.setdefault(name, [0.0, 0])
                total[0] += value * units
                total[1] += units
        self._seen_so_far = current
        now, is_last = time.time(), self.target is not None and current >= self.target
        if self.verbose == 1:
            if now - self._last_update >= self.interval or is_last:
                self._show_bar(current, now, is_last)
                self._last_update = now
        elif self.verbose == 2 and is_last:
            digits = len(str(self.target))
            text = f"{current:{digits}d}/{self.target} - {now - self._start:.0f}s{self._numbers()}"
            taken = now - self._start
            text += f" - {_short(taken)}/epoch - {_short(taken / self.target)}/{self.unit_name}\n"
            sys.stdout.write(text)
            sys.stdout.flush()

    def add(self, n, values=None):
        """Shows n more units."""
        self.update(self._seen_so_far + n, values)

    def _show_bar(self, current, now, is_last):
        before = self._shown_width
        text = f"{current:7d}/Unknown"
        if self.target is not None:
            done = int(self.width * current / self.target)
            bar = "=" * (done - 1) + ("=" if is_last else ">") if done > 0 else ""
            bar += "." * (self.width - done)
            text = f"{current:{len(str(self.target))}d}/{self.target} [{bar}]"
        each = (now - self._start) / current if current else 0
        if self.target is not None and not is_last:
            text += f" - ETA: {_duration(each * (self.target - current))}"
        else:
            text += f" - {now - self._start:.0f}s {_short(each)}/{self.unit_name}"
        text += self._numbers()
        self._shown_width = len(text)
        text += " " * (before - len(text))
        sys.stdout.write("\b" * before + "\r" + text + ("\n" if is_last else ""))
        sys.stdout.flush()

    def _numbers(self):
        shown = ""
        for name, (total, units) in self._values.items():
            value = float(np.mean(total / max(1, units)))
            shown += f" - {name}: {value:.4f}" if abs(value) > 1e-3 else f" - {name}: {value:.4e}"
        return shown


def _duration(seconds):
    if seconds > 3600:
        return f"{seconds // 3600:.0f}:{seconds % 3600 // 60:02.0f}:{seconds % 60:02.0f}"
    if seconds > 60:
        return f"{seconds // 60:.0f}:{seconds % 60:02.0f}"
    return f"{seconds:.0f}s"


def _short(seconds):
    if seconds >= 1:
        return f"{seconds:.0f}s"
    if seconds >= 1e-3:
        return f"{seconds * 1e3:.0f}ms"
    return f"{seconds * 1e6:.0f}us"
