"""Cases of tf.layers."""


def _images(tf, *shape, dtype="float32"):
    return tf.cast(tf.random_uniform(shape or (2, 9, 8, 3), seed=3), dtype)


def _ones(tf):
    return {"kernel_initializer": tf.ones_initializer(), "bias_initializer": tf.constant_initializer(0.5)}


def dilated_convolutions(tf, contrib):
    x = _images(tf)
    return [
        tf.layers.conv2d(x, 4, 3, dilation_rate=2, **_ones(tf)),
        tf.layers.conv2d(x, 4, [3, 2], dilation_rate=(2, 1), padding="same", use_bias=False),
        tf.layers.conv2d(x, 4, 3, dilation_rate=(1, 3), activation=tf.nn.relu, name="mine"),
        tf.layers.conv2d(x, 4, 1, dilation_rate=2, padding="SAME"),
    ]


def dilated_convolutions_of_unknown_extents(tf, contrib):
    x = tf.placeholder_with_default(_images(tf), [None, None, None, 3])
    y = tf.placeholder_with_default(_images(tf), [None, 9, None, 3])
    return [
        tf.layers.conv2d(x, 4, 3, dilation_rate=2, padding="same", **_ones(tf)),
        tf.layers.conv2d(x, 4, 3, dilation_rate=2, **_ones(tf)),
        tf.layers.conv2d(y, 4, 3, dilation_rate=(2, 3), **_ones(tf)),
    ]


def dilated_convolution_channels_first(tf, contrib):
    x = tf.placeholder(tf.float32, [2, 3, 9, 8])
    tf.layers.conv2d(x, 4, 3, dilation_rate=2, data_format="channels_first", padding="same")
    tf.layers.conv1d(x[:, :, :, 0], 4, 3, dilation_rate=2, data_format="channels_first")


def dilated_sequences_and_volumes(tf, contrib):
    x = _images(tf, 2, 9, 3)
    volumes = _images(tf, 1, 6, 7, 5, 2)
    return [
        tf.layers.conv1d(x, 4, 3, dilation_rate=2, **_ones(tf)),
        tf.layers.conv1d(x, 4, 3, dilation_rate=2, padding="same", **_ones(tf)),
        tf.layers.conv1d(x, 4, 2, dilation_rate=4, padding="causal", **_ones(tf)),
        tf.layers.conv3d(volumes, 2, 2, dilation_rate=2, **_ones(tf)),
        tf.layers.conv3d(volumes, 2, 2, dilation_rate=(1, 2, 1), padding="same", **_ones(tf)),
    ]


def dilated_separable(tf, contrib):
    x = _images(tf)
    return [
        tf.layers.separable_conv2d(x, 4, 3, dilation_rate=2),
        tf.layers.separable_conv2d(x, 4, 3, dilation_rate=(2, 2), padding="same", depth_multiplier=2),
        tf.layers.separable_conv1d(x[:, 0], 4, 3, dilation_rate=2),
    ]


def strides_and_dilations(tf, contrib):
    return tf.layers.conv2d(_images(tf), 4, 3, strides=2, dilation_rate=2)


def dilated_gradients(tf, contrib):
    x = _images(tf)
    y = tf.layers.conv2d(x, 4, 3, dilation_rate=2, padding="same", **_ones(tf))
    return tf.gradients(y, [x, *tf.trainable_variables()])


def gradients_of_unknown_extents(tf, contrib):
    x = tf.placeholder_with_default(_images(tf), [None, None, None, 3])
    y = tf.layers.conv2d(x, 4, 3, dilation_rate=2, padding="same", **_ones(tf))
    return tf.gradients(y, [x, *tf.trainable_variables()])


def convolutions(tf, contrib):
    x = _images(tf)
    return [
        tf.layers.conv2d(x, 4, 3),
        tf.layers.conv2d(x, 4, (3, 1), strides=(2, 1), padding="same", activation=tf.tanh, use_bias=False),
        tf.layers.conv2d(x, 4, 3, kernel_regularizer=lambda w: tf.reduce_sum(w * w), name="r"),
        tf.layers.conv2d(x, 4, 3, activity_regularizer=tf.reduce_mean, kernel_constraint=tf.abs, name="c"),
        tf.layers.conv1d(x[0], 4, 3, padding="causal"),
        tf.layers.conv1d(x[0], 4, 3, strides=2, padding="same"),
        tf.layers.conv3d(x[:, :, :, :, None], 4, 2, strides=(1, 2, 1)),
        tf.layers.separable_conv2d(x, 4, 3, depth_multiplier=2, activation=tf.nn.relu),
        tf.layers.separable_conv1d(x[0], 4, 3, strides=2),
        tf.layers.conv2d_transpose(x, 4, 3, strides=2, padding="same"),
        tf.layers.conv2d_transpose(x, 4, 3, strides=(2, 3)),
        tf.layers.conv3d_transpose(x[:, :, :, :, None], 4, 2, strides=2),
    ]


def transposed_unknown_extents(tf, contrib):
    x = tf.placeholder_with_default(_images(tf), [None, None, 8, 3])
    volumes = tf.placeholder_with_default(_images(tf, 1, 3, 2, 2, 2), [None, None, 2, None, 2])
    return [
        tf.layers.conv2d_transpose(x, 4, 3, strides=2, padding="same"),
        tf.layers.conv2d_transpose(x, 4, 5, strides=(1, 2), use_bias=False),
        tf.layers.conv3d_transpose(volumes, 4, 2, strides=2),
    ]


def channels_first(tf, contrib):
    x = tf.placeholder(tf.float32, [2, 3, 9, 8])
    v = tf.placeholder(tf.float32, [2, 3, 4, 9, 8])
    first = {"data_format": "channels_first"}
    tf.layers.conv2d(x, 4, 3, **first)
    tf.layers.conv1d(x[:, :, :, 0], 4, 3, **first)
    tf.layers.conv3d(v, 4, 3, **first)
    tf.layers.separable_conv2d(x, 4, 3, **first)
    tf.layers.separable_conv1d(x[:, :, :, 0], 4, 3, **first)
    tf.layers.max_pooling2d(x, 2, 2, **first)
    tf.layers.average_pooling3d(v, 2, 2, **first)
    tf.layers.flatten(x, **first)
    tf.layers.batch_normalization(x, axis=1, training=True)
    tf.layers.batch_normalization(v, axis=1, training=True)


def pooling_of_sequences_channels_first(tf, contrib):
    tf.layers.max_pooling1d(tf.placeholder(tf.float32, [2, 3, 9]), 2, 2, data_format="channels_first")


def pooling(tf, contrib):
    x = _images(tf)
    return [
        tf.layers.max_pooling2d(x, 2, 2),
        tf.layers.max_pooling2d(x, (3, 2), (2, 1), padding="same", name="mine"),
        tf.layers.average_pooling2d(x, 2, 2, "SAME"),
        tf.layers.max_pooling1d(x[0], 2, 2),
        tf.layers.average_pooling1d(x[0], 3, 1, padding="same"),
        tf.layers.max_pooling3d(x[:, :, :, :, None], 2, 2),
        tf.layers.average_pooling3d(x[:, :, :, :, None], (1, 2, 3), 1),
    ]


def dense_and_others(tf, contrib):
    x = _images(tf, 4, 6)
    y = tf.placeholder_with_default(_images(tf, 2, 3, 6), [None, None, 6])
    layer = tf.layers.Dense(3, tf.nn.relu, name="shared")
    training = tf.placeholder_with_default(False, [])
    return [
        tf.layers.dense(x, 5),
        tf.layers.dense(y, 5, activation=tf.sigmoid, use_bias=False),
        layer(x),
        layer(x[:2]),
        tf.layers.dropout(x, 0.3, seed=3, training=True),
        tf.layers.dropout(x, 0.3, seed=3, training=training),
        tf.layers.dropout(x, 0.3, noise_shape=[4, 1], seed=3, training=True),
        tf.layers.dropout(x),
        tf.layers.flatten(y),
        tf.layers.flatten(tf.placeholder_with_default(_images(tf, 2, 3, 6), [None, 3, 6])),
    ]


def flatten_of_one_dimension(tf, contrib):
    return [tf.layers.flatten(tf.constant([1.0, 2.0])), tf.layers.flatten(tf.placeholder_with_default([1.0], [None]))]


def batch_normalization(tf, contrib):
    x = _images(tf)
    training = tf.placeholder_with_default(True, [])
    made = [
        tf.layers.batch_normalization(x),
        tf.layers.batch_normalization(x, training=True),
        tf.layers.batch_normalization(x, training=True, fused=False),
        tf.layers.batch_normalization(x, training=training, momentum=0.9, epsilon=0.1, scale=False),
        tf.layers.batch_normalization(x[:, 0, 0], training=True, center=False),
        tf.layers.batch_normalization(x[:, 0, 0], training=training, name="mine"),
        tf.layers.batch_normalization(x, axis=[1, 3], training=True),
        tf.layers.batch_normalization(x, axis=1, training=True, fused=False),
    ]
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        return [*made, tf.constant(1.0)]


def batch_normalization_not_fused_unknown_training(tf, contrib):
    training = tf.placeholder_with_default(True, [])
    return tf.layers.batch_normalization(_images(tf), training=training, fused=False)


def batch_normalization_not_trainable(tf, contrib):
    x = _images(tf)
    made = [
        tf.layers.batch_normalization(x, training=True, trainable=False),
        tf.layers.batch_normalization(x[0, 0], training=True, trainable=False),
    ]
    with tf.variable_scope("a") as scope:
        made.append(tf.layers.batch_normalization(x, training=True, name="bn"))
    with tf.variable_scope(scope, reuse=True):
        made.append(tf.layers.batch_normalization(x, training=True, name="bn"))
    return made


def virtual_batches_and_adjustments(tf, contrib):
    x = _images(tf, 4, 3, 2, 3)

    def adjusted(shape):
        return tf.random_uniform(shape, 0.5, 1.0, seed=1), tf.random_uniform(shape, seed=2)

    return [
        tf.layers.batch_normalization(x, training=True, virtual_batch_size=2),
        tf.layers.batch_normalization(x, training=True, adjustment=adjusted),
    ]


def renormalization(tf, contrib):
    x = _images(tf, 4, 5)
    return [
        tf.layers.batch_normalization(x, training=True, renorm=True),
        tf.layers.batch_normalization(
            x, training=True, renorm=True, renorm_clipping={"rmax": 2.0, "rmin": 0.5, "dmax": 1.0}, name="mine"
        ),
        tf.layers.batch_normalization(_images(tf), training=True, renorm=True, fused=False),
        tf.layers.batch_normalization(x, renorm=True),
    ]


def renormalization_fused(tf, contrib):
    return tf.layers.batch_normalization(_images(tf), training=True, renorm=True)


def half_precision(tf, contrib):
    x = _images(tf, dtype="float16")
    return [
        tf.layers.batch_normalization(x, training=True),
        tf.layers.conv2d(x, 4, 3),
        tf.layers.dense(x[:, 0, 0], 2),
    ]


def scopes_and_reuse(tf, contrib):
    x = _images(tf, 4, 6)
    with tf.variable_scope("outer", initializer=tf.ones_initializer()):
        made = [tf.layers.dense(x, 6, name="d"), tf.layers.dense(x, 6)]
        tf.get_variable_scope().reuse_variables()
        made.append(tf.layers.dense(x, 6, name="d"))
    with tf.variable_scope("outer", reuse=tf.AUTO_REUSE):
        made += [tf.layers.dense(x, 6, name="d"), tf.layers.dense(x, 6, name="e")]
    made.append(tf.layers.dense(x, 6, name="n"))
    made.append(tf.layers.dense(x, 6, name="n", reuse=True))
    with tf.variable_scope("p", partitioner=tf.fixed_size_partitioner(2)):
        made.append(tf.layers.dense(x, 6))
    with tf.variable_scope("r", use_resource=True):
        made.append(tf.layers.dense(x, 6))
    with tf.name_scope("n"):
        made.append(tf.layers.dense(x, 6))
    return made


def _getter(tf):
    def getter(getter, name, *args, **kwargs):
        return tf.multiply(getter(name, *args, **kwargs), 2.0, name="twice")

    return getter


def custom_getters(tf, contrib):
    x = _images(tf, 4, 6)
    with tf.variable_scope("outer", custom_getter=_getter(tf)):
        made = [
            tf.layers.dense(x, 3, **_ones(tf)),
            tf.layers.conv2d(_images(tf), 2, 3, **_ones(tf)),
            tf.layers.batch_normalization(_images(tf)),
        ]
    return made


def gradients(tf, contrib):
    x = _images(tf)
    y = tf.layers.conv2d(x, 4, 3, activation=tf.nn.relu)
    y = tf.layers.batch_normalization(y, training=True)
    y = tf.layers.max_pooling2d(y, 2, 2)
    y = tf.layers.conv2d_transpose(y, 2, 3, strides=2)
    y = tf.layers.separable_conv2d(y, 2, 2)
    y = tf.layers.dense(tf.layers.flatten(y), 3)
    return tf.gradients(y, tf.trainable_variables())
