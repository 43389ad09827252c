"""tf.contrib.learn's estimators of feature columns: losses, metrics, activations, optimizers, steps."""

import numpy as np
import pytest

import kiln.compat.v1 as tf

learn, layers = tf.contrib.learn, tf.contrib.layers
COLUMN = layers.real_valued_column("x")
WEIGHTS = np.array([1.0, 2.0, 0.0, 3.0], np.float32)


def inputs(labels, weights=None):
    def input_fn():
        features = {"x": tf.constant([[1.0], [2.0], [3.0], [4.0]])}
        if weights is not None:
            features["w"] = tf.constant(weights)
        return features, tf.constant(labels)

    return input_fn


def trained(model, labels, weights=None, steps=1):
    """The loss of the last step, by a hook."""
    seen = []

    class Losses(tf.train.SessionRunHook):
        def begin(self):
            (self.loss,) = tf.get_collection(tf.GraphKeys.LOSSES)

        def before_run(self, run_context):
            return tf.train.SessionRunArgs(self.loss)

        def after_run(self, run_context, run_values):
            seen.append(run_values.results)

    model.fit(input_fn=inputs(labels, weights), steps=steps, monitors=[Losses()])
    return seen[-1]


def test_weights_count_by_examples_in_training_and_by_their_sum_in_evaluation(tmp_path):
    labels = [[2.0], [4.0], [9.0], [0.0]]
    model = learn.LinearRegressor([COLUMN], str(tmp_path), weight_column_name="w")
    squares = np.square(labels).ravel()
    assert trained(model, labels, WEIGHTS) == pytest.approx((squares * WEIGHTS).sum() / 4)
    found = model.evaluate(input_fn=inputs(labels, WEIGHTS), steps=1)
    distances = np.square(np.array(list(model.predict(input_fn=inputs(labels)))) - np.ravel(labels))
    assert found["loss"] == pytest.approx((distances * WEIGHTS).sum() / WEIGHTS.sum(), rel=1e-5)


def test_classifiers_weigh_examples(tmp_path):
    for count, logit_loss in ((2, np.log(2)), (3, np.log(3))):
        model = learn.LinearClassifier(
            [COLUMN], str(tmp_path / str(count)), n_classes=count, weight_column_name="w"
        )
        loss = trained(model, [0, 1, 1, 0], WEIGHTS)
        assert loss == pytest.approx(WEIGHTS.mean() * logit_loss)
        found = model.evaluate(input_fn=inputs([0, 1, 1, 0], WEIGHTS), steps=1)
        classes = np.array(list(model.predict(input_fn=inputs([0, 1, 1, 0]))))
        right = (classes == [0, 1, 1, 0]) * WEIGHTS
        assert found["accuracy"] == pytest.approx(right.sum() / WEIGHTS.sum())


def test_binary_metrics_have_those_of_a_threshold(tmp_path):
    model = learn.LinearClassifier([COLUMN], str(tmp_path))
    trained(model, [0, 0, 1, 1], steps=200)
    found = model.evaluate(input_fn=inputs([0, 0, 1, 1]), steps=1)
    assert sorted(found) == [
        "accuracy", "accuracy/baseline_label_mean", "accuracy/threshold_0.500000_mean", "auc",
        "auc_precision_recall", "global_step", "labels/actual_label_mean",
        "labels/prediction_mean", "loss", "precision/positive_threshold_0.500000_mean",
        "recall/positive_threshold_0.500000_mean",
    ]  # fmt: skip
    classes = np.array(list(model.predict(input_fn=inputs([0, 0, 1, 1]))))
    assert found["accuracy/threshold_0.500000_mean"] == found["accuracy"]
    assert found["recall/positive_threshold_0.500000_mean"] == classes[2:].mean()
    assert found["precision/positive_threshold_0.500000_mean"] == classes[2:].sum() / classes.sum()


def network_scores(tmp_path, **options):
    """What a network of one layer with these options predicts, and its weights."""
    config = learn.RunConfig(tf_random_seed=2)
    model = learn.DNNRegressor([2], [COLUMN], str(tmp_path), config=config, **options)
    trained(model, [[0.0]] * 4, steps=1)
    value = model.get_variable_value
    layer = [value("dnn/hiddenlayer_0/weights"), value("dnn/hiddenlayer_0/biases")]
    logits = [value("dnn/logits/weights"), value("dnn/logits/biases")]
    return np.array(list(model.predict(input_fn=inputs([[0.0]] * 4)))), layer, logits


@pytest.mark.parametrize(
    "activation, function",
    [(None, lambda x: x), ("tanh", np.tanh), ("relu", lambda x: np.maximum(x, 0))],
)
def test_activations_are_functions_names_or_none(tmp_path, activation, function):
    scores, layer, logits = network_scores(tmp_path, activation_fn=activation)
    x = np.array([[1.0], [2.0], [3.0], [4.0]])
    expected = function(x @ layer[0] + layer[1]) @ logits[0] + logits[1]
    np.testing.assert_allclose(scores, expected[:, 0], rtol=1e-5)


def test_unknown_activations(tmp_path):
    with pytest.raises(ValueError, match=r"should be one of \[relu, tanh, sigmoid\], you provided x"):
        network_scores(tmp_path, activation_fn="x")


def test_optimizers_of_linear_models_have_names(tmp_path):
    model = learn.LinearRegressor([COLUMN], str(tmp_path), optimizer="SGD")
    trained(model, [[1.0], [2.0], [3.0], [4.0]])
    # The slope's gradient is -2 * mean(x * x); TensorFlow's rate is 0.2.
    assert model.get_variable_value("linear/x/weight") == pytest.approx(0.2 * 2 * 7.5)


@pytest.mark.parametrize("once, step", [(True, 4), (False, 8)])
def test_combined_models_count_a_step_for_each_part(tmp_path, once, step):
    runs = []

    class Runs(tf.train.SessionRunHook):
        def after_run(self, run_context, run_values):
            runs.append(1)
            if len(runs) == 4:
                run_context.request_stop()

    model = learn.DNNLinearCombinedRegressor(
        str(tmp_path),
        linear_feature_columns=[COLUMN],
        dnn_feature_columns=[COLUMN],
        dnn_hidden_units=[2],
        fix_global_step_increment_bug=once,
    )
    model.fit(input_fn=inputs([[1.0]] * 4), monitors=[Runs()])
    assert model.get_variable_value("global_step") == step


def test_a_label_for_several_numbers_is_an_error(tmp_path):
    model = learn.LinearRegressor([COLUMN], str(tmp_path), label_dimension=2)
    with pytest.raises(ValueError, match="incompatible"):
        trained(model, [1.0, 2.0, 3.0, 4.0])


def test_labels_that_no_head_takes(tmp_path):
    model = learn.LinearClassifier([COLUMN], str(tmp_path), n_classes=3)
    with pytest.raises(ValueError, match="Labels dtype should be integer Instead got"):
        trained(model, [0.0, 1.0, 2.0, 1.0])
    with pytest.raises(ValueError, match="label_keys is not supported for n_classes=2."):
        learn.LinearClassifier([COLUMN], label_keys=["a", "b"])
    with pytest.raises(ValueError, match="Length of label_keys must equal n_classes."):
        learn.LinearClassifier([COLUMN], n_classes=3, label_keys=["a", "b"])
    with pytest.raises(ValueError, match="n_classes must be > 1 for classification: 1."):
        learn.LinearClassifier([COLUMN], n_classes=1)
    with pytest.raises(ValueError, match="feature_columns must be a non-empty list or tuple."):
        learn.LinearRegressor([])


def test_a_centered_bias_learns_the_labels_alone(tmp_path):
    model = learn.LinearRegressor([COLUMN], str(tmp_path), enable_centered_bias=True)
    loss = trained(model, [[1.0]] * 4)
    assert loss == pytest.approx(1.0)
    (name,) = [each for each in model.get_variable_names() if each.endswith("centered_bias_weight")]
    # Adagrad from 0.1 on: 0.1 * 2 / sqrt(0.1 + 4).
    assert model.get_variable_value(name) == pytest.approx(0.2 / np.sqrt(4.1), rel=1e-5)


def test_embeddings_learn_as_fast_as_they_are_told(tmp_path):
    sparse = layers.sparse_column_with_integerized_feature("i", 2)
    embedding = layers.embedding_column(sparse, 1, initializer=tf.ones_initializer())

    def input_fn():
        indices = [[0, 0], [1, 0]]
        features = {"i": tf.SparseTensor(indices, tf.constant([0, 1], tf.int64), [2, 1])}
        return features, tf.constant([[1.0], [2.0]])

    def vectors(factors):
        folder = str(tmp_path / str(len(factors or {})))
        model = learn.DNNRegressor([2], [embedding], folder, embedding_lr_multipliers=factors)
        model.fit(input_fn=input_fn, steps=1)
        (name,) = [n for n in model.get_variable_names() if n.endswith("i_embedding/weights")]
        return model.get_variable_value(name)

    assert (vectors({embedding: 0.0}) == 1.0).all()
    with pytest.raises(ValueError, match="can only be defined for embedding columns"):
        vectors({COLUMN: 1.0, embedding: 1.0})


def test_classes_have_names(tmp_path):
    names = ["small", "middle", "large"]
    model = learn.LinearClassifier([COLUMN], str(tmp_path), n_classes=3, label_keys=names)
    labels = ["small", "small", "large", "large"]
    trained(model, labels, steps=300)
    assert [each.decode() for each in model.predict(input_fn=inputs(labels))] == labels
    assert model.evaluate(input_fn=inputs(labels), steps=1)["accuracy"] == 1.0


def test_metrics_of_regressors_may_be_functions(tmp_path):
    model = learn.LinearRegressor([COLUMN], str(tmp_path))
    trained(model, [[1.0]] * 4)
    metrics = {"sum": lambda predictions, labels: tf.reduce_sum(labels - predictions)}
    found = model.evaluate(input_fn=inputs([5.0] * 4), steps=1, metrics=metrics)
    scores = np.array(list(model.predict(input_fn=inputs([5.0] * 4))))
    assert found["sum"] == pytest.approx((5.0 - scores).sum(), rel=1e-5)
