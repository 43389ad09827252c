"""Variable scopes: variables by name, made once and found again."""

import contextlib

from kiln._kiln import front as _c
from kiln.compat.v1 import _initializers, dtypes  # noqa: F401
from kiln.compat.v1._graph import get_default_graph


class _ReuseMode:
    """tf.AUTO_REUSE: variables that are there are found, others are made."""

    def __repr__(self):
        return "tf.AUTO_REUSE"


AUTO_REUSE = _ReuseMode()


class VariableScope:
    """A variable scope that is open, or may be entered again. Source: tf.VariableScope."""

    def __init__(self, handle, defaults):
        self._handle, self._defaults = handle, defaults

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

    initializer = property(lambda self: self._defaults.get("initializer"))
    regularizer = property(lambda self: self._defaults.get("regularizer"))
    partitioner = property(lambda self: self._defaults.get("partitioner"))
    constraint = property(lambda self: self._defaults.get("constraint"))
    custom_getter = property(lambda self: self._defaults.get("custom_getter"))
    caching_device = property(lambda self: self._defaults.get("caching_device"))
    dtype = property(lambda self: self._defaults.get("dtype") or dtypes.float32)
    use_resource = property(lambda self: self._defaults.get("use_resource"))

    def get_collection(self, name):
        prefix = self.name + "/" if self.name else ""
        return get_default_graph().get_collection(name, prefix)

    def trainable_variables(self):
        return self.get_collection("trainable_variables")

    def global_variables(self):
        return self.get_collection("variables")

    def local_variables(self):
        return self.get_collection("local_variables")




def _scopes_of(graph):
    """The open scopes of a graph as Python's objects, the innermost last."""
    return graph.__dict__.setdefault("_variable_scopes", [VariableScope(_c.current_variable_scope(), {})])


def get_variable_scope():
    """The innermost scope. Source: tf.get_variable_scope."""
    graph = get_default_graph()
    outermost = graph
    while outermost.outer_graph is not None:
        outermost = outermost.outer_graph
    scope = _scopes_of(outermost)[-1]
    handle = _c.current_variable_scope()
    # C++ opens scopes of its own for layers.
    return scope if scope._handle.is_same(handle) else VariableScope(handle, scope._defaults)


_DEFAULTS = (
    "initializer", "regularizer", "caching_device", "partitioner", "dtype", "use_resource", "constraint",
)  # fmt: skip


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
        given = dict(locals())
        self._name_or_scope, self._default_name, self._values = name_or_scope, default_name, values
        self._own = {name: given[name] for name in _DEFAULTS if given[name] is not None}
        self._custom_getter, self._auxiliary_name_scope = custom_getter, auxiliary_name_scope
        if reuse is False:
            reuse = None  # inherited, as TensorFlow has it
        self._reuse = reuse
        if self._default_name is None and self._name_or_scope is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        if self._name_or_scope is not None and not isinstance(self._name_or_scope, (str, VariableScope)):
            raise TypeError("VariableScope: name_or_scope must be a string or VariableScope.")
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
            outer = get_variable_scope()
            base = self._name_or_scope if isinstance(self._name_or_scope, VariableScope) else outer
            defaults = {**base._defaults, **self._own}
            getter = self._custom_getter
            if getter is not None:
                defaults["custom_getter"] = _composed(getter, base._defaults.get("custom_getter"))
            scope = _c.VariableScope()
            again = self._name_or_scope
            handle = scope.enter(
                again._handle if isinstance(again, VariableScope) else again,
                self._default_name,
                self._reuse,
                self._own.get("initializer"),
                self._own.get("regularizer"),
                self._own.get("constraint"),
                self._own.get("partitioner"),
                self._own.get("dtype"),
                self._own.get("use_resource"),
                self._auxiliary_name_scope,
            )
            exits.callback(scope.leave)
            entered = VariableScope(handle, defaults)
            root = get_default_graph()
            while root.outer_graph is not None:
                root = root.outer_graph
            scopes = _scopes_of(root)
            scopes.append(entered)
            exits.callback(scopes.pop)
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


def _composed(getter, outer):
    """A custom getter around the one of the scope outside."""
    if outer is None:
        return getter
    return lambda inner, *args, **kwargs: outer(lambda *a, **k: getter(inner, *a, **k), *args, **kwargs)


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
    synchronization=None,
    aggregation=None,
):
    """Finds or makes a variable by its name in the variable scope, as its reuse says.

    shape: fully known, unless the initializer is a value. initializer: a value, a
    function of shape and dtype, or one without arguments; the scope's, then
    Glorot's uniform one (zeros for integers and bool) where it is None. Errors:
    ValueError for a variable that is there without reuse, or not there with it, or
    is another one. Source: tf.get_variable.
    """
    arguments = dict(
        shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer, trainable=trainable,
        collections=collections, caching_device=caching_device, partitioner=partitioner,
        validate_shape=validate_shape, use_resource=use_resource, constraint=constraint,
        synchronization=synchronization, aggregation=aggregation,
    )  # fmt: skip
    scope = get_variable_scope()
    getter = scope.custom_getter
    if custom_getter is not None:
        getter = _composed(custom_getter, getter)
    if getter is None:
        return _get_variable(name, **arguments)
    full_name = f"{scope.name}/{name}" if scope.name else name
    reuse = scope.reuse

    def true_getter(name, reuse=reuse, **given):
        own = name[len(scope.name) + 1 :] if scope.name and name.startswith(scope.name + "/") else name
        return _get_variable(own, **{**arguments, **given})

    return getter(true_getter, full_name, reuse=reuse, **arguments)


def _get_variable(
    name, shape, dtype, initializer, regularizer, trainable, collections, partitioner, validate_shape,
    use_resource, constraint, **_,
):  # fmt: skip
    keys = None if collections is None else [str(key) for key in collections]
    return _c.get_variable(
        name, shape, dtype, initializer, regularizer, constraint, trainable, keys, validate_shape, use_resource
    )


def get_local_variable(*args, **kwargs):
    """As get_variable(), but neither trained nor saved. Source: tf.get_local_variable."""
    kwargs["trainable"] = False
    kwargs["collections"] = [*(kwargs.get("collections") or ()), "local_variables"]
    return get_variable(*args, **kwargs)


def no_regularizer(_):
    """A regularizer that gives nothing. Source: tf.no_regularizer."""
    return None
