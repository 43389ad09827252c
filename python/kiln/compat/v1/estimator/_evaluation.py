"""How an estimator evaluates: metrics, the loop, the summaries of it."""

import time

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.estimator._input import features_and_labels
from kiln.compat.v1.estimator._modes import ModeKeys
from kiln.compat.v1.estimator._progress import Progress

_EVAL_STEP = tf.GraphKeys.EVAL_STEP


def build(estimator, input_fn, hooks, checkpoint_path):
    """Builds the graph of an evaluation: the scaffold, the update, the values, the hooks."""
    tf.set_random_seed(estimator.config.tf_random_seed)
    estimator._create_and_assert_global_step(tf.get_default_graph())
    given = estimator._call_input_fn(input_fn, ModeKeys.EVAL)
    features, labels, input_hooks = features_and_labels(given)
    spec = estimator._call_model_fn(features, labels, ModeKeys.EVAL, estimator.config)
    if "loss" in spec.eval_metric_ops:
        raise ValueError(
            'Metric with name "loss" is not allowed, because Estimator already defines a default '
            "metric with the same name."
        )
    spec.eval_metric_ops["loss"] = tf.metrics.mean(spec.loss)
    update, values = _split(spec.eval_metric_ops)
    step = tf.train.get_global_step(tf.get_default_graph())
    estimator._maybe_warm_start(checkpoint_path)
    if "global_step" in values:
        raise ValueError(
            "Metric with name `global_step` is not allowed, because Estimator already defines a "
            "default metric with the same name."
        )
    values["global_step"] = step
    scaffold = spec.scaffold
    if scaffold and scaffold.local_init_op:
        # The variable that counts is a local one, which the program's operation may leave out.
        _eval_step()
        default = tf.train.Scaffold.default_local_init_op()
        scaffold = tf.train.Scaffold(
            local_init_op=tf.group(scaffold.local_init_op, default), copy_from_scaffold=scaffold
        )
    return scaffold, update, values, [*input_hooks, *hooks, *spec.evaluation_hooks]


def _split(metrics):
    """One update of all metrics, and their values by name."""
    names = sorted(metrics)
    updates = [metrics[name][1] for name in names]
    values = {name: metrics[name][0] for name in names}
    return (tf.group(*updates) if updates else None), values


def _eval_step():
    """The local variable that counts an evaluation's batches."""
    found = tf.get_collection(_EVAL_STEP)
    if len(found) == 1:
        return found[0]
    if found:
        raise ValueError("Multiple tensors added to tf.GraphKeys.EVAL_STEP")
    return tf.get_variable(
        "eval_step",
        shape=[],
        dtype=tf.int64,
        initializer=tf.zeros_initializer(),
        trainable=False,
        collections=[tf.GraphKeys.LOCAL_VARIABLES, _EVAL_STEP],
    )


class StopAfterBatches(tf.train.SessionRunHook):
    """Stops an evaluation after a number of batches, and logs how far it is.

    num_evals: None for all that the input has.
    """

    def __init__(self, num_evals, log_progress=True):
        self._num_evals, self._log = num_evals, log_progress
        self._every = 1 if num_evals is None or num_evals < 20 else num_evals // 10

    def _set_evals_completed_tensor(self, updated_eval_step):
        self._count = updated_eval_step

    def before_run(self, run_context):
        return tf.train.SessionRunArgs({"evals_completed": self._count})

    def after_run(self, run_context, run_values):
        done = run_values.results["evals_completed"]
        if self._num_evals is None:
            if self._log:
                tf.logging.info("Evaluation [%d]", done)
            return
        if self._log and (done % self._every == 0 or done == self._num_evals):
            tf.logging.info("Evaluation [%d/%d]", done, self._num_evals)
        if done >= self._num_evals:
            run_context.request_stop()


def evaluate_once(
    checkpoint_path,
    master="",
    scaffold=None,
    eval_ops=None,
    feed_dict=None,
    final_ops=None,
    final_ops_feed_dict=None,
    hooks=None,
    config=None,
):
    """Runs eval_ops until a hook stops it or the input ends, then gives the values of final_ops.

    Source: tf.contrib.training.evaluate_once.
    """
    step = _eval_step()
    hooks = list(hooks or [])
    if eval_ops is not None:
        eval_ops = _counted(eval_ops, step, hooks)
    tf.logging.info("Starting evaluation at " + time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
    final = tf.train.FinalOpsHook(final_ops, final_ops_feed_dict)
    creator = tf.train.ChiefSessionCreator(
        scaffold=scaffold,
        checkpoint_filename_with_path=checkpoint_path,
        master=master,
        config=config,
    )
    batches = next((hook._num_evals for hook in hooks if isinstance(hook, StopAfterBatches)), None)
    progress, done = Progress("evaluation", batches, "batches"), 0
    try:
        with tf.train.MonitoredSession(session_creator=creator, hooks=[*hooks, final]) as session:
            while eval_ops is not None and not session.should_stop():
                session.run(eval_ops, feed_dict)
                done += 1
                progress.update(done)
    finally:
        progress.close()
    tf.logging.info(
        "Finished evaluation at " + time.strftime("%Y-%m-%d-%H:%M:%S", time.localtime())
    )
    return final.final_ops_values


def _counted(eval_ops, step, hooks):
    """The operations and one that counts; tells the hooks that stop what the count is then."""
    count = tf.assign_add(step, 1, use_locking=True)
    if isinstance(eval_ops, dict):
        eval_ops = {**eval_ops, "update_eval_step": count}
        together = list(eval_ops.values())
    else:
        given = eval_ops if isinstance(eval_ops, (tuple, list)) else [eval_ops]
        eval_ops = together = [*given, count]
    with tf.control_dependencies(together):
        count = tf.identity(step.read_value())
    for hook in hooks:
        if isinstance(hook, StopAfterBatches):
            hook._set_evals_completed_tensor(count)
    return eval_ops


def write_results(folder, results, step):
    """Writes the values of an evaluation as summaries."""
    shown = ", ".join(
        f"{name} = {value!s}"
        for name, value in sorted(results.items())
        if not isinstance(value, bytes)
    )
    tf.logging.info("Saving dict for global step %d: %s", step, shown)
    writer, summary = tf.summary.FileWriterCache.get(folder), tf.Summary()
    for name, value in results.items():
        if value is None or name == "global_step":
            continue
        if isinstance(value, (np.float32, float)):
            summary.value.add(tag=name, simple_value=float(value))
        elif isinstance(value, (np.int64, np.int32, int)):
            summary.value.add(tag=name, simple_value=int(value))
        elif isinstance(value, bytes):
            _add_summaries(summary, name, value)
        elif isinstance(value, np.ndarray):
            added = summary.value.add(tag=name, node_name=name)
            added.tensor.CopyFrom(tf.make_tensor_proto(value))
            tf.logging.info(
                "Summary for np.ndarray is not visible in Tensorboard by default. Consider using a "
                "Tensorboard plugin for visualization (see "
                "https://github.com/tensorflow/tensorboard-plugin-example/blob/master/README.md "
                "for more information)."
            )
        else:
            tf.logging.warn(
                "Skipping summary for %s, must be a float, np.float32, np.int64, np.int32 or int "
                "or np.ndarray or a serialized string of Summary.",
                name,
            )
    writer.add_summary(summary, step)
    writer.flush()


def _add_summaries(summary, name, serialized):
    from google.protobuf.message import DecodeError

    try:
        parsed = tf.Summary.FromString(serialized)
    except DecodeError:
        tf.logging.warn("Skipping summary for %s, cannot parse string to Summary.", name)
        return
    for i, value in enumerate(parsed.value):
        value.tag = f"{name}/{i}"
    summary.value.extend(parsed.value)


def write_checkpoint_path(folder, path, step):
    """Writes which checkpoint was evaluated."""
    tf.logging.info("Saving 'checkpoint_path' summary for global step %d: %s", step, path)
    summary = tf.Summary()
    tensor = tf.make_tensor_proto(path, dtype=tf.string)
    summary.value.add(tag="checkpoint_path", tensor=tensor)
    writer = tf.summary.FileWriterCache.get(folder)
    writer.add_summary(summary, step)
    writer.flush()
