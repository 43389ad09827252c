"""tf.contrib.slim.learning: a training loop on a tf.train.Supervisor."""

import os
import sys
import time

from kiln.compat import v1 as tf
from kiln.compat.v1 import logging
from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.training import training
from kiln.compat.v1.contrib.training.training import clip_gradient_norms, multiply_gradients

__all__ = [
    "add_gradients_summaries",
    "clip_gradient_norms",
    "create_train_op",
    "multiply_gradients",
    "train",
    "train_step",
]

_USE_GLOBAL_STEP = 0
_USE_DEFAULT = 0

# Modules that programs take from here.
__getattr__, _ = _forwarding(__name__, "supervisor=train tf_saver=train tf_optimizer=train")


def add_gradients_summaries(grads_and_vars):
    """Summaries of gradients and of their norms. Source: tf.contrib.slim.learning.add_gradients_summaries."""
    return training.summaries_of_gradients(grads_and_vars, "/")


def create_train_op(
    total_loss,
    optimizer,
    global_step=_USE_GLOBAL_STEP,
    update_ops=None,
    variables_to_train=None,
    clip_gradient_norm=0,
    summarize_gradients=False,
    gate_gradients=tf.train.Optimizer.GATE_OP,
    aggregation_method=None,
    colocate_gradients_with_ops=False,
    gradient_multipliers=None,
    check_numerics=True,
):
    """A tensor of the loss, behind a step of training.

    clip_gradient_norm: the norm of each gradient at most; 0: any. gradient_multipliers: a dict
    from variables, or their names, to factors of their gradients. The other arguments are those
    of tf.contrib.training.create_train_op. Source: tf.contrib.slim.learning.create_train_op.
    """

    def transform_grads_fn(gradients):
        if gradient_multipliers:
            with tf.name_scope("multiply_grads"):
                gradients = multiply_gradients(gradients, gradient_multipliers)
        if clip_gradient_norm > 0:
            with tf.name_scope("clip_grads"):
                gradients = clip_gradient_norms(gradients, clip_gradient_norm)
        return gradients

    options = {}
    if global_step is not _USE_GLOBAL_STEP:
        options["global_step"] = global_step
    return training.create_train_op(
        total_loss=total_loss,
        optimizer=optimizer,
        update_ops=update_ops,
        variables_to_train=variables_to_train,
        transform_grads_fn=transform_grads_fn,
        summarize_gradients=summarize_gradients,
        gate_gradients=gate_gradients,
        aggregation_method=aggregation_method,
        colocate_gradients_with_ops=colocate_gradients_with_ops,
        check_numerics=check_numerics,
        **options,
    )


def _wait_for_step(sess, global_step, step):
    while tf.train.global_step(sess, global_step) < step:
        time.sleep(1.0)


def _write_trace(run_metadata, step, train_step_kwargs):
    from kiln.compat._python.client import timeline
    from kiln.compat.v1 import gfile

    path = os.path.join(train_step_kwargs["logdir"], "tf_trace-%d.json" % step)
    logging.info("Writing trace to %s", path)
    with gfile.Open(path, "w") as file:
        file.write(timeline.Timeline(run_metadata.step_stats).generate_chrome_trace_format())
    if "summary_writer" in train_step_kwargs:
        writer = train_step_kwargs["summary_writer"]
        writer.add_run_metadata(run_metadata, "run_metadata-%d" % step)


def train_step(sess, train_op, global_step, train_step_kwargs):
    """Runs a step; gives the loss and whether the training is to stop.

    train_step_kwargs: a dict with tensors of bool "should_stop", "should_log", "should_trace",
    with "logdir" and "summary_writer" for the trace. Errors: ValueError for a trace without
    logdir. Source: tf.contrib.slim.learning.train_step.
    """
    start = time.time()
    options = run_metadata = None
    if "should_trace" in train_step_kwargs:
        if "logdir" not in train_step_kwargs:
            raise ValueError(
                "logdir must be present in train_step_kwargs when should_trace is present"
            )
        if sess.run(train_step_kwargs["should_trace"]):
            options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
            run_metadata = tf.RunMetadata()
    loss, step = sess.run([train_op, global_step], options=options, run_metadata=run_metadata)
    elapsed = time.time() - start
    if run_metadata is not None:
        _write_trace(run_metadata, step, train_step_kwargs)
    if "should_log" in train_step_kwargs and sess.run(train_step_kwargs["should_log"]):
        logging.info("global step %d: loss = %.4f (%.3f sec/step)", step, loss, elapsed)
    if "should_stop" in train_step_kwargs:
        return loss, sess.run(train_step_kwargs["should_stop"])
    return loss, False


def _check_arguments(given):
    if given["train_op"] is None:
        raise ValueError("train_op cannot be None.")
    if given["logdir"] is None:
        for name, default in (("summary_op", _USE_DEFAULT), ("saver", None), ("trace_every_n_steps", None)):
            if given[name] is not default:
                raise ValueError(f"Cannot provide {name} because logdir=None")
    if given["sync_optimizer"] is not None and given["startup_delay_steps"] > 0:
        raise ValueError("startup_delay_steps must be zero when sync_optimizer is supplied.")
    if given["number_of_steps"] is not None and given["number_of_steps"] <= 0:
        raise ValueError("`number_of_steps` must be either None or a positive number.")


def _step_arguments(given, global_step):
    """The dict for train_step()."""
    with tf.name_scope("train_step"):
        steps, every = given["number_of_steps"], given["log_every_n_steps"]
        made = {
            "should_stop": tf.greater_equal(global_step, steps) if steps else tf.constant(False)
        }
        if every > 0:
            made["should_log"] = tf.equal(tf.mod(global_step, every), 0)
        trace = given["trace_every_n_steps"]
        if given["is_chief"] and trace is not None:
            made["should_trace"] = tf.equal(tf.mod(global_step, trace), 0)
            made["logdir"] = given["logdir"]
        return made


def _sync_operations(optimizers, is_chief, local_init_op):
    """The local initialization and what it waits for, of synchronized replicas."""
    for each in optimizers:
        if not isinstance(each, tf.train.SyncReplicasOptimizer):
            raise ValueError("`sync_optimizer` must be a tf.train.SyncReplicasOptimizer.")
    with tf.control_dependencies([] if local_init_op is None else [local_init_op]):
        own = [each.chief_init_op if is_chief else each.local_step_init_op for each in optimizers]
        local_init_op = tf.group(*own)
    return local_init_op, tf.group(*[each.ready_for_local_init_op for each in optimizers])


def _supervisor_options(given, optimizers):
    """The operations of a Supervisor, made where they are not given."""
    with tf.name_scope("init_ops"):
        init_op, local_init_op, ready_op = (given[n] for n in ("init_op", "local_init_op", "ready_op"))
        if init_op is _USE_DEFAULT:
            init_op = tf.global_variables_initializer()
        if ready_op is _USE_DEFAULT:
            ready_op = tf.report_uninitialized_variables()
        if local_init_op is _USE_DEFAULT:
            local_init_op = tf.group(tf.local_variables_initializer(), tf.tables_initializer())
        ready_for_local_init_op = None
        if optimizers:
            local_init_op, ready_for_local_init_op = _sync_operations(
                optimizers, given["is_chief"], local_init_op
            )
    options = {
        "init_op": init_op,
        "local_init_op": local_init_op,
        "ready_op": ready_op,
        "ready_for_local_init_op": ready_for_local_init_op,
        "summary_op": given["summary_op"],
        "summary_writer": given["summary_writer"],
    }
    if options["summary_op"] is _USE_DEFAULT:
        options["summary_op"] = tf.summary.merge_all()
    if options["summary_writer"] is _USE_DEFAULT:
        options["summary_writer"] = tf.train.Supervisor.USE_DEFAULT
    return options


def train(
    train_op,
    logdir,
    train_step_fn=train_step,
    train_step_kwargs=_USE_DEFAULT,
    log_every_n_steps=1,
    graph=None,
    master="",
    is_chief=True,
    global_step=None,
    number_of_steps=None,
    init_op=_USE_DEFAULT,
    init_feed_dict=None,
    local_init_op=_USE_DEFAULT,
    init_fn=None,
    ready_op=_USE_DEFAULT,
    summary_op=_USE_DEFAULT,
    save_summaries_secs=600,
    summary_writer=_USE_DEFAULT,
    startup_delay_steps=0,
    saver=None,
    save_interval_secs=600,
    sync_optimizer=None,
    session_config=None,
    session_wrapper=None,
    trace_every_n_steps=None,
    ignore_live_threads=False,
):
    """Runs steps of training with a Supervisor, which saves and writes summaries; gives the last loss.

    logdir: where; None: nothing is written. train_step_fn: runs a step, as train_step() does;
    train_step_kwargs: what it gets. number_of_steps: None: until the input ends. init_fn: a
    function of the session behind init_op. session_wrapper: a function that gives the session
    that runs the steps. The other arguments are those of tf.train.Supervisor.

    Errors: ValueError. Source: tf.contrib.slim.learning.train.
    """
    given = dict(locals())
    _check_arguments(given)
    if isinstance(sync_optimizer, tf.train.SyncReplicasOptimizer):
        sync_optimizer = [sync_optimizer]
    graph = graph or tf.get_default_graph()
    chief_queue_runners = init_tokens = None
    with graph.as_default():
        if global_step is None:
            global_step = tf.train.get_or_create_global_step()
        saver = saver or tf.train.Saver()
        options = _supervisor_options(given, sync_optimizer)
        if is_chief and sync_optimizer is not None:
            init_tokens = [each.get_init_tokens_op() for each in sync_optimizer]
            chief_queue_runners = [each.get_chief_queue_runner() for each in sync_optimizer]
        if train_step_kwargs is _USE_DEFAULT:
            train_step_kwargs = _step_arguments(given, global_step)
    supervisor = tf.train.Supervisor(
        graph=graph,
        is_chief=is_chief,
        logdir=logdir,
        init_feed_dict=init_feed_dict,
        global_step=global_step,
        saver=saver,
        save_summaries_secs=save_summaries_secs,
        save_model_secs=save_interval_secs,
        init_fn=init_fn,
        **options,
    )
    if options["summary_writer"] is not None:
        train_step_kwargs["summary_writer"] = supervisor.summary_writer
    run = _Run(supervisor, given, train_step_kwargs, global_step, chief_queue_runners, init_tokens)
    while not run.is_over():
        logging.info("Retrying training!")
    return run.total_loss


class _Run:
    """Steps with a Supervisor, until the end or until the session is lost."""

    def __init__(self, supervisor, given, step_kwargs, global_step, chief_queue_runners, init_tokens):
        self._supervisor, self._given, self._step_kwargs = supervisor, given, step_kwargs
        self._global_step, self._init_tokens = global_step, init_tokens
        self._chief_queue_runners = chief_queue_runners
        self.total_loss = None

    def is_over(self):
        """Runs; False where another process was lost, and all is to be done again."""
        try:
            with self._supervisor.managed_session(
                self._given["master"],
                start_standard_services=False,
                config=self._given["session_config"],
            ) as sess:
                self._in_session(sess)
        except tf.errors.AbortedError:
            return False
        return True

    def _in_session(self, sess):
        supervisor, given = self._supervisor, self._given
        logging.info("Starting Session.")
        wrapper = given["session_wrapper"]
        if wrapper is not None:
            logging.info("Wrapping session with wrapper function: %s", wrapper)
            sess = wrapper(sess)
        services = []
        if given["is_chief"]:
            if given["logdir"]:
                services = supervisor.start_standard_services(sess)
        elif given["startup_delay_steps"] > 0:
            steps = min(given["startup_delay_steps"], given["number_of_steps"] or sys.maxsize)
            _wait_for_step(sess, self._global_step, steps)
        threads = supervisor.start_queue_runners(sess)
        logging.info("Starting Queues.")
        if self._init_tokens is not None:
            supervisor.start_queue_runners(sess, self._chief_queue_runners)
            sess.run(self._init_tokens)
        self._steps(sess)
        if given["logdir"] and supervisor.is_chief:
            logging.info("Finished training! Saving model to disk.")
            # One that saves may still write an earlier step. None ends unless it is asked to, where the input has ended.
            supervisor.request_stop()
            for thread in services:
                thread.join(120)
            supervisor.saver.save(sess, supervisor.save_path, global_step=supervisor.global_step)
            supervisor.stop(
                threads,
                close_summary_writer=True,
                ignore_live_threads=given["ignore_live_threads"],
            )

    def _steps(self, sess):
        step, train_op = self._given["train_step_fn"], self._given["train_op"]
        try:
            while not self._supervisor.should_stop():
                self.total_loss, should_stop = step(
                    sess, train_op, self._global_step, self._step_kwargs
                )
                if should_stop:
                    logging.info("Stopping Training.")
                    self._supervisor.request_stop()
                    break
        except tf.errors.OutOfRangeError as error:
            logging.info("Caught OutOfRangeError. Stopping Training. %s", error)
