"""Failures of the operating system as exceptions of tf.errors, with TensorFlow's texts."""

import contextlib
import errno
import os

from kiln import errors

_CODES = {
    errors.INVALID_ARGUMENT: (
        "EINVAL ENAMETOOLONG E2BIG EDESTADDRREQ EDOM EFAULT EILSEQ ENOPROTOOPT ENOSTR ENOTSOCK"
        " ENOTTY EPROTOTYPE ESPIPE"
    ),
    errors.DEADLINE_EXCEEDED: "ETIMEDOUT ETIME",
    errors.NOT_FOUND: "ENODEV ENOENT ENXIO ESRCH",
    errors.ALREADY_EXISTS: "EEXIST EADDRNOTAVAIL EALREADY",
    errors.PERMISSION_DENIED: "EPERM EACCES EROFS",
    errors.FAILED_PRECONDITION: (
        "ENOTEMPTY EISDIR ENOTDIR EADDRINUSE EBADF EBUSY ECHILD EISCONN ENOTBLK ENOTCONN EPIPE"
        " ESHUTDOWN ETXTBSY"
    ),
    errors.RESOURCE_EXHAUSTED: (
        "ENOSPC EDQUOT EMFILE EMLINK ENFILE ENOBUFS ENODATA ENOMEM ENOSR EUSERS"
    ),
    errors.OUT_OF_RANGE: "EFBIG EOVERFLOW ERANGE",
    errors.UNIMPLEMENTED: (
        "ENOSYS ENOTSUP EAFNOSUPPORT EPFNOSUPPORT EPROTONOSUPPORT ESOCKTNOSUPPORT EXDEV"
    ),
    errors.UNAVAILABLE: (
        "EAGAIN ECONNREFUSED ECONNABORTED ECONNRESET EINTR EHOSTDOWN EHOSTUNREACH ENETDOWN"
        " ENETRESET ENETUNREACH ENOLCK ENOLINK ENONET"
    ),
    errors.ABORTED: "EDEADLK ESTALE",
    errors.CANCELLED: "ECANCELED",
}
_CLASSES = {
    getattr(errno, name): errors.BY_CODE[code]
    for code, names in _CODES.items()
    for name in names.split()
    if hasattr(errno, name)
}


def error_of(number, path):
    """Returns the exception for an errno and the path that it is about."""
    return _CLASSES.get(number, errors.UnknownError)(None, None, f"{path}; {os.strerror(number)}")


@contextlib.contextmanager
def about(path):
    """A context in which an OSError becomes an exception of tf.errors that names the path."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise error_of(error.errno, path) from None
