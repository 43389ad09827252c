"""Losses of models: those of tensors, which are taken from the fields of a model's tuple."""

import functools
import inspect

from kiln.compat.v1.contrib.gan import namedtuples
from kiln.compat.v1.contrib.gan.losses import wargs


def _of_model(loss_fn):
    """A function of a model, and of the other arguments by name. Errors: ValueError."""
    parameters = inspect.signature(loss_fn).parameters
    name = loss_fn.__name__

    @functools.wraps(loss_fn)
    def new_loss_fn(gan_model, **kwargs):
        fields = set(gan_model._fields)
        for each, parameter in parameters.items():
            needed = parameter.default is parameter.empty
            if needed and each not in fields and each not in kwargs:
                raise ValueError(f"`{each}` must be supplied to {name} loss function.")
        both = fields.intersection(kwargs)
        if both:
            raise ValueError(
                f"The following args are present in both the tuple and keyword args for {name}: "
                f"{both}"
            )
        given = {each: getattr(gan_model, each) for each in parameters if each in fields}
        given.update(kwargs)
        # What is None has its default, if it has one.
        return loss_fn(
            **{
                each: value
                for each, value in given.items()
                if value is not None or parameters[each].default is parameters[each].empty
            }
        )

    del new_loss_fn.__wrapped__  # its arguments are others
    new_loss_fn.__doc__ = f"As wargs.{name}(), of a model's tensors. Source: tf.contrib.gan.losses.{name}."
    return new_loss_fn


wasserstein_generator_loss = _of_model(wargs.wasserstein_generator_loss)
wasserstein_discriminator_loss = _of_model(wargs.wasserstein_discriminator_loss)
wasserstein_gradient_penalty = _of_model(wargs.wasserstein_gradient_penalty)
acgan_discriminator_loss = _of_model(wargs.acgan_discriminator_loss)
acgan_generator_loss = _of_model(wargs.acgan_generator_loss)
minimax_discriminator_loss = _of_model(wargs.minimax_discriminator_loss)
minimax_generator_loss = _of_model(wargs.minimax_generator_loss)
modified_discriminator_loss = _of_model(wargs.modified_discriminator_loss)
modified_generator_loss = _of_model(wargs.modified_generator_loss)
least_squares_generator_loss = _of_model(wargs.least_squares_generator_loss)
least_squares_discriminator_loss = _of_model(wargs.least_squares_discriminator_loss)
mutual_information_penalty = _of_model(wargs.mutual_information_penalty)


def combine_adversarial_loss(
    gan_loss,
    gan_model,
    non_adversarial_loss,
    weight_factor=None,
    gradient_ratio=None,
    gradient_ratio_epsilon=1e-6,
    scalar_summaries=True,
    gradient_summaries=True,
):
    """The losses, with another loss in the generator's. Source:
    tf.contrib.gan.losses.combine_adversarial_loss.
    """
    combined = wargs.combine_adversarial_loss(
        non_adversarial_loss,
        gan_loss.generator_loss,
        weight_factor,
        gradient_ratio,
        gradient_ratio_epsilon,
        gan_model.generator_variables,
        scalar_summaries,
        gradient_summaries,
    )
    return gan_loss._replace(generator_loss=combined)


def cycle_consistency_loss(cyclegan_model, scope=None, add_summaries=False):
    """How far data is from what comes back. Errors: ValueError for another model.

    Source: tf.contrib.gan.losses.cycle_consistency_loss.
    """
    if not isinstance(cyclegan_model, namedtuples.CycleGANModel):
        raise ValueError(
            f"`cyclegan_model` must be a `CycleGANModel`. Instead, was {type(cyclegan_model)}."
        )
    return wargs.cycle_consistency_loss(
        cyclegan_model.model_x2y.generator_inputs,
        cyclegan_model.reconstructed_x,
        cyclegan_model.model_y2x.generator_inputs,
        cyclegan_model.reconstructed_y,
        scope,
        add_summaries,
    )


def stargan_generator_loss_wrapper(loss_fn):
    """A loss of a StarGANModel, of one of what a generator made.

    Source: tf.contrib.gan.losses.stargan_generator_loss_wrapper.
    """

    def new_loss_fn(stargan_model, **kwargs):
        return loss_fn(stargan_model.discriminator_generated_data_source_predication, **kwargs)

    return new_loss_fn


def stargan_discriminator_loss_wrapper(loss_fn):
    """A loss of a StarGANModel, of one of a discriminator's two outputs.

    Source: tf.contrib.gan.losses.stargan_discriminator_loss_wrapper.
    """

    def new_loss_fn(stargan_model, **kwargs):
        return loss_fn(
            stargan_model.discriminator_input_data_source_predication,
            stargan_model.discriminator_generated_data_source_predication,
            **kwargs,
        )

    return new_loss_fn


def stargan_gradient_penalty_wrapper(loss_fn):
    """A penalty of a StarGANModel, of one of data and a discriminator.

    Source: tf.contrib.gan.losses.stargan_gradient_penalty_wrapper.
    """

    def new_loss_fn(stargan_model, **kwargs):
        return loss_fn(
            real_data=stargan_model.input_data,
            generated_data=stargan_model.generated_data,
            generator_inputs=stargan_model.input_data_domain_label.shape.as_list()[-1],
            discriminator_fn=stargan_model.discriminator_fn,
            discriminator_scope=stargan_model.discriminator_scope,
            **kwargs,
        )

    return new_loss_fn
