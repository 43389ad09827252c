"""How operations are run: in graphs, always."""

import contextlib

GRAPH_MODE = 0
EAGER_MODE = 1


def executing_eagerly():
    """Returns False."""
    return False


def in_eager_mode():
    """Returns False."""
    return False


def in_graph_mode():
    """Returns True."""
    return True


def num_gpus():
    """Returns 0."""
    return 0


@contextlib.contextmanager
def graph_mode():
    """A context in which operations are added to graphs, as everywhere."""
    yield


def ensure_initialized():
    """Nothing: there is no context to make."""


def _reset_context():
    """Nothing: there is no context."""


def set_log_device_placement(enabled):
    """Nothing: everything runs on the CPUs."""
