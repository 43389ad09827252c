"""tf.keras.experimental: further schedules of learning rates, cells with peepholes."""

from kiln.compat.v1.keras.layers import LSTMCell
from kiln.compat.v1.keras.optimizers._schedules import (
    CosineDecay as CosineDecay,
    CosineDecayRestarts as CosineDecayRestarts,
    LinearCosineDecay as LinearCosineDecay,
    NoisyLinearCosineDecay as NoisyLinearCosineDecay,
)


class PeepholeLSTMCell(LSTMCell):
    """An LSTMCell whose gates see the cell's memory, too.

    Source: tf.keras.experimental.PeepholeLSTMCell.
    """

    def build(self, input_shape):
        super().build(input_shape)
        for gate in ("input_gate", "forget_gate", "output_gate"):
            name = f"{gate}_peephole_weights"
            weight = self.add_weight(
                shape=(self.units,), name=name, initializer=self.kernel_initializer
            )
            setattr(self, name, weight)

    def call(self, inputs, states, training=None):
        before, memory = states
        i, f, c, o = self._gates(inputs, before, training)
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
