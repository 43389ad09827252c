"""Functions of Python's in graphs: tf.py_func."""

import itertools
import weakref

import numpy as np

import kiln
from kiln._kiln import front as _c
from kiln.compat.v1 import _foreign_ops, dtypes
from kiln.compat.v1._graph import get_default_graph

__all__ = ["numpy_function", "py_func"]

# By token, while the graph lives that has the node.
_functions = weakref.WeakValueDictionary()
_tokens = itertools.count()


class _Function:
    """What a node calls."""

    def __init__(self, function):
        self.call = function


def py_func(func, inp, Tout, stateful=True, name=None):
    """What a function makes of arrays, in the run: a tensor, or a list where Tout is one; of an
    empty list the operation.

    func takes an array for each of the list inp, and gives arrays of the dtypes Tout.
    Their shapes are not known. stateful: that two calls of equal arrays may differ. It is
    called in this process, on any thread, and may run sessions. Nothing flows back
    through it. Errors: those of func end the run, with the node's name. Source:
    tf.py_func.
    """
    if not callable(func):
        raise ValueError(f"Expected func to be callable. Received func={func} of type {type(func)}.")
    _register()
    is_list = isinstance(Tout, (list, tuple))
    kinds = [dtypes.as_dtype(each) for each in (Tout if is_list else [Tout])]
    token, function = f"pyfunc_{next(_tokens)}", _Function(func)
    _functions[token] = function
    graph = get_default_graph()
    while graph.outer_graph is not None:
        graph = graph.outer_graph
    graph.__dict__.setdefault("_py_funcs_used_in_graph", []).append(function)
    results = _c.add_op(
        "PyFunc" if stateful else "PyFuncStateless", name, 1 if kinds or not stateful else 2, 1, (list(inp),),
        "token", "string", token, "Tout", "list(type)", kinds,
    )  # fmt: skip
    return results if is_list else results[0]


def numpy_function(func, inp, Tout, name=None):
    """As py_func(). Source: tf.numpy_function."""
    return py_func(func, inp, Tout, True, name)


def _register():
    """Makes Kiln know the ops."""
    attrs = "token: string; Tin: list(type); Tout: list(type)"
    signature = "input: Tin", "output: Tout", attrs, _prepare, _shapes
    added = _foreign_ops.register(
        {
            "PyFunc": _foreign_ops.ForeignOp(*signature, is_stateful=True, calls_back=True),
            "PyFuncStateless": _foreign_ops.ForeignOp(*signature, calls_back=True),
        }
    )
    for op in added:
        _c.not_differentiable(op)


def _shapes(attrs):
    """Of the results nothing is known."""
    return [None] * len(attrs["Tout"])


def _prepare(attrs):
    token, expected = attrs["token"].decode(), tuple(attrs["Tout"])
    return lambda values: _compute(token, expected, values), _functions.get(token)


def _compute(token, expected, values):
    """Of a run: the results with the numbers of their dtypes."""
    function = _functions.get(token)
    if function is None:
        raise kiln.errors.InvalidArgumentError(
            f"ValueError: Could not find callback with key={token} in the registry.", None
        )
    try:
        results = function.call(*values)
    except Exception as error:
        raise _run_error(error) from error
    if results is None:
        results = []
    elif not isinstance(results, (list, tuple)):
        results = [results]
    if len(results) != len(expected):
        raise kiln.errors.InvalidArgumentError(
            f"{token} returns {len(results)} values, but expects to see {len(expected)} values.", None
        )
    return [_result(token, i, value, kind) for i, (value, kind) in enumerate(zip(results, expected))]


def _result(token, i, value, kind):
    array = np.asarray(value, order="C")
    if array.dtype.kind == "V":
        raise kiln.errors.InternalError("Unsupported numpy data type", None)
    if array.dtype.kind in "US":
        array = array.astype(object)
    if array.dtype.kind == "O":
        others = [type(item).__name__ for item in array.flat if not isinstance(item, (str, bytes))]
        if others:
            raise kiln.errors.InternalError(f"Unsupported object type {others[0]}", None)
    got = dtypes.as_dtype(array.dtype)
    if got.as_datatype_enum != kind:
        raise kiln.errors.InvalidArgumentError(
            f"{i}-th value returned by {token} is {got.name}, but expects {dtypes.as_dtype(kind).name}", None
        )
    return array, kind


def _run_error(error):
    """What TensorFlow makes of an exception of a function's."""
    import traceback

    code = kiln.errors.UnknownError
    for kinds, made in (
        ((ValueError, TypeError), kiln.errors.InvalidArgumentError),
        ((StopIteration,), kiln.errors.OutOfRangeError),
        ((MemoryError,), kiln.errors.ResourceExhaustedError),
        ((NotImplementedError,), kiln.errors.UnimplementedError),
    ):
        if isinstance(error, kinds):
            code = made
    text = "".join(traceback.format_exception(error)) if error.__traceback__ else ""
    return code(f"{type(error).__name__}: {error}\n{text}", None)
