"""tf.estimator.RunConfig: where and how an estimator runs."""

import copy
import json
import os

from kiln.compat import v1 as tf
from kiln.compat._python.util.function_utils import fn_args

_DEFAULT = object()
_REPLACEABLE = [
    "model_dir", "tf_random_seed", "save_summary_steps", "save_checkpoints_steps",
    "save_checkpoints_secs", "session_config", "keep_checkpoint_max",
    "keep_checkpoint_every_n_hours", "log_step_count_steps", "train_distribute", "device_fn",
    "protocol", "eval_distribute", "experimental_distribute",
    "experimental_max_worker_delay_secs",
]  # fmt: skip
_BOTH = "`save_checkpoints_steps` and `save_checkpoints_secs` cannot be both set."


class TaskType:
    """What a task of a cluster does."""

    MASTER = "master"
    PS = "ps"
    WORKER = "worker"
    CHIEF = "chief"
    EVALUATOR = "evaluator"


def default_session_config():
    """The ConfigProto of an estimator without one."""
    from kiln.compat.v1._messages import RewriterConfig

    rewriting = RewriterConfig(meta_optimizer_iterations=RewriterConfig.ONE)
    return tf.ConfigProto(
        allow_soft_placement=True, graph_options=tf.GraphOptions(rewrite_options=rewriting)
    )


class RunConfig:
    """Options of an estimator; replace() gives a changed copy.

    model_dir: the folder of checkpoints and summaries. tf_random_seed: of each graph.
    save_summary_steps, log_step_count_steps: how often summaries and the loss are written.
    save_checkpoints_steps, save_checkpoints_secs: one of them; 600 seconds where neither is given,
    no checkpoints where both are None. keep_checkpoint_max: older ones are deleted, 0 keeps all.
    Errors: ValueError. Source: tf.estimator.RunConfig. Difference: a program runs in one process:
    a cluster of several tasks in the environment variable TF_CONFIG is an error.
    """

    def __init__(
        self,
        model_dir=None,
        tf_random_seed=None,
        save_summary_steps=100,
        save_checkpoints_steps=_DEFAULT,
        save_checkpoints_secs=_DEFAULT,
        session_config=None,
        keep_checkpoint_max=5,
        keep_checkpoint_every_n_hours=10000,
        log_step_count_steps=100,
        train_distribute=None,
        device_fn=None,
        protocol=None,
        eval_distribute=None,
        experimental_distribute=None,
        experimental_max_worker_delay_secs=None,
    ):
        if save_checkpoints_steps is _DEFAULT and save_checkpoints_secs is _DEFAULT:
            save_checkpoints_steps, save_checkpoints_secs = None, 600
        elif save_checkpoints_secs is _DEFAULT:
            save_checkpoints_secs = None
        elif save_checkpoints_steps is _DEFAULT:
            save_checkpoints_steps = None
        elif save_checkpoints_steps is not None and save_checkpoints_secs is not None:
            raise ValueError(_BOTH)
        environment = json.loads(os.environ.get("TF_CONFIG", "{}"))
        if environment:
            tf.logging.info("TF_CONFIG environment variable: %s", environment)
        _replace(
            self,
            model_dir=_model_dir(environment, path_text(model_dir)),
            tf_random_seed=tf_random_seed,
            save_summary_steps=save_summary_steps,
            save_checkpoints_steps=save_checkpoints_steps,
            save_checkpoints_secs=save_checkpoints_secs,
            session_config=session_config,
            keep_checkpoint_max=keep_checkpoint_max,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
            log_step_count_steps=log_step_count_steps,
            train_distribute=train_distribute,
            device_fn=device_fn,
            protocol=protocol,
            eval_distribute=eval_distribute,
            experimental_distribute=experimental_distribute,
            experimental_max_worker_delay_secs=experimental_max_worker_delay_secs,
        )
        self._read_task(environment)

    def _read_task(self, environment):
        service = environment.get("service")
        if service is not None and not isinstance(service, dict):
            raise TypeError(
                f'If "service" is set in TF_CONFIG, it must be a dict. Given {type(service)}'
            )
        cluster = environment.get("cluster") or {}
        tasks = [address for addresses in cluster.values() for address in addresses]
        if len(tasks) > 1:
            raise ValueError(
                f"TF_CONFIG names a cluster of {len(tasks)} tasks, and Kiln runs a program in one "
                "process; without the cluster the program trains and evaluates in turn"
            )
        task = environment.get("task") or {}
        self._service, self._cluster_spec = service, tf.train.ClusterSpec({})
        self._task_type = task.get("type", TaskType.WORKER)
        self._task_id = int(task.get("index", 0))
        if not cluster and self._task_type != TaskType.WORKER:
            raise ValueError('If "cluster" is not set in TF_CONFIG, task type must be WORKER.')
        if self._task_id != 0:
            raise ValueError('If "cluster" is not set in TF_CONFIG, task index must be 0.')
        self._master = environment.get("session_master", "")
        self._evaluation_master = environment.get("session_master", "")
        self._is_chief, self._num_ps_replicas, self._num_worker_replicas = True, 0, 1
        self._global_id_in_cluster = 0

    def replace(self, **kwargs):
        """A copy with other values of some options. Errors: ValueError."""
        return _replace(copy.deepcopy(self), **kwargs)


def _option(name):
    return property(lambda self: getattr(self, f"_{name}"))


for _name in (
    *_REPLACEABLE, "cluster_spec", "evaluation_master", "is_chief", "master", "num_ps_replicas",
    "num_worker_replicas", "task_id", "task_type", "global_id_in_cluster", "service",
):  # fmt: skip
    if _name != "experimental_distribute":
        setattr(RunConfig, _name, _option(_name))


def _replace(config, **options):
    for name, value in options.items():
        if name not in _REPLACEABLE:
            raise ValueError(
                f"Replacing {name} is not supported. Allowed properties are {_REPLACEABLE}."
            )
        setattr(config, f"_{name}", value)
    by_steps = options.get("save_checkpoints_steps") is not None
    by_secs = options.get("save_checkpoints_secs") is not None
    if by_steps and by_secs:
        raise ValueError(_BOTH)
    if by_steps:
        config._save_checkpoints_secs = None
    elif by_secs:
        config._save_checkpoints_steps = None
    _check(config)
    return config


def _check(config):
    rules = {
        "model_dir": (bool, "model_dir should be non-empty"),
        "save_summary_steps": (_not_negative, "save_summary_steps should be >= 0"),
        "save_checkpoints_steps": (_not_negative, "save_checkpoints_steps should be >= 0"),
        "save_checkpoints_secs": (_not_negative, "save_checkpoints_secs should be >= 0"),
        "session_config": (
            lambda value: isinstance(value, tf.ConfigProto),
            "session_config must be instance of ConfigProto",
        ),
        "keep_checkpoint_max": (_not_negative, "keep_checkpoint_max should be >= 0"),
        "keep_checkpoint_every_n_hours": (
            lambda value: value > 0,
            "keep_checkpoint_every_n_hours should be > 0",
        ),
        "log_step_count_steps": (lambda value: value > 0, "log_step_count_steps should be > 0"),
        "tf_random_seed": (
            lambda value: isinstance(value, int),
            "tf_random_seed must be integer.",
        ),
        "experimental_max_worker_delay_secs": (
            lambda value: isinstance(value, int),
            "experimental_max_worker_delay_secs must be an integer if set.",
        ),
        "device_fn": (
            lambda value: callable(value) and set(fn_args(value)) == {"op"},
            'device_fn must be callable with exactly one argument "op".',
        ),
        "protocol": (
            lambda value: value in ("grpc", "grpc+verbs"),
            "protocol should be grpc or grpc+verbs",
        ),
    }
    for name, (holds, message) in rules.items():
        value = getattr(config, name)
        if value is not None and not holds(value):
            raise ValueError(message)


def _not_negative(value):
    return value >= 0


def _model_dir(environment, model_dir):
    if model_dir == "":
        raise ValueError("model_dir should be non-empty.")
    other = environment.get("model_dir")
    if other == "":
        raise ValueError("model_dir in TF_CONFIG should be non-empty.")
    if other and model_dir and other != model_dir:
        raise ValueError(
            "`model_dir` provided in RunConfig construct, if set, must have the same value as the "
            f'model_dir in TF_CONFIG. model_dir: {model_dir}\nTF_CONFIG["model_dir"]: {other}.\n'
        )
    if other:
        tf.logging.info("Using model_dir in TF_CONFIG: %s", other)
    return model_dir or other


def path_text(path):
    """A path object as text; other things as they are."""
    return os.fspath(path) if hasattr(path, "__fspath__") else path
