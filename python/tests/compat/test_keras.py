"""tf.keras, estimators and feature columns give, print and raise what TensorFlow's do."""

import keras_programs
import numpy as np
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


@pytest.mark.parametrize(
    "layer, losses",
    [
        ("BatchNormalization", [0.91641, 0.89761, 0.86396, 0.83707]),
        ("Dropout", [0.8773, 0.81566, 0.83607, 0.94594]),
    ],
)
def test_training_with_validation_draws_the_random_numbers_of_tensorflow(layer, losses):
    """The losses are TensorFlow's; the numbers that mix what is validated are NumPy's, too."""
    tf.keras.backend.clear_session()
    tf.set_random_seed(1)
    np.random.seed(1)
    x = np.random.rand(64, 10).astype("f4")
    y = (x.sum(1) > 5).astype("i4")
    layers = tf.keras.layers
    between = layers.Dropout(0.5) if layer == "Dropout" else layers.BatchNormalization()
    first = layers.Dense(8, activation="relu", input_shape=(10,))
    model = tf.keras.Sequential([first, between, layers.Dense(2, activation="softmax")])
    model.compile("sgd", loss="sparse_categorical_crossentropy")
    history = model.fit(x, y, epochs=4, batch_size=16, validation_split=0.25, verbose=0).history
    assert history["loss"] == pytest.approx(losses, abs=1e-5)


def test_whole_batches_are_mixed_and_a_smaller_one_stays_the_last():
    sizes = []
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(1,))])
    model.compile("sgd", "mse")
    rows = np.arange(10.0)[:, None]
    seen = tf.keras.callbacks.LambdaCallback(on_batch_end=lambda batch, logs: sizes.append(logs["size"]))
    model.fit(rows, rows, batch_size=4, epochs=8, shuffle="batch", verbose=0, callbacks=[seen])
    assert sizes == [4, 4, 2] * 8
