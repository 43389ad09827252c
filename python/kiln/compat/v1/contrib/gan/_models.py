"""Models of tf.contrib.gan: a generator, and a discriminator of what it makes and of real data."""

import contextlib

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.framework import get_trainable_variables
from kiln.compat.v1.contrib.gan import namedtuples


def _tensors(values):
    """Tensors of a value, of those of a list, or of those of a dict."""
    if isinstance(values, (list, tuple)):
        return [tf.convert_to_tensor(each) for each in values]
    if isinstance(values, dict):
        return {key: tf.convert_to_tensor(each) for key, each in values.items()}
    return tf.convert_to_tensor(values)


def _check_shapes(generated, real):
    if not generated.shape.is_compatible_with(real.shape):
        raise ValueError(
            f"Generator output shape ({generated.shape}) must be the same shape as real data "
            f"({real.shape})."
        )


def _model(functions, scopes, inputs, real_data, check_shapes, logits_of=None, is_named=False):
    """A GANModel, and the outputs of the discriminator for generated and for real data.

    functions, scopes: of the generator and the discriminator. inputs, real_data: functions that give
    tensors. logits_of: what of the discriminator's outputs are the logits. is_named: whether the two
    calls of the discriminator have scopes of names.
    """
    generator_fn, discriminator_fn = functions

    def discriminate(data, part):
        named = tf.name_scope(f"{dis_scope.name}/{part}/") if is_named else contextlib.nullcontext()
        with named:
            data = data()
            return data, discriminator_fn(data, given)

    with tf.variable_scope(scopes[0]) as gen_scope:
        given = inputs()
        generated = generator_fn(given)
    with tf.variable_scope(scopes[1]) as dis_scope:
        _, of_generated = discriminate(lambda: generated, "generated")
    with tf.variable_scope(dis_scope, reuse=True):
        real, of_real = discriminate(real_data, "real")
    if check_shapes:
        _check_shapes(generated, real)
    outputs = of_real, of_generated
    logits = outputs if logits_of is None else map(logits_of, outputs)
    model = namedtuples.GANModel(
        given, generated, get_trainable_variables(gen_scope), gen_scope, generator_fn,
        real, *logits, get_trainable_variables(dis_scope), dis_scope, discriminator_fn,
    )  # fmt: skip
    return model, *outputs


def gan_model(
    generator_fn,
    discriminator_fn,
    real_data,
    generator_inputs,
    generator_scope="Generator",
    discriminator_scope="Discriminator",
    check_shapes=True,
):
    """A model of two functions: generator_fn(inputs) gives data; discriminator_fn(data, inputs) logits.

    check_shapes: whether generated data must have the shape of real data. Errors: ValueError.
    Source: tf.contrib.gan.gan_model.
    """
    model, _, _ = _model(
        (generator_fn, discriminator_fn),
        (generator_scope, discriminator_scope),
        lambda: _tensors(generator_inputs),
        lambda: _tensors(real_data),
        check_shapes,
    )
    return model


def infogan_model(
    generator_fn,
    discriminator_fn,
    real_data,
    unstructured_generator_inputs,
    structured_generator_inputs,
    generator_scope="Generator",
    discriminator_scope="Discriminator",
):
    """A model whose discriminator_fn gives logits and distributions of the structured inputs.

    The two inputs are lists of tensors. Errors: ValueError. Source: tf.contrib.gan.infogan_model.
    """
    model, _, (_, distributions) = _model(
        (generator_fn, discriminator_fn),
        (generator_scope, discriminator_scope),
        lambda: _tensors(unstructured_generator_inputs) + _tensors(structured_generator_inputs),
        lambda: tf.convert_to_tensor(real_data),
        check_shapes=True,
        logits_of=lambda outputs: outputs[0],
    )
    structured = model.generator_inputs[len(unstructured_generator_inputs) :]
    _check_distributions(distributions, structured)
    model = model._replace(discriminator_fn=lambda x, y: discriminator_fn(x, y)[0])
    return namedtuples.InfoGANModel(*model, structured, distributions, discriminator_fn)


def _check_distributions(distributions, noise):
    if not isinstance(distributions, (tuple, list)):
        raise ValueError(
            f"`predicted_distributions` must be a list. Instead, found {type(distributions)}."
        )
    if len(distributions) != len(noise):
        raise ValueError(
            f"Length of `predicted_distributions` {len(distributions)} must be the same as the "
            f"length of structured noise {len(noise)}."
        )


def _pair(outputs):
    """The two outputs of a discriminator that classifies. Errors: TypeError."""
    try:
        logits, classes = outputs
    except (TypeError, ValueError):
        raise TypeError(
            "A discriminator function for ACGAN must output a tuple consisting of "
            "(discrimination logits, classification logits)."
        ) from None
    return logits, classes


def acgan_model(
    generator_fn,
    discriminator_fn,
    real_data,
    generator_inputs,
    one_hot_labels,
    generator_scope="Generator",
    discriminator_scope="Discriminator",
    check_shapes=True,
):
    """A model whose discriminator_fn gives logits of being real and logits of classes.

    Errors: ValueError, TypeError. Source: tf.contrib.gan.acgan_model.
    """
    model, of_real, of_generated = _model(
        (generator_fn, discriminator_fn),
        (generator_scope, discriminator_scope),
        lambda: _tensors(generator_inputs),
        lambda: tf.convert_to_tensor(real_data),
        check_shapes,
        logits_of=lambda outputs: _pair(outputs)[0],
        is_named=True,
    )
    return namedtuples.ACGANModel(*model, one_hot_labels, of_real[1], of_generated[1])


def cyclegan_model(
    generator_fn,
    discriminator_fn,
    data_x,
    data_y,
    generator_scope="Generator",
    discriminator_scope="Discriminator",
    model_x2y_scope="ModelX2Y",
    model_y2x_scope="ModelY2X",
    check_shapes=True,
):
    """Two models, from x to y and from y to x. Errors: ValueError.

    Source: tf.contrib.gan.cyclegan_model.
    """

    def partial_model(given, wanted):
        return gan_model(
            generator_fn=generator_fn,
            discriminator_fn=discriminator_fn,
            real_data=wanted,
            generator_inputs=given,
            generator_scope=generator_scope,
            discriminator_scope=discriminator_scope,
            check_shapes=check_shapes,
        )

    with tf.variable_scope(model_x2y_scope):
        x2y = partial_model(data_x, data_y)
    with tf.variable_scope(model_y2x_scope):
        y2x = partial_model(data_y, data_x)
    with tf.variable_scope(y2x.generator_scope, reuse=True):
        reconstructed_x = y2x.generator_fn(x2y.generated_data)
    with tf.variable_scope(x2y.generator_scope, reuse=True):
        reconstructed_y = x2y.generator_fn(y2x.generated_data)
    return namedtuples.CycleGANModel(x2y, y2x, reconstructed_x, reconstructed_y)


def _joined(values):
    values = _tensors(values)
    return tf.concat(values, 0) if isinstance(values, list) else values


def stargan_model(
    generator_fn,
    discriminator_fn,
    input_data,
    input_data_domain_label,
    generator_scope="Generator",
    discriminator_scope="Discriminator",
):
    """A model of several domains: generator_fn(data, domains), discriminator_fn(data, number of domains).

    input_data_domain_label: one-hot rows. discriminator_fn gives logits of being real and of the
    domain. Errors: ValueError. Source: tf.contrib.gan.stargan_model.
    """
    input_data, labels = _joined(input_data), _joined(input_data_domain_label)
    labels.shape.assert_has_rank(2)
    labels.shape.assert_is_fully_defined()
    batch_size, num_domains = labels.shape.as_list()
    with tf.variable_scope(generator_scope) as gen_scope:
        domains = tf.random_uniform([batch_size], minval=0, maxval=num_domains, dtype=tf.int32)
        target = tf.one_hot(domains, num_domains)
        generated = generator_fn(input_data, target)
    with tf.variable_scope(gen_scope, reuse=True):
        reconstructed = generator_fn(generated, labels)
    with tf.variable_scope(discriminator_scope) as dis_scope:
        generated_source, generated_domain = discriminator_fn(generated, num_domains)
    with tf.variable_scope(dis_scope, reuse=True):
        input_source, input_domain = discriminator_fn(input_data, num_domains)
    return namedtuples.StarGANModel(
        input_data=input_data,
        input_data_domain_label=labels,
        generated_data=generated,
        generated_data_domain_target=target,
        reconstructed_data=reconstructed,
        discriminator_input_data_source_predication=input_source,
        discriminator_generated_data_source_predication=generated_source,
        discriminator_input_data_domain_predication=input_domain,
        discriminator_generated_data_domain_predication=generated_domain,
        generator_variables=get_trainable_variables(gen_scope),
        generator_scope=gen_scope,
        generator_fn=generator_fn,
        discriminator_variables=get_trainable_variables(dis_scope),
        discriminator_scope=dis_scope,
        discriminator_fn=discriminator_fn,
    )
