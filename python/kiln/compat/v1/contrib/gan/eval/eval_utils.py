"""Several images as one."""

import math

from kiln.compat import v1 as tf

__all__ = ["image_grid", "image_reshaper"]


def image_grid(input_tensor, grid_shape, image_shape=(32, 32), num_channels=3):
    """One image, [1, height, width, channels], of a batch of them or of their elements.

    Errors: ValueError. Source: tf.contrib.gan.eval.image_grid.
    """
    shape = input_tensor.shape
    if grid_shape[0] * grid_shape[1] != int(shape[0]):
        raise ValueError(
            f"Grid shape {grid_shape} incompatible with minibatch size {int(shape[0])}."
        )
    wanted = [image_shape[0], image_shape[1], num_channels]
    if len(shape) == 2:
        fits = int(shape[1]) == math.prod(wanted)
    elif len(shape) == 4:
        fits = [int(each) for each in shape[1:]] == wanted
    else:
        raise ValueError("Unrecognized input tensor format.")
    if not fits:
        raise ValueError("Image shape and number of channels incompatible with input tensor.")
    height, width = grid_shape[0] * image_shape[0], grid_shape[1] * image_shape[1]
    grid = tf.reshape(input_tensor, (*grid_shape, *image_shape, num_channels))
    grid = tf.transpose(grid, [0, 1, 3, 2, 4])
    grid = tf.reshape(grid, [grid_shape[0], width, image_shape[0], num_channels])
    grid = tf.transpose(grid, [0, 2, 1, 3])
    return tf.reshape(grid, [1, height, width, num_channels])


def image_reshaper(images, num_cols=None):
    """One image, [1, height, width, channels], of a list or a batch of them.

    num_cols: how many stand side by side. Errors: ValueError. Source:
    tf.contrib.gan.eval.image_reshaper.
    """
    if isinstance(images, tf.Tensor):
        images = tf.unstack(images)
    for image in images:
        image.shape.assert_has_rank(3)
        image.shape.assert_is_fully_defined()
        if image.shape[-1] not in (1, 3):
            raise ValueError("image_reshaper only supports 1 or 3 channel images.")
    count = len(images)
    columns = num_cols or int(math.ceil(math.sqrt(count)))
    rows = [list(images[i : i + columns]) for i in range(0, count, columns)]
    missing = len(rows) * columns - count
    if missing > 0:
        rows[-1].extend([tf.zeros_like(images[-1])] * missing)
    rows = [tf.concat(row, 1) for row in rows]
    return tf.expand_dims(tf.concat(rows, 0), 0)
