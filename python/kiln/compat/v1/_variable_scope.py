"""Variable scopes: variables by name, made once and found again."""

import contextlib
import functools

from kiln._kiln import front as _c
from kiln.compat.v1 import _initializers, dtypes  # noqa: F401
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1._variables import VariableAggregation, VariableSynchronization, is_trained


class _ReuseMode:
    """tf.AUTO_REUSE: variables that are there are found, others are made."""

    def __repr__(self):
        return "tf.AUTO_REUSE"


AUTO_REUSE = _ReuseMode()


class VariableScope:
    """A variable scope that is open, or may be entered again. Source: tf.VariableScope."""

    def __init__(self, handle):
        self._handle = handle
        # The graph has the functions that C++ calls.
        self._graph = get_default_graph()

    @property
    def name(self):
        return self._handle.name

    @property
    def original_name_scope(self):
        """The name scope of ops, with a slash, where it was opened first."""
        return self._handle.original_name_scope

    @property
    def reuse(self):
        reuse = self._handle.reuse
        return AUTO_REUSE if reuse == "auto" else reuse

    def reuse_variables(self):
        """From now on only variables that are there."""
        self._handle.reuse_variables()

    def _default(self, i):
        return self._handle.defaults()[i]

    def _set_default(self, i, value):
        with self._graph.as_default():
            defaults = list(self._handle.defaults())
            defaults[i] = value
            self._handle.set_defaults(*defaults)

    initializer = property(lambda self: self._default(0))
    regularizer = property(lambda self: self._default(1))
    constraint = property(lambda self: self._default(2))
    partitioner = property(lambda self: self._default(3))
    dtype = property(lambda self: self._default(4))
    use_resource = property(lambda self: self._default(5))

    @property
    def custom_getter(self):
        getter = self._default(6)
        return functools.partial(_call_outer, getter) if isinstance(getter, _c.CustomGetter) else getter

    @property
    def caching_device(self):
        """None: there is one device, and reads stand where they are written."""
        return None

    def set_initializer(self, initializer):
        self._set_default(0, initializer)

    def set_regularizer(self, regularizer):
        self._set_default(1, regularizer)

    def set_partitioner(self, partitioner):
        self._set_default(3, partitioner)

    def set_dtype(self, dtype):
        self._set_default(4, dtype)

    def set_use_resource(self, use_resource):
        self._set_default(5, use_resource)

    def set_custom_getter(self, custom_getter):
        self._set_default(6, custom_getter)

    def set_caching_device(self, caching_device):
        """Changes nothing: there is one device."""

    def get_collection(self, name):
        prefix = self.name + "/" if self.name else ""
        return get_default_graph().get_collection(name, prefix)

    def trainable_variables(self):
        return self.get_collection("trainable_variables")

    def global_variables(self):
        return self.get_collection("variables")

    def local_variables(self):
        return self.get_collection("local_variables")

    def __eq__(self, other):
        return isinstance(other, VariableScope) and self._handle.is_same(other._handle)

    __hash__ = None


def get_variable_scope():
    """The innermost scope. Source: tf.get_variable_scope."""
    return VariableScope(_c.current_variable_scope())


class variable_scope:  # noqa: N801, TensorFlow's name
    """A context that puts name/ before the names of variables and ops.

    name_or_scope: a name, or a VariableScope to enter again; None: default_name
    made unique. reuse: True: variables must be there; AUTO_REUSE: they are made
    where they are not. The other arguments are what get_variable() takes where it
    is not given them. Errors: TypeError, ValueError. Source: tf.variable_scope.
    """

    def __init__(
        self,
        name_or_scope,
        default_name=None,
        values=None,
        initializer=None,
        regularizer=None,
        caching_device=None,
        partitioner=None,
        custom_getter=None,
        reuse=None,
        dtype=None,
        use_resource=None,
        constraint=None,
        auxiliary_name_scope=True,
    ):
        self._name_or_scope, self._default_name, self._values = name_or_scope, default_name, values
        self._options = (
            initializer, regularizer, constraint, partitioner, dtype, use_resource, auxiliary_name_scope, custom_getter,
        )  # fmt: skip
        if reuse is False:
            reuse = None  # inherited, as TensorFlow has it
        self._reuse = reuse
        if self._default_name is None and self._name_or_scope is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        if self._name_or_scope is not None and not isinstance(self._name_or_scope, (str, VariableScope)):
            raise TypeError("VariableScope: name_or_scope must be a string or VariableScope.")
        if custom_getter is not None and not callable(custom_getter):
            raise ValueError(f"Passed a custom_getter which is not callable: {custom_getter}")
        if not isinstance(auxiliary_name_scope, bool):
            raise TypeError(
                "The auxiliary_name_scope must be `True` or `False`, while get {}".format(auxiliary_name_scope)
            )
        self._entered = []

    def __enter__(self):
        exits = contextlib.ExitStack()
        with exits:
            graph = graph_of(self._values)
            if graph is not None and graph is not get_default_graph():
                exits.enter_context(graph.as_default())
            scope, again = _c.VariableScope(), self._name_or_scope
            handle = scope.enter(
                again._handle if isinstance(again, VariableScope) else again,
                self._default_name,
                self._reuse,
                *self._options,
            )
            exits.callback(scope.leave)
            entered = VariableScope(handle)
            self._entered.append(exits.pop_all())
            return entered

    def __exit__(self, *exception):
        self._entered.pop().close()

    def __call__(self, function):
        import functools

        @functools.wraps(function)
        def decorated(*args, **kwargs):
            with self:
                return function(*args, **kwargs)

        return decorated


def graph_of(values):
    """The graph that the first tensor or variable is in; None where there is none."""
    for value in values or ():
        graph = getattr(value, "graph", None)
        if isinstance(graph, _c.Graph):
            return graph
    return None


@contextlib.contextmanager
def variable_op_scope(values, name_or_scope, default_name=None, **options):
    """The older form of variable_scope(). Source: tf.variable_op_scope."""
    with variable_scope(name_or_scope, default_name=default_name, values=values, **options) as scope:
        yield scope


@contextlib.contextmanager
def variable_creator_scope(variable_creator):
    """A context in which variable_creator(next_creator, **kwargs) makes variables.

    Source: tf.variable_creator_scope.
    """
    creators = get_default_graph().__dict__.setdefault("_variable_creators", [])
    creators.append(variable_creator)
    try:
        yield
    finally:
        creators.pop()


def get_variable(
    name,
    shape=None,
    dtype=None,
    initializer=None,
    regularizer=None,
    trainable=None,
    collections=None,
    caching_device=None,
    partitioner=None,
    validate_shape=True,
    use_resource=None,
    custom_getter=None,
    constraint=None,
    synchronization=VariableSynchronization.AUTO,
    aggregation=VariableAggregation.NONE,
):
    """Finds or makes a variable by its name in the variable scope, as its reuse says.

    shape: fully known, unless the initializer is a value. initializer: a value, a
    function of shape and dtype, or one without arguments; the scope's, then
    Glorot's uniform one (zeros for integers and bool) where it is None. Errors:
    ValueError for a variable that is there without reuse, or not there with it, or
    is another one. Source: tf.get_variable.
    """
    if partitioner is not None and not callable(partitioner):
        raise ValueError(f"Partitioner must be callable, but received: {partitioner}")
    if custom_getter is not None and not callable(custom_getter):
        raise ValueError(f"Passed a custom_getter which is not callable: {custom_getter}")
    trainable = is_trained(trainable, synchronization)
    keys = None if collections is None else [str(key) for key in collections]
    return _c.get_variable(
        name, shape, dtype, initializer, regularizer, constraint, trainable, keys, validate_shape, use_resource,
        partitioner, None, custom_getter,
    )  # fmt: skip


def get_local_variable(
    name,
    shape=None,
    dtype=None,
    initializer=None,
    regularizer=None,
    trainable=False,
    collections=None,
    caching_device=None,
    partitioner=None,
    validate_shape=True,
    use_resource=None,
    custom_getter=None,
    constraint=None,
    synchronization=VariableSynchronization.AUTO,
    aggregation=VariableAggregation.NONE,
):
    """As get_variable(), but neither trained nor saved. Source: tf.get_local_variable."""
    return get_variable(
        name, shape, dtype, initializer, regularizer, False, [*(collections or ()), "local_variables"],
        caching_device, partitioner, validate_shape, use_resource, custom_getter, constraint, synchronization,
        aggregation,
    )  # fmt: skip


def no_regularizer(_):
    """A regularizer that gives nothing. Source: tf.no_regularizer."""
    return None


# Custom getters: C++ has a variable's options in this order.


def _keywords(
    shape, dtype, initializer, regularizer, constraint, trainable, collections, validate_shape, use_resource,
    partitioner, reuse, _,
):  # fmt: skip
    """What a getter is called with beside the name, as TensorFlow calls it."""
    return {
        "shape": None if shape.ndims is None else shape.as_list(),
        "dtype": dtype,
        "initializer": initializer,
        "regularizer": regularizer,
        "reuse": AUTO_REUSE if reuse == "auto" else reuse,
        "trainable": trainable,
        "collections": collections,
        "caching_device": None,
        "partitioner": partitioner,
        "validate_shape": validate_shape,
        "use_resource": use_resource,
        "constraint": constraint,
        "synchronization": VariableSynchronization.AUTO,
        "aggregation": VariableAggregation.NONE,
    }


def _true_getter(getter):
    """A getter of C++'s as a function with TensorFlow's arguments."""

    def true_getter(
        name,
        shape=None,
        dtype=dtypes.float32,
        initializer=None,
        regularizer=None,
        reuse=None,
        trainable=None,
        collections=None,
        caching_device=None,
        partitioner=None,
        validate_shape=True,
        use_resource=None,
        constraint=None,
        synchronization=VariableSynchronization.AUTO,
        aggregation=VariableAggregation.NONE,
    ):
        return getter(
            name, shape, dtype, initializer, regularizer, constraint, trainable, collections, validate_shape,
            use_resource, partitioner, reuse,
        )  # fmt: skip

    return true_getter


def _call_custom_getter(custom_getter, getter, name, *options):
    """C++ calls it for a custom getter of Python's."""
    keywords = _keywords(*options)
    if not _takes_constraint(custom_getter):
        del keywords["constraint"]
    return custom_getter(getter=_true_getter(getter), name=name, **keywords)


def _call_getter(getter, name, *options):
    """C++ calls it for a getter of Python's that a custom getter of C++'s was given."""
    return getter(name=name, **_keywords(*options))


def _call_outer(custom_getter, getter, name, shape=None, dtype=dtypes.float32, **options):
    """A custom getter that C++ composed, with TensorFlow's arguments."""
    options = {"shape": shape, "dtype": dtype, **options}
    order = (
        "shape", "dtype", "initializer", "regularizer", "constraint", "trainable", "collections", "validate_shape",
        "use_resource", "partitioner", "reuse",
    )  # fmt: skip
    return custom_getter.call(getter, name, *(options.get(key) for key in order))


def _takes_constraint(function):
    """Whether a custom getter knows the argument, which TensorFlow got late."""
    import inspect

    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return True
    return "constraint" in parameters or any(each.kind is each.VAR_KEYWORD for each in parameters.values())


_c.set_classes(call_custom_getter=_call_custom_getter, call_getter=_call_getter)
