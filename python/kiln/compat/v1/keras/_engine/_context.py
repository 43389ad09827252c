"""What a call of a layer knows of the calls around it: the training mode."""

import contextlib
import threading

_calls = threading.local()


def is_inside():
    """Whether a layer is being called."""
    return bool(getattr(_calls, "stack", None))


def training():
    """What the innermost call around was told, or None."""
    stack = getattr(_calls, "stack", None)
    return stack[-1] if stack else None


@contextlib.contextmanager
def call(mode):
    """A context in which a layer is called."""
    stack = _calls.__dict__.setdefault("stack", [])
    stack.append(mode)
    try:
        yield
    finally:
        stack.pop()
