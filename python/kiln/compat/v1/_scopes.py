"""Contexts of graph construction, as objects that are entered and left."""

import collections.abc
import contextlib

from kiln._kiln import front as _c


class _Context:
    """Enters a scope of C++, once or several times in turn."""

    def __enter__(self):
        scope = self._make()
        result = self._begin(scope)
        # Contexts may be entered within themselves.
        self.__dict__.setdefault("_entered", []).append(scope)
        return result

    def __exit__(self, *exception):
        self._entered.pop().leave()

    # As a decorator.
    def __call__(self, function):
        import functools

        @functools.wraps(function)
        def decorated(*args, **kwargs):
            with self:
                return function(*args, **kwargs)

        return decorated


class GraphContext(_Context):
    """Graph.as_default()."""

    _make = staticmethod(_c.GraphScope)

    def __init__(self, graph):
        self._graph = graph

    def _begin(self, scope):
        scope.enter(self._graph)
        return self._graph


class NameContext(_Context):
    """Graph.name_scope()."""

    _make = staticmethod(_c.NameScope)

    def __init__(self, graph, name):
        self._graph, self._name = graph, name

    def _begin(self, scope):
        return scope.enter(self._graph, self._name or "")


class ContainerContext(_Context):
    """Graph.container()."""

    _make = staticmethod(_c.ContainerScope)

    def __init__(self, graph, name):
        self._graph, self._name = graph, name

    def _begin(self, scope):
        scope.enter(self._graph, self._name)
        return self._name


def _device_text(device):
    return device.to_string() if hasattr(device, "to_string") else device


def _chooser(function):
    """The function of an operation that C++ calls."""

    def choose(operation):
        from kiln.compat.v1.compat import as_str

        return as_str(_device_text(function(operation)))

    return choose


class DeviceContext(_Context):
    """Graph.device()."""

    def __init__(self, graph, device):
        device = _device_text(device)
        # C++ borrows the function.
        self._graph, self._device = graph, _chooser(device) if callable(device) else device

    def _make(self):
        return _c.DeviceFunctionScope() if callable(self._device) else _c.DeviceScope()

    def __enter__(self):
        with self._graph.as_default():
            return super().__enter__()

    def _begin(self, scope):
        # None takes all wishes back; an empty name is no wish.
        if self._device != "":
            scope.enter("" if self._device is None else self._device)


class _InGraph(_Context):
    """A scope of C++ that is of the graph that is current when it begins."""

    def __init__(self, graph, make, *arguments):
        self._graph, self._make, self._arguments = graph, make, arguments

    def __enter__(self):
        if self._graph is None or self._graph is _c.current_graph():
            return super().__enter__()
        with self._graph.as_default():
            return super().__enter__()

    def _begin(self, scope):
        scope.enter(*self._arguments)


def control_context(graph, control_inputs):
    """Graph.control_dependencies()."""
    if control_inputs is None:
        return _InGraph(graph, _c.ClearedControls)
    inputs = []
    for item in control_inputs:
        values = getattr(item, "values", None)
        if hasattr(item, "indices") and values is not None:  # IndexedSlices, SparseTensor
            item = values
        if not isinstance(item, (_c.Tensor, _c.Operation, _c.Variable)) and not hasattr(item, "op"):
            item = graph.as_graph_element(item)
        inputs.append(item)
    return _InGraph(graph, _c.ControlScope, inputs)


def colocation_context(graph, op, ignore_existing):
    """Graph.colocate_with()."""
    if op is None and not ignore_existing:
        raise ValueError("Trying to reset colocation (op is None) but ignore_existing is not True")
    if op is not None and hasattr(op, "indices") and hasattr(op, "values"):
        op = op.values
    return _InGraph(graph, _c.ColocationScope, op, ignore_existing)


def override_context(graph, op_type_map):
    """Graph.gradient_override_map()."""
    if not isinstance(op_type_map, dict):
        raise TypeError("op_type_map must be a dictionary mapping strings to strings")
    for op_type, mapped in op_type_map.items():
        if not isinstance(op_type, str) or not isinstance(mapped, str):
            raise TypeError("op_type_map must be a dictionary mapping strings to strings")
    return _InGraph(graph, _c.GradientOverrideScope, op_type_map)


def attribute_context(graph, attr_map):
    """Graph._attr_scope(): a dict from names to AttrValue messages."""
    from kiln.compat.v1._graph_defs import kind_and_value

    if not isinstance(attr_map, dict):
        raise TypeError("attr_map must be a dictionary mapping strings to Callable objects")
    attrs = {name: kind_and_value(value) for name, value in attr_map.items() if value is not None}
    return _InGraph(graph, _c.AttributeScope, attrs)


class CollectionList(collections.abc.MutableSequence):
    """A collection as a list, which stands in C++."""

    def __init__(self, graph, key):
        self._graph, self._key = graph, key

    def _items(self):
        return _c.collection(self._graph, self._key, "")

    def _set(self, items):
        _c.set_collection(self._graph, self._key, items)

    def __len__(self):
        return len(self._items())

    def __getitem__(self, index):
        return self._items()[index]

    def __setitem__(self, index, value):
        items = self._items()
        items[index] = value
        self._set(items)

    def __delitem__(self, index):
        items = self._items()
        del items[index]
        self._set(items)

    def insert(self, index, value):
        items = self._items()
        items.insert(index, value)
        self._set(items)

    def __eq__(self, other):
        return self._items() == (other._items() if isinstance(other, CollectionList) else other)

    def __add__(self, other):
        return self._items() + list(other)

    def __radd__(self, other):
        return list(other) + self._items()

    def __repr__(self):
        return repr(self._items())


@contextlib.contextmanager
def entered(*contexts):
    """Several contexts at once; gives what the last one does."""
    with contextlib.ExitStack() as stack:
        result = None
        for context in contexts:
            result = stack.enter_context(context)
        yield result
