"""Loops over the steps of sequences."""

from kiln.compat import v1 as tf


def rnn(
    step_function,
    inputs,
    initial_states,
    go_backwards=False,
    mask=None,
    constants=None,
    unroll=False,
    input_length=None,
    time_major=False,
    zero_output_for_mask=False,
):
    """Runs a function over the steps of inputs, `[batch, steps, ...]`.

    step_function(step, states): gives the output and the new states, lists or single tensors.
    mask: where it is false a step keeps the output and the states of the one before. Gives the
    last output, all outputs `[batch, steps, ...]` and the last states. Source:
    tf.keras.backend.rnn.
    """
    constants, states = list(constants or []), list(initial_states)
    if not time_major:
        inputs = tf.nest.map_structure(_steps_first, inputs)
    steps = tf.nest.flatten(inputs)
    count = steps[0].shape[0].value
    if mask is not None:
        if mask.dtype != tf.bool:
            mask = tf.cast(mask, tf.bool)
        if mask.shape.ndims == 2:
            mask = tf.expand_dims(mask, -1)
        if not time_major:
            mask = _steps_first(mask)
    if go_backwards:
        inputs = tf.nest.map_structure(lambda each: tf.reverse(each, [0]), inputs)
        mask = None if mask is None else tf.reverse(mask, [0])
    given = (step_function, inputs, states, mask, constants, zero_output_for_mask)
    if unroll:
        if not count:
            raise ValueError("Unrolling requires a fixed number of timesteps.")
        outputs, states = _unrolled(count, *given)
    else:
        outputs, states = _looped(tf.shape(steps[0])[0], *given)
    last = tf.nest.map_structure(lambda each: each[-1], outputs)
    for each in tf.nest.flatten(outputs):
        each.set_shape([count, steps[0].shape[1].value, *each.shape.as_list()[2:]])
    if not time_major:
        outputs = tf.nest.map_structure(_steps_first, outputs)
    return last, outputs, states


def _steps_first(x):
    """The first two axes exchanged."""
    return tf.transpose(x, [1, 0, *range(2, x.shape.ndims)])


def _spread(mask, like):
    """A mask, `[batch, 1]`, of the shape of a tensor."""
    for _ in range(like.shape.ndims - mask.shape.ndims):
        mask = tf.expand_dims(mask, -1)
    factors = tf.concat([tf.ones([1], tf.int32), tf.shape(like)[1:]], 0)
    return tf.tile(mask, factors)


def _chosen(mask, new, old):
    return tf.nest.map_structure(lambda a, b: tf.where(_spread(mask, a), a, b), new, old)


def _unrolled(count, step_function, inputs, states, mask, constants, zero_output):
    outputs, before = [], None
    for i in range(count):
        step = tf.nest.map_structure(lambda each, i=i: each[i], inputs)
        output, new = step_function(step, [*states, *constants])
        new = _like(states, new)
        if mask is not None:
            if before is None or zero_output:
                before = tf.nest.map_structure(tf.zeros_like, output)
            output = _chosen(mask[i], output, before)
            new = _chosen(mask[i], new, states)
        outputs.append(output)
        states, before = new, output
    return tf.nest.map_structure(lambda *each: tf.stack(each), *outputs), states


def _like(states, new):
    """New states in the structure of the old ones."""
    return tf.nest.pack_sequence_as(states, tf.nest.flatten(new))


def _looped(count, step_function, inputs, states, mask, constants, zero_output):
    arrays = tf.nest.map_structure(
        lambda each: tf.TensorArray(each.dtype, size=count, name="input_ta").unstack(each), inputs
    )
    # The first step tells what the outputs look like; it is not run.
    first = tf.nest.map_structure(lambda each: each[0], inputs)
    example, _ = step_function(first, [*states, *constants])
    flat_example = tf.nest.flatten(example)
    results = [tf.TensorArray(each.dtype, size=count, name="output_ta") for each in flat_example]
    masks = None
    if mask is not None:
        masks = tf.TensorArray(tf.bool, size=count, name="mask_ta").unstack(mask)
    zeros = [tf.zeros_like(each) for each in flat_example] if mask is not None else []
    flat_states = tf.nest.flatten(states)

    def body(time, results, before, flat):
        step = tf.nest.map_structure(lambda array: array.read(time), arrays)
        old = tf.nest.pack_sequence_as(states, flat)
        output, new = step_function(step, [*old, *constants])
        output, new = tf.nest.flatten(output), tf.nest.flatten(new)
        if masks is not None:
            here = masks.read(time)
            output = _chosen(here, output, zeros if zero_output else before)
            new = _chosen(here, new, list(flat))
            before = output
        for tensor, shape in zip(new, flat_states):
            tensor.set_shape(shape.shape)
        written = [array.write(time, each) for array, each in zip(results, output)]
        return time + 1, written, before, new

    _, results, _, flat = tf.while_loop(
        lambda time, *_: time < count,
        body,
        (tf.constant(0, name="time"), results, zeros, flat_states),
        maximum_iterations=None,
        parallel_iterations=32,
        swap_memory=True,
    )
    outputs = tf.nest.pack_sequence_as(example, [array.stack() for array in results])
    return outputs, tf.nest.pack_sequence_as(states, flat)
