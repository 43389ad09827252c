"""Ops that Kiln does not have, run by TensorFlow's own kernels."""

import contextlib
import os
import re
import threading
import warnings

import numpy as np
from tensorflow.core.framework import node_def_pb2, types_pb2
from tensorflow.python import pywrap_tfe
from tensorflow.python.client import session as tf_session
from tensorflow.python.eager import context, core, def_function
from tensorflow.python.framework import constant_op, dtypes as dtypes_module, errors_impl, op_def_registry, ops, tensor_shape
from tensorflow.python.framework import tensor_spec, tensor_util
from tensorflow.python.ops import array_ops

import kiln
from kiln import _kiln
from kiln.tensorflow import _functions

DEVICE = _kiln._local_device
# Their kernels call Python, which may run sessions.
CALLBACKS = ("PyFunc", "PyFuncStateless", "EagerPyFunc")
NOT_VALUES = (types_pb2.DT_RESOURCE, types_pb2.DT_VARIANT)

_lock = threading.Lock()
_is_off = False
_seen = set()  # op types that TensorFlow's registry was asked for
_foreign = set()  # those that Kiln has from there
with_functions = set()  # those of them with attrs that are functions
_warned = set()
_calls = []  # by the number that Kiln knows them by
_with_gradients = set()  # numbers of nodes with functions that have gradients of their own
_numbers = {}
_nodes = {}
_shapes = {}
MOST_SHAPES = 10_000


def enable(on):
    """Says whether runs may use TensorFlow's kernels from now on; the environment's 0 goes before."""
    global _is_off
    _is_off = not on or os.environ.get("KILN_TENSORFLOW_FOREIGN") == "0"


def is_foreign(op_type):
    """Whether TensorFlow's kernels run an op type; Kiln learns of it, if it does not have it."""
    if op_type not in _seen:
        with _lock:
            if not _is_off and op_type not in _seen:
                if _register(op_type):
                    _foreign.add(op_type)
                    if any("func" in attr.type for attr in op_def_registry.get(op_type).attr):
                        with_functions.add(op_type)
                _seen.add(op_type)
    return op_type in _foreign


def why_not(op_type):
    """Why TensorFlow's kernels are not called for an op type that Kiln does not have; None where they are."""
    op_def = op_def_registry.get(op_type)
    if op_def is None:
        return "TensorFlow does not have it either"
    if _is_off:
        return "install(foreign=False) or KILN_TENSORFLOW_FOREIGN=0 forbids TensorFlow's kernel"
    if op_def.is_stateful and op_type not in CALLBACKS:
        return "it keeps state, which would be TensorFlow's"
    args = (*op_def.input_arg, *op_def.output_arg)
    if not op_def.output_arg:
        return "it gives nothing"
    if any(arg.is_ref or arg.type in NOT_VALUES for arg in args):
        return "TensorFlow's kernel would take or give a reference, a resource or a variant of Kiln's"
    return None


def _register(op_type):
    if why_not(op_type):
        return False
    op_def = op_def_registry.get(op_type)
    args = (*op_def.input_arg, *op_def.output_arg)
    attrs = {}
    for arg in args:
        if arg.type_attr:
            attrs[arg.type_attr] = "type"
        if arg.type_list_attr:
            attrs[arg.type_list_attr] = "list(type)"
        if arg.number_attr:
            attrs[arg.number_attr] = "int"
    return _kiln._register_foreign_op(
        op_type,
        ", ".join(map(_argument, op_def.input_arg)),
        ", ".join(map(_argument, op_def.output_arg)),
        "; ".join(f"{name}: {kind}" for name, kind in attrs.items()),
        op_def.is_stateful,
        op_type in CALLBACKS,
    )


def _argument(arg):
    name = arg.type_attr or arg.type_list_attr or types_pb2.DataType.Name(arg.type)[3:].lower()
    return f"{arg.name}: " + (f"{arg.number_attr}*{name}" if arg.number_attr else name)


def _prepare(op_type, attrs, num_outputs):
    """Of the compiler: the number of calls of such nodes."""
    if _is_off:
        raise kiln.errors.UnimplementedError(
            f"op '{op_type}' would need TensorFlow's kernel, which kiln.tensorflow.install(foreign=False) "
            "or KILN_TENSORFLOW_FOREIGN=0 forbids",
            None,
        )
    functions = _functions_in(attrs)
    stateful = functions and functions.stateful_op()
    if stateful:
        raise kiln.errors.UnimplementedError(
            f"op '{op_type}' would need TensorFlow's kernel, but its function has op '{stateful}', "
            "which keeps state, and that would be TensorFlow's",
            None,
        )
    key = (op_type, _key(attrs), num_outputs)
    with _lock:
        if op_type not in _warned:
            _warned.add(op_type)
            if op_type not in CALLBACKS:
                # Where warnings are errors this one is none of the run.
                with contextlib.suppress(Warning):
                    warnings.warn(f"kiln.tensorflow runs op {op_type} by TensorFlow's kernel", stacklevel=2)
        number = _numbers.get(key)
        if number is None:
            number = _numbers[key] = len(_calls)
            _calls.append((op_type, attrs, num_outputs))
            if functions and functions.library.gradient:
                _with_gradients.add(number)
        return number


def _key(attrs):
    return repr([(str(value.dtype), value.shape, value.tobytes()) if isinstance(value, np.ndarray) else value for value in attrs])


def _infer(op_type, attrs, shapes, dtypes, values):
    """Of the compiler: the shapes of the outputs, by TensorFlow's own shape function."""
    key = (op_type, _key(attrs), repr((shapes, dtypes, values)))
    with _lock:
        known = _shapes.get(key)
        if known is None:
            if len(_shapes) >= MOST_SHAPES:
                _shapes.clear()
            known = _shapes[key] = _inferred(op_type, attrs, shapes, dtypes, values)
    return known


def _inferred(op_type, attrs, shapes, dtypes, values):
    with ops.Graph().as_default() as graph, graph.device(None):
        inputs = []
        for shape, dtype, value in zip(shapes, dtypes, values):
            dtype = dtypes_module.as_dtype(dtype)
            if value is None:
                inputs.append(array_ops.placeholder(dtype, shape))
            else:
                inputs.append(constant_op.constant(value, dtype))
        outputs = _node(graph, op_type, attrs, inputs).outputs
        return [output.shape.as_list() if output.shape.rank is not None else None for output in outputs]


def _functions_in(attrs):
    serialized = dict(zip(attrs[::2], attrs[1::2])).get(_functions.BESIDE)
    return None if serialized is None else _functions.Functions(serialized)


def _node(graph, op_type, attrs, inputs):
    node = node_def_pb2.NodeDef(name="node", op=op_type, input=[tensor.name for tensor in inputs])
    kinds = {attr.name: attr.type for attr in op_def_registry.get(op_type).attr}
    for name, value in zip(attrs[::2], attrs[1::2]):
        if name in kinds and "func" not in kinds[name]:
            _set_attr(node.attr[name], kinds[name], value)
    functions = _functions_in(attrs)
    if functions:
        functions.add_to(graph)
        node.attr.MergeFrom(functions.attrs)
    return ops.Operation.from_node_def(node, graph, inputs)


FIELDS = {"int": "i", "float": "f", "bool": "b", "string": "s", "type": "type", "shape": "shape"}


def _set_attr(attr, kind, value):
    if kind.startswith("list("):
        field = getattr(attr.list, FIELDS[kind[5:-1]])
        field.extend(tensor_shape.as_shape(item).as_proto() if kind == "list(shape)" else item for item in value)
        if not value:
            attr.list.SetInParent()
    elif kind == "tensor":
        attr.tensor.CopyFrom(tensor_util.make_tensor_proto(value))
    elif kind == "shape":
        attr.shape.CopyFrom(tensor_shape.as_shape(value).as_proto())
    else:
        setattr(attr, FIELDS[kind], value)


def _compute(number, values, dtypes):
    """Of a run: the outputs with their dtypes."""
    op_type, attrs, num_outputs = _calls[number]
    eager = context.context()
    eager.ensure_initialized()
    try:
        if number in _with_gradients:
            return _in_session(number, values, dtypes)
        inputs = [ops.EagerTensor(value, DEVICE, dtype) for value, dtype in zip(values, dtypes)]
        if op_type in with_functions or any(isinstance(value, np.ndarray) for value in attrs[1::2]):
            outputs = _as_function(number, inputs)
        else:
            outputs = pywrap_tfe.TFE_Py_Execute(eager._handle, DEVICE, op_type, inputs, attrs, num_outputs)
    except core._NotOkStatusException as error:
        raise _kilns_error(error.code, error.message, op_type) from None
    except errors_impl.OpError as error:
        raise _kilns_error(error.error_code, error.message, op_type) from None
    return [(output.numpy(), output.dtype.as_datatype_enum) for output in outputs]


def _as_function(number, inputs):
    """An op with an attr that is a tensor or a function, as TFE_Py_Execute() does not take it."""
    key = (number, *(value.dtype for value in inputs))
    with context.eager_mode():
        function = _nodes.get(key)
        if function is None:
            op_type, attrs, _ = _calls[number]
            node = lambda *values: _node(ops.get_default_graph(), op_type, attrs, list(values)).outputs
            signature = [tensor_spec.TensorSpec(None, value.dtype) for value in inputs]
            function = def_function.function(node, input_signature=signature, autograph=False).get_concrete_function()
            function = _nodes.setdefault(key, function)
        try:
            return function(*inputs)
        except errors_impl.OpError as error:
            own = error.message.partition("\n\t [[{{node ")[0].rsplit("\n", 1)[-1]
            raise _kilns_error(error.error_code, own, _calls[number][0]) from None


def _in_session(number, values, dtypes):
    """An op whose functions have gradients of their own, of which eager execution knows nothing: in a session of TensorFlow's."""
    key = (number, *dtypes)
    step = _nodes.get(key)
    if step is None:
        op_type, attrs, _ = _calls[number]
        with ops.Graph().as_default() as graph, graph.device(None):
            inputs = [array_ops.placeholder(dtype) for dtype in dtypes]
            outputs = _node(graph, op_type, attrs, inputs).outputs
            _functions_in(attrs).call_those_with_gradients(graph)
            session = tf_session.Session(graph=graph)
        # Past the methods that install() replaces.
        tf_session.tf_session.ExtendSession(session._session)
        step = _nodes.setdefault(key, (session, inputs, outputs))
    session, inputs, outputs = step
    feeds = {tensor._as_tf_output(): np.asarray(value) for tensor, value in zip(inputs, values)}
    results = session._call_tf_sessionrun(None, feeds, [tensor._as_tf_output() for tensor in outputs], [], None)
    return [(np.array(result), tensor.dtype.as_datatype_enum) for result, tensor in zip(results, outputs)]


# What eager execution says where a session says that no kernel was registered.
NO_KERNEL = re.compile(r"Could not find device for node: .*? = (\w+)\[(.*)\]\nAll kernels registered for op \w+:\n")


def _kilns_error(code, message, op_type):
    """TensorFlow's words, as its sessions have them, without what eager execution puts around them."""
    if message.startswith("{{function_node "):
        message = message.split("}} ", 1)[-1]
    message = message.removesuffix(f" [Op:{op_type}]").rstrip()
    if missing := NO_KERNEL.match(message):
        code = errors_impl.INVALID_ARGUMENT
        message = (
            f"No OpKernel was registered to support Op '{missing[1]}' with these attrs: [{missing[2]}]\n"
            f"Registered devices: [CPU]\nRegistered kernels:\n{message[missing.end():]}"
        )
    return kiln.errors.BY_CODE[code](message, None)


_kiln._set_foreign_library(_prepare, _infer, _compute)
