"""Penalties of gradients and of distributions, and losses beside an adversarial one."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.framework import get_trainable_variables

_BY_NONZERO = tf.losses.Reduction.SUM_BY_NONZERO_WEIGHTS
_LOSSES = tf.GraphKeys.LOSSES


def wasserstein_gradient_penalty(
    real_data,
    generated_data,
    generator_inputs,
    discriminator_fn,
    discriminator_scope,
    epsilon=1e-10,
    target=1.0,
    one_sided=False,
    weights=1.0,
    scope=None,
    loss_collection=_LOSSES,
    reduction=_BY_NONZERO,
    add_summaries=False,
):
    """The square of how far the discriminator's slope between real and generated data is from target.

    epsilon: is added below the root. one_sided: whether only steeper slopes count. Errors:
    ValueError for data without a rank. Source:
    tf.contrib.gan.losses.wargs.wasserstein_gradient_penalty.
    """
    values = (real_data, generated_data)
    with tf.name_scope(scope, "wasserstein_gradient_penalty", values) as scope:
        real_data = tf.convert_to_tensor(real_data)
        generated_data = tf.convert_to_tensor(generated_data)
        for name, data in (("real_data", real_data), ("generated_data", generated_data)):
            if data.shape.ndims is None:
                raise ValueError(f"`{name}` can't have unknown rank.")
        differences = generated_data - real_data
        batch_size = differences.shape.dims[0].value or tf.shape(differences)[0]
        alpha = tf.random_uniform(shape=[batch_size] + [1] * (differences.shape.ndims - 1))
        between = real_data + (alpha * differences)
        # Without a scope of names, so that updates have the discriminator's.
        with tf.name_scope(None):
            with tf.variable_scope(discriminator_scope, "gpenalty_dscope", reuse=tf.AUTO_REUSE):
                outputs = discriminator_fn(between, generator_inputs)
        outputs = outputs[0] if isinstance(outputs, tuple) else outputs
        gradients = tf.gradients(outputs, between)[0]
        squares = tf.reduce_sum(
            tf.square(gradients), axis=list(range(1, gradients.shape.ndims))
        )
        if isinstance(batch_size, int):
            squares.set_shape([batch_size] + squares.shape.as_list()[1:])
        penalties = tf.sqrt(squares + epsilon) / target - 1.0
        if one_sided:
            penalties = tf.maximum(0.0, penalties)
        penalty = tf.losses.compute_weighted_loss(
            tf.square(penalties),
            weights,
            scope=scope,
            loss_collection=loss_collection,
            reduction=reduction,
        )
        if add_summaries:
            tf.summary.scalar("gradient_penalty_loss", penalty)
        return penalty


def mutual_information_penalty(
    structured_generator_inputs,
    predicted_distributions,
    weights=1.0,
    scope=None,
    loss_collection=_LOSSES,
    reduction=_BY_NONZERO,
    add_summaries=False,
):
    """The negative logarithm of how probable the inputs are by the predicted distributions.

    Errors: ValueError. Source: tf.contrib.gan.losses.wargs.mutual_information_penalty.
    """
    if not isinstance(predicted_distributions, (list, tuple)):
        raise ValueError(
            "`distributions` must be a list or tuple. Instead, found "
            f"{type(predicted_distributions)}."
        )
    for each in predicted_distributions:
        if not callable(getattr(each, "log_prob", None)):
            raise ValueError(
                f"`distributions` must be a list of `Distributions`. Instead, found {type(each)}."
            )
    if len(structured_generator_inputs) != len(predicted_distributions):
        raise ValueError(
            f"`structured_generator_inputs` length {len(structured_generator_inputs)} must be the "
            f"same as `predicted_distributions` length {len(predicted_distributions)}."
        )
    with tf.name_scope(scope, "mutual_information_loss") as scope:
        log_probs = [
            tf.reduce_mean(each.log_prob(noise))
            for each, noise in zip(predicted_distributions, structured_generator_inputs)
        ]
        loss = -1 * tf.losses.compute_weighted_loss(
            log_probs, weights, scope, loss_collection=loss_collection, reduction=reduction
        )
        if add_summaries:
            tf.summary.scalar("mutual_information_penalty", loss)
    return loss


def _global_norm(tensors):
    """The norm of all tensors, scaled by the greatest element so that squares do not overflow."""
    tensors = [each for each in tensors if each is not None]
    if not tensors:
        return 0.0
    greatest = tf.reduce_max([tf.reduce_max(tf.abs(each)) for each in tensors])
    return greatest * tf.global_norm([each / greatest for each in tensors])


def combine_adversarial_loss(
    main_loss,
    adversarial_loss,
    weight_factor=None,
    gradient_ratio=None,
    gradient_ratio_epsilon=1e-6,
    variables=None,
    scalar_summaries=True,
    gradient_summaries=True,
    scope=None,
):
    """A loss and an adversarial one, weighted by weight_factor, or so that their gradients have
    gradient_ratio.

    Errors: ValueError where both are given, or none. Source:
    tf.contrib.gan.losses.wargs.combine_adversarial_loss.
    """
    for loss in (main_loss, adversarial_loss):
        loss.shape.assert_is_compatible_with([])
    if weight_factor is None and gradient_ratio is None:
        raise ValueError("`weight_factor` and `gradient_ratio` cannot both be `None.`")
    if weight_factor is not None and gradient_ratio is not None:
        raise ValueError("`weight_factor` and `gradient_ratio` cannot both be specified.")
    if variables is None:
        variables = get_trainable_variables()
    with tf.name_scope(scope, "adversarial_loss", values=[main_loss, adversarial_loss]):
        if gradient_summaries or gradient_ratio is not None:
            of_main = _global_norm(tf.gradients(main_loss, variables))
            of_adversarial = _global_norm(tf.gradients(adversarial_loss, variables))
        if scalar_summaries:
            tf.summary.scalar("main_loss", main_loss)
            tf.summary.scalar("adversarial_loss", adversarial_loss)
        if gradient_summaries:
            tf.summary.scalar("main_loss_gradients", of_main)
            tf.summary.scalar("adversarial_loss_gradients", of_adversarial)
        used = weight_factor if weight_factor is not None else gradient_ratio
        if tf.get_static_value(tf.convert_to_tensor(used)) == 0:
            return main_loss
        if weight_factor is not None:
            return main_loss + tf.stop_gradient(weight_factor) * adversarial_loss
        coefficient = of_main / (of_adversarial + gradient_ratio_epsilon) / gradient_ratio
        tf.summary.scalar("adversarial_coefficient", coefficient)
        return main_loss + tf.stop_gradient(coefficient) * adversarial_loss


def cycle_consistency_loss(
    data_x, reconstructed_data_x, data_y, reconstructed_data_y, scope=None, add_summaries=False
):
    """How far data is from what comes back, on the mean of both sides.

    Source: tf.contrib.gan.losses.wargs.cycle_consistency_loss.
    """
    values = [data_x, reconstructed_data_x, data_y, reconstructed_data_y]
    with tf.name_scope(scope, "cycle_consistency_loss", values=values):
        of_x = tf.losses.absolute_difference(data_x, reconstructed_data_x)
        of_y = tf.losses.absolute_difference(data_y, reconstructed_data_y)
        loss = (of_x + of_y) / 2.0
        if add_summaries:
            tf.summary.scalar("cycle_consistency_loss_x2x", of_x)
            tf.summary.scalar("cycle_consistency_loss_y2y", of_y)
            tf.summary.scalar("cycle_consistency_loss", loss)
    return loss
