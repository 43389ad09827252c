"""Nodes that call functions of the library: If, While, For, PartitionedCall."""

from kiln._generated import raw_ops
from kiln.compat import v1 as tf


def _results_of(function):
    """The dtypes of what a function gives."""
    return [tf.as_dtype(result.type) for result in function.definition.signature.output_arg]


def _tensors(values, function):
    return [tf.convert_to_tensor(value, dtype) for value, dtype in zip(values, function.declared_input_types)]


def If(cond, inputs, then_branch, else_branch, name=None):  # noqa: N802, TensorFlow's name
    """What one of two functions (Defun) makes of the inputs: a list, or an operation."""
    inputs = _tensors(inputs, then_branch)
    return raw_ops.if_(cond, inputs, _results_of(then_branch), then_branch, else_branch, name=name)


def While(input_, cond, body, name=None, hostmem=None):  # noqa: N802
    """What a function (Defun) makes of the inputs, as often as another one says."""
    if cond.declared_input_types != body.declared_input_types:
        raise ValueError(
            "The arguments 'cond' and 'body' to 'While' function do not have the same signature. "
            f"cond.declared_input_types: {cond.declared_input_types}, "
            f"body.declared_input_types: {body.declared_input_types}"
        )
    return raw_ops.while_(_tensors(input_, body), cond, body, name=name)


def For(start, limit, delta, inputs, body, name=None, hostmem=None, rewrite_with_while=None):  # noqa: N802
    """What a function (Defun) of a number and of values makes of them, for each number."""
    tensors = [
        tf.convert_to_tensor(value, dtype) for value, dtype in zip(inputs, body.declared_input_types[1:])
    ]
    return raw_ops.for_(start, limit, delta, tensors, body, name=name)


def Gradient(inputs, f, name=None):  # noqa: N802
    """The gradients of a function's arguments; inputs: these, and the gradients of what it gives."""
    dtypes = list(f.declared_input_types)
    arguments = _tensors(inputs, f)
    results = f(*arguments)
    results = results if isinstance(results, list) else [results]
    with tf.name_scope(name, "SymbolicGradient"):
        return tf.gradients(results, arguments, list(inputs[len(dtypes) :]))
