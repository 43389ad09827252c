"""Cases of tf.nn."""


def _images(tf, *shape):
    return tf.random_uniform(shape or (2, 7, 6, 3), seed=3)


def activations(tf, contrib):
    x = tf.random_normal([3, 4], seed=3)
    nn = tf.nn
    return [
        nn.relu(x), nn.relu6(x), nn.elu(x), nn.selu(x), nn.softplus(x), nn.softsign(x), nn.crelu(x), nn.swish(x),
        nn.leaky_relu(x), nn.leaky_relu(x, alpha=0.1), nn.sigmoid(x), nn.tanh(x), nn.softmax(x), nn.softmax(x, 0),
        nn.log_softmax(x), nn.l2_normalize(x, 1), nn.l2_normalize(x, dim=0), nn.l2_loss(x), nn.zero_fraction(x),
        nn.relu_layer(x, tf.ones([4, 2]), [0.0, 1.0]), nn.xw_plus_b(x, tf.ones([4, 2]), [0.0, 1.0]),
        nn.bias_add(x, [1.0, 2.0, 3.0, 4.0]), nn.normalize_moments(*([[4.0], [2.0], [1.0]]), None)[0],
    ]  # fmt: skip


def normalizations(tf, contrib):
    x = _images(tf)
    nn = tf.nn
    mean, variance = nn.moments(x, [0, 1, 2])
    counts, sums, squares, shift = nn.sufficient_statistics(x, [0, 1])
    return [
        nn.lrn(x), nn.lrn(x, 2, 1.5, 0.1, 0.6, name="mine"), nn.local_response_normalization(x, depth_radius=1),
        nn.batch_normalization(x, mean, variance, None, 2.0, 1e-3),
        nn.batch_normalization(x, mean, variance, 0.5, None, 1e-3),
        nn.batch_norm_with_global_normalization(x, mean, variance, mean, variance, 1e-3, True),
        *nn.fused_batch_norm(x, [1.0] * 3, [0.0] * 3), *nn.fused_batch_norm(x, [1.0] * 3, [0.0] * 3, mean, variance, is_training=False)[:1],
        *nn.moments(x, [1, 2], keep_dims=True), *nn.weighted_moments(x, [0, 1], x), counts, sums, squares,
    ]  # fmt: skip


def pools(tf, contrib):
    x = _images(tf)
    nn = tf.nn
    return [
        nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"), nn.avg_pool(x, [1, 3, 2, 1], [1, 1, 1, 1], "VALID"),
        nn.max_pool2d(x, 2, 1, "SAME"), nn.avg_pool2d(x, 2, 2, "VALID"), nn.max_pool1d(x[0], 2, 1, "SAME"),
        nn.avg_pool1d(x[0], 2, 1, "SAME"), nn.max_pool3d(x[..., None], [1, 2, 2, 2, 1], [1, 1, 1, 1, 1], "SAME"),
        nn.avg_pool3d(x[..., None], [1, 2, 2, 2, 1], [1, 1, 1, 1, 1], "SAME"), nn.pool(x, [2, 2], "MAX", "VALID"),
        nn.pool(x, [2, 2], "AVG", "VALID", dilation_rate=[2, 1]), *nn.max_pool_with_argmax(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"),
        *nn.fractional_max_pool(x, [1.0, 1.5, 1.3, 1.0], deterministic=True, seed=1, seed2=2),
        *nn.fractional_avg_pool(x, [1.0, 1.5, 1.3, 1.0], deterministic=True, seed=1, seed2=2),
    ]  # fmt: skip


def convolutions(tf, contrib):
    x, w = _images(tf), tf.random_normal([2, 3, 3, 4], seed=4)
    nn = tf.nn
    return [
        nn.conv2d(x, w, [1, 1, 1, 1], "SAME"), nn.conv2d(x, filter=w, strides=2, padding="VALID"),
        nn.conv2d(x, w, [1, 2, 1, 1], [[0, 0], [1, 2], [0, 1], [0, 0]]), nn.conv2d(x, w, 1, "SAME", dilations=[1, 2, 2, 1]),
        nn.conv1d(x[0], w[0], 2, "SAME"), nn.conv3d(x[..., None, :], w[:, :, None], [1] * 5, "SAME"),
        nn.convolution(x, w, "SAME", dilation_rate=[2, 2]), nn.convolution(x, w, "VALID", [2, 1]),
        nn.atrous_conv2d(x, w, 2, "SAME"), nn.atrous_conv2d_transpose(x, tf.ones([2, 2, 4, 3]), [2, 7, 6, 4], 2, "SAME"),
        nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "SAME"), nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "VALID", [2, 2]),
        nn.depthwise_conv2d_native(x, w, [1, 2, 2, 1], "SAME"),
        nn.separable_conv2d(x, w, tf.ones([1, 1, 12, 5]), [1, 1, 1, 1], "SAME"),
        nn.conv2d_transpose(x, tf.ones([2, 2, 4, 3]), [2, 14, 12, 4], [1, 2, 2, 1]),
        nn.conv2d_transpose(x, tf.ones([2, 2, 4, 3]), tf.stack([tf.shape(x)[0], 8, 7, 4]), 1, "VALID"),
        nn.conv3d_transpose(x[..., None], tf.ones([2, 2, 2, 4, 1]), [2, 14, 12, 6, 4], [1, 2, 2, 2, 1]),
        nn.conv1d_transpose(x[0], tf.ones([2, 4, 3]), [7, 12, 4], 2), nn.dilation2d(x, w[..., 0], [1, 1, 1, 1], [1, 1, 1, 1], "SAME"),
        nn.erosion2d(x, w[..., 0], [1, 1, 1, 1], [1, 1, 1, 1], "SAME"),
        nn.conv2d_backprop_input([2, 7, 6, 3], w, tf.ones([2, 7, 6, 4]), [1, 1, 1, 1], "SAME"),
        nn.conv2d_backprop_filter(x, [2, 3, 3, 4], tf.ones([2, 7, 6, 4]), [1, 1, 1, 1], "SAME"),
    ]  # fmt: skip


def losses(tf, contrib):
    nn = tf.nn
    logits, labels = tf.random_normal([3, 4], seed=3), tf.constant([0, 3, 1])
    hot = tf.one_hot(labels, 4)
    return [
        nn.softmax_cross_entropy_with_logits(labels=hot, logits=logits),
        nn.softmax_cross_entropy_with_logits_v2(labels=hot, logits=logits),
        nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits),
        nn.sigmoid_cross_entropy_with_logits(labels=hot, logits=logits),
        nn.weighted_cross_entropy_with_logits(hot, logits, 2.0), nn.log_poisson_loss(hot, logits),
        nn.log_poisson_loss(hot, logits, True), nn.in_top_k(logits, labels, 2), *nn.top_k(logits, 2),
        nn.softmax_cross_entropy_with_logits(labels=tf.transpose(hot), logits=tf.transpose(logits), dim=0),
    ]  # fmt: skip


def embeddings(tf, contrib):
    nn = tf.nn
    table = tf.get_variable("table", [5, 2], initializer=tf.ones_initializer())
    parts = [tf.constant([[1.0], [3.0]]), tf.constant([[2.0], [4.0]])]
    ids = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [1, 3, 4], [3, 2])
    weights = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [1.0, 2.0, 0.5], [3, 2])
    few = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [1, 3, 2], [3, 2])
    return [
        nn.embedding_lookup(table, [1, 2]), nn.embedding_lookup(parts, [1, 2]), nn.embedding_lookup(parts, [1, 2], "div"),
        nn.embedding_lookup(table, [[1, 2]], max_norm=1.0), nn.embedding_lookup_sparse(table, ids, None, combiner="mean"),
        nn.embedding_lookup_sparse(table, ids, weights, combiner="sqrtn"),
        nn.embedding_lookup_sparse(parts, few, None, combiner="sum"),
        nn.safe_embedding_lookup_sparse(table, ids, weights), nn.safe_embedding_lookup_sparse(table, ids, default_id=1),
    ]  # fmt: skip


def sampled(tf, contrib):
    nn = tf.nn
    weights, biases = tf.random_normal([6, 3], seed=1), tf.random_normal([6], seed=2)
    inputs, labels = tf.random_normal([2, 3], seed=3), tf.constant([[1], [4]], tf.int64)
    tf.set_random_seed(5)
    sampled_values = nn.uniform_candidate_sampler(labels, 1, 3, True, 6, seed=4)
    return [
        nn.nce_loss(weights, biases, labels, inputs, 3, 6, sampled_values=sampled_values),
        nn.sampled_softmax_loss(weights, biases, labels, inputs, 3, 6, sampled_values=sampled_values),
        nn.sampled_softmax_loss([weights[:3], weights[3:]], biases, labels, inputs, 3, 6, remove_accidental_hits=False, sampled_values=sampled_values),
        *nn.compute_accidental_hits(labels, [1, 2, 4], 1, seed=3),
    ]  # fmt: skip


def sampled_nodes(tf, contrib):
    nn = tf.nn
    weights, biases = tf.random_normal([6, 3], seed=1), tf.random_normal([6], seed=2)
    inputs, labels = tf.random_normal([2, 3], seed=3), tf.constant([[1], [4]], tf.int64)
    nn.nce_loss(weights, biases, labels, inputs, 3, 6)
    nn.sampled_softmax_loss(weights, biases, labels, inputs, 3, 6, seed=2)
    nn.learned_unigram_candidate_sampler(labels, 1, 2, True, 6)
    nn.log_uniform_candidate_sampler(labels, 1, 2, True, 6)
    nn.all_candidate_sampler(labels, 1, 6, True)
    nn.fixed_unigram_candidate_sampler(labels, 1, 2, True, 6, unigrams=[1.0] * 6)


def connectionist(tf, contrib):
    nn = tf.nn
    logits = tf.random_normal([5, 2, 4], seed=3)
    labels = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1, 2, 0], [2, 2])
    decoded, log_probability = nn.ctc_greedy_decoder(logits, [5, 4])
    beams, beam_probability = nn.ctc_beam_search_decoder(logits, [5, 4], beam_width=3, top_paths=2)
    return [
        nn.ctc_loss(labels, logits, [5, 4]), nn.ctc_loss(labels, tf.transpose(logits, [1, 0, 2]), [5, 4], time_major=False),
        decoded[0].values, log_probability, beams[0].values, beam_probability, *tf.gradients(nn.ctc_loss(labels, logits, [5, 4]), logits),
    ]  # fmt: skip


def connectionist_v2(tf, contrib):
    logits = tf.random_normal([5, 2, 4], seed=3)
    return [
        tf.nn.ctc_loss_v2([[1, 2], [3, 0]], logits, [2, 1], [5, 4]),
        *tf.nn.collapse_repeated(tf.constant([[1, 1, 2], [2, 2, 2]]), [3, 2]),
    ]


def gradients(tf, contrib):
    nn = tf.nn
    x, w = _images(tf), tf.random_normal([2, 3, 3, 4], seed=4)
    y = nn.lrn(nn.conv2d(x, w, 1, "SAME"), 2)
    y = nn.max_pool(nn.elu(y), 2, 1, "SAME") + nn.avg_pool(nn.selu(y), 2, 1, "SAME")
    y = nn.softplus(y) + nn.softsign(y) + nn.leaky_relu(y) + nn.relu6(y) + nn.log_softmax(y) + nn.softmax(y) + nn.swish(y)
    y = nn.depthwise_conv2d(y, tf.ones([2, 2, 4, 1]), [1, 1, 1, 1], "SAME") + nn.atrous_conv2d(y, tf.ones([2, 2, 4, 4]), 2, "SAME")
    y = nn.l2_normalize(y, 1) + nn.l2_loss(y)
    y += nn.dilation2d(y, tf.ones([2, 2, 4]), [1, 1, 1, 1], [1, 1, 1, 1], "SAME")
    return tf.gradients(y, [x, w])


def dropouts(tf, contrib):
    x = tf.random_normal([3, 4], seed=3)
    rate = tf.placeholder_with_default(0.4, [])
    return [
        tf.nn.dropout(x, 0.5, seed=1), tf.nn.dropout(x, rate=0.25, seed=2, noise_shape=[3, 1]),
        tf.nn.dropout(x, rate, seed=3), tf.nn.dropout(x, keep_prob=rate, seed=3, noise_shape=[None, 1]),
        tf.nn.dropout(x, 1.0), tf.nn.dropout(x, rate=rate, seed=4, name="mine"),
    ]  # fmt: skip
