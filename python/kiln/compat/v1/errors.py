"""tf.errors: the exceptions of runs and files, which are those of kiln.errors."""

import warnings

from kiln.errors import (
    ABORTED,
    ALREADY_EXISTS,
    BY_CODE,
    CANCELLED,
    DATA_LOSS,
    DEADLINE_EXCEEDED,
    FAILED_PRECONDITION,
    INTERNAL,
    INVALID_ARGUMENT,
    NOT_FOUND,
    OK,
    OUT_OF_RANGE,
    PERMISSION_DENIED,
    RESOURCE_EXHAUSTED,
    UNAUTHENTICATED,
    UNAVAILABLE,
    UNIMPLEMENTED,
    UNKNOWN,
    AbortedError,
    AlreadyExistsError,
    CancelledError,
    DataLossError,
    DeadlineExceededError,
    FailedPreconditionError,
    InternalError,
    InvalidArgumentError,
    NotFoundError,
    OpError,
    OutOfRangeError,
    PermissionDeniedError,
    ResourceExhaustedError,
    UnauthenticatedError,
    UnavailableError,
    UnimplementedError,
    UnknownError,
)

__all__ = [
    "ABORTED",
    "ALREADY_EXISTS",
    "AbortedError",
    "AlreadyExistsError",
    "CANCELLED",
    "CancelledError",
    "DATA_LOSS",
    "DEADLINE_EXCEEDED",
    "DataLossError",
    "DeadlineExceededError",
    "FAILED_PRECONDITION",
    "FailedPreconditionError",
    "INTERNAL",
    "INVALID_ARGUMENT",
    "InternalError",
    "InvalidArgumentError",
    "NOT_FOUND",
    "NotFoundError",
    "OK",
    "OUT_OF_RANGE",
    "OpError",
    "OutOfRangeError",
    "PERMISSION_DENIED",
    "PermissionDeniedError",
    "RESOURCE_EXHAUSTED",
    "ResourceExhaustedError",
    "UNAUTHENTICATED",
    "UNAVAILABLE",
    "UNIMPLEMENTED",
    "UNKNOWN",
    "UnauthenticatedError",
    "UnavailableError",
    "UnimplementedError",
    "UnknownError",
    "error_code_from_exception_type",
    "exception_type_from_error_code",
    "raise_exception_on_not_ok_status",
]


class InaccessibleTensorError(ValueError):
    """A tensor that is used outside of the function or branch that it belongs to."""


class OperatorNotAllowedInGraphError(TypeError):
    """A Python operation, such as bool() or iteration, that a tensor of a graph does not have."""


def exception_type_from_error_code(error_code):
    """Returns the class of a code.

    Errors: KeyError for OK and for what is no code.
    Source: tf.errors.exception_type_from_error_code.
    """
    return BY_CODE[error_code]


def error_code_from_exception_type(cls):
    """Returns the code of one of the classes of this module.

    Edges: another class is a warning, and what comes back is an UnknownError, as in TensorFlow.
    Source: tf.errors.error_code_from_exception_type.
    """
    if BY_CODE.get(getattr(cls, "code", None)) is cls:
        return cls.code
    warnings.warn("Unknown class exception")
    return UnknownError(None, None, "Unknown class exception", None)


class _Status:
    """A code and a message which a block sets; OK before."""

    def __init__(self):
        self.code, self.message = OK, ""

    def set(self, code, message):
        self.code, self.message = code, message


class raise_exception_on_not_ok_status:
    """A context that gives its block a status and raises, at the end, the error that was set there.

    The status has code, message and set(code, message). Source:
    tf.errors.raise_exception_on_not_ok_status, whose status is an object of TensorFlow's C API.
    """

    def __enter__(self):
        self.status = _Status()
        return self.status

    def __exit__(self, kind, value, where):
        status = self.status
        del self.status
        if status.code != OK:
            cls = BY_CODE.get(status.code)
            if cls is None:
                warnings.warn(f"Unknown error code: {status.code}")
                raise UnknownError(None, None, status.message, status.code)
            raise cls(None, None, status.message)
        return False
