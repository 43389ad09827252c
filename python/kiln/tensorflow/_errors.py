"""Kiln's errors as TensorFlow's."""

import re

from tensorflow.python.framework import errors_impl

import kiln
from kiln.tensorflow import _foreign

NOT_THERE = "Op type not registered "
MISSING = re.compile("(?:registered|nor|,) '(\\w+)'")

# What TensorFlow says of a request rather than of a node, without the node.
OF_THE_REQUEST = (
    "was not specified in partial_run_setup.",
    "has already been fed.",
    "has already been fetched.",
    "can't be computed from the feeds that have been fed so far.",
)

# What Kiln says of a session that has been closed.
CLOSED = "Attempted to use a closed Session."


def tensorflow_error(error):
    """Returns the tf.errors exception that says the same; Session._do_call adds op and stack."""
    if error.code == kiln.errors.FAILED_PRECONDITION and error.message == CLOSED:
        # Session.close() would have been noticed by TensorFlow's own code: it was Session.reset().
        return errors_impl.CancelledError(None, None, "Session has been closed.")
    cls = errors_impl.exception_type_from_error_code(error.code)
    message = error.message
    for op_type in MISSING.findall(message) if message.startswith(NOT_THERE) else ():
        message += f"\n{op_type}: {_foreign.why_not(op_type) or 'it came behind install(foreign=False)'}"
    if error.node and not message.endswith(OF_THE_REQUEST):
        message += "\n\t [[{{node %s}}]]" % error.node
    return cls(None, None, message)


def translated(function, *arguments, **options):
    """Calls a function of Kiln's; its errors become TensorFlow's."""
    try:
        return function(*arguments, **options)
    except kiln.errors.OpError as error:
        raise tensorflow_error(error) from None
