"""tf.contrib.learn: estimators of arrays and functions, metrics, experiments."""

import numpy as np
import pytest

import kiln.compat.v1 as tf

learn = tf.contrib.learn
RANDOM = np.random.RandomState(0)
X = RANDOM.rand(100, 3).astype(np.float32)


def test_a_network_learns_classes(tmp_path):
    y = (X.sum(1) > 1.5).astype(np.int64)
    columns = learn.infer_real_valued_columns_from_input(X)
    assert columns == [tf.contrib.layers.real_valued_column("", dimension=3)]
    config = learn.RunConfig(tf_random_seed=1)
    model = learn.DNNClassifier([8], columns, model_dir=str(tmp_path), config=config)
    model.fit(x=X, y=y, steps=400, batch_size=20)
    found = model.evaluate(x=X, y=y)
    assert found["accuracy"] > 0.7 and found["global_step"] == 400
    classes, shares = list(model.predict(X)), list(model.predict_proba(X))
    assert np.mean(classes == y) == pytest.approx(found["accuracy"])
    assert shares[0].sum() == pytest.approx(1.0)
    assert "dnn/hiddenlayer_0/weights" in model.get_variable_names()


def linear_model(features, labels, mode):
    predictions = tf.layers.dense(features, 1)[:, 0]
    if mode == learn.ModeKeys.INFER:
        return learn.ModelFnOps(mode, predictions=predictions)
    loss = tf.losses.mean_squared_error(labels, predictions)
    step = tf.train.get_global_step()
    return predictions, loss, tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)


def test_a_function_is_trained_on_arrays(tmp_path):
    y = X.sum(1)
    model = learn.SKCompat(learn.Estimator(linear_model, model_dir=str(tmp_path)))
    model.fit(X, y, steps=100)
    metric = learn.MetricSpec(tf.contrib.metrics.streaming_mean_absolute_error)
    found = model.score(X, y, metrics={"distance": metric})
    assert found["loss"] < 0.1 and found["distance"] < 0.4
    assert model.predict(X).shape == (100,)


def test_mistakes(tmp_path):
    model = learn.Estimator(linear_model, model_dir=str(tmp_path))
    with pytest.raises(learn.NotFittedError, match="Couldn't find trained model at"):
        model.evaluate(x=X, y=X.sum(1))
    with pytest.raises(ValueError, match="Can not provide both steps and max_steps."):
        model.fit(x=X, y=X.sum(1), steps=1, max_steps=1)
    with pytest.raises(ValueError, match="Missing loss."):
        learn.ModelFnOps(learn.ModeKeys.EVAL, predictions=tf.constant(1.0))
    with pytest.raises(ValueError, match="Invalid mode other."):
        learn.ModelFnOps("other")
