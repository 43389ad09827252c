"""Cases of what tf.contrib.layers has beside its layers with weights."""


def _images(tf, *shape):
    return tf.constant(0.25, shape=shape or (2, 5, 6, 3), name="images") + tf.random_uniform(
        shape or (2, 5, 6, 3), seed=3
    )


def _vectors(tf, *shape):
    return tf.random_uniform(shape or (4, 6), seed=3, name="vectors")


def one_hot_encoding(tf, contrib):
    labels = tf.constant([1, 0, 2])
    return [
        contrib.layers.one_hot_encoding(labels, 4),
        contrib.layers.one_hot_encoding(tf.to_int64(labels), 3, 2.0, -1.0, scope="hot"),
    ]


def images_to_sequence(tf, contrib):
    x = contrib.layers.images_to_sequence(_images(tf))
    return contrib.layers.sequence_to_images(x, 5)


def sequence_to_images_first(tf, contrib):
    x = tf.placeholder_with_default(_vectors(tf, 3, 8, 2), [3, None, 2])
    return contrib.layers.sequence_to_images(x, 4, output_data_format="channels_first")


def dense_to_sparse(tf, contrib):
    made = contrib.layers.dense_to_sparse(tf.constant([[1, 0, 2], [0, 0, 3]]))
    return [made.indices, made.values, made.dense_shape]


def softmax(tf, contrib):
    x = tf.placeholder_with_default(_vectors(tf, 2, 3, 4), [None, 3, 4])
    return [contrib.layers.softmax(_vectors(tf)), contrib.layers.softmax(x, scope="s")]


def spatial_softmax(tf, contrib):
    x = contrib.layers.spatial_softmax(_images(tf))
    y = contrib.layers.spatial_softmax(
        tf.transpose(_images(tf), [0, 3, 1, 2]), temperature=2.0, data_format="NCHW", trainable=False
    )
    return [x, y]


def maxout(tf, contrib):
    x = tf.placeholder_with_default(_vectors(tf), [None, 6])
    return [contrib.layers.maxout(_vectors(tf), 3), contrib.layers.maxout(x, 2, scope="m")]


def maxout_wrong_units(tf, contrib):
    return contrib.layers.maxout(_vectors(tf), 4)


def stack(tf, contrib):
    x = contrib.layers.stack(_vectors(tf), contrib.layers.fully_connected, [4, 3, 2], scope="fc")
    return contrib.layers.stack(x, contrib.layers.relu, [3, 2])


def stack_of_lists(tf, contrib):
    return contrib.layers.stack(_images(tf), contrib.layers.conv2d, [(4, [3, 3]), (2, [1, 1])])


def stack_of_a_number(tf, contrib):
    return contrib.layers.stack(_vectors(tf), contrib.layers.fully_connected, 4)


def repeat(tf, contrib):
    x = contrib.layers.repeat(_images(tf), 2, contrib.layers.conv2d, 4, [3, 3], scope="conv1")
    return contrib.layers.repeat(x, 2, contrib.layers.conv2d, 2, 3, activation_fn=None)


def regularizers(tf, contrib):
    weights = tf.get_variable("w", [3, 2], initializer=tf.constant_initializer(2.0))
    layers = contrib.layers
    return [
        layers.l1_regularizer(0.5)(weights),
        layers.l2_regularizer(0.25)(weights),
        layers.l2_regularizer(0.25, scope="mine")(weights),
        layers.l1_l2_regularizer(0.5, 0.25)(weights),
        layers.l1_l2_regularizer(0.0, 0.25)(weights),
        layers.sum_regularizer([layers.l1_regularizer(1.0), None, layers.l2_regularizer(0.0)])(weights),
        layers.l2_regularizer(tf.constant(0.5))(weights),
        layers.apply_regularization(layers.l2_regularizer(0.5), [weights]),
    ]


def regularizer_of_an_integer(tf, contrib):
    return contrib.layers.l2_regularizer(1)


def regularizer_below_zero(tf, contrib):
    return contrib.layers.l2_regularizer(-1.0)


def regularization_of_nothing(tf, contrib):
    return contrib.layers.apply_regularization(contrib.layers.l2_regularizer(0.5))


def initializers(tf, contrib):
    layers = contrib.layers
    makers = [
        layers.xavier_initializer(seed=1),
        layers.xavier_initializer(uniform=False),
        layers.xavier_initializer_conv2d(),
        layers.variance_scaling_initializer(),
        layers.variance_scaling_initializer(1.0, "FAN_OUT", True, seed=4),
    ]
    shapes = [[3, 2], [2], [], [2, 2, 3, 4]]
    return [
        tf.get_variable(f"v{i}_{j}", shape, initializer=maker).initialized_value()
        for i, maker in enumerate(makers)
        for j, shape in enumerate(shapes)
    ]


def initializer_of_unknown_mode(tf, contrib):
    return contrib.layers.variance_scaling_initializer(mode="FAN")


def initializer_of_integers(tf, contrib):
    return contrib.layers.xavier_initializer(dtype=tf.int32)


def arg_scopes(tf, contrib):
    layers = contrib.layers
    with contrib.framework.arg_scope(
        [layers.conv2d, layers.fully_connected],
        activation_fn=tf.nn.tanh,
        weights_regularizer=layers.l2_regularizer(0.1),
    ):
        with contrib.framework.arg_scope([layers.conv2d], padding="VALID") as scope:
            x = layers.conv2d(_images(tf), 4, 3)
        x = layers.conv2d(x, 2, 3)
    with contrib.framework.arg_scope(scope):
        x = layers.conv2d(x, 2, 3, activation_fn=None)
    return layers.fully_connected(layers.flatten(x), 2)


def summaries(tf, contrib):
    x = contrib.layers.fully_connected(_vectors(tf), 3)
    contrib.layers.summarize_activation(x)
    contrib.layers.summarize_activation(tf.nn.relu6(x))
    contrib.layers.summarize_tensor(tf.reduce_sum(x))
    contrib.layers.summarize_tensor(tf.constant("a"))
    contrib.layers.summarize_tensors([x, x * 2.0])
    contrib.layers.summarize_variables()
    contrib.layers.summarize_collection("trainable_variables", name_filter=".*biases")
    tf.add_to_collection(tf.GraphKeys.ACTIVATIONS, x)
    contrib.layers.summarize_activations()


def utils(tf, contrib):
    x = contrib.layers.conv2d(_images(tf), 4, 3, outputs_collections="points", scope="a")
    x = contrib.layers.max_pool2d(x, 2, outputs_collections="points", scope="b")
    with tf.variable_scope("c"):
        contrib.layers.dropout(x, outputs_collections="points")
    found = contrib.layers.utils.convert_collection_to_dict("points", clear_collection=True)
    tf.constant([f"{name} {tensor.name}" for name, tensor in found.items()])
