"""Layers of networks in both directions, on top of one another."""

import kiln.compat.v1 as tf


def _check(cells_fw, cells_bw, states_fw, states_bw):
    if not cells_fw:
        raise ValueError("Must specify at least one fw cell for BidirectionalRNN.")
    if not cells_bw:
        raise ValueError("Must specify at least one bw cell for BidirectionalRNN.")
    if not isinstance(cells_fw, list):
        raise ValueError("cells_fw must be a list of RNNCells (one per layer).")
    if not isinstance(cells_bw, list):
        raise ValueError("cells_bw must be a list of RNNCells (one per layer).")
    if len(cells_fw) != len(cells_bw):
        raise ValueError("Forward and Backward cells must have the same depth.")
    for name, states in (("fw", states_fw), ("bw", states_bw)):
        if states is not None and (not isinstance(states, list) or len(states) != len(cells_fw)):
            raise ValueError(f"initial_states_{name} must be a list of state tensors (one per layer).")


def _layers(cells_fw, cells_bw, states_fw, states_bw):
    """(number, forward cell, backward cell, the state of each to begin with) of each layer."""
    none = [None] * len(cells_fw)
    return zip(range(len(cells_fw)), cells_fw, cells_bw, states_fw or none, states_bw or none)


def stack_bidirectional_rnn(
    cells_fw, cells_bw, inputs, initial_states_fw=None, initial_states_bw=None, dtype=None, sequence_length=None,
    scope=None,
):  # fmt: skip
    """tf.nn.static_bidirectional_rnn() for a list of cells each, whose outputs the next ones take.

    Returns (outputs, last states of cells_fw, of cells_bw). Variables "cell_0/fw/..." in
    "stack_bidirectional_rnn". Errors: ValueError. Source: tf.contrib.rnn.stack_bidirectional_rnn.
    """
    _check(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    last_fw, last_bw = [], []
    with tf.variable_scope(scope or "stack_bidirectional_rnn"):
        for i, cell_fw, cell_bw, first_fw, first_bw in _layers(
            cells_fw, cells_bw, initial_states_fw, initial_states_bw
        ):
            with tf.variable_scope(f"cell_{i}") as cell_scope:
                inputs, state_fw, state_bw = tf.nn.static_bidirectional_rnn(
                    cell_fw, cell_bw, inputs, initial_state_fw=first_fw, initial_state_bw=first_bw,
                    sequence_length=sequence_length, dtype=dtype, scope=cell_scope,
                )  # fmt: skip
            last_fw.append(state_fw)
            last_bw.append(state_bw)
    return inputs, tuple(last_fw), tuple(last_bw)


def stack_bidirectional_dynamic_rnn(
    cells_fw, cells_bw, inputs, initial_states_fw=None, initial_states_bw=None, dtype=None, sequence_length=None,
    parallel_iterations=None, time_major=False, scope=None, swap_memory=False,
):  # fmt: skip
    """tf.nn.bidirectional_dynamic_rnn() for a list of cells each, whose outputs the next ones take.

    Returns (outputs, last states of cells_fw, of cells_bw). Variables
    "cell_0/bidirectional_rnn/fw/..." in "stack_bidirectional_rnn". Errors: ValueError. Source:
    tf.contrib.rnn.stack_bidirectional_dynamic_rnn.
    """
    _check(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    last_fw, last_bw = [], []
    with tf.variable_scope(scope or "stack_bidirectional_rnn"):
        for i, cell_fw, cell_bw, first_fw, first_bw in _layers(
            cells_fw, cells_bw, initial_states_fw, initial_states_bw
        ):
            with tf.variable_scope(f"cell_{i}"):
                outputs, (state_fw, state_bw) = tf.nn.bidirectional_dynamic_rnn(
                    cell_fw, cell_bw, inputs, initial_state_fw=first_fw, initial_state_bw=first_bw,
                    sequence_length=sequence_length, parallel_iterations=parallel_iterations, dtype=dtype,
                    swap_memory=swap_memory, time_major=time_major,
                )  # fmt: skip
                inputs = tf.concat(outputs, 2)
            last_fw.append(state_fw)
            last_bw.append(state_bw)
    return inputs, tuple(last_fw), tuple(last_bw)
