"""Learning rates that fall as a global step grows. Each is a tensor in the dtype of the first learning rate."""

from kiln._kiln import front as _c


def _required(global_step, function):
    if global_step is None:
        raise ValueError(f"global_step is required for {function}.")


def exponential_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None):
    """learning_rate * decay_rate ** (global_step / decay_steps).

    staircase: the exponent is rounded down. Errors: ValueError without a global step. Source:
    tf.train.exponential_decay.
    """
    _required(global_step, "exponential_decay")
    return _c.exponential_decay(learning_rate, global_step, decay_steps, decay_rate, staircase, name)


def natural_exp_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None):
    """learning_rate * exp(-decay_rate * global_step / decay_steps). Source: tf.train.natural_exp_decay."""
    _required(global_step, "natural_exp_decay")
    return _c.natural_exp_decay(learning_rate, global_step, decay_steps, decay_rate, staircase, name)


def inverse_time_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None):
    """learning_rate / (1 + decay_rate * global_step / decay_steps). Source: tf.train.inverse_time_decay."""
    _required(global_step, "inverse_time_decay")
    return _c.inverse_time_decay(learning_rate, global_step, decay_steps, decay_rate, staircase, name)


def piecewise_constant(x, boundaries, values, name=None):
    """One of the values: the first for x up to the first boundary, the last for x above the last boundary.

    Errors: ValueError where there is not one value more than boundaries, or dtypes differ. Source:
    tf.train.piecewise_constant.
    """
    return _c.piecewise_constant(x, boundaries, values, name)


piecewise_constant_decay = piecewise_constant


def polynomial_decay(
    learning_rate, global_step, decay_steps, end_learning_rate=0.0001, power=1.0, cycle=False, name=None
):
    """(learning_rate - end_learning_rate) * (1 - global_step / decay_steps) ** power + end_learning_rate.

    cycle: it starts again, for as long as it takes, where the steps are done. Source: tf.train.polynomial_decay.
    """
    _required(global_step, "polynomial_decay")
    return _c.polynomial_decay(learning_rate, global_step, decay_steps, end_learning_rate, power, cycle, name)


def cosine_decay(learning_rate, global_step, decay_steps, alpha=0.0, name=None):
    """Half a wave of a cosine, down to alpha * learning_rate. Source: tf.train.cosine_decay."""
    _required(global_step, "cosine decay")
    return _c.cosine_decay(learning_rate, global_step, decay_steps, alpha, name)


def cosine_decay_restarts(
    learning_rate, global_step, first_decay_steps, t_mul=2.0, m_mul=1.0, alpha=0.0, name=None
):
    """cosine_decay() again and again, each t_mul times as long, from m_mul times as much.

    Source: tf.train.cosine_decay_restarts.
    """
    _required(global_step, "cosine decay restarts")
    return _c.cosine_decay_restarts(learning_rate, global_step, first_decay_steps, t_mul, m_mul, alpha, name)


def linear_cosine_decay(
    learning_rate, global_step, decay_steps, num_periods=0.5, alpha=0.0, beta=0.001, name=None
):
    """A wave that a line pulls down. Source: tf.train.linear_cosine_decay."""
    _required(global_step, "linear cosine decay")
    return _c.linear_cosine_decay(learning_rate, global_step, decay_steps, num_periods, alpha, beta, name)


def noisy_linear_cosine_decay(
    learning_rate,
    global_step,
    decay_steps,
    initial_variance=1.0,
    variance_decay=0.55,
    num_periods=0.5,
    alpha=0.0,
    beta=0.001,
    name=None,
):
    """linear_cosine_decay() with noise that becomes smaller. Source: tf.train.noisy_linear_cosine_decay."""
    _required(global_step, "noisy linear cosine decay")
    return _c.noisy_linear_cosine_decay(
        learning_rate, global_step, decay_steps, initial_variance, variance_decay, num_periods, alpha, beta, name
    )
