"""tf.contrib.learn.RunConfig: options of an estimator that is older than tf.estimator."""

import json
import os

from kiln.compat import v1 as tf
from kiln.compat.v1._util.deprecation import deprecated
from kiln.compat.v1.estimator import _config

_MODULE = "tensorflow.contrib.learn.python.learn.estimators.run_config"


class Environment:
    """Where a program runs. Source: tf.contrib.learn.Environment."""

    CLOUD = "cloud"
    GOOGLE = "google"
    LOCAL = "local"


class TaskType:
    """What a task of a cluster does. Source: tf.contrib.learn.TaskType."""

    MASTER = "master"
    PS = "ps"
    WORKER = "worker"


class RunConfig(_config.RunConfig):
    """Options of an estimator, as tf.estimator.RunConfig; num_cores is how many threads there are.

    Errors: ValueError. Source: tf.contrib.learn.RunConfig. Difference: a cluster of several tasks
    in the environment variable TF_CONFIG is an error.
    """

    _USE_DEFAULT = 0

    @deprecated(
        None,
        "When switching to tf.estimator.Estimator, use tf.estimator.RunConfig instead.",
        module=_MODULE,
    )
    def __init__(
        self,
        master=None,
        num_cores=0,
        log_device_placement=False,
        gpu_memory_fraction=1,
        tf_random_seed=None,
        save_summary_steps=100,
        save_checkpoints_secs=_USE_DEFAULT,
        save_checkpoints_steps=None,
        keep_checkpoint_max=5,
        keep_checkpoint_every_n_hours=10000,
        log_step_count_steps=100,
        protocol=None,
        evaluation_master="",
        model_dir=None,
        session_config=None,
    ):
        if save_checkpoints_secs == RunConfig._USE_DEFAULT:
            save_checkpoints_secs = 600 if save_checkpoints_steps is None else None
        super().__init__(
            model_dir=model_dir,
            tf_random_seed=tf_random_seed,
            save_summary_steps=save_summary_steps,
            session_config=session_config,
            keep_checkpoint_max=keep_checkpoint_max,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
            log_step_count_steps=log_step_count_steps,
            protocol=protocol,
        )
        self._save_checkpoints_secs = save_checkpoints_secs
        self._save_checkpoints_steps = save_checkpoints_steps
        self._master = self._master if master is None else master
        self._evaluation_master = evaluation_master or ""
        environment = json.loads(os.environ.get("TF_CONFIG") or "{}")
        self._environment = environment.get("environment", Environment.LOCAL)
        self._task_type = environment.get("task", {}).get("type")
        self._tf_config = tf.ConfigProto(
            log_device_placement=log_device_placement,
            inter_op_parallelism_threads=num_cores,
            intra_op_parallelism_threads=num_cores,
            gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=gpu_memory_fraction),
        )

    @property
    def environment(self):
        return self._environment

    @property
    def tf_config(self):
        return self._tf_config

    def uid(self, whitelist=None):
        """A text of all options but those that a program may change."""
        left_out = _config._REPLACEABLE if whitelist is None else whitelist
        state = {key: each for key, each in vars(self).items() if key[1:] not in left_out}
        if "_cluster_spec" in state:
            state["_cluster_spec"] = sorted(state["_cluster_spec"].as_dict().items())
        return ", ".join(f"{key}={each!r}" for key, each in sorted(state.items()))

    @staticmethod
    def get_task_id():
        """The number of the task in the environment variable TF_CONFIG, or 0."""
        environment = json.loads(os.environ.get("TF_CONFIG") or "{}")
        return int(environment.get("task", {}).get("index") or 0)


ClusterConfig = RunConfig
