"""The cells of tf.nn.rnn_cell. What they compute stands in C++."""

import collections

from kiln._kiln import front as _c
from kiln.compat.v1 import _initializers, logging
from kiln.compat.v1._util.deprecation import deprecated
from kiln.compat.v1.nn.rnn_cell._base import LayerRNNCell, check_dtype, check_inputs
from kiln.compat.v1.nn.rnn_cell._named import activation_of, default_tanh, initializer_of

_KERNEL, _BIAS = "kernel", "bias"


def _deprecated(keras):
    """The notice that TensorFlow 1.15 has for its cells."""
    return deprecated(
        None,
        f"This class is equivalent as tf.keras.layers.{keras}, and will be replaced by that in Tensorflow 2.0.",
        module="tensorflow.python.ops.rnn_cell_impl",
    )


def columns_of(input_shape):
    """The last extent of an input's shape. Errors: ValueError where it is not known."""
    shape = tuple(input_shape.as_list()) if hasattr(input_shape, "as_list") else tuple(input_shape)
    if shape[-1] is None:
        raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {shape}")
    return int(shape[-1])


class _Cell(LayerRNNCell):
    """What the cells of this file have in common: units, an activation, inputs of two dimensions."""

    def __init__(self, num_units, activation, reuse, name, dtype, kwargs):
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        check_dtype(dtype)
        self._require_rank(2)
        self._num_units = num_units
        self._activation = activation_of(activation) if activation else default_tanh

    @property
    def _function(self):
        """The activation for C++; None for its own."""
        return None if self._activation is default_tanh else self._activation

    def _zeros(self):
        return _initializers.Zeros() if self.dtype is None else _initializers.Zeros(dtype=self.dtype)

    @property
    def output_size(self):
        return self._num_units


class BasicRNNCell(_Cell):
    """The simplest cell: output and next state are activation(W [x, h] + b).

    num_units: the columns of output and state. activation: a function or its name, tanh by
    default. reuse: whether variables that are there are taken. Source:
    tf.nn.rnn_cell.BasicRNNCell.
    """

    @_deprecated("SimpleRNNCell")
    def __init__(self, num_units, activation=None, reuse=None, name=None, dtype=None, **kwargs):
        super().__init__(num_units, activation, reuse, name, dtype, kwargs)

    @property
    def state_size(self):
        return self._num_units

    def build(self, input_shape):
        units = self._num_units
        self._kernel = self.add_variable(_KERNEL, shape=[columns_of(input_shape) + units, units])
        self._bias = self.add_variable(_BIAS, shape=[units], initializer=self._zeros())
        self.built = True

    def call(self, inputs, state):
        check_inputs(inputs, state)
        output, _, _ = _c.basic_rnn_step(inputs, [state], self._kernel, self._bias, self._function)
        return output, output

    def get_config(self):
        config = {"num_units": self._num_units, "activation": self._activation, "reuse": self._reuse}
        return {**super().get_config(), **config}


class GRUCell(_Cell):
    """Gated recurrent unit, http://arxiv.org/abs/1406.1078.

    num_units, activation, reuse: as BasicRNNCell has them. kernel_initializer, bias_initializer:
    for both kernels and both biases; the scope's, and ones for the gates' and zeros for the
    candidate's bias by default. Source: tf.nn.rnn_cell.GRUCell.
    """

    @_deprecated("GRUCell")
    def __init__(
        self, num_units, activation=None, reuse=None, kernel_initializer=None, bias_initializer=None, name=None,
        dtype=None, **kwargs,
    ):  # fmt: skip
        super().__init__(num_units, activation, reuse, name, dtype, kwargs)
        self._kernel_initializer = initializer_of(kernel_initializer)
        self._bias_initializer = initializer_of(bias_initializer)

    @property
    def state_size(self):
        return self._num_units

    def build(self, input_shape):
        units, rows = self._num_units, columns_of(input_shape) + self._num_units
        ones = _initializers.Constant(1.0) if self.dtype is None else _initializers.Constant(1.0, dtype=self.dtype)
        kernel, bias = self._kernel_initializer, self._bias_initializer
        self._gate_kernel = self.add_variable(f"gates/{_KERNEL}", shape=[rows, 2 * units], initializer=kernel)
        self._gate_bias = self.add_variable(
            f"gates/{_BIAS}", shape=[2 * units], initializer=ones if bias is None else bias
        )
        self._candidate_kernel = self.add_variable(f"candidate/{_KERNEL}", shape=[rows, units], initializer=kernel)
        self._candidate_bias = self.add_variable(
            f"candidate/{_BIAS}", shape=[units], initializer=self._zeros() if bias is None else bias
        )
        self.built = True

    def call(self, inputs, state):
        check_inputs(inputs, state)
        output, _, _ = _c.gru_step(
            inputs, [state], self._gate_kernel, self._gate_bias, self._candidate_kernel, self._candidate_bias,
            self._function,
        )  # fmt: skip
        return output, output

    def get_config(self):
        config = {
            "num_units": self._num_units, "kernel_initializer": self._kernel_initializer,
            "bias_initializer": self._bias_initializer, "activation": self._activation, "reuse": self._reuse,
        }  # fmt: skip
        return {**super().get_config(), **config}


class LSTMStateTuple(collections.namedtuple("LSTMStateTuple", ("c", "h"))):
    """The state of an LSTM cell: c, its memory, and h, its output. Source: tf.nn.rnn_cell.LSTMStateTuple."""

    __slots__ = ()

    @property
    def dtype(self):
        """Errors: TypeError where the two have different ones."""
        c, h = self
        if c.dtype != h.dtype:
            raise TypeError(f"Inconsistent internal state: {c.dtype} vs {h.dtype}")
        return c.dtype


class _MemoryCell(_Cell):
    """What both LSTM cells do with their state."""

    def _warn_of_concatenation(self):
        if not self._state_is_tuple:
            logging.warn(
                "%s: Using a concatenated state is slower and will soon be deprecated.  Use state_is_tuple=True.", self
            )

    def _packed(self, step):
        output, state, _ = step
        return output, LSTMStateTuple(*state) if self._state_is_tuple else state[0]

    def _flat(self, state):
        if not self._state_is_tuple:
            return [state]
        c, h = state
        return [c, h]


class BasicLSTMCell(_MemoryCell):
    """Long short-term memory, http://arxiv.org/abs/1409.2329, without peepholes.

    num_units, activation, reuse: as BasicRNNCell has them. forget_bias: added to the forget
    gate's input. state_is_tuple: whether the state is an LSTMStateTuple, or c and h beside one
    another in one tensor. Source: tf.nn.rnn_cell.BasicLSTMCell.
    """

    @_deprecated("LSTMCell")
    def __init__(
        self, num_units, forget_bias=1.0, state_is_tuple=True, activation=None, reuse=None, name=None, dtype=None,
        **kwargs,
    ):  # fmt: skip
        super().__init__(num_units, activation, reuse, name, dtype, kwargs)
        self._forget_bias, self._state_is_tuple = forget_bias, state_is_tuple
        self._warn_of_concatenation()

    @property
    def state_size(self):
        return LSTMStateTuple(self._num_units, self._num_units) if self._state_is_tuple else 2 * self._num_units

    def build(self, input_shape):
        units = self._num_units
        self._kernel = self.add_variable(_KERNEL, shape=[columns_of(input_shape) + units, 4 * units])
        self._bias = self.add_variable(_BIAS, shape=[4 * units], initializer=self._zeros())
        self.built = True

    def call(self, inputs, state):
        check_inputs(inputs, state)
        return self._packed(
            _c.basic_lstm_step(
                inputs, self._flat(state), self._kernel, self._bias, self._forget_bias, self._function
            )
        )

    def get_config(self):
        config = {
            "num_units": self._num_units, "forget_bias": self._forget_bias, "state_is_tuple": self._state_is_tuple,
            "activation": self._activation, "reuse": self._reuse,
        }  # fmt: skip
        return {**super().get_config(), **config}


class LSTMCell(_MemoryCell):
    """Long short-term memory with peepholes, limits and a projection, all of them optional.

    num_units, activation, reuse, forget_bias, state_is_tuple: as BasicLSTMCell has them.
    use_peepholes: whether the gates see the memory. cell_clip: the limit of the memory.
    initializer: of all weights but the bias. num_proj: the columns of the output, which is a
    product with one more kernel; proj_clip: its limit. num_unit_shards, num_proj_shards: into
    how many parts the kernels are cut. Source: tf.nn.rnn_cell.LSTMCell.
    """

    @_deprecated("LSTMCell")
    def __init__(
        self, num_units, use_peepholes=False, cell_clip=None, initializer=None, num_proj=None, proj_clip=None,
        num_unit_shards=None, num_proj_shards=None, forget_bias=1.0, state_is_tuple=True, activation=None, reuse=None,
        name=None, dtype=None, **kwargs,
    ):  # fmt: skip
        super().__init__(num_units, activation, reuse, name, dtype, kwargs)
        self._forget_bias, self._state_is_tuple = forget_bias, state_is_tuple
        self._warn_of_concatenation()
        if num_unit_shards is not None or num_proj_shards is not None:
            logging.warn(
                "%s: The num_unit_shards and proj_unit_shards parameters are deprecated and will be removed in Jan "
                "2017.  Use a variable scope with a partitioner instead.", self,
            )  # fmt: skip
        self._use_peepholes, self._cell_clip = use_peepholes, cell_clip
        self._initializer = initializer_of(initializer)
        self._num_proj, self._proj_clip = num_proj, proj_clip
        self._num_unit_shards, self._num_proj_shards = num_unit_shards, num_proj_shards

    @property
    def output_size(self):
        return self._num_proj if self._num_proj else self._num_units

    @property
    def state_size(self):
        c, h = self._num_units, self.output_size
        return LSTMStateTuple(c, h) if self._state_is_tuple else c + h

    def build(self, input_shape):
        units, rows = self._num_units, columns_of(input_shape) + self.output_size
        self._w_f_diag = self._w_i_diag = self._w_o_diag = self._proj_kernel = None
        self._kernel = self._weight(_KERNEL, [rows, 4 * units], _parts(self._num_unit_shards))
        self._bias = self.add_variable(_BIAS, shape=[4 * units], initializer=self._zeros())
        if self._use_peepholes:
            self._w_f_diag = self._weight("w_f_diag", [units])
            self._w_i_diag = self._weight("w_i_diag", [units])
            self._w_o_diag = self._weight("w_o_diag", [units])
        if self._num_proj is not None:
            self._proj_kernel = self._weight(
                f"projection/{_KERNEL}", [units, self._num_proj], _parts(self._num_proj_shards)
            )
        self.built = True

    def _weight(self, name, shape, partitioner=None):
        options = {} if partitioner is None else {"partitioner": partitioner}
        return self.add_variable(name, shape=shape, initializer=self._initializer, **options)

    def call(self, inputs, state):
        check_inputs(inputs, state)
        return self._packed(
            _c.lstm_step(
                inputs, self._flat(state), self._num_units, self._kernel, self._bias, self._w_f_diag, self._w_i_diag,
                self._w_o_diag, self._proj_kernel, self._use_peepholes, self._cell_clip, None, self._num_proj,
                self._proj_clip, self._forget_bias, self._function,
            )
        )  # fmt: skip

    def get_config(self):
        config = {
            "num_units": self._num_units, "use_peepholes": self._use_peepholes, "cell_clip": self._cell_clip,
            "initializer": self._initializer, "num_proj": self._num_proj, "proj_clip": self._proj_clip,
            "num_unit_shards": self._num_unit_shards, "num_proj_shards": self._num_proj_shards,
            "forget_bias": self._forget_bias, "state_is_tuple": self._state_is_tuple,
            "activation": self._activation, "reuse": self._reuse,
        }  # fmt: skip
        return {**super().get_config(), **config}


def _parts(count):
    if count is None:
        return None
    from kiln.compat.v1 import fixed_size_partitioner

    return fixed_size_partitioner(count)
