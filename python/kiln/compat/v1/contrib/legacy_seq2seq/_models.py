"""An encoder and a decoder together."""

import copy

import kiln.compat.v1 as tf
from kiln.compat.v1._util import nest
from kiln.compat.v1.contrib.legacy_seq2seq._attention import embedding_attention_decoder
from kiln.compat.v1.contrib.legacy_seq2seq._decoders import (
    argmax_and_embed,
    check_projection,
    embedding_rnn_decoder,
    rnn_decoder,
)
from kiln.compat.v1.contrib.rnn._wrappers import EmbeddingWrapper, OutputProjectionWrapper
from kiln.compat.v1.nn._rnn import static_rnn
from kiln.compat.v1.nn.rnn_cell import RNNCell


def _as_fed(feed_previous, decode, count, state_like):
    """decode(True) or decode(False), as a bool or a tensor says. Returns (outputs, state).

    decode: gives (count outputs, state). state_like: a function without arguments; the state has
    its result's structure.
    """
    if isinstance(feed_previous, bool):
        return decode(feed_previous)

    def branch(feeds):
        with tf.variable_scope(tf.get_variable_scope(), reuse=None if feeds else True):
            outputs, state = decode(feeds)
            return outputs + nest.flatten(state)

    found = tf.cond(feed_previous, lambda: branch(True), lambda: branch(False))
    state, like = found[count:], state_like()
    state = nest.pack_sequence_as(like, state) if nest.is_nested(like) else state[0]
    return found[:count], state


def basic_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, dtype=tf.float32, scope=None):
    """A cell over encoder_inputs, and another like it from that state over decoder_inputs.

    Both are lists of [batch, columns]. Returns (list of outputs, last state). Source:
    tf.contrib.legacy_seq2seq.basic_rnn_seq2seq.
    """
    with tf.variable_scope(scope or "basic_rnn_seq2seq"):
        _, state = static_rnn(copy.deepcopy(cell), encoder_inputs, dtype=dtype)
        return rnn_decoder(decoder_inputs, state, cell)


def tied_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, loop_function=None, dtype=tf.float32, scope=None):
    """The same cell over encoder_inputs and from that state over decoder_inputs.

    loop_function: as rnn_decoder() has it. Returns (list of outputs, last state). Source:
    tf.contrib.legacy_seq2seq.tied_rnn_seq2seq.
    """
    with tf.variable_scope("combined_tied_rnn_seq2seq"):
        scope = scope or "tied_rnn_seq2seq"
        _, state = static_rnn(cell, encoder_inputs, dtype=dtype, scope=scope)
        tf.get_variable_scope().reuse_variables()
        return rnn_decoder(decoder_inputs, state, cell, loop_function=loop_function, scope=scope)


def _encoder_of(cell, num_symbols, embedding_size):
    return EmbeddingWrapper(
        copy.deepcopy(cell), embedding_classes=num_symbols, embedding_size=embedding_size
    )


def embedding_rnn_seq2seq(
    encoder_inputs, decoder_inputs, cell, num_encoder_symbols, num_decoder_symbols, embedding_size,
    output_projection=None, feed_previous=False, dtype=None, scope=None,
):  # fmt: skip
    """A cell over embedded ids, and another like it from that state over other embedded ids.

    Both are lists of [batch] of int32. Without output_projection outputs are logits. feed_previous:
    a bool, or a tensor of one: whether the decoder takes what it gave out last. Returns (list of
    outputs, last state). Source: tf.contrib.legacy_seq2seq.embedding_rnn_seq2seq.
    """
    with tf.variable_scope(scope or "embedding_rnn_seq2seq") as scope:
        if dtype is not None:
            scope.set_dtype(dtype)
        else:
            dtype = scope.dtype
        encoder = _encoder_of(cell, num_encoder_symbols, embedding_size)
        _, first = static_rnn(encoder, encoder_inputs, dtype=dtype)
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols)

        def decode(feeds):
            # With a tensor the gradient does not flow back through what was given out.
            options = {} if isinstance(feed_previous, bool) else {"update_embedding_for_previous": False}
            return embedding_rnn_decoder(
                decoder_inputs, first, cell, num_decoder_symbols, embedding_size, output_projection=output_projection,
                feed_previous=feeds, **options,
            )  # fmt: skip

        return _as_fed(feed_previous, decode, len(decoder_inputs), lambda: first)


def embedding_tied_rnn_seq2seq(
    encoder_inputs, decoder_inputs, cell, num_symbols, embedding_size, num_decoder_symbols=None,
    output_projection=None, feed_previous=False, dtype=None, scope=None,
):  # fmt: skip
    """As embedding_rnn_seq2seq(), with one cell and one embedding for both.

    num_decoder_symbols: the columns of outputs, num_symbols by default. Source:
    tf.contrib.legacy_seq2seq.embedding_tied_rnn_seq2seq.
    """
    with tf.variable_scope(scope or "embedding_tied_rnn_seq2seq", dtype=dtype) as scope:
        dtype = scope.dtype
        check_projection(output_projection, num_symbols, dtype)
        embedding = tf.get_variable("embedding", [num_symbols, embedding_size], dtype=dtype)
        encoded = [tf.nn.embedding_lookup(embedding, ids) for ids in encoder_inputs]
        decoded = [tf.nn.embedding_lookup(embedding, ids) for ids in decoder_inputs]
        if output_projection is None:
            cell = OutputProjectionWrapper(
                cell, num_symbols if num_decoder_symbols is None else num_decoder_symbols
            )

        def decode(feeds):
            updates = isinstance(feed_previous, bool)
            loop_function = argmax_and_embed(embedding, output_projection, updates) if feeds else None
            return tied_rnn_seq2seq(encoded, decoded, cell, loop_function=loop_function, dtype=dtype)

        def state_like():
            batch = encoder_inputs[0].get_shape()[0]
            for other in encoder_inputs[1:]:
                batch.merge_with(other.get_shape()[0])
            count = tf.shape(encoder_inputs[0])[0] if batch.value is None else batch.value
            return cell.zero_state(count, dtype)

        return _as_fed(feed_previous, decode, len(decoder_inputs), state_like)


def embedding_attention_seq2seq(
    encoder_inputs, decoder_inputs, cell, num_encoder_symbols, num_decoder_symbols, embedding_size, num_heads=1,
    output_projection=None, feed_previous=False, dtype=None, scope=None, initial_state_attention=False,
):  # fmt: skip
    """As embedding_rnn_seq2seq(), with a decoder that attends to the outputs of the encoder.

    num_heads, initial_state_attention: as attention_decoder() has them. Source:
    tf.contrib.legacy_seq2seq.embedding_attention_seq2seq.
    """
    with tf.variable_scope(scope or "embedding_attention_seq2seq", dtype=dtype) as scope:
        dtype = scope.dtype
        encoder = _encoder_of(cell, num_encoder_symbols, embedding_size)
        outputs, first = static_rnn(encoder, encoder_inputs, dtype=dtype)
        states = tf.concat([tf.reshape(each, [-1, 1, cell.output_size]) for each in outputs], 1)
        output_size = None
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols)
            output_size = num_decoder_symbols

        def decode(feeds):
            options = {} if isinstance(feed_previous, bool) else {"update_embedding_for_previous": False}
            return embedding_attention_decoder(
                decoder_inputs, first, states, cell, num_decoder_symbols, embedding_size, num_heads=num_heads,
                output_size=output_size, output_projection=output_projection, feed_previous=feeds,
                initial_state_attention=initial_state_attention, **options,
            )  # fmt: skip

        return _as_fed(feed_previous, decode, len(decoder_inputs), lambda: first)


def one2many_rnn_seq2seq(
    encoder_inputs, decoder_inputs_dict, enc_cell, dec_cells_dict, num_encoder_symbols, num_decoder_symbols_dict,
    embedding_size, feed_previous=False, dtype=None, scope=None,
):  # fmt: skip
    """One encoder and several decoders, by their names. Returns (dict of outputs, dict of last states).

    Arguments as embedding_rnn_seq2seq() has them, for the decoders in dicts. Errors: TypeError,
    ValueError. Source: tf.contrib.legacy_seq2seq.one2many_rnn_seq2seq.
    """
    if not isinstance(enc_cell, RNNCell):
        raise TypeError(f"enc_cell is not an RNNCell: {type(enc_cell)}")
    if set(dec_cells_dict) != set(decoder_inputs_dict):
        raise ValueError("keys of dec_cells_dict != keys of decodre_inputs_dict")
    for cell in dec_cells_dict.values():
        if not isinstance(cell, RNNCell):
            raise TypeError(f"dec_cell is not an RNNCell: {type(cell)}")
    all_outputs, all_states = {}, {}
    with tf.variable_scope(scope or "one2many_rnn_seq2seq", dtype=dtype) as scope:
        encoder = EmbeddingWrapper(
            enc_cell, embedding_classes=num_encoder_symbols, embedding_size=embedding_size
        )
        _, first = static_rnn(encoder, encoder_inputs, dtype=scope.dtype)
        for name, decoder_inputs in decoder_inputs_dict.items():
            symbols = num_decoder_symbols_dict[name]
            with tf.variable_scope(f"one2many_decoder_{name}"):
                cell = OutputProjectionWrapper(dec_cells_dict[name], symbols)

                def decode(feeds, inputs=decoder_inputs, cell=cell, symbols=symbols):
                    return embedding_rnn_decoder(inputs, first, cell, symbols, embedding_size, feed_previous=feeds)

                all_outputs[name], all_states[name] = _as_fed(
                    feed_previous, decode, len(decoder_inputs), lambda: first
                )
    return all_outputs, all_states
