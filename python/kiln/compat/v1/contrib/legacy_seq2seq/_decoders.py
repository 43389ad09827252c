"""Decoders: a cell over a list of inputs, or over what it gave out last."""

import kiln.compat.v1 as tf


def argmax_and_embed(embedding, output_projection=None, update_embedding=True):
    """A loop_function: the embedding of the largest output's index.

    output_projection: (weights, biases) that outputs go through before. update_embedding: whether
    gradients flow back to the embedding.
    """

    def loop_function(previous, _):
        if output_projection is not None:
            previous = tf.nn.xw_plus_b(previous, output_projection[0], output_projection[1])
        embedded = tf.nn.embedding_lookup(embedding, tf.argmax(previous, 1))
        return embedded if update_embedding else tf.stop_gradient(embedded)

    return loop_function


def rnn_decoder(decoder_inputs, initial_state, cell, loop_function=None, scope=None):
    """Runs a cell over a list of [batch, columns]. Returns (list of outputs, last state).

    loop_function(output before, number of the step): makes the inputs of all steps but the first.
    scope: the variable scope, "rnn_decoder". Source: tf.contrib.legacy_seq2seq.rnn_decoder.
    """
    with tf.variable_scope(scope or "rnn_decoder"):
        state, outputs = initial_state, []
        for i, step in enumerate(decoder_inputs):
            if loop_function is not None and outputs:
                with tf.variable_scope("loop_function", reuse=True):
                    step = loop_function(outputs[-1], i)
            if i > 0:
                tf.get_variable_scope().reuse_variables()
            output, state = cell(step, state)
            outputs.append(output)
    return outputs, state


def check_projection(output_projection, num_symbols, dtype, parts=2):
    """Errors: ValueError where (weights, biases) do not give num_symbols columns."""
    if output_projection is None:
        return
    shapes = [[None, num_symbols], [num_symbols]]
    for value, shape in list(zip(output_projection, shapes))[2 - parts :]:
        tf.convert_to_tensor(value, dtype=dtype).get_shape().assert_is_compatible_with(shape)


def embedding_rnn_decoder(
    decoder_inputs, initial_state, cell, num_symbols, embedding_size, output_projection=None, feed_previous=False,
    update_embedding_for_previous=True, scope=None,
):  # fmt: skip
    """rnn_decoder() over a list of ids, [batch] of int32, with an embedding of its own.

    feed_previous: whether the steps but the first take what was given out last, by
    output_projection where there is one; update_embedding_for_previous: whether gradients flow
    back that way. Variables "embedding_rnn_decoder/embedding", "embedding_rnn_decoder/rnn_decoder/...".
    Errors: ValueError. Source: tf.contrib.legacy_seq2seq.embedding_rnn_decoder.
    """
    with tf.variable_scope(scope or "embedding_rnn_decoder") as scope:
        check_projection(output_projection, num_symbols, scope.dtype)
        embedding = tf.get_variable("embedding", [num_symbols, embedding_size])
        loop_function = None
        if feed_previous:
            loop_function = argmax_and_embed(embedding, output_projection, update_embedding_for_previous)
        embedded = (tf.nn.embedding_lookup(embedding, ids) for ids in decoder_inputs)
        return rnn_decoder(embedded, initial_state, cell, loop_function=loop_function)
