"""Cases of the normalizations of tf.contrib.layers."""


def _images(tf, *shape):
    return tf.constant(0.25, shape=shape or (2, 5, 6, 3), name="images") + tf.random_uniform(
        shape or (2, 5, 6, 3), seed=3
    )


def _vectors(tf, *shape):
    return tf.random_uniform(shape or (4, 6), seed=3, name="vectors")


def batch_norm(tf, contrib):
    return contrib.layers.batch_norm(_images(tf))


def batch_norm_scaled(tf, contrib):
    return contrib.layers.batch_norm(
        _images(tf),
        scale=True,
        decay=0.9,
        epsilon=1e-5,
        activation_fn=tf.nn.relu,
        param_initializers={
            "beta": tf.constant_initializer(0.5),
            "gamma": tf.constant_initializer(2.0),
            "moving_mean": tf.constant_initializer(0.25),
        },
        param_regularizers={"gamma": contrib.layers.l2_regularizer(0.1)},
        variables_collections={"beta": ["betas"], "moving_mean": ["means"]},
        outputs_collections=["outputs"],
    )


def batch_norm_in_inference(tf, contrib):
    return contrib.layers.batch_norm(_images(tf), is_training=False, scope="bn")


def batch_norm_unknown_training(tf, contrib):
    flag = tf.placeholder_with_default(True, [], name="training")
    x = contrib.layers.batch_norm(_images(tf), is_training=flag, scope="bn")
    return contrib.layers.batch_norm(x, is_training=flag, updates_collections=None, scale=True)


def batch_norm_in_place(tf, contrib):
    return contrib.layers.batch_norm(_images(tf), updates_collections=None)


def batch_norm_in_place_not_fused(tf, contrib):
    flag = tf.placeholder_with_default(True, [], name="training")
    x = contrib.layers.batch_norm(_images(tf), updates_collections=None, fused=False)
    return contrib.layers.batch_norm(
        x, updates_collections=None, fused=False, is_training=flag, scale=True, center=False
    )


def batch_norm_own_collection(tf, contrib):
    x = contrib.layers.batch_norm(_images(tf), updates_collections="mine")
    return contrib.layers.batch_norm(x, updates_collections=["mine", "others"], fused=False)


def batch_norm_not_fused(tf, contrib):
    x = contrib.layers.batch_norm(_images(tf), fused=False)
    return contrib.layers.batch_norm(x, fused=False, is_training=False)


def batch_norm_of_vectors(tf, contrib):
    x = contrib.layers.batch_norm(_vectors(tf))
    x = contrib.layers.batch_norm(x, center=False, scale=True, scope="two")
    return contrib.layers.batch_norm(x, fused=False, is_training=False)


def batch_norm_of_batches(tf, contrib):
    x = tf.placeholder_with_default(_vectors(tf), [None, 6])
    return contrib.layers.batch_norm(x, updates_collections=None)


def batch_norm_of_three_dimensions(tf, contrib):
    return contrib.layers.batch_norm(_vectors(tf, 3, 4, 5))


def batch_norm_zero_debiased(tf, contrib):
    return contrib.layers.batch_norm(_images(tf), zero_debias_moving_mean=True, decay=0.9)


def batch_norm_weighted(tf, contrib):
    x = contrib.layers.batch_norm(_images(tf), batch_weights=tf.constant([0.5, 2.0]))
    return contrib.layers.batch_norm(
        x, batch_weights=tf.constant([0.5, 2.0]), updates_collections=None, scale=True
    )


def batch_norm_channels_first(tf, contrib):
    x = tf.transpose(_images(tf), [0, 3, 1, 2])
    x = contrib.layers.batch_norm(x, data_format="NCHW", fused=False, updates_collections=None, scale=True)
    return contrib.layers.batch_norm(x, data_format="NCHW", fused=False, is_training=False, scope="two")


def batch_norm_reused(tf, contrib):
    x = _images(tf)
    first = contrib.layers.batch_norm(x, scope="bn")
    return [first, contrib.layers.batch_norm(x, scope="bn", reuse=True, is_training=False)]


def batch_norm_renorm(tf, contrib):
    return contrib.layers.batch_norm(_images(tf), renorm=True, renorm_decay=0.9)


def batch_norm_renorm_with_weights(tf, contrib):
    return contrib.layers.batch_norm(_images(tf), renorm=True, batch_weights=tf.constant([0.5, 2.0]))


def batch_norm_unknown_format(tf, contrib):
    return contrib.layers.batch_norm(_images(tf), data_format="NCWH")


def batch_norm_unknown_rank(tf, contrib):
    return contrib.layers.batch_norm(
        tf.placeholder(tf.float32, name="x"), updates_collections=None
    )


def batch_norm_unknown_channels(tf, contrib):
    return contrib.layers.batch_norm(
        tf.placeholder(tf.float32, [None, None], name="x"), updates_collections=None
    )


def layer_norm(tf, contrib):
    x = contrib.layers.layer_norm(_images(tf))
    x = contrib.layers.layer_norm(x, begin_norm_axis=-1, scale=False, activation_fn=tf.nn.relu)
    return contrib.layers.layer_norm(x, begin_params_axis=1, center=False, variables_collections=["mine"])


def layer_norm_wrong_axis(tf, contrib):
    return contrib.layers.layer_norm(_vectors(tf), begin_norm_axis=2)


def layer_norm_unknown_extents(tf, contrib):
    return contrib.layers.layer_norm(tf.placeholder(tf.float32, [None, None], name="x"))


def instance_norm(tf, contrib):
    x = contrib.layers.instance_norm(_images(tf))
    x = contrib.layers.instance_norm(tf.transpose(x, [0, 3, 1, 2]), data_format="NCHW")
    return contrib.layers.instance_norm(x, center=False, epsilon=1e-3, activation_fn=tf.nn.relu)


def group_norm(tf, contrib):
    x = _vectors(tf, 2, 4, 4, 6)
    x = contrib.layers.group_norm(x, groups=3)
    x = contrib.layers.group_norm(
        x, groups=2, channels_axis=-3, reduction_axes=(-2, -1), center=False, activation_fn=tf.nn.relu
    )
    return contrib.layers.group_norm(x, groups=1, mean_close_to_zero=True, scale=False)


def group_norm_wrong_groups(tf, contrib):
    return contrib.layers.group_norm(_vectors(tf, 2, 4, 4, 6), groups=4)


def group_norm_too_many_groups(tf, contrib):
    return contrib.layers.group_norm(_vectors(tf, 2, 4, 4, 6))


def unit_norm(tf, contrib):
    x = contrib.layers.unit_norm(_vectors(tf, 2, 3, 4), 1)
    return contrib.layers.unit_norm(contrib.layers.unit_norm(x, 0), 2, scope="norm")


def unit_norm_wrong_dimension(tf, contrib):
    return contrib.layers.unit_norm(_vectors(tf), 2)


def poincare_normalize(tf, contrib):
    return contrib.layers.poincare_normalize(_vectors(tf) * 3.0)
