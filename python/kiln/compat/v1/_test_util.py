"""What TensorFlow's own tests import from tensorflow.python.framework.test_util: decorators."""

import contextlib
import functools
import inspect
import unittest

from kiln.compat._python.ops._functions import with_functions as enable_control_flow_v2
from kiln.compat.v1 import test as _test
from kiln.compat.v1._test_tools import *  # noqa: F403
from kiln.compat.v1.test import TestCase, is_gpu_available  # noqa: F401
from kiln.compat.v1.test._tools import assert_equal_graph_def  # noqa: F401

TensorFlowTestCase = TestCase
assert_equal_graph_def_v1 = assert_equal_graph_def_v2 = assert_equal_graph_def
gpu_device_name = _test.gpu_device_name


def _is_test(name):
    return name.startswith(unittest.TestLoader.testMethodPrefix) and name != "test_session"


def _with_each_test(cls, decorator):
    """The class, whose tests are decorated, those of its bases too."""
    for name in dir(cls):
        value = getattr(cls, name, None)
        if _is_test(name) and callable(value):
            setattr(cls, name, decorator(value))
    return cls


def _as_it_is(function=None, *_, **__):
    """A decorator that changes nothing, with or without arguments: there are graphs alone."""
    if function is None or isinstance(function, (str, bool)):
        return _as_it_is
    return function


# Graphs are all there is.
run_deprecated_v1 = deprecated_graph_mode_only = run_all_in_deprecated_graph_mode_only = _as_it_is
also_run_as_tf_function = py_func_if_in_function = run_class_in_v1_v2 = run_in_v1_v2 = _as_it_is
with_eager_op_as_function = disable_eager_op_as_function = enable_eager_op_as_function = _as_it_is
enable_nested_function_shape_inference = enable_output_all_intermediates = _as_it_is
assert_no_new_pyobjects_executing_eagerly = run_in_async_and_sync_mode = _as_it_is
enable_quantized_dtypes_training = enable_c_shapes = with_c_shapes = _as_it_is
# There is one kind of device and of executor.
disable_xla = disable_all_xla = no_xla_auto_jit = xla_allow_fallback = enable_tf_xla_constant_folding = _as_it_is
disable_mlir_bridge = disable_tfrt = disable_asan = disable_msan = disable_tsan = disable_ubsan = _as_it_is
run_all_without_tensor_float_32 = run_without_tensor_float_32 = disable_cudnn_autotune = _as_it_is
set_xla_env_flag = _as_it_is


def run_v1_only(reason=None, func=None):
    """A decorator that changes nothing: this is TensorFlow 1."""
    return _as_it_is(reason if inspect.isclass(reason) or inspect.isfunction(reason) else func)


def run_v2_only(func=None, reason=None):
    """A decorator that leaves a test, or those of a class, out."""
    return _skipped(reason or "Test is only compatible with v2")(func)


run_in_v2 = run_v2_only


def _skipped(reason):
    def decorator(function=None, **_):
        if function is None or isinstance(function, str):
            return decorator
        return unittest.skip(reason)(function)

    return decorator


run_gpu_only = run_cuda_only = run_gpu_or_tpu = _skipped("needs a GPU")


def run_in_graph_and_eager_modes(func=None, config=None, use_gpu=True, assert_no_eager_garbage=False):
    """A decorator that runs a test in a default session of the default graph."""

    def decorator(function):
        if inspect.isclass(function):
            raise ValueError(
                "`run_in_graph_and_eager_modes` only supports test methods. "
                "Did you mean to use `run_all_in_graph_and_eager_modes`?"
            )

        @functools.wraps(function)
        def decorated(self, *args, **kwargs):
            with self.test_session(use_gpu=use_gpu, config=config):
                function(self, *args, **kwargs)

        return decorated

    return decorator if func is None else decorator(func)


def run_all_in_graph_and_eager_modes(cls):
    """run_in_graph_and_eager_modes() for each test of a class."""
    return _with_each_test(cls, run_in_graph_and_eager_modes)


def build_as_function_and_v1_graph(func=None):
    """A decorator of a test that has a graph of its own."""
    if inspect.isclass(func):
        raise ValueError("`build_as_function_and_v1_graph` only supports test methods.")

    @functools.wraps(func)
    def decorated(self, *args, **kwargs):
        with _new_graph().as_default():
            func(self, *args, **kwargs)

    return decorated


def _new_graph():
    from kiln.compat.v1._graph import Graph

    return Graph()


def for_all_test_methods(decorator, *args, **kwargs):
    """A class decorator that decorates each test."""
    return lambda cls: _with_each_test(cls, decorator(*args, **kwargs))


def disable_control_flow_v2(unused_msg):
    """A decorator of tests that with_control_flow_v2() leaves alone."""

    def decorator(function):
        function._disable_control_flow_v2 = True
        return function

    return decorator


def with_control_flow_v2(cls):
    """Adds to each test one with control flow version 2."""
    for name, value in list(vars(cls).items()):
        if _is_test(name) and callable(value) and not getattr(value, "_disable_control_flow_v2", False):
            setattr(cls, name + "WithControlFlowV2", enable_control_flow_v2(value))
    return cls


def add_graph_building_optimization_tests(cls):
    """Adds to each test the name that it has in TensorFlow with a faster way to build graphs."""
    for name, value in list(vars(cls).items()):
        if _is_test(name) and callable(value):
            setattr(cls, name + "WithGraphBuildingOptimization", value)
    return cls


def with_forward_compatibility_horizons(*horizons):
    """A decorator that runs a test once for each horizon."""

    def decorator(function):
        @functools.wraps(function)
        def decorated(self, *args, **kwargs):
            for _ in horizons:
                function(self, *args, **kwargs)

        return decorated

    return decorator


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


@contextlib.contextmanager
def skip_if_error(test_obj, error_type, messages=None):
    """Skips the test where the block raises such an error, with one of the messages if there are any."""
    texts = [messages] if isinstance(messages, str) else list(messages or ())
    try:
        yield
    except error_type as error:
        if texts and not any(text in str(error) for text in texts):
            raise
        test_obj.skipTest(f"Skipping error: {type(error)}: {error}")
