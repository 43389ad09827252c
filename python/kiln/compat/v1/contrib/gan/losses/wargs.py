"""Losses of generators and discriminators, of tensors.

weights: of the examples. scope: of the names. loss_collection, reduction: as tf.losses has them.
add_summaries: whether there are summaries of the loss.
"""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.gan.losses._adversarial import (
    combine_adversarial_loss,
    cycle_consistency_loss,
    mutual_information_penalty,
    wasserstein_gradient_penalty,
)

__all__ = [
    "acgan_discriminator_loss",
    "acgan_generator_loss",
    "combine_adversarial_loss",
    "cycle_consistency_loss",
    "least_squares_discriminator_loss",
    "least_squares_generator_loss",
    "minimax_discriminator_loss",
    "minimax_generator_loss",
    "modified_discriminator_loss",
    "modified_generator_loss",
    "mutual_information_penalty",
    "wasserstein_discriminator_loss",
    "wasserstein_generator_loss",
    "wasserstein_gradient_penalty",
]

_BY_NONZERO = tf.losses.Reduction.SUM_BY_NONZERO_WEIGHTS
_LOSSES = tf.GraphKeys.LOSSES


def _float(tensor):
    return tf.cast(tensor, tf.float32)


def _summaries(add_summaries, **losses):
    if add_summaries:
        for name, loss in losses.items():
            tf.summary.scalar(name, loss)


def _add_discriminator_loss(name, loss, on_real, on_generated, collection, add_summaries):
    """Puts a loss of two parts into its collection; name: a word of the summaries' names."""
    tf.losses.add_loss(loss, collection)
    parts = {f"discriminator_gen_{name}_loss": on_generated, f"discriminator_real_{name}_loss": on_real}
    _summaries(add_summaries, **parts, **{f"discriminator_{name}_loss": loss})
    return loss


def wasserstein_generator_loss(
    discriminator_gen_outputs,
    weights=1.0,
    scope=None,
    loss_collection=_LOSSES,
    reduction=_BY_NONZERO,
    add_summaries=False,
):
    """The negative of what the discriminator says of generated data.

    Source: tf.contrib.gan.losses.wargs.wasserstein_generator_loss.
    """
    values = (discriminator_gen_outputs, weights)
    with tf.name_scope(scope, "generator_wasserstein_loss", values) as scope:
        loss = -_float(discriminator_gen_outputs)
        loss = tf.losses.compute_weighted_loss(loss, weights, scope, loss_collection, reduction)
        _summaries(add_summaries, generator_wass_loss=loss)
    return loss


def wasserstein_discriminator_loss(
    discriminator_real_outputs,
    discriminator_gen_outputs,
    real_weights=1.0,
    generated_weights=1.0,
    scope=None,
    loss_collection=_LOSSES,
    reduction=_BY_NONZERO,
    add_summaries=False,
):
    """What the discriminator says of generated data, minus what it says of real data.

    Source: tf.contrib.gan.losses.wargs.wasserstein_discriminator_loss.
    """
    values = (
        discriminator_real_outputs, discriminator_gen_outputs, real_weights, generated_weights,
    )  # fmt: skip
    with tf.name_scope(scope, "discriminator_wasserstein_loss", values) as scope:
        real, generated = _float(discriminator_real_outputs), _float(discriminator_gen_outputs)
        real.shape.assert_is_compatible_with(generated.shape)
        options = dict(scope=scope, loss_collection=None, reduction=reduction)
        on_generated = tf.losses.compute_weighted_loss(generated, generated_weights, **options)
        on_real = tf.losses.compute_weighted_loss(real, real_weights, **options)
        loss = on_generated - on_real
        return _add_discriminator_loss(
            "wass", loss, on_real, on_generated, loss_collection, add_summaries
        )


def acgan_discriminator_loss(
    discriminator_real_classification_logits,
    discriminator_gen_classification_logits,
    one_hot_labels,
    label_smoothing=0.0,
    real_weights=1.0,
    generated_weights=1.0,
    scope=None,
    loss_collection=_LOSSES,
    reduction=_BY_NONZERO,
    add_summaries=False,
):
    """The cross entropy of the classes of real and generated data.

    Source: tf.contrib.gan.losses.wargs.acgan_discriminator_loss.
    """
    values = (
        discriminator_real_classification_logits, discriminator_gen_classification_logits,
        one_hot_labels,
    )  # fmt: skip
    with tf.name_scope(scope, "acgan_discriminator_loss", values) as scope:
        options = dict(scope=scope, loss_collection=None, reduction=reduction)
        on_generated = tf.losses.softmax_cross_entropy(
            one_hot_labels, discriminator_gen_classification_logits, generated_weights, **options
        )
        on_real = tf.losses.softmax_cross_entropy(
            one_hot_labels,
            discriminator_real_classification_logits,
            real_weights,
            label_smoothing,
            **options,
        )
        loss = on_generated + on_real
        return _add_discriminator_loss(
            "ac", loss, on_real, on_generated, loss_collection, add_summaries
        )


def acgan_generator_loss(
    discriminator_gen_classification_logits,
    one_hot_labels,
    weights=1.0,
    scope=None,
    loss_collection=_LOSSES,
    reduction=_BY_NONZERO,
    add_summaries=False,
):
    """The cross entropy of the classes of generated data.

    Source: tf.contrib.gan.losses.wargs.acgan_generator_loss.
    """
    values = (discriminator_gen_classification_logits, one_hot_labels)
    with tf.name_scope(scope, "acgan_generator_loss", values) as scope:
        loss = tf.losses.softmax_cross_entropy(
            one_hot_labels,
            discriminator_gen_classification_logits,
            weights=weights,
            scope=scope,
            loss_collection=loss_collection,
            reduction=reduction,
        )
        _summaries(add_summaries, generator_ac_loss=loss)
    return loss


def minimax_discriminator_loss(
    discriminator_real_outputs,
    discriminator_gen_outputs,
    label_smoothing=0.25,
    real_weights=1.0,
    generated_weights=1.0,
    scope=None,
    loss_collection=_LOSSES,
    reduction=_BY_NONZERO,
    add_summaries=False,
):
    """The cross entropy of the logits: real data is one, generated data zero.

    Source: tf.contrib.gan.losses.wargs.minimax_discriminator_loss.
    """
    values = (
        discriminator_real_outputs, discriminator_gen_outputs, real_weights, generated_weights,
        label_smoothing,
    )  # fmt: skip
    with tf.name_scope(scope, "discriminator_minimax_loss", values) as scope:
        options = dict(scope=scope, loss_collection=None, reduction=reduction)
        on_real = tf.losses.sigmoid_cross_entropy(
            tf.ones_like(discriminator_real_outputs),
            discriminator_real_outputs,
            real_weights,
            label_smoothing,
            **options,
        )
        on_generated = tf.losses.sigmoid_cross_entropy(
            tf.zeros_like(discriminator_gen_outputs),
            discriminator_gen_outputs,
            generated_weights,
            **options,
        )
        loss = on_real + on_generated
        return _add_discriminator_loss(
            "minimax", loss, on_real, on_generated, loss_collection, add_summaries
        )


def minimax_generator_loss(
    discriminator_gen_outputs,
    label_smoothing=0.0,
    weights=1.0,
    scope=None,
    loss_collection=_LOSSES,
    reduction=_BY_NONZERO,
    add_summaries=False,
):
    """The negative of the discriminator's loss.

    Source: tf.contrib.gan.losses.wargs.minimax_generator_loss.
    """
    with tf.name_scope(scope, "generator_minimax_loss") as scope:
        loss = -minimax_discriminator_loss(
            tf.ones_like(discriminator_gen_outputs),
            discriminator_gen_outputs,
            label_smoothing,
            weights,
            weights,
            scope,
            loss_collection,
            reduction,
            add_summaries=False,
        )
    _summaries(add_summaries, generator_minimax_loss=loss)
    return loss


def modified_discriminator_loss(
    discriminator_real_outputs,
    discriminator_gen_outputs,
    label_smoothing=0.25,
    real_weights=1.0,
    generated_weights=1.0,
    scope=None,
    loss_collection=_LOSSES,
    reduction=_BY_NONZERO,
    add_summaries=False,
):
    """As minimax_discriminator_loss(). Source: tf.contrib.gan.losses.wargs.modified_discriminator_loss."""
    return minimax_discriminator_loss(
        discriminator_real_outputs,
        discriminator_gen_outputs,
        label_smoothing,
        real_weights,
        generated_weights,
        scope or "discriminator_modified_loss",
        loss_collection,
        reduction,
        add_summaries,
    )


def modified_generator_loss(
    discriminator_gen_outputs,
    label_smoothing=0.0,
    weights=1.0,
    scope=None,
    loss_collection=_LOSSES,
    reduction=_BY_NONZERO,
    add_summaries=False,
):
    """The cross entropy of the logits of generated data and one.

    Source: tf.contrib.gan.losses.wargs.modified_generator_loss.
    """
    with tf.name_scope(scope, "generator_modified_loss", [discriminator_gen_outputs]) as scope:
        loss = tf.losses.sigmoid_cross_entropy(
            tf.ones_like(discriminator_gen_outputs),
            discriminator_gen_outputs,
            weights,
            label_smoothing,
            scope,
            loss_collection,
            reduction,
        )
        _summaries(add_summaries, generator_modified_loss=loss)
    return loss


def least_squares_generator_loss(
    discriminator_gen_outputs,
    real_label=1,
    weights=1.0,
    scope=None,
    loss_collection=_LOSSES,
    reduction=_BY_NONZERO,
    add_summaries=False,
):
    """Half the square of the distance of generated data from real_label.

    Source: tf.contrib.gan.losses.wargs.least_squares_generator_loss.
    """
    values = (discriminator_gen_outputs, real_label)
    with tf.name_scope(scope, "lsq_generator_loss", values) as scope:
        loss = tf.squared_difference(_float(discriminator_gen_outputs), real_label) / 2.0
        loss = tf.losses.compute_weighted_loss(loss, weights, scope, loss_collection, reduction)
    _summaries(add_summaries, generator_lsq_loss=loss)
    return loss


def least_squares_discriminator_loss(
    discriminator_real_outputs,
    discriminator_gen_outputs,
    real_label=1,
    fake_label=0,
    real_weights=1.0,
    generated_weights=1.0,
    scope=None,
    loss_collection=_LOSSES,
    reduction=_BY_NONZERO,
    add_summaries=False,
):
    """Half the squares of the distances from the labels.

    Source: tf.contrib.gan.losses.wargs.least_squares_discriminator_loss.
    """
    values = (discriminator_gen_outputs, real_label)
    with tf.name_scope(scope, "lsq_discriminator_loss", values) as scope:
        real, generated = _float(discriminator_real_outputs), _float(discriminator_gen_outputs)
        real.shape.assert_is_compatible_with(generated.shape)
        of_real = tf.squared_difference(real, real_label) / 2.0
        of_generated = tf.squared_difference(generated, fake_label) / 2.0
        options = dict(scope=scope, loss_collection=None, reduction=reduction)
        on_real = tf.losses.compute_weighted_loss(of_real, real_weights, **options)
        on_generated = tf.losses.compute_weighted_loss(of_generated, generated_weights, **options)
        loss = on_real + on_generated
    return _add_discriminator_loss(
        "lsq", loss, on_real, on_generated, loss_collection, add_summaries
    )
