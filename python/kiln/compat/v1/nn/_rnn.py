"""What runs cells of recurrent networks over sequences: tf.nn.dynamic_rnn, static_rnn and their like.

The loops stand in C++ (`include/kiln/Rnn.h`), which has flat lists of tensors; here structures are
taken apart and put together.
"""

from kiln._generated.raw_ops import identity
from kiln._kiln import front as _c
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1._structures import Structure
from kiln.compat.v1._util import nest
from kiln.compat.v1._util.deprecation import deprecated
from kiln.compat.v1._variable_scope import VariableScope
from kiln.compat.v1.nn.rnn_cell._base import assert_like_rnncell, shape_of
from kiln.compat.v1.shapes import TensorShape

__all__ = [
    "bidirectional_dynamic_rnn", "dynamic_rnn", "raw_rnn", "static_bidirectional_rnn", "static_rnn",
    "static_state_saving_rnn",
]  # fmt: skip


def known_shape(size):
    """What is known of the shape that an element of output_size means."""
    size = shape_of(size)
    if isinstance(size, TensorShape):
        return size
    from kiln.compat.v1._constant_value import constant_value

    value = constant_value(size)
    return TensorShape(value if value is None or value.ndim else int(value))


class FlatCell:
    """A cell as C++ calls it: its tensors in flat lists.

    inputs: the structure of a step's inputs; state: the state to begin with, or None.
    """

    def __init__(self, cell, inputs, state, dtype):
        self._cell, self._inputs, self._dtype = cell, Structure(inputs), dtype
        # Those of tf.keras take and give their states in a list, be it one.
        self._is_keras = not hasattr(cell, "zero_state")
        self._begins_with(state)

    def _begins_with(self, state):
        self._state = None if state is None else Structure(state)
        self._packed_state = state

    @property
    def initial_state(self):
        """The tensors that are given; None where zeros are to be made."""
        return None if self._state is None else self._state.tensors

    @property
    def parts(self):
        """What C++ takes for a cell."""
        outputs = [known_shape(size) for size in nest.flatten(self._cell.output_size)]
        return self._step, outputs, [], self._zeros

    def _zeros(self, batch_size, _):
        if self._state is None:
            if getattr(self._cell, "get_initial_state", None) is not None:
                self._begins_with(
                    self._cell.get_initial_state(inputs=None, batch_size=batch_size, dtype=self._dtype)
                )
            else:
                self._begins_with(self._cell.zero_state(batch_size, self._dtype))
        return self._state.tensors

    def _step(self, inputs, state):
        state = self._state.pack(state)
        if self._is_keras and not nest.is_sequence(state):
            state = [state]
        output, new_state = self._cell(self._inputs.pack(inputs), state)
        if self._is_keras and len(new_state) == 1:
            new_state = new_state[0]
        nest.assert_same_structure(self._cell.output_size, output)
        nest.assert_same_structure(self._packed_state, new_state)
        return nest.flatten(output), Structure(new_state).tensors

    def outputs(self, first, more):
        """Outputs in the structure of the cell's output_size."""
        return nest.pack_sequence_as(self._cell.output_size, [first, *more])

    def state(self, tensors):
        """A state in the structure of the first one."""
        return self._state.pack(tensors)


def _deprecated(keras):
    """The notice that TensorFlow 1.15 has for these functions."""
    instructions = f"Please use `{keras}`, which is equivalent to this API"
    return deprecated(None, instructions, module="tensorflow.python.ops.rnn")


def _check_dtype(state, dtype, text):
    if state is None and not dtype:
        raise ValueError(text)


_NO_DTYPE = "If no initial_state is provided, argument `dtype` must be specified"


def _scope(scope, default):
    """A scope's name, or a scope to be entered again, for C++."""
    if isinstance(scope, VariableScope):
        return scope._handle
    return scope or default


@_deprecated("keras.layers.RNN(cell)")
def dynamic_rnn(
    cell, inputs, sequence_length=None, initial_state=None, dtype=None, parallel_iterations=None, swap_memory=False,
    time_major=False, scope=None,
):  # fmt: skip
    """Runs a cell over the time steps of a tensor, in a loop. Returns (outputs, last state).

    cell: an RNNCell. inputs: [batch, time, ...], or [time, batch, ...] where time_major, or a
    structure of such; batch and time are those of the run. sequence_length: [batch] of integers;
    behind its length a sequence's outputs are zeros and its state stays. initial_state: in the
    structure of cell.state_size; zeros of dtype where there is none. dtype: of the outputs, too,
    where the state has several. parallel_iterations (32), swap_memory: of the loop. scope: the
    variable scope, "rnn" by default. outputs: [batch, time, ...], in the structure of
    cell.output_size.

        cell = tf.nn.rnn_cell.BasicLSTMCell(128)
        outputs, state = tf.nn.dynamic_rnn(cell, tf.placeholder(tf.float32, [None, None, 10]), dtype=tf.float32)
        # outputs: [batch, time, 128]; state.h: [batch, 128], what came last

    Errors: TypeError for what is no cell; ValueError without state and dtype, for inputs whose
    last extents are not known or whose batch or time differ. Source: tf.nn.dynamic_rnn.
    """
    assert_like_rnncell("cell", cell)
    _check_dtype(initial_state, dtype, _NO_DTYPE)
    flat = FlatCell(cell, inputs, initial_state, dtype)
    outputs, state, more = _c.dynamic_rnn(
        flat.parts, nest.flatten(inputs), flat.initial_state, sequence_length, time_major, parallel_iterations or 32,
        swap_memory, _scope(scope, "rnn"), dtype,
    )  # fmt: skip
    return flat.outputs(outputs, more), flat.state(state)


@_deprecated("keras.layers.Bidirectional(keras.layers.RNN(cell))")
def bidirectional_dynamic_rnn(
    cell_fw, cell_bw, inputs, sequence_length=None, initial_state_fw=None, initial_state_bw=None, dtype=None,
    parallel_iterations=None, swap_memory=False, time_major=False, scope=None,
):  # fmt: skip
    """Runs one cell from the first step to the last and another one from the last to the first.

    Arguments as dynamic_rnn() has them, in the variable scopes "fw" and "bw" of
    "bidirectional_rnn"; backward a sequence begins at its last step. Returns ((outputs of
    cell_fw, outputs of cell_bw), (their last states)); all outputs are in the order of the
    inputs. Errors: as dynamic_rnn(). Source: tf.nn.bidirectional_dynamic_rnn.
    """
    assert_like_rnncell("cell_fw", cell_fw)
    assert_like_rnncell("cell_bw", cell_bw)
    for state in (initial_state_fw, initial_state_bw):
        _check_dtype(state, dtype, _NO_DTYPE)
    forward = FlatCell(cell_fw, inputs, initial_state_fw, dtype)
    backward = FlatCell(cell_bw, inputs, initial_state_bw, dtype)
    ahead, back = _c.bidirectional_dynamic_rnn(
        forward.parts, backward.parts, nest.flatten(inputs), forward.initial_state, backward.initial_state,
        sequence_length, time_major, parallel_iterations or 32, swap_memory, _scope(scope, "bidirectional_rnn"), dtype,
    )  # fmt: skip
    outputs = (forward.outputs(ahead[0], ahead[2]), backward.outputs(back[0], back[2]))
    return outputs, (forward.state(ahead[1]), backward.state(back[1]))


def _check_steps(inputs):
    if not nest.is_nested(inputs):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")


@_deprecated("keras.layers.RNN(cell, unroll=True)")
def static_rnn(cell, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
    """Runs a cell over a list of steps, one part of the graph each. Returns (outputs, last state).

    inputs: a list of [batch, ...], or of structures of such. outputs: a list of as many. Other
    arguments as dynamic_rnn() has them; with sequence_length a step that is behind all lengths
    does not run. Errors: TypeError, ValueError as dynamic_rnn(), and for no inputs. Source:
    tf.nn.static_rnn.
    """
    assert_like_rnncell("cell", cell)
    _check_steps(inputs)
    _check_dtype(initial_state, dtype, _NO_DTYPE)
    flat = FlatCell(cell, inputs[0], initial_state, dtype)
    outputs, state, more = _c.static_rnn(
        flat.parts, [nest.flatten(step) for step in inputs], flat.initial_state, sequence_length, None, None, None,
        _scope(scope, "rnn"), dtype,
    )  # fmt: skip
    return [flat.outputs(*each) for each in zip(outputs, more)], flat.state(state)


@_deprecated("keras.layers.Bidirectional(keras.layers.RNN(cell, unroll=True))")
def static_bidirectional_rnn(
    cell_fw, cell_bw, inputs, initial_state_fw=None, initial_state_bw=None, dtype=None, sequence_length=None, scope=None
):
    """As bidirectional_dynamic_rnn(), over a list of steps, one part of the graph each.

    Returns (outputs, last state of cell_fw, last state of cell_bw); outputs: a list, each the
    outputs of both beside one another. Errors: TypeError, ValueError as static_rnn(). Source:
    tf.nn.static_bidirectional_rnn.
    """
    assert_like_rnncell("cell_fw", cell_fw)
    assert_like_rnncell("cell_bw", cell_bw)
    _check_steps(inputs)
    for state in (initial_state_fw, initial_state_bw):
        _check_dtype(state, dtype, _NO_DTYPE)
    forward = FlatCell(cell_fw, inputs[0], initial_state_fw, dtype)
    backward = FlatCell(cell_bw, inputs[0], initial_state_bw, dtype)
    outputs, ahead, back, more = _c.static_bidirectional_rnn(
        forward.parts, backward.parts, [nest.flatten(step) for step in inputs], forward.initial_state,
        backward.initial_state, sequence_length, None, None, None, _scope(scope, "bidirectional_rnn"), dtype,
    )  # fmt: skip
    return [forward.outputs(*each) for each in zip(outputs, more)], forward.state(ahead), backward.state(back)


@_deprecated("keras.layers.RNN(cell, stateful=True)")
def static_state_saving_rnn(cell, inputs, state_saver, state_name, sequence_length=None, scope=None):
    """As static_rnn(), with a state that is kept from run to run.

    state_saver: an object with methods state(name), which gives the tensor to begin with, and
    save_state(name, tensor), which gives an operation. state_name: a name, or a tuple of names
    for a state that is a tuple. Errors: TypeError, ValueError. Source: tf.nn.static_state_saving_rnn.
    """
    sizes = cell.state_size
    if nest.is_nested(sizes) != nest.is_nested(state_name):
        raise ValueError(
            "state_name should be the same type as cell.state_size.  "
            f"state_name: {state_name}, cell.state_size: {sizes}"
        )
    names = nest.flatten(state_name)
    if len(names) != len(nest.flatten(sizes)):
        raise ValueError(f"#elems(state_name) != #elems(state_size): {len(names)} vs. {len(nest.flatten(sizes))}")
    first = nest.pack_sequence_as(sizes, [state_saver.state(name) for name in names])
    outputs, state = static_rnn(cell, inputs, initial_state=first, sequence_length=sequence_length, scope=scope)
    saved = [state_saver.save_state(name, each) for name, each in zip(names, nest.flatten(state))]
    with get_default_graph().control_dependencies(saved):
        outputs[-1] = nest.map_structure(lambda each: identity(each), outputs[-1])
        return outputs, nest.map_structure(lambda each: identity(each), state)


class _RawLoop:
    """The function of raw_rnn() as C++ calls it."""

    def __init__(self, cell, loop_fn):
        self._cell, self._loop_fn = cell, loop_fn
        self.emit_structure = self.state = self.loop_state = None

    def next(self, time, given, loop_state):
        """(finished, inputs, state, what is given out, state of the loop), flat."""
        if given is None:
            return self._first(time)
        output = nest.pack_sequence_as(self._cell.output_size, given[0])
        loop_state = loop_state[0] if self.loop_state is None else self.loop_state.pack(loop_state)
        finished, inputs, state, emit, loop_state = self._loop_fn(
            time, output, self.state.pack(given[1]), loop_state
        )
        nest.assert_same_structure(self._first_state, state)
        nest.assert_same_structure(self._first_inputs, inputs)
        nest.assert_same_structure(self.emit_structure, emit)
        loop_tensors = [] if loop_state is None or self.loop_state is None else Structure(loop_state).tensors
        return finished, nest.flatten(inputs), Structure(state).tensors, nest.flatten(emit), loop_tensors

    def _first(self, time):
        finished, inputs, state, emit, loop_state = self._loop_fn(time, None, None, None)
        nest.assert_same_structure(state, self._cell.state_size)
        self._first_inputs, self._first_state = inputs, state
        self.inputs, self.state = Structure(inputs), Structure(state)
        self.emit_structure = self._cell.output_size if emit is None else emit
        self.loop_state = None if loop_state is None else Structure(loop_state)
        emitted = [] if emit is None else nest.flatten(emit)
        return finished, self.inputs.tensors, self.state.tensors, emitted, self.loop_state and self.loop_state.tensors or []

    def step(self, inputs, state):
        output, new_state = self._cell(self.inputs.pack(inputs), self.state.pack(state))
        nest.assert_same_structure(self._first_state, new_state)
        nest.assert_same_structure(self._cell.output_size, output)
        return nest.flatten(output), Structure(new_state).tensors


def raw_rnn(cell, loop_fn, parallel_iterations=None, swap_memory=False, scope=None):
    """Runs a cell until all sequences are over, on what a function makes of its outputs.

    loop_fn(time, cell_output, cell_state, loop_state) is called before each step, at first with
    None for all but the time; it gives (elements_finished, next_input, next_cell_state,
    emit_output, next_loop_state): which sequences are over ([batch] of bool), what the cell takes,
    the state with which it goes on, what the step before gives out, and anything that goes from
    step to step. At first emit_output is what all of them are like without the batch, None for
    the cell's output. Returns (TensorArrays of what is given out, last state, last loop state).
    A sequence that is over gives out zeros and keeps its state. Errors: TypeError, ValueError for
    structures that change. Source: tf.nn.raw_rnn.
    """
    assert_like_rnncell("cell", cell)
    if not callable(loop_fn):
        raise TypeError("loop_fn must be a callable")
    loop = _RawLoop(cell, loop_fn)
    outputs = [known_shape(size) for size in nest.flatten(cell.output_size)]
    states = [known_shape(size) for size in nest.flatten(cell.state_size)]
    arrays, state, loop_state = _c.raw_rnn(
        (loop.step, outputs, states, None), loop.next, parallel_iterations or 32, swap_memory, _scope(scope, "rnn")
    )
    emit = nest.pack_sequence_as(loop.emit_structure, [_array(array) for array in arrays])
    return emit, loop.state.pack(state), None if loop.loop_state is None else loop.loop_state.pack(loop_state)


def _array(array):
    """The TensorArray of one of C++."""
    from kiln.compat.v1._tensor_array import TensorArray

    made = TensorArray.__new__(TensorArray)
    made._array, made._dtype, made._dynamic_size, made._infer_shape = array, array.dtype, True, True
    return made
