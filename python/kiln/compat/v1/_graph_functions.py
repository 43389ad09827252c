"""What functions of the module mean of the default graph: scopes, devices, collections, seeds."""

import contextlib

from kiln._kiln import front as _c
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1._variable_scope import graph_of

__all__ = [
    "add_to_collection", "add_to_collections", "colocate_with", "container", "control_dependencies",
    "device", "get_collection", "get_collection_ref", "get_seed", "init_scope", "name_scope", "op_scope",
    "set_random_seed",
]  # fmt: skip


class name_scope:  # noqa: N801, TensorFlow's name
    """A context that puts name/ before the names of ops; entering gives the full name and a slash.

    name: where it is None, default_name. values: tensors, whose graph becomes the
    default one meanwhile. Errors: TypeError for a name that is no str. Source:
    tf.name_scope.
    """

    def __init__(self, name, default_name=None, values=None):
        if not isinstance(default_name, str | None):
            raise TypeError(
                f"`default_name` type ({type(default_name)}) is not a string type. "
                "You likely meant to pass this into the `values` kwarg."
            )
        self._name = default_name if name is None else name
        self._values = values
        self._entered = []

    @property
    def name(self):
        return self._name

    def __enter__(self):
        if self._name is None and self._values is not None:
            raise ValueError("At least one of name (None) and default_name (None) must be provided.")
        with contextlib.ExitStack() as exits:
            graph = get_default_graph()
            inner = graph_of(self._values) if self._values else None
            if inner is not None and inner is not graph:
                graph = exits.enter_context(inner.as_default())
            scope = exits.enter_context(graph.name_scope(self._name))
            self._entered.append(exits.pop_all())
            return scope

    def __exit__(self, *exception):
        self._entered.pop().close()

    def __call__(self, function):
        import functools

        @functools.wraps(function)
        def decorated(*args, **kwargs):
            with name_scope(self._name, values=self._values):
                return function(*args, **kwargs)

        return decorated


@contextlib.contextmanager
def op_scope(values, name, default_name=None):
    """The older form of name_scope(). Source: tf.op_scope."""
    from kiln.compat.v1 import logging

    logging.warn(
        "tf.op_scope(values, name, default_name) is deprecated,"
        " use tf.name_scope(name, default_name, values)"
    )
    with name_scope(name, default_name, values) as scope:
        yield scope


def control_dependencies(control_inputs):
    """A context whose ops run behind these; None: behind nothing. Source: tf.control_dependencies."""
    return get_default_graph().control_dependencies(control_inputs)


def device(device_name_or_function):
    """A context whose ops are on a device. Source: tf.device."""
    return get_default_graph().device(device_name_or_function)


def colocate_with(op, ignore_existing=False):
    """A context whose ops stand where another does. Source: tf.colocate_with."""
    from kiln.compat.v1._deprecations import deprecated

    deprecated("framework.ops._colocate_with", "Colocations handled automatically by placer.")
    return get_default_graph().colocate_with(op, ignore_existing)


def container(container_name):
    """A context whose resources are in a container of this name. Source: tf.container."""
    return get_default_graph().container(container_name)


@contextlib.contextmanager
def init_scope():
    """A context outside of functions, conditionals and loops, under the present name scope.

    Source: tf.init_scope.
    """
    graph = get_default_graph()
    scope = graph.get_name_scope()
    while graph.outer_graph is not None:
        graph = graph.outer_graph
    with graph.as_default(), graph.name_scope(f"{scope}/" if scope else None):
        with graph.control_dependencies(None):
            yield


def add_to_collection(name, value):
    """Appends to a collection of the default graph. Source: tf.add_to_collection."""
    get_default_graph().add_to_collection(name, value)


def add_to_collections(names, value):
    """Appends to several collections of the default graph. Source: tf.add_to_collections."""
    get_default_graph().add_to_collections(names, value)


def get_collection(key, scope=None):
    """A list of a collection's items, of those whose name begins with a match of scope.

    Source: tf.get_collection.
    """
    return get_default_graph().get_collection(key, scope)


def get_collection_ref(key):
    """The collection itself as a list. Source: tf.get_collection_ref."""
    return get_default_graph().get_collection_ref(key)


def set_random_seed(seed):
    """Sets the seed of the default graph, which all random ops go by. Source: tf.set_random_seed."""
    get_default_graph().seed = seed


def get_seed(op_seed):
    """The two seeds of a random op, of its own seed and the graph's; (None, None) without either.

    Source: tf.get_seed.
    """
    graph = get_default_graph()
    if op_seed is None and graph.seed is None:
        return None, None
    return _c.seeds_for(graph, op_seed)
