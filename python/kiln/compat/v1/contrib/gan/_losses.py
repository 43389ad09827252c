"""The losses of whole models: of the generator and the discriminator, with penalties."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.gan import losses as gan_losses, namedtuples


def _checked_weight(weight, name):
    """A weight that is not negative; of a tensor that is checked in the run. Errors: ValueError."""
    if isinstance(weight, tf.Tensor):
        weight.shape.assert_is_compatible_with([])
        with tf.control_dependencies([tf.assert_greater_equal(weight, 0.0)]):
            return tf.identity(weight)
    if weight is not None and weight < 0:
        raise ValueError(f"`{name}` must be greater than 0. Instead, was {weight}")
    return weight


def _is_used(weight):
    return weight is not None and (isinstance(weight, tf.Tensor) or weight > 0)


def _pooled(model, tensor_pool_fn):
    """The model with what a pool gives in place of generated data. Errors: ValueError."""
    if not isinstance(
        model, (namedtuples.GANModel, namedtuples.ACGANModel, namedtuples.InfoGANModel)
    ):
        raise ValueError(f"Tensor pool does not support `model`: {type(model)}.")
    given = [model.generator_inputs, model.generated_data]
    changes = {}
    if isinstance(model, namedtuples.InfoGANModel):
        given.append(model.structured_generator_inputs)
        inputs, data, changes["structured_generator_inputs"] = tensor_pool_fn(tuple(given))
        discriminate, second = model.discriminator_and_aux_fn, "predicted_distributions"
    else:
        inputs, data = tensor_pool_fn(tuple(given))
        discriminate, second = model.discriminator_fn, None
        if isinstance(model, namedtuples.ACGANModel):
            second = "discriminator_gen_classification_logits"
    with tf.variable_scope(model.discriminator_scope, reuse=True):
        outputs = discriminate(data, inputs)
    if second is not None:
        outputs, changes[second] = outputs
    return model._replace(
        generator_inputs=inputs, generated_data=data, discriminator_gen_outputs=outputs, **changes
    )


def gan_loss(
    model,
    generator_loss_fn=gan_losses.wasserstein_generator_loss,
    discriminator_loss_fn=gan_losses.wasserstein_discriminator_loss,
    gradient_penalty_weight=None,
    gradient_penalty_epsilon=1e-10,
    gradient_penalty_target=1.0,
    gradient_penalty_one_sided=False,
    mutual_information_penalty_weight=None,
    aux_cond_generator_weight=None,
    aux_cond_discriminator_weight=None,
    tensor_pool_fn=None,
    add_summaries=True,
):
    """The losses of a model, with those of its regularizers.

    The weights of penalties: None or 0 for none; mutual_information_penalty_weight is for an
    InfoGANModel, the aux_cond weights for an ACGANModel. tensor_pool_fn: gives generated data of
    earlier steps for the discriminator. Errors: ValueError. Source: tf.contrib.gan.gan_loss.
    """
    gradient_penalty_weight = _checked_weight(gradient_penalty_weight, "gradient_penalty_weight")
    info_weight = _checked_weight(mutual_information_penalty_weight, "infogan_weight")
    gen_weight = _checked_weight(aux_cond_generator_weight, "aux_cond_generator_weight")
    dis_weight = _checked_weight(aux_cond_discriminator_weight, "aux_cond_discriminator_weight")
    if _is_used(info_weight) and not isinstance(model, namedtuples.InfoGANModel):
        raise ValueError(
            "When `mutual_information_penalty_weight` is provided, `model` must be an "
            f"`InfoGANModel`. Instead, was {type(model)}."
        )
    if (_is_used(gen_weight) or _is_used(dis_weight)) and not isinstance(
        model, namedtuples.ACGANModel
    ):
        raise ValueError(
            "When `aux_cond_generator_weight` or `aux_cond_discriminator_weight` is provided, "
            f"`model` must be an `ACGANModel`. Instead, was {type(model)}."
        )
    pooled = _pooled(model, tensor_pool_fn) if tensor_pool_fn else model
    gen_loss = generator_loss_fn(model, add_summaries=add_summaries)
    dis_loss = discriminator_loss_fn(pooled, add_summaries=add_summaries)
    if _is_used(gradient_penalty_weight):
        dis_loss += gradient_penalty_weight * gan_losses.wasserstein_gradient_penalty(
            pooled,
            epsilon=gradient_penalty_epsilon,
            target=gradient_penalty_target,
            one_sided=gradient_penalty_one_sided,
            add_summaries=add_summaries,
        )
    if _is_used(info_weight):
        penalty = gan_losses.mutual_information_penalty(model, add_summaries=add_summaries)
        pooled_penalty = penalty
        if tensor_pool_fn is not None:
            pooled_penalty = gan_losses.mutual_information_penalty(
                pooled, add_summaries=add_summaries
            )
        gen_loss += info_weight * penalty
        dis_loss += info_weight * pooled_penalty
    if _is_used(gen_weight):
        gen_loss += gen_weight * gan_losses.acgan_generator_loss(
            model, add_summaries=add_summaries
        )
    if _is_used(dis_weight):
        dis_loss += dis_weight * gan_losses.acgan_discriminator_loss(
            pooled, add_summaries=add_summaries
        )
    regularizations = [
        tf.losses.get_regularization_loss(scope.name) if scope else 0
        for scope in (model.generator_scope, model.discriminator_scope)
    ]
    return namedtuples.GANLoss(gen_loss + regularizations[0], dis_loss + regularizations[1])


def cyclegan_loss(
    model,
    generator_loss_fn=gan_losses.least_squares_generator_loss,
    discriminator_loss_fn=gan_losses.least_squares_discriminator_loss,
    cycle_consistency_loss_fn=gan_losses.cycle_consistency_loss,
    cycle_consistency_loss_weight=10.0,
    **kwargs,
):
    """The losses of both models of a CycleGANModel; kwargs are those of gan_loss().

    Errors: ValueError. Source: tf.contrib.gan.cyclegan_loss.
    """
    if not isinstance(model, namedtuples.CycleGANModel):
        raise ValueError(f"`model` must be a `CycleGANModel`. Instead, was {type(model)}.")
    consistency = cycle_consistency_loss_fn(
        model, add_summaries=kwargs.get("add_summaries", True)
    )
    weight = _checked_weight(cycle_consistency_loss_weight, "cycle_consistency_loss_weight")
    added = weight * consistency

    def partial_loss(partial_model):
        loss = gan_loss(
            partial_model,
            generator_loss_fn=generator_loss_fn,
            discriminator_loss_fn=discriminator_loss_fn,
            **kwargs,
        )
        return loss._replace(generator_loss=loss.generator_loss + added)

    with tf.name_scope("cyclegan_loss_x2y"):
        loss_x2y = partial_loss(model.model_x2y)
    with tf.name_scope("cyclegan_loss_y2x"):
        loss_y2x = partial_loss(model.model_y2x)
    return namedtuples.CycleGANLoss(loss_x2y, loss_y2x)


def stargan_loss(
    model,
    generator_loss_fn=gan_losses.stargan_generator_loss_wrapper(
        gan_losses.wargs.wasserstein_generator_loss
    ),
    discriminator_loss_fn=gan_losses.stargan_discriminator_loss_wrapper(
        gan_losses.wargs.wasserstein_discriminator_loss
    ),
    gradient_penalty_weight=10.0,
    gradient_penalty_epsilon=1e-10,
    gradient_penalty_target=1.0,
    gradient_penalty_one_sided=False,
    reconstruction_loss_fn=tf.losses.absolute_difference,
    reconstruction_loss_weight=10.0,
    classification_loss_fn=tf.losses.softmax_cross_entropy,
    classification_loss_weight=1.0,
    classification_one_hot=True,
    add_summaries=True,
):
    """The losses of a StarGANModel. Errors: ValueError. Source: tf.contrib.gan.stargan_loss."""

    def classification(labels, logits, name):
        with tf.name_scope(name, values=(labels, logits)):
            loss = classification_loss_fn(onehot_labels=labels, logits=logits)
            if not classification_one_hot:
                loss = tf.reduce_sum(loss, axis=1)
            loss = tf.reduce_mean(loss)
            if add_summaries:
                tf.summary.scalar(name, loss)
            return loss

    model.input_data_domain_label.shape.assert_has_rank(2)
    model.input_data_domain_label.shape[1:].assert_is_fully_defined()
    gen_loss = generator_loss_fn(model, add_summaries=add_summaries)
    dis_loss = discriminator_loss_fn(model, add_summaries=add_summaries)
    if _is_used(gradient_penalty_weight):
        penalize = gan_losses.stargan_gradient_penalty_wrapper(
            gan_losses.wargs.wasserstein_gradient_penalty
        )
        penalty = penalize(
            model,
            epsilon=gradient_penalty_epsilon,
            target=gradient_penalty_target,
            one_sided=gradient_penalty_one_sided,
            add_summaries=add_summaries,
        )
        dis_loss += penalty * gradient_penalty_weight
    reconstruction = reconstruction_loss_fn(model.input_data, model.reconstructed_data)
    gen_loss += reconstruction * reconstruction_loss_weight
    if add_summaries:
        tf.summary.scalar("reconstruction_loss", reconstruction)
    gen_loss += classification(
        model.generated_data_domain_target,
        model.discriminator_generated_data_domain_predication,
        "generator_classification_loss",
    ) * classification_loss_weight
    dis_loss += classification(
        model.input_data_domain_label,
        model.discriminator_input_data_domain_predication,
        "discriminator_classification_loss",
    ) * classification_loss_weight
    return namedtuples.GANLoss(gen_loss, dis_loss)
