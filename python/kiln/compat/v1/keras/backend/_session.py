"""The session of Keras, the learning phase, variables and their values."""

import contextlib
import threading
import weakref

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.keras.backend import _config

_local = threading.local()
# Of each session: how many of its graph's variables have a value.
_initialized = weakref.WeakKeyDictionary()
_manual = False


def manual_variable_initialization(value):
    """Whether the program initializes variables itself."""
    global _manual
    _manual = value


def track(variable):
    """Makes get_session() initialize a variable."""
    _config.state_of(variable.graph).variables.append(variable)


def get_session(op_input_list=()):
    """The default session, or one that Keras keeps; new variables get their first values.

    Source: tf.keras.backend.get_session.
    """
    session = _get_session()
    if not _manual:
        _initialize(session)
    return session


def _get_session():
    default, graph = tf.get_default_session(), tf.get_default_graph()
    if default is not None and default.graph is graph:
        return default
    session = getattr(_local, "session", None)
    if session is None or session.graph is not graph:
        session = _local.session = tf.Session()
    return session


def set_session(session):
    """Makes a session that of Keras. Source: tf.keras.backend.set_session."""
    _local.session = session


def _initialize(session):
    state = _config.state_of(session.graph)
    variables = state.variables
    waiting = variables[_initialized.get(session, 0) :]
    if not waiting:
        return
    with session.graph.as_default():
        done = session.run([tf.is_variable_initialized(variable) for variable in waiting])
        missing = [variable for variable, is_done in zip(waiting, done) if not is_done]
        if missing:
            session.run(tf.variables_initializer(missing))
        _initialized[session] = len(variables)
        if missing:
            for checkpoint in list(state.checkpoints):
                checkpoint.restore_new(missing)


def clear_session():
    """Forgets the graph and the session. Source: tf.keras.backend.clear_session."""
    _local.session = None
    tf.reset_default_graph()
    learning_phase()


def learning_phase():
    """0 in test mode, 1 in training: a placeholder that is false where it is not fed, or what was
    set. Source: tf.keras.backend.learning_phase.
    """
    graph = tf.get_default_graph()
    while getattr(graph, "outer_graph", None) is not None:
        graph = graph.outer_graph
    state = _config.state_of(graph)
    if state.learning_phase is None:
        with graph.as_default(), tf.control_dependencies(None), tf.name_scope(""):
            state.learning_phase = tf.placeholder_with_default(
                False, shape=(), name="keras_learning_phase"
            )
    return state.learning_phase


def global_learning_phase_is_set():
    return isinstance(_config.state_of().learning_phase, int)


def set_learning_phase(value):
    """Sets it to 0 or 1 for the current graph. Errors: ValueError."""
    if value not in {0, 1}:
        raise ValueError("Expected learning phase to be 0 or 1.")
    _config.state_of().learning_phase = int(value)


@contextlib.contextmanager
def learning_phase_scope(value):
    """A context with the phase set. Errors: ValueError."""
    state = _config.state_of()
    before = state.learning_phase
    set_learning_phase(value)
    try:
        yield
    finally:
        state.learning_phase = before


def variable(value, dtype=None, name=None, constraint=None):
    """A variable with a first value. Source: tf.keras.backend.variable."""
    dtype = dtype or _config.floatx()
    if hasattr(value, "tocoo"):
        coordinates = value.tocoo()
        indices = np.stack([coordinates.row, coordinates.col], 1)
        sparse = tf.SparseTensor(indices.astype("int64"), coordinates.data, coordinates.shape)
        sparse._keras_shape = coordinates.shape
        return sparse
    made = tf.Variable(
        value, dtype=tf.as_dtype(dtype), name=name, constraint=constraint, use_resource=True
    )
    track(made)
    return made


def eval(x):
    """The value of a tensor or a variable, as an array."""
    return get_value(to_dense(x))


def get_value(x):
    """The value of a variable or a tensor."""
    if not isinstance(x, (tf.Tensor, tf.Variable)):
        return x
    return get_session().run(x)


def batch_get_value(tensors):
    """The values of several at once."""
    return get_session().run(tensors) if tensors else []


def set_value(x, value):
    """Gives a variable a value."""
    batch_set_value([(x, value)])


def batch_set_value(tuples):
    """Gives variables values: pairs."""
    if not tuples:
        return
    assigns, feeds = [], {}
    with tf.get_default_graph().as_default():
        for x, value in tuples:
            value = np.asarray(value, dtype=x.dtype.base_dtype.name)
            made = getattr(x, "_keras_assign", None)
            if made is None or made[0].shape.as_list() != list(value.shape):
                placeholder = tf.placeholder(x.dtype.base_dtype, shape=value.shape)
                made = x._keras_assign = placeholder, x.assign(placeholder).op
            feeds[made[0]] = value
            assigns.append(made[1])
        get_session().run(assigns, feed_dict=feeds)


def is_sparse(tensor):
    return isinstance(tensor, (tf.SparseTensor, tf.SparseTensorValue))


def to_dense(tensor):
    """A sparse tensor as a dense one; others as they are."""
    return tf.sparse_tensor_to_dense(tensor) if is_sparse(tensor) else tensor
