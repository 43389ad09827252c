"""What tf does not show of errors."""

import warnings

from kiln.compat.v1 import errors


def _make_specific_exception(node_def, op, message, error_code):
    """The error of a code; UnknownError, with a warning, for one that is none."""
    try:
        return errors.exception_type_from_error_code(error_code)(node_def, op, message)
    except KeyError:
        warnings.warn(f"Unknown error code: {error_code}")
        return errors.UnknownError(node_def, op, message, error_code)
