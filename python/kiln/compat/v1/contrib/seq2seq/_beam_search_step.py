"""One step of a beam search."""

import kiln.compat.v1 as tf
from kiln.compat.v1._constant_value import constant_value
from kiln.compat.v1._util import nest
from kiln.compat.v1.contrib.seq2seq._attention_wrapper import AttentionWrapperState


def static_number(value):
    """The int that a number or a tensor is known to be; None otherwise."""
    known = constant_value(value) if isinstance(value, tf.Tensor) else value
    return None if known is None else int(known)


def check_ndims(tensor):
    if tensor.shape.ndims is None:
        raise ValueError(f"Expected tensor ({tensor}) to have known rank, but ndims == None.")


def _mean_of(probabilities):
    """The mean of what several mechanisms or cells say."""
    stacked = tf.concat([tf.expand_dims(each, -1) for each in probabilities], -1)
    return tf.reduce_mean(stacked, -1)


def attention_probs(cell_state, coverage_penalty_weight):
    """The alignments in a state; None where coverage does not count. Errors: ValueError where there are none."""
    if coverage_penalty_weight == 0.0:
        return None
    states = cell_state if type(cell_state) is tuple else (cell_state,)
    found = []
    for state in states:
        if isinstance(state, AttentionWrapperState):
            aligned = state.alignments
            found.append(_mean_of(aligned) if isinstance(aligned, tuple) else aligned)
    if not found:
        raise ValueError("coverage_penalty_weight must be 0.0 if no cell is attentional.")
    return found[0] if len(found) == 1 else _mean_of(found)


def _length_penalty(lengths, weight):
    weight = tf.convert_to_tensor(weight, name="penalty_factor")
    weight.set_shape(())
    known = constant_value(weight)
    if known is not None and known == 0:
        return 1.0
    return tf.div((5.0 + tf.cast(lengths, tf.float32)) ** weight, (5.0 + 1.0) ** weight)


def _scores(log_probs, lengths, length_penalty_weight, coverage_penalty_weight, finished, attended):
    """Log probabilities, with penalties for length and for what was not attended to, arXiv 1609.08144."""
    penalty = tf.cast(_length_penalty(lengths, length_penalty_weight), dtype=log_probs.dtype)
    scores = log_probs / penalty
    weight = tf.convert_to_tensor(coverage_penalty_weight, name="coverage_penalty_weight")
    if weight.shape.ndims != 0:
        raise ValueError(f"coverage_penalty_weight should be a scalar, but saw shape: {weight.shape}")
    if constant_value(weight) == 0.0:
        return scores
    if attended is None:
        raise ValueError("accumulated_attention_probs can be None only if coverage penalty is disabled.")
    # Steps that are behind the end of a memory have a probability of 0, and no penalty.
    attended = tf.where(tf.equal(attended, 0.0), tf.ones_like(attended), attended)
    coverage = tf.reduce_sum(tf.log(tf.minimum(attended, 1.0)), 2)
    coverage *= tf.cast(finished, tf.float32)
    return scores + tf.expand_dims(coverage * weight, 2)


def _mask_probs(log_probs, end_token, finished):
    """Log probabilities where beams that are over can be followed by the end token alone."""
    vocabulary = tf.shape(log_probs)[2]
    end_row = tf.one_hot(
        end_token, vocabulary, dtype=log_probs.dtype, on_value=tf.convert_to_tensor(0.0, dtype=log_probs.dtype),
        off_value=log_probs.dtype.min,
    )  # fmt: skip
    ended = tf.tile(tf.reshape(end_row, [1, 1, -1]), tf.concat([tf.shape(finished), [1]], 0))
    mask = tf.tile(tf.expand_dims(finished, 2), [1, 1, vocabulary])
    return tf.where(mask, ended, log_probs)


def gather_beams(indices, tensor, batch_size, range_size, gather_shape, name=None):
    """The rows of a tensor [batch, range_size, ...] at the indices [batch, beams] of each batch.

    gather_shape: what the tensor is reshaped to before.
    """
    with tf.name_scope(name, "tensor_gather_helper"):
        first = tf.expand_dims(tf.range(batch_size) * range_size, 1)
        indices = tf.reshape(indices + first, [-1])
        rows = tf.gather(tf.reshape(tensor, gather_shape), indices)
        last = 1 + len(gather_shape)
        rows = tf.reshape(rows, tf.shape(tensor)[:last], name="output")
        rows.set_shape(tf.TensorShape([static_number(batch_size)]).concatenate(tensor.shape[1:last]))
        return rows


def _gather_state(indices, tensor, batch_size, range_size, gather_shape):
    """As gather_beams(), of what has beams."""
    if isinstance(tensor, tf.TensorArray):
        return tensor
    check_ndims(tensor)
    if tensor.shape.ndims < len(gather_shape):
        return tensor
    return gather_beams(indices, tensor, batch_size, range_size, gather_shape)


def beam_search_step(
    logits, next_cell_state, beam_state, batch_size, beam_width, end_token, length_penalty_weight,
    coverage_penalty_weight,
):  # fmt: skip
    """The best continuations of all beams. Returns (scores, ids, parents, next state).

    logits: [batch, beams, vocabulary].
    """
    finished = beam_state.finished
    not_finished = tf.logical_not(finished)
    log_probs = _mask_probs(tf.nn.log_softmax(logits), end_token, finished)
    total_probs = tf.expand_dims(beam_state.log_probs, 2) + log_probs
    vocabulary = logits.shape.dims[-1].value or tf.shape(logits)[-1]
    # An id other than the end makes a beam longer that is not over.
    longer = tf.one_hot(
        indices=tf.fill([batch_size, beam_width], end_token), depth=vocabulary, on_value=tf.to_int64(0),
        off_value=tf.to_int64(1), dtype=tf.int64,
    )  # fmt: skip
    longer *= tf.expand_dims(tf.cast(not_finished, tf.int64), 2)
    lengths = longer + tf.expand_dims(beam_state.lengths, 2)
    attended = attention_probs(next_cell_state, coverage_penalty_weight)
    if attended is not None:
        attended *= tf.expand_dims(tf.cast(not_finished, tf.float32), 2)
        attended = beam_state.accumulated_attention_probs + attended
    scores = _scores(total_probs, lengths, length_penalty_weight, coverage_penalty_weight, finished, attended)
    width = tf.convert_to_tensor(beam_width, dtype=tf.int32, name="beam_width")
    best, indices = tf.nn.top_k(tf.reshape(scores, [batch_size, -1]), k=width)
    for each in (best, indices):
        each.set_shape([static_number(batch_size), beam_width])
    of_beams = dict(batch_size=batch_size, range_size=beam_width)
    next_probs = gather_beams(
        indices, total_probs, batch_size, beam_width * vocabulary, [-1], name="next_beam_probs"
    )
    ids = tf.cast(tf.mod(indices, vocabulary, name="next_beam_word_ids"), tf.int32)
    parents = tf.cast(indices / vocabulary, tf.int32, name="next_beam_parent_ids")
    was_finished = gather_beams(parents, finished, gather_shape=[-1], **of_beams)
    next_finished = tf.logical_or(was_finished, tf.equal(ids, end_token), name="next_beam_finished")
    longer = tf.cast(tf.logical_not(was_finished), tf.int64)
    next_lengths = gather_beams(parents, beam_state.lengths, gather_shape=[-1], **of_beams)
    next_lengths += longer
    next_attended = ()
    if attended is not None:
        next_attended = gather_beams(
            parents, attended, gather_shape=[batch_size * beam_width, -1], name="next_accumulated_attention_probs",
            **of_beams,
        )  # fmt: skip
    next_cell_state = nest.map_structure(
        lambda tensor: _gather_state(parents, tensor, gather_shape=[batch_size * beam_width, -1], **of_beams),
        next_cell_state,
    )
    next_state = type(beam_state)(
        cell_state=next_cell_state, log_probs=next_probs, lengths=next_lengths, finished=next_finished,
        accumulated_attention_probs=next_attended,
    )  # fmt: skip
    return best, ids, parents, next_state
