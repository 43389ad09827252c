"""A loss's training operation, and the loop that runs it.

tensorflow.contrib.training.python.training.training.
"""

from kiln.compat import v1 as tf
from kiln.compat.v1 import logging
from kiln.compat.v1.contrib.framework._tensors import with_dependencies

__all__ = [
    "add_gradients_summaries",
    "clip_gradient_norms",
    "clip_gradient_norms_fn",
    "create_train_op",
    "multiply_gradients",
    "train",
]

_USE_GLOBAL_STEP = 0


def values_of(gradient):
    """The elements of a gradient: of IndexedSlices, those that are there."""
    return gradient.values if isinstance(gradient, tf.IndexedSlices) else gradient


def with_values(gradient, values):
    """A gradient with other elements."""
    if isinstance(gradient, tf.IndexedSlices):
        return tf.IndexedSlices(values, gradient.indices, gradient.dense_shape)
    return values


def summaries_of_gradients(grads_and_vars, separator):
    """A histogram of each gradient and a summary of its norm, named after the variable."""
    summaries = []
    for gradient, variable in grads_and_vars:
        name = variable.op.name
        if gradient is None:
            logging.info("Var %s has no gradient", name)
            continue
        values = values_of(gradient)
        norm = f"{name}{separator}gradient_norm"
        summaries.append(tf.summary.histogram(f"{name}{separator}gradient", values))
        summaries.append(tf.summary.scalar(norm, tf.global_norm([values])))
    return summaries


def add_gradients_summaries(grads_and_vars):
    """Summaries of gradients and of their norms. Source: tf.contrib.training.add_gradients_summaries."""
    return summaries_of_gradients(grads_and_vars, "_")


def clip_gradient_norms(gradients_to_variables, max_norm):
    """Pairs of gradient and variable, each gradient within a norm.

    Source: tf.contrib.training.clip_gradient_norms.
    """
    return [
        (
            None if gradient is None
            else with_values(gradient, tf.clip_by_norm(values_of(gradient), max_norm)),
            variable,
        )
        for gradient, variable in gradients_to_variables
    ]  # fmt: skip


def clip_gradient_norms_fn(max_norm):
    """clip_gradient_norms() for transform_grads_fn. Source: tf.contrib.training.clip_gradient_norms_fn."""
    return lambda gradients_to_variables: clip_gradient_norms(gradients_to_variables, max_norm)


def multiply_gradients(grads_and_vars, gradient_multipliers):
    """Pairs of gradient and variable, some gradients multiplied.

    gradient_multipliers: a dict from variables, or their names, to factors. Errors: ValueError.
    Source: tf.contrib.training.multiply_gradients.
    """
    if not isinstance(grads_and_vars, list):
        raise ValueError("`grads_and_vars` must be a list.")
    if not gradient_multipliers:
        raise ValueError("`gradient_multipliers` is empty.")
    if not isinstance(gradient_multipliers, dict):
        raise ValueError("`gradient_multipliers` must be a dict.")
    result = []
    for gradient, variable in grads_and_vars:
        for key in (variable, variable.op.name):
            if key not in gradient_multipliers:
                continue
            if gradient is None:
                raise ValueError("Requested multiple of `None` gradient.")
            factor = gradient_multipliers[key]
            if not isinstance(factor, tf.Tensor):
                factor = tf.constant(factor, dtype=gradient.dtype)
            gradient = with_values(gradient, values_of(gradient) * factor)
            break
        result.append((gradient, variable))
    return result


def create_train_op(
    total_loss,
    optimizer,
    global_step=_USE_GLOBAL_STEP,
    update_ops=None,
    variables_to_train=None,
    transform_grads_fn=None,
    summarize_gradients=False,
    gate_gradients=tf.train.Optimizer.GATE_OP,
    aggregation_method=None,
    colocate_gradients_with_ops=False,
    check_numerics=True,
):
    """A tensor of the loss, behind a step of training.

    global_step: what counts the steps; the graph's where it is not given, nothing where it is
    None. update_ops: what runs before the loss; the collection of updates where it is None.
    variables_to_train: the trainable ones where it is None. transform_grads_fn: a function from
    pairs of gradient and variable to such pairs. check_numerics: whether a loss that is no finite
    number is an error.

    Source: tf.contrib.training.create_train_op.
    """
    if global_step is _USE_GLOBAL_STEP:
        global_step = tf.train.get_or_create_global_step()
    total_loss = _behind_updates(total_loss, update_ops)
    trainable = tf.trainable_variables()
    if variables_to_train is None:
        variables_to_train = trainable
    else:
        for variable in variables_to_train:
            assert variable.trainable or any(variable is each for each in trainable)
    assert variables_to_train
    gradients = optimizer.compute_gradients(
        total_loss,
        variables_to_train,
        gate_gradients=gate_gradients,
        aggregation_method=aggregation_method,
        colocate_gradients_with_ops=colocate_gradients_with_ops,
    )
    if transform_grads_fn:
        gradients = transform_grads_fn(gradients)
    if summarize_gradients:
        with tf.name_scope("summarize_grads"):
            add_gradients_summaries(gradients)
    updates = optimizer.apply_gradients(gradients, global_step=global_step)
    with tf.name_scope("train_op"):
        if check_numerics:
            total_loss = tf.check_numerics(total_loss, "LossTensor is inf or nan")
        train_op = with_dependencies([updates], total_loss)
    key = tf.GraphKeys.TRAIN_OP
    if not any(train_op is each for each in tf.get_collection(key)):
        tf.add_to_collection(key, train_op)
    return train_op


def _behind_updates(total_loss, update_ops):
    """The loss behind the updates."""
    collected = dict.fromkeys(tf.get_collection(tf.GraphKeys.UPDATE_OPS))
    updates = collected if update_ops is None else dict.fromkeys(update_ops)
    if not collected.keys() <= updates.keys():
        logging.warning(
            "update_ops in create_train_op does not contain all the update_ops in "
            "GraphKeys.UPDATE_OPS"
        )
    if not updates:
        return total_loss
    with tf.control_dependencies(list(updates)):
        barrier = tf.no_op(name="update_barrier")
    return with_dependencies([barrier], total_loss)


def train(
    train_op,
    logdir,
    master="",
    is_chief=True,
    scaffold=None,
    hooks=None,
    chief_only_hooks=None,
    save_checkpoint_secs=600,
    save_summaries_steps=100,
    config=None,
    max_wait_secs=7200,
    run_metadata=None,
):
    """Runs an operation until a hook wants to stop; gives its last value.

    logdir: where checkpoints and summaries are; None with save_checkpoint_secs and
    save_summaries_steps None or 0. Errors: ValueError. Source: tf.contrib.training.train.
    """
    if logdir is None and is_chief:
        if save_summaries_steps:
            raise ValueError("logdir cannot be None when save_summaries_steps is not None")
        if save_checkpoint_secs:
            raise ValueError("logdir cannot be None when save_checkpoint_secs is not None")
    with tf.train.MonitoredTrainingSession(
        master=master,
        is_chief=is_chief,
        checkpoint_dir=logdir,
        scaffold=scaffold,
        hooks=hooks,
        chief_only_hooks=chief_only_hooks,
        save_checkpoint_secs=save_checkpoint_secs,
        save_summaries_steps=save_summaries_steps,
        config=config,
        max_wait_secs=max_wait_secs,
    ) as session:
        loss = None
        while not session.should_stop():
            loss = session.run(train_op, run_metadata=run_metadata)
    return loss
