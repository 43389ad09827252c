"""What runs fail with: TensorFlow's error classes, by name and code."""

OK = 0
CANCELLED = 1
UNKNOWN = 2
INVALID_ARGUMENT = 3
DEADLINE_EXCEEDED = 4
NOT_FOUND = 5
ALREADY_EXISTS = 6
PERMISSION_DENIED = 7
RESOURCE_EXHAUSTED = 8
FAILED_PRECONDITION = 9
ABORTED = 10
OUT_OF_RANGE = 11
UNIMPLEMENTED = 12
INTERNAL = 13
UNAVAILABLE = 14
DATA_LOSS = 15
UNAUTHENTICATED = 16


class OpError(Exception):
    """An error with its message, its code and the node that it is about.

    message: without the node. code, error_code: TensorFlow's number. node: the
    operation's name, or None where it is about no single one.
    """

    code = UNKNOWN

    def __init__(self, message, node=None):
        super().__init__(message, node)
        self.message = message
        self.node = node

    @property
    def error_code(self):
        return self.code

    def __str__(self):
        return f"{self.message} [node {self.node}]" if self.node else self.message


class CancelledError(OpError):
    """The run was cancelled: Session.close(), or a reset."""

    code = CANCELLED


class UnknownError(OpError):
    """An error of which no more is known."""

    code = UNKNOWN


class InvalidArgumentError(OpError):
    """An argument that is wrong whatever the state: a shape, a type, a value."""

    code = INVALID_ARGUMENT


class DeadlineExceededError(OpError):
    """The time that was given was over."""

    code = DEADLINE_EXCEEDED


class NotFoundError(OpError):
    """A name that the graph does not have, or a missing file."""

    code = NOT_FOUND


class AlreadyExistsError(OpError):
    """Something that there is already."""

    code = ALREADY_EXISTS


class PermissionDeniedError(OpError):
    """The system does not let this user do it."""

    code = PERMISSION_DENIED


class ResourceExhaustedError(OpError):
    """Memory or another limit was used up."""

    code = RESOURCE_EXHAUSTED


class FailedPreconditionError(OpError):
    """The state does not allow it: a variable without a value, a closed session."""

    code = FAILED_PRECONDITION


class AbortedError(OpError):
    """Ended from outside: a reset of shared resources."""

    code = ABORTED


class OutOfRangeError(OpError):
    """Beyond the end: a closed and empty queue."""

    code = OUT_OF_RANGE


class UnimplementedError(OpError):
    """An op, a type or a form that Kiln does not have."""

    code = UNIMPLEMENTED


class InternalError(OpError):
    """A defect of Kiln's."""

    code = INTERNAL


class UnavailableError(OpError):
    """A service that is not there."""

    code = UNAVAILABLE


class DataLossError(OpError):
    """Data was lost or damaged."""

    code = DATA_LOSS


class UnauthenticatedError(OpError):
    """The caller is not authenticated."""

    code = UNAUTHENTICATED


BY_CODE = {cls.code: cls for cls in OpError.__subclasses__()}
