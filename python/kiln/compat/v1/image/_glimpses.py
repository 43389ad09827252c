"""Parts of images around places, and images as JPEG files would leave them."""

from kiln._generated import raw_ops as _raw
from kiln.compat.v1 import dtypes
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1._graph_functions import name_scope
from kiln.compat.v1._random_ops import random_uniform
from kiln.compat.v1.image._colors import convert_image_dtype


def extract_glimpse(input, size, offsets, centered=True, normalized=True, uniform_noise=True, name=None):
    """Parts of images around places: [batch, size[0], size[1], channels].

    offsets: [batch, 2], y and x: from the middle where centered, as fractions where normalized.
    uniform_noise: what stands beyond the image is uniform noise, or normal. Difference: the noise follows
    from the offsets. Source: tf.image.extract_glimpse.
    """
    noise = "uniform" if uniform_noise else "gaussian"
    return _raw.extract_glimpse(input, size, offsets, centered, normalized, uniform_noise, noise, name=name)


def adjust_jpeg_quality(image, jpeg_quality, name=None):
    """An image as a JPEG file of that quality leaves it.

    jpeg_quality: a number from 0 to 100 or a scalar of int32. Source: tf.image.adjust_jpeg_quality.
    """
    with name_scope(name, "adjust_jpeg_quality"):
        image = convert_to_tensor(image, name="image")
        given = image.dtype
        pixels = convert_image_dtype(image, dtypes.uint8)
        quality = convert_to_tensor(jpeg_quality, dtypes.int32)
        pixels = _raw.decode_jpeg(_raw.encode_jpeg_variable_quality(pixels, quality))
        return convert_image_dtype(pixels, given, saturate=True)


def random_jpeg_quality(image, min_jpeg_quality, max_jpeg_quality, seed=None):
    """As adjust_jpeg_quality(), of a quality drawn from min_jpeg_quality to below max_jpeg_quality.

    Errors: ValueError. Source: tf.image.random_jpeg_quality.
    """
    if not (0 <= min_jpeg_quality <= 100 and 0 <= max_jpeg_quality <= 100):
        raise ValueError("jpeg encoding range must be between 0 and 100.")
    if min_jpeg_quality >= max_jpeg_quality:
        raise ValueError("`min_jpeg_quality` must be less than `max_jpeg_quality`.")
    quality = random_uniform([], min_jpeg_quality, max_jpeg_quality, dtypes.int32, seed)
    return adjust_jpeg_quality(image, quality)
