"""Changes of one image, an array of rank 3: turned, moved, sheared, larger, brighter."""

import numpy as np

from kiln.compat.v1.keras.preprocessing.image import _files


def flip_axis(x, axis):
    """The image with one dimension the other way round."""
    return np.flip(np.asarray(x), axis)


def _options(row_axis, col_axis, channel_axis, fill_mode, cval, interpolation_order):
    """The arguments of apply_affine_transform() that random changes pass on."""
    return dict(
        row_axis=row_axis, col_axis=col_axis, channel_axis=channel_axis, fill_mode=fill_mode,
        cval=cval, order=interpolation_order,
    )  # fmt: skip


def random_rotation(
    x, rg, row_axis=1, col_axis=2, channel_axis=0, fill_mode="nearest", cval=0.0,
    interpolation_order=1,
):  # fmt: skip
    """Turned by an angle between -rg and rg degrees.

    Source: tf.keras.preprocessing.image.random_rotation.
    """
    options = _options(row_axis, col_axis, channel_axis, fill_mode, cval, interpolation_order)
    return apply_affine_transform(x, theta=np.random.uniform(-rg, rg), **options)


def random_shift(
    x, wrg, hrg, row_axis=1, col_axis=2, channel_axis=0, fill_mode="nearest", cval=0.0,
    interpolation_order=1,
):  # fmt: skip
    """Moved by shares of the width and height. Source: tf.keras.preprocessing.image.random_shift."""
    tx = np.random.uniform(-hrg, hrg) * x.shape[row_axis]
    ty = np.random.uniform(-wrg, wrg) * x.shape[col_axis]
    options = _options(row_axis, col_axis, channel_axis, fill_mode, cval, interpolation_order)
    return apply_affine_transform(x, tx=tx, ty=ty, **options)


def random_shear(
    x, intensity, row_axis=1, col_axis=2, channel_axis=0, fill_mode="nearest", cval=0.0,
    interpolation_order=1,
):  # fmt: skip
    """Sheared by an angle up to intensity degrees.

    Source: tf.keras.preprocessing.image.random_shear.
    """
    options = _options(row_axis, col_axis, channel_axis, fill_mode, cval, interpolation_order)
    return apply_affine_transform(x, shear=np.random.uniform(-intensity, intensity), **options)


def random_zoom(
    x, zoom_range, row_axis=1, col_axis=2, channel_axis=0, fill_mode="nearest", cval=0.0,
    interpolation_order=1,
):  # fmt: skip
    """Made smaller by two factors within a range.

    Errors: ValueError. Source: tf.keras.preprocessing.image.random_zoom.
    """
    if len(zoom_range) != 2:
        raise ValueError(
            f"`zoom_range` should be a tuple or list of two floats. Received: {zoom_range}"
        )
    zx, zy = 1, 1
    if not zoom_range[0] == zoom_range[1] == 1:
        zx, zy = np.random.uniform(zoom_range[0], zoom_range[1], 2)
    options = _options(row_axis, col_axis, channel_axis, fill_mode, cval, interpolation_order)
    return apply_affine_transform(x, zx=zx, zy=zy, **options)


def apply_channel_shift(x, intensity, channel_axis=0):
    """A number added to each channel, within the image's own limits.

    Source: tf.keras.preprocessing.image.apply_channel_shift.
    """
    x = np.asarray(x)
    return np.clip(x + intensity, np.min(x), np.max(x)).astype(x.dtype)


def random_channel_shift(x, intensity_range, channel_axis=0):
    """apply_channel_shift() of a random number.

    Source: tf.keras.preprocessing.image.random_channel_shift.
    """
    intensity = np.random.uniform(-intensity_range, intensity_range)
    return apply_channel_shift(x, intensity, channel_axis=channel_axis)


def apply_brightness_shift(x, brightness, scale=True):
    """A brighter image, by Pillow; 1 leaves it as it is.

    scale: whether values become 0 to 255 before. Errors: ImportError. Source:
    tf.keras.preprocessing.image.apply_brightness_shift.
    """
    try:
        from PIL import ImageEnhance
    except ImportError as error:
        raise ImportError(
            "Using brightness shifts requires PIL. Install PIL or Pillow."
        ) from error
    low, high = np.min(x), np.max(x)
    is_outside = low < 0 or high > 255
    image = _files.array_to_img(x, scale=is_outside or scale)
    image = _files.img_to_array(ImageEnhance.Brightness(image).enhance(brightness))
    if is_outside and not scale:
        return image / 255 * (high - low) + low
    return image


def random_brightness(x, brightness_range, scale=True):
    """apply_brightness_shift() of a random number.

    Errors: ValueError. Source: tf.keras.preprocessing.image.random_brightness.
    """
    if len(brightness_range) != 2:
        raise ValueError(
            "`brightness_range should be tuple or list of two floats. "
            f"Received: {brightness_range}"
        )
    return apply_brightness_shift(x, np.random.uniform(*brightness_range), scale)


def apply_affine_transform(
    x,
    theta=0,
    tx=0,
    ty=0,
    shear=0,
    zx=1,
    zy=1,
    row_axis=1,
    col_axis=2,
    channel_axis=0,
    fill_mode="nearest",
    cval=0.0,
    order=1,
):
    """Turned by theta degrees, moved by tx rows and ty columns, sheared, made smaller; by SciPy.

    fill_mode, cval: what is outside the image; order: of the splines between its points. Errors:
    ImportError, ValueError. Source: tf.keras.preprocessing.image.apply_affine_transform.
    """
    try:
        from scipy import ndimage
    except ImportError as error:
        raise ImportError("Image transformations require SciPy. Install SciPy.") from error
    _check_axes(x, row_axis, col_axis, channel_axis)
    matrix = _matrix(theta, tx, ty, shear, zx, zy)
    if matrix is None:
        return x
    matrix = _around_center(matrix, x.shape[row_axis], x.shape[col_axis])
    if col_axis > row_axis:
        # Keras takes the matrix as one of x and y, SciPy's is of rows and columns.
        matrix = matrix[[1, 0, 2]][:, [1, 0, 2]]
    channels = [
        ndimage.affine_transform(
            channel, matrix[:2, :2], matrix[:2, 2], order=order, mode=fill_mode, cval=cval
        )
        for channel in np.moveaxis(x, channel_axis, 0)
    ]
    return np.moveaxis(np.stack(channels, axis=0), 0, channel_axis)


def _check_axes(x, row_axis, col_axis, channel_axis):
    axes = {row_axis, col_axis, channel_axis}
    if len(axes) != 3:
        raise ValueError("'row_axis', 'col_axis', and 'channel_axis' must be distinct")
    if axes != {0, 1, 2}:
        raise ValueError(f"Invalid axis' indices: {axes - {0, 1, 2}}")
    if x.ndim != 3:
        raise ValueError("Input arrays must be multi-channel 2D images.")
    if channel_axis not in (0, 2):
        raise ValueError("Channels are allowed and the first and last dimensions.")


def _matrix(theta, tx, ty, shear, zx, zy):
    """The transformation as a matrix; None where it changes nothing."""
    parts = []
    if theta != 0:
        sine, cosine = np.sin(np.deg2rad(theta)), np.cos(np.deg2rad(theta))
        parts.append([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]])
    if tx != 0 or ty != 0:
        parts.append([[1, 0, tx], [0, 1, ty], [0, 0, 1]])
    if shear != 0:
        angle = np.deg2rad(shear)
        parts.append([[1, -np.sin(angle), 0], [0, np.cos(angle), 0], [0, 0, 1]])
    if zx != 1 or zy != 1:
        parts.append([[zx, 0, 0], [0, zy, 0], [0, 0, 1]])
    matrix = None
    for part in map(np.array, parts):
        matrix = part if matrix is None else matrix @ part
    return matrix


def _around_center(matrix, height, width):
    row, column = height / 2 - 0.5, width / 2 - 0.5
    there = np.array([[1, 0, row], [0, 1, column], [0, 0, 1]])
    back = np.array([[1, 0, -row], [0, 1, -column], [0, 0, 1]])
    return there @ matrix @ back
