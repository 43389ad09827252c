"""tf.contrib.learn's monitors and experiments, and how they export models."""

import os

import numpy as np
import pytest

import kiln.compat.v1 as tf

learn = tf.contrib.learn
COLUMN = tf.contrib.layers.real_valued_column("x")


def input_fn():
    return {"x": tf.constant([[1.0], [2.0]])}, tf.constant([[2.0], [4.0]])


def estimator(folder, rate=0.0625, **config):
    """A linear model of one number."""
    return learn.LinearRegressor(
        [COLUMN],
        model_dir=str(folder),
        optimizer=tf.train.GradientDescentOptimizer(rate),
        config=learn.RunConfig(tf_random_seed=1, **config),
    )


class Seen(learn.monitors.EveryN):
    """Keeps the steps at which it is called."""

    def __init__(self, **options):
        super().__init__(**options)
        self.steps = []

    def every_n_step_end(self, step, outputs):
        self.steps.append(step)


def test_monitors_are_called_at_the_first_steps_and_every_n_th(tmp_path):
    seen = Seen(every_n_steps=3, first_n_steps=2)
    estimator(tmp_path).fit(input_fn=input_fn, steps=9, monitors=[seen])
    assert seen.steps == [1, 2, 5, 8]


def test_a_monitor_stops_the_training(tmp_path):
    model = estimator(tmp_path)
    model.fit(input_fn=input_fn, monitors=[learn.monitors.StopAtStep(num_steps=4)])
    assert model.get_variable_value("global_step") == 4
    model.fit(input_fn=input_fn, monitors=[learn.monitors.StopAtStep(last_step=6)])
    assert model.get_variable_value("global_step") == 6
    with pytest.raises(ValueError, match="Only one of num_steps or last_step can be specified."):
        learn.monitors.StopAtStep(1, 2)


def test_variables_are_kept_by_steps(tmp_path):
    model = estimator(tmp_path)
    kept = learn.monitors.CaptureVariable("linear/x/weight:0", every_n=2, first_n=1)
    model.fit(input_fn=input_fn, steps=5, monitors=[kept])
    assert sorted(kept.values) == [1, 3, 5]
    assert kept.values[5] == model.get_variable_value("linear/x/weight")
    assert kept.values[1] < kept.values[3] < kept.values[5]


def test_a_loss_that_is_no_number_is_an_error(tmp_path):
    def with_nan():
        tf.constant(np.nan, name="own")
        return input_fn()

    model, monitor = estimator(tmp_path), learn.monitors.NanLoss("own", every_n_steps=1)
    with pytest.raises(learn.monitors.NanLossDuringTrainingError):
        model.fit(input_fn=with_nan, steps=1, monitors=[monitor])
    stops = learn.monitors.NanLoss("own", every_n_steps=1, fail_on_nan_loss=False)
    model.fit(input_fn=with_nan, steps=5, monitors=[stops])
    assert model.get_variable_value("global_step") == 1


def test_validation_stops_where_the_loss_gets_no_better(tmp_path):
    model = estimator(tmp_path, rate=0.9, save_checkpoints_steps=1, save_checkpoints_secs=None)
    validation = learn.monitors.ValidationMonitor(
        input_fn=input_fn, eval_steps=1, every_n_steps=1, early_stopping_rounds=2, check_interval_secs=None
    )
    model.fit(input_fn=input_fn, steps=50, monitors=[validation])
    assert validation.early_stopped and model.get_variable_value("global_step") < 10
    assert validation.best_metrics["loss"] == validation.best_value
    with pytest.raises(ValueError, match="Metric none missing from outputs"):
        wrong = learn.monitors.ValidationMonitor(
            input_fn=input_fn, eval_steps=1, every_n_steps=1, early_stopping_rounds=2, early_stopping_metric="none"
        )
        model.fit(input_fn=input_fn, steps=2, monitors=[wrong])


def serving_input_fn():
    return learn.utils.input_fn_utils.build_parsing_serving_input_fn(
        tf.contrib.layers.create_feature_spec_for_parsing([COLUMN])
    )()


def experiment(folder, **options):
    options = {"train_steps": 6, "eval_steps": 1, "eval_delay_secs": 0, **options}
    return learn.Experiment(estimator(folder), input_fn, input_fn, **options)


def test_an_experiment_trains_evaluates_and_exports(tmp_path):
    strategy = learn.make_export_strategy(serving_input_fn, exports_to_keep=1)
    made = experiment(tmp_path, export_strategies=strategy, min_eval_frequency=2)
    metrics, (path,) = made.train_and_evaluate()
    assert metrics["global_step"] == 6 and metrics["loss"] < 1
    assert os.path.dirname(path) == os.fsencode(tmp_path / "export" / "Servo")
    example = tf.train.Example(
        features=tf.train.Features(feature={"x": tf.train.Feature(float_list=tf.train.FloatList(value=[2.0]))})
    )
    predict = tf.contrib.predictor.from_saved_model(path.decode(), signature_def_key="serving_default")
    (key,) = predict.feed_tensors
    (found,) = predict({key: [example.SerializeToString()]}).values()
    weight, bias = map(made.estimator.get_variable_value, ("linear/x/weight", "linear/bias_weight"))
    assert found.item() == pytest.approx((2 * weight + bias).item(), rel=1e-5)
    assert made.evaluate()["loss"] == pytest.approx(metrics["loss"])


def test_an_experiment_trains_and_evaluates_in_turn(tmp_path):
    asked = []

    def goes_on(results, checkpoint_path):
        asked.append((results or {}).get("global_step"))
        return True

    made = experiment(tmp_path, train_steps_per_iteration=2)
    metrics, exported = made.continuous_train_and_eval(goes_on)
    assert asked == [None, 2, 4, 6] and metrics["global_step"] == 6 and exported == []


def test_an_experiment_evaluates_each_checkpoint_as_long_as_it_is_to(tmp_path):
    made = experiment(tmp_path, continuous_eval_throttle_secs=0)
    made.train()
    seen = []

    def goes_on(results):
        seen.append(results)
        return len(seen) < 9

    made.continuous_eval(continuous_eval_predicate_fn=goes_on)
    assert [each and each["global_step"] for each in seen] == [None, 6]
    made.continuous_eval_on_train_data(continuous_eval_predicate_fn=goes_on)
    assert sorted(os.listdir(tmp_path)).count("eval_continuous_on_train_data") == 1
    with pytest.raises(ValueError, match="must be a callable, or None."):
        made.continuous_eval(continuous_eval_predicate_fn=3)


def test_a_runner_calls_a_method_of_an_experiment(tmp_path):
    def of_folder(output_dir):
        return experiment(output_dir)

    metrics, _ = learn.learn_runner.run(of_folder, str(tmp_path / "a"))
    assert metrics["global_step"] == 6
    trained = learn.learn_runner.run(of_folder, str(tmp_path / "b"), schedule="train")
    assert trained.get_variable_value("global_step") == 6

    def of_config(run_config, hparams):
        model = learn.LinearRegressor([COLUMN], config=run_config)
        return learn.Experiment(model, input_fn, input_fn, train_steps=hparams.steps, eval_steps=1)

    config = learn.RunConfig(model_dir=str(tmp_path / "c"))
    hparams = tf.contrib.training.HParams(steps=2)
    metrics, _ = learn.learn_runner.run(of_config, run_config=config, hparams=hparams)
    assert metrics["global_step"] == 2
    with pytest.raises(ValueError, match="Schedule references non-existent task fly"):
        learn.learn_runner.run(of_folder, str(tmp_path / "d"), schedule="fly")
