"""Runs a program on TensorFlow and on Kiln, for the tests of kiln.tensorflow."""

import importlib.machinery
import importlib.util
import os
import pathlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np
import pytest

pytest.importorskip("tensorflow", reason="TensorFlow is not installed: tools/test --tensorflow installs it")
folder = pathlib.Path(importlib.util.find_spec("kiln").origin).parent
if not any((folder / f"_kiln{suffix}").exists() for suffix in importlib.machinery.EXTENSION_SUFFIXES):
    pytest.skip("the TensorFlow that is there belongs to another Python", allow_module_level=True)
import tensorflow.compat.v1 as tf

import kiln.tensorflow
from kiln.tensorflow._session import Bridge

tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.ERROR)


def foreign_square(x, name=None):
    """x * x by way of an op that Kiln does not have, and to which TensorFlow gives no gradient."""

    @tf.custom_gradient
    def same(value):
        column = tf.reshape(value, [1, -1, 1, 1])
        convolved = tf.raw_ops.FusedPadConv2D(
            input=column, paddings=np.zeros([4, 2], np.int32), filter=np.ones([1, 1, 1, 1], np.float32), mode="REFLECT",
            strides=[1, 1, 1, 1], padding="VALID", name=name,
        )  # fmt: skip
        return tf.ensure_shape(tf.reshape(convolved, tf.shape(value)), value.shape), lambda slope: slope

    return x * same(x)


def outcome(program):
    """The values that a program returns, or its error's type and first line."""
    with tf.Graph().as_default():
        tf.set_random_seed(7)
        try:
            return program()
        except Exception as error:
            return type(error)


def runs_of(session):
    """How many programs Kiln has made for a tf.Session."""
    bridge = session.__dict__.get("_kiln")
    return bridge.session.stats.compilations if bridge else 0


class Counted:
    """Counts the runs that TensorFlow's sessions ask Kiln for, those by remembered requests apart."""

    def __enter__(self):
        self.runs = 0
        self.call = Bridge.call

        def call(bridge, *arguments):
            self.runs += 1
            return self.call(bridge, *arguments)

        Bridge.call = call
        return self

    def __exit__(self, *exception):
        Bridge.call = self.call


def same_as_tensorflow(program, tolerance=1e-5):
    """Asserts that both give the same values, or errors of the same type; returns Kiln's."""
    expected = outcome(program)
    with kiln.tensorflow.install(), Counted() as counted:
        got = outcome(program)
    assert counted.runs > 0, "no session ran on Kiln"
    assert_same(got, expected, tolerance)
    return got


def assert_same(got, expected, tolerance):
    if isinstance(expected, dict):
        assert type(got) is type(expected) and list(got) == list(expected)
        got, expected = list(got.values()), list(expected.values())
    if isinstance(expected, (list, tuple)):
        assert type(got) is type(expected) and len(got) == len(expected), (got, expected)
        for mine, theirs in zip(got, expected):
            assert_same(mine, theirs, tolerance)
    elif isinstance(expected, (np.ndarray, np.generic)):
        assert type(got) is type(expected) and got.dtype == expected.dtype and got.shape == expected.shape
        if np.issubdtype(expected.dtype, np.inexact):
            np.testing.assert_allclose(got, expected, tolerance, tolerance)
        else:
            np.testing.assert_array_equal(got, expected)
    else:
        assert got == expected, (got, expected)


@pytest.fixture
def on_kiln():
    with kiln.tensorflow.install(), tf.Graph().as_default():
        yield
