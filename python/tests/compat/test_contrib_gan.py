"""tf.contrib.gan: inputs of models, how they are trained, GANEstimator."""

import itertools

import numpy as np
import pytest

import kiln.compat.v1 as tf

gan = tf.contrib.gan


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(1)
        yield graph


def generator(noise):
    return noise * tf.get_variable("scale", initializer=1.0)


def discriminator(data, noise):
    return tf.reduce_mean(data, 1, keepdims=True) * tf.get_variable("slope", initializer=2.0)


def model():
    made = gan.gan_model(generator, discriminator, tf.fill([4, 2], 3.0), tf.ones([4, 2]))
    loss = gan.gan_loss(made, gan.losses.wasserstein_generator_loss, gan.losses.wasserstein_discriminator_loss)
    return made, loss


class Counter:
    """An operation that counts its runs."""

    def __init__(self, name):
        self.count = tf.get_variable(name, initializer=0, trainable=False)
        self.op = self.count.assign_add(1)


def counters():
    parts = Counter("of_generator"), Counter("of_discriminator")
    ops = gan.GANTrainOps(parts[0].op, parts[1].op, tf.train.get_or_create_global_step().assign_add(1))
    return parts, ops


@pytest.mark.parametrize("hooks_of", [gan.get_sequential_train_hooks, gan.get_joint_train_hooks])
def test_each_part_is_trained_so_many_times_in_a_step(tmp_path, hooks_of):
    parts, ops = counters()
    step = gan.gan_train(
        ops,
        str(tmp_path),
        get_hooks_fn=hooks_of(gan.GANTrainSteps(2, 3)),
        hooks=[tf.train.StopAtStepHook(num_steps=5)],
    )
    assert step == 5
    path = tf.train.latest_checkpoint(str(tmp_path))
    assert [tf.train.load_variable(path, part.count.op.name) for part in parts] == [10, 15]


def test_joint_steps_run_both_parts_at_once():
    _, ops = counters()
    both, generators, discriminators = gan.get_joint_train_hooks(gan.GANTrainSteps(4, 1))(ops)
    assert [len(hook._train_ops) for hook in (both, generators, discriminators)] == [2, 1, 1]
    assert [hook._train_steps for hook in (both, generators, discriminators)] == [1, 3, 0]


def test_training_operations_change_their_own_part():
    made, loss = model()
    optimizers = tf.train.GradientDescentOptimizer(0.5), tf.train.GradientDescentOptimizer(0.25)
    ops = gan.gan_train_ops(made, loss, *optimizers)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        (scale,), (slope,) = made.generator_variables, made.discriminator_variables
        # The generator's loss is -slope * scale, the discriminator's slope * (scale - 3).
        assert session.run(ops.generator_train_op) == pytest.approx(-2)
        assert session.run([scale, slope]) == [2.0, 2.0]
        assert session.run(ops.discriminator_train_op) == pytest.approx(-2)
        assert session.run([scale, slope]) == [2.0, 2.25]
        assert session.run(tf.train.get_global_step()) == 0
        session.run(ops.global_step_inc_op)
        assert session.run(tf.train.get_global_step()) == 1


def test_updates_that_belong_to_no_part_are_a_mistake():
    made, loss = model()
    tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, tf.no_op("alone"))
    optimizer = tf.train.GradientDescentOptimizer(0.5)
    with pytest.raises(ValueError, match="There are unused update ops"):
        gan.gan_train_ops(made, loss, optimizer, optimizer)
    gan.gan_train_ops(made, loss, optimizer, optimizer, check_for_unused_update_ops=False)


def test_sequential_steps_of_slim_sum_the_losses(tmp_path):
    made, loss = model()
    optimizer = tf.train.GradientDescentOptimizer(0.0)
    ops = gan.gan_train_ops(made, loss, optimizer, optimizer)
    steps = gan.get_sequential_train_steps(gan.GANTrainSteps(2, 1))
    final = tf.contrib.slim.learning.train(ops, str(tmp_path), train_step_fn=steps, number_of_steps=3)
    assert final == pytest.approx(2 * -2 + 2 * (1 - 3))


def test_infogan_takes_its_unstructured_inputs_first():
    def predicting(data, inputs):
        return discriminator(data, inputs), [tf.distributions.Normal(data, 1.0)]

    made = gan.infogan_model(
        lambda inputs: generator(inputs[0]), predicting, np.ones([4, 2], "f4"),
        [np.full([4, 2], 5, "f4")], [np.full([4, 2], 7, "f4")],
    )  # fmt: skip
    first, second = made.generator_inputs
    assert [first.op.name, second.op.name] == ["Generator/Const", "Generator/Const_1"]
    assert made.structured_generator_inputs == [second]
    with tf.Session() as session:
        assert session.run(second[0, 0]) == 7


def estimator(folder, **options):
    def metrics(made):
        return {"generated": tf.metrics.mean(made.generated_data)}

    return gan.estimator.GANEstimator(
        model_dir=str(folder),
        generator_fn=generator,
        discriminator_fn=discriminator,
        generator_loss_fn=gan.losses.wasserstein_generator_loss,
        discriminator_loss_fn=gan.losses.wasserstein_discriminator_loss,
        generator_optimizer=lambda: tf.train.GradientDescentOptimizer(0.125),
        discriminator_optimizer=tf.train.GradientDescentOptimizer(0.0),
        get_eval_metric_ops_fn=metrics,
        **options,
    )


def both():
    return tf.ones([4, 2]), tf.fill([4, 2], 3.0)


def test_an_estimator_trains_evaluates_and_generates(tmp_path):
    made = estimator(tmp_path, add_summaries=gan.estimator.SummaryType.VARIABLES)
    made.train(both, steps=4)
    assert made.get_variable_value("Generator/scale") == pytest.approx(1 + 4 * 0.125 * 2)
    found = made.evaluate(both, steps=2)
    assert found["generated"] == pytest.approx(2) and found["generator_loss"] == pytest.approx(-4)
    assert found["discriminator_loss"] == pytest.approx(2 * (2 - 3))
    assert found["loss"] == pytest.approx(-4 - 2) and found["global_step"] == 4
    data = made.predict(lambda: tf.ones([3, 2]))
    assert np.allclose(list(itertools.islice(data, 5)), 2)


def test_mistakes(tmp_path):
    with pytest.raises(ValueError, match="generator_loss_fn must be callable."):
        gan.estimator.GANEstimator(str(tmp_path), generator, discriminator)
    with pytest.raises(ValueError, match="use_loss_summaries must be True, False or None."):
        estimator(tmp_path, use_loss_summaries=3)
    with pytest.raises(ValueError, match="`labels` must be `None` when mode is `predict`"):
        made = estimator(tmp_path)
        made.train(both, steps=1)
        made._call_model_fn(*both(), tf.estimator.ModeKeys.PREDICT, made.config)
