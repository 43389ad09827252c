"""What is fetched, taken apart into tensors and operations, and put together again."""

import collections
import collections.abc

from kiln.compat.v1._elements import Operation, Tensor
from kiln.compat.v1._sparse import IndexedSlices, IndexedSlicesValue, SparseTensor, SparseTensorValue

# (type, function from an object to (elements, function from their values to the value))
_registered = []


def register(tensor_type, function):
    for known, _ in _registered:
        if issubclass(tensor_type, known):
            raise ValueError(f"{tensor_type} has already been registered so ignore it.")
    _registered.insert(0, (tensor_type, function))


def _of_slices(slices):
    if slices.dense_shape is None:
        return [slices.values, slices.indices], lambda values: IndexedSlicesValue(values[0], values[1], None)
    elements = [slices.values, slices.indices, slices.dense_shape]
    return elements, lambda values: IndexedSlicesValue(*values)


_registered.append(
    (SparseTensor, lambda fetch: ([fetch.indices, fetch.values, fetch.dense_shape], lambda v: SparseTensorValue(*v)))
)
_registered.append((IndexedSlices, _of_slices))


class Request:
    """A structure of fetches. targets: the operations in it."""

    def __init__(self, graph, fetches, feeds):
        self._graph, self._feeds = graph, feeds
        # In the order of their first mention: elements, and the place of each.
        self._places = {}
        # Whether Kiln's session takes the structure as it is.
        self.is_plain = True
        self._build = self._taken(fetches)
        self.targets = [element for element in self._places if isinstance(element, Operation)]
        fetched = [element for element in self._places if isinstance(element, Tensor)]
        self.fetches_fed = any(tensor in feeds for tensor in fetched)
        self.fetches_fed |= any(tensor in feeds for op in self.targets for tensor in op.outputs)

    def _taken(self, fetch):
        """A function from the list of values to the value of one fetch."""
        if fetch is None:
            raise TypeError(f"Argument `fetch` = {fetch} has invalid type {type(fetch).__name__!r}. Cannot be None")
        if isinstance(fetch, (list, tuple)) or type(fetch).__name__ == "_InputList":
            return self._taken_sequence(fetch)
        if isinstance(fetch, collections.abc.Mapping):
            keys = list(fetch)
            builds = [self._taken(fetch[key]) for key in keys]
            kind = type(fetch)
            self.is_plain &= kind is dict
            if kind is dict:
                return lambda values: {key: build(values) for key, build in zip(keys, builds)}
            return lambda values: _like(kind, fetch, [(key, build(values)) for key, build in zip(keys, builds)])
        if hasattr(type(fetch), "__attrs_attrs__"):
            self.is_plain = False
            builds = [self._taken(getattr(fetch, field.name)) for field in type(fetch).__attrs_attrs__]
            return lambda values: type(fetch)(*[build(values) for build in builds])
        return self._taken_element(fetch)

    def _taken_sequence(self, fetch):
        builds = [self._taken(each) for each in fetch]
        kind = type(fetch)
        if hasattr(kind, "_fields"):
            return lambda values: kind(*[build(values) for build in builds])
        self.is_plain &= kind in (list, tuple)
        if isinstance(fetch, tuple):
            return lambda values: tuple([build(values) for build in builds])
        return lambda values: [build(values) for build in builds]

    def _taken_element(self, fetch):
        for kind, function in _registered:
            if isinstance(fetch, kind):
                self.is_plain = False
                elements, contract = function(fetch)
                builds = [self._place(element) for element in elements]
                return lambda values: contract([build(values) for build in builds])
        return self._place(fetch)

    def _place(self, fetch):
        try:
            element = self._graph.as_graph_element(fetch, allow_tensor=True, allow_operation=True)
        except TypeError as error:
            raise TypeError(
                f"Argument `fetch` = {fetch} has invalid type {type(fetch).__name__!r} must be a string or Tensor. "
                f"({error})"
            ) from None
        except ValueError as error:
            raise ValueError(f"Argument `fetch` = {fetch} cannot be interpreted as a Tensor. ({error})") from None
        except KeyError as error:
            raise ValueError(f"Argument `fetch` = {fetch} cannot be interpreted as a Tensor. ({error})") from None
        if not self._graph.is_fetchable(element) or (
            isinstance(element, Tensor) and not self._graph.is_fetchable(element.op)
        ):
            raise ValueError(f"Operation {element.name!r} has been marked as not fetchable.")
        place = self._places.setdefault(element, len(self._places))
        if isinstance(element, Tensor) and element in self._feeds:
            fed = self._feeds[element]
            return lambda values: fed
        return lambda values: values[place]

    def names(self):
        return [element.name for element in self._places]

    def result(self, values):
        """The values of names(), in the structure."""
        return self._build(values)


def _like(kind, fetch, items):
    """A mapping of a kind of its own."""
    if isinstance(fetch, collections.defaultdict):
        return collections.defaultdict(fetch.default_factory, items)
    return kind(items)


