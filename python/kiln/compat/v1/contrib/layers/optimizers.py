"""optimize_loss: one function from a loss to a training operation."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib._core import assign_moving_average
from kiln.compat.v1.contrib.framework._tensors import with_dependencies

__all__ = ["OPTIMIZER_CLS_NAMES", "OPTIMIZER_SUMMARIES", "adaptive_clipping_fn", "optimize_loss"]

OPTIMIZER_CLS_NAMES = {
    "Adagrad": tf.train.AdagradOptimizer,
    "Adam": tf.train.AdamOptimizer,
    "Ftrl": tf.train.FtrlOptimizer,
    "Momentum": lambda learning_rate: tf.train.MomentumOptimizer(learning_rate, momentum=0.9),
    "RMSProp": tf.train.RMSPropOptimizer,
    "SGD": tf.train.GradientDescentOptimizer,
}

OPTIMIZER_SUMMARIES = [
    "learning_rate",
    "loss",
    "gradients",
    "gradient_norm",
    "global_gradient_norm",
]


def optimize_loss(
    loss,
    global_step,
    learning_rate,
    optimizer,
    gradient_noise_scale=None,
    gradient_multipliers=None,
    clip_gradients=None,
    learning_rate_decay_fn=None,
    update_ops=None,
    variables=None,
    name=None,
    summaries=None,
    colocate_gradients_with_ops=False,
    increment_global_step=True,
):
    """A tensor of the loss, behind a step of training.

    learning_rate: a float or a tensor; None where the optimizer has its own. optimizer: a name
    in OPTIMIZER_CLS_NAMES, a class, an object, or a function of the learning rate that gives one.
    gradient_noise_scale: the deviation of noise that is added to gradients. gradient_multipliers:
    a dict from variables, or their names, to factors. clip_gradients: the norm of all gradients
    at most, or a function from pairs of gradient and variable to such pairs.
    learning_rate_decay_fn: a function of learning rate and global step. update_ops: what runs
    before; the collection of updates where it is None. variables: the trainable ones where it is
    None. summaries: some of OPTIMIZER_SUMMARIES; None: loss, learning rate and global norm.

    Errors: ValueError. Source: tf.contrib.layers.optimize_loss.
    """
    loss = tf.convert_to_tensor(loss)
    tf.debugging.assert_scalar(loss)
    if global_step is None:
        global_step = tf.train.get_global_step()
    else:
        tf.train.assert_global_step(global_step)
    with tf.variable_scope(name, "OptimizeLoss", [loss, global_step]):
        if update_ops is None:
            update_ops = dict.fromkeys(tf.get_collection(tf.GraphKeys.UPDATE_OPS))
        if update_ops:
            loss = with_dependencies(list(update_ops), loss)
        rate = _rate_of(learning_rate)
        summaries = _checked_summaries(summaries)
        if learning_rate is not None and learning_rate_decay_fn is not None:
            if global_step is None:
                raise ValueError("global_step is required for learning_rate_decay_fn.")
            rate = learning_rate_decay_fn(rate, global_step)
            if "learning_rate" in summaries:
                tf.summary.scalar("learning_rate", rate)
        opt = _optimizer_of(optimizer, learning_rate, rate)
        gradients = opt.compute_gradients(
            loss,
            tf.trainable_variables() if variables is None else variables,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
        )
        if gradient_noise_scale is not None:
            gradients = _with_noise(gradients, gradient_noise_scale)
        if gradient_multipliers is not None:
            gradients = _multiplied(gradients, gradient_multipliers)
        gradients = _clipped(gradients, clip_gradients, loss, summaries)
        updates = opt.apply_gradients(
            gradients, global_step=global_step if increment_global_step else None, name="train"
        )
        return with_dependencies([updates], loss)


def _rate_of(learning_rate):
    """The learning rate as a tensor or variable."""
    if learning_rate is None:
        return None
    if isinstance(learning_rate, tf.Tensor) and learning_rate.get_shape().ndims == 0:
        return learning_rate
    if isinstance(learning_rate, float):
        if learning_rate < 0.0:
            raise ValueError(f"Invalid learning_rate {learning_rate}.")
        initializer = tf.constant_initializer(learning_rate)
        return tf.get_variable("learning_rate", [], trainable=False, initializer=initializer)
    raise ValueError(
        "Learning rate should be 0d Tensor or float. "
        f"Got {learning_rate} of type {type(learning_rate)}"
    )


def _checked_summaries(summaries):
    if summaries is None:
        return ["loss", "learning_rate", "global_gradient_norm"]
    for each in summaries:
        if each not in OPTIMIZER_SUMMARIES:
            raise ValueError(
                f"Summaries should be one of [{', '.join(OPTIMIZER_SUMMARIES)}], you provided {each}."
            )
    return summaries


def _optimizer_of(optimizer, learning_rate, rate):
    """The optimizer that a name, class, object or function means."""
    kinds = tf.train.Optimizer
    if isinstance(optimizer, str):
        _check_rate(rate, f"string ({optimizer})")
        if optimizer not in OPTIMIZER_CLS_NAMES:
            raise ValueError(
                f"Optimizer name should be one of [{', '.join(OPTIMIZER_CLS_NAMES)}], "
                f"you provided {optimizer}."
            )
        return OPTIMIZER_CLS_NAMES[optimizer](learning_rate=rate)
    if isinstance(optimizer, type) and issubclass(optimizer, kinds):
        _check_rate(rate, f"class ({optimizer})")
        return optimizer(learning_rate=rate)
    if isinstance(optimizer, kinds):
        return optimizer
    if callable(optimizer):
        made = optimizer() if learning_rate is None else optimizer(rate)
        if not isinstance(made, kinds):
            raise ValueError(
                "Unrecognized optimizer: function should return subclass of Optimizer. "
                f"Got {made}."
            )
        return made
    raise ValueError(
        "Unrecognized optimizer: should be string, subclass of Optimizer, instance of subclass of "
        f"Optimizer or function with one argument. Got {optimizer}."
    )


def _check_rate(rate, what):
    if rate is None:
        raise ValueError(f"Learning rate is None, but should be specified if optimizer is {what}.")


def _clipped(gradients, clip_gradients, loss, summaries):
    """The gradients, within a norm, with summaries of what they were and are."""
    norms = "global_gradient_norm" in summaries or "gradient_norm" in summaries
    if norms:
        tf.summary.scalar("global_norm/gradient_norm", tf.global_norm(list(zip(*gradients))[0]))
    if isinstance(clip_gradients, float):
        values, variables = zip(*gradients)
        gradients = list(zip(tf.clip_by_global_norm(values, clip_gradients)[0], variables))
    elif callable(clip_gradients):
        gradients = clip_gradients(gradients)
    elif clip_gradients is not None:
        raise ValueError(f"Unknown type {type(clip_gradients)} for clip_gradients")
    if "loss" in summaries:
        tf.summary.scalar("loss", loss)
    for gradient, variable in gradients:
        values = gradient.values if isinstance(gradient, tf.IndexedSlices) else gradient
        if values is None:
            continue
        name = variable.name.replace(":", "_")
        if "gradients" in summaries:
            tf.summary.histogram(f"gradients/{name}", values)
        if "gradient_norm" in summaries:
            tf.summary.scalar(f"gradient_norm/{name}", tf.global_norm([values]))
    if clip_gradients is not None and norms:
        norm = tf.global_norm(list(zip(*gradients))[0])
        tf.summary.scalar("global_norm/clipped_gradient_norm", norm)
    return gradients


def _with_noise(grads_and_vars, scale):
    def noisy(gradient):
        if gradient is None:
            return None
        sparse = isinstance(gradient, tf.IndexedSlices)
        shape = gradient.dense_shape if sparse else gradient.get_shape()
        return gradient + tf.truncated_normal(shape) * scale

    return [(noisy(gradient), variable) for gradient, variable in grads_and_vars]


def _multiplied(grads_and_vars, multipliers):
    result = []
    by_name = {getattr(key, "name", key): factor for key, factor in multipliers.items()}
    for gradient, variable in grads_and_vars:
        if gradient is not None and variable.name in by_name:
            factor = by_name[variable.name]
            if isinstance(gradient, tf.IndexedSlices):
                gradient = tf.IndexedSlices(
                    gradient.values * factor, gradient.indices, gradient.dense_shape
                )
            else:
                gradient *= tf.cast(factor, gradient.dtype)
        result.append((gradient, variable))
    if not result:
        raise ValueError(
            "Empty list of (gradient, var) pairs encountered. This is most likely to be caused by "
            "an improper value of gradient_multipliers."
        )
    return result


def _adaptive_max_norm(norm, std_factor, decay, global_step, epsilon, name):
    """The norm at most, by the moving mean and deviation of its logarithm, and that mean."""
    with tf.variable_scope(name, "AdaptiveMaxNorm", [norm]):
        log_norm = tf.log(norm + epsilon)
        if global_step is not None:
            steps = tf.cast(global_step, tf.float32)
            decay = tf.minimum(decay, steps / (steps + 1.0))

        def moving_average(name, value):
            variable = tf.get_variable(
                name,
                shape=value.get_shape(),
                dtype=value.dtype,
                initializer=tf.zeros_initializer(),
                trainable=False,
            )
            return assign_moving_average(variable, value, decay, zero_debias=False)

        mean = moving_average("mean", log_norm)
        variance = moving_average("sq_mean", tf.square(log_norm)) - tf.square(mean)
        deviation = tf.sqrt(tf.maximum(epsilon, variance))
        return tf.exp(mean + std_factor * deviation), mean


def adaptive_clipping_fn(
    std_factor=2.0,
    decay=0.95,
    static_max_norm=None,
    global_step=None,
    report_summary=False,
    epsilon=1e-8,
    name=None,
):
    """A function for clip_gradients: norms beyond their mean and std_factor deviations are cut.

    decay: of the moving mean and deviation of the norm's logarithm; slower in the first of
    global_step. static_max_norm: what the norm is at most in any case. Source:
    tf.contrib.layers.python.layers.optimizers.adaptive_clipping_fn.
    """

    def gradient_clipping(grads_and_vars):
        gradients, variables = zip(*grads_and_vars)
        norm = tf.global_norm(gradients)
        max_norm, log_mean = _adaptive_max_norm(norm, std_factor, decay, global_step, epsilon, name)
        if report_summary:
            tf.summary.scalar("global_norm/adaptive_max_gradient_norm", max_norm)
        # Gradients within the norm stay, others get the mean's norm.
        factor = tf.where(norm < max_norm, tf.ones_like(norm), tf.exp(log_mean) / norm)
        if static_max_norm is not None:
            factor = tf.minimum(static_max_norm / norm, factor)
        clipped = []
        for gradient in gradients:
            if isinstance(gradient, tf.IndexedSlices):
                values = gradient.values * factor
                gradient = tf.IndexedSlices(values, gradient.indices, gradient.dense_shape)
            elif gradient is not None:
                gradient = gradient * factor
            clipped.append(gradient)
        return list(zip(clipped, variables))

    return gradient_clipping
