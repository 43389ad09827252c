"""What TensorFlow's own tests import from tensorflow.python.framework.test_util: functions and
contexts.
"""

import contextlib
import functools
import gc
import unittest

from kiln._kiln import front as _c
from kiln.compat.v1._dimension import Dimension
from kiln.compat.v1._graph import Graph, get_default_graph
from kiln.compat.v1.shapes import TensorShape

__all__ = [
    "AbstractGradientTape", "GpuSupportsHalfMatMulAndConv", "IsBuiltWithNvcc", "IsBuiltWithROCm", "IsBuiltWithXLA",
    "IsGoogleCudaEnabled", "IsMklEnabled", "NCHWToNHWC", "NCHW_VECT_CToNHWC", "NHWCToNCHW", "NHWCToNCHW_VECT_C",
    "assert_meta_graph_protos_equal", "assert_no_garbage_created", "assert_no_new_tensors", "assert_ops_in_graph",
    "create_local_cluster", "deterministic_ops", "device", "force_cpu", "force_gpu",
    "forward_compatibility_horizon", "get_node_def_from_graph", "is_asan_enabled", "is_mlir_bridge_enabled",
    "is_msan_enabled", "is_tsan_enabled", "is_ubsan_enabled", "is_xla_enabled", "matmul_without_tf32",
    "run_functions_eagerly", "set_producer_version", "sync_devices", "use_gpu",
]  # fmt: skip


def _no():
    """False."""
    return False


IsMklEnabled = IsBuiltWithROCm = IsBuiltWithXLA = IsBuiltWithNvcc = IsGoogleCudaEnabled = _no
GpuSupportsHalfMatMulAndConv = _no
is_asan_enabled = is_msan_enabled = is_tsan_enabled = is_ubsan_enabled = is_xla_enabled = is_mlir_bridge_enabled = _no


# Layouts of images.


def NHWCToNCHW(input_tensor):  # noqa: N802, TensorFlow's name
    """Channels before the axes of space: of a tensor, or of a list of extents."""
    return _moved(input_tensor, {3: [0, 2, 1], 4: [0, 3, 1, 2], 5: [0, 4, 1, 2, 3]})


def NCHWToNHWC(input_tensor):  # noqa: N802
    """Channels behind the axes of space."""
    return _moved(input_tensor, {3: [0, 2, 1], 4: [0, 2, 3, 1], 5: [0, 2, 3, 4, 1]})


def NHWCToNCHW_VECT_C(input_shape_or_tensor):  # noqa: N802
    """Channels before the axes of space but for groups of four, which are the last axis."""
    shape = _extents(input_shape_or_tensor)
    if shape[-1] % 4 != 0:
        raise ValueError("Last dimension of input must be evenly divisible by 4 to convert to NCHW_VECT_C.")
    grouped = [*shape[:-1], shape[-1] // 4, 4]
    return _moved(_shaped(input_shape_or_tensor, grouped), {5: [0, 3, 1, 2, 4], 6: [0, 4, 1, 2, 3, 5]})


def NCHW_VECT_CToNHWC(input_shape_or_tensor):  # noqa: N802
    """The inverse of NHWCToNCHW_VECT_C()."""
    moved = _moved(input_shape_or_tensor, {5: [0, 2, 3, 1, 4], 6: [0, 2, 3, 4, 1, 5]})
    shape = _extents(moved)
    return _shaped(moved, [*shape[:-2], shape[-2] * shape[-1]])


def _extents(value):
    return value.shape.as_list() if isinstance(value, _c.Tensor) else list(value)


def _shaped(value, shape):
    return _c.reshape(value, shape) if isinstance(value, _c.Tensor) else shape


def _moved(value, orders):
    if isinstance(value, _c.Tensor):
        return _c.transpose(value, orders[value.shape.ndims])
    return [value[place] for place in orders[len(value)]]


# Contexts.


def _on_cpu(*_, **__):
    """A context whose operations are on the CPU by name: the only device."""
    return get_default_graph().device("/device:CPU:0")


device = use_gpu = force_cpu = _on_cpu


def force_gpu():
    """A context whose operations are on a GPU by name; they run on the CPU."""
    return get_default_graph().device("/device:GPU:0")


@contextlib.contextmanager
def _nothing(*_, **__):
    """A context that changes nothing."""
    yield


forward_compatibility_horizon = deterministic_ops = run_functions_eagerly = _nothing


def sync_devices():
    """Nothing: runs have ended when they return."""


class AbstractGradientTape:
    """A context that gives a tf.GradientTape, or what takes gradients of all tensors as one does."""

    def __init__(self, use_tape, persistent=False):
        self._use_tape, self._persistent = use_tape, persistent

    def __enter__(self):
        from kiln.compat.v1._gradient_tape import GradientTape

        return GradientTape(self._persistent) if self._use_tape else self

    def __exit__(self, *_):
        return None

    def watch(self, x):
        """Nothing: graphs know what depends on what."""

    def gradient(self, y, x, grad_ys=None):
        from kiln.compat.v1._gradients import gradients

        found = gradients(y, x, grad_ys)
        return found if isinstance(x, (list, tuple)) else found[0]


# Graphs.


def assert_ops_in_graph(expected_ops, graph):
    """The operations of a graph that have these names and types, a dict as the given one.
    Errors: ValueError where some are missing or of another type.
    """
    found = {}
    for node in graph.as_graph_def().node:
        if node.name in expected_ops:
            if expected_ops[node.name] != node.op:
                raise ValueError(f"Expected op for node {node.name} is different. {expected_ops[node.name]} vs {node.op}")
            found[node.name] = node
    if set(found) != set(expected_ops):
        raise ValueError(f"Not all expected ops are present. Expected {expected_ops.keys()}, found {found.keys()}")
    return found


def assert_meta_graph_protos_equal(tester, a, b):
    """Equal MetaGraphDefs; of their graphs the nodes are equal, in whatever order."""
    from kiln.compat.v1.test._tools import assert_equal_graph_def

    tester.assertEqual(set(a.collection_def), set(b.collection_def))
    for key in a.collection_def:
        tester.assertEqual(a.collection_def[key], b.collection_def[key])
    copies = []
    for each in (a, b):
        copy = type(each)()
        copy.CopyFrom(each)
        copy.ClearField("collection_def")
        copies.append(copy)
    assert_equal_graph_def(copies[0].graph_def, copies[1].graph_def, True)
    for copy in copies:
        copy.ClearField("graph_def")
    tester.assertProtoEquals(*copies)


def get_node_def_from_graph(node_name, graph_def):
    """The node of a name, or None."""
    return next((node for node in graph_def.node if node.name == node_name), None)


def set_producer_version(graph, producer_version):
    """Makes a graph one that was written by another version, by an import."""
    from kiln.compat.v1 import GraphDef
    from kiln.compat.v1._graph_defs import import_graph_def

    graph_def = GraphDef()
    graph_def.versions.producer = producer_version
    with graph.as_default():
        import_graph_def(graph_def)
    assert graph.graph_def_versions.producer, producer_version


def matmul_without_tf32(a, b, *args, **kwargs):
    return _c.matmul(a, b, *args, **kwargs)


def create_local_cluster(*_, **__):
    raise unittest.SkipTest("Kiln runs graphs in one process")


# Memory.


def _tensors():
    kinds = (_c.Tensor, _c.Variable, Dimension, TensorShape)
    return [found for found in gc.get_objects() if isinstance(found, kinds)]


def assert_no_new_tensors(f):
    """Fails where tensors, variables or shapes of the test's graph outlive it."""

    @functools.wraps(f)
    def decorated(self, **kwargs):
        before = {id(found) for found in _tensors()}
        with Graph().as_default():
            result = f(self, **kwargs)
        gc.collect()
        after = [found for found in _tensors() if id(found) not in before]
        if after:
            raise AssertionError(f"{len(after)} Tensors not deallocated after test: {after}")
        return result

    return decorated


def assert_no_garbage_created(f):
    """Fails where the test leaves what Python cannot collect."""

    @functools.wraps(f)
    def decorated(self, **kwargs):
        gc.collect()
        before = len(gc.garbage)
        result = f(self, **kwargs)
        gc.collect()
        self.assertEqual(before, len(gc.garbage))
        return result

    return decorated
