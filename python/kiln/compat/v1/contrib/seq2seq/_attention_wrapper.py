"""A cell that attends to memories: tf.contrib.seq2seq.AttentionWrapper."""

import collections
import re

import kiln.compat.v1 as tf
from kiln.compat.v1._util import nest
from kiln.compat.v1.contrib.seq2seq._attention import AttentionMechanism, static_or
from kiln.compat.v1.layers import Dense
from kiln.compat.v1.nn.rnn_cell import RNNCell
from kiln.compat.v1.nn.rnn_cell._base import assert_like_rnncell, zero_state_scope, zeros_like_state


class AttentionWrapperState(
    collections.namedtuple(
        "AttentionWrapperState",
        ("cell_state", "attention", "time", "alignments", "alignment_history", "attention_state"),
    )
):
    """The state of an AttentionWrapper.

    cell_state: of the cell. attention: what was attended to last. time: the number of the step.
    alignments, attention_state: of the mechanisms. alignment_history: TensorArrays of all
    alignments, or (). Source: tf.contrib.seq2seq.AttentionWrapperState.
    """

    def clone(self, **kwargs):
        """A copy with other members, which must have the shapes of those that they replace."""

        def like(old, new):
            if isinstance(old, tf.Tensor) and isinstance(new, tf.Tensor):
                return tf.contrib.framework.with_same_shape(old, new)
            return new

        return nest.map_structure(like, self, self._replace(**kwargs))


def hardmax(logits, name=None):
    """1 where the last axis has its maximum, 0 elsewhere. Source: tf.contrib.seq2seq.hardmax."""
    with tf.name_scope(name, "Hardmax", [logits]):
        logits = tf.convert_to_tensor(logits, name="logits")
        depth = logits.get_shape().dims[-1].value
        depth = tf.shape(logits)[-1] if depth is None else depth
        return tf.one_hot(tf.argmax(logits, -1), depth, dtype=logits.dtype)


def compute_attention(attention_mechanism, cell_output, attention_state, attention_layer):
    """(attention, alignments, next state) of a mechanism. Source: attention_wrapper._compute_attention."""
    alignments, next_state = attention_mechanism(cell_output, state=attention_state)
    context = tf.matmul(tf.expand_dims(alignments, 1), attention_mechanism.values)
    context = tf.squeeze(context, [1])
    if attention_layer is not None:
        context = attention_layer(tf.concat([cell_output, context], 1))
    return context, alignments, next_state


def _beside_one_another(inputs, attention):
    return tf.concat([inputs, attention], -1)


class AttentionWrapper(RNNCell):
    """A cell whose inputs and outputs have what it attends to in memories beside them.

    attention_mechanism: one, or a list. attention_layer_size: the columns of a layer of the
    cell's output and what it attends to (ints for each mechanism), which is the attention then;
    attention_layer: such layers themselves. alignment_history: whether all alignments are kept.
    cell_input_fn: makes what the cell takes of inputs and the last attention. output_attention:
    whether the attention is the output, or the cell's. initial_cell_state: what zero_state() gives
    for the cell. attention_fn: computes (attention, alignments, next state) of (mechanism, output,
    state, layer). Errors: TypeError, ValueError. Source: tf.contrib.seq2seq.AttentionWrapper.
    """

    def __init__(
        self, cell, attention_mechanism, attention_layer_size=None, alignment_history=False, cell_input_fn=None,
        output_attention=True, initial_cell_state=None, name=None, attention_layer=None, attention_fn=None, dtype=None,
    ):  # fmt: skip
        super().__init__(name=name, dtype=dtype)
        self._base_name = name or re.sub(r"_\d+$", "", self.name)
        assert_like_rnncell("cell", cell)
        self._is_multi = isinstance(attention_mechanism, (list, tuple))
        mechanisms = attention_mechanism if self._is_multi else (attention_mechanism,)
        for mechanism in mechanisms:
            if not isinstance(mechanism, AttentionMechanism):
                expected = (
                    "attention_mechanism must contain only instances of AttentionMechanism"
                    if self._is_multi
                    else "attention_mechanism must be an AttentionMechanism or list of multiple AttentionMechanism "
                    "instances"
                )
                raise TypeError(f"{expected}, saw type: {type(mechanism).__name__}")
        if cell_input_fn is not None and not callable(cell_input_fn):
            raise TypeError(f"cell_input_fn must be callable, saw type: {type(cell_input_fn).__name__}")
        if attention_layer_size is not None and attention_layer is not None:
            raise ValueError("Only one of attention_layer_size and attention_layer should be set")
        self._cell, self._attention_mechanisms = cell, mechanisms
        self._make_layers(attention_layer_size, attention_layer)
        self._attention_fn = compute_attention if attention_fn is None else attention_fn
        self._cell_input_fn = _beside_one_another if cell_input_fn is None else cell_input_fn
        self._output_attention, self._alignment_history = output_attention, alignment_history
        with tf.name_scope(name, "AttentionWrapperInit"):
            self._initial_cell_state = None
            if initial_cell_state is not None:
                self._initial_cell_state = self._checked_state(initial_cell_state)

    def _make_layers(self, sizes, layers):
        """One for each mechanism, or none; and the columns of what they give together."""
        mechanisms = self._attention_mechanisms

        def listed(values, what, each):
            values = tuple(values) if isinstance(values, (list, tuple)) else (values,)
            if len(values) != len(mechanisms):
                raise ValueError(
                    f"If provided, {what} must contain exactly one {each} per attention_mechanism, "
                    f"saw: {len(values)} vs {len(mechanisms)}"
                )
            return values

        def columns(mechanism):
            return mechanism.values.shape.dims[-1].value

        self._attention_layers = None
        if sizes is not None:
            sizes = listed(sizes, "attention_layer_size", "integer")
            self._attention_layers = tuple(
                Dense(size, name="attention_layer", use_bias=False, dtype=mechanism.dtype)
                for size, mechanism in zip(sizes, mechanisms)
            )
        elif layers is not None:
            self._attention_layers = listed(layers, "attention_layer", "layer")
            sizes = [
                tf.TensorShape(
                    layer.compute_output_shape([None, self._cell.output_size + columns(mechanism)])
                ).dims[-1].value
                for layer, mechanism in zip(self._attention_layers, mechanisms)
            ]  # fmt: skip
        else:
            sizes = [columns(mechanism) for mechanism in mechanisms]
        self._attention_layer_size = sum(sizes)

    def _checked_state(self, state):
        """The state to begin with, of as many sequences as the memories have."""
        last = nest.flatten(state)[-1]
        batch = static_or(last.shape.dims[0], lambda: tf.shape(last)[0])
        message = (
            f"When constructing AttentionWrapper {self._base_name}: Non-matching batch sizes between the memory "
            "(encoder output) and initial_cell_state.  Are you using the BeamSearchDecoder?  You may need to tile your "
            "initial state via the tf.contrib.seq2seq.tile_batch function with argument multiple=beam_width."
        )
        with tf.control_dependencies(self._batch_size_checks(batch, message)):
            return nest.map_structure(lambda s: tf.identity(s, name="check_initial_cell_state"), state)

    def _batch_size_checks(self, batch_size, error_message):
        return [
            tf.assert_equal(batch_size, mechanism.batch_size, message=error_message)
            for mechanism in self._attention_mechanisms
        ]

    def _item_or_tuple(self, values):
        values = tuple(values)
        return values if self._is_multi else values[0]

    @property
    def output_size(self):
        return self._attention_layer_size if self._output_attention else self._cell.output_size

    @property
    def state_size(self):
        mechanisms = self._attention_mechanisms
        return AttentionWrapperState(
            cell_state=self._cell.state_size,
            time=tf.TensorShape([]),
            attention=self._attention_layer_size,
            alignments=self._item_or_tuple(each.alignments_size for each in mechanisms),
            attention_state=self._item_or_tuple(each.state_size for each in mechanisms),
            alignment_history=self._item_or_tuple(
                each.alignments_size if self._alignment_history else () for each in mechanisms
            ),
        )

    def zero_state(self, batch_size, dtype):
        """A state to begin with: the cell's (initial_cell_state, otherwise zeros), and zeros."""
        with zero_state_scope(self, batch_size):
            if self._initial_cell_state is not None:
                cell_state = self._initial_cell_state
            else:
                cell_state = self._cell.get_initial_state(batch_size=batch_size, dtype=dtype)
            message = (
                f"When calling zero_state of AttentionWrapper {self._base_name}: Non-matching batch sizes between the "
                "memory (encoder output) and the requested batch size.  Are you using the BeamSearchDecoder?  If so, "
                "make sure your encoder output has been tiled to beam_width via tf.contrib.seq2seq.tile_batch, and the "
                "batch_size= argument passed to zero_state is batch_size * beam_width."
            )
            with tf.control_dependencies(self._batch_size_checks(batch_size, message)):
                cell_state = nest.map_structure(
                    lambda s: tf.identity(s, name="checked_cell_state"), cell_state
                )
            mechanisms = self._attention_mechanisms
            alignments = [each.initial_alignments(batch_size, dtype) for each in mechanisms]
            return AttentionWrapperState(
                cell_state=cell_state,
                time=tf.zeros([], dtype=tf.int32),
                attention=zeros_like_state(self._attention_layer_size, batch_size, dtype),
                alignments=self._item_or_tuple(alignments),
                attention_state=self._item_or_tuple(
                    each.initial_state(batch_size, dtype) for each in mechanisms
                ),
                alignment_history=self._item_or_tuple(self._history(each, dtype) for each in alignments),
            )

    def _history(self, alignment, dtype):
        if not self._alignment_history:
            return ()
        return tf.TensorArray(dtype, size=0, dynamic_size=True, element_shape=alignment.shape)

    def call(self, inputs, state):
        if not isinstance(state, AttentionWrapperState):
            raise TypeError(
                f"Expected state to be instance of AttentionWrapperState. Received type {type(state)} instead."
            )
        cell_output, cell_state = self._cell(self._cell_input_fn(inputs, state.attention), state.cell_state)
        batch = static_or(cell_output.shape.dims[0], lambda: tf.shape(cell_output)[0])
        message = (
            f"When applying AttentionWrapper {self.name}: Non-matching batch sizes between the memory (encoder output) "
            "and the query (decoder output).  Are you using the BeamSearchDecoder?  You may need to tile your memory "
            "input via the tf.contrib.seq2seq.tile_batch function with argument multiple=beam_width."
        )
        with tf.control_dependencies(self._batch_size_checks(batch, message)):
            cell_output = tf.identity(cell_output, name="checked_cell_output")
        states, histories = state.attention_state, state.alignment_history
        if not self._is_multi:
            states, histories = [states], [histories]
        layers = self._attention_layers or [None] * len(self._attention_mechanisms)
        attentions, all_alignments, next_states, next_histories = [], [], [], []
        for mechanism, before, history, layer in zip(self._attention_mechanisms, states, histories, layers):
            attention, alignments, next_state = self._attention_fn(mechanism, cell_output, before, layer)
            next_histories.append(history.write(state.time, alignments) if self._alignment_history else ())
            attentions.append(attention)
            all_alignments.append(alignments)
            next_states.append(next_state)
        attention = tf.concat(attentions, 1)
        next_state = AttentionWrapperState(
            time=state.time + 1,
            cell_state=cell_state,
            attention=attention,
            attention_state=self._item_or_tuple(next_states),
            alignments=self._item_or_tuple(all_alignments),
            alignment_history=self._item_or_tuple(next_histories),
        )
        return attention if self._output_attention else cell_output, next_state
