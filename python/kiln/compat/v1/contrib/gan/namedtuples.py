"""tf.contrib.gan's tuples: models, losses, operations that train."""

import collections

__all__ = [
    "ACGANModel",
    "CycleGANLoss",
    "CycleGANModel",
    "GANLoss",
    "GANModel",
    "GANTrainOps",
    "GANTrainSteps",
    "InfoGANModel",
    "StarGANModel",
]

_FIELDS = (
    "generator_inputs",
    "generated_data",
    "generator_variables",
    "generator_scope",
    "generator_fn",
    "real_data",
    "discriminator_real_outputs",
    "discriminator_gen_outputs",
    "discriminator_variables",
    "discriminator_scope",
    "discriminator_fn",
)


class GANModel(collections.namedtuple("GANModel", _FIELDS)):
    """A generator and a discriminator: what they take and give, their functions, scopes and variables.

    Source: tf.contrib.gan.GANModel.
    """


class InfoGANModel(
    collections.namedtuple(
        "InfoGANModel",
        (
            *_FIELDS,
            "structured_generator_inputs",
            "predicted_distributions",
            "discriminator_and_aux_fn",
        ),
    )
):
    """A model whose discriminator also predicts distributions of a part of the generator's inputs.

    Source: tf.contrib.gan.InfoGANModel.
    """


class ACGANModel(
    collections.namedtuple(
        "ACGANModel",
        (
            *_FIELDS,
            "one_hot_labels",
            "discriminator_real_classification_logits",
            "discriminator_gen_classification_logits",
        ),
    )
):
    """A model whose discriminator also classifies. Source: tf.contrib.gan.ACGANModel."""


class CycleGANModel(
    collections.namedtuple(
        "CycleGANModel", ("model_x2y", "model_y2x", "reconstructed_x", "reconstructed_y")
    )
):
    """Two models, from one set of data to another and back. Source: tf.contrib.gan.CycleGANModel."""


class StarGANModel(
    collections.namedtuple(
        "StarGANModel",
        (
            "input_data",
            "input_data_domain_label",
            "generated_data",
            "generated_data_domain_target",
            "reconstructed_data",
            "discriminator_input_data_source_predication",
            "discriminator_generated_data_source_predication",
            "discriminator_input_data_domain_predication",
            "discriminator_generated_data_domain_predication",
            "generator_variables",
            "generator_scope",
            "generator_fn",
            "discriminator_variables",
            "discriminator_scope",
            "discriminator_fn",
        ),
    )
):
    """A model that brings data of several domains to others. Source: tf.contrib.gan.StarGANModel."""


class GANLoss(collections.namedtuple("GANLoss", ("generator_loss", "discriminator_loss"))):
    """The two losses of a model. Source: tf.contrib.gan.GANLoss."""


class CycleGANLoss(collections.namedtuple("CycleGANLoss", ("loss_x2y", "loss_y2x"))):
    """The losses of the two models of a CycleGANModel. Source: tf.contrib.gan.CycleGANLoss."""


class GANTrainOps(
    collections.namedtuple(
        "GANTrainOps",
        ("generator_train_op", "discriminator_train_op", "global_step_inc_op", "train_hooks"),
    )
):
    """What trains a model. Source: tf.contrib.gan.GANTrainOps."""

    def __new__(
        cls, generator_train_op, discriminator_train_op, global_step_inc_op, train_hooks=()
    ):
        return super().__new__(
            cls, generator_train_op, discriminator_train_op, global_step_inc_op, train_hooks
        )


class GANTrainSteps(
    collections.namedtuple("GANTrainSteps", ("generator_train_steps", "discriminator_train_steps"))
):
    """How many steps each part is trained in a step of the whole. Source: tf.contrib.gan.GANTrainSteps."""
