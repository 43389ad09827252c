"""Ops that no code of Kiln's computes: those that call Python."""

import itertools
import threading
import weakref

import kiln
from kiln import _kiln

_lock = threading.Lock()
_kinds = {}  # by the op
_calls = {}  # by the number that Kiln knows a node by
_numbers = {}  # by the op and the attributes
_next_number = itertools.count()


class ForeignOp:
    """An op in the grammar of Kiln's schemas, and what a run asks of it.

    prepare(attrs): gives call(values), which gives a list of (array, number of the dtype), and the object
    with whose end the call is forgotten, or None.
    shapes(attrs): lists of the extents of the outputs, None for a rank that is not known.
    """

    def __init__(self, inputs, outputs, attrs, prepare, shapes, is_stateful=False, calls_back=False):
        self.signature = inputs, outputs, attrs, is_stateful, calls_back
        self.prepare, self.shapes = prepare, shapes


def register(ops):
    """Makes Kiln know these ops, a dict by their names, and gives those that it did not know yet."""
    added = []
    with _lock:
        if not _kinds:
            _kiln._set_foreign_library(_prepare, _infer, _compute)
        for name, op in ops.items():
            if name not in _kinds:
                _kinds[name] = op
                _kiln._register_foreign_op(name, *op.signature)
                added.append(name)
    return added


def _by_name(attrs):
    return dict(zip(attrs[::2], attrs[1::2]))


def _prepare(op_type, attrs, num_outputs):
    """Of the compiler: the number of a node's calls."""
    key = op_type, repr(attrs)
    with _lock:
        number = _numbers.get(key)
        if number is None:
            number = _numbers[key] = next(_next_number)
            _calls[number], owner = _kinds[op_type].prepare(_by_name(attrs))
            if owner is not None:
                weakref.finalize(owner, _forget, key, number).atexit = False
        return number


def _forget(key, number):
    """Without the lock, which the thread may hold that the garbage collector runs on."""
    _numbers.pop(key, None)
    _calls.pop(number, None)


def _infer(op_type, attrs, shapes, kinds, values):
    """Of the compiler: the shapes of the outputs."""
    return _kinds[op_type].shapes(_by_name(attrs))


def _compute(number, values, kinds):
    """Of a run: the outputs with the numbers of their dtypes."""
    call = _calls.get(number)
    if call is None:
        raise kiln.errors.InvalidArgumentError("the function that the node called is gone", None)
    return call(values)
