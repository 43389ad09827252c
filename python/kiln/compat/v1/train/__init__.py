"""tf.train: optimizers, savers, the training loop. Each name is imported when it is first asked for."""

import importlib

# Module: what it has.
_MODULES = {
    "_adagrad_optimizers": "AdagradOptimizer AdagradDAOptimizer FtrlOptimizer ProximalAdagradOptimizer",
    "_basic_loops": "basic_train_loop",
    "_checkpoint": "Checkpoint",
    "_checkpoint_hooks": "CheckpointSaverHook CheckpointSaverListener",
    "_checkpoint_management": "checkpoint_exists generate_checkpoint_state_proto get_checkpoint_mtimes "
    "get_checkpoint_state latest_checkpoint remove_checkpoint update_checkpoint_state",
    "_checkpoint_manager": "CheckpointManager",
    "_checkpoint_utils": "CheckpointReader NewCheckpointReader checkpoints_iterator init_from_checkpoint list_variables "
    "load_checkpoint load_variable",
    "_coordinator": "Coordinator LooperThread",
    "_device_setter": "replica_device_setter",
    "_hook_timers": "SecondOrStepTimer",
    "_hooks": "FeedFnHook FinalOpsHook GlobalStepWaiterHook NanLossDuringTrainingError NanTensorHook StopAtStepHook",
    "_input": "batch batch_join input_producer limit_epochs match_filenames_once maybe_batch maybe_batch_join "
    "maybe_shuffle_batch maybe_shuffle_batch_join range_input_producer shuffle_batch shuffle_batch_join "
    "slice_input_producer string_input_producer",
    "_learning_rate_decay": "cosine_decay cosine_decay_restarts exponential_decay inverse_time_decay "
    "linear_cosine_decay natural_exp_decay noisy_linear_cosine_decay piecewise_constant piecewise_constant_decay "
    "polynomial_decay",
    "_logging_hooks": "LoggingTensorHook ProfilerHook StepCounterHook SummarySaverHook",
    "_meta_graph": "export_meta_graph import_meta_graph",
    "_monitored_session": "MonitoredSession MonitoredTrainingSession SingularMonitoredSession",
    "_moving_averages": "ExponentialMovingAverage",
    "_optimizer": "Optimizer",
    "_optimizers": "AdadeltaOptimizer AdamOptimizer GradientDescentOptimizer MomentumOptimizer "
    "ProximalGradientDescentOptimizer RMSPropOptimizer",
    "_queue_runner": "QueueRunner add_queue_runner start_queue_runners",
    "_saver": "Saver",
    "_scaffold": "Scaffold",
    "_server_lib": "ClusterSpec Server",
    "_session_creators": "ChiefSessionCreator SessionCreator WorkerSessionCreator",
    "_session_manager": "SessionManager",
    "_session_run_hook": "SessionRunArgs SessionRunContext SessionRunHook SessionRunValues",
    "_supervisor": "Supervisor",
    "_sync_replicas_optimizer": "SyncReplicasOptimizer",
    "_warm_starting_util": "VocabInfo warm_start",
    "_training_util": "assert_global_step create_global_step get_global_step get_or_create_global_step global_step "
    "write_graph",
}
_MESSAGES = (
    "BytesList ClusterDef Example Feature FeatureList FeatureLists Features FloatList Int64List JobDef SaverDef "
    "SequenceExample ServerDef"
)
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}
_HOMES.update((name, "kiln.compat.v1._messages") for name in _MESSAGES.split())

__all__ = sorted(_HOMES)


# Elsewhere.
_HOMES["summary_iterator"] = "kiln.compat.v1.summary._writer"
_HOMES["SummaryWriter"] = "kiln.compat.v1.summary._old_names"


def __getattr__(name):
    if name == "queue_runner":
        return importlib.import_module(f"{__name__}.queue_runner")
    home = _HOMES.get(name)
    if home is None:
        from kiln.compat._missing import missing_name

        raise missing_name(__name__, name)
    value = getattr(importlib.import_module(home if "." in home else f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__():
    return __all__
