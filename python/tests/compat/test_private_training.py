"""TensorFlow's private modules of training, and what only they have."""

import numpy as np
import pytest

import kiln.compat.v1 as tf
from kiln.compat import _modules

NAMES = {
    "basic_session_run_hooks": "StopAtStepHook NeverTriggerTimer _as_graph_element _HookTimer SessionRunArgs",
    "monitored_session": "MonitoredSession _HookedSession _CoordinatedSession _RecoverableSession _MonitoredSession "
    "_WrappedSession USE_DEFAULT Scaffold",
    "moving_averages": "assign_moving_average weighted_moving_average ExponentialMovingAverage",
    "queue_runner_impl": "QueueRunner start_queue_runners",
    "saver": "Saver BaseSaverBuilder _get_saver_or_default get_checkpoint_state",
    "server_lib": "Server ClusterSpec _make_server_def",
    "session_manager": "SessionManager _ready _maybe_name",
    "supervisor": "Supervisor SVSummaryThread SVStepCounterThread SVTimerCheckpointThread",
    "training_util": "_increment_global_step _get_or_create_global_step_read get_global_step",
}


@pytest.mark.parametrize("module", NAMES)
def test_a_module_has_its_names(module):
    found = _modules.resolve(f"python.training.{module}")
    for name in NAMES[module].split():
        assert getattr(found, name) is not None


def test_a_debugger_is_an_error_when_it_is_used():
    debug = _modules.resolve("python.debug")
    assert issubclass(debug.LocalCLIDebugHook, tf.train.SessionRunHook)
    with pytest.raises(tf.errors.UnimplementedError, match="a session cannot be stepped through"):
        debug.LocalCLIDebugWrapperSession(None)
    assert debug.has_inf_or_nan(None, np.array([1.0, np.nan]))
    assert not debug.has_inf_or_nan(None, np.array([1, 2])) and not debug.has_inf_or_nan(None, None)


def test_data_of_slim_is_found():
    slim = tf.contrib.slim
    assert slim.tfexample_decoder.TFExampleDecoder and slim.dataset.Dataset
    assert slim.dataset_data_provider.DatasetDataProvider and slim.parallel_reader.get_data_files


def test_a_reference_says_whether_it_is_initialized():
    with tf.Graph().as_default() as graph:
        variable = tf.Variable(1.0, name="v")
        by_name = tf.is_variable_initialized(graph.get_tensor_by_name("v:0"))
        with tf.Session() as session:
            assert not session.run(by_name)
            session.run(variable.initializer)
            assert session.run(by_name) and session.run(tf.is_variable_initialized(variable))


def test_a_global_step_of_one_element(tmp_path):
    with tf.Graph().as_default():
        step = tf.Variable(np.array([7]))
        saver = tf.train.Saver()
        with tf.Session() as session:
            session.run(step.initializer)
            assert tf.train.global_step(session, step) == 7
            assert saver.save(session, str(tmp_path / "model"), global_step=step).endswith("model-7")


def test_graphs_say_what_made_them():
    with tf.Graph().as_default() as graph:
        tf.constant(1)
        assert graph.as_graph_def().versions.producer == tf.GRAPH_DEF_VERSION
        assert graph.graph_def_versions.producer == tf.GRAPH_DEF_VERSION
