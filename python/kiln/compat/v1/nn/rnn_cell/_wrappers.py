"""Cells around other cells: tf.nn.rnn_cell.MultiRNNCell, DropoutWrapper, ResidualWrapper, DeviceWrapper."""

import hashlib
import numbers

from kiln._generated.raw_ops import floor
from kiln._generated.raw_ops import slice as slice_
from kiln._kiln import front as _c
from kiln.compat.v1 import logging
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1._util import nest
from kiln.compat.v1._variable_scope import variable_scope
from kiln.compat.v1.layers import Layer
from kiln.compat.v1.nn.rnn_cell._base import RNNCell, assert_like_rnncell, zero_state_scope
from kiln.compat.v1.nn.rnn_cell._cells import LSTMStateTuple
from kiln.compat.v1.shapes import TensorShape


class MultiRNNCell(RNNCell):
    """Cells on top of one another: each takes the output of the one before.

    cells: a list of cells. state_is_tuple: whether the state is a tuple of theirs, or one tensor
    with all of them beside one another. Errors: ValueError without cells, and for states that
    are tuples where state_is_tuple is False; TypeError. Source: tf.nn.rnn_cell.MultiRNNCell.
    """

    def __init__(self, cells, state_is_tuple=True):
        super().__init__()
        if not cells:
            raise ValueError("Must specify at least one cell for MultiRNNCell.")
        if not nest.is_nested(cells):
            raise TypeError(f"cells must be a list or tuple, but saw: {cells}.")
        if len({id(cell) for cell in cells}) < len(cells):
            logging.log_first_n(
                logging.WARN,
                "At least two cells provided to MultiRNNCell are the same object and will share weights.",
                1,
            )
        self._cells, self._state_is_tuple = cells, state_is_tuple
        if not state_is_tuple and any(nest.is_nested(cell.state_size) for cell in cells):
            raise ValueError(
                "Some cells return tuples of states, but the flag state_is_tuple is not set.  "
                f"State sizes are: {[cell.state_size for cell in cells]}"
            )

    @property
    def cells(self):
        return self._cells

    @property
    def state_size(self):
        sizes = (cell.state_size for cell in self._cells)
        return tuple(sizes) if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self):
        return self._cells[-1].output_size

    def zero_state(self, batch_size, dtype):
        with zero_state_scope(self, batch_size):
            if self._state_is_tuple:
                return tuple(cell.zero_state(batch_size, dtype) for cell in self._cells)
            return super().zero_state(batch_size, dtype)

    @property
    def trainable_weights(self):
        return self._weights_of_cells("trainable_weights") if self.trainable else []

    @property
    def non_trainable_weights(self):
        weights = self._weights_of_cells("non_trainable_weights")
        return weights if self.trainable else self._weights_of_cells("trainable_weights") + weights

    def _weights_of_cells(self, kind):
        return [weight for cell in self._cells if isinstance(cell, Layer) for weight in getattr(cell, kind)]

    def call(self, inputs, state):
        if self._state_is_tuple and not nest.is_nested(state):
            raise ValueError(
                f"Expected state to be a tuple of length {len(self.state_size)}, but received: {state}"
            )
        new_states, column = [], 0
        for i, cell in enumerate(self._cells):
            with variable_scope(f"cell_{i}"):
                if self._state_is_tuple:
                    own = state[i]
                else:
                    own = slice_(state, [0, column], [-1, cell.state_size])
                    column += cell.state_size
                inputs, new_state = cell(inputs, own)
                new_states.append(new_state)
        return inputs, tuple(new_states) if self._state_is_tuple else _c.concat(new_states, 1)

    def get_config(self):
        cells = [{"class_name": type(cell).__name__, "config": cell.get_config()} for cell in self._cells]
        return {**super().get_config(), "cells": cells}


class _RNNCellWrapperV1(RNNCell):
    """A cell that calls another one and changes what goes into it and comes out of it.

    It makes no variables, and opens no scope. Subclasses have _call_wrapped_cell().
    """

    def __init__(self, cell, *args, **kwargs):
        super().__init__(*args, **kwargs)
        assert_like_rnncell("cell", cell)
        self.cell = cell

    @property
    def _cell(self):
        return self.cell

    @property
    def state_size(self):
        return self.cell.state_size

    @property
    def output_size(self):
        return self.cell.output_size

    def zero_state(self, batch_size, dtype):
        with zero_state_scope(self, batch_size):
            return self.cell.zero_state(batch_size, dtype)

    def _call_wrapped_cell(self, inputs, state, cell_call_fn, **kwargs):
        """Computes a step by a function of the cell's: its __call__ or its call."""
        raise NotImplementedError

    def __call__(self, inputs, state, scope=None):
        return self._call_wrapped_cell(inputs, state, cell_call_fn=self.cell.__call__, scope=scope)

    @property
    def trainable_weights(self):
        return self.cell.trainable_weights if self.trainable and isinstance(self.cell, Layer) else []

    @property
    def non_trainable_weights(self):
        if not isinstance(self.cell, Layer):
            return []
        weights = self.cell.non_trainable_weights
        return weights if self.trainable else self.cell.trainable_weights + weights

    def get_config(self):
        cell = {"class_name": type(self.cell).__name__, "config": self.cell.get_config()}
        return {**super().get_config(), "cell": cell}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        config = dict(config)
        cell = config.pop("cell")
        try:
            assert_like_rnncell("cell", cell)
            return cls(cell, **config)
        except TypeError:
            raise ValueError(
                "RNNCellWrapper cannot reconstruct the wrapped cell. "
                "Please overwrite the cell in the config with a RNNCell instance."
            ) from None


def _keeps_all_but_memory(substate):
    """Of which parts of a state elements are dropped: of all but the memory of an LSTM."""
    from kiln.compat.v1 import TensorArray

    if isinstance(substate, LSTMStateTuple):
        return LSTMStateTuple(c=False, h=True)
    return not isinstance(substate, TensorArray)


def _enumerated_up_to(shallow, function, *structures):
    """As nest.map_structure_up_to(), with the number of the leaf as the first argument."""
    count = iter(range(1 << 60))
    return nest.map_structure_up_to(shallow, lambda *values: function(next(count), *values), *structures)


class DropoutWrapper(_RNNCellWrapperV1):
    """A cell with dropout of its inputs, its outputs and its state.

    input_keep_prob, output_keep_prob, state_keep_prob: the probability that an element stays, a
    number or a tensor; 1 drops nothing. variational_recurrent: whether the same elements are
    dropped in all steps, which needs dtype, and input_size (TensorShapes of the inputs without
    the batch) where inputs are dropped. seed: each place where elements are dropped makes one of
    its own of it. dropout_state_filter_visitor: called with each level of the state, it gives
    whether elements are dropped there, or a structure of that; all but the memory of an
    LSTMStateTuple by default. Errors: TypeError; ValueError for probabilities outside of [0, 1].
    Source: tf.nn.rnn_cell.DropoutWrapper.
    """

    def __init__(
        self, cell, input_keep_prob=1.0, output_keep_prob=1.0, state_keep_prob=1.0, variational_recurrent=False,
        input_size=None, dtype=None, seed=None, dropout_state_filter_visitor=None, **kwargs,
    ):  # fmt: skip
        super().__init__(cell, dtype=dtype, **kwargs)
        if dropout_state_filter_visitor is not None and not callable(dropout_state_filter_visitor):
            raise TypeError("dropout_state_filter_visitor must be callable")
        self._dropout_state_filter = dropout_state_filter_visitor or _keeps_all_but_memory
        with get_default_graph().name_scope("DropoutWrapperInit"):
            self._input_keep_prob = _probability(input_keep_prob, "input_keep_prob")
            self._state_keep_prob = _probability(state_keep_prob, "state_keep_prob")
            self._output_keep_prob = _probability(output_keep_prob, "output_keep_prob")
        self._variational_recurrent, self._input_size, self._seed = variational_recurrent, input_size, seed
        self._recurrent_input_noise = self._recurrent_state_noise = self._recurrent_output_noise = None
        if variational_recurrent:
            self._make_noise(cell, input_size, dtype)

    def _make_noise(self, cell, input_size, dtype):
        """The random numbers that all steps use."""
        if dtype is None:
            raise ValueError("When variational_recurrent=True, dtype must be provided")

        def noise(sizes, salt):
            def make(i, size):
                extents = _c.concat([[1], TensorShape(size).as_list()], 0)
                return _c.random_uniform(extents, 0, None, dtype, self._gen_seed(salt, i))

            return _enumerated_up_to(sizes, make, sizes)

        if not isinstance(self._input_keep_prob, numbers.Real) or self._input_keep_prob < 1.0:
            if input_size is None:
                raise ValueError(
                    "When variational_recurrent=True and input_keep_prob < 1.0 or is unknown, "
                    "input_size must be provided"
                )
            self._recurrent_input_noise = noise(input_size, "input")
        self._recurrent_state_noise = noise(cell.state_size, "state")
        self._recurrent_output_noise = noise(cell.output_size, "output")

    def _gen_seed(self, salt_prefix, index):
        if self._seed is None:
            return None
        text = f"{self._seed}{salt_prefix}_{index}"
        return int(hashlib.md5(text.encode()).hexdigest()[:8], 16) & 0x7FFFFFFF

    @property
    def wrapped_cell(self):
        return self.cell

    def _dropped(self, value, probability, seed, noise):
        if noise is None:
            return _c.dropout(value, 1.0 - probability, None, seed)
        kept = floor(probability + noise)
        result = _c.truediv(value, probability) * kept
        result.set_shape(value.get_shape())
        return result

    def _dropout(self, values, salt, noise, probability, filtered=None):
        """Drops elements of a structure; filtered: the upper part of it, with bools for leaves."""
        filtered = values if filtered is None else filtered
        structures = [filtered, values, *([noise] if self._variational_recurrent else [])]

        def each(i, drops, value, noise=None):
            if isinstance(drops, bool) and not drops:
                return value
            return self._dropped(value, probability, self._gen_seed(salt, i), noise)

        return _enumerated_up_to(filtered, each, *structures)

    def _call_wrapped_cell(self, inputs, state, cell_call_fn, **kwargs):
        def drops(probability):
            return not isinstance(probability, float) or probability < 1

        if drops(self._input_keep_prob):
            inputs = self._dropout(inputs, "input", self._recurrent_input_noise, self._input_keep_prob)
        output, new_state = cell_call_fn(inputs, state, **kwargs)
        if drops(self._state_keep_prob):
            filtered = nest.get_traverse_shallow_structure(self._dropout_state_filter, new_state)
            new_state = self._dropout(
                new_state, "state", self._recurrent_state_noise, self._state_keep_prob, filtered
            )
        if drops(self._output_keep_prob):
            output = self._dropout(output, "output", self._recurrent_output_noise, self._output_keep_prob)
        return output, new_state

    def get_config(self):
        config = {
            "input_keep_prob": self._input_keep_prob, "output_keep_prob": self._output_keep_prob,
            "state_keep_prob": self._state_keep_prob, "variational_recurrent": self._variational_recurrent,
            "input_size": self._input_size, "seed": self._seed,
        }  # fmt: skip
        if self._dropout_state_filter is not _keeps_all_but_memory:
            config["dropout_state_filter_visitor"] = self._dropout_state_filter
        return {**super().get_config(), **config}


def _probability(value, name):
    """A float where the value is known, as float32 has it; otherwise a tensor."""
    import numpy as np

    from kiln.compat.v1._constant_value import constant_value

    tensor = _c.convert(value, None, None, "")
    known = constant_value(tensor)
    if known is None:
        return tensor
    if known < 0 or known > 1:
        raise ValueError("Parameter %s must be between 0 and 1: %d" % (name, known))
    return float(np.asarray(known).item())


class ResidualWrapper(_RNNCellWrapperV1):
    """A cell whose inputs are added to its outputs.

    residual_fn: called with inputs and outputs in place of that. Errors of a call: ValueError,
    TypeError where inputs and outputs cannot be added. Source: tf.nn.rnn_cell.ResidualWrapper.
    """

    def __init__(self, cell, residual_fn=None, **kwargs):
        super().__init__(cell, **kwargs)
        self._residual_fn = residual_fn

    def _call_wrapped_cell(self, inputs, state, cell_call_fn, **kwargs):
        outputs, new_state = cell_call_fn(inputs, state, **kwargs)
        return (self._residual_fn or _sum_of)(inputs, outputs), new_state

    def get_config(self):
        config = {} if self._residual_fn is None else {"residual_fn": self._residual_fn}
        return {**super().get_config(), **config}


def _sum_of(inputs, outputs):
    nest.assert_same_structure(inputs, outputs)
    nest.map_structure(lambda i, o: i.get_shape().assert_is_compatible_with(o.get_shape()), inputs, outputs)
    return nest.map_structure(lambda i, o: i + o, inputs, outputs)


class DeviceWrapper(_RNNCellWrapperV1):
    """A cell whose nodes are on a device, given as tf.device() takes it. Source: tf.nn.rnn_cell.DeviceWrapper."""

    def __init__(self, cell, device, **kwargs):
        super().__init__(cell, **kwargs)
        self._device = device

    def zero_state(self, batch_size, dtype):
        with zero_state_scope(self, batch_size), get_default_graph().device(self._device):
            return self.cell.zero_state(batch_size, dtype)

    def _call_wrapped_cell(self, inputs, state, cell_call_fn, **kwargs):
        with get_default_graph().device(self._device):
            return cell_call_fn(inputs, state, **kwargs)

    def get_config(self):
        return {**super().get_config(), "device": self._device}
