"""What runs fail with: TensorFlow's error classes, by name and code."""

import copyreg

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

    It is made in one of two forms. OpError(node_def, op, message, error_code) is
    TensorFlow's: node_def is a NodeDef or None, op an Operation or None; the classes
    below take no error_code. OpError(message, node=None) is Kiln's, with the node's name.

    message: what happened; in Kiln's form without the node. code, error_code:
    TensorFlow's number. node: the operation's name, or None where it is about no
    single one. str() names the node, and where the operation is known the lines of
    the program that made it.

    Source: tf.errors.OpError.
    """

    code = UNKNOWN

    def __init__(self, node_def, op=None, message=None, error_code=None):
        if message is None:
            super().__init__(node_def, op)
            self._node_def, self._op, self._message, self._node = None, None, node_def, op
        else:
            super().__init__()
            self._node_def, self._op, self._message = node_def, op, message
            self._node = getattr(node_def if op is None else op, "name", None)
        if error_code is not None:
            self.code = error_code

    # What inspect.signature and help show: TensorFlow's form.
    __init__.__wrapped__ = lambda self, node_def, op, message, error_code: None

    def __reduce__(self):
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__

    @property
    def message(self):
        """What happened."""
        return self._message

    @property
    def node(self):
        """The name of the operation that failed, or None."""
        return self._node

    @property
    def op(self):
        """The Operation that failed, or None where it is not known as an object."""
        return self._op

    @property
    def node_def(self):
        """The NodeDef of the operation that failed, or None."""
        return self._node_def

    @property
    def error_code(self):
        """TensorFlow's number of the error."""
        return self.code

    def __str__(self):
        if self._op is not None:
            return f"{self._message}\n{_where_made(self._op)}"
        return f"{self._message} [node {self._node}]" if self.args and self._node else self._message


def _where_made(op):
    """Returns the lines of the program that made an operation, and what it was made for."""
    import traceback

    text = f"\nOriginal stack trace for {op.name!r}:\n"
    while True:
        text += "".join(traceback.format_list(op.traceback or []))
        op = getattr(op, "_original_op", None)
        if op is None:
            return text
        text += f"\n...which was originally created as op {op.name!r}, defined at:\n"


def _init(self, node_def, op=None, message=None):
    """The constructor of the classes whose code is fixed."""
    OpError.__init__(self, node_def, op, message)


_init.__wrapped__ = lambda self, node_def, op, message: None


class CancelledError(OpError):
    """The run was cancelled: Session.close(), or a reset."""

    code = CANCELLED
    __init__ = _init


class UnknownError(OpError):
    """An error of which no more is known."""

    code = UNKNOWN

    def __init__(self, node_def, op=None, message=None, error_code=UNKNOWN):
        OpError.__init__(self, node_def, op, message, error_code)

    __init__.__wrapped__ = lambda self, node_def, op, message, error_code=UNKNOWN: None


class InvalidArgumentError(OpError):
    """An argument that is wrong whatever the state: a shape, a type, a value."""

    code = INVALID_ARGUMENT
    __init__ = _init


class DeadlineExceededError(OpError):
    """The time that was given was over."""

    code = DEADLINE_EXCEEDED
    __init__ = _init


class NotFoundError(OpError):
    """A name that the graph does not have, or a missing file."""

    code = NOT_FOUND
    __init__ = _init


class AlreadyExistsError(OpError):
    """Something that there is already."""

    code = ALREADY_EXISTS
    __init__ = _init


class PermissionDeniedError(OpError):
    """The system does not let this user do it."""

    code = PERMISSION_DENIED
    __init__ = _init


class ResourceExhaustedError(OpError):
    """Memory or another limit was used up."""

    code = RESOURCE_EXHAUSTED
    __init__ = _init


class FailedPreconditionError(OpError):
    """The state does not allow it: a variable without a value, a closed session."""

    code = FAILED_PRECONDITION
    __init__ = _init


class AbortedError(OpError):
    """Ended from outside: a reset of shared resources."""

    code = ABORTED
    __init__ = _init


class OutOfRangeError(OpError):
    """Beyond the end: a closed and empty queue."""

    code = OUT_OF_RANGE
    __init__ = _init


class UnimplementedError(OpError):
    """An op, a type or a form that Kiln does not have."""

    code = UNIMPLEMENTED
    __init__ = _init


class InternalError(OpError):
    """A defect of Kiln's."""

    code = INTERNAL
    __init__ = _init


class UnavailableError(OpError):
    """A service that is not there."""

    code = UNAVAILABLE
    __init__ = _init


class DataLossError(OpError):
    """Data was lost or damaged."""

    code = DATA_LOSS
    __init__ = _init


class UnauthenticatedError(OpError):
    """The caller is not authenticated."""

    code = UNAUTHENTICATED
    __init__ = _init


BY_CODE = {cls.code: cls for cls in OpError.__subclasses__()}
