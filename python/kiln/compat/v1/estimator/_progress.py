"""A line in a terminal that says how far a long loop is."""

import sys
import time


class Progress:
    """Shows "step 1200/5000  loss 0.31  212 steps/s" on stderr, on one line that is written again.

    Only in a terminal, only where the program does not log these things anyway, and only after
    half a second.
    """

    PAUSE = 0.25

    def __init__(self, what, total=None, unit="steps", stream=None, quiet=None):
        self._what, self._total, self._unit = what, total, unit
        self._stream = stream or sys.stderr
        self._is_on = not (_logs() if quiet is None else quiet) and _is_terminal(self._stream)
        self._began = time.monotonic()
        self._next, self._width = self._began + 0.5, 0
        self._first = None

    def update(self, step, **values):
        """Counts a step. values: numbers that are shown."""
        if not self._is_on:
            return
        now = time.monotonic()
        if self._first is None:
            self._first, self._began = step, now
        if now < self._next:
            return
        self._next = now + self.PAUSE
        of = f"/{self._total}" if self._total else ""
        parts = [f"{self._what} {step}{of}"]
        parts += [f"{name} {value:.4g}" for name, value in values.items() if value is not None]
        if now > self._began and step > self._first:
            parts.append(f"{(step - self._first) / (now - self._began):.3g} {self._unit}/s")
        self._show("  ".join(parts))

    def _show(self, text):
        self._stream.write("\r" + text.ljust(self._width))
        self._stream.flush()
        self._width = len(text)

    def close(self):
        """Removes the line."""
        if self._width:
            self._show("")
            self._stream.write("\r")
            self._stream.flush()
            self._width = 0


def _logs():
    """Whether the program has asked for messages, which say the same."""
    from kiln.compat.v1 import logging

    return logging.get_verbosity() <= logging.INFO


def _is_terminal(stream):
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False
