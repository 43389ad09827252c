"""Summaries of models: images, variables, losses of regularizers."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.gan import namedtuples
from kiln.compat.v1.contrib.gan.eval import eval_utils

__all__ = [
    "add_cyclegan_image_summaries",
    "add_gan_model_image_summaries",
    "add_gan_model_summaries",
    "add_image_comparison_summaries",
    "add_regularization_loss_summaries",
    "add_stargan_image_summaries",
]


def _check_images(*batches):
    for data in batches:
        data.shape.assert_has_rank(4)
        data.shape[1:].assert_is_fully_defined()


def add_gan_model_image_summaries(gan_model, grid_size=4, model_summaries=True):
    """Adds grids of real and generated images. model_summaries: of the variables, too.

    Errors: ValueError. Source: tf.contrib.gan.eval.add_gan_model_image_summaries.
    """
    if isinstance(gan_model, namedtuples.CycleGANModel):
        raise ValueError(
            "`add_gan_model_image_summaries` does not take CycleGANModels. Please use "
            "`add_cyclegan_image_summaries` instead."
        )
    _check_images(gan_model.real_data, gan_model.generated_data)
    for name in ("real_data", "generated_data"):
        data = getattr(gan_model, name)
        shape = data.shape.as_list()
        grid = eval_utils.image_grid(
            data[: grid_size**2],
            grid_shape=(grid_size, grid_size),
            image_shape=shape[1:3],
            num_channels=shape[3],
        )
        tf.summary.image(name, grid, max_outputs=1)
    if model_summaries:
        add_gan_model_summaries(gan_model)


def add_cyclegan_image_summaries(cyclegan_model):
    """Adds images: what is given, what is made of it, what comes back. Errors: ValueError.

    Source: tf.contrib.gan.eval.add_cyclegan_image_summaries.
    """
    if not isinstance(cyclegan_model, namedtuples.CycleGANModel):
        raise ValueError(
            f"`cyclegan_model` was not a CycleGANModel. Instead, was {type(cyclegan_model)}"
        )
    sides = (
        ("x2y", cyclegan_model.model_x2y, cyclegan_model.reconstructed_x),
        ("y2x", cyclegan_model.model_y2x, cyclegan_model.reconstructed_y),
    )
    for _, model, back in sides:
        _check_images(model.generator_inputs, model.generated_data, back)
    for name, model, back in sides:
        with tf.name_scope(f"{name}_image_comparison_summaries"):
            images = [
                image
                for data in (model.generator_inputs, model.generated_data, back)
                for image in tf.unstack(data[:1])
            ]
            row = eval_utils.image_reshaper(images, num_cols=len(images))
            tf.summary.image("image_comparison", row, max_outputs=1)


def add_image_comparison_summaries(gan_model, num_comparisons=2, display_diffs=False):
    """Adds images: what is given, what is made of it, what is real, and the differences.

    Source: tf.contrib.gan.eval.add_image_comparison_summaries.
    """
    given, generated = gan_model.generator_inputs, gan_model.generated_data
    real = gan_model.real_data
    _check_images(given, generated, real)
    generated.shape.assert_is_compatible_with(given.shape)
    real.shape.assert_is_compatible_with(generated.shape)
    images = []
    for data in (given, generated, real):
        images.extend(tf.unstack(data[:num_comparisons]))
    if display_diffs:
        pairs = zip(tf.unstack(generated[:num_comparisons]), tf.unstack(real[:num_comparisons]))
        images.extend(
            [tf.abs(tf.cast(one, tf.float32) - tf.cast(other, tf.float32)) for one, other in pairs]
        )
    tf.summary.image(
        "image_comparison",
        eval_utils.image_reshaper(images, num_cols=num_comparisons),
        max_outputs=1,
    )


def add_stargan_image_summaries(stargan_model, num_images=2, display_diffs=False):
    """Adds images, each in all domains. Source: tf.contrib.gan.eval.add_stargan_image_summaries."""
    _check_images(stargan_model.input_data)
    labels = stargan_model.input_data_domain_label
    labels.shape.assert_has_rank(2)
    labels.shape[1:].assert_is_fully_defined()
    domains = labels.get_shape().as_list()[-1]

    def parts(images):
        return [tf.squeeze(each, axis=0) for each in tf.split(images, domains)]

    def row(image):
        images = tf.tile(tf.expand_dims(image, axis=0), [domains, 1, 1, 1])
        targets = tf.one_hot(list(range(domains)), domains)
        with tf.variable_scope(stargan_model.generator_scope, reuse=True):
            generated = stargan_model.generator_fn(images, targets)
            shown = [image, *parts(generated)]
            if display_diffs:
                shown += [tf.zeros_like(image), *parts(generated - images)]
            made = eval_utils.image_reshaper(shown, num_cols=domains + 1)
        return tf.squeeze(made, axis=0)

    rows = tf.map_fn(
        row,
        stargan_model.input_data[:num_images],
        parallel_iterations=num_images,
        back_prop=False,
        swap_memory=True,
    )
    tf.summary.image("stargan_image_generation", rows, max_outputs=num_images)


def add_gan_model_summaries(gan_model):
    """Adds histograms of the variables. Source: tf.contrib.gan.eval.add_gan_model_summaries."""
    if isinstance(gan_model, namedtuples.CycleGANModel):
        for name in ("x2y", "y2x"):
            with tf.name_scope(f"cyclegan_{name}_summaries"):
                add_gan_model_summaries(getattr(gan_model, f"model_{name}"))
        return
    for part in ("generator", "discriminator"):
        with tf.name_scope(f"{part}_variables"):
            for variable in getattr(gan_model, f"{part}_variables"):
                tf.summary.histogram(variable.name, variable)


def add_regularization_loss_summaries(gan_model):
    """Adds the losses of the regularizers.

    Source: tf.contrib.gan.eval.add_regularization_loss_summaries.
    """
    if isinstance(gan_model, namedtuples.CycleGANModel):
        for name in ("x2y", "y2x"):
            with tf.name_scope(f"cyclegan_{name}_regularization_loss_summaries"):
                add_regularization_loss_summaries(getattr(gan_model, f"model_{name}"))
        return
    for part in ("generator", "discriminator"):
        scope = getattr(gan_model, f"{part}_scope")
        if scope:
            tf.summary.scalar(
                f"{part}_regularization_loss", tf.losses.get_regularization_loss(scope.name)
            )
