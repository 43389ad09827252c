"""What means an element type, and what does not."""

import numpy as np
import pytest

import kiln.compat.v1 as tf


@pytest.mark.parametrize(
    "value, name",
    [
        ("float", "float32"),
        ("float_ref", "float32_ref"),
        ("double", "float64"),
        ("half", "float16"),
        (float, "float32"),
        (bool, "bool"),
        (object, "string"),
        (np.str_, "string"),
        (np.dtype("S5"), "string"),
        (np.int_, "int64"),
        (103, "int32_ref"),
        (np.int64(3), "int32"),
    ],
)
def test_names_and_types_that_mean_one(value, name):
    assert tf.as_dtype(value).name == name


@pytest.mark.parametrize("value", ["int", "f4", "bool_", b"float", int, str, bytes, complex, None, [1]])
def test_names_and_types_that_mean_none(value):
    with pytest.raises(TypeError, match="Cannot convert value"):
        tf.as_dtype(value)
    assert tf.int32 != value
