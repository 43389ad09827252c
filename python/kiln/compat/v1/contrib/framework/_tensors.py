"""Functions of tf.contrib.framework on tensors, names and graphs."""

import re

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1._control_flow import with_dependencies
from kiln.compat.v1._util.deprecation import deprecated

__all__ = [
    "assert_scalar_int",
    "get_graph_from_inputs",
    "get_name_scope",
    "get_placeholders",
    "prepend_name_scope",
    "reduce_sum_n",
    "remove_squeezable_dimensions",
    "strip_name_scope",
    "with_dependencies",
    "with_same_shape",
    "with_shape",
]

_TENSOR_UTIL = "tensorflow.contrib.framework.python.framework.tensor_util"


def is_tensor(x):
    """Whether x is a tensor, sparse tensor, IndexedSlices or variable."""
    return isinstance(x, (tf.Tensor, tf.SparseTensor, tf.IndexedSlices, tf.Variable))


def assert_scalar_int(tensor, name=None):
    """The tensor, if it is one integer. Errors: ValueError. Source: tf.contrib.framework.assert_scalar_int."""
    with tf.name_scope(name, "assert_scalar_int", [tensor]) as name_scope:
        tensor = tf.convert_to_tensor(tensor)
        if not tensor.dtype.base_dtype.is_integer:
            raise ValueError(
                f"Expected integer type for {tensor.name}, received type: {tensor.dtype}."
            )
        return tf.debugging.assert_scalar(tensor, name=name_scope)


def reduce_sum_n(tensors, name=None):
    """The sum of all elements of all tensors. Source: tf.contrib.framework.reduce_sum_n."""
    if not tensors:
        raise ValueError("No tensors provided.")
    with tf.name_scope(name, "reduce_sum_n", tensors) as name_scope:
        sums = [tf.reduce_sum(tensor, name=f"{tensor.op.name}/sum") for tensor in tensors]
        return sums[0] if len(sums) == 1 else tf.add_n(sums, name=name_scope)


@deprecated(
    None,
    "Please switch to remove_squeezable_dimensions from tf.confusion_matrix. Note that the order of "
    "the inputs and outputs of labels and predictions have also been switched.",
    module=_TENSOR_UTIL,
)
def remove_squeezable_dimensions(predictions, labels, name=None):
    """Both tensors, without the last dimension of the one that has one more than the other.

    Source: tf.contrib.framework.remove_squeezable_dimensions.
    """
    with tf.name_scope(name, "remove_squeezable_dimensions", [predictions, labels]):
        predictions, labels = tf.convert_to_tensor(predictions), tf.convert_to_tensor(labels)
        ranks = predictions.shape.ndims, labels.shape.ndims
        if None not in ranks:
            difference = ranks[0] - ranks[1]
            if difference == -1:
                labels = tf.squeeze(labels, [-1])
            elif difference == 1:
                predictions = tf.squeeze(predictions, [-1])
            return predictions, labels
        difference = tf.rank(predictions) - tf.rank(labels)
        return (
            _squeezed_where(predictions, 1, difference),
            _squeezed_where(labels, -1, difference),
        )


def _squeezed_where(tensor, expected, difference):
    """The tensor without its last dimension, where the difference of ranks is the expected one."""
    shape = tensor.shape
    if shape.ndims is not None and not shape.dims[-1].is_compatible_with(1):
        return tensor
    return tf.cond(
        tf.equal(expected, difference), lambda: tf.squeeze(tensor, [-1]), lambda: tensor
    )


def _shape_matches(expected, tensor, actual):
    """A bool tensor: whether a tensor of shape `actual` has the expected one; -1 is any extent."""
    with tf.name_scope("is_shape", values=[tensor]) as scope:
        size = tf.size(expected)
        with tf.name_scope("is_rank", values=[tensor]) as inner:
            rank = tf.convert_to_tensor(size, name="expected")
            same_rank = tf.equal(rank, tf.rank(tensor, name="actual"), name=inner)
        with tf.name_scope("shape_tensor_equal", values=[expected, actual]) as inner:
            free, equal = tf.equal(expected, -1), tf.equal(expected, actual, "equal")
            either = tf.logical_or(free, equal, name="exclude_partial_shape")
            same_extents = tf.reduce_all(either, name=inner)
        return tf.logical_and(same_rank, same_extents, name=scope)


def _checked_shape(expected, tensor):
    """The tensor behind a check of its shape in the run."""
    with tf.name_scope("assert_shape", values=[tensor]) as scope:
        actual = tf.shape(tensor, name="actual")
        if isinstance(expected, tf.TensorShape) and not expected.is_fully_defined():
            expected = [extent or -1 for extent in expected.as_list()]
        matches = _shape_matches(expected, tensor, actual)
        words = f"Wrong shape for {tensor.name} [expected] [actual]."
        check = tf.Assert(matches, [words, expected, actual], name=scope)
    with tf.control_dependencies([check]):
        return tf.identity(tensor)


def _as_shape_vector(expected, tensor):
    """The expected shape as a vector of int32, where it is a list or an array."""
    if isinstance(expected, (list, tuple)):
        array = np.asarray(expected, dtype=None if expected else np.int32)
        expected = array.astype(np.int32) if array.dtype == np.int64 else array
    if isinstance(expected, np.ndarray):
        if expected.ndim > 1:
            raise ValueError(
                f"Invalid rank {expected.ndim} for shape {expected} expected of tensor {tensor.name}."
            )
        if expected.dtype != np.int32:
            raise ValueError(
                f"Invalid dtype {expected.dtype} for shape {expected} expected of tensor {tensor.name}."
            )
    return expected


def with_shape(expected_shape, tensor):
    """The tensor, with a shape that is checked here or, where that cannot be, in the run.

    expected_shape: a TensorShape, a list, an array or a tensor of int32. Errors: ValueError.
    Source: tf.contrib.framework.with_shape.
    """
    if isinstance(tensor, tf.SparseTensor):
        raise ValueError("SparseTensor not supported.")
    computed = is_tensor(expected_shape)
    if computed and expected_shape.dtype.base_dtype != tf.int32:
        raise ValueError(
            f"Invalid dtype {expected_shape.dtype} for shape {expected_shape} expected of tensor "
            f"{tensor.name}."
        )
    expected = _as_shape_vector(expected_shape, tensor)
    actual = tensor.get_shape()
    scalar = not computed and len(expected) < 1
    if computed or not actual.is_fully_defined():
        with tf.name_scope(f"{tensor.op.name}/", values=[tensor]):
            if scalar:
                return tf.reshape(tensor, [])
            result = _checked_shape(expected, tensor)
            if not computed:
                result.set_shape(expected)
            return result
    if not actual.is_compatible_with(expected):
        if scalar and actual.is_compatible_with([1]):
            with tf.name_scope(f"{tensor.op.name}/", values=[tensor]):
                return tf.reshape(tensor, [])
        raise ValueError(
            f"Invalid shape for tensor {tensor.name}, expected {expected}, got {actual}."
        )
    return tensor


def with_same_shape(expected_tensor, tensor):
    """The tensor, with the shape of another one. Source: tf.contrib.framework.with_same_shape."""
    with tf.name_scope(f"{tensor.op.name}/", values=[expected_tensor, tensor]):
        shape = expected_tensor.get_shape()
        if shape.is_fully_defined():
            return with_shape(shape.as_list(), tensor)
        return with_shape(tf.shape(expected_tensor, name="expected_shape"), tensor)


def get_graph_from_inputs(op_input_list, graph=None):
    """The graph that some inputs are in, or the default one where none of them is in a graph.

    Errors: TypeError, ValueError for inputs of several graphs, or of another one than `graph`.
    Source: tf.contrib.framework.get_graph_from_inputs.
    """
    if graph is not None and not isinstance(graph, tf.Graph):
        raise TypeError("Input graph needs to be a Graph: %s" % graph)
    given, first = graph, None
    for item in op_input_list:
        graph_of_item = getattr(item, "graph", None)
        if not isinstance(graph_of_item, tf.Graph):
            continue
        if graph is None:
            graph, first = graph_of_item, item
        elif graph is not graph_of_item:
            if given is not None:
                raise ValueError(f"{item} is not from the passed-in graph.")
            raise ValueError(f"{item} must be from the same graph as {first}.")
    return graph or tf.get_default_graph()


def get_placeholders(graph):
    """The placeholders of a graph. Source: tf.contrib.framework.get_placeholders."""
    if not isinstance(graph, tf.Graph):
        raise TypeError("Input graph needs to be a Graph: %s" % graph)
    return [op.outputs[0] for op in graph.get_operations() if op.type == "Placeholder"]


def get_name_scope():
    """The current name scope, without a slash at its end. Source: tf.contrib.framework.get_name_scope."""
    return tf.get_default_graph().get_name_scope()


def prepend_name_scope(name, import_scope):
    """A name of a node, input or colocation, in a scope. Source: tf.contrib.framework.prepend_name_scope."""
    if not import_scope:
        return name
    if import_scope.endswith("/"):
        import_scope = import_scope[:-1]
    return re.sub(r"^(loc:@|\^)?", lambda found: f"{found[0]}{import_scope}/", str(name), count=1)


def strip_name_scope(name, export_scope):
    """A name of a node, input or colocation, without a scope. Source: tf.contrib.framework.strip_name_scope."""
    if not export_scope:
        return name
    if export_scope.endswith("/"):
        export_scope = export_scope[:-1]
    return re.sub(rf"([\^]|loc:@|^){export_scope}/+(.*)", r"\1\2", str(name), count=1)
