"""What Keras is set to: the type of numbers, the small number, the order of axes."""

import weakref

from kiln.compat import v1 as tf

_floatx, _epsilon, _image_data_format = "float32", 1e-7, "channels_last"


class GraphState:
    """What Keras knows of a graph."""

    def __init__(self):
        self.uids = {}  # how many objects have each name
        self.variables = []  # those that get_session() initializes, in the order of creation
        self.learning_phase = None
        # What a checkpoint has for variables that are not there yet: objects with restore_new().
        self.checkpoints = weakref.WeakSet()


def state_of(graph=None):
    """The state of a graph, which lives with it."""
    graph = graph or tf.get_default_graph()
    state = getattr(graph, "_keras_state", None)
    if state is None:
        state = graph._keras_state = GraphState()
    return state


def backend():
    """The name of the library that computes: "tensorflow", as programs expect."""
    return "tensorflow"


def epsilon():
    """What is added to keep divisions and logarithms finite."""
    return _epsilon


def set_epsilon(value):
    global _epsilon
    _epsilon = value


def floatx():
    """The type of numbers, "float32" if it was not set."""
    return _floatx


def set_floatx(value):
    """Errors: ValueError for others than float16, float32 and float64."""
    global _floatx
    if value not in ("float16", "float32", "float64"):
        raise ValueError("Unknown floatx type: " + str(value))
    _floatx = str(value)


def image_data_format():
    """ "channels_last" or "channels_first"."""
    return _image_data_format


def set_image_data_format(data_format):
    """Errors: ValueError for others."""
    global _image_data_format
    if data_format not in ("channels_last", "channels_first"):
        raise ValueError("Unknown data_format: " + str(data_format))
    _image_data_format = str(data_format)


def cast_to_floatx(x):
    """A tensor or an array as floatx()."""
    import numpy as np

    if isinstance(x, (tf.Tensor, tf.Variable, tf.SparseTensor)):
        return tf.cast(x, _floatx)
    return np.asarray(x, dtype=_floatx)


def get_uid(prefix=""):
    """How many times this was called with a prefix, for the current graph."""
    uids = state_of().uids
    uids[prefix] = uids.get(prefix, 0) + 1
    return uids[prefix]


def reset_uids():
    state_of().uids.clear()


def unique_object_name(name, zero_based=False):
    """NAME, NAME_1, ... or NAME_1, NAME_2, ... in the current graph."""
    number = get_uid(name)
    if not zero_based:
        return f"{name}_{number}"
    return name if number == 1 else f"{name}_{number - 1}"


def standardize_data_format(value):
    """A data format, or the one that is set. Errors: ValueError."""
    value = value or _image_data_format
    if value.lower() not in ("channels_first", "channels_last"):
        raise ValueError(
            "The `data_format` argument must be one of "
            f'"channels_first", "channels_last". Received: {value}'
        )
    return value.lower()
