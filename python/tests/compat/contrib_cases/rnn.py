"""Cases of tf.contrib.rnn."""


def _x(tf):
    return tf.random_uniform([2, 5, 3], seed=3)


def _start(tf):
    return tf.variable_scope("net", initializer=tf.constant_initializer(0.1))


def _run(tf, *cells, x=None, gradients=True):
    made = []
    with _start(tf):
        for i, cell in enumerate(cells):
            outputs, _ = tf.nn.dynamic_rnn(cell, _x(tf) if x is None else x, dtype=tf.float32, scope=f"n{i}")
            made.append(outputs)
    if gradients:
        made += [each for each in tf.gradients(made, tf.trainable_variables()) if each is not None]
    return made


def memory_cells(tf, contrib):
    rnn = contrib.rnn
    return _run(
        tf, rnn.CoupledInputForgetGateLSTMCell(4, use_peepholes=True, num_proj=2, proj_clip=0.4),
        rnn.CoupledInputForgetGateLSTMCell(4, layer_norm=True), rnn.LayerNormBasicLSTMCell(4),
        rnn.LayerNormBasicLSTMCell(4, layer_norm=False, forget_bias=0.5), rnn.NASCell(4), rnn.NASCell(4, 2, True),
    )  # fmt: skip


def phased(tf, contrib):
    x = (tf.random_uniform([2, 5, 1], seed=1), _x(tf))
    return _run(tf, contrib.rnn.PhasedLSTMCell(4, use_peepholes=True, leak=0.01, period_init_max=100.0), x=x, gradients=False) and None


def gated_cells(tf, contrib):
    rnn = contrib.rnn
    return _run(
        tf, rnn.UGRNNCell(4), rnn.IntersectionRNNCell(3), rnn.SRUCell(4),
        rnn.IndRNNCell(4), rnn.IndyGRUCell(4), rnn.IndyLSTMCell(4),
    )  # fmt: skip


def wrappers(tf, contrib):
    rnn = contrib.rnn
    cells = tf.nn.rnn_cell
    return _run(
        tf, rnn.AttentionCellWrapper(cells.GRUCell(4), 3, state_is_tuple=True), rnn.HighwayWrapper(cells.GRUCell(3)),
        rnn.HighwayWrapper(cells.GRUCell(3), couple_carry_transform_gates=False, carry_bias_init=0.5),
        rnn.OutputProjectionWrapper(cells.GRUCell(4), 2), rnn.InputProjectionWrapper(cells.GRUCell(4), 2, activation=tf.tanh),
        rnn.ResidualWrapper(cells.GRUCell(3)), rnn.GLSTMCell(4, number_of_groups=1), rnn.GLSTMCell(4, num_proj=2, number_of_groups=1),
    )  # fmt: skip


def embedding_wrapper(tf, contrib):
    cell = contrib.rnn.EmbeddingWrapper(tf.nn.rnn_cell.GRUCell(4), 7, 3)
    with _start(tf):
        return cell(tf.constant([[1], [3]]), cell.zero_state(2, tf.float32))[0]


def convolutional(tf, contrib):
    rnn = contrib.rnn
    x = tf.random_uniform([2, 3, 6, 5, 2], seed=3)
    return _run(
        tf, rnn.Conv2DLSTMCell(input_shape=[6, 5, 2], output_channels=3, kernel_shape=[3, 3]), rnn.ConvLSTMCell(2, [6, 5, 2], 3, [2, 2]), x=x
    )  # fmt: skip


def convolutional_sequences(tf, contrib):
    return _run(tf, contrib.rnn.Conv1DLSTMCell(input_shape=[6, 2], output_channels=3, kernel_shape=[3]), x=tf.random_uniform([2, 3, 6, 2], seed=3))


def stacked(tf, contrib):
    rnn, cells = contrib.rnn, tf.nn.rnn_cell
    steps = tf.unstack(_x(tf), axis=1)
    with _start(tf):
        outputs, first, second = rnn.stack_bidirectional_dynamic_rnn(
            [cells.GRUCell(4), cells.GRUCell(3)], [cells.GRUCell(4), cells.GRUCell(3)], _x(tf), dtype=tf.float32,
            sequence_length=[5, 2],
        )  # fmt: skip
        more, _, _ = rnn.stack_bidirectional_rnn(
            [cells.GRUCell(4)], [cells.GRUCell(4)], steps, dtype=tf.float32, scope="more"
        )
    return [outputs, *first, *second, *more]


def fused_by_cells(tf, contrib):
    rnn = contrib.rnn
    x = tf.transpose(_x(tf), [1, 0, 2])
    with _start(tf):
        one = rnn.FusedRNNCellAdaptor(tf.nn.rnn_cell.BasicRNNCell(4))
        outputs, _ = one(x, dtype=tf.float32, sequence_length=[5, 2])
        reverse = rnn.TimeReversedFusedRNN(rnn.FusedRNNCellAdaptor(tf.nn.rnn_cell.BasicRNNCell(4), use_dynamic_rnn=True))
        more, _ = reverse(x, dtype=tf.float32, sequence_length=[5, 2], scope="more")
    return [outputs, more]


def bidirectional_time(tf, contrib):
    with _start(tf):
        outputs, _ = contrib.rnn.static_rnn(contrib.rnn.LSTMCell(4), tf.unstack(_x(tf), axis=1), dtype=tf.float32)
    return outputs[-1]


def transposed(tf, contrib):
    return contrib.rnn.transpose_batch_time(_x(tf))


def legacy_attention(tf, contrib):
    legacy = contrib.legacy_seq2seq
    steps = tf.unstack(_x(tf), axis=1)
    with _start(tf):
        outputs, state = legacy.attention_decoder(steps, tf.zeros([2, 4]), _x(tf), tf.nn.rnn_cell.GRUCell(4), num_heads=2)
    return [*outputs, state]


def legacy_models(tf, contrib):
    legacy = contrib.legacy_seq2seq
    ids = [tf.constant([1, 2]), tf.constant([3, 0]), tf.constant([2, 2])]
    cell = tf.nn.rnn_cell.GRUCell
    with _start(tf):
        made = []
        made += legacy.basic_rnn_seq2seq(tf.unstack(_x(tf), axis=1), tf.unstack(_x(tf), axis=1), cell(4))[0]
        made += legacy.tied_rnn_seq2seq(tf.unstack(_x(tf), axis=1), tf.unstack(_x(tf), axis=1), cell(4))[0]
        made += legacy.embedding_rnn_seq2seq(ids, ids, cell(4), 5, 6, 3)[0]
        made += legacy.embedding_rnn_seq2seq(ids, ids, cell(4), 5, 6, 3, feed_previous=True, scope="a")[0]
        made += legacy.embedding_attention_seq2seq(ids, ids, cell(4), 5, 6, 3)[0]
        made += legacy.embedding_attention_seq2seq(ids, ids, cell(4), 5, 6, 3, feed_previous=tf.constant(True), scope="b")[0]
        made += legacy.embedding_tied_rnn_seq2seq(ids, ids, cell(4), 6, 3)[0]
        made += legacy.rnn_decoder([tf.zeros([2, 3])] * 3, tf.zeros([2, 4]), cell(4), scope="c")[0]
        weights = [tf.ones([2])] * 3
        logits = [tf.random_normal([2, 6], seed=i) for i in range(3)]
        made.append(legacy.sequence_loss(logits, ids, weights))
        made.append(legacy.sequence_loss_by_example(logits, ids, weights, average_across_timesteps=False))
    return made


def legacy_buckets(tf, contrib):
    legacy = contrib.legacy_seq2seq
    ids = [tf.constant([1, 2])] * 4
    weights = [tf.ones([2])] * 4

    def model(inputs, outputs):
        return legacy.embedding_attention_seq2seq(inputs, outputs, tf.nn.rnn_cell.GRUCell(4), 5, 6, 3)

    with _start(tf):
        outputs, losses = legacy.model_with_buckets(ids, ids, ids, weights, [(2, 2), (4, 4)], model)
    return [outputs[-1][-1], *losses]
