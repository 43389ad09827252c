"""Canned estimators, input functions, exports, estimators of Keras's models and for TPUs."""

import os

import numpy as np
import pytest

import kiln.compat.v1 as tf

X = np.linspace(-1, 1, 40, dtype="f4")
WORDS = np.array(["even", "odd"] * 20)
LABELS = (X > 0).astype("i8")
INPUTS = {"x": X, "word": WORDS}


def inputs(y=LABELS, epochs=None, **kwargs):
    options = {"batch_size": 10, "num_epochs": epochs, "shuffle": False, **kwargs}
    return tf.estimator.inputs.numpy_input_fn(INPUTS, y, **options)


def columns():
    fc = tf.feature_column
    word = fc.categorical_column_with_vocabulary_list("word", ["even", "odd"])
    return [fc.numeric_column("x")], [word], fc.indicator_column(word)


@pytest.fixture
def config(tmp_path):
    yield tf.estimator.RunConfig(model_dir=str(tmp_path / "model"), tf_random_seed=1)
    tf.summary.FileWriterCache.clear()


def test_linear_classifier_begins_with_zeros_and_learns(config):
    dense, sparse, _ = columns()
    estimator = tf.estimator.LinearClassifier(dense + sparse, config=config)
    estimator.train(inputs(), steps=1)
    # The first loss of logits that are zero: log(2) of each of 10 examples.
    estimator.train(inputs(), steps=200)
    found = estimator.evaluate(inputs(epochs=1))
    assert found["accuracy"] > 0.95 and found["global_step"] == 201
    assert found["accuracy_baseline"] == 0.5 and found["auc"] > 0.99
    np.testing.assert_allclose(found["loss"], found["average_loss"] * 10, rtol=1e-5)
    assert "linear/linear_model/x/weights" in estimator.get_variable_names()
    weight = estimator.get_variable_value("linear/linear_model/x/weights")
    assert weight.shape == (1, 1) and weight[0, 0] > 1
    predictions = list(estimator.predict(inputs(epochs=1), predict_keys=["class_ids", "classes"]))
    assert len(predictions) == 40 and set(predictions[0]) == {"class_ids", "classes"}
    assert predictions[-1]["classes"].tolist() == [b"1"]


@pytest.mark.parametrize("kind", ["DNNClassifier", "DNNLinearCombinedClassifier"])
def test_deep_classifiers_learn(config, kind):
    dense, sparse, indicator = columns()
    if kind == "DNNClassifier":
        estimator = tf.estimator.DNNClassifier(
            [8, 4], dense + [indicator], n_classes=3, config=config,
            optimizer=tf.train.AdamOptimizer(0.05),
        )  # fmt: skip
    else:
        estimator = tf.estimator.DNNLinearCombinedClassifier(
            linear_feature_columns=sparse, dnn_feature_columns=dense, dnn_hidden_units=[8],
            n_classes=3, config=config, dnn_optimizer=tf.train.AdamOptimizer(0.05),
        )  # fmt: skip
    labels = np.digitize(X, [-0.3, 0.3])
    estimator.train(inputs(labels), steps=300)
    found = estimator.evaluate(inputs(labels, epochs=1))
    assert found["accuracy"] > 0.9
    prediction = next(estimator.predict(inputs(None, epochs=1)))
    assert prediction["probabilities"].shape == (3,) and prediction["class_ids"].tolist() == [0]


@pytest.mark.parametrize("kind", ["LinearRegressor", "DNNRegressor", "DNNLinearCombinedRegressor"])
def test_regressors_learn(config, kind):
    dense, sparse, _ = columns()
    options = {
        "LinearRegressor": dict(feature_columns=dense),
        "DNNRegressor": dict(hidden_units=[8], feature_columns=dense),
        "DNNLinearCombinedRegressor": dict(
            linear_feature_columns=dense, dnn_feature_columns=dense, dnn_hidden_units=[4],
            linear_optimizer=tf.train.AdamOptimizer(0.05),
            dnn_optimizer=tf.train.AdamOptimizer(0.05),
        ),  # fmt: skip
    }[kind]
    estimator = getattr(tf.estimator, kind)(config=config, **options)
    y = 2 * X + 1
    estimator.train(inputs(y), steps=400)
    found = estimator.evaluate(inputs(y, epochs=1))
    assert found["average_loss"] < 0.1 and "prediction/mean" in found
    np.testing.assert_allclose(found["label/mean"], 1.0, atol=1e-4)
    prediction = next(estimator.predict(inputs(None, epochs=1)))["predictions"]
    assert prediction.shape == (1,) and abs(prediction[0] + 1) < 0.8


def test_baselines_learn_the_mean(config):
    labels = (X > -0.5).astype("i8")
    estimator = tf.estimator.BaselineClassifier(config=config)
    estimator.train(inputs(labels, batch_size=40), steps=100)
    prediction = next(estimator.predict(inputs(None, epochs=1)))
    assert abs(prediction["probabilities"][1] - labels.mean()) < 0.02


def test_vocabularies_of_labels_and_weights_of_examples(config):
    labels = np.where(X > 0, "yes", "no")
    data = {"x": X, "weight": np.where(X > 0, 1.0, 0.5).astype("f4")}
    estimator = tf.estimator.LinearClassifier(
        columns()[0], label_vocabulary=["no", "yes"], weight_column="weight", config=config
    )
    given = tf.estimator.inputs.numpy_input_fn(data, labels, batch_size=40, num_epochs=1, shuffle=False)
    estimator.train(given)
    found = estimator.evaluate(given)
    np.testing.assert_allclose(found["label/mean"], 2 / 3, rtol=1e-5)
    assert next(estimator.predict(given))["classes"][0] in (b"no", b"yes")


def test_pandas_input(config):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"x": X, "word": WORDS}, index=range(100, 140))
    fn = tf.estimator.inputs.pandas_input_fn(
        table, pandas.Series(LABELS, index=table.index), batch_size=8, num_epochs=1, shuffle=False
    )
    with tf.Graph().as_default():
        features, labels = fn()
        with tf.train.MonitoredSession() as session:
            values, wanted = session.run([features, labels])
    assert set(values) == {"x", "word"} and values["word"][1] == b"odd"
    np.testing.assert_allclose(values["x"], X[:8])
    assert wanted.tolist() == LABELS[:8].tolist()


def test_train_and_evaluate_exports(config, tmp_path):
    dense, _, indicator = columns()
    estimator = tf.estimator.DNNClassifier([4], dense + [indicator], config=config)
    spec = tf.feature_column.make_parse_example_spec(dense + [indicator])
    receiver = tf.estimator.export.build_parsing_serving_input_receiver_fn(spec)
    exporter = tf.estimator.FinalExporter("final", receiver)
    result, exported = tf.estimator.train_and_evaluate(
        estimator,
        tf.estimator.TrainSpec(inputs(), max_steps=20),
        tf.estimator.EvalSpec(inputs(epochs=1), steps=None, exporters=exporter),
    )
    assert result["global_step"] == 20 and len(exported) == 1
    folder = exported[0].decode() if isinstance(exported[0], bytes) else exported[0]
    assert os.path.exists(os.path.join(folder, "saved_model.pb"))
    example = tf.train.Example()
    example.features.feature["x"].float_list.value.append(0.5)
    example.features.feature["word"].bytes_list.value.append(b"odd")
    with tf.Graph().as_default(), tf.Session() as session:
        loaded = tf.saved_model.loader.load(session, ["serve"], folder)
        signature = loaded.signature_def["predict"]
        name = signature.inputs["examples"].name
        values = session.run(
            {key: each.name for key, each in signature.outputs.items()},
            {name: [example.SerializeToString()]},
        )
    assert values["probabilities"].shape == (1, 2)


def test_warm_start_takes_weights_of_another_model(config, tmp_path):
    dense = columns()[0]
    first = tf.estimator.LinearRegressor(dense, config=config)
    first.train(inputs(2 * X), steps=50)
    second = tf.estimator.LinearRegressor(
        dense, model_dir=str(tmp_path / "second"), warm_start_from=first.model_dir
    )
    second.train(inputs(2 * X), steps=1)
    name = "linear/linear_model/x/weights"
    assert abs(second.get_variable_value(name) - first.get_variable_value(name)) < 0.2
    assert abs(second.get_variable_value(name)[0, 0]) > 0.5


def test_metrics_that_are_added(config):
    estimator = tf.estimator.LinearClassifier(columns()[0], config=config)
    estimator = tf.estimator.add_metrics(
        estimator,
        lambda labels, predictions: {
            "right": tf.metrics.accuracy(labels, predictions["class_ids"])
        },
    )
    estimator.train(inputs(), steps=10)
    found = estimator.evaluate(inputs(epochs=1))
    assert found["right"] == found["accuracy"]


def test_wrong_arguments(config):
    dense = columns()[0]
    estimator = tf.estimator.LinearRegressor(dense, config=config)
    with pytest.raises(ValueError, match="Can not provide both steps and max_steps"):
        estimator.train(inputs(), steps=1, max_steps=2)
    with pytest.raises(ValueError, match="Must specify steps > 0"):
        estimator.evaluate(inputs(), steps=0)
    with pytest.raises(ValueError, match="Could not find trained model"):
        estimator.get_variable_names()
    with pytest.raises(ValueError, match="labels"):
        estimator.train(inputs(None), steps=1)
    with pytest.raises(AttributeError, match="boosted trees"):
        tf.estimator.BoostedTreesClassifier


def test_models_of_keras_as_estimators(config):
    layers = tf.keras.layers
    model = tf.keras.Sequential([
        layers.Dense(8, activation="relu", input_shape=(1,), name="hidden"),
        layers.Dense(2, activation="softmax", name="output"),
    ])  # fmt: skip
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.set_weights([value * 0 + 0.5 for value in model.get_weights()])
    estimator = tf.keras.estimator.model_to_estimator(model, config=config)
    given = {"hidden_input": X[:, None]}

    def fn(epochs=None):
        return tf.estimator.inputs.numpy_input_fn(
            given, LABELS[:, None], batch_size=40, num_epochs=epochs, shuffle=False
        )

    # The weights that the model has are those that the training begins with.
    before = estimator.evaluate(fn(1))
    np.testing.assert_allclose(before["loss"], np.log(2), rtol=1e-4)
    estimator.train(fn(), steps=300)
    after = estimator.evaluate(fn(1))
    assert after["loss"] < 0.5 and after["acc"] > 0.9 and after["global_step"] == 300
    prediction = next(estimator.predict(fn(1)))
    assert list(prediction) == ["output"] and prediction["output"].shape == (2,)
    with pytest.raises(ValueError, match="has not been compiled yet"):
        tf.keras.estimator.model_to_estimator(tf.keras.Sequential([layers.Dense(1, input_dim=1)]))
    with pytest.raises(ValueError, match="Cannot find input with name"):
        estimator.train(inputs(), steps=1)


def test_subclassed_models_of_keras_as_estimators(config):
    class Own(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = tf.keras.layers.Dense(1)

        def call(self, inputs):
            return self.dense(inputs)

    model = Own()
    model.compile(tf.train.GradientDescentOptimizer(0.5), "mse")
    dense = model.dense
    estimator = tf.keras.estimator.model_to_estimator(model, config=config)
    fn = tf.estimator.inputs.numpy_input_fn(
        X[:, None], 2 * X[:, None], batch_size=40, num_epochs=None, shuffle=False
    )
    estimator.train(fn, steps=50)
    assert estimator.evaluate(fn, steps=1)["loss"] < 0.01
    assert model.dense is dense and not model.built


def test_estimators_for_tpus_run_on_cpus(tmp_path):
    sizes, config = [], tf.contrib.tpu.RunConfig(
        model_dir=str(tmp_path), tpu_config=tf.contrib.tpu.TPUConfig(iterations_per_loop=5)
    )

    def model_fn(features, labels, mode, params):
        sizes.append((mode, params["batch_size"], params["use_tpu"]))
        y = tf.layers.dense(features, 1)
        if mode == tf.estimator.ModeKeys.PREDICT:
            return tf.contrib.tpu.TPUEstimatorSpec(mode, predictions={"y": y})
        loss = tf.losses.mean_squared_error(labels, y)
        optimizer = tf.train.GradientDescentOptimizer(0.1)
        if params["use_tpu"]:
            optimizer = tf.contrib.tpu.CrossShardOptimizer(optimizer)
        metrics = lambda labels, y: {"error": tf.metrics.mean_absolute_error(labels, y)}  # noqa: E731
        return tf.contrib.tpu.TPUEstimatorSpec(
            mode, loss=loss, train_op=optimizer.minimize(loss, tf.train.get_global_step()),
            eval_metrics=(metrics, [labels, y]),
        )  # fmt: skip

    def input_fn(params):
        return tf.ones([params["batch_size"], 2]), tf.ones([params["batch_size"], 1])

    estimator = tf.contrib.tpu.TPUEstimator(
        model_fn, config=config, use_tpu=False, train_batch_size=4, eval_batch_size=3,
        predict_batch_size=2, params={"rate": 1},
    )  # fmt: skip
    estimator.train(input_fn, max_steps=30)
    found = estimator.evaluate(input_fn, steps=2)
    assert found["global_step"] == 30 and found["error"] < 0.1
    assert next(estimator.predict(input_fn))["y"].shape == (1,)
    assert sizes == [("train", 4, False), ("eval", 3, False), ("infer", 2, False)]
    with pytest.raises(ValueError, match="Kiln has no TPUs"):
        tf.contrib.tpu.TPUEstimator(model_fn, config=config, train_batch_size=4)
    with pytest.raises(ValueError, match="reserved keys"):
        tf.contrib.tpu.TPUEstimator(
            model_fn, config=config, use_tpu=False, params={"batch_size": 1}
        )
    with pytest.raises(ValueError, match="must be provided with type"):
        tf.contrib.tpu.TPUEstimator(model_fn, config=tf.estimator.RunConfig(), use_tpu=False)


def test_options_for_tpus():
    config = tf.contrib.tpu.TPUConfig(100, num_shards=8, per_host_input_for_training=False)
    assert config.per_host_input_for_training == tf.contrib.tpu.InputPipelineConfig.PER_SHARD_V1
    run = tf.contrib.tpu.RunConfig(tpu_config=config, master="", save_checkpoints_steps=5)
    assert run.replace(model_dir="/none").tpu_config == config and run.save_checkpoints_steps == 5
    for wrong in ({"iterations_per_loop": 0}, {"num_shards": -1}, {"num_cores_per_replica": 3}):
        with pytest.raises(ValueError):
            tf.contrib.tpu.TPUConfig(**wrong)
    with pytest.raises(AttributeError, match="it needs a TPU"):
        tf.contrib.tpu.rewrite


def test_gradients_of_one_part_are_those_of_all():
    with tf.Graph().as_default():
        variable = tf.get_variable("v", initializer=1.0)
        optimizer = tf.contrib.tpu.CrossShardOptimizer(tf.train.GradientDescentOptimizer(0.5))
        step = optimizer.minimize(variable * variable)
        with tf.contrib.tpu.bfloat16_scope():
            half = tf.get_variable("half", [2], dtype=tf.bfloat16, initializer=tf.ones_initializer())
        assert half.dtype == tf.bfloat16
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(step)
            assert session.run(variable) == 0.0
        with pytest.raises(ValueError, match="Unsupported reduction"):
            tf.contrib.tpu.CrossShardOptimizer(optimizer, reduction="other")
