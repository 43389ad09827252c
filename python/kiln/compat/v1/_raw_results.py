"""Results of ops with several outputs, some of which are lists."""

import operator

from kiln._kiln import front as _c


class OpResult(tuple):
    """A named tuple of an op's outputs; made a hundred times faster than collections.namedtuple's."""

    __slots__ = ()
    _fields = ()

    def __new__(cls, *values, **named):
        if named:
            values += tuple(named.pop(field) for field in cls._fields[len(values) :])
        if named or len(values) != len(cls._fields):
            raise TypeError(f"expected {', '.join(cls._fields)}")
        return tuple.__new__(cls, values)

    @classmethod
    def _make(cls, values):
        return cls(*values)

    def _asdict(self):
        return dict(zip(self._fields, self))

    def _replace(self, **values):
        return self._make(values.get(field, own) for field, own in zip(self._fields, self))

    def __getnewargs__(self):
        return tuple(self)

    def __repr__(self):
        items = ", ".join(f"{field}={value!r}" for field, value in zip(self._fields, self))
        return f"{type(self).__name__}({items})"


def result_class(name, *fields):
    """The class of an op's outputs."""
    members = {"__slots__": (), "_fields": fields, "__module__": "kiln.compat.v1.raw_ops"}
    for place, field in enumerate(fields):
        members[field] = property(operator.itemgetter(place))
    return type(name, (OpResult,), members)


def grouped(operation, lengths):
    """The outputs of an operation, one by one or as lists.

    lengths: for each output None, or the name of the attribute that tells how
    many tensors it has (a number) or their types (a list).
    """
    outputs, results, at = operation.outputs, [], 0
    for attribute in lengths:
        if attribute is None:
            results.append(outputs[at])
            at += 1
            continue
        value = _c.attribute(operation, attribute)
        count = value if isinstance(value, int) else len(value)
        results.append(outputs[at : at + count])
        at += count
    return results
