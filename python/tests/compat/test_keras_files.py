"""Files of tf.keras: weights, whole models, data sets; what is not installed is named in errors."""

import importlib.util
import json
import os
import struct

import numpy as np
import pytest

import kiln.compat.v1 as tf

HAS_HDF5 = importlib.util.find_spec("h5py") is not None
needs_hdf5 = pytest.mark.skipif(not HAS_HDF5, reason="h5py is not installed")


@pytest.fixture(autouse=True)
def session():
    tf.keras.backend.clear_session()


def compiled():
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [layers.Dense(3, input_shape=(4,), name="first"), layers.Dense(1, name="second")]
    )
    model.compile("adam", "mse", metrics=["mae"])
    return model


X, Y = np.arange(24.0).reshape(6, 4) / 24, np.arange(6.0)[:, None]


def test_checkpoint_keeps_what_the_optimizer_knows(tmp_path):
    model = compiled()
    model.fit(X, Y, epochs=2, verbose=0)
    model.save_weights(str(tmp_path / "weights"))
    names = dict(tf.train.list_variables(str(tmp_path / "weights")))
    assert "optimizer/iter/.ATTRIBUTES/VARIABLE_VALUE" in names
    slot = "layer_with_weights-0/kernel/.OPTIMIZER_SLOT/optimizer/m/.ATTRIBUTES/VARIABLE_VALUE"
    assert names[slot] == [4, 3]
    other = compiled()
    other.train_on_batch(X, Y)
    status = other.load_weights(tf.train.latest_checkpoint(str(tmp_path)))
    status.assert_consumed()
    for a, b in zip(model.optimizer.get_weights(), other.optimizer.get_weights()):
        np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(model.predict(X), other.predict(X))


def test_slots_that_are_made_after_loading_have_their_values(tmp_path):
    model, path = compiled(), str(tmp_path / "weights")
    model.fit(X, Y, epochs=3, verbose=0)
    model.save_weights(path)
    other = compiled()
    status = other.load_weights(path)
    with pytest.raises(AssertionError, match="Unresolved values"):
        status.assert_consumed()
    other.predict(X)
    for each in (model, other):
        each.fit(X, Y, epochs=2, verbose=0, shuffle=False)
    status.assert_consumed()
    for a, b in zip(model.get_weights(), other.get_weights()):
        np.testing.assert_array_equal(a, b)
    # A checkpoint that is read later is the one that counts, and values that are set stay.
    other.load_weights(path)
    other.set_weights([value * 0 for value in other.get_weights()])
    assert not other.predict(X).any()


def test_models_that_are_built_after_loading_have_their_weights(tmp_path):
    layers, path = tf.keras.layers, str(tmp_path / "weights")

    class Own(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.first, self.second = layers.Dense(3), layers.Dense(1)

        def call(self, inputs):
            return self.second(self.first(inputs))

    for make in (Own, lambda: tf.keras.Sequential([layers.Dense(3), layers.Dense(1)])):
        model, other = make(), make()
        wanted = model.predict(X)
        model.save_weights(path)
        other.load_weights(path)
        np.testing.assert_array_equal(other.predict(X), wanted)
    with pytest.raises(AssertionError, match="Nothing except the root object matched"):
        tf.keras.Sequential().load_weights(path)


def test_checkpoint_of_a_saver_is_read_by_names(tmp_path):
    model = compiled()
    session = tf.keras.backend.get_session()
    path = tf.train.Saver(model.weights).save(session, str(tmp_path / "saver"))
    before = model.get_weights()
    model.set_weights([value + 1 for value in before])
    model.load_weights(path)
    for a, b in zip(before, model.get_weights()):
        np.testing.assert_array_equal(a, b)


def test_checkpoint_of_another_model_matches_nothing(tmp_path):
    compiled().save_weights(str(tmp_path / "weights"))
    other = tf.keras.Model(a := tf.keras.layers.Input((2,)), tf.keras.layers.Lambda(lambda x: x)(a))
    own = tf.Variable(1.0, name="own")
    path = tf.train.Saver([own])
    with tf.Session() as session:
        session.run(own.initializer)
        path = path.save(session, str(tmp_path / "own"))
    assert other.weights == []
    with pytest.raises(AssertionError, match="Nothing except the root object matched"):
        compiled().load_weights(path)


def test_no_overwriting_unless_the_user_says_so(tmp_path, monkeypatch):
    model, path = compiled(), str(tmp_path / "weights")
    model.save_weights(path)
    model.set_weights([value * 0 + 7 for value in model.get_weights()])
    monkeypatch.setattr("builtins.input", lambda question: "n")
    model.save_weights(path, overwrite=False)
    model.load_weights(path)
    assert not (model.get_weights()[0] == 7).any()


@pytest.mark.skipif(HAS_HDF5, reason="h5py is installed")
def test_without_h5py_errors_say_so(tmp_path):
    model, path = compiled(), str(tmp_path / "model.h5")
    for call in (model.save, model.save_weights, lambda path: tf.keras.models.save_model(model, path)):
        with pytest.raises(ImportError, match="requires h5py"):
            call(path)
    with open(path, "wb") as file:
        file.write(b"\x89HDF\r\n\x1a\n")
    for call in (tf.keras.models.load_model, model.load_weights):
        with pytest.raises(ImportError, match="requires h5py"):
            call(path)
    with pytest.raises(ImportError, match="requires HDF5 and h5py"):
        tf.keras.utils.HDF5Matrix(path, "x")


def test_what_is_no_model(tmp_path):
    with pytest.raises(OSError, match="SavedModel file does not exist at"):
        tf.keras.models.load_model(str(tmp_path / "none"))
    (tmp_path / "text").write_text("no model")
    with pytest.raises(OSError, match="not an hdf5 file"):
        tf.keras.models.load_model(str(tmp_path / "text"))
    with pytest.raises(NotImplementedError, match="simple_save"):
        compiled().save(str(tmp_path / "folder"), save_format="tf")


@needs_hdf5
def test_a_model_in_hdf5(tmp_path):
    model, path = compiled(), str(tmp_path / "model.h5")
    model.fit(X, Y, epochs=2, verbose=0)
    model.save(path)
    other = tf.keras.models.load_model(path)
    np.testing.assert_array_equal(model.predict(X), other.predict(X))
    for a, b in zip(model.optimizer.get_weights(), other.optimizer.get_weights()):
        np.testing.assert_array_equal(a, b)
    assert other.metrics_names == model.metrics_names
    np.testing.assert_allclose(model.train_on_batch(X, Y), other.train_on_batch(X, Y), rtol=1e-5)


@needs_hdf5
def test_weights_in_hdf5(tmp_path):
    model, path = compiled(), str(tmp_path / "weights.h5")
    model.save_weights(path)
    other = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(4,), name="first")])
    other.load_weights(path, by_name=True)
    np.testing.assert_array_equal(model.get_weights()[0], other.get_weights()[0])
    with pytest.raises(ValueError, match="containing 2 layers into a model with 1 layers"):
        other.load_weights(path)


def test_data_sets_that_are_there_already(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    datasets = tf.keras.datasets
    folder = tmp_path / ".keras" / "datasets"
    os.makedirs(folder / "fashion-mnist")
    np.savez(folder / "mine.npz", x_train=[[1]], y_train=[2], x_test=[[3]], y_test=[4])
    monkeypatch.setattr("kiln.compat.v1.keras.utils._files._is_right", lambda *given: True)
    (x_train, y_train), (x_test, y_test) = datasets.mnist.load_data("mine.npz")
    assert (x_train[0, 0], y_train[0], x_test[0, 0], y_test[0]) == (1, 2, 3, 4)
    np.savez(folder / "boston.npz", x=np.arange(20).reshape(10, 2), y=np.arange(10))
    (x_train, y_train), (x_test, _) = datasets.boston_housing.load_data("boston.npz")
    order = np.arange(10)
    np.random.RandomState(113).shuffle(order)
    assert y_train.tolist() == order[:8].tolist() and x_test.shape == (2, 2)
    reviews = np.empty(3, dtype=object)
    reviews[:] = [[5, 1], [2, 90, 7], [3]]
    np.savez(folder / "imdb.npz", x_train=reviews, y_train=[0, 1, 1], x_test=reviews, y_test=[1, 0, 0])
    (x_train, _), (x_test, _) = datasets.imdb.load_data(num_words=10)
    assert sorted(map(list, x_train)) == [[1, 5, 2, 2], [1, 6], [1, 8, 4]]
    with pytest.raises(ValueError, match="no sequence was kept"):
        datasets.imdb.load_data(maxlen=1)
    (folder / "imdb_word_index.json").write_text(json.dumps({"the": 1}))
    assert datasets.imdb.get_word_index() == {"the": 1}


def test_fashion_mnist_is_read_from_its_files(tmp_path, monkeypatch):
    import gzip

    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / ".keras" / "datasets" / "fashion-mnist"
    os.makedirs(folder)
    for name, count in (("train", 3), ("t10k", 2)):
        images = np.arange(count * 784, dtype="u1")
        head = struct.pack(">IIII", 2051, count, 28, 28)
        (folder / f"{name}-images-idx3-ubyte.gz").write_bytes(gzip.compress(head + images.tobytes()))
        labels = struct.pack(">II", 2049, count) + bytes(range(count))
        (folder / f"{name}-labels-idx1-ubyte.gz").write_bytes(gzip.compress(labels))
    (x_train, y_train), (x_test, y_test) = tf.keras.datasets.fashion_mnist.load_data()
    assert x_train.shape == (3, 28, 28) and x_test.shape == (2, 28, 28)
    assert y_train.tolist() == [0, 1, 2] and x_test[1, 0, 0] == 784 % 256


def test_downloads_that_fail(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(Exception, match="URL fetch failure on file:///none/here"):
        tf.keras.utils.get_file("here", "file:///none/here")


def test_plots_need_pydot():
    if importlib.util.find_spec("pydot"):
        pytest.skip("pydot is installed")
    with pytest.raises(ImportError, match="You must install pydot and graphviz"):
        tf.keras.utils.plot_model(compiled())


def test_one_process_has_no_gpus():
    with pytest.raises(ValueError, match="this machine only has"):
        tf.keras.utils.multi_gpu_model(compiled(), 2)


def test_models_for_scikit_learn():
    labels = np.array(["a", "b", "b", "a", "b", "a"])

    def build(units=3):
        model = tf.keras.Sequential([
            tf.keras.layers.Dense(units, input_shape=(4,)),
            tf.keras.layers.Dense(1, activation="sigmoid"),
        ])  # fmt: skip
        model.compile("sgd", "binary_crossentropy", metrics=["accuracy"])
        return model

    wrapper = tf.keras.wrappers.scikit_learn.KerasClassifier(build, units=2, epochs=2, verbose=0)
    wrapper.fit(X, labels)
    assert set(wrapper.predict(X).ravel()) <= {"a", "b"}
    assert wrapper.predict_proba(X).shape == (6, 2) and 0 <= wrapper.score(X, labels) <= 1
    assert wrapper.get_params()["units"] == 2
    with pytest.raises(ValueError, match="nothing is not a legal parameter"):
        wrapper.set_params(nothing=3)


def test_models_as_yaml():
    yaml = pytest.importorskip("yaml")
    model = compiled()
    assert "class_name: Sequential" in model.to_yaml() and yaml
    assert len(tf.keras.models.model_from_yaml(model.to_yaml()).layers) == 2
