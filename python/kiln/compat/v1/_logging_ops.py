"""What runs print and assert: tf.Print, tf.print, tf.Assert."""

import pprint
import sys

from kiln._generated import raw_ops as _raw
from kiln._generated.raw_ops import timestamp
from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._deprecations import deprecated
from kiln.compat.v1._sparse import SparseTensor

__all__ = ["Assert", "Print", "add_check_numerics_ops", "print", "timestamp"]

_INSTRUCTIONS = (
    "Use tf.print instead of tf.Print. Note that tf.print returns a no-output operator that directly prints "
    "the output. Outside of defuns or eager mode, this operator will not be executed unless it is directly "
    "specified in session.run or used as a control dependency for other operators. This is only a concern in "
    "graph mode. Below is an example of how to ensure tf.print executes in graph mode:\n"
)


def Print(input_, data, message=None, first_n=None, summarize=None, name=None):
    """The input; each run that needs it writes a list of tensors to standard error.

    message: what comes first. first_n: only so many times. summarize: how many elements of
    each tensor, 3 by default. Source: tf.Print.
    """
    deprecated("ops.logging_ops.Print", _INSTRUCTIONS, "2018-08-20")
    return _raw.print_(input_, data, message, first_n, summarize, name)


def Assert(condition, data, summarize=None, name=None):
    """An operation that ends the run where a bool tensor is False, with tensors in the message.

    What is to wait for it is added under tf.control_dependencies. summarize: how many
    elements of each tensor are shown, 3 by default. Source: tf.Assert.
    """
    return _c.assert_that(condition, data, summarize, name)


def print(*inputs, **kwargs):
    """An operation that writes its inputs: tensors, other values, structures of them.

    print(*inputs, output_stream=sys.stderr, summarize=3, sep=" ", end="\\n", name=None).
    output_stream: or sys.stdout, a function or level of tf.logging, "file://PATH".
    summarize: how many first and last elements of an axis. Errors: ValueError for another
    stream and other keywords. Source: tf.print.
    """
    stream = kwargs.pop("output_stream", sys.stderr)
    name = kwargs.pop("name", None)
    summarize = kwargs.pop("summarize", 3)
    separator = kwargs.pop("sep", " ")
    end = kwargs.pop("end", "\n")
    if kwargs:
        raise ValueError(f"Unrecognized keyword arguments for tf.print: {kwargs}")
    stream = _stream(stream)
    if len(inputs) == 1 and _is_text(inputs[0]):
        text = inputs[0]
    else:
        template, placeholder, tensors = _template(inputs, separator)
        text = _raw.string_format(
            tensors, template, placeholder, summarize, f"{name}_format" if name else None
        )
    return _raw.print_v2(text, stream, end, name)


def _stream(stream):
    if isinstance(stream, str) and stream.startswith("file://"):
        return stream
    if stream is sys.stdout or stream is sys.stderr:
        return "stdout" if stream is sys.stdout else "stderr"
    import logging

    from kiln.compat.v1 import logging as tf_logging

    for kind in ("info", "warning", "error"):
        level = getattr(logging, kind.upper())
        if stream in (level, getattr(logging, kind), getattr(tf_logging, kind)):
            return f"log({kind})"
    if stream is tf_logging.warn:
        return "log(warning)"
    raise ValueError(
        f"Unsupported output stream, logging level, or file.{stream}. Supported streams are sys.stdout, "
        "sys.stderr, tf.logging.info, tf.logging.warning, tf.logging.error. File needs to be in the form of "
        "'file://<filepath>'."
    )


def _is_tensor(value):
    return isinstance(value, (_c.Tensor, _c.Variable, SparseTensor))


def _is_text(value):
    return isinstance(value, _c.Tensor) and value.shape.ndims == 0 and value.dtype == dtypes.string


def _template(inputs, separator):
    """The text with a placeholder for each tensor, the placeholder, and the tensors."""
    import collections

    from kiln.compat.v1._util import nest

    ordered = [
        collections.OrderedDict(sorted(each.items())) if isinstance(each, collections.OrderedDict) else each
        for each in inputs
    ]
    plain = nest.map_structure(lambda leaf: "" if _is_tensor(leaf) else leaf, ordered)
    placeholder = _placeholder(" ".join(pprint.pformat(each) for each in plain))
    tensors, templates = [], []
    for each in inputs:
        leaves = []
        for leaf in nest.flatten(each):
            if isinstance(leaf, SparseTensor):
                tensors.extend([leaf.indices, leaf.values, leaf.dense_shape])
                leaves.append(
                    f"SparseTensor(indices={placeholder}, values={placeholder}, shape={placeholder})"
                )
            elif _is_tensor(leaf):
                tensors.append(leaf)
                leaves.append(placeholder)
            else:
                leaves.append(leaf)
        packed = nest.pack_sequence_as(each, leaves)
        templates.append(each if isinstance(each, str) else pprint.pformat(packed))
    template = separator.join(templates).replace(f"'{placeholder}'", placeholder)
    return template, placeholder, tensors


def _placeholder(text):
    """One that is not in the text: "{}", then with digits behind it."""
    import random

    placeholder, digits = "{}", random.Random(5)
    while placeholder in text:
        placeholder += str(digits.randint(0, 9))
    return placeholder


def add_check_numerics_ops():
    """An operation that checks all floating tensors of the graph for NaN and infinity, in order.

    Errors: ValueError where the graph has conditionals or loops. Source:
    tf.add_check_numerics_ops.
    """
    from kiln.compat.v1._graph import get_default_graph

    graph, checks = get_default_graph(), []
    floating = (dtypes.float16, dtypes.float32, dtypes.float64)
    for operation in graph.get_operations():
        for output in operation.outputs:
            if output.dtype not in floating:
                continue
            if operation.type in ("Switch", "Merge", "Enter", "Exit", "NextIteration"):
                raise ValueError(
                    "`tf.add_check_numerics_ops() is not compatible with TensorFlow control flow operations "
                    "such as `tf.cond()` or `tf.while_loop()`."
                )
            with graph.control_dependencies(checks):
                checks = [_raw.check_numerics(output, f"{operation.name}:{output.value_index}")]
    return _c.group(checks, None)
