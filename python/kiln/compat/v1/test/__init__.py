"""Tests of programs: tf.test. Source: tf.test."""

import os
import sys
import unittest
from unittest import mock

from kiln.compat.v1.test._benchmark import Benchmark, benchmark_config
from kiln.compat.v1.test._case import TestCase
from kiln.compat.v1.test._gradients import compute_gradient, compute_gradient_error
from kiln.compat.v1.test._stubs import StubOutForTesting
from kiln.compat.v1.test._tools import assert_equal_graph_def, get_temp_dir


def main(argv=None):
    """Runs the tests of the program's main module. Source: tf.test.main."""
    unittest.main(argv=argv or sys.argv)


def gpu_device_name():
    """The empty text: Kiln runs on CPUs. Source: tf.test.gpu_device_name."""
    return ""


def is_built_with_cuda():
    """False. Source: tf.test.is_built_with_cuda."""
    return False


def is_built_with_gpu_support():
    """False. Source: tf.test.is_built_with_gpu_support."""
    return False


def is_built_with_rocm():
    """False. Source: tf.test.is_built_with_rocm."""
    return False


def is_gpu_available(cuda_only=False, min_cuda_compute_capability=None):
    """False. Source: tf.test.is_gpu_available."""
    return False


def test_src_dir_path(relative_path):
    """A path below the folder of the program. Source: tf.test.test_src_dir_path."""
    return os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), relative_path)


__all__ = [
    "Benchmark",
    "StubOutForTesting",
    "TestCase",
    "assert_equal_graph_def",
    "benchmark_config",
    "compute_gradient",
    "compute_gradient_error",
    "get_temp_dir",
    "gpu_device_name",
    "is_built_with_cuda",
    "is_built_with_gpu_support",
    "is_built_with_rocm",
    "is_gpu_available",
    "main",
    "mock",
    "test_src_dir_path",
]
