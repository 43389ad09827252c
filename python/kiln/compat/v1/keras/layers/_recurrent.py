"""Recurrent layers: a cell over the steps of sequences."""

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras._engine import _history
from kiln.compat.v1.keras._engine._input_spec import InputSpec
from kiln.compat.v1.keras._engine._layer import Layer

__all__ = ["RNN", "AbstractRNNCell", "StackedRNNCells"]


class AbstractRNNCell(Layer):
    """A cell: call(inputs, states) gives the output and the new states.

    A subclass has state_size and output_size. Source: tf.keras.layers.AbstractRNNCell.
    """

    def call(self, inputs, states):
        raise NotImplementedError("Abstract method")

    @property
    def state_size(self):
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self):
        raise NotImplementedError("Abstract method")

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        return zero_states(self, inputs, batch_size, dtype)


def zero_states(cell, inputs=None, batch_size=None, dtype=None):
    """States of zeros in the structure of the cell's state_size."""
    if inputs is not None:
        batch_size, dtype = tf.shape(inputs)[0], inputs.dtype
    if batch_size is None or dtype is None:
        raise ValueError(
            "batch_size and dtype cannot be None while constructing initial state: "
            f"batch_size={batch_size}, dtype={dtype}"
        )

    def zeros(size):
        return tf.zeros([batch_size, *tf.TensorShape(size).as_list()], dtype=dtype)

    size = cell.state_size
    if isinstance(size, (list, tuple)) and not isinstance(size, tf.TensorShape):
        return tf.nest.map_structure(zeros, list(size))
    return zeros(size)


class StackedRNNCells(Layer):
    """Cells one on the other, as one. Source: tf.keras.layers.StackedRNNCells."""

    def __init__(self, cells, **kwargs):
        for cell in cells:
            if not hasattr(cell, "call"):
                raise ValueError(f"All cells must have a `call` method. received cells: {cells}")
            if not hasattr(cell, "state_size"):
                raise ValueError(
                    f"All cells must have a `state_size` attribute. received cells: {cells}"
                )
        self.reverse_state_order = kwargs.pop("reverse_state_order", False)
        super().__init__(**kwargs)
        self.cells = cells

    @property
    def state_size(self):
        cells = reversed(self.cells) if self.reverse_state_order else self.cells
        return tuple(cell.state_size for cell in cells)

    @property
    def output_size(self):
        last = self.cells[-1]
        size = getattr(last, "output_size", None)
        if size is not None:
            return size
        size = last.state_size
        return size[0] if isinstance(size, (list, tuple)) else size

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        states = [_initial_state(cell, inputs, batch_size, dtype) for cell in self.cells]
        return tuple(reversed(states) if self.reverse_state_order else states)

    def build(self, input_shape):
        for i, cell in enumerate(self.cells):
            if isinstance(cell, Layer) and not cell.built:
                with tf.name_scope(f"cell_{i}"):
                    cell.build(input_shape)
                    cell.built = True
            size = getattr(cell, "output_size", None) or cell.state_size
            size = size[0] if isinstance(size, (list, tuple)) else size
            input_shape = tf.TensorShape(
                [tf.TensorShape(input_shape)[0].value, *tf.TensorShape(size).as_list()]
            )
        self.built = True

    def call(self, inputs, states, training=None, constants=None):
        sizes = self.state_size[::-1] if self.reverse_state_order else self.state_size
        nested = tf.nest.pack_sequence_as(sizes, tf.nest.flatten(states))
        after = []
        for cell, own in zip(self.cells, nested):
            own = list(own) if isinstance(own, (list, tuple)) else [own]
            inputs, own = cell.call(inputs, own, **_cell_arguments(cell, training, constants))
            after.append(own)
        after = tuple(after[::-1] if self.reverse_state_order else after)
        return inputs, tf.nest.pack_sequence_as(sizes, tf.nest.flatten(after))

    def get_config(self):
        cells = [
            {"class_name": type(cell).__name__, "config": cell.get_config()} for cell in self.cells
        ]
        return {**super().get_config(), "cells": cells}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        from kiln.compat.v1.keras.layers import deserialize

        config = dict(config)
        cells = [deserialize(cell, custom_objects) for cell in config.pop("cells")]
        return cls(cells, **config)


def _initial_state(cell, inputs, batch_size, dtype):
    make = getattr(cell, "get_initial_state", None)
    if make is None:
        return zero_states(cell, inputs, batch_size, dtype)
    return make(inputs=inputs, batch_size=batch_size, dtype=dtype)


def _cell_arguments(cell, training, constants):
    import inspect

    names, given = inspect.signature(cell.call).parameters, {}
    if "training" in names and training is not None:
        given["training"] = training
    if constants and "constants" in names:
        given["constants"] = constants
    return given


class RNN(Layer):
    """A cell over the steps of `[batch, steps, numbers]`.

    cell: a cell or a list of them. return_sequences: the outputs of all steps. return_state: the
    last states, too. go_backwards: from the last step. stateful: a batch begins with the states of
    the one before; the size of the batch has to be known. unroll: no loop in the graph. Source:
    tf.keras.layers.RNN.
    """

    def __init__(
        self,
        cell,
        return_sequences=False,
        return_state=False,
        go_backwards=False,
        stateful=False,
        unroll=False,
        time_major=False,
        **kwargs,
    ):
        if isinstance(cell, (list, tuple)):
            cell = StackedRNNCells(cell)
        if not hasattr(cell, "call"):
            raise ValueError(f"`cell` should have a `call` method. The RNN was passed: {cell}")
        if not hasattr(cell, "state_size"):
            raise ValueError(
                "The RNN cell should have an attribute `state_size` (tuple of integers, one "
                "integer "
                "per RNN state)."
            )
        self.zero_output_for_mask = kwargs.pop("zero_output_for_mask", False)
        if "input_shape" not in kwargs and ("input_dim" in kwargs or "input_length" in kwargs):
            kwargs["input_shape"] = (
                kwargs.pop("input_length", None),
                kwargs.pop("input_dim", None),
            )
        kwargs.pop("input_length", None)
        super().__init__(**kwargs)
        self.cell, self.return_sequences, self.return_state = cell, return_sequences, return_state
        self.go_backwards, self._stateful, self.unroll = go_backwards, stateful, unroll
        self.time_major, self.supports_masking = time_major, True
        self.input_spec, self._states = [InputSpec(ndim=3)], None

    @property
    def _sizes(self):
        size = self.cell.state_size
        is_one = isinstance(size, (int, tf.TensorShape))
        return [size] if is_one else tf.nest.flatten(size)

    @property
    def states(self):
        return [None] * len(self._sizes) if self._states is None else self._states

    def build(self, input_shape):
        shape = tf.TensorShape(_first(input_shape)).as_list()
        batch, steps = (1, 0) if self.time_major else (0, 1)
        self.input_spec, self._batch_of_build = [InputSpec(ndim=len(shape))], shape[batch]
        if isinstance(self.cell, Layer) and not self.cell.built:
            self.cell.build(tf.TensorShape([shape[batch], *shape[2:]]))
            self.cell.built = True
        if self._stateful:
            self.reset_states()
        self.built = True

    def get_initial_state(self, inputs):
        if self.time_major:
            inputs = tf.transpose(inputs, [1, 0, *range(2, inputs.shape.ndims)])
        state = _initial_state(self.cell, inputs, tf.shape(inputs)[0], inputs.dtype)
        return list(state) if isinstance(state, (list, tuple)) else [state]

    def __call__(self, inputs, initial_state=None, constants=None, **kwargs):
        if isinstance(inputs, (list, tuple)):
            inputs, *others = inputs
            count = getattr(self, "_num_constants", 0)
            if others and count:
                others, constants = others[:-count], others[-count:]
            initial_state = others or initial_state
        if initial_state is not None:
            is_list = isinstance(initial_state, (list, tuple))
            kwargs["initial_state"] = list(initial_state) if is_list else [initial_state]
        if constants is not None:
            kwargs["constants"] = constants if isinstance(constants, list) else [constants]
            self._num_constants = len(kwargs["constants"])
        return super().__call__(inputs, **kwargs)

    def call(self, inputs, mask=None, training=None, initial_state=None, constants=None):
        states = self._first_states(inputs, initial_state)
        mask = mask[0] if isinstance(mask, list) else mask
        steps = inputs.shape[0 if self.time_major else 1].value
        if self.unroll and steps is None:
            raise ValueError(
                "Cannot unroll a RNN if the time dimension is undefined. \n- If using a Sequential "
                "model, specify the time dimension by passing an `input_shape` or "
                "`batch_input_shape` argument to your first layer. If your first layer is an "
                "Embedding, you can also use the `input_length` argument.\n- If using the "
                "functional API, specify the time dimension by passing a `shape` or `batch_shape` "
                "argument to your Input layer."
            )
        self._reset_dropout()
        given = _cell_arguments(self.cell, training, constants)

        def step(inputs, states):
            states = states[: -len(constants)] if constants else states
            output, after = self.cell.call(inputs, states, **given)
            return output, list(after) if isinstance(after, (list, tuple)) else [after]

        last, outputs, after = K.rnn(
            step,
            inputs,
            states,
            constants=constants,
            go_backwards=self.go_backwards,
            mask=mask,
            unroll=self.unroll,
            time_major=self.time_major,
            zero_output_for_mask=self.zero_output_for_mask,
        )
        if self._stateful:
            pairs = zip(tf.nest.flatten(self._states), tf.nest.flatten(after))
            self.add_update([tf.assign(old, new) for old, new in pairs], inputs)
        result = outputs if self.return_sequences else last
        return [result, *tf.nest.flatten(after)] if self.return_state else result

    def _first_states(self, inputs, initial_state):
        if initial_state is not None:
            states = list(initial_state)
        elif self._stateful:
            states = list(self._states)
        else:
            states = self.get_initial_state(inputs)
        if len(tf.nest.flatten(states)) != len(self._sizes):
            raise ValueError(
                f"Layer has {len(self._sizes)} states but was passed {len(states)} initial states."
            )
        return states

    def _reset_dropout(self):
        for cell in getattr(self.cell, "cells", [self.cell]):
            if hasattr(cell, "reset_dropout_mask"):
                cell.reset_dropout_mask()

    def reset_states(self, states=None):
        """Gives the states of a stateful layer zeros, or values. Errors: ValueError."""
        if not self._stateful:
            raise AttributeError("Layer must be stateful.")
        batch = self._batch_size()
        if self._states is None:
            self._states = [
                K.variable(np.zeros([batch, *tf.TensorShape(size).as_list()]), name="state")
                for size in self._sizes
            ]
        values = states
        if states is None:
            values = [np.zeros(each.shape.as_list()) for each in self._states]
        elif not isinstance(states, (list, tuple)):
            values = [states]
        if len(values) != len(self._states):
            raise ValueError(
                f"Layer {self.name} expects {len(self._states)} states, but it received "
                f"{len(values)} state values. Input received: {states}"
            )
        K.batch_set_value(list(zip(self._states, values)))

    def _batch_size(self):
        shape = getattr(self, "_batch_input_shape", None)
        if self._inbound_nodes:
            shape = _history.shape_of(_first(self._inbound_nodes[0].input_tensors))
        batch = shape[1 if self.time_major else 0] if shape else None
        batch = batch or getattr(self, "_batch_of_build", None)
        if self._states is not None:
            batch = self._states[0].shape[0].value
        if not batch:
            raise ValueError(
                "If a RNN is stateful, it needs to know its batch size. Specify the batch size of "
                "your input tensors: \n- If using a Sequential model, specify the batch size by "
                "passing a `batch_input_shape` argument to your first layer.\n- If using the "
                "functional API, specify the batch size by passing a `batch_shape` argument to "
                "your "
                "Input layer."
            )
        return batch

    def compute_mask(self, inputs, mask=None):
        mask = mask[0] if isinstance(mask, list) else mask
        kept = mask if self.return_sequences else None
        return [kept, *[None for _ in self._sizes]] if self.return_state else kept

    def compute_output_shape(self, input_shape):
        shape = tf.TensorShape(_first(input_shape)).as_list()
        batch, steps = (shape[1], shape[0]) if self.time_major else (shape[0], shape[1])
        size = getattr(self.cell, "output_size", None) or self._sizes[0]
        inner = tf.TensorShape(size).as_list()
        result = [batch, *inner]
        if self.return_sequences:
            result = [steps, batch, *inner] if self.time_major else [batch, steps, *inner]
        result = tf.TensorShape(result)
        if not self.return_state:
            return result
        states = [tf.TensorShape([batch, *tf.TensorShape(each).as_list()]) for each in self._sizes]
        return [result, *states]

    def get_config(self):
        config = {
            "return_sequences": self.return_sequences,
            "return_state": self.return_state,
            "go_backwards": self.go_backwards,
            "stateful": self._stateful,
            "unroll": self.unroll,
            "time_major": self.time_major,
        }
        config["cell"] = {
            "class_name": type(self.cell).__name__,
            "config": self.cell.get_config(),
        }
        return {**super().get_config(), **config}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        from kiln.compat.v1.keras.layers import deserialize

        config = dict(config)
        return cls(deserialize(config.pop("cell"), custom_objects), **config)


def _first(value):
    """The first of several tensors or shapes."""
    if isinstance(value, list) and value and not isinstance(value[0], (int, type(None))):
        return value[0]
    return value
