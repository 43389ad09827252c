"""Memories of pictures: products are convolutions."""

import kiln.compat.v1 as tf
from kiln.compat.v1.nn.rnn_cell import LSTMStateTuple, RNNCell


def _convolution(args, filter_size, num_features, has_bias, bias_start=0.0):
    """A convolution of tensors beside one another, with "kernel" and "biases" of the variable scope."""
    shapes = [tensor.get_shape().as_list() for tensor in args]
    rank = len(shapes[0])
    for shape in shapes:
        if len(shape) not in (3, 4, 5):
            raise ValueError(f"Conv Linear expects 3D, 4D or 5D arguments: {shapes}")
        if len(shape) != rank:
            raise ValueError(f"Conv Linear expects all args to be of same Dimension: {shapes}")
    channels, dtype = sum(shape[-1] for shape in shapes), args[0].dtype
    convolve = getattr(tf.nn, f"conv{rank - 2}d")
    strides = 1 if rank == 3 else rank * [1]
    kernel = tf.get_variable("kernel", [*filter_size, channels, num_features], dtype=dtype)
    values = args[0] if len(args) == 1 else tf.concat(axis=rank - 1, values=args)
    result = convolve(values, kernel, strides, padding="SAME")
    if not has_bias:
        return result
    zeros = tf.constant_initializer(bias_start, dtype=dtype)
    return result + tf.get_variable("biases", [num_features], dtype=dtype, initializer=zeros)


class ConvLSTMCell(RNNCell):
    """Long short-term memory of pictures, https://arxiv.org/abs/1506.04214.

    conv_ndims: the dimensions of a picture, 1 to 3. input_shape: of one input with its channels,
    as a list. output_channels, kernel_shape: of the convolutions. skip_connection: whether the
    input stands beside the output. initializers: not used. Variables "kernel", "biases". Errors:
    ValueError. Source: tf.contrib.rnn.ConvLSTMCell.
    """

    def __init__(
        self, conv_ndims, input_shape, output_channels, kernel_shape, use_bias=True, skip_connection=False,
        forget_bias=1.0, initializers=None, name="conv_lstm_cell",
    ):  # fmt: skip
        super().__init__(name=name)
        if conv_ndims != len(input_shape) - 1:
            raise ValueError(f"Invalid input_shape {input_shape} for conv_ndims={conv_ndims}.")
        self._conv_ndims, self._input_shape, self._output_channels = conv_ndims, input_shape, output_channels
        self._kernel_shape, self._use_bias = list(kernel_shape), use_bias
        self._forget_bias, self._skip_connection = forget_bias, skip_connection
        picture, total = list(input_shape[:-1]), output_channels + (input_shape[-1] if skip_connection else 0)
        state_size = tf.TensorShape([*picture, output_channels])
        self._state_size = LSTMStateTuple(state_size, state_size)
        self._output_size = tf.TensorShape([*picture, total])

    @property
    def output_size(self):
        return self._output_size

    @property
    def state_size(self):
        return self._state_size

    def call(self, inputs, state, scope=None):
        cell, hidden = state
        product = _convolution([inputs, hidden], self._kernel_shape, 4 * self._output_channels, self._use_bias)
        gates = tf.split(value=product, num_or_size_splits=4, axis=self._conv_ndims + 1)
        input_gate, new_input, forget_gate, output_gate = gates
        new_cell = tf.sigmoid(forget_gate + self._forget_bias) * cell
        new_cell += tf.sigmoid(input_gate) * tf.tanh(new_input)
        output = tf.tanh(new_cell) * tf.sigmoid(output_gate)
        if self._skip_connection:
            output = tf.concat([output, inputs], axis=-1)
        return output, LSTMStateTuple(new_cell, output)


class Conv1DLSTMCell(ConvLSTMCell):
    """ConvLSTMCell of rows. Source: tf.contrib.rnn.Conv1DLSTMCell."""

    def __init__(self, name="conv_1d_lstm_cell", **kwargs):
        super().__init__(conv_ndims=1, name=name, **kwargs)


class Conv2DLSTMCell(ConvLSTMCell):
    """ConvLSTMCell of pictures. Source: tf.contrib.rnn.Conv2DLSTMCell."""

    def __init__(self, name="conv_2d_lstm_cell", **kwargs):
        super().__init__(conv_ndims=2, name=name, **kwargs)


class Conv3DLSTMCell(ConvLSTMCell):
    """ConvLSTMCell of volumes. Source: tf.contrib.rnn.Conv3DLSTMCell."""

    def __init__(self, name="conv_3d_lstm_cell", **kwargs):
        super().__init__(conv_ndims=3, name=name, **kwargs)
