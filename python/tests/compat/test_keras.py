"""tf.keras, estimators and feature columns give, print and raise what TensorFlow's do."""

import keras_programs
import pytest

import kiln.compat.v1 as tf

MODULES = ["estimators", "feature_columns", "helpers", "layers", "models", "networks", "training"]
CASES = [(module, name) for module in MODULES for name in keras_programs.cases_of(module)]
# What cases need beside NumPy.
NEEDS = {"image_batches": ["scipy", "PIL"], "image_changes": ["scipy", "PIL"], "image_files": ["PIL"]}


@pytest.fixture(scope="module")
def recorded():
    return {module: keras_programs.recorded(module) for module in MODULES}


@pytest.mark.parametrize("module,name", CASES)
def test_case(module, name, recorded):
    for package in NEEDS.get(name, ()):
        pytest.importorskip(package)
    made = keras_programs.describe(tf, keras_programs.cases_of(module)[name])
    found = list(keras_programs.differences(recorded[module][name], made))
    assert not found, "\n".join(found[:10])
