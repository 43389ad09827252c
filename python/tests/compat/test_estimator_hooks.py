"""Estimators with hooks: what they are called for, and what an interrupt leaves."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest

import kiln.compat.v1 as tf


def model_fn(features, labels, mode):
    prediction = tf.layers.dense(features["x"], 1, use_bias=False)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"y": prediction})
    loss = tf.losses.mean_squared_error(labels, prediction)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    metrics = {"error": tf.metrics.mean_absolute_error(labels, prediction)}
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op, eval_metric_ops=metrics)


def input_fn(batches=None):
    x = tf.constant([[1.0], [2.0]])
    if batches is not None:
        x = tf.train.limit_epochs(x, num_epochs=batches)
    return {"x": x}, 2.0 * x


class Counter(tf.train.SessionRunHook):
    def __init__(self):
        self.created = self.runs = self.ends = 0

    def after_create_session(self, session, coord):
        self.created += 1

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(tf.train.get_global_step())

    def after_run(self, run_context, run_values):
        self.runs, self.last = self.runs + 1, run_values.results

    def end(self, session):
        self.ends += 1


@pytest.fixture
def estimator(tmp_path):
    config = tf.estimator.RunConfig(model_dir=str(tmp_path), save_checkpoints_steps=4, tf_random_seed=1)
    yield tf.estimator.Estimator(model_fn, config=config)
    tf.summary.FileWriterCache.clear()


def test_training_calls_hooks_and_listeners(estimator):
    hook, saved = Counter(), []

    class Listener(tf.train.CheckpointSaverListener):
        def after_save(self, session, global_step_value):
            saved.append(int(global_step_value))

    estimator.train(input_fn, hooks=[hook], steps=10, saving_listeners=[Listener()])
    assert (hook.created, hook.runs, hook.ends) == (1, 10, 1)
    assert saved == [0, 4, 8, 10]
    assert estimator.latest_checkpoint().endswith("model.ckpt-10")
    estimator.train(input_fn, max_steps=12)
    assert estimator.latest_checkpoint().endswith("model.ckpt-12")


def test_a_hook_stops_the_training(estimator):
    class Stop(tf.train.SessionRunHook):
        def after_run(self, run_context, run_values):
            run_context.request_stop()

    estimator.train(input_fn, hooks=[Stop()])
    assert estimator.get_variable_value("global_step") == 1


def test_evaluations_and_predictions_call_hooks(estimator):
    estimator.train(input_fn, steps=30)
    hook = Counter()
    found = estimator.evaluate(lambda: input_fn(3), hooks=[hook])
    assert (hook.created, hook.runs, hook.ends) == (1, 3, 1)
    assert found["global_step"] == 30 and found["error"] < 0.1
    hook = Counter()
    values = estimator.predict(lambda: input_fn(1)[0], hooks=[hook])
    assert [round(float(value["y"][0])) for value in values] == [2, 4]
    assert hook.runs == 1 and hook.ends == 1


INTERRUPTED = """
    import os, signal, sys
    import kiln.compat.v1 as tf
    sys.path.insert(0, sys.argv[2])
    from test_estimator_hooks import input_fn, model_fn

    class Interrupt(tf.train.SessionRunHook):
        def before_run(self, run_context):
            return tf.train.SessionRunArgs(tf.train.get_global_step())

        def after_run(self, run_context, run_values):
            if run_values.results == 6:
                os.kill(os.getpid(), signal.SIGINT)

    tf.estimator.Estimator(model_fn, sys.argv[1]).train(input_fn, hooks=[Interrupt()])
"""


def test_an_interrupt_saves(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(INTERRUPTED), str(tmp_path), os.path.dirname(__file__)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == -signal.SIGINT, done.stderr
    assert done.stderr.count("Training was interrupted; saving a checkpoint.") == 1
    assert int(tf.train.latest_checkpoint(str(tmp_path)).rpartition("-")[2]) >= 6
