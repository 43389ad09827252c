"""Evaluations of checkpoints: once, or of each that a training writes.

tensorflow.contrib.training.python.training.evaluation.
"""

import math
import time

from kiln.compat import v1 as tf
from kiln.compat.v1 import logging

__all__ = [
    "StopAfterNEvalsHook",
    "SummaryAtEndHook",
    "checkpoints_iterator",
    "evaluate_once",
    "evaluate_repeatedly",
    "get_or_create_eval_step",
    "wait_for_new_checkpoint",
]


def get_or_create_eval_step():
    """The counter of evaluations, a local variable. Errors: ValueError where there are several.

    Source: tf.contrib.training.get_or_create_eval_step.
    """
    steps = tf.get_collection(tf.GraphKeys.EVAL_STEP)
    if len(steps) > 1:
        raise ValueError("Multiple tensors added to tf.GraphKeys.EVAL_STEP")
    if steps:
        return steps[0]
    return tf.get_variable(
        "eval_step",
        shape=[],
        dtype=tf.int64,
        initializer=tf.zeros_initializer(),
        trainable=False,
        collections=[tf.GraphKeys.LOCAL_VARIABLES, tf.GraphKeys.EVAL_STEP],
    )


def wait_for_new_checkpoint(checkpoint_dir, last_checkpoint=None, seconds_to_sleep=1, timeout=None):
    """The path of a checkpoint that is not last_checkpoint; None after timeout seconds.

    Source: tf.contrib.training.wait_for_new_checkpoint.
    """
    logging.info("Waiting for new checkpoint at %s", checkpoint_dir)
    end = None if timeout is None else time.time() + timeout
    while True:
        path = tf.train.latest_checkpoint(checkpoint_dir)
        if path is not None and path != last_checkpoint:
            logging.info("Found new checkpoint at %s", path)
            return path
        if end is not None and time.time() + seconds_to_sleep > end:
            return None
        time.sleep(seconds_to_sleep)


def checkpoints_iterator(checkpoint_dir, min_interval_secs=0, timeout=None, timeout_fn=None):
    """Yields the paths of checkpoints as they are written.

    min_interval_secs: the time between two at least. timeout: how long a new one is waited for.
    timeout_fn: asked after that whether it is the end; without it, it is. Source:
    tf.contrib.training.checkpoints_iterator.
    """
    path = None
    while True:
        found = wait_for_new_checkpoint(checkpoint_dir, path, timeout=timeout)
        if found is None:
            if not timeout_fn:
                logging.info("Timed-out waiting for a checkpoint.")
                return
            if timeout_fn():
                return
            continue
        start, path = time.time(), found
        yield path
        rest = start + min_interval_secs - time.time()
        if rest > 0:
            time.sleep(rest)


class StopAfterNEvalsHook(tf.train.SessionRunHook):
    """Stops after so many evaluations; None: never. Source: tf.contrib.training.StopAfterNEvalsHook."""

    def __init__(self, num_evals, log_progress=True):
        self._num_evals, self._log_progress = num_evals, log_progress
        self._evals_completed = None
        few = num_evals is None or num_evals < 20
        self._log_frequency = 1 if few else math.floor(num_evals / 10.0)

    def _set_evals_completed_tensor(self, updated_eval_step):
        self._evals_completed = updated_eval_step

    def before_run(self, run_context):
        return tf.train.SessionRunArgs({"evals_completed": self._evals_completed})

    def after_run(self, run_context, run_values):
        completed, wanted = run_values.results["evals_completed"], self._num_evals
        if self._log_progress:
            if wanted is None:
                logging.info("Evaluation [%d]", completed)
            elif completed % self._log_frequency == 0 or completed == wanted:
                logging.info("Evaluation [%d/%d]", completed, wanted)
        if wanted is not None and completed >= wanted:
            run_context.request_stop()


class SummaryAtEndHook(tf.train.SessionRunHook):
    """Writes summaries when the session ends.

    log_dir: where, or summary_writer: by what. summary_op: all summaries where it is None.
    Errors: ValueError. Source: tf.contrib.training.SummaryAtEndHook.
    """

    def __init__(self, log_dir=None, summary_writer=None, summary_op=None, feed_dict=None):
        if log_dir is None and summary_writer is None:
            raise ValueError("One of log_dir or summary_writer should be used.")
        self._summary_op, self._replace_summary_op = summary_op, summary_op is None
        self._feed_dict = feed_dict
        self._summary_writer, self._log_dir = summary_writer, log_dir

    def begin(self):
        if self._replace_summary_op:
            self._summary_op = tf.summary.merge_all()
        self._global_step = tf.train.get_or_create_global_step()

    def after_create_session(self, session, coord):
        if self._summary_writer is None and self._log_dir:
            self._summary_writer = tf.summary.FileWriterCache.get(self._log_dir)

    def end(self, session):
        if self._summary_op is not None:
            step = tf.train.global_step(session, self._global_step)
            summary = session.run(self._summary_op, self._feed_dict)
            if self._summary_writer:
                self._summary_writer.add_summary(summary, step)
        if self._summary_writer:
            self._summary_writer.flush()


def _with_update(eval_ops, update):
    """The operations of an evaluation with the one that counts it."""
    if isinstance(eval_ops, dict):
        eval_ops["update_eval_step"] = update
        return eval_ops
    return [*(eval_ops if isinstance(eval_ops, (tuple, list)) else [eval_ops]), update]


def _set_completed(hooks, tensor):
    for hook in hooks:
        if isinstance(hook, StopAfterNEvalsHook):
            hook._set_evals_completed_tensor(tensor)


def _evaluate(path, eval_ops, feed_dict, hooks, **options):
    """One evaluation of a checkpoint."""
    creator = tf.train.ChiefSessionCreator(checkpoint_filename_with_path=path, **options)
    with tf.train.MonitoredSession(session_creator=creator, hooks=hooks) as session:
        logging.info("Starting evaluation at %s", time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime()))
        if eval_ops is not None:
            while not session.should_stop():
                session.run(eval_ops, feed_dict)
        logging.info("Finished evaluation at %s", time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime()))


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
    """Runs eval_ops on a checkpoint until a hook wants to stop; gives the values of final_ops.

    Source: tf.contrib.training.evaluate_once.
    """
    eval_step = get_or_create_eval_step()
    hooks = list(hooks or [])
    if eval_ops is not None:
        eval_ops = _with_update(eval_ops, tf.assign_add(eval_step, 1, use_locking=True))
        every = list(eval_ops.values()) if isinstance(eval_ops, dict) else eval_ops
        with tf.control_dependencies(every):
            _set_completed(hooks, tf.identity(get_or_create_eval_step().read_value()))
    last = tf.train.FinalOpsHook(final_ops, final_ops_feed_dict)
    options = {"scaffold": scaffold, "master": master, "config": config}
    _evaluate(checkpoint_path, eval_ops, feed_dict, [*hooks, last], **options)
    return last.final_ops_values


def evaluate_repeatedly(
    checkpoint_dir,
    master="",
    scaffold=None,
    eval_ops=None,
    feed_dict=None,
    final_ops=None,
    final_ops_feed_dict=None,
    eval_interval_secs=60,
    hooks=None,
    config=None,
    max_number_of_evaluations=None,
    timeout=None,
    timeout_fn=None,
):
    """As evaluate_once(), of each checkpoint that is written to a folder.

    eval_interval_secs, timeout, timeout_fn: as checkpoints_iterator() has them.
    max_number_of_evaluations: None: until no checkpoint comes. Source:
    tf.contrib.training.evaluate_repeatedly.
    """
    eval_step = get_or_create_eval_step()
    hooks = hooks or []
    if eval_ops is not None:
        update = tf.assign_add(eval_step, 1)
        _set_completed(hooks, update)
        eval_ops = _with_update(eval_ops, update)
    last = tf.train.FinalOpsHook(final_ops, final_ops_feed_dict)
    hooks.append(last)
    options = {"scaffold": scaffold, "master": master, "config": config}
    paths = checkpoints_iterator(
        checkpoint_dir, min_interval_secs=eval_interval_secs, timeout=timeout, timeout_fn=timeout_fn
    )
    for count, path in enumerate(paths, 1):
        _evaluate(path, eval_ops, feed_dict, hooks, **options)
        if max_number_of_evaluations is not None and count >= max_number_of_evaluations:
            break
    return last.final_ops_values
