"""How an estimator trains: hooks, the saver, the loop."""

from kiln.compat import v1 as tf
from kiln.compat.v1.estimator._progress import Progress


def train(estimator, spec, input_hooks, hooks, global_step, listeners):
    """Trains until a hook stops it or the input ends. Gives the last loss, or None.

    Ctrl-C saves a checkpoint (the session does) before it goes on as KeyboardInterrupt.
    """
    config = estimator.config
    _warm_start(estimator)
    if not any(each.op.name == "loss" for each in tf.get_collection(tf.GraphKeys.SUMMARIES)):
        tf.summary.scalar("loss", spec.loss)
    tf.add_to_collection(tf.GraphKeys.LOSSES, spec.loss)
    worker_hooks = [*input_hooks, *hooks, tf.train.NanTensorHook(spec.loss)]
    if config.log_step_count_steps is not None:
        worker_hooks.append(
            tf.train.LoggingTensorHook(
                {"loss": spec.loss, "step": global_step}, every_n_iter=config.log_step_count_steps
            )
        )
    worker_hooks.extend(spec.training_hooks)
    add_saver(spec.scaffold, config)
    chief_hooks = _saver_hooks(estimator, spec, worker_hooks, listeners)
    with tf.train.MonitoredTrainingSession(
        master=config.master,
        is_chief=config.is_chief,
        checkpoint_dir=estimator.model_dir,
        scaffold=spec.scaffold,
        hooks=worker_hooks,
        chief_only_hooks=(*chief_hooks, *spec.training_chief_hooks),
        save_checkpoint_secs=0,
        save_summaries_steps=config.save_summary_steps,
        config=config.session_config,
        log_step_count_steps=config.log_step_count_steps,
    ) as session:
        return _run(session, spec, _last_step(hooks))


def _warm_start(estimator):
    settings = estimator._warm_start_settings
    if settings and not tf.train.latest_checkpoint(estimator.model_dir):
        tf.logging.info(f"Warm-starting with WarmStartSettings: {settings}")
        tf.train.warm_start(*settings)


def add_saver(scaffold, config):
    """Adds a saver to the graph's collection, where nothing else saves."""
    if scaffold.saver or tf.get_collection(tf.GraphKeys.SAVERS):
        return
    saver = tf.train.Saver(
        sharded=True,
        max_to_keep=config.keep_checkpoint_max,
        keep_checkpoint_every_n_hours=config.keep_checkpoint_every_n_hours,
        defer_build=True,
        save_relative_paths=True,
    )
    tf.add_to_collection(tf.GraphKeys.SAVERS, saver)


def saver_hooks(model_dir, config, scaffold):
    """A list of a hook that saves as often as a RunConfig says; empty where it says never."""
    if not (config.save_checkpoints_secs or config.save_checkpoints_steps):
        return []
    return [
        tf.train.CheckpointSaverHook(
            model_dir,
            save_secs=config.save_checkpoints_secs,
            save_steps=config.save_checkpoints_steps,
            scaffold=scaffold,
        )
    ]


def _saver_hooks(estimator, spec, worker_hooks, listeners):
    """A hook that saves, where none is given; listeners are told by the first one."""
    given = [
        hook
        for hook in (*worker_hooks, *spec.training_chief_hooks)
        if isinstance(hook, tf.train.CheckpointSaverHook)
    ]
    made = [] if given else saver_hooks(estimator.model_dir, estimator.config, spec.scaffold)
    given = given or made
    if listeners and not given:
        raise ValueError(
            "There should be a CheckpointSaverHook to use saving_listeners. Please set one of the "
            "RunConfig.save_checkpoints_steps or RunConfig.save_checkpoints_secs."
        )
    for listener in listeners:
        if listener not in given[0]._listeners:
            given[0]._listeners.append(listener)
    return made


def _last_step(hooks):
    """The step at which a hook stops the training, if one says so."""
    for hook in hooks:
        if isinstance(hook, tf.train.StopAtStepHook):
            return lambda: getattr(hook, "_last_step", None)
    return lambda: None


def _run(session, spec, last_step):
    loss, is_first, progress, counted = None, True, None, 0
    try:
        while not session.should_stop():
            _, loss = session.run([spec.train_op, spec.loss])
            if is_first:
                progress, is_first = Progress("step", last_step()), False
            counted += 1
            progress.update(counted, loss=loss)
    finally:
        if progress is not None:
            progress.close()
    if is_first:
        tf.logging.warn(
            "Training with estimator made no steps. Perhaps input is empty or misspecified."
        )
    return loss
