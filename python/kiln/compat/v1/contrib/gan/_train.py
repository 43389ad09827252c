"""How the models of tf.contrib.gan are trained: the discriminator and the generator in turn."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.gan import namedtuples


def _update_ops(kwargs, generator_scope, discriminator_scope, check_for_unused_ops):
    """The updates of the two parts. Errors: ValueError for those of neither."""
    key = tf.GraphKeys.UPDATE_OPS
    given = kwargs.pop("update_ops", None)
    wanted = set(tf.get_collection(key) if given is None else given)
    of_generator = tf.get_collection(key, generator_scope)
    of_discriminator = tf.get_collection(key, discriminator_scope)
    unused = wanted - set(of_generator) - set(of_discriminator)
    if check_for_unused_ops and unused:
        raise ValueError(f"There are unused update ops: {unused}")
    return [[op for op in ops if op in wanted] for ops in (of_generator, of_discriminator)]


def gan_train_ops(
    model,
    loss,
    generator_optimizer,
    discriminator_optimizer,
    check_for_unused_update_ops=True,
    is_chief=True,
    **kwargs,
):
    """The operations that train a model: its generator, its discriminator, and the step.

    kwargs: of tf.contrib.training.create_train_op(). Errors: ValueError. Source:
    tf.contrib.gan.gan_train_ops.
    """
    if isinstance(model, namedtuples.CycleGANModel):
        options = dict(
            generator_optimizer=generator_optimizer,
            discriminator_optimizer=discriminator_optimizer,
            check_for_unused_update_ops=check_for_unused_update_ops,
            is_chief=is_chief,
            **kwargs,
        )
        with tf.name_scope("cyclegan_x2y_train"):
            x2y = gan_train_ops(model.model_x2y, loss.loss_x2y, **options)
        with tf.name_scope("cyclegan_y2x_train"):
            y2x = gan_train_ops(model.model_y2x, loss.loss_y2x, **options)
        return namedtuples.GANTrainOps(
            (x2y.generator_train_op, y2x.generator_train_op),
            (x2y.discriminator_train_op, y2x.discriminator_train_op),
            tf.train.get_or_create_global_step().assign_add(1),
        )
    global_step = tf.train.get_or_create_global_step()
    increment = global_step.assign_add(1)
    updates = _update_ops(
        kwargs,
        model.generator_scope.name,
        model.discriminator_scope.name,
        check_for_unused_update_ops,
    )
    made, hooks = [], []
    for part, optimizer, part_loss, variables, ops in (
        ("generator", generator_optimizer, loss.generator_loss, model.generator_variables, updates[0]),
        (
            "discriminator", discriminator_optimizer, loss.discriminator_loss,
            model.discriminator_variables, updates[1],
        ),
    ):  # fmt: skip
        step = _own_step(part, optimizer, global_step, ops, hooks, is_chief)
        with tf.name_scope(f"{part}_train"):
            made.append(
                tf.contrib.training.create_train_op(
                    total_loss=part_loss,
                    optimizer=optimizer,
                    variables_to_train=variables,
                    global_step=step,
                    update_ops=ops,
                    **kwargs,
                )
            )
    return namedtuples.GANTrainOps(made[0], made[1], increment, hooks)


def _own_step(part, optimizer, global_step, updates, hooks, is_chief):
    """The step that an optimizer which waits for several gradients counts; None for others."""
    if not isinstance(optimizer, tf.train.SyncReplicasOptimizer):
        return None
    step = tf.get_variable(
        f"dummy_global_step_{part}",
        shape=[],
        dtype=global_step.dtype.base_dtype,
        initializer=tf.zeros_initializer(),
        trainable=False,
        collections=[tf.GraphKeys.GLOBAL_VARIABLES],
    )
    updates.append(step.assign(global_step))
    hooks.append(optimizer.make_session_run_hook(is_chief))
    return step


class RunTrainOpsHook(tf.train.SessionRunHook):
    """Runs operations so many times before each step. Source: tf.contrib.gan.RunTrainOpsHook."""

    def __init__(self, train_ops, train_steps):
        self._train_ops = train_ops if isinstance(train_ops, (list, tuple)) else [train_ops]
        self._train_steps = train_steps

    def before_run(self, run_context):
        for _ in range(self._train_steps):
            run_context.session.run(self._train_ops)


def get_sequential_train_hooks(train_steps=namedtuples.GANTrainSteps(1, 1)):
    """A function that gives the hooks which train the generator, then the discriminator.

    Source: tf.contrib.gan.get_sequential_train_hooks.
    """

    def get_hooks(train_ops):
        return [
            RunTrainOpsHook(train_ops.generator_train_op, train_steps.generator_train_steps),
            RunTrainOpsHook(
                train_ops.discriminator_train_op, train_steps.discriminator_train_steps
            ),
            *train_ops.train_hooks,
        ]

    return get_hooks


def get_joint_train_hooks(train_steps=namedtuples.GANTrainSteps(1, 1)):
    """A function that gives the hooks which train both parts in one run, as far as they have steps.

    Source: tf.contrib.gan.get_joint_train_hooks.
    """
    of_both = min(train_steps.generator_train_steps, train_steps.discriminator_train_steps)

    def get_hooks(train_ops):
        generator, discriminator = train_ops.generator_train_op, train_ops.discriminator_train_op
        return [
            RunTrainOpsHook([generator, discriminator], of_both),
            RunTrainOpsHook(generator, train_steps.generator_train_steps - of_both),
            RunTrainOpsHook(discriminator, train_steps.discriminator_train_steps - of_both),
            *train_ops.train_hooks,
        ]

    return get_hooks


def gan_train(
    train_ops,
    logdir,
    get_hooks_fn=get_sequential_train_hooks(),
    master="",
    is_chief=True,
    scaffold=None,
    hooks=None,
    chief_only_hooks=None,
    save_checkpoint_secs=600,
    save_summaries_steps=100,
    config=None,
):
    """Trains until a hook stops it; gives the step. The arguments are those of
    tf.contrib.training.train(). Source: tf.contrib.gan.gan_train.
    """
    own = get_hooks_fn(train_ops)
    return tf.contrib.training.train(
        train_ops.global_step_inc_op,
        logdir,
        master=master,
        is_chief=is_chief,
        scaffold=scaffold,
        hooks=own if hooks is None else [*hooks, *own],
        chief_only_hooks=chief_only_hooks,
        save_checkpoint_secs=save_checkpoint_secs,
        save_summaries_steps=save_summaries_steps,
        config=config,
    )


def get_sequential_train_steps(train_steps=namedtuples.GANTrainSteps(1, 1)):
    """A function for tf.contrib.slim.learning.train() that trains both parts in turn.

    Source: tf.contrib.gan.get_sequential_train_steps.
    """

    def sequential_train_steps(sess, train_ops, global_step, train_step_kwargs):
        from kiln.compat.v1.contrib.slim import learning

        options = dict(train_step_kwargs)
        stop = options.pop("should_stop", None)
        total = 0
        for op, steps in (
            (train_ops.generator_train_op, train_steps.generator_train_steps),
            (train_ops.discriminator_train_op, train_steps.discriminator_train_steps),
        ):
            for _ in range(steps):
                loss, _ = learning.train_step(sess, op, global_step, options)
                total += loss
        sess.run(train_ops.global_step_inc_op)
        return total, False if stop is None else sess.run(stop)

    return sequential_train_steps
