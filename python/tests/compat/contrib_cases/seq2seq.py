"""Cases of tf.contrib.seq2seq."""


def _start(tf):
    return tf.variable_scope("net", initializer=tf.constant_initializer(0.1))


def _memory(tf):
    return tf.random_uniform([2, 6, 4], seed=5), tf.placeholder_with_default([6, 3], [None])


def _targets(tf):
    return tf.random_uniform([2, 5, 3], seed=3), tf.constant([5, 2])


def _table(tf):
    return tf.random_uniform([7, 3], seed=6)


def _cell(tf):
    class OwnCell(tf.nn.rnn_cell.RNNCell):
        """As programs write them."""

        state_size = property(lambda self: 4)
        output_size = property(lambda self: 4)

        def call(self, inputs, state):
            weights = tf.get_variable("w", [inputs.shape[-1] + 4, 4])
            output = tf.tanh(tf.matmul(tf.concat([inputs, state], 1), weights))
            return output, output

    return OwnCell()


def _decoded(tf, contrib, cell, helper=None, **options):
    seq2seq = contrib.seq2seq
    with _start(tf):
        helper = helper or seq2seq.TrainingHelper(*_targets(tf))
        decoder = seq2seq.BasicDecoder(
            cell, helper, cell.zero_state(2, tf.float32), tf.layers.Dense(7, use_bias=False)
        )
        outputs, state, lengths = seq2seq.dynamic_decode(decoder, **options)
    return outputs, state, lengths


def training(tf, contrib):
    outputs, state, lengths = _decoded(tf, contrib, tf.nn.rnn_cell.GRUCell(4))
    loss = contrib.seq2seq.sequence_loss(
        outputs.rnn_output, tf.constant([[1, 2, 3, 4, 5], [1, 2, 3, 4, 5]]), tf.sequence_mask([5, 2], 5, dtype=tf.float32)
    )
    return [outputs.rnn_output, outputs.sample_id, state, lengths, loss, *tf.gradients(loss, tf.trainable_variables())]


def training_of_own_cell(tf, contrib):
    outputs, state, lengths = _decoded(tf, contrib, _cell(tf), impute_finished=True, maximum_iterations=4)
    return [outputs.rnn_output, state, lengths]


def greedy(tf, contrib):
    helper = contrib.seq2seq.GreedyEmbeddingHelper(_table(tf), tf.constant([1, 1]), 2)
    outputs, state, lengths = _decoded(tf, contrib, _cell(tf), helper, maximum_iterations=6, output_time_major=True)
    return [outputs.rnn_output, outputs.sample_id, state, lengths]


def greedy_by_function(tf, contrib):
    table = _table(tf)
    helper = contrib.seq2seq.GreedyEmbeddingHelper(lambda ids: tf.gather(table, ids), tf.fill([2], 1), 2)
    outputs, _, lengths = _decoded(
        tf, contrib, _cell(tf), helper, maximum_iterations=tf.constant(6), swap_memory=True, scope="mine"
    )
    return [outputs.sample_id, lengths]


def sampled(tf, contrib):
    helper = contrib.seq2seq.SampleEmbeddingHelper(_table(tf), tf.constant([1, 1]), 2, 0.7, seed=3)
    _decoded(tf, contrib, _cell(tf), helper, maximum_iterations=6)


def scheduled(tf, contrib):
    seq2seq = contrib.seq2seq
    inputs, lengths = _targets(tf)
    _decoded(tf, contrib, _cell(tf), seq2seq.ScheduledEmbeddingTrainingHelper(inputs, lengths, _table(tf), 0.5, seed=3))
    cell = tf.nn.rnn_cell.GRUCell(3)
    helper = seq2seq.ScheduledOutputTrainingHelper(inputs, lengths, tf.constant(0.5), seed=3)
    with tf.variable_scope("more"):
        seq2seq.dynamic_decode(seq2seq.BasicDecoder(cell, helper, cell.zero_state(2, tf.float32)))


def custom_helper(tf, contrib):
    helper = contrib.seq2seq.CustomHelper(
        initialize_fn=lambda: (tf.tile([False], [2]), tf.zeros([2, 3])),
        sample_fn=lambda time, outputs, state: tf.cast(tf.argmax(outputs, 1), tf.int32),
        next_inputs_fn=lambda time, outputs, state, sample_ids: (tf.fill([2], time >= 4), outputs[:, :3], state),
    )
    outputs, _, lengths = _decoded(tf, contrib, _cell(tf), helper, maximum_iterations=9)
    return [outputs.rnn_output, lengths]


def inference_helper(tf, contrib):
    helper = contrib.seq2seq.InferenceHelper(
        lambda outputs: outputs[:, :3], [3], tf.float32, tf.zeros([2, 3]), lambda ids: tf.fill([2], tf.reduce_any(ids > 9))
    )
    outputs, _, _ = _decoded(tf, contrib, _cell(tf), helper, maximum_iterations=4)
    return outputs.rnn_output


def _attended(tf, contrib, mechanism, **options):
    cell = contrib.seq2seq.AttentionWrapper(_cell(tf), mechanism, **options)
    return _decoded(tf, contrib, cell)


def luong(tf, contrib):
    memory, lengths = _memory(tf)
    with _start(tf):
        mechanism = contrib.seq2seq.LuongAttention(4, memory, lengths, scale=True)
    outputs, state, _ = _attended(tf, contrib, mechanism, attention_layer_size=5, alignment_history=True)
    return [outputs.rnn_output, state.cell_state, state.attention, state.alignments, state.alignment_history.stack()]


def bahdanau(tf, contrib):
    memory, lengths = _memory(tf)
    with _start(tf):
        mechanism = contrib.seq2seq.BahdanauAttention(4, memory, lengths)
        normed = contrib.seq2seq.BahdanauAttention(4, memory, normalize=True, name="Normed")
    outputs, state, _ = _attended(tf, contrib, [mechanism, normed], attention_layer_size=[2, 3], output_attention=False)
    loss = tf.reduce_sum(outputs.rnn_output)
    return [outputs.rnn_output, state.cell_state, state.attention, *tf.gradients(loss, tf.trainable_variables())]


def monotonic(tf, contrib):
    memory, lengths = _memory(tf)
    made = []
    for i, mode in enumerate(["parallel", "recursive", "hard"]):
        with tf.variable_scope(f"m{i}"), _start(tf):
            first = contrib.seq2seq.BahdanauMonotonicAttention(4, memory, lengths, mode=mode, score_bias_init=-0.5)
            second = contrib.seq2seq.LuongMonotonicAttention(4, memory, lengths, mode=mode, scale=True)
            outputs, _, _ = _attended(tf, contrib, [first, second])
            made.append(outputs.rnn_output)
    return made


def noisy_monotonic(tf, contrib):
    memory, _ = _memory(tf)
    mechanism = contrib.seq2seq.LuongMonotonicAttention(4, memory, sigmoid_noise=1.0, sigmoid_noise_seed=3)
    _attended(tf, contrib, mechanism)


def attention_over_stack(tf, contrib):
    memory, lengths = _memory(tf)
    cells = tf.nn.rnn_cell
    with _start(tf):
        mechanism = contrib.seq2seq.LuongAttention(4, memory, lengths, probability_fn=tf.nn.softmax)
        stack = cells.MultiRNNCell([cells.DropoutWrapper(cells.LSTMCell(4), 0.999), _cell(tf)])
        cell = contrib.seq2seq.AttentionWrapper(
            stack, mechanism, attention_layer=tf.layers.Dense(3), initial_cell_state=stack.zero_state(2, tf.float32),
            cell_input_fn=lambda inputs, attention: inputs + tf.reduce_sum(attention),
        )  # fmt: skip
        outputs, state = tf.nn.dynamic_rnn(cell, _targets(tf)[0], dtype=tf.float32)
    return None


def wrapper_state_clone(tf, contrib):
    memory, lengths = _memory(tf)
    with _start(tf):
        mechanism = contrib.seq2seq.LuongAttention(4, memory, lengths)
        cell = contrib.seq2seq.AttentionWrapper(_cell(tf), mechanism, attention_layer_size=4)
        state = cell.zero_state(2, tf.float32).clone(cell_state=tf.ones([2, 4]))
        helper = contrib.seq2seq.TrainingHelper(*_targets(tf), time_major=False)
        decoder = contrib.seq2seq.BasicDecoder(cell, helper, state)
        outputs, state, _ = contrib.seq2seq.dynamic_decode(decoder)
    return [outputs.rnn_output, state.attention]


def _beams(tf, contrib, cell, state, **options):
    class Steps(contrib.seq2seq.BeamSearchDecoder):
        """Without what gathers the beams."""

        def finalize(self, outputs, final_state, sequence_lengths):
            raise NotImplementedError

    decoder = Steps(
        cell, _table(tf), tf.constant([1, 1]), 2, state, 3, tf.layers.Dense(7, use_bias=False), **options
    )
    return contrib.seq2seq.dynamic_decode(decoder, maximum_iterations=5)


def beam_search(tf, contrib):
    cell = _cell(tf)
    with _start(tf):
        state = contrib.seq2seq.tile_batch(tf.random_uniform([2, 4], seed=8), 3)
        outputs, state, lengths = _beams(tf, contrib, cell, state)
    return [outputs.scores, outputs.predicted_ids, outputs.parent_ids, state.log_probs, lengths]


def beam_search_with_penalties(tf, contrib):
    cell = tf.nn.rnn_cell.LSTMCell(4)
    with _start(tf):
        state = contrib.seq2seq.tile_batch(cell.zero_state(2, tf.float32), 3)
        outputs, _, _ = _beams(tf, contrib, cell, state, length_penalty_weight=0.6, coverage_penalty_weight=0.0)
    return [outputs.scores, outputs.predicted_ids]


def beam_search_with_attention(tf, contrib):
    memory, lengths = _memory(tf)
    tiled = contrib.seq2seq.tile_batch
    with _start(tf):
        mechanism = contrib.seq2seq.BahdanauAttention(4, tiled(memory, 3), tiled(lengths, 3))
        cell = contrib.seq2seq.AttentionWrapper(_cell(tf), mechanism, attention_layer_size=4)
        state = cell.zero_state(6, tf.float32).clone(cell_state=tiled(tf.zeros([2, 4]), 3))
        outputs, _, _ = _beams(tf, contrib, cell, state)
    return [outputs.scores, outputs.predicted_ids]


def sequence_losses(tf, contrib):
    logits, targets = tf.random_normal([2, 3, 4], seed=3), tf.constant([[0, 1, 2], [3, 2, 1]])
    weights = tf.constant([[1.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    loss = contrib.seq2seq.sequence_loss
    return [
        loss(logits, targets, weights),
        loss(logits, targets, weights, average_across_timesteps=False),
        loss(logits, targets, weights, average_across_batch=False),
        loss(logits, targets, weights, False, False, name="mine"),
        loss(logits, targets, weights, softmax_loss_function=lambda labels, logits: tf.cast(labels, tf.float32)),
    ]


def wrong_mechanism(tf, contrib):
    contrib.seq2seq.AttentionWrapper(_cell(tf), 3)


def wrong_helper(tf, contrib):
    contrib.seq2seq.BasicDecoder(_cell(tf), 3, tf.zeros([2, 4]))


def wrong_decoder(tf, contrib):
    contrib.seq2seq.dynamic_decode(3)


def wrong_logits(tf, contrib):
    contrib.seq2seq.sequence_loss(tf.zeros([2, 3]), tf.zeros([2, 3], tf.int32), tf.zeros([2, 3]))
