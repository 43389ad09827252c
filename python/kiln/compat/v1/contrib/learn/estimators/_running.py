"""How the estimators of tf.contrib.learn train, evaluate and predict."""

import os

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.learn.estimators import _feeding
from kiln.compat.v1.estimator import _evaluation
from kiln.compat.v1.estimator._estimator import chosen
from kiln.compat.v1.estimator._training_loop import add_saver, saver_hooks


def saved_step(model_dir):
    """The step of the last checkpoint, or -1."""
    path = tf.train.latest_checkpoint(model_dir)
    try:
        return -1 if path is None else tf.train.load_variable(path, tf.GraphKeys.GLOBAL_STEP)
    except (ValueError, tf.errors.OpError):
        return -1


def signature(values):
    """The dtype and shape of tensors, for placeholders(); None for None."""
    if values is None:
        return None
    if isinstance(values, dict):
        return {key: signature(each) for key, each in values.items()}
    return values.dtype, values.get_shape()


def placeholders(info):
    """Placeholders for what predictions do not have, as labels."""
    if info is None:
        return None
    if isinstance(info, dict):
        return {key: placeholders(each) for key, each in info.items()}
    dtype, shape = info
    known = None if shape.ndims is None else [None, *shape.as_list()[1:]]
    return tf.placeholder(dtype, known if known is None or shape.ndims else [])


def train(estimator, input_fn, hooks):
    """Trains until a hook stops it or the input ends. Gives the last loss, or None."""
    config = estimator._config
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(config.tf_random_seed)
        step = tf.train.create_global_step(graph)
        features, labels = input_fn()
        estimator._labels_info = signature(labels)
        made = estimator._get_train_ops(features, labels)
        tf.add_to_collection(tf.GraphKeys.LOSSES, made.loss)
        hooks = [
            *hooks,
            tf.train.NanTensorHook(made.loss),
            tf.train.LoggingTensorHook({"loss": made.loss, "step": step}, every_n_iter=100),
        ]
        scaffold = made.scaffold or tf.train.Scaffold()
        add_saver(scaffold, config)
        every = [*hooks, *made.training_hooks, *made.training_chief_hooks]
        savers = []
        if not any(isinstance(each, tf.train.CheckpointSaverHook) for each in every):
            savers = saver_hooks(estimator.model_dir, config, scaffold)
        with tf.train.MonitoredTrainingSession(
            checkpoint_dir=estimator.model_dir,
            scaffold=scaffold,
            hooks=[*hooks, *made.training_hooks],
            chief_only_hooks=[*savers, *made.training_chief_hooks],
            save_checkpoint_secs=0,
            save_summaries_steps=config.save_summary_steps,
            config=estimator._session_config,
        ) as session:
            loss = None
            while not session.should_stop():
                _, loss = session.run([made.train_op, made.loss])
        return loss


def _split(metrics):
    """One update of all metrics, and their values."""
    updates, values = [], {}
    for name, metric in metrics.items():
        if isinstance(metric, (list, tuple)) and len(metric) == 2:
            values[name] = metric[0]
            updates.append(metric[1])
        else:
            values[name] = metric
    return tf.group(*updates) if updates else None, values


def evaluate(estimator, input_fn, steps, feed_fn, metrics, name, path, hooks, log_progress):
    """The metrics of a checkpoint and its step."""
    folder = os.path.join(estimator.model_dir, f"eval_{name}" if name else "eval")
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(estimator._config.tf_random_seed)
        step = tf.train.create_global_step(graph)
        features, labels = input_fn()
        estimator._labels_info = signature(labels)
        made = estimator._get_eval_ops(features, labels, metrics)
        update, values = _split(made.eval_metric_ops)
        hooks = list(hooks or [])
        if feed_fn is not None:
            hooks.append(_feeding.FeedHook(feed_fn))
        if steps:
            hooks.append(_evaluation.StopAfterBatches(steps, log_progress))
        results = _evaluation.evaluate_once(
            path,
            scaffold=made.scaffold,
            eval_ops=tf.no_op() if update is None else update,
            final_ops={**values, "global_step": step},
            hooks=hooks,
            config=estimator._session_config,
        )
        _evaluation.write_results(folder, results, results["global_step"])
        return results


def predictions(estimator, input_fn, feed_fn, outputs, path):
    """Builds the model; gives a generator of the predictions of each batch."""
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(estimator._config.tf_random_seed)
        tf.train.create_global_step(graph)
        given = input_fn()
        features = given[0] if isinstance(given, (list, tuple)) else given
        made = estimator._get_predict_ops(features)
        fetched = chosen(made.predictions, outputs, "outputs")
        constant = feed_fn is None and not tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
        creator = tf.train.ChiefSessionCreator(
            checkpoint_filename_with_path=path,
            scaffold=made.scaffold,
            config=estimator._session_config,
        )
        session = tf.train.MonitoredSession(session_creator=creator)
    return _batches(session, fetched, feed_fn, constant)


def _batches(session, fetched, feed_fn, constant):
    with session:
        while not session.should_stop():
            try:
                feed = None if feed_fn is None else feed_fn()
            except StopIteration:
                return
            yield session.run(fetched, feed)
            if constant:
                return


def by_example(batches):
    """Yields what batches have for each example."""
    for batch in batches:
        if not isinstance(batch, dict):
            yield from batch
            continue
        first = next(iter(batch.values()))
        shape = first.dense_shape if isinstance(first, tf.SparseTensorValue) else first.shape
        for i in range(shape[0]):
            yield {key: value[i] for key, value in batch.items()}
