"""tf.keras.experimental: schedules of learning rates, cells with peepholes."""

import numpy as np
import pytest

import kiln.compat.v1 as tf

STEPS = np.array([0.0, 3.0, 7.0, 15.0])
DONE = np.minimum(STEPS, 10) / 10
WAVE = 0.5 * (1 + np.cos(np.pi * DONE))


@pytest.fixture(autouse=True)
def session():
    tf.keras.backend.clear_session()


def test_schedules_of_cosines():
    experimental = tf.keras.experimental
    line, waves = 1 - DONE, 0.5 * (1 + np.cos(np.pi * 2 * 0.5 * DONE))
    wanted = {
        experimental.CosineDecay(0.1, 10, alpha=0.2): 0.1 * (0.8 * WAVE + 0.2),
        experimental.LinearCosineDecay(0.1, 10, beta=0.01): 0.1 * (line * waves + 0.01),
        experimental.NoisyLinearCosineDecay(0.1, 10, initial_variance=0.0, beta=0.01): (
            0.1 * (line * waves + 0.01)
        ),
        # The second wave begins at the fifth step, is twice as long and half as high.
        experimental.CosineDecayRestarts(0.1, 5, m_mul=0.5): [
            0.1,
            0.05 * (1 + np.cos(np.pi * 3 / 5)),
            0.025 * (1 + np.cos(np.pi * 2 / 10)),
            0.0125 * 2,
        ],
    }
    for schedule, values in wanted.items():
        found = [tf.keras.backend.eval(schedule(tf.constant(step, tf.float32))) for step in STEPS]
        np.testing.assert_allclose(found, values, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("name", ["CosineDecay", "LinearCosineDecay", "NoisyLinearCosineDecay"])
def test_optimizers_with_schedules_are_made_again(name):
    schedule = getattr(tf.keras.experimental, name)(0.1, decay_steps=10)
    optimizer = tf.keras.optimizers.SGD(schedule)
    config = tf.keras.optimizers.serialize(optimizer)
    assert config["config"]["learning_rate"]["config"]["decay_steps"] == 10
    again = tf.keras.optimizers.deserialize(config)
    assert again.get_config() == optimizer.get_config()
    assert type(again.learning_rate) is type(schedule)


def test_gates_see_the_memory():
    cell = tf.keras.experimental.PeepholeLSTMCell(3, recurrent_activation="sigmoid")
    x, h, c = (tf.constant(np.random.RandomState(i).randn(2, 3), tf.float32) for i in range(3))
    output, (_, memory) = cell(x, [h, c])
    names = [weight.op.name.rsplit("/", 1)[-1] for weight in cell.weights]
    assert names == [
        "kernel", "recurrent_kernel", "bias", "input_gate_peephole_weights",
        "forget_gate_peephole_weights", "output_gate_peephole_weights",
    ]  # fmt: skip
    cell.set_weights(
        [np.random.RandomState(7).randn(*weight.shape.as_list()) for weight in cell.weights]
    )
    x, h, c, output, memory = map(tf.keras.backend.get_value, (x, h, c, output, memory))
    kernel, recurrent, bias, of_input, of_forget, of_output = cell.get_weights()
    sigmoid = lambda value: 1 / (1 + np.exp(-value))  # noqa: E731
    i, f, candidate, o = np.split(x @ kernel + h @ recurrent + bias, 4, axis=1)
    wanted = sigmoid(f + of_forget * c) * c + sigmoid(i + of_input * c) * np.tanh(candidate)
    np.testing.assert_allclose(memory, wanted, rtol=1e-4)
    np.testing.assert_allclose(
        output, sigmoid(o + of_output * wanted) * np.tanh(wanted), rtol=1e-4, atol=1e-6
    )
