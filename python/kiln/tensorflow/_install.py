"""Puts Kiln's methods in the place of TensorFlow's, and back."""

import threading

from tensorflow.python.client import session as tf_session
from tensorflow.python.framework import ops

from kiln.tensorflow import _changes, _foreign, _session
from kiln.tensorflow._graph import GraphMirror

_lock = threading.Lock()
_depth = 0


class Installation:
    """What install() returns: a context manager that uninstalls in the end."""

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        uninstall()


def _put(methods_of_sessions, methods_of_operations):
    for name, method in methods_of_sessions.items():
        setattr(tf_session.Session if name == "reset" else tf_session.BaseSession, name, method)
    for name, method in methods_of_operations.items():
        if method is None:
            delattr(ops.Operation, name)
        else:
            setattr(ops.Operation, name, method)


def install(*, foreign=True, **options):
    """Makes TensorFlow's sessions run on Kiln, those that have not run yet.

    foreign: whether ops that Kiln does not have, or not for a dtype, may be run by
    TensorFlow's own kernels, if they keep no state; each is warned of once. Not
    so, nor with KILN_TENSORFLOW_FOREIGN=0 in the environment, they are an
    UnimplementedError or NotFoundError that names op and node.
    options: of kiln.Session, for all of them (mode="native", disk_cache=...); a
    session's ConfigProto goes before. As a context manager it is undone at the
    end; installations nest, the last one's options hold until the first is undone.
    """
    global _depth
    with _lock:
        _depth += 1
        _session.Bridge.options = options
        _foreign.enable(foreign)
        _put(_session.replacements, _changes.replacements)
    return Installation()


def uninstall():
    """Undoes one install(). Sessions that ran on Kiln can only be closed then."""
    global _depth
    with _lock:
        if _depth == 0:
            raise RuntimeError("kiln.tensorflow is not installed")
        _depth -= 1
        if _depth == 0:
            _session.Bridge.options = {}
            _put(_session.original, _changes.original)
            GraphMirror.forget_all()
