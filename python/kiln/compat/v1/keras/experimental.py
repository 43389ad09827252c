"""tf.keras.experimental: further schedules of learning rates, cells with peepholes."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras.layers import LSTMCell
from kiln.compat.v1.keras.optimizers.schedules import _but, _OfFunction

__all__ = [
    "CosineDecay",
    "CosineDecayRestarts",
    "LinearCosineDecay",
    "NoisyLinearCosineDecay",
    "PeepholeLSTMCell",
    "terminate_keras_multiprocessing_pools",
]


class CosineDecay(_OfFunction):
    """Half a wave of a cosine, down to alpha * initial_learning_rate.

    Source: tf.keras.experimental.CosineDecay.
    """

    def __init__(self, initial_learning_rate, decay_steps, alpha=0.0, name=None):
        self._given = dict(
            initial_learning_rate=initial_learning_rate,
            decay_steps=decay_steps,
            alpha=alpha,
            name=name,
        )

    def __call__(self, step):
        return tf.train.cosine_decay(self._given["initial_learning_rate"], step, **_but(self))


class CosineDecayRestarts(_OfFunction):
    """CosineDecay again and again, each t_mul times as long, from m_mul times as much.

    Source: tf.keras.experimental.CosineDecayRestarts.
    """

    def __init__(
        self, initial_learning_rate, first_decay_steps, t_mul=2.0, m_mul=1.0, alpha=0.0, name=None
    ):
        self._given = dict(
            initial_learning_rate=initial_learning_rate,
            first_decay_steps=first_decay_steps,
            t_mul=t_mul,
            m_mul=m_mul,
            alpha=alpha,
            name=name,
        )

    def __call__(self, step):
        rate = self._given["initial_learning_rate"]
        return tf.train.cosine_decay_restarts(rate, step, **_but(self))


class LinearCosineDecay(_OfFunction):
    """A wave of a cosine that a line pulls down. Source: tf.keras.experimental.LinearCosineDecay."""

    def __init__(
        self, initial_learning_rate, decay_steps, num_periods=0.5, alpha=0.0, beta=0.001, name=None
    ):
        self._given = dict(
            initial_learning_rate=initial_learning_rate,
            decay_steps=decay_steps,
            num_periods=num_periods,
            alpha=alpha,
            beta=beta,
            name=name,
        )

    def __call__(self, step):
        return tf.train.linear_cosine_decay(
            self._given["initial_learning_rate"], step, **_but(self)
        )


class NoisyLinearCosineDecay(_OfFunction):
    """LinearCosineDecay with noise that becomes smaller.

    Source: tf.keras.experimental.NoisyLinearCosineDecay.
    """

    def __init__(
        self,
        initial_learning_rate,
        decay_steps,
        initial_variance=1.0,
        variance_decay=0.55,
        num_periods=0.5,
        alpha=0.0,
        beta=0.001,
        name=None,
    ):
        self._given = dict(
            initial_learning_rate=initial_learning_rate,
            decay_steps=decay_steps,
            initial_variance=initial_variance,
            variance_decay=variance_decay,
            num_periods=num_periods,
            alpha=alpha,
            beta=beta,
            name=name,
        )

    def __call__(self, step):
        return tf.train.noisy_linear_cosine_decay(
            self._given["initial_learning_rate"], step, **_but(self)
        )


class PeepholeLSTMCell(LSTMCell):
    """An LSTMCell whose gates see the cell's memory, too.

    Source: tf.keras.experimental.PeepholeLSTMCell.
    """

    def build(self, input_shape):
        super().build(input_shape)
        names = ("input_gate", "forget_gate", "output_gate")
        self.input_gate_peephole_weights, self.forget_gate_peephole_weights, output = (
            self.add_weight(
                shape=(self.units,), name=f"{name}_peephole_weights",
                initializer=self.kernel_initializer,
            )
            for name in names
        )  # fmt: skip
        self.output_gate_peephole_weights = output

    def call(self, inputs, states, training=None):
        before, memory = states
        x = self._products(inputs, self.kernel, self._input_masks(inputs, training))
        if self.bias is not None:
            parts = tf.split(tf.convert_to_tensor(self.bias), 4)
            x = [tf.nn.bias_add(each, part) for each, part in zip(x, parts)]
        h = self._products(before, self.recurrent_kernel, self._state_masks(before, training))
        i, f, c, o = (a + b for a, b in zip(x, h))
        i = self.recurrent_activation(i + self.input_gate_peephole_weights * memory)
        f = self.recurrent_activation(f + self.forget_gate_peephole_weights * memory)
        memory = f * memory + i * self.activation(c)
        o = self.recurrent_activation(o + self.output_gate_peephole_weights * memory)
        output = o * self.activation(memory)
        return output, [output, memory]


def terminate_keras_multiprocessing_pools(grace_period=0.1, use_sigkill=False):
    """Does nothing: threads make batches. Source:
    tf.keras.experimental.terminate_keras_multiprocessing_pools.
    """
