"""tf.nn: values by their definition, and arguments and errors as TensorFlow has them.

(What the functions add to the graph is compared by test_recorded.py.)
"""

import numpy as np
import pytest

import kiln.compat.v1 as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


def waves(*shape):
    return np.sin(np.arange(np.prod(shape)) * 1.7).reshape(shape).astype(np.float32)


def run(fetches, feed=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches, feed)


def convolved(images, kernel, step=1, apart=1):
    """A convolution without padding."""
    height, width, _, filters = kernel.shape
    rows = (images.shape[1] - (height - 1) * apart - 1) // step + 1
    columns = (images.shape[2] - (width - 1) * apart - 1) // step + 1
    result = np.zeros((len(images), rows, columns, filters))
    for y in range(rows):
        for x in range(columns):
            tops, lefts = y * step + np.arange(height) * apart, x * step + np.arange(width) * apart
            window = images[:, tops][:, :, lefts]
            result[:, y, x] = np.tensordot(window, kernel, 3)
    return result


def test_activations():
    x = waves(3, 4)
    exps = np.exp(x)
    outputs = run([
        tf.nn.softmax(x), tf.nn.softmax(x, axis=0), tf.nn.log_softmax(x, dim=-1), tf.nn.leaky_relu(x, 0.5),
        tf.nn.crelu(x), tf.nn.swish(x), tf.nn.bias_add(x, [1.0, 2.0, 3.0, 4.0]), tf.nn.xw_plus_b(x, x.T, [1.0, 2.0, 3.0]),
        tf.nn.relu_layer(x, x.T, [0.0] * 3), tf.nn.zero_fraction([0.0, 1.0]), tf.math.softmax(x), tf.nn.l2_loss(x),
    ])  # fmt: skip
    expected = [
        exps / exps.sum(1, keepdims=True), exps / exps.sum(0), x - np.log(exps.sum(1, keepdims=True)),
        np.where(x > 0, x, x / 2), np.concatenate([np.maximum(x, 0), np.maximum(-x, 0)], 1), x / (1 + np.exp(-x)),
        x + [1, 2, 3, 4], x @ x.T + [1, 2, 3], np.maximum(x @ x.T, 0), 0.5, exps / exps.sum(1, keepdims=True),
        (x * x).sum() / 2,
    ]  # fmt: skip
    for output, value in zip(outputs, expected):
        np.testing.assert_allclose(output, value, rtol=1e-5, atol=1e-6)


def test_dropout():
    x = tf.ones([1000])
    kept, by_rate, row = run([
        tf.nn.dropout(x, 0.25), tf.nn.dropout(x, rate=0.75, seed=3), tf.nn.dropout(tf.ones([50, 8]), 0.5, [50, 1])
    ])  # fmt: skip
    for drawn in (kept, by_rate):
        assert set(drawn) == {0.0, 4.0} and 150 < (drawn > 0).sum() < 350
    assert all(len(set(each)) == 1 for each in row)
    with pytest.raises(ValueError, match="You must provide a rate to dropout."):
        tf.nn.dropout(x)
    with pytest.raises(ValueError, match="Cannot specify both"):
        tf.nn.dropout(x, 0.5, rate=0.5)
    with pytest.raises(ValueError, match="keep_prob must be a floating point number or Tensor"):
        tf.nn.dropout(x, "0.5")
    with pytest.raises(ValueError, match="rate. must be a scalar tensor or a float in the range"):
        tf.nn.dropout(x, rate=1.5)
    with pytest.raises(ValueError, match="must be a floating point tensor"):
        tf.nn.dropout(tf.ones([2], tf.int32), rate=0.5)


def test_convolutions():
    images, kernel = waves(2, 6, 5, 2), waves(3, 2, 2, 4)
    padded = np.pad(images, [(0, 0), (1, 1), (0, 1), (0, 0)])
    first = np.transpose(images, [0, 3, 1, 2])
    outputs = run([
        tf.nn.conv2d(images, kernel, [1, 1, 1, 1], "VALID"), tf.nn.conv2d(images, filters=kernel, strides=2, padding="VALID"),
        tf.nn.conv2d(images, kernel, 1, "SAME"), tf.nn.conv2d(images, kernel, 1, [[0, 0], [1, 1], [0, 1], [0, 0]]),
        tf.nn.atrous_conv2d(images, kernel, 2, "VALID"), tf.nn.convolution(images, kernel, "VALID", dilation_rate=[2, 2]),
        tf.nn.conv1d(images[:, :, 0], kernel[:, 0], 1, "VALID"), tf.nn.conv1d(input=images[:, :, 0], filters=kernel[:, 0], stride=[1], padding="VALID"),
        tf.nn.conv3d(images[:, None], kernel[None], [1] * 5, "VALID"),
        tf.nn.depthwise_conv2d(images, kernel, [1, 1, 1, 1], "VALID"),
        tf.nn.separable_conv2d(images, kernel, waves(1, 1, 8, 3), [1, 1, 1, 1], "VALID"),
    ])  # fmt: skip
    plain = convolved(images, kernel)
    each = [convolved(images[..., i : i + 1], kernel[:, :, i : i + 1]) for i in range(2)]
    apart = np.concatenate(each, -1)
    row = convolved(images[:, :, :1], kernel[:, :1])[:, :, 0]
    expected = [
        plain, convolved(images, kernel, 2), convolved(padded, kernel), convolved(padded, kernel),
        convolved(images, kernel, apart=2), convolved(images, kernel, apart=2), row, row, plain[:, None], apart,
        apart @ waves(8, 3),
    ]  # fmt: skip
    for output, value in zip(outputs, expected):
        np.testing.assert_allclose(output, value, rtol=1e-4, atol=1e-5)
    x = tf.placeholder(tf.float32, [2, 2, 6, 5])
    assert tf.nn.conv2d(x, kernel, 1, "SAME", data_format="NCHW").shape == (2, 4, 6, 5)
    assert first.shape == x.shape


def test_transposed_convolutions():
    """The gradients of convolutions."""
    y, kernel = waves(1, 3, 3, 4), waves(2, 2, 3, 4)
    images = tf.ones([1, 6, 6, 3])
    forward = tf.nn.conv2d(images, kernel, 2, "SAME")
    outputs = run([
        tf.gradients(forward, images, y)[0], tf.nn.conv2d_transpose(y, kernel, [1, 6, 6, 3], 2),
        tf.nn.conv2d_transpose(input=y, filters=kernel, output_shape=[1, 6, 6, 3], strides=[1, 2, 2, 1]),
        tf.nn.conv2d_backprop_input([1, 6, 6, 3], kernel, y, [1, 2, 2, 1], "SAME"),
        tf.nn.conv_transpose(y, kernel, [1, 6, 6, 3], 2),
    ])  # fmt: skip
    for output in outputs[1:]:
        np.testing.assert_allclose(output, outputs[0], rtol=1e-5, atol=1e-6)
    line = run(tf.nn.conv1d_transpose(y[:, 0], kernel[0], [1, 6, 3], 2))
    assert line.shape == (1, 6, 3)


def test_pooling():
    images = waves(1, 4, 6, 2)
    blocks = images.reshape(1, 2, 2, 3, 2, 2)
    most, mean = blocks.max((2, 4)), blocks.mean((2, 4))
    outputs = run([
        tf.nn.max_pool(images, 2, 2, "SAME"), tf.nn.max_pool(images, [1, 2, 2, 1], [1, 2, 2, 1], "VALID"),
        tf.nn.max_pool(input=images, value=None, ksize=2, strides=2, padding="VALID"), tf.nn.pool(images, [2, 2], "MAX", "VALID", strides=[2, 2]),
        tf.nn.max_pool_with_argmax(images, [1, 2, 2, 1], [1, 2, 2, 1], "VALID")[0],
        tf.nn.avg_pool(images, 2, 2, "SAME"), tf.nn.avg_pool2d(images, 2, 2, "VALID"), tf.nn.avg_pool_v2(images, 2, 2, "VALID"),
    ])  # fmt: skip
    for output, value in zip(outputs, [most] * 5 + [mean] * 3):
        np.testing.assert_allclose(output, value, rtol=1e-5)
    with pytest.raises(ValueError, match="Data formats other than 'NHWC' are not yet supported"):
        tf.nn.max_pool_with_argmax(images, 2, 2, "SAME", data_format="NCHW")
    with pytest.raises(ValueError, match="'value' and 'input'|Cannot specify both"):
        tf.nn.max_pool(images, 2, 2, "SAME", input=images)


def test_cross_entropies():
    logits, labels = waves(3, 4), np.float32([[0, 1, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 0, 1]])
    logs = logits - np.log(np.exp(logits).sum(1, keepdims=True))
    right = -(labels * logs).sum(1)
    sigmoid = 1 / (1 + np.exp(-logits))
    each = -labels * np.log(sigmoid) - (1 - labels) * np.log(1 - sigmoid)
    weighted = -labels * np.log(sigmoid) * 3 - (1 - labels) * np.log(1 - sigmoid)
    outputs = run([
        tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits),
        tf.nn.softmax_cross_entropy_with_logits_v2(labels, logits), tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 0, 3], logits=logits),
        tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits),
        tf.nn.weighted_cross_entropy_with_logits(targets=labels, logits=logits, pos_weight=3.0),
        tf.nn.log_poisson_loss(labels, logits),
    ])  # fmt: skip
    sparse = -logs[[0, 1, 2], [1, 0, 3]]
    for output, value in zip(outputs, [right, right, sparse, each, weighted, np.exp(logits) - logits * labels]):
        np.testing.assert_allclose(output, value, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "name",
    ["softmax_cross_entropy_with_logits", "sparse_softmax_cross_entropy_with_logits", "sigmoid_cross_entropy_with_logits"],
)
def test_errors_of_cross_entropies(name):
    function = getattr(tf.nn, name)
    with pytest.raises(ValueError, match=rf"Only call `{name}` with named arguments \(labels=..., logits=..., ...\)"):
        function([1.0], [1.0])
    with pytest.raises(ValueError, match="Both labels and logits must be provided."):
        function(labels=[1.0])


def test_gradients_reach_labels_of_the_second_version_only():
    labels, logits = tf.constant(waves(2, 3)), tf.constant(waves(2, 3))
    first = tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    second = tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits)
    assert tf.gradients(first, labels) == [None]
    assert tf.gradients(second, labels) != [None]


def test_moments_and_normalization():
    x = waves(4, 3)
    mean, variance = x.mean(0), x.var(0)
    outputs = run([
        *tf.nn.moments(x, [0]), tf.nn.batch_normalization(x, mean, variance, 1.0, 2.0, 0.001), *tf.nn.moments(x, [0], keep_dims=True),
        *tf.nn.weighted_moments(x, [0], np.float32([[1], [1], [0], [0]])), tf.nn.l2_normalize(x, dim=1),
        *tf.nn.normalize_moments(*tf.nn.sufficient_statistics(x, [0])),
    ])  # fmt: skip
    expected = [
        mean, variance, (x - mean) / np.sqrt(variance + 0.001) * 2 + 1, mean[None], variance[None], x[:2].mean(0),
        x[:2].var(0), x / np.sqrt((x * x).sum(1, keepdims=True)), mean, variance,
    ]  # fmt: skip
    for output, value in zip(outputs, expected):
        np.testing.assert_allclose(output, value, rtol=1e-4, atol=1e-5)
    image = waves(2, 3, 3, 2)
    y, mean, variance = run(tf.nn.fused_batch_norm(image, [1.0, 1.0], [0.0, 0.0]))
    np.testing.assert_allclose(mean, image.mean((0, 1, 2)), atol=1e-6)
    np.testing.assert_allclose(y.std((0, 1, 2)), [1, 1], atol=1e-2)
    with pytest.raises(ValueError, match="must be a 1D tensor when .is_training. is False"):
        tf.nn.fused_batch_norm(image, [1.0, 1.0], [0.0, 0.0], is_training=False)


def test_embeddings():
    table = waves(7, 3)
    parts = [tf.constant(table[i::2]) for i in range(2)]
    sparse = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], np.int64([1, 4, 6]), [3, 2])
    weights = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], np.float32([1, 3, 2]), [3, 2])
    limited = table / np.maximum(np.sqrt((table * table).sum(1, keepdims=True)), 1)
    with tf.variable_scope("in_parts"):
        cut = tf.get_variable("table", initializer=table, partitioner=tf.fixed_size_partitioner(3))
    outputs = run([
        tf.nn.embedding_lookup(table, [[0, 3], [6, 1]]), tf.nn.embedding_lookup(parts, [5, 0]),
        tf.nn.embedding_lookup(cut, [5, 0], partition_strategy="div"), tf.nn.embedding_lookup(table, [2, 3], max_norm=1.0),
        tf.nn.embedding_lookup(parts, [[2], [3]], max_norm=1.0), tf.nn.embedding_lookup_sparse(table, sparse, None, combiner="sum"),
        tf.nn.embedding_lookup_sparse(table, sparse, weights, combiner="mean"),
        tf.nn.embedding_lookup_sparse(table, sparse, None, combiner="sqrtn", max_norm=1.0),
        tf.nn.safe_embedding_lookup_sparse(table, sparse, combiner="sum"),
    ])  # fmt: skip
    none = np.zeros(3)
    expected = [
        table[[[0, 3], [6, 1]]], table[[5, 0]], table[[5, 0]], limited[[2, 3]], limited[[[2], [3]]],
        [table[1] + table[4], none, table[6]], [(table[1] + 3 * table[4]) / 4, none, table[6]],
        [(limited[1] + limited[4]) / np.sqrt(2), none, limited[6]], [table[1] + table[4], none, table[6]],
    ]  # fmt: skip
    for output, value in zip(outputs, expected):
        np.testing.assert_allclose(output, value, rtol=1e-5, atol=1e-6)


def test_errors_of_embeddings():
    sparse = tf.SparseTensor([[0, 0]], np.int64([1]), [1, 1])
    with pytest.raises(ValueError, match="Need at least one param"):
        tf.nn.embedding_lookup([], [0])
    with pytest.raises(ValueError, match="Need at least one param"):
        tf.nn.embedding_lookup(None, [0])
    with pytest.raises(ValueError, match="combiner must be one of 'mean', 'sqrtn' or 'sum'"):
        tf.nn.embedding_lookup_sparse(waves(2, 2), sparse, None, combiner="max")
    with pytest.raises(TypeError, match="sp_ids must be SparseTensor"):
        tf.nn.embedding_lookup_sparse(waves(2, 2), [1], None, combiner="sum")
    with pytest.raises(TypeError, match="sp_weights must be either None or SparseTensor"):
        tf.nn.embedding_lookup_sparse(waves(2, 2), sparse, [1.0], combiner="sum")
    with pytest.raises(ValueError, match="Unrecognized partition strategy: odd"):
        tf.nn.embedding_lookup([waves(2, 2), waves(2, 2)], [0], "odd")


def test_sampled_losses():
    weights, biases, inputs = waves(6, 3), waves(6), waves(2, 3)
    labels = tf.constant([[1], [4]], tf.int64)
    every = tf.nn.all_candidate_sampler(labels, 1, 6, True)
    loss = tf.nn.sampled_softmax_loss(weights, biases, labels, inputs, 6, 6, sampled_values=every)
    logits = inputs @ weights.T + biases
    expected = np.log(np.exp(logits).sum(1)) - logits[[0, 1], [1, 4]]
    drawn = tf.nn.nce_loss(weights, biases, labels, inputs, 3, 6)
    found, noise = run([loss, drawn])
    np.testing.assert_allclose(found, expected, rtol=1e-4)
    assert noise.shape == (2,)
    sampled, expected_true, expected_sampled = run(tf.nn.log_uniform_candidate_sampler(labels, 1, 4, True, 10, seed=1))
    assert len(set(sampled)) == 4 and expected_true.shape == (2, 1) and expected_sampled.shape == (4,)


@pytest.mark.parametrize("run_cell", [tf.nn.dynamic_rnn, lambda cell, x, **k: tf.nn.static_rnn(cell, tf.unstack(x, axis=1), **k)])
def test_cells_of_keras_take_their_state_in_a_list(run_cell):
    cell = tf.keras.layers.SimpleRNNCell(3, kernel_initializer="ones", recurrent_initializer="zeros")
    _, state = run_cell(cell, tf.constant(waves(2, 4, 1)), dtype=tf.float32)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found = session.run(state)
    np.testing.assert_allclose(found, np.tanh(waves(2, 4, 1)[:, -1] * np.ones((1, 3))), rtol=1e-5)


def test_top_k():
    values, indices = run(tf.nn.top_k([[1.0, 5.0, 3.0]], k=2))
    assert values.tolist() == [[5, 3]] and indices.tolist() == [[1, 2]]
    assert tf.nn.top_k([1.0]).indices.name == "TopKV2_1:1"
    assert run(tf.nn.in_top_k([[1.0, 5.0, 3.0]] * 2, [0, 2], 2)).tolist() == [False, True]


def test_ctc():
    labels = tf.SparseTensor([[0, 0], [0, 1]], tf.constant([0, 1], tf.int32), [1, 2])
    logits = np.log(np.float32([[[0.6, 0.3, 0.1]], [[0.2, 0.7, 0.1]]]))
    loss = tf.nn.ctc_loss(labels, logits, [2])
    decoded, scores = tf.nn.ctc_greedy_decoder(logits, [2])
    best, probability = tf.nn.ctc_beam_search_decoder(logits, [2], top_paths=1)
    found, path, score, other, likely = run([loss, decoded[0].values, scores, best[0].values, probability])
    np.testing.assert_allclose(found, [-np.log(0.42)], rtol=1e-4)
    assert path.tolist() == [0, 1] == other.tolist()
    np.testing.assert_allclose([score[0, 0], likely[0, 0]], [-np.log(0.42), np.log(0.42)], rtol=1e-4)
    with pytest.raises(TypeError, match=r"Expected labels \(first argument\) to be a SparseTensor"):
        tf.nn.ctc_loss([0], logits, [2])


def test_named_twice():
    for call in (
        lambda: tf.nn.softmax([1.0], axis=0, dim=0),
        lambda: tf.nn.conv2d(waves(1, 3, 3, 1), waves(2, 2, 1, 1), 1, "SAME", filters=waves(2, 2, 1, 1)),
        lambda: tf.nn.moments([1.0], [0], keep_dims=True, keepdims=True),
    ):
        with pytest.raises(ValueError, match="Cannot specify both"):
            call()


def test_moments_of_the_batch_beside_given_ones():
    x, ones, zeros = tf.constant(waves(2, 3, 3, 2)), [1.0, 1.0], [0.0, 0.0]
    own = tf.nn.fused_batch_norm(x, ones, zeros)[1]
    mixed = tf.nn.fused_batch_norm(x, ones, zeros, [4.0, 8.0], ones, exponential_avg_factor=0.25)[1]
    expected, found = run([own * 0.25 + [3.0, 6.0], mixed])
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    with pytest.raises(ValueError, match="must be a 1D tensor"):
        tf.nn.fused_batch_norm(x, ones, zeros, exponential_avg_factor=0.25)


def test_places_of_sparse_values_in_lists_are_int64():
    sparse = tf.SparseTensorValue([[0, 1], [1, 0]], [3, 4], [2, 2])
    assert run(tf.sparse_tensor_to_dense(sparse)).tolist() == [[0, 3], [4, 0]]
    labels = tf.SparseTensorValue([[0, 0]], np.array([1]), [1, 1])
    _, update = tf.metrics.recall_at_k(labels, [[0.1, 0.9]], 1)
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        assert session.run(update) == 1
