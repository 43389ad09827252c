"""The cells of LSTM, GRU and plain recurrent layers."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras.layers._configured import Configured
from kiln.compat.v1.keras.layers._recurrent import zero_states

__all__ = ["GRUCell", "LSTMCell", "SimpleRNNCell"]

_WEIGHTS = (
    "kernel_initializer", "recurrent_initializer", "bias_initializer", "kernel_regularizer",
    "recurrent_regularizer", "bias_regularizer", "kernel_constraint", "recurrent_constraint",
    "bias_constraint",
)  # fmt: skip


class _Cell(Configured):
    """What the cells share: kernels of GATES gates side by side, dropout."""

    GATES = 1

    def __init__(self, given, kwargs):
        super().__init__(**kwargs)
        for name in ("dropout", "recurrent_dropout"):
            given[name] = min(1.0, max(0.0, given[name]))
        self._set(given)
        self._masks = {}

    @property
    def output_size(self):
        return self.units

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        return zero_states(self, inputs, batch_size, dtype)

    def _add(self, name, shape, kind, initializer=None):
        return self.add_weight(
            name=name,
            shape=shape,
            initializer=initializer or getattr(self, f"{kind}_initializer"),
            regularizer=getattr(self, f"{kind}_regularizer"),
            constraint=getattr(self, f"{kind}_constraint"),
        )

    def build(self, input_shape):
        width = self.units * self.GATES
        numbers = tf.TensorShape(input_shape)[-1].value
        self.kernel = self._add("kernel", (numbers, width), "kernel")
        self.recurrent_kernel = self._add("recurrent_kernel", (self.units, width), "recurrent")
        self.bias = self._make_bias(width) if self.use_bias else None
        self.built = True

    def _make_bias(self, width):
        return self._add("bias", (width,), "bias")

    # Dropout: the same for all steps of a sequence.

    def reset_dropout_mask(self):
        self._masks.clear()

    reset_recurrent_dropout_mask = reset_dropout_mask

    def _mask(self, what, like, rate, training, count=1):
        if rate == 0:
            return None
        if what not in self._masks:

            def dropped():
                return K.dropout(tf.ones_like(like), rate)

            self._masks[what] = [
                K.in_train_phase(dropped, tf.ones_like(like), training=training)
                for _ in range(count)
            ]
        return self._masks[what]

    def _products(self, values, kernel, masks):
        """The values times the kernel of each gate."""
        if masks is None:
            return tf.split(tf.matmul(values, kernel), self.GATES, axis=1)
        if len(masks) == 1:
            return tf.split(tf.matmul(values * masks[0], kernel), self.GATES, axis=1)
        kernels = tf.split(tf.convert_to_tensor(kernel), self.GATES, axis=1)
        return [tf.matmul(values * mask, part) for mask, part in zip(masks, kernels)]

    def _input_masks(self, inputs, training):
        count = self.GATES if self.implementation == 1 else 1
        return self._mask("input", inputs, self.dropout, training, count)

    def _state_masks(self, state, training):
        count = self.GATES if self.implementation == 1 else 1
        return self._mask("state", state, self.recurrent_dropout, training, count)


class SimpleRNNCell(_Cell):
    """activation(inputs * kernel + state * recurrent_kernel + bias).

    Source: tf.keras.layers.SimpleRNNCell.
    """

    ARGUMENTS = ("units", "activation", "use_bias", *_WEIGHTS, "dropout", "recurrent_dropout")
    implementation = 1

    def __init__(
        self,
        units,
        activation="tanh",
        use_bias=True,
        kernel_initializer="glorot_uniform",
        recurrent_initializer="orthogonal",
        bias_initializer="zeros",
        kernel_regularizer=None,
        recurrent_regularizer=None,
        bias_regularizer=None,
        kernel_constraint=None,
        recurrent_constraint=None,
        bias_constraint=None,
        dropout=0.0,
        recurrent_dropout=0.0,
        **kwargs,
    ):
        super().__init__(dict(locals()), kwargs)

    @property
    def state_size(self):
        return self.units

    def call(self, inputs, states, training=None):
        (before,) = states
        (x,) = self._products(inputs, self.kernel, self._input_masks(inputs, training))
        if self.bias is not None:
            x = tf.nn.bias_add(x, self.bias)
        masks = self._state_masks(before, training)
        (h,) = self._products(before, self.recurrent_kernel, masks)
        output = self.activation(x + h)
        return output, [output]


class GRUCell(_Cell):
    """A gated recurrent unit. reset_after: the reset gate after the product with the state.

    Source: tf.keras.layers.GRUCell.
    """

    GATES = 3
    ARGUMENTS = (
        "units", "activation", "recurrent_activation", "use_bias", *_WEIGHTS, "dropout",
        "recurrent_dropout", "implementation", "reset_after",
    )  # fmt: skip

    def __init__(
        self,
        units,
        activation="tanh",
        recurrent_activation="hard_sigmoid",
        use_bias=True,
        kernel_initializer="glorot_uniform",
        recurrent_initializer="orthogonal",
        bias_initializer="zeros",
        kernel_regularizer=None,
        recurrent_regularizer=None,
        bias_regularizer=None,
        kernel_constraint=None,
        recurrent_constraint=None,
        bias_constraint=None,
        dropout=0.0,
        recurrent_dropout=0.0,
        implementation=1,
        reset_after=False,
        **kwargs,
    ):
        super().__init__(dict(locals()), kwargs)

    @property
    def state_size(self):
        return self.units

    def _make_bias(self, width):
        shape = (2, width) if self.reset_after else (width,)
        return self._add("bias", shape, "bias")

    def call(self, inputs, states, training=None):
        (before,) = states
        bias, recurrent_bias = self.bias, None
        if self.use_bias and self.reset_after:
            bias, recurrent_bias = tf.unstack(tf.convert_to_tensor(self.bias))
        x = self._products(inputs, self.kernel, self._input_masks(inputs, training))
        if bias is not None:
            parts = tf.split(tf.convert_to_tensor(bias), 3)
            x = [tf.nn.bias_add(each, part) for each, part in zip(x, parts)]
        masks = self._state_masks(before, training)
        masked = [before] * 3 if masks is None else [before * mask for mask in (masks * 3)[:3]]
        kernels = tf.split(tf.convert_to_tensor(self.recurrent_kernel), 3, axis=1)
        h = [tf.matmul(each, kernel) for each, kernel in zip(masked[:2], kernels)]
        if recurrent_bias is not None:
            parts = tf.split(recurrent_bias, 3)
            h = [tf.nn.bias_add(each, part) for each, part in zip(h, parts)]
        z, r = (self.recurrent_activation(a + b) for a, b in zip(x, h))
        if self.reset_after:
            candidate = tf.matmul(masked[2], kernels[2])
            if recurrent_bias is not None:
                candidate = tf.nn.bias_add(candidate, parts[2])
            candidate = r * candidate
        else:
            candidate = tf.matmul(r * masked[2], kernels[2])
        output = z * before + (1 - z) * self.activation(x[2] + candidate)
        return output, [output]


class LSTMCell(_Cell):
    """A long short-term memory. unit_forget_bias: the forget gate's bias begins with 1.

    Source: tf.keras.layers.LSTMCell.
    """

    GATES = 4
    ARGUMENTS = (
        "units", "activation", "recurrent_activation", "use_bias", *_WEIGHTS[:3],
        "unit_forget_bias", *_WEIGHTS[3:], "dropout", "recurrent_dropout", "implementation",
    )  # fmt: skip

    def __init__(
        self,
        units,
        activation="tanh",
        recurrent_activation="hard_sigmoid",
        use_bias=True,
        kernel_initializer="glorot_uniform",
        recurrent_initializer="orthogonal",
        bias_initializer="zeros",
        unit_forget_bias=True,
        kernel_regularizer=None,
        recurrent_regularizer=None,
        bias_regularizer=None,
        kernel_constraint=None,
        recurrent_constraint=None,
        bias_constraint=None,
        dropout=0.0,
        recurrent_dropout=0.0,
        implementation=1,
        **kwargs,
    ):
        super().__init__(dict(locals()), kwargs)

    @property
    def state_size(self):
        return [self.units, self.units]

    def _make_bias(self, width):
        if not self.unit_forget_bias:
            return super()._make_bias(width)

        def first(shape, dtype=None, partition_info=None):
            make = self.bias_initializer
            ones = tf.ones((self.units,), dtype)
            return tf.concat(
                [make((self.units,), dtype), ones, make((self.units * 2,), dtype)], axis=0
            )

        return self._add("bias", (width,), "bias", first)

    def _gates(self, inputs, before, training):
        """The sums at the input, forget and output gates and of the candidate: i, f, c, o."""
        input_masks = self._input_masks(inputs, training)
        state_masks = self._state_masks(before, training)
        if input_masks is None and state_masks is None:
            z = tf.matmul(inputs, self.kernel)
            z = z if self.bias is None else tf.nn.bias_add(z, self.bias)
            return tf.split(z + tf.matmul(before, self.recurrent_kernel), 4, axis=1)
        x = self._products(inputs, self.kernel, input_masks)
        if self.bias is not None:
            parts = tf.split(tf.convert_to_tensor(self.bias), 4)
            x = [tf.nn.bias_add(each, part) for each, part in zip(x, parts)]
        h = self._products(before, self.recurrent_kernel, state_masks)
        return [a + b for a, b in zip(x, h)]

    def call(self, inputs, states, training=None):
        before, carry = states
        i, f, c, o = self._gates(inputs, before, training)
        carry = self.recurrent_activation(f) * carry + (
            self.recurrent_activation(i) * self.activation(c)
        )
        output = self.recurrent_activation(o) * self.activation(carry)
        return output, [output, carry]
