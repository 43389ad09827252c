"""Libraries with ops of programs' own, which are TensorFlow's: tf.load_op_library."""

import ctypes

from kiln.compat.v1 import errors


def load_op_library(library_filename):
    """Says that ops which are built against TensorFlow cannot be loaded: NotFoundError.

    A library of TensorFlow's ops needs functions of TensorFlow itself. Source: tf.load_op_library.
    """
    try:
        ctypes.CDLL(library_filename)
    except OSError as error:
        raise errors.NotFoundError(None, None, str(error)) from None
    raise errors.NotFoundError(
        None, None, f"{library_filename}: it has no ops for Kiln, which loads none that are built for TensorFlow"
    )


def load_library(library_location):
    """As load_op_library(). Source: tf.load_library."""
    load_op_library(library_location)


def load_file_system_library(library_filename):
    """As load_op_library(). Source: tf.load_file_system_library."""
    load_op_library(library_filename)
