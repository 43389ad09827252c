"""Shapes of what networks run over: tf.contrib.rnn.transpose_batch_time, best_effort_input_batch_size."""

from kiln._kiln import front as _c


def transpose_batch_time(x):
    """The first two axes of a tensor in each other's place; one of a lower rank as it is."""
    x = _c.convert(x, None, None, "")
    shape = x.get_shape()
    if shape.ndims is not None and shape.ndims < 2:
        return x
    order = _c.concat([[1, 0], _c.range(2, _c.rank(x), 1)], 0)
    swapped = _c.transpose(x, order)
    swapped.set_shape([shape.dims[1], shape.dims[0], *shape.dims[2:]])
    return swapped


def best_effort_input_batch_size(flat_input):
    """The batch of inputs [time, batch, ...]: an int where one of them knows it, otherwise a tensor.

    Errors: ValueError for a rank below 2.
    """
    for tensor in flat_input:
        shape = tensor.shape
        if shape.ndims is None:
            continue
        if shape.ndims < 2:
            raise ValueError(f"Expected input tensor {tensor} to have rank at least 2")
        if shape.dims[1].value is not None:
            return shape.dims[1].value
    return _c.shape(flat_input[0])[1]
