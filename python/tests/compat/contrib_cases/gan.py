"""Cases of tf.contrib.gan."""


def _generator(tf):
    def generator(inputs):
        noise = inputs[0] if isinstance(inputs, list) else inputs
        weights = tf.get_variable("w", initializer=[[1.0, 2.0], [0.5, -1.0]])
        return tf.matmul(noise, weights)

    return generator


def _discriminator(tf):
    def discriminator(data, conditions):
        weights = tf.get_variable("w", initializer=[[0.5], [0.25]])
        return tf.matmul(data, weights)

    return discriminator


def _model(tf, contrib):
    return contrib.gan.gan_model(
        _generator(tf),
        _discriminator(tf),
        real_data=tf.constant([[1.0, 0.0], [0.5, 2.0]]),
        generator_inputs=tf.constant([[0.0, 1.0], [2.0, -1.0]]),
    )


def gan_model(tf, contrib):
    model = _model(tf, contrib)
    return [model.generated_data, model.discriminator_real_outputs, model.discriminator_gen_outputs]


def gan_model_of_other_shapes(tf, contrib):
    return contrib.gan.gan_model(
        _generator(tf), _discriminator(tf), tf.zeros([3, 2]), tf.constant([[0.0, 1.0]])
    )


def infogan_model(tf, contrib):
    def discriminator(data, conditions):
        logits = _discriminator(tf)(data, conditions)
        return logits, [contrib.distributions.Normal(logits, 1.0)]

    model = contrib.gan.infogan_model(
        _generator(tf),
        discriminator,
        tf.constant([[1.0, 0.0], [0.5, 2.0]]),
        [tf.constant([[0.0, 1.0], [2.0, -1.0]])],
        [tf.constant([[1.0], [2.0]])],
    )
    return list(contrib.gan.gan_loss(model, mutual_information_penalty_weight=0.5))


def acgan_model(tf, contrib):
    def discriminator(data, conditions):
        return _discriminator(tf)(data, conditions), tf.layers.dense(
            data, 3, kernel_initializer=tf.ones_initializer(), name="classes"
        )

    model = contrib.gan.acgan_model(
        _generator(tf),
        discriminator,
        tf.constant([[1.0, 0.0], [0.5, 2.0]]),
        tf.constant([[0.0, 1.0], [2.0, -1.0]]),
        tf.one_hot([0, 2], 3),
    )
    return list(
        contrib.gan.gan_loss(model, aux_cond_generator_weight=1.0, aux_cond_discriminator_weight=2.0)
    )


def cyclegan_model(tf, contrib):
    def discriminator(data, conditions):
        return _discriminator(tf)(data, conditions)

    model = contrib.gan.cyclegan_model(
        _generator(tf), discriminator, tf.constant([[1.0, 0.0]]), tf.constant([[0.5, 2.0]])
    )
    loss = contrib.gan.cyclegan_loss(model)
    return [*loss.loss_x2y, *loss.loss_y2x]


def stargan_model(tf, contrib):
    def generator(data, domains):
        weights = tf.get_variable("w", initializer=[[1.0, 2.0], [0.5, -1.0]])
        return tf.matmul(data, weights) + domains

    def discriminator(data, num_domains):
        weights = tf.get_variable("w", initializer=[[0.5], [0.25]])
        return tf.matmul(data, weights), data[:, :num_domains]

    model = contrib.gan.stargan_model(
        generator, discriminator, tf.constant([[1.0, 0.0], [0.5, 2.0]]), tf.one_hot([0, 1], 2)
    )
    contrib.gan.stargan_loss(model)


def gan_loss(tf, contrib):
    return list(contrib.gan.gan_loss(_model(tf, contrib)))


def gan_loss_with_penalty(tf, contrib):
    contrib.gan.gan_loss(_model(tf, contrib), gradient_penalty_weight=tf.constant(2.0))


def gan_loss_of_negative_weight(tf, contrib):
    return contrib.gan.gan_loss(_model(tf, contrib), gradient_penalty_weight=-1.0)


def gan_loss_with_pool(tf, contrib):
    def pool(values):
        return contrib.gan.features.tensor_pool(values, pool_size=3)

    contrib.gan.gan_loss(_model(tf, contrib), tensor_pool_fn=pool)


def losses(tf, contrib):
    model = _model(tf, contrib)
    names = (
        "least_squares_discriminator_loss least_squares_generator_loss minimax_discriminator_loss "
        "minimax_generator_loss modified_discriminator_loss modified_generator_loss "
        "wasserstein_discriminator_loss wasserstein_generator_loss"
    )
    return [getattr(contrib.gan.losses, name)(model, add_summaries=True) for name in names.split()]


def losses_of_tensors(tf, contrib):
    real, generated = tf.constant([[1.0], [0.5]]), tf.constant([[0.25], [-2.0]])
    wargs = contrib.gan.losses.wargs
    return [
        wargs.minimax_discriminator_loss(real, generated, real_weights=[[1.0], [0.0]], scope="mine"),
        wargs.least_squares_generator_loss(generated, weights=2.0, reduction="none"),
    ]


def combined_loss(tf, contrib):
    model = _model(tf, contrib)
    loss = contrib.gan.gan_loss(model)
    other = tf.reduce_mean(tf.square(model.generated_data))
    weighted = contrib.gan.losses.combine_adversarial_loss(loss, model, other, weight_factor=0.5)
    return [
        weighted.generator_loss,
        contrib.gan.losses.combine_adversarial_loss(
            loss, model, other, gradient_ratio=2.0
        ).generator_loss,
    ]


def condition(tf, contrib):
    features = contrib.gan.features
    with tf.variable_scope("all", initializer=tf.ones_initializer()):
        features.condition_tensor_from_onehot(tf.ones([2, 3]), tf.one_hot([1, 0], 4), embedding_size=5)
        features.condition_tensor(tf.ones([2, 3, 2]), tf.ones([2, 4]))


def images(tf, contrib):
    evaluation = contrib.gan.eval
    pictures = tf.reshape(tf.range(24.0), [4, 2, 3, 1])
    return [
        evaluation.image_grid(pictures, (2, 2), (2, 3), 1),
        evaluation.image_reshaper(pictures, 3),
        evaluation.preprocess_image(pictures, 2, 2),
    ]


def grid_of_other_shape(tf, contrib):
    return contrib.gan.eval.image_grid(tf.zeros([4, 2, 3, 1]), (2, 3), (2, 3), 1)


def scores(tf, contrib):
    evaluation = contrib.gan.eval
    one = tf.constant([[1.0, 2.0], [0.5, -1.0], [3.0, 0.25]])
    other = tf.constant([[0.0, 1.5], [2.5, -1.0], [1.0, 1.0]])
    return [
        evaluation.classifier_score_from_logits(one),
        evaluation.mean_only_frechet_classifier_distance_from_activations(one, other),
        evaluation.diagonal_only_frechet_classifier_distance_from_activations(one, other),
        evaluation.frechet_classifier_distance_from_activations(one, other),
    ]


scores.values_only = True


def score_of_images(tf, contrib):
    pictures = tf.reshape(tf.range(16.0), [4, 2, 2, 1]) / 8.0

    def classify(batch):
        return tf.reshape(batch, [-1, 4])

    return contrib.gan.eval.classifier_score(pictures, classify, num_batches=2)


score_of_images.values_only = True


def summaries(tf, contrib):
    model = _model(tf, contrib)
    contrib.gan.eval.add_gan_model_summaries(model)
    contrib.gan.eval.add_regularization_loss_summaries(model)


def train_ops(tf, contrib):
    model = _model(tf, contrib)
    loss = contrib.gan.gan_loss(model)
    contrib.gan.gan_train_ops(
        model, loss, tf.train.GradientDescentOptimizer(0.1), tf.train.GradientDescentOptimizer(0.2)
    )
