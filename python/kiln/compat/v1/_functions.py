"""Functions in a graph's library that nodes call: tf.function and tensorflow.python.framework.function."""

import functools
import inspect

import numpy as np

from kiln._kiln import front as _c
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1._gradients import RegisterGradient
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1._structures import Structure
from kiln.compat.v1._util import nest
from kiln.compat.v1.dtypes import as_dtype
from kiln.compat.v1.errors import InvalidArgumentError
from kiln.compat.v1.shapes import TensorShape

__all__ = ["Defun", "function"]

_with_gradients = set()
_gradients = {}  # their numbers, in the order in which the process made them


class Defun:
    """A decorator that makes a Python function one of the graph's library, which each call is a node of.

    input_types: the dtypes of its arguments; without any those of each call, one function for
    each choice. func_name: its name in the library; without one that of the
    Python function, which a digest follows. grad_func: a function
    of the arguments and of the gradients of the results, which gives those of the arguments.
    python_grad_func: the same as tf.RegisterGradient takes it. shape_func: a function of the
    calling operation that gives the shapes of its results. capture_by_value: whether tensors from
    outside that the body uses are copied into it; otherwise they are passed at each call.
    allowlisted_stateful_ops: the operations that keep state and may be copied. Other keyword
    arguments, as noinline, are attributes of its definition.

    Errors: ValueError. Source: tensorflow.python.framework.function.Defun.
    """

    def __init__(self, *input_types, **kwargs):
        self._input_types, self._options = input_types, kwargs

    def __call__(self, func):
        if not callable(func):
            raise ValueError(f"Function {func} must be a callable.")
        names, has_rest = _arguments(func)
        count = len(self._input_types)
        if count and (count < len(names) or count > len(names) and not has_rest):
            raise ValueError(
                f"The number of tf.function input types is not compatible with the allowed arguments of {func}. "
                f"The tf.function have {count} input types, while the python function allows minimum {len(names)} "
                f"and maximum {1000000 if has_rest else len(names)} arguments."
            )
        if count or not (names or has_rest):
            return _DefinedFunction(func, names, self._input_types, **self._options)
        return _OverloadedFunction(func, names, **self._options)


def _arguments(func):
    """The names of a function's positional arguments, and whether it takes more."""
    names, has_rest = [], False
    for parameter in inspect.signature(func).parameters.values():
        if parameter.kind == parameter.VAR_POSITIONAL:
            has_rest = True
            continue
        if parameter.kind == parameter.VAR_KEYWORD or parameter.default is not parameter.empty:
            raise ValueError(
                "Functions with argument defaults or keywords arguments are not supported. "
                f"{func} has {parameter}."
            )
        names.append(parameter.name)
    return names, has_rest


def _of_graph(owner, key, make):
    """What is made once for each graph and key."""
    made = get_default_graph().__dict__.setdefault("_defined_functions", {})
    if (owner, key) not in made:
        made[owner, key] = make()
    return made[owner, key]


def _attributes(options):
    """What keyword arguments say of a function's definition, as C++ takes attributes."""
    known = {
        "noinline": "_noinline", "compiled": "_XlaCompile", "xla_scope": "_XlaScope",
        "separate_compiled_gradients": "_XlaSeparateCompiledGradients",
    }  # fmt: skip
    found = {}
    for name, value in options.items():
        if name not in known and not name.startswith(("experimental_", "_implements", "_reference")):
            raise ValueError(f"Unknown keyword arguments: {list(options)}.")
        kind = next((text for each, text in _ATTRIBUTES.items() if isinstance(value, each)), None)
        if kind is None:
            raise ValueError(f"Attribute {name} must be bool, int, float, or str. Got {type(value)}.")
        found[known.get(name, name)] = (kind, value.encode() if isinstance(value, str) else value)
    return found


_ATTRIBUTES = {bool: "bool", int: "int", float: "float", (str, bytes): "string"}


class _DefinedFunction:
    """What Defun makes of a function whose argument types are known."""

    def __init__(
        self, func, argnames, input_types, func_name=None, grad_func=None, python_grad_func=None, out_names=None,
        shape_func=None, capture_by_value=False, allowlisted_stateful_ops=None, **kwargs,
    ):  # fmt: skip
        if grad_func is not None and python_grad_func is not None:
            raise ValueError("Gradient defined twice for function")
        self._func, self._names = func, argnames
        self._input_types = [as_dtype(dtype) for dtype in input_types]
        self._is_named = func_name is not None
        self._func_name = func_name or getattr(func, "__name__", type(func).__name__)
        self._grad_func, self._python_grad_func, self._shape_func = grad_func, python_grad_func, shape_func
        self._copies, self._copyable = capture_by_value, list(allowlisted_stateful_ops or ())
        self._attributes = _attributes(kwargs)

    def _defined(self):
        return _of_graph(self, None, self._define)

    def _define(self):
        names = (self._names + [f"arg{i}" for i in range(len(self._names), len(self._input_types))])
        try:
            defined = _c.defun(
                self._library_name(), self._input_types, names, self._body, self._is_named, self._copies,
                self._copyable, self._attributes,
            )  # fmt: skip
        except ValueError as error:
            if not str(error).startswith("Cannot add function"):
                raise
            raise InvalidArgumentError(None, None, str(error)) from None
        name = _c.function_name(defined)
        if (self._grad_func or self._python_grad_func) is not None and name not in _with_gradients:
            _with_gradients.add(name)
            RegisterGradient(name)(self._gradient)
        return defined

    def _gradient(self, operation, *gradients):
        """The program's own gradient, which gets zeros for results that nothing depends on."""
        gradients = [
            _c.zeros_like(output) if gradient is None else gradient
            for output, gradient in zip(operation.outputs, gradients)
        ]
        if self._grad_func is not None:
            return self._grad_func(*operation.inputs, *gradients)
        return self._python_grad_func(operation, *gradients)

    def _library_name(self):
        """Gradients are registered by name, so that functions with other gradients need other names."""
        gradient = self._grad_func or self._python_grad_func
        if gradient is None:
            return self._func_name
        return f"{self._func_name}_with_gradient_{_gradients.setdefault(gradient, len(_gradients))}"

    def _body(self, arguments):
        results = self._func(*arguments)
        if results is None:
            return []
        results = list(results) if isinstance(results, (list, tuple)) else [results]
        if any(result is None for result in results):
            raise ValueError(f"Function {self._func_name} can not return None.")
        return [convert_to_tensor(result) for result in results]

    @property
    def name(self):
        """What the library of the current graph calls it; it is there then."""
        return _c.function_name(self._defined())

    @property
    def definition(self):
        """Its FunctionDef."""
        name = self.name
        graph = get_default_graph()
        while graph.outer_graph is not None:
            graph = graph.outer_graph
        return next(found for found in graph.as_graph_def().library.function if found.signature.name == name)

    @functools.cached_property
    def _signature(self):
        return self.definition.signature

    @property
    def declared_input_types(self):
        return tuple(self._input_types)

    @property
    def captured_inputs(self):
        """The tensors of the graph around that each call passes behind the arguments."""
        return _c.function_captures(self._defined())

    @property
    def stateful_ops(self):
        """(name, type) of the operations in it that keep state or have effects."""
        return _c.function_stateful_ops(self._defined())

    grad_func_name = property(lambda self: self._grad_func.name if self._grad_func else None)
    python_grad_func = property(lambda self: self._python_grad_func)

    def add_to_graph(self, g):
        """Puts it in another graph's library."""
        with g.as_default():
            self._defined()

    def __call__(self, *args, **kwargs):
        name = kwargs.pop("name", None)
        _attributes(kwargs)  # which change nothing, but may be none that there are
        if len(args) != len(self._input_types):
            raise ValueError(f"Expected {len(self._input_types)} arguments, got {len(args)}: {list(args)}.")
        results = _c.call_function(self._defined(), list(args), name)
        if self._shape_func is not None and results:
            for result, shape in zip(results, self._shape_func(results[0].op)):
                result.set_shape(shape)
        return results[0] if len(results) == 1 else results


class _OverloadedFunction:
    """What Defun makes of a function whose argument types each call tells."""

    def __init__(self, func, argnames, func_name=None, grad_func=None, **kwargs):
        self._func, self._names, self._func_name, self._grad_func = func, argnames, func_name, grad_func
        self._options, self._made = kwargs, {}

    def instantiate(self, input_types):
        """The function for these types."""
        key = tuple(as_dtype(dtype) for dtype in input_types)
        if key not in self._made:
            name = self._func_name and "_".join([self._func_name, *(dtype.name for dtype in key)])
            self._made[key] = _DefinedFunction(self._func, self._names, key, name, self._gradient(), **self._options)
        return self._made[key]

    def _gradient(self):
        if self._grad_func is None:
            return None
        return lambda *values: self._grad_func(*values)

    def __call__(self, *args, **kwargs):
        values = [convert_to_tensor(value) for value in args]
        return self.instantiate([value.dtype for value in values])(*values, **kwargs)


# tf.function.


def function(
    func=None,
    input_signature=None,
    autograph=True,
    experimental_autograph_options=None,
    experimental_relax_shapes=False,
    **kwargs,
):
    """A decorator that makes a Python function one of the graph's library.

    Each call is a node, PartitionedCall or, with effects, StatefulPartitionedCall, with a function
    of its own: gradients change what it gives. Its Python is taken as it is: `if` and `while` of
    tensors are errors, tf.cond and tf.while_loop are there for them. input_signature: TensorSpecs of
    all arguments. Source: tf.function, which calls the Python function once for each signature.
    """
    if func is None:
        return functools.partial(function, input_signature=input_signature)
    return Function(func, input_signature)


class Function:
    """What tf.function makes."""

    def __init__(self, python_function, input_signature=None):
        self.python_function, self._signature = python_function, input_signature
        self._methods = {}
        functools.update_wrapper(self, python_function, updated=())

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        made = self._methods.get(id(instance))
        if made is None:
            bound = functools.partial(self.python_function, instance)
            functools.update_wrapper(bound, self.python_function)
            made = self._methods[id(instance)] = Function(bound, self._signature)
        return made

    def __call__(self, *args, **kwargs):
        arguments = nest.flatten((args, kwargs))
        if self._signature is not None:
            specs = nest.flatten(self._signature)
            arguments = [convert_to_tensor(value, spec.dtype) for value, spec in zip(arguments, specs)]
        structure = Structure(nest.pack_sequence_as((args, kwargs), [_value(argument) for argument in arguments]))
        tensors = [value for value in structure.tensors if isinstance(value, _c.Tensor)]
        shapes = [value.shape for value in tensors]
        if self._signature is not None:
            shapes = [TensorShape(spec.shape) for spec in specs]
        defined, results = self._define(structure, tensors, shapes)
        given = _c.call_function(defined, tensors)
        for tensor, shape in zip(given, results.shapes):
            tensor.set_shape(shape)
        return results.pack(given)

    def _define(self, structure, tensors, shapes):
        found = []

        def body(values):
            given = iter(values)
            inside = [next(given) if isinstance(value, _c.Tensor) else value for value in structure.tensors]
            args, kwargs = structure.pack(inside)
            found.append(_Results(self.python_function(*args, **kwargs)))
            return found[0].tensors

        name = getattr(self.python_function, "__name__", "function")
        dtypes = [value.dtype.base_dtype for value in tensors]
        return _c.define_function(name, dtypes, [], shapes, body), found[0]


class _Results:
    """What a function gives: tensors in a structure, and None."""

    def __init__(self, results):
        leaves = Structure(results)
        self._structure = leaves
        self._is_tensor = [value is not None and not isinstance(value, _c.Operation) for value in leaves.tensors]
        self.tensors = [
            convert_to_tensor(value) for value, is_one in zip(leaves.tensors, self._is_tensor) if is_one
        ]
        self.shapes = [tensor.shape for tensor in self.tensors]

    def pack(self, tensors):
        given = iter(tensors)
        return self._structure.pack([next(given) if is_one else None for is_one in self._is_tensor])


def _value(argument):
    return convert_to_tensor(argument) if isinstance(argument, (np.ndarray, np.generic)) else argument

