"""contextlib.contextmanager with a TFDecorator."""

import contextlib

from kiln.compat._python.util import tf_decorator


def contextmanager(target):
    """contextlib.contextmanager() that unwrap() looks through."""
    return tf_decorator.make_decorator(target, contextlib.contextmanager(target), "contextmanager")
