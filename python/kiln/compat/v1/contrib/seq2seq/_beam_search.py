"""Beam search: tf.contrib.seq2seq.BeamSearchDecoder."""

import collections

import numpy as np

import kiln.compat.v1 as tf
from kiln.compat.v1 import logging
from kiln.compat.v1._util import nest
from kiln.compat.v1.contrib.seq2seq._basic_decoder import check_layer, output_size_of
from kiln.compat.v1.contrib.seq2seq._beam_search_step import (
    attention_probs,
    beam_search_step,
    check_ndims,
    static_number,
)
from kiln.compat.v1.contrib.seq2seq._decoder import Decoder
from kiln.compat.v1.contrib.seq2seq._gather_tree import gather_tree, gather_tree_from_array
from kiln.compat.v1.contrib.seq2seq._helpers import embedding_function
from kiln.compat.v1.nn._rnn import known_shape
from kiln.compat.v1.nn.rnn_cell._base import assert_like_rnncell


class BeamSearchDecoderState(
    collections.namedtuple(
        "BeamSearchDecoderState", ("cell_state", "log_probs", "finished", "lengths", "accumulated_attention_probs")
    )
):
    """What a beam search knows of its beams. Source: tf.contrib.seq2seq.BeamSearchDecoderState."""


class BeamSearchDecoderOutput(
    collections.namedtuple("BeamSearchDecoderOutput", ("scores", "predicted_ids", "parent_ids"))
):
    """What a step gives, [batch, beams] each. Source: tf.contrib.seq2seq.BeamSearchDecoderOutput."""


class FinalBeamSearchDecoderOutput(
    collections.namedtuple("FinalBeamDecoderOutput", ["predicted_ids", "beam_search_decoder_output"])
):
    """What dynamic_decode() gives: predicted_ids, [batch, time, beams], the best beam first, and all steps.

    Source: tf.contrib.seq2seq.FinalBeamSearchDecoderOutput.
    """


def _tile_batch(tensor, multiplier):
    tensor = tf.convert_to_tensor(tensor, name="t")
    shape = tf.shape(tensor)
    if tensor.shape.ndims is None or tensor.shape.ndims < 1:
        raise ValueError("t must have statically known rank")
    tiling = [1, multiplier] + [1] * (tensor.shape.ndims - 1)
    batch = tensor.shape.dims[0].value
    tiled = tf.tile(tf.expand_dims(tensor, 1), tiling)
    tiled = tf.reshape(tiled, tf.concat(([shape[0] * multiplier], shape[1:]), 0))
    known = None if batch is None else batch * multiplier
    tiled.set_shape(tf.TensorShape([known]).concatenate(tensor.shape[1:]))
    return tiled


def tile_batch(t, multiplier, name=None):
    """Each sequence of a structure of tensors [batch, ...] as often as there are beams.

    Errors: ValueError for a rank that is not known or 0. Source: tf.contrib.seq2seq.tile_batch.
    """
    with tf.name_scope(name, "tile_batch", nest.flatten(t) + [multiplier]):
        return nest.map_structure(lambda each: _tile_batch(each, multiplier), t)


class BeamSearchDecoder(Decoder):
    """A cell whose outputs are the most probable sequences that a search with some beams finds.

    cell: an RNNCell, whose state to begin with is initial_state, of batch * beam_width sequences
    (tile_batch()). embedding: a function of ids, or a matrix. start_tokens: [batch] of ids.
    end_token: the id that ends a sequence. output_layer: a layer that makes logits of outputs.
    length_penalty_weight, coverage_penalty_weight: of penalties, https://arxiv.org/abs/1609.08144;
    0 for none. reorder_tensor_arrays: whether TensorArrays in the state are in the order of the
    final beams. Errors: TypeError, ValueError. Source: tf.contrib.seq2seq.BeamSearchDecoder.
    """

    def __init__(
        self, cell, embedding, start_tokens, end_token, initial_state, beam_width, output_layer=None,
        length_penalty_weight=0.0, coverage_penalty_weight=0.0, reorder_tensor_arrays=True,
    ):  # fmt: skip
        assert_like_rnncell("cell", cell)
        check_layer(output_layer)
        self._cell, self._output_layer, self._beam_width = cell, output_layer, beam_width
        self._length_penalty_weight = length_penalty_weight
        self._coverage_penalty_weight = coverage_penalty_weight
        self._reorder_tensor_arrays = reorder_tensor_arrays
        self._embedding_fn = embedding_function(embedding)
        self._start_tokens = tf.convert_to_tensor(start_tokens, dtype=tf.int32, name="start_tokens")
        if self._start_tokens.get_shape().ndims != 1:
            raise ValueError("start_tokens must be a vector")
        self._end_token = tf.convert_to_tensor(end_token, dtype=tf.int32, name="end_token")
        if self._end_token.get_shape().ndims != 0:
            raise ValueError("end_token must be a scalar")
        self._batch_size = tf.size(start_tokens)
        self._initial_cell_state = nest.map_structure(
            self._maybe_split_batch_beams, initial_state, cell.state_size
        )
        self._start_tokens = tf.tile(tf.expand_dims(self._start_tokens, 1), [1, beam_width])
        self._start_inputs = self._embedding_fn(self._start_tokens)
        # All beams but the first begin as over, since all are equal.
        self._finished = tf.one_hot(
            tf.zeros([self._batch_size], dtype=tf.int32), depth=beam_width, on_value=False, off_value=True,
            dtype=tf.bool,
        )  # fmt: skip

    batch_size = property(lambda self: self._batch_size)
    tracks_own_finished = property(lambda self: True)

    @property
    def output_size(self):
        size = tf.TensorShape([self._beam_width])
        return BeamSearchDecoderOutput(scores=size, predicted_ids=size, parent_ids=size)

    @property
    def output_dtype(self):
        dtype = nest.flatten(self._initial_cell_state)[0].dtype
        scores = nest.map_structure(lambda _: dtype, output_size_of(self._cell, self._output_layer))
        return BeamSearchDecoderOutput(scores=scores, predicted_ids=tf.int32, parent_ids=tf.int32)

    def initialize(self, name=None):
        dtype = nest.flatten(self._initial_cell_state)[0].dtype
        log_probs = tf.one_hot(
            tf.zeros([self._batch_size], dtype=tf.int32), depth=self._beam_width,
            on_value=tf.convert_to_tensor(0.0, dtype=dtype), off_value=tf.convert_to_tensor(-np.inf, dtype=dtype),
            dtype=dtype,
        )  # fmt: skip
        attended = attention_probs(self._initial_cell_state, self._coverage_penalty_weight)
        state = BeamSearchDecoderState(
            cell_state=self._initial_cell_state,
            log_probs=log_probs,
            finished=self._finished,
            lengths=tf.zeros([self._batch_size, self._beam_width], dtype=tf.int64),
            accumulated_attention_probs=() if attended is None else attended,
        )
        return self._finished, self._start_inputs, state

    def finalize(self, outputs, final_state, sequence_lengths):
        longest = tf.cast(tf.reduce_max(final_state.lengths, axis=1), tf.int32)
        ids = gather_tree(
            outputs.predicted_ids, outputs.parent_ids, max_sequence_lengths=longest, end_token=self._end_token
        )
        if self._reorder_tensor_arrays:
            cell_state = nest.map_structure(
                lambda t: self._maybe_sort_array_beams(t, outputs.parent_ids, final_state.lengths),
                final_state.cell_state,
            )
            final_state = final_state._replace(cell_state=cell_state)
        return FinalBeamSearchDecoderOutput(beam_search_decoder_output=outputs, predicted_ids=ids), final_state

    # Beams within the batch, [batch * beams, ...], and apart, [batch, beams, ...].

    def _merge_batch_beams(self, tensor, s=None):
        """One with beams within the batch; s: its shape without them."""
        shape, batch = tf.shape(tensor), static_number(self._batch_size)
        merged = tf.reshape(tensor, tf.concat(([self._batch_size * self._beam_width], shape[2:]), 0))
        known = None if batch is None else batch * self._beam_width
        merged.set_shape(tf.TensorShape([known]).concatenate(known_shape(s)))
        return merged

    def _split_batch_beams(self, tensor, s=None):
        """One with beams apart; s: its shape without the batch. Errors: ValueError."""
        shape = tf.shape(tensor)
        split = tf.reshape(tensor, tf.concat(([self._batch_size, self._beam_width], shape[1:]), 0))
        expected = tf.TensorShape([static_number(self._batch_size), self._beam_width]).concatenate(known_shape(s))
        if not split.shape.is_compatible_with(expected):
            raise ValueError(
                "Unexpected behavior when reshaping between beam width and batch size.  The reshaped tensor has "
                f"shape: {split.shape}.  We expected it to have shape (batch_size, beam_width, depth) == {expected}.  "
                "Perhaps you forgot to create a zero_state with batch_size=encoder_batch_size * beam_width?"
            )
        split.set_shape(expected)
        return split

    def _maybe_split_batch_beams(self, t, s):
        if isinstance(t, tf.TensorArray):
            return t
        check_ndims(t)
        return self._split_batch_beams(t, s) if t.shape.ndims >= 1 else t

    def _maybe_merge_batch_beams(self, t, s):
        if isinstance(t, tf.TensorArray):
            return t
        check_ndims(t)
        return self._merge_batch_beams(t, s) if t.shape.ndims >= 2 else t

    def _maybe_sort_array_beams(self, array, parent_ids, lengths):
        """What TensorArrays hold, in the order of the final beams; all else as it is."""
        if not isinstance(array, tf.TensorArray):
            return array
        if array.element_shape.ndims is None or array.element_shape.ndims < 1:
            logging.warn(
                "The TensorArray %s in the cell state is not amenable to sorting based on the beam search result. For "
                "a TensorArray to be sorted, its elements shape must be defined and have at least a rank of 1, but saw "
                "shape: %s" % (array.handle.name, array.element_shape)
            )
            return array
        if not self._has_beams(array.element_shape):
            return array
        values = array.stack()
        with tf.control_dependencies([self._check_beams(values)]):
            return gather_tree_from_array(values, parent_ids, lengths)

    def _has_beams(self, shape):
        """Whether elements can be seen as [batch, beams, ...], as far as is known."""
        batch, beams = static_number(self._batch_size), self._beam_width
        first = shape.dims[0].value
        second = shape.dims[1].value if shape.ndims >= 2 else None
        if batch is None or first is None:
            return True
        if first == batch * beams and (second is None or (first, second) == (batch, beams)):
            return True
        logging.warn(
            "TensorArray reordering expects elements to be reshapable to %s which is incompatible with the current "
            "shape %s. Consider setting reorder_tensor_arrays to False to disable TensorArray reordering during the "
            "beam search." % (tf.TensorShape([batch, beams, None]), shape)
        )
        return False

    def _check_beams(self, values):
        """An operation that fails where elements cannot be seen so."""
        message = (
            "TensorArray reordering expects elements to be reshapable to [batch_size, beam_size, -1] which is "
            f"incompatible with the dynamic shape of {values.name} elements. Consider setting reorder_tensor_arrays to "
            "False to disable TensorArray reordering during the beam search."
        )
        shape, batch, beams = tf.shape(values), self._batch_size, self._beam_width
        holds = tf.equal(shape[1], batch * beams)
        if values.shape.ndims != 2:
            apart = tf.logical_and(tf.equal(shape[1], batch), tf.equal(shape[2], beams))
            holds = tf.logical_or(holds, apart)
        return tf.Assert(holds, [message])

    def step(self, time, inputs, state, name=None):
        with tf.name_scope(name, "BeamSearchDecoderStep", (time, inputs, state)):
            sizes = self._cell.state_size
            inputs = nest.map_structure(lambda each: self._merge_batch_beams(each, s=each.shape[2:]), inputs)
            cell_state = nest.map_structure(self._maybe_merge_batch_beams, state.cell_state, sizes)
            outputs, next_cell_state = self._cell(inputs, cell_state)
            outputs = nest.map_structure(lambda out: self._split_batch_beams(out, out.shape[1:]), outputs)
            next_cell_state = nest.map_structure(self._maybe_split_batch_beams, next_cell_state, sizes)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            scores, ids, parents, next_state = beam_search_step(
                outputs, next_cell_state, state, self._batch_size, self._beam_width, self._end_token,
                self._length_penalty_weight, self._coverage_penalty_weight,
            )  # fmt: skip
            finished = next_state.finished
            next_inputs = tf.cond(
                tf.reduce_all(finished), lambda: self._start_inputs, lambda: self._embedding_fn(ids)
            )
        output = BeamSearchDecoderOutput(scores=scores, predicted_ids=ids, parent_ids=parents)
        return output, next_state, next_inputs, finished
