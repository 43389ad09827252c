"""TensorFlow's debugger, as far as programs need it that debug only when they are told to.

Kiln runs compiled code, in which most of a graph's tensors never exist: a session cannot be stepped
through. What would do so is an error when it is made, not when it is imported.
"""

import numpy as np

from kiln.compat.v1 import errors
from kiln.compat.v1._session import SessionInterface
from kiln.compat.v1.train._session_run_hook import SessionRunHook

__all__ = [
    "DumpingDebugHook",
    "DumpingDebugWrapperSession",
    "GrpcDebugHook",
    "GrpcDebugWrapperSession",
    "LocalCLIDebugHook",
    "LocalCLIDebugWrapperSession",
    "TensorBoardDebugHook",
    "TensorBoardDebugWrapperSession",
    "has_inf_or_nan",
]


class _Debugger:
    """What steps through a session. Errors: UnimplementedError, always."""

    def __init__(self, *args, **kwargs):
        raise errors.UnimplementedError(
            None,
            None,
            f"Kiln has no {type(self).__name__}: a session cannot be stepped through. tf.Print and "
            "tf.summary show values of a graph, tf.debugging.check_numerics and "
            "tf.add_check_numerics_ops find NaN and infinity.",
        )


class LocalCLIDebugHook(_Debugger, SessionRunHook):
    """Of tensorflow.python.debug."""


class DumpingDebugHook(_Debugger, SessionRunHook):
    """Of tensorflow.python.debug."""


class GrpcDebugHook(_Debugger, SessionRunHook):
    """Of tensorflow.python.debug."""


class TensorBoardDebugHook(_Debugger, SessionRunHook):
    """Of tensorflow.python.debug."""


class LocalCLIDebugWrapperSession(_Debugger, SessionInterface):
    """Of tensorflow.python.debug."""


class DumpingDebugWrapperSession(_Debugger, SessionInterface):
    """Of tensorflow.python.debug."""


class GrpcDebugWrapperSession(_Debugger, SessionInterface):
    """Of tensorflow.python.debug."""


class TensorBoardDebugWrapperSession(_Debugger, SessionInterface):
    """Of tensorflow.python.debug."""


def has_inf_or_nan(datum, tensor):
    """Whether an array has NaN or infinity in it; False for what has no such numbers.

    datum: is not looked at. Source: tensorflow.python.debug.has_inf_or_nan.
    """
    if not isinstance(tensor, np.ndarray) or not np.issubdtype(tensor.dtype, np.inexact):
        return False
    return not bool(np.isfinite(tensor).all())
