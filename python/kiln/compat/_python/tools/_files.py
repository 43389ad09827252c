"""Messages in files, as text or in binary form."""

from google.protobuf import text_format

from kiln.compat import v1 as tf


def parsed(path, message, is_binary, what):
    """The message with what a file holds. what: the file, for an error. Errors: IOError."""
    if not tf.gfile.Exists(path):
        raise IOError(f"Input {what} file '{path}' does not exist!")
    with tf.gfile.GFile(path, "rb" if is_binary else "r") as file:
        if is_binary:
            message.ParseFromString(file.read())
        else:
            text_format.Merge(file.read(), message)
    return message


def names(text):
    """The words of a list that commas separate; None for an empty text."""
    return text.replace(" ", "").split(",") if text else None
