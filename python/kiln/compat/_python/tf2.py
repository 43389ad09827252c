"""Whether TensorFlow behaves as version 2: it does not."""


def enabled():
    """Returns False."""
    return False


def disable():
    """Does nothing: TensorFlow 1 is all that there is."""
