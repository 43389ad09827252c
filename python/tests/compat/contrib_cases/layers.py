"""Cases of tf.contrib.layers."""


def _images(tf, *shape):
    return tf.constant(0.25, shape=shape or (2, 5, 6, 3), name="images") + tf.random_uniform(
        shape or (2, 5, 6, 3), seed=3
    )


def _vectors(tf, *shape):
    return tf.random_uniform(shape or (4, 6), seed=3, name="vectors")


def fully_connected(tf, contrib):
    return contrib.layers.fully_connected(_vectors(tf), 3)


def fully_connected_twice_in_one_scope(tf, contrib):
    x = _vectors(tf)
    first = contrib.layers.fully_connected(x, 3, scope="fc")
    return [first, contrib.layers.fully_connected(x, 3, scope="fc", reuse=True)]


def fully_connected_default_names(tf, contrib):
    x = contrib.layers.fully_connected(_vectors(tf), 3, activation_fn=None)
    with tf.variable_scope("outer"):
        x = contrib.layers.fully_connected(x, 3, activation_fn=tf.nn.tanh)
        x = contrib.layers.fully_connected(x, 2)
    return x


def fully_connected_without_biases(tf, contrib):
    return contrib.layers.fully_connected(_vectors(tf), 3, biases_initializer=None)


def fully_connected_regularized(tf, contrib):
    return contrib.layers.fully_connected(
        _vectors(tf),
        3,
        weights_regularizer=contrib.layers.l2_regularizer(0.5),
        biases_regularizer=contrib.layers.l1_regularizer(0.25),
        weights_initializer=tf.truncated_normal_initializer(stddev=0.1, seed=2),
        biases_initializer=tf.constant_initializer(0.5),
    )


def fully_connected_of_three_dimensions(tf, contrib):
    return contrib.layers.fully_connected(_vectors(tf, 2, 3, 4), 5)


def fully_connected_collections(tf, contrib):
    return contrib.layers.fully_connected(
        _vectors(tf),
        3,
        variables_collections={"weights": ["mine"], "biases": ["mine", "others"]},
        outputs_collections=["outputs"],
    )


def fully_connected_collections_of_all(tf, contrib):
    return contrib.layers.fully_connected(
        _vectors(tf), 3, variables_collections=["mine"], outputs_collections="outputs", trainable=False
    )


def fully_connected_normalized(tf, contrib):
    return contrib.layers.fully_connected(
        _vectors(tf), 3, normalizer_fn=contrib.layers.batch_norm, normalizer_params={"scale": True}
    )


def fully_connected_float64(tf, contrib):
    return contrib.layers.fully_connected(tf.cast(_vectors(tf), tf.float64), 2)


def fully_connected_of_a_float(tf, contrib):
    return contrib.layers.fully_connected(_vectors(tf), 2.0)


def fully_connected_in_partitions(tf, contrib):
    with tf.variable_scope("parts", partitioner=tf.fixed_size_partitioner(2)):
        return contrib.layers.fully_connected(_vectors(tf), 3, variables_collections=["mine"])


def linear_relu6_elu(tf, contrib):
    x = contrib.layers.linear(_vectors(tf), 3)
    return contrib.layers.elu(contrib.layers.relu6(contrib.layers.relu(x, 4), 3), 2)


def legacy_fully_connected(tf, contrib):
    x = contrib.layers.legacy_fully_connected(_vectors(tf, 2, 3, 4), 5)
    return contrib.layers.legacy_relu(x, 2, weight_regularizer=contrib.layers.l2_regularizer(0.1))


def bias_add(tf, contrib):
    x = contrib.layers.bias_add(_images(tf), initializer=tf.constant_initializer(0.5))
    return contrib.layers.bias_add(x, activation_fn=tf.nn.relu, data_format="NHWC", scope="b")


def dropout(tf, contrib):
    x = _vectors(tf)
    flag = tf.placeholder_with_default(True, [])
    return [
        contrib.layers.dropout(x, 0.5, seed=5),
        contrib.layers.dropout(x, 0.9, is_training=False),
        contrib.layers.dropout(x, 0.75, is_training=flag, noise_shape=[4, 1], seed=6, scope="drop"),
    ]


def flatten(tf, contrib):
    x = tf.placeholder_with_default(tf.ones([2, 3, 4]), [None, 3, 4])
    return [contrib.layers.flatten(_images(tf)), contrib.layers.flatten(x, outputs_collections="flat")]


def flatten_of_one_dimension(tf, contrib):
    return contrib.layers.flatten(tf.constant([1.0, 2.0]))


def conv2d(tf, contrib):
    return contrib.layers.conv2d(_images(tf), 4, [3, 3])


def conv2d_stride_valid(tf, contrib):
    x = contrib.layers.conv2d(_images(tf), 4, 3, stride=2, padding="VALID", scope="conv1")
    return contrib.layers.convolution2d(x, 2, [1, 2], activation_fn=None, biases_initializer=None)


def conv2d_rate(tf, contrib):
    return contrib.layers.conv2d(_images(tf), 4, 3, rate=2)


def conv2d_normalized(tf, contrib):
    x = contrib.layers.conv2d(
        _images(tf),
        4,
        3,
        normalizer_fn=contrib.layers.batch_norm,
        normalizer_params={"decay": 0.9, "updates_collections": None},
        weights_regularizer=contrib.layers.l2_regularizer(0.1),
        outputs_collections=["points"],
    )
    return contrib.layers.conv2d(x, 2, 3, normalizer_fn=contrib.layers.batch_norm, scope="two")


def conv2d_channels_first(tf, contrib):
    contrib.layers.conv2d(tf.ones([2, 3, 6, 6]), 4, 3, data_format="NCHW")


def conv2d_of_vectors(tf, contrib):
    return contrib.layers.conv2d(_vectors(tf), 4, 3)


def conv2d_of_unknown_format(tf, contrib):
    return contrib.layers.conv2d(_images(tf), 4, 3, data_format="CHWN")


def conv1d_conv3d(tf, contrib):
    return [
        contrib.layers.conv1d(_vectors(tf, 2, 6, 3), 4, 3),
        contrib.layers.conv3d(_vectors(tf, 2, 3, 4, 4, 2), 3, [2, 3, 3]),
        contrib.layers.convolution(_vectors(tf, 2, 6, 3), 2, 2, stride=2),
    ]


def conv2d_in_plane(tf, contrib):
    x = contrib.layers.conv2d_in_plane(_images(tf), [3, 2], activation_fn=None)
    return contrib.layers.conv2d_in_plane(x, 2, stride=2, normalizer_fn=contrib.layers.layer_norm)


def conv2d_transpose(tf, contrib):
    x = contrib.layers.conv2d_transpose(_images(tf), 4, [3, 3], stride=2)
    return contrib.layers.conv2d_transpose(x, 2, 2, padding="VALID", activation_fn=None, scope="up")


def conv2d_transpose_of_batches(tf, contrib):
    x = tf.placeholder_with_default(_images(tf), [None, 5, 6, 3])
    return contrib.layers.conv2d_transpose(x, 4, 4, 2, normalizer_fn=contrib.layers.batch_norm)


def conv3d_transpose(tf, contrib):
    return contrib.layers.conv3d_transpose(_vectors(tf, 1, 2, 3, 3, 2), 3, 2, stride=2)


def separable_conv2d(tf, contrib):
    x = contrib.layers.separable_conv2d(_images(tf), 4, 3, 2)
    x = contrib.layers.separable_conv2d(
        x, None, [3, 3], stride=2, weights_regularizer=contrib.layers.l2_regularizer(0.1)
    )
    return contrib.layers.separable_conv2d(
        x, 3, 3, rate=2, normalizer_fn=contrib.layers.batch_norm, variables_collections=["mine"]
    )


def separable_conv2d_depthwise_normalized(tf, contrib):
    return contrib.layers.separable_conv2d(
        _images(tf), None, 3, 1, normalizer_fn=contrib.layers.batch_norm, activation_fn=tf.nn.relu6
    )


def pooling(tf, contrib):
    x = _images(tf)
    return [
        contrib.layers.max_pool2d(x, 2),
        contrib.layers.max_pool2d(x, [3, 3], stride=2, padding="SAME", scope="pool1"),
        contrib.layers.avg_pool2d(x, [2, 3], 1, outputs_collections=["pools"]),
        contrib.layers.max_pool3d(_vectors(tf, 1, 4, 4, 4, 2), 2),
        contrib.layers.avg_pool3d(_vectors(tf, 1, 4, 4, 4, 2), 2, 1),
    ]


def pooling_unknown_format(tf, contrib):
    return contrib.layers.max_pool2d(_images(tf), 2, data_format="NWHC")


def pool(tf, contrib):
    x = _images(tf)
    return [
        contrib.layers.pool(x, 2, "MAX", stride=2),
        contrib.layers.pool(x, [2, 2], "AVG", dilation_rate=2, scope="p"),
    ]
