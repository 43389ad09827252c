"""A decoder of a cell and a helper: tf.contrib.seq2seq.BasicDecoder."""

import collections

import kiln.compat.v1 as tf
from kiln.compat.v1._util import nest
from kiln.compat.v1.contrib.seq2seq._decoder import Decoder
from kiln.compat.v1.contrib.seq2seq._helpers import Helper
from kiln.compat.v1.layers import Layer
from kiln.compat.v1.nn.rnn_cell._base import assert_like_rnncell


class BasicDecoderOutput(collections.namedtuple("BasicDecoderOutput", ("rnn_output", "sample_id"))):
    """What a step gives: the cell's output and what was sampled of it. Source: tf.contrib.seq2seq.BasicDecoderOutput."""


def check_layer(output_layer):
    if output_layer is not None and not isinstance(output_layer, Layer):
        raise TypeError(f"output_layer must be a Layer, received: {type(output_layer)}")


def output_size_of(cell, output_layer):
    """The shapes of a cell's outputs behind a layer."""
    size = cell.output_size
    if output_layer is None:
        return size
    with_batch = nest.map_structure(lambda s: tf.TensorShape([None]).concatenate(s), size)
    return nest.map_structure(lambda s: s[1:], output_layer.compute_output_shape(with_batch))


class BasicDecoder(Decoder):
    """A cell whose inputs are what a helper makes of its outputs.

    cell: an RNNCell. helper: a Helper. initial_state: of the cell. output_layer: a layer that
    outputs go through. Outputs are BasicDecoderOutput. Errors: TypeError. Source:
    tf.contrib.seq2seq.BasicDecoder.
    """

    def __init__(self, cell, helper, initial_state, output_layer=None):
        assert_like_rnncell("cell", cell)
        if not isinstance(helper, Helper):
            raise TypeError(f"helper must be a Helper, received: {type(helper)}")
        check_layer(output_layer)
        self._cell, self._helper = cell, helper
        self._initial_state, self._output_layer = initial_state, output_layer

    @property
    def batch_size(self):
        return self._helper.batch_size

    def _rnn_output_size(self):
        return output_size_of(self._cell, self._output_layer)

    @property
    def output_size(self):
        return BasicDecoderOutput(rnn_output=self._rnn_output_size(), sample_id=self._helper.sample_ids_shape)

    @property
    def output_dtype(self):
        # That of the state's first tensor stands for all outputs.
        dtype = nest.flatten(self._initial_state)[0].dtype
        outputs = nest.map_structure(lambda _: dtype, self._rnn_output_size())
        return BasicDecoderOutput(outputs, self._helper.sample_ids_dtype)

    def initialize(self, name=None):
        return (*self._helper.initialize(), self._initial_state)

    def step(self, time, inputs, state, name=None):
        with tf.name_scope(name, "BasicDecoderStep", (time, inputs, state)):
            outputs, state = self._cell(inputs, state)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            sample_ids = self._helper.sample(time=time, outputs=outputs, state=state)
            finished, next_inputs, next_state = self._helper.next_inputs(
                time=time, outputs=outputs, state=state, sample_ids=sample_ids
            )
        return BasicDecoderOutput(outputs, sample_ids), next_state, next_inputs, finished
