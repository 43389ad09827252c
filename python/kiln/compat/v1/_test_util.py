"""What TensorFlow's own tests import from tensorflow.python.framework.test_util."""

import contextlib
import functools
import unittest

from kiln._kiln import front as _c
from kiln.compat.v1 import test as _test
from kiln.compat.v1.test import TestCase, is_gpu_available  # noqa: F401
from kiln.compat.v1.test._tools import assert_equal_graph_def  # noqa: F401

TensorFlowTestCase = TestCase
assert_equal_graph_def_v1 = assert_equal_graph_def
gpu_device_name = _test.gpu_device_name


def _as_it_is(function=None, **_):
    """A decorator that changes nothing, with or without arguments: there are graphs alone."""
    if function is None or isinstance(function, str):
        return _as_it_is
    return function


run_deprecated_v1 = run_v1_only = deprecated_graph_mode_only = _as_it_is
run_in_graph_and_eager_modes = run_all_in_graph_and_eager_modes = _as_it_is
run_all_in_deprecated_graph_mode_only = run_all_without_tensor_float_32 = _as_it_is
run_without_tensor_float_32 = also_run_as_tf_function = _as_it_is
disable_xla = disable_all_xla = no_xla_auto_jit = xla_allow_fallback = _as_it_is
disable_control_flow_v2 = _as_it_is


def _skipped(reason):
    def decorator(function=None, **_):
        if function is None or isinstance(function, str):
            return decorator
        return unittest.skip(reason)(function)

    return decorator


run_gpu_only = run_cuda_only = run_gpu_or_tpu = _skipped("needs a GPU")
run_v2_only = run_in_v2 = _skipped("TensorFlow 2")
disable_tfrt = _as_it_is


def _control_flow_v2(function):
    @functools.wraps(function)
    def decorated(*args, **kwargs):
        _c.enable_control_flow_v2(True)
        try:
            return function(*args, **kwargs)
        finally:
            _c.enable_control_flow_v2(False)

    return decorated


def enable_control_flow_v2(function):
    """Runs a test with conditionals and loops as functions."""
    return _control_flow_v2(function)


def with_control_flow_v2(cls):
    """Adds to each test one with control flow version 2."""
    for name, value in list(vars(cls).items()):
        if callable(value) and name.startswith("test") and not name.endswith("WithControlFlowV2"):
            if not getattr(value, "_disable_control_flow_v2", False):
                setattr(cls, name + "WithControlFlowV2", _control_flow_v2(value))
    return cls


def skip_if(condition):
    """A decorator that leaves a test out where the condition, or what it gives, is true."""

    def decorator(function):
        @functools.wraps(function)
        def decorated(*args, **kwargs):
            if condition() if callable(condition) else condition:
                return None
            return function(*args, **kwargs)

        return decorated

    return decorator


def skip_if_error(test_obj, error_type, messages=None):
    return contextlib.nullcontext()


def IsMklEnabled():  # noqa: N802, TensorFlow's name
    return False


def IsBuiltWithROCm():  # noqa: N802
    return False


def GpuSupportsHalfMatMulAndConv():  # noqa: N802
    return False


def NHWCToNCHW(input_tensor):  # noqa: N802
    """Channels before the axes of space: of a tensor, or of a list of extents."""
    orders = {3: [0, 2, 1], 4: [0, 3, 1, 2], 5: [0, 4, 1, 2, 3]}
    return _moved(input_tensor, orders)


def NCHWToNHWC(input_tensor):  # noqa: N802
    orders = {3: [0, 2, 1], 4: [0, 2, 3, 1], 5: [0, 2, 3, 4, 1]}
    return _moved(input_tensor, orders)


def _moved(value, orders):
    if isinstance(value, _c.Tensor):
        return _c.transpose(value, orders[value.shape.ndims])
    return [value[place] for place in orders[len(value)]]


@contextlib.contextmanager
def use_gpu():
    yield


force_gpu = force_cpu = device = lambda *_, **__: contextlib.nullcontext()


@contextlib.contextmanager
def forward_compatibility_horizon(*_):
    yield


def matmul_without_tf32(a, b, *args, **kwargs):
    return _c.matmul(a, b, *args, **kwargs)


def create_local_cluster(*_, **__):
    raise unittest.SkipTest("Kiln runs graphs in one process")


