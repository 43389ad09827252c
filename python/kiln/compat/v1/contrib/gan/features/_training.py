"""What keeps the training of a discriminator steady."""

from kiln.compat import v1 as tf


def clip_discriminator_weights(optimizer, model, weight_clip):
    """An optimizer that clips the discriminator's variables. Errors: ValueError.

    Source: tf.contrib.gan.features.clip_discriminator_weights.
    """
    return clip_variables(optimizer, model.discriminator_variables, weight_clip)


def clip_variables(optimizer, variables, weight_clip):
    """An optimizer that clips the norms of variables. Errors: ValueError.

    Source: tf.contrib.gan.features.clip_variables.
    """
    if weight_clip < 0:
        raise ValueError(
            "`discriminator_weight_clip` must be positive. Instead, was %s", weight_clip
        )
    return tf.contrib.opt.VariableClippingOptimizer(
        opt=optimizer,
        vars_to_clip_dims={variable: [] for variable in variables},
        max_norm=weight_clip,
        use_locking=True,
        colocate_clip_ops_with_vars=True,
    )


def _as_list(values):
    return [values] if isinstance(values, tf.Tensor) else list(values)


def tensor_pool(input_values, pool_size=50, pooling_probability=0.5, name="tensor_pool"):
    """The values, or with a probability those of an earlier run, which are kept in a queue.

    pool_size: how many are kept; 0: none. Errors: ValueError. Source:
    tf.contrib.gan.features.tensor_pool.
    """
    pool_size = int(pool_size)
    if pool_size < 0:
        raise ValueError("`pool_size` is negative.")
    if pool_size == 0:
        return input_values
    flat = tf.nest.flatten(input_values)
    with tf.name_scope(f"{name}_pool_queue", values=[*flat, pooling_probability]):
        queue = tf.RandomShuffleQueue(
            capacity=pool_size,
            min_after_dequeue=0,
            dtypes=[each.dtype for each in flat],
            shapes=None,
        )

        def kept():
            with tf.control_dependencies([queue.enqueue(flat)]):
                return [tf.identity(each) for each in flat]

        def exchanged():
            earlier = _as_list(queue.dequeue())
            with tf.control_dependencies(earlier):
                with tf.control_dependencies([queue.enqueue(flat)]):
                    chosen = tf.random_uniform((), dtype=tf.float32) < pooling_probability
                    return tf.cond(chosen, lambda: earlier, lambda: flat)

        results = _as_list(tf.cond(queue.size() < pool_size, kept, exchanged))
        for given, result in zip(flat, results):
            result.set_shape(given.shape)
    return tf.nest.pack_sequence_as(input_values, results)
