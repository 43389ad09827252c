"""tf.contrib.slim.evaluation: evaluations of checkpoints, with their summaries."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.training import evaluation as _evaluation
from kiln.compat.v1.contrib.training.evaluation import (
    StopAfterNEvalsHook,
    SummaryAtEndHook,
    checkpoints_iterator,
    wait_for_new_checkpoint,
)

__all__ = ["checkpoints_iterator", "evaluate_once", "evaluation_loop", "wait_for_new_checkpoint"]

_USE_DEFAULT = 0


def _hooks(num_evals, logdir, summary_op, feed_dict, hooks):
    if summary_op is _USE_DEFAULT:
        summary_op = tf.summary.merge_all()
    made = [StopAfterNEvalsHook(num_evals)]
    if summary_op is not None:
        made.append(SummaryAtEndHook(log_dir=logdir, summary_op=summary_op, feed_dict=feed_dict))
    return made + list(hooks or ())


def _scaffold(variables_to_restore, **options):
    saver = None if variables_to_restore is None else tf.train.Saver(variables_to_restore)
    return tf.train.Scaffold(saver=saver, **options)


def evaluate_once(
    master,
    checkpoint_path,
    logdir,
    num_evals=1,
    initial_op=None,
    initial_op_feed_dict=None,
    eval_op=None,
    eval_op_feed_dict=None,
    final_op=None,
    final_op_feed_dict=None,
    summary_op=_USE_DEFAULT,
    summary_op_feed_dict=None,
    variables_to_restore=None,
    session_config=None,
    hooks=None,
):
    """Runs eval_op num_evals times on a checkpoint; gives the value of final_op.

    summary_op: all summaries where it is not given. Source:
    tf.contrib.slim.evaluation.evaluate_once.
    """
    return _evaluation.evaluate_once(
        checkpoint_path,
        master=master,
        scaffold=_scaffold(
            variables_to_restore, init_op=initial_op, init_feed_dict=initial_op_feed_dict
        ),
        eval_ops=eval_op,
        feed_dict=eval_op_feed_dict,
        final_ops=final_op,
        final_ops_feed_dict=final_op_feed_dict,
        hooks=_hooks(num_evals, logdir, summary_op, summary_op_feed_dict, hooks),
        config=session_config,
    )


def evaluation_loop(
    master,
    checkpoint_dir,
    logdir,
    num_evals=1,
    initial_op=None,
    initial_op_feed_dict=None,
    init_fn=None,
    eval_op=None,
    eval_op_feed_dict=None,
    final_op=None,
    final_op_feed_dict=None,
    summary_op=_USE_DEFAULT,
    summary_op_feed_dict=None,
    variables_to_restore=None,
    eval_interval_secs=60,
    max_number_of_evaluations=None,
    session_config=None,
    timeout=None,
    timeout_fn=None,
    hooks=None,
):
    """As evaluate_once(), of each checkpoint that is written to a folder.

    Source: tf.contrib.slim.evaluation.evaluation_loop.
    """
    return _evaluation.evaluate_repeatedly(
        checkpoint_dir,
        master=master,
        scaffold=_scaffold(
            variables_to_restore,
            init_op=initial_op,
            init_feed_dict=initial_op_feed_dict,
            init_fn=init_fn,
        ),
        eval_ops=eval_op,
        feed_dict=eval_op_feed_dict,
        final_ops=final_op,
        final_ops_feed_dict=final_op_feed_dict,
        eval_interval_secs=eval_interval_secs,
        hooks=_hooks(num_evals, logdir, summary_op, summary_op_feed_dict, hooks),
        config=session_config,
        max_number_of_evaluations=max_number_of_evaluations,
        timeout=timeout,
        timeout_fn=timeout_fn,
    )
