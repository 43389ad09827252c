"""Options of estimators for TPUs."""

import collections

from kiln.compat.v1.estimator import _config


class InputPipelineConfig:
    """How input is spread over a TPU's hosts. Source: tf.estimator.tpu.InputPipelineConfig."""

    PER_SHARD_V1 = 1
    PER_HOST_V1 = 2
    PER_HOST_V2 = 3
    BROADCAST = 4
    SLICED = 5


class TPUConfig(
    collections.namedtuple(
        "TPUConfig",
        [
            "iterations_per_loop", "num_shards", "num_cores_per_replica",
            "per_host_input_for_training", "tpu_job_name", "initial_infeed_sleep_secs",
            "input_partition_dims", "eval_training_input_configuration",
        ],
    )
):  # fmt: skip
    """How a TPU is used; the values are checked and kept, CPUs need none of them.

    Errors: ValueError. Source: tf.estimator.tpu.TPUConfig.
    """

    def __new__(
        cls,
        iterations_per_loop=2,
        num_shards=None,
        num_cores_per_replica=None,
        per_host_input_for_training=True,
        tpu_job_name=None,
        initial_infeed_sleep_secs=None,
        input_partition_dims=None,
        eval_training_input_configuration=InputPipelineConfig.PER_HOST_V1,
    ):
        check_positive(iterations_per_loop, "TPUConfig iterations_per_loop")
        if num_shards is not None:
            check_positive(num_shards, "TPUConfig num_shards")
        if input_partition_dims is not None:
            if len(input_partition_dims) not in (1, 2):
                raise ValueError(
                    "input_partition_dims must be a list/tuple with one or two elements."
                )
            if per_host_input_for_training is not InputPipelineConfig.PER_HOST_V2:
                raise ValueError("input_partition_dims is only supported in PER_HOST_V2 mode.")
            if num_cores_per_replica is None:
                raise ValueError("input_partition_dims requires setting num_cores_per_replica.")
        if num_cores_per_replica not in (None, 1, 2, 4, 8, 16, 32, 64, 128):
            raise ValueError(
                "num_cores_per_replica must be 1, 2, 4, 8, 16, 32, 64, 128; "
                f"got {num_cores_per_replica}"
            )
        known = (InputPipelineConfig.PER_HOST_V1, InputPipelineConfig.SLICED)
        if eval_training_input_configuration not in known:
            raise ValueError(
                "eval_training_input_configuration must be PER_HOST_V1 or SLICED; "
                f"got {eval_training_input_configuration}"
            )
        if isinstance(per_host_input_for_training, bool):
            kinds = (InputPipelineConfig.PER_SHARD_V1, InputPipelineConfig.PER_HOST_V1)
            per_host_input_for_training = kinds[per_host_input_for_training]
        if initial_infeed_sleep_secs:
            check_positive(initial_infeed_sleep_secs, "TPUConfig initial_infeed_sleep_secs")
        return super().__new__(
            cls, iterations_per_loop, num_shards, num_cores_per_replica,
            per_host_input_for_training, tpu_job_name, initial_infeed_sleep_secs,
            input_partition_dims, eval_training_input_configuration,
        )  # fmt: skip


def check_positive(value, name):
    """Errors: TypeError, ValueError."""
    if int(value) != value:
        raise TypeError(f"{name} must be int")
    if value < 1:
        raise ValueError(f"{name} must be positive")


class RunConfig(_config.RunConfig):
    """A tf.estimator.RunConfig with options of TPUs.

    Errors: ValueError. Source: tf.estimator.tpu.RunConfig. Difference: a cluster of TPUs is an
    error.
    """

    def __init__(
        self, tpu_config=None, evaluation_master=None, master=None, cluster=None, **kwargs
    ):
        super().__init__(**kwargs)
        self._tpu_config, self._cluster = tpu_config or TPUConfig(), cluster
        if cluster is not None:
            raise ValueError(
                "Both master and cluster are set."
                if master is not None
                else "Kiln runs a program on the CPUs of one process, without a cluster of TPUs"
            )
        if master is not None:
            self._master = master
        if evaluation_master is not None:
            self._evaluation_master = evaluation_master
        elif not self._evaluation_master:
            self._evaluation_master = self._master

    tpu_config = property(lambda self: self._tpu_config)
    cluster = property(lambda self: self._cluster)

    def replace(self, **kwargs):
        """A copy with other values of some options. Errors: ValueError."""
        tpu_config = kwargs.pop("tpu_config", None)
        replaced = super().replace(**kwargs)
        if tpu_config is not None:
            replaced._tpu_config = tpu_config
        return replaced
